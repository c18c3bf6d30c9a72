"""2-Sum in one full layer whose score is a square: H·d·p = 6⌈log2 M⌉ bits, weights that do not depend on n or M.

| slot | coordinates | holds, for a token x with y = M − x |
|---|---|---|
| one | 1 | 1, from the position |
| value, value square | 1, 1 | x, x² |
| mirror, mirror square | 1, 1 | y, y² |
| found | 1 | 1 if some earlier token, or the token itself, is y; else 0 |
"""

from __future__ import annotations

from constructions.squares import finder, pairs, stored
from separation.arithmetic import Precision
from separation.models import Layer, Model, Stream
from separation.tasks.two_sum import TwoSumSizes

STREAM = Stream([("one", 1), *pairs("value", "mirror"), ("found", 1)])


def build(sizes: TwoSumSizes) -> Model:
    """q = (2y, −1, −y²), k = (x, x², 1), v = 1, shift 0, P = 0, p = 2⌈log2 M⌉, no MLP, y = M − x.

    The score of x_j at a token that asks for y is −(y − x_j)², so its weight ⌊exp(score)⌋ is 1 if x_j = y, else 0.
    """
    head = finder(STREAM, [("value", "mirror", 0)], {"one": "found"})
    return Model(
        stream=STREAM,
        positions=stored(STREAM, [{"one": 1}] * sizes.length),
        tokens=stored(STREAM, ({"value": x, "mirror": sizes.modulus - x} for x in range(sizes.modulus))),
        layers=(Layer((head,), ()),),
        unembedding=stored(STREAM, [{"one": 1, "found": -2}, {"one": -1, "found": 2}]),
        precision=Precision(score_bits=0, bits=2 * sizes.code_bits, fraction_bits=0),
    )
