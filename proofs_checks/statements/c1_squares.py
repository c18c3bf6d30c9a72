"""C1.squares: L+1 full-attention layers without MLP solve L-FuncComp, by scores that are squares.

A number is held as (i, i²), so the score −τ((k−ℓ)² + (g−g')² + (a−a')²) of two places is a product of 7 numbers: 0
at the match and at most −τ elsewhere: with τ = P + 1 every other weight ⌊2^P·exp(score)⌋ is 0, nothing leaks, and what
is read is exact. Each layer writes its hop into a slot of its own, so there is no MLP. Squares.v proves these weights
right at every size and for every P; `main_separation` is about them.

Two constructions for one word. This one is simpler. C1 keeps its code of ±1 bits: in floating point no weight is
floored, and a code has a margin that a large square has not; and activations stay below 4 there, while here they need
2⌈log2 n⌉ bits. The prover's forms are linear in the bits of an entry, and a square is not, so its rules do not apply.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sympy as sp

from constructions.funccomp_squares import KEYS, build
from proofs_checks.kit.construction_checks import Exhausted
from proofs_checks.kit.solvers import require_relation, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.arithmetic import Precision, PrecisionOverflow
from separation.models import MLP, Blocks, Head, Layer, Model, Stream
from separation.tasks.funccomp import Sizes

Builder = Callable[[Sizes], Model]
SIZES = (Sizes(2, ()), Sizes(4, ()), Sizes(2, (2,)), Sizes(3, (1,)), Sizes(2, (1, 1)))


def _shape(builder: Builder) -> None:
    """L+1 full layers, one head of 7 key numbers and 2 values each, no MLP, width 4L + 15."""
    for sizes in SIZES:
        model = builder(sizes)
        require(model.word == "F" * (sizes.L + 1), f"{sizes}: the layers are {model.word}")
        require(model.stream.width <= 4 * sizes.L + 15, f"{sizes}: the width is {model.stream.width}")
        for layer in model.layers:
            (head,) = layer.heads_of(Head)
            shape = (head.w_k.shape[0], head.w_v.shape[0], len(layer.mlps))
            require(shape == (7, 2, 0), f"{sizes}: a layer has {shape} key numbers, values and MLPs")


def _scores(builder: Builder) -> None:
    """q·k = −τ·((k−ℓ)² + (g−g')² + (a−a')²) in letters, in every layer."""
    digit, index, table, row, place = sp.symbols("g a l gk ak", integer=True)
    for sizes in SIZES:
        model = builder(sizes)
        stream, tau = model.stream, model.precision.score_bits + 1
        for step, layer in enumerate(model.layers):
            (head,) = layer.heads_of(Head)
            asks, holds = sp.zeros(stream.width, 1), sp.zeros(stream.width, 1)
            asks[stream["one"][0]] = holds[stream["one"][0]] = 1
            pairs = ((asks, f"digit {step}", digit), (asks, f"hop {step}", index))
            held = ((holds, "table", table), (holds, "digit", row), (holds, "index", place))
            for vector, slot, number in (*pairs, *held):
                first, second = stream[slot]
                vector[first], vector[second] = number, number**2
            query, key = (sp.Matrix(part.numerators.tolist()) for part in (head.w_q, head.w_k))
            score = ((query * asks).T * (key * holds))[0]
            wanted = -tau * ((step - table) ** 2 + (digit - row) ** 2 + (index - place) ** 2)
            require_zero(sp.expand(score - wanted), f"{sizes}, layer {step + 1}: the score is off")


def _near_miss(builder: Builder) -> None:
    """2^P·exp(−τ) < 1: the nearest token that does not match weighs nothing."""
    for sizes in SIZES:
        model = builder(sizes)
        for layer in model.layers:
            (head,) = layer.heads_of(Head)
            P, step = model.precision.score_bits, -min(head.w_q.numerators[KEYS["index"][1]])
            near = 2**P * sp.exp(-sp.Integer(int(step)) - sp.Rational(head.shift))
            require_relation(near < 1, f"{sizes}: a near miss weighs ⌊{near}⌋")


def _all_inputs(builder: Builder) -> None:
    try:
        Exhausted([(sizes, [()]) for sizes in SIZES]).check(builder)
    except PrecisionOverflow as overflow:
        require(False, str(overflow))


def _layers_swapped(sizes: Sizes) -> Model:
    whole = build(sizes)
    return replace(whole, layers=(whole.layers[1], whole.layers[0], *whole.layers[2:]))


def _without_square(sizes: Sizes) -> Model:
    """The keys have i in place of i²."""
    whole = build(sizes)

    def wrong(layer: Layer) -> Layer:
        (head,) = layer.heads_of(Head)
        _, second = KEYS["index"]
        moved = head.w_k.with_entry(second, whole.stream["index"][1], 0).with_entry(second, whole.stream["index"][0], 1)
        return replace(layer, heads=(replace(head, w_k=moved),))

    return replace(whole, layers=tuple(wrong(layer) for layer in whole.layers))


def _score_bits(sizes: Sizes) -> Model:
    """P = 2 with τ = 1: a near miss weighs ⌊4/𝖾⌋ = 1."""
    whole = build(sizes)
    return replace(whole, precision=Precision(2, whole.precision.bits, 0))


def _idle_mlp(sizes: Sizes) -> Model:
    whole, hidden, one = build(sizes), Stream([("unit", 1)]), Stream([("one", 1)])
    into, out = Blocks(hidden, whole.stream).build(), Blocks(whole.stream, hidden).build()
    mlp = MLP(into, Blocks(hidden, one).build(), out, Blocks(whole.stream, one).build())
    return replace(whole, layers=(replace(whole.layers[0], mlps=(mlp,)), *whole.layers[1:]))


STATEMENT = Statement(
    id="C1.squares",
    title="F^(L+1) without MLP solves L-FuncComp, by squares",
    latex=r"F^{L+1}\ \text{solves}\ L\text{-FuncComp}:\quad"
    r"\langle q,k\rangle=-\tau\left((k-\ell)^2+(g-g')^2+(a-a')^2\right),\ \tau=P+1",
    english="A decoder of L+1 full-attention layers with one head of 7 key numbers and 2 values, no MLP and width "
    "4L + 15 answers every input, at every size and for every P.",
    subject=build,
    check=Steps(
        f"every size and P; {len(SIZES)} sizes run",
        (
            Step("L+1 heads of 7 and 2 numbers", _shape),
            Step("the score is a square", _scores),
            Step("a near miss weighs nothing", _near_miss),
            Step("all inputs of tiny sizes", _all_inputs),
        ),
        {
            "one token matches": "No two tokens have the same (table, digit, index), so all weights but one are "
            "floored to 0 (D2), and the quotient is what that token says.",
            "the hops": "Layer k reads table k at (w_{k-1}, i_{k-1}), which is the next hop (D1); Squares.v has the "
            "induction.",
        },
    ),
    twins={
        "the first two layers swapped": _layers_swapped,
        "a key without its square": _without_square,
        "two score bits": _score_bits,
        "an MLP that does nothing": _idle_mlp,
    },
    applies_to=("D1", "D2"),
    hypotheses=(
        Hypothesis("m ≥ 2", lambda pair: pair[0] >= 2, outside=(1, ())),
        Hypothesis("every n_ℓ ≥ 1", lambda pair: all(n >= 1 for n in pair[1]), outside=(2, (0,))),
    ),
    witness=(2, (2,)),
)
