"""2-Sum by one full layer: the gap between a match and none, and C6 itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any

import z3

from constructions.c6 import build
from proofs_checks.kit.construction_checks import Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import (
    after,
    coarser_rounding,
    half_the_temperature,
    kept,
    of_weights,
    only_head,
    shifts_lowered,
    with_layer,
)
from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Lazy, Statement, Step, Steps, require
from separation.proving import Construction, Proof
from separation.tasks.two_sum import TwoSumSizes

MOST_KEYS = 3


@dataclass(frozen=True)
class Tolerances:
    """δ ≤ 1/(``leak``·b), η ≤ 1/(``rounding``·b), b ≥ ``bits``; relu(``high``−4D) − relu(``low``−4D)."""

    leak: int = 4
    rounding: int = 4
    bits: int = 2
    high: int = 7
    low: int = 3


def _known(given: Tolerances) -> tuple[list[z3.BoolRef], tuple[Any, Any, Any, Any]]:
    b, leak, rounding, D = z3.Reals("b leak rounding D")
    held = [b >= given.bits, leak >= 0, rounding >= 0, given.leak * b * leak <= 1, given.rounding * b * rounding <= 1]
    return held, (b, leak, rounding, D)


def _output(given: Tolerances, D: Any) -> Any:
    """relu(high − 4D) − relu(low − 4D)."""
    high, low = given.high - 4 * D, given.low - 4 * D
    return z3.If(high > 0, high, 0) - z3.If(low > 0, low, 0)


def _match(given: Tolerances) -> None:
    """D ≤ 2bδ + bη."""
    held, (b, leak, rounding, D) = _known(given)
    require_no_numbers(
        [*held, D >= 0, 2 * b * leak + b * rounding >= D, _output(given, D) != 4], "a match does not give 4"
    )


def _no_match(given: Tolerances) -> None:
    """D ≥ b − agreed − bη, agreed ≤ b − 2 the mean of ⟨y, code_j⟩."""
    held, (b, _, rounding, D) = _known(given)
    agreed = z3.Real("agreed")
    apart = [agreed <= b - 2, b - agreed - b * rounding <= D]
    require_no_numbers([*held, *apart, _output(given, D) != 0], "a key that does not match does not give 0")


def _no_weight(given: Tolerances) -> None:
    """out = 0 as 0/0 = 0, so D = b."""
    held, (b, _, _, D) = _known(given)
    require_no_numbers([*held, b == D, _output(given, D) != 0], "no weight at all does not give 0")


def _small_keys(given: Tolerances) -> None:
    """For b = 2, 3: without a match D ≥ 2 before rounding, with equality somewhere; that is enough after it."""
    for bits in (2, 3):
        least = min(_distances(bits))
        require(least == 2, f"b = {bits}: without a match D is as small as {least}")
        left = 4 * (least - Fraction(1, given.rounding))
        require(left >= given.high, f"b = {bits}: 4D is as small as {left}, the threshold is {given.high}")


def _distances(bits: int) -> list[Fraction]:
    """D of the mean of every multiset of up to 3 keys that all differ from y = (1, …, 1)."""
    codes = [code for code in product((1, -1), repeat=bits) if min(code) < 0]
    chosen = (keys for size in range(1, MOST_KEYS + 1) for keys in combinations_with_replacement(codes, size))
    return [
        sum((abs(Fraction(sum(bits), len(keys)) - 1) for bits in zip(*keys, strict=True)), Fraction(0))
        for keys in chosen
    ]


GAP = Statement(
    id="C6.gap",
    title="with b ≥ 2 bits, a match and no match are far apart",
    latex=r"\delta,\eta\le\tfrac1{4b},\ b\ge2:\quad\text{match}\Rightarrow D\le2b\delta+b\eta\le\tfrac34,\quad"
    r"\text{no match}\Rightarrow D\ge2-b\eta\ge\tfrac74",
    english="The sum of distances over the bits separates a match from every other case, even when all weights are 0.",
    explanation="""
