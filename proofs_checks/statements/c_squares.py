"""Scores that are squares: FuncComp and 2-Sum by one look-up a layer that leaks nothing and has no MLP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp

from constructions import c1_squares, squares, two_sum_squares
from proofs_checks.kit.construction_checks import AnySizes, Exhausted
from proofs_checks.kit.hypotheses import only_head
from proofs_checks.kit.measurements import heads_times_bits
from proofs_checks.kit.solvers import require_relation, require_zero
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, Step, Steps, require
from proofs_checks.statements.c6 import TINY
from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import MLP, Blocks, Head, Layer, Model, Stored, Stream
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

SIZES = (Sizes(2, ()), Sizes(4, ()), Sizes(2, (2,)), Sizes(3, (1,)), Sizes(2, (1, 1)))
hops, search = c1_squares.weights, two_sum_squares.build


def all_inputs(sizes: tuple[AnySizes, ...], builder: Callable[..., Any]) -> None:
    try:
        Exhausted([(each, [()]) for each in sizes]).check(builder)
    except PrecisionOverflow as overflow:
        require(False, str(overflow))


# --- C1.squares ---


def check_hops(builder: Callable[[Sizes], Model]) -> Checked:
    """What is built has the shape that Coq proves right, and is right on all inputs of tiny sizes.

    A test asks Coq whether its matrices are those of Squares.v.
    """
    for sizes in SIZES:
        model = builder(sizes)
        require(model.word == "F" * (sizes.L + 1), f"{sizes}: the layers are {model.word}")
        require(model.stream.width <= 4 * sizes.L + 15, f"{sizes}: the width is {model.stream.width}")
        for layer in model.layers:
            (head,) = layer.heads_of(Head)
            shape = (head.w_k.shape[0], head.w_v.shape[0], len(layer.mlps))
            require(shape == (7, 2, 0), f"{sizes}: a layer has {shape} key numbers, values and MLPs")
    all_inputs(SIZES, builder)
    method = "squares_solve in Coq; the weights as built, their shape and all inputs of tiny sizes"
    return Checked(Status.EXHAUSTIVE, method, f"{len(SIZES)} sizes run")


def layers_swapped(sizes: Sizes) -> Model:
    whole = hops(sizes)
    return replace(whole, layers=(whole.layers[1], whole.layers[0], *whole.layers[2:]))


def without_square(sizes: Sizes) -> Model:
    """The keys have i in place of i²."""
    whole = hops(sizes)

    def wrong(layer: Layer) -> Layer:
        (head,) = layer.heads_of(Head)
        (number,), (square,) = whole.stream["index"], whole.stream["index square"]
        (second,) = (row for row, column, _ in head.w_k.entries() if column == square)
        moved = head.w_k.with_entry(second, square, 0).with_entry(second, number, 1)
        return replace(layer, heads=(replace(head, w_k=moved),))

    return replace(whole, layers=tuple(wrong(layer) for layer in whole.layers))


def few_score_bits(sizes: Sizes) -> Model:
    """P = 2 with τ = 1: a near miss weighs ⌊4/𝖾⌋ = 1."""
    whole = hops(sizes)
    return replace(whole, precision=Precision(2, whole.precision.bits, 0))


def idle_mlp(sizes: Sizes) -> Model:
    whole, hidden, one = hops(sizes), Stream([("unit", 1)]), Stream([("one", 1)])
    into, out = Blocks(hidden, whole.stream).build(), Blocks(whole.stream, hidden).build()
    mlp = MLP(into, Blocks(hidden, one).build(), out, Blocks(whole.stream, one).build())
    return replace(whole, layers=(replace(whole.layers[0], mlps=(mlp,)), *whole.layers[1:]))


HOPS = Statement(
    id="C1.squares",
    title="F^(L+1) without MLP solves L-FuncComp, by squares",
    latex=r"F^{L+1}\ \text{solves}\ L\text{-FuncComp}:\quad"
    r"\langle q,k\rangle=-\tau\left((k-\ell)^2+(g-g')^2+(a-a')^2\right),\ \tau=P+1",
    english="A decoder of L+1 full-attention layers with one head of 7 key numbers and 2 values, no MLP and width "
    "4L + 15 answers every input, at every size and for every P.",
    explanation="""
