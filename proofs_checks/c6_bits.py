"""C6.bits: one full-attention layer solves 2-Sum with H·d·p = 6⌈log2 M⌉ bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import sympy as sp

from proofs_checks.c6_exhaustive import SIZES
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.arithmetic import ExactMatrix, Precision, PrecisionOverflow
from separation.models import Blocks, Head, Layer, Model, SparseHead, Stored, Stream, run
from separation.tasks.two_sum import TwoSumSizes, enumerate_tokens

STREAM = Stream([("one", 1), ("value", 1), ("square", 1), ("mirror", 1), ("mirror square", 1), ("found", 1)])
SEARCH = Stream([("value", 1), ("square", 1), ("one", 1)])


def build(sizes: TwoSumSizes) -> Model:
    """q = (2y, −1, −y²), k = (x, x², 1), v = 1, shift 0, P = 0, p = 2⌈log2 M⌉, no MLP, y = M − x.

    The score of x_j at a token that asks for y is −(y − x_j)², so its weight ⌊exp(score)⌋ is 1 if x_j = y, else 0.
    """
    rows = [[0, x, x**2, sizes.modulus - x, (sizes.modulus - x) ** 2, 0] for x in range(sizes.modulus)]
    head = Head(
        w_q=Blocks(SEARCH, STREAM)
        .copy("value", "mirror", 2)
        .copy("square", "one", -1)
        .copy("one", "mirror square", -1)
        .build(),
        w_k=Blocks(SEARCH, STREAM).copy("value", "value").copy("square", "square").copy("one", "one").build(),
        w_v=Blocks(Stream([("one", 1)]), STREAM).copy("one", "one").build(),
        w_o=Blocks(STREAM, Stream([("one", 1)])).copy("found", "one").build(),
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


def product(model: Model) -> int:
    """H·d·p, d the larger one of the dimensions of keys and values: the most that a layer has."""

    def numbers(layer: Layer) -> int:
        dims = (
            max(head.w_k.shape[0], head.w_v.shape[0]) for head in layer.heads if isinstance(head, (Head, SparseHead))
        )
        return len(layer.heads) * max(dims)

    return max(map(numbers, model.layers)) * model.precision.bits


def check(builder: Callable[[TwoSumSizes], Model]) -> Checked:
    """The weights do not depend on the sizes; on a row (1, x, x², y, y², 0) with letters the score is −(y_i − x_j)².

    By hand: a whole number other than 0 has a square of at least 1, and 2^0·exp(−1) < 1 is floored to 0 (D2), so only
    x_j = M − x_i counts; 2 ≤ x_i + x_j ≤ 2M − 2, so that is x_i + x_j ≡ 0. If there is one, the quotient is c/c = 1;
    if not, it is 0/0 = 0 (D2). Activations are at most M² ≤ 2^{2⌈log2 M⌉}. Beside: all inputs of tiny sizes, run
    exactly."""
    for sizes in SIZES:
        model, b = builder(sizes), sizes.code_bits
        require(model.word == "F", f"{sizes}: the layers are {model.word}")
        require(product(model) <= 6 * b, f"{sizes}: H·d·p is {product(model)}, more than 6·{b}")
        _require_score(model, sizes)
        try:
            for ids, wanted in enumerate_tokens(sizes, 1024):
                wrong = (run(model, ids, every_row=True).answers != wanted).any(axis=1)
                require(not wrong.any(), f"{sizes}: wrong on {ids[wrong][:1].tolist()}")
        except PrecisionOverflow as overflow:
            require(False, f"{sizes}: {overflow}")
    return Checked(
        Status.ALL_SIZES,
        "the score as a square (sympy), its floor by hand; all inputs of tiny sizes run beside",
        f"every n and odd M; {len(SIZES)} sizes run",
    )


def _require_score(model: Model, sizes: TwoSumSizes) -> None:
    """q_i·k_j + (M − x_i − x_j)² = 0 in letters, for rows that are the stated polynomials at every x."""
    x, other, modulus = sp.symbols("x xi M", integer=True, positive=True)

    def row(value: object) -> sp.Matrix:
        return sp.Matrix([1, value, value**2, modulus - value, (modulus - value) ** 2, 0])  # type: ignore[operator]

    require(isinstance(model.tokens, Stored), f"{sizes}: the embedding is not a table")
    stored = model.tokens.matrix.numerators + model.positions.matrix.numerators[:1]  # type: ignore[union-attr]
    for value, numbers in enumerate(stored):
        said = row(sp.Integer(value)).subs(modulus, sizes.modulus)
        require(list(map(int, numbers)) == list(said), f"{sizes}: the row of {value} is {list(numbers)}")
    (head,) = model.layers[0].heads
    assert isinstance(head, Head)
    query, key = (sp.Matrix(part.numerators.tolist()) for part in (head.w_q, head.w_k))
    score = sp.expand(((query * row(other)).T * (key * row(x)))[0] + (modulus - other - x) ** 2)
    require(score == 0, f"{sizes}: the score is off by {score}")
    near = 2**model.precision.score_bits * sp.exp(-1 - sp.Rational(head.shift))
    require(bool(near < 1), f"{sizes}: a near miss weighs ⌊{near}⌋")


def _query_for_x(sizes: TwoSumSizes) -> Model:
    whole = build(sizes)
    (head,) = whole.layers[0].heads
    assert isinstance(head, Head)
    itself = Blocks(SEARCH, STREAM).copy("value", "value", 2).copy("square", "one", -1).build()
    return replace(whole, layers=(Layer((replace(head, w_q=itself),), ()),))


def _with_precision(sizes: TwoSumSizes, score_bits: int = 0, fewer: int = 0) -> Model:
    return replace(build(sizes), precision=Precision(score_bits, 2 * sizes.code_bits - fewer, 0))


STATEMENT = Statement(
    id="C6.bits",
    title="F solves 2-Sum with O(log M) bits in all",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M)\ \text{with}\ H\,d\,p=6\lceil\log_2M\rceil:\quad"
    r"\langle q_i,k_j\rangle=-(M-x_i-x_j)^2",
    english="One full layer with one head, keys of 3 numbers, values of 1 and p = 2⌈log2 M⌉ bits solves 2-Sum.",
    subject=build,
    check=check,
    twins={
        "a query for x itself": _query_for_x,
        "two score bits": lambda sizes: _with_precision(sizes, score_bits=2),
        "one bit less": lambda sizes: _with_precision(sizes, fewer=1),
    },
    speaks_of=("D2", "D3"),
    hypotheses=(
        Hypothesis("M is odd", lambda pair: pair[1] % 2 == 1, outside=(4, 6)),
        Hypothesis("M ≥ 3", lambda pair: pair[1] >= 3, outside=(4, 1)),
        Hypothesis("n ≥ 1", lambda pair: pair[0] >= 1, outside=(0, 7)),
    ),
    witness=(4, 7),
)