D = Σ_r |out_r − code(−x)_r| over b ≥ 2 bits, with off-match share δ ≤ 1/(4b) and rounding step η ≤ 1/(4b). With a
match D ≤ 2bδ + bη ≤ 3/4. Without one every key differs in a bit, so D ≥ 2 − bη ≥ 7/4; if all weights are 0 the output
is 0 and D = b. relu(7−4D) − relu(3−4D) is then 4 or 0. C7's heads have the same gap.
""",
    subject=Tolerances(),
    check=Steps(
        "every b ≥ 2",
        (
            Step("a match", _match),
            Step("no match", _no_match),
            Step("no weight at all", _no_weight),
            Step("keys of 2 and 3 bits", _small_keys),
        ),
        {
            "D of a match": "Each of b coordinates is within 2δ + η of y_r (S3 with values ±1), so D ≤ 2bδ + bη.",
            "D without a match": "As y_r = ±1, |out_r − y_r| ≥ 1 − y_r·out_r; a mean of codes that all differ from y "
            "has a scalar product with y of at most b − 2 by S1, and rounding moves each coordinate by less than η.",
        },
    ),
    twins={
        "δ ≤ 1/(2b)": Tolerances(leak=2),
        "η ≤ 1/b": Tolerances(rounding=1),
        "a match gives 5": Tolerances(high=8),
        "one bit": Tolerances(bits=1),
        "a threshold one higher": Tolerances(high=11, low=7),
        "a threshold one lower": Tolerances(high=3, low=-1),
    },
    rests_on=("S1", "S3", "S2.repeated", "S2.floors"),
    hypotheses=(
        Hypothesis("b ≥ 2, which M ≥ 3 gives", lambda held: held[0] >= 2, outside=(1, 0, 0)),
        Hypothesis("δ ≤ 1/(4b)", lambda held: 4 * held[0] * held[1] <= 1, outside=(2, Fraction(1, 4), 0)),
        Hypothesis("η ≤ 1/(4b)", lambda held: 4 * held[0] * held[2] <= 1, outside=(2, 0, Fraction(1, 4))),
    ),
    witness=(2, Fraction(1, 8), Fraction(1, 8)),
)
"""The witness: b, δ, η."""

SIZES = (
    TwoSumSizes(1, 3),
    TwoSumSizes(5, 3),
    TwoSumSizes(4, 7),
    TwoSumSizes(64, 4097),
    TwoSumSizes(4096, 4096**2 + 1),
)


TINY = tuple(TwoSumSizes(*pair) for pair in ((1, 3), (8, 3), (5, 5), (4, 7), (3, 17)))
"""Sizes of which all inputs are run."""


def query_for_x_itself(sizes: TwoSumSizes) -> Construction:
    whole = build(sizes)
    head = only_head(whole.model)
    return with_layer(whole, 0, heads=(replace(head, w_q=head.w_k.scaled(int(head.w_q.numerators.max()))),))


def threshold_one_higher(sizes: TwoSumSizes) -> Construction:
    """A near miss, at distance 2, fires too."""
    whole = build(sizes)
    measure, threshold = whole.model.layers[0].mlps
    higher = replace(threshold, b_1=threshold.b_1.with_entry(0, 0, 11).with_entry(1, 0, 7))
    return with_layer(whole, 0, mlps=(measure, higher))


def demands(subject: Construction, _proof: Proof, sizes: TwoSumSizes) -> Iterator[Demand]:
    model = subject.model
    yield model.word == "F", f"the layers are {model.word}, not one full one"
    yield model.heads == 1, f"{model.heads} heads"
    yield model.width == 3 * sizes.code_bits + 3, f"the width is {model.width}"


def told_apart(witness: Lazy) -> tuple[Hypothesis, ...]:
    """What C6.gap supposes, on weights: rules P11 and P7."""
    return (
        kept("P11", "δ ≤ 1/(4b): keys that do not match leak little", witness, half_the_temperature),
        kept("P7", "η ≤ 1/(4b): the rounding step", witness, coarser_rounding),
    )


ROW = Proved(
    [(sizes,) for sizes in SIZES], sizes_and_tokens(SIZES), demands, Exhausted([(sizes, [()]) for sizes in TINY])
)
WITNESS = Lazy(lambda: build(TwoSumSizes(4, 7)))

FULL = Statement(
    id="C6",
    title="F solves 2-Sum at given sizes",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M),\quad H=1,\ d=3\lceil\log_2 M\rceil+3",
    english="A single full-attention layer with one head and width 3⌈log2 M⌉ + 3 answers every input at every token.",
    explanation="""
Let b = ⌈log2 M⌉ ≥ 2. The query of a token is τ times the code of y = M − x, keys and values are the codes of the
values themselves, and the shift is τ·b, so every match weighs exactly 2^P. Keys may repeat here, so all keys that do
not match weigh together at most λ = (n−1)·𝖾^{-2τ} times one match. The first MLP block computes D = Σ_r |out_r −
code(y)_r| and empties the scratch slot; the second computes relu(7−4D) − relu(3−4D) and empties D. If y was seen, D ≤
2bδ + bη ≤ 3/4, where δ = λ/(1+λ) ≤ 1/(4b) and the rounding step is η ≤ 1/(4b): the result is 4. If not, every key
differs from y in a bit, so Σ_r code(y)_r·out_r ≤ b − 2 + bη, D ≥ 7/4 and the result is 0, even when all weights are 0.
One head, one layer, width 3b + 3, τ = O(log n). p = max(8, ⌈log2 n⌉, ⌈log2 max(τ, 8b−3)⌉ + ⌈log2 4b⌉) and P = p; P = 0
is enough. Nothing is known of the values but that y = M − x, so one proof covers all (M−1)^n inputs and all n answers
of each.

At tiny sizes every input is also run through the exact arithmetic model, and the answer at every token compared with
the oracle.
""",
    subject=build,
    check=ROW.check,
    twins={
        "half the temperature": after(half_the_temperature, build),
        "a query for x itself": query_for_x_itself,
        "a threshold one higher": threshold_one_higher,
        "the shift one below a match's score": after(shifts_lowered, build),
        "a rounding step above 1/(4b)": after(coarser_rounding, build),
    },
    hypotheses=(
        *of_weights(WITNESS, SIZES, elsewhere=Lazy(lambda: build(TwoSumSizes(5, 7)))),
        *told_apart(WITNESS),
    ),
    witness=WITNESS,
    applies_to=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)

STATEMENTS = (GAP, FULL)
