"""2-Sum in one full layer whose score is a square: H·d·p = 6⌈log2 M⌉ bits, weights that do not depend on n or M.

| slot | coordinates | holds, for a token x with y = M − x |
|---|---|---|
| one | 1 | 1, from the position |
| value, square | 1, 1 | x, x² |
| mirror, mirror square | 1, 1 | y, y² |
| found | 1 | 1 if some earlier token, or the token itself, is y; else 0 |
"""

from __future__ import annotations

from fractions import Fraction

from separation.arithmetic import ExactMatrix, Precision
from separation.models import Blocks, Head, Layer, Model, Stored, Stream
from separation.tasks.two_sum import TwoSumSizes

STREAM = Stream([("one", 1), ("value", 1), ("square", 1), ("mirror", 1), ("mirror square", 1), ("found", 1)])
SEARCH = Stream([("value", 1), ("square", 1), ("one", 1)])


def build(sizes: TwoSumSizes) -> Model:
    """q = (2y, −1, −y²), k = (x, x², 1), v = 1, shift 0, P = 0, p = 2⌈log2 M⌉, no MLP, y = M − x.

    The score of x_j at a token that asks for y is −(y − x_j)², so its weight ⌊exp(score)⌋ is 1 if x_j = y, else 0.
    """
    rows = [[0, x, x**2, sizes.modulus - x, (sizes.modulus - x) ** 2, 0] for x in range(sizes.modulus)]
    query = Blocks(SEARCH, STREAM).copy("value", "mirror", 2).copy("square", "one", -1).copy("one", "mirror square", -1)
    key = Blocks(SEARCH, STREAM).copy("value", "value").copy("square", "square").copy("one", "one")
    one = Stream([("one", 1)])
    head = Head(
        w_q=query.build(),
        w_k=key.build(),
        w_v=Blocks(one, STREAM).copy("one", "one").build(),
        w_o=Blocks(STREAM, one).copy("found", "one").build(),
        shift=Fraction(0),
    )
    return Model(
        stream=STREAM,
        positions=Stored(ExactMatrix.from_rows([[1, 0, 0, 0, 0, 0]] * sizes.length)),
        tokens=Stored(ExactMatrix.from_rows(rows)),
        layers=(Layer((head,), ()),),
        unembedding=Stored(ExactMatrix.from_rows([[1, 0, 0, 0, 0, -2], [-1, 0, 0, 0, 0, 2]])),
        precision=Precision(score_bits=0, bits=2 * sizes.code_bits, fraction_bits=0),
    )