A number is held as (i, i²), so the score −τ((k−ℓ)² + (g−g')² + (a−a')²) of two places is a product of 7 numbers: 0
at the match and at most −τ elsewhere: with τ = P + 1 every other weight ⌊2^P·exp(score)⌋ is 0, nothing leaks, and what
is read is exact. Each layer writes its hop into a slot of its own, so there is no MLP. Squares.v proves these weights
right at every size and for every P; `main_separation` is about them.

Two constructions for one word. This one is simpler. C1 keeps its code of ±1 bits: in floating point no weight is
floored, and a code has a margin that a large square has not; and activations stay below 4 there, while here they need
2⌈log2 n⌉ bits. The prover's forms are linear in the bits of an entry, and a square is not, so its rules do not apply.
""",
    subject=hops,
    check=check_hops,
    twins={
        "the first two layers swapped": layers_swapped,
        "a key without its square": without_square,
        "two score bits": few_score_bits,
        "an MLP that does nothing": idle_mlp,
    },
    applies_to=("D1", "D2"),
    hypotheses=(
        Hypothesis("m ≥ 2", lambda pair: pair[0] >= 2, outside=(1, ())),
        Hypothesis("every n_ℓ ≥ 1", lambda pair: all(n >= 1 for n in pair[1]), outside=(2, (0,))),
    ),
    witness=(2, (2,)),
)


# --- C6.bits ---


def _sizes(builder: Callable[[TwoSumSizes], Model]) -> None:
    """One full layer, H·d·p ≤ 6⌈log2 M⌉."""
    for sizes in TINY:
        model, b = builder(sizes), sizes.code_bits
        require(model.word == "F", f"{sizes}: the layers are {model.word}")
        require(heads_times_bits(model) <= 6 * b, f"{sizes}: H·d·p is {heads_times_bits(model)}, more than 6·{b}")


def _score(builder: Callable[[TwoSumSizes], Model]) -> None:
    for sizes in TINY:
        _require_score(builder(sizes), sizes)


def _near_miss(builder: Callable[[TwoSumSizes], Model]) -> None:
    """2^P·exp(−1 − c) < 1, the weight of the nearest token that does not match, is floored to 0."""
    for sizes in TINY:
        model = builder(sizes)
        head = only_head(model)
        near = 2**model.precision.score_bits * sp.exp(-1 - sp.Rational(head.shift))
        require_relation(near < 1, f"{sizes}: a near miss weighs ⌊{near}⌋")


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
    whole = search(sizes)
    head = only_head(whole)
    itself, _ = squares.search(two_sum_squares.STREAM, [("value", "value", 0)])
    return replace(whole, layers=(Layer((replace(head, w_q=itself),), ()),))


def _with_precision(sizes: TwoSumSizes, score_bits: int = 0, fewer: int = 0) -> Model:
    return replace(search(sizes), precision=Precision(score_bits, 2 * sizes.code_bits - fewer, 0))


SEARCH = Statement(
    id="C6.bits",
    title="F solves 2-Sum with O(log M) bits in total",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M)\ \text{with}\ H\,d\,p=6\lceil\log_2M\rceil:\quad"
    r"\langle q_i,k_j\rangle=-(M-x_i-x_j)^2",
    english="One full layer with one head, keys of 3 numbers, values of 1 and p = 2⌈log2 M⌉ bits solves 2-Sum.",
    explanation="""
C6 has ⌈log2 M⌉ coordinates of p bits each; p = max(8, ⌈log2 n⌉, …) makes that O(log² n), the least p that its proof
allows O(log n·log log n). For O(log n) in all, numbers instead of codes: query (2y, −1, −y²), key (x, x², 1), value 1,
no MLP. The score is −(y − x)², so with P = 0 the weight ⌊exp(score)⌋ is 1 at a match and 0 elsewhere; the quotient is
1 if there is a match, and 0/0 = 0 if not. One head, d = 3, p = 2⌈log2 M⌉: H·d·p = 6⌈log2 M⌉. It depends on the floor
in the exact model (D2); in floating point C6 is the robust one.
""",
    subject=search,
    check=Steps(
        f"every n and odd M; {len(TINY)} sizes run",
        (
            Step("one full layer of 6⌈log2 M⌉ bits", _sizes),
            Step("the score is a square", _score),
            Step("a near miss weighs nothing", _near_miss),
            Step("all inputs of tiny sizes", lambda builder: all_inputs(TINY, builder)),
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

STATEMENTS = (HOPS, SEARCH)
