"""C6.bits: one full-attention layer solves 2-Sum with H·d·p = 6⌈log2 M⌉ bits.

C6 has ⌈log2 M⌉ coordinates of p bits each; p = max(8, ⌈log2 n⌉, …) makes that O(log² n), the least p that its proof
allows O(log n·log log n). For O(log n) in all, numbers instead of codes: query (2y, −1, −y²), key (x, x², 1), value 1,
no MLP. The score is −(y − x)², so with P = 0 the weight ⌊exp(score)⌋ is 1 at a match and 0 elsewhere; the quotient is
1 if there is a match, and 0/0 = 0 if not. One head, d = 3, p = 2⌈log2 M⌉: H·d·p = 6⌈log2 M⌉. It depends on the floor
in the exact model (D2); in floating point C6 is the robust one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from constructions.two_sum_squares import SEARCH, STREAM, build
from proofs_checks.kit.construction_checks import Exhausted
from proofs_checks.kit.hypotheses import only_head
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.solvers import require_relation, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.statements.c6 import TINY as SIZES
from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import Blocks, Layer, Model, Stored
from separation.tasks.two_sum import TwoSumSizes

Builder = Callable[[TwoSumSizes], Model]


def _sizes(builder: Builder) -> None:
    """One full layer, H·d·p ≤ 6⌈log2 M⌉."""
    for sizes in SIZES:
        model, b = builder(sizes), sizes.code_bits
        require(model.word == "F", f"{sizes}: the layers are {model.word}")
        require(heads_times_bits(model) <= 6 * b, f"{sizes}: H·d·p is {heads_times_bits(model)}, more than 6·{b}")


def _score(builder: Builder) -> None:
    for sizes in SIZES:
        _require_score(builder(sizes), sizes)


def _near_miss(builder: Builder) -> None:
    """2^P·exp(−1 − c) < 1, the weight of the nearest token that does not match, is floored to 0."""
    for sizes in SIZES:
        model = builder(sizes)
        head = only_head(model)
        near = 2**model.precision.score_bits * sp.exp(-1 - sp.Rational(head.shift))
        require_relation(near < 1, f"{sizes}: a near miss weighs ⌊{near}⌋")


def _all_inputs(builder: Builder) -> None:
    try:
        Exhausted([(sizes, [()]) for sizes in SIZES]).check(builder)
    except PrecisionOverflow as overflow:
        require(False, str(overflow))


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
    head = only_head(model)
    query, key = (sp.Matrix(part.numerators.tolist()) for part in (head.w_q, head.w_k))
    score = ((query * row(other)).T * (key * row(x)))[0]
    require_zero(score + (modulus - other - x) ** 2, f"{sizes}: the score is off")


def _query_for_x(sizes: TwoSumSizes) -> Model:
    whole = build(sizes)
    head = only_head(whole)
    itself = Blocks(SEARCH, STREAM).copy("value", "value", 2).copy("square", "one", -1).build()
    return replace(whole, layers=(Layer((replace(head, w_q=itself),), ()),))


def _with_precision(sizes: TwoSumSizes, score_bits: int = 0, fewer: int = 0) -> Model:
    return replace(build(sizes), precision=Precision(score_bits, 2 * sizes.code_bits - fewer, 0))


STATEMENT = Statement(
    id="C6.bits",
    title="F solves 2-Sum with O(log M) bits in total",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M)\ \text{with}\ H\,d\,p=6\lceil\log_2M\rceil:\quad"
    r"\langle q_i,k_j\rangle=-(M-x_i-x_j)^2",
    english="One full layer with one head, keys of 3 numbers, values of 1 and p = 2⌈log2 M⌉ bits solves 2-Sum.",
    subject=build,
    check=Steps(
        f"every n and odd M; {len(SIZES)} sizes run",
        (
            Step("one full layer of 6⌈log2 M⌉ bits", _sizes),
            Step("the score is a square", _score),
            Step("a near miss weighs nothing", _near_miss),
            Step("all inputs of tiny sizes", _all_inputs),
        ),
        {
            "the same weights at every size": "The head's weights and shift do not depend on n or M, and a token's "
            "row is (1, x, x², M − x, (M − x)², 0): read off `build`, seen at the sizes that are run.",
            "only the match counts": "A nonzero integer has a square of at least 1, so all other weights "
            "are floored to 0 (D2): only x_j = M − x_i counts, which is x_i + x_j ≡ 0, since 2 ≤ x_i + x_j ≤ 2M − 2.",
            "the answer": "If there is a match the quotient is c/c = 1; if not, it is 0/0 = 0 (D2).",
            "activations fit": "They are at most M² ≤ 2^{2⌈log2 M⌉}.",
        },
    ),
    twins={
        "a query for x itself": _query_for_x,
        "two score bits": lambda sizes: _with_precision(sizes, score_bits=2),
        "one bit more": lambda sizes: _with_precision(sizes, fewer=-1),
        "one bit less": lambda sizes: _with_precision(sizes, fewer=1),
    },
    applies_to=("D2", "D3"),
    hypotheses=(
        Hypothesis("M is odd", lambda pair: pair[1] % 2 == 1, outside=(4, 6)),
        Hypothesis("M ≥ 3", lambda pair: pair[1] >= 3, outside=(4, 1)),
        Hypothesis("n ≥ 1", lambda pair: pair[0] >= 1, outside=(0, 7)),
    ),
    witness=(4, 7),
)
