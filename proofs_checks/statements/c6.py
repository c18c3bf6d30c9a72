"""C6: one full-attention layer solves 2-Sum, proved for all inputs.

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
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from constructions.c6 import build, least_temperature
from proofs_checks.kit.construction_checks import Demand, Exhausted, Proved, sizes_and_tokens
from proofs_checks.kit.hypotheses import after, only_head, shifts_lowered, with_layer, with_model
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.proving import Construction, Proof
from separation.tasks.shape import bit_count
from separation.tasks.two_sum import TwoSumSizes

SIZES = (
    TwoSumSizes(1, 3),
    TwoSumSizes(5, 3),
    TwoSumSizes(4, 7),
    TwoSumSizes(64, 4097),
    TwoSumSizes(4096, 4096**2 + 1),
)


TINY = tuple(TwoSumSizes(*pair) for pair in ((1, 3), (8, 3), (5, 5), (4, 7), (3, 17)))
"""Sizes of which all inputs are run."""


class Search(NamedTuple):
    """n, M, the temperature τ, the shift c, and the bits f of a fraction: η = 2^-f."""

    length: int
    modulus: int
    temperature: int
    shift: int
    fraction_bits: int

    @property
    def code_bits(self) -> int:
        """b."""
        return bit_count(self.modulus)


def leaks_little(search: Search) -> bool:
    """δ ≤ 1/(4b), that is (n−1)·e^{-2τ}·(4b−1) ≤ 1."""
    return search.temperature >= least_temperature(search.length, search.code_bits)


def rounds_finely(search: Search) -> bool:
    """η ≤ 1/(4b)."""
    return Fraction(1, 1 << search.fraction_bits) <= Fraction(1, 4 * max(1, search.code_bits))


def coarser_rounding(construction: Construction) -> Construction:
    """One bit fewer after the point, as many before it."""
    precision = construction.model.precision
    coarser = replace(precision, bits=precision.bits - 1, fraction_bits=precision.fraction_bits - 1)
    return with_model(construction, precision=coarser)


def half_the_temperature(sizes: TwoSumSizes) -> Construction:
    temperature = int(only_head(build(sizes).model).w_q.numerators.max())
    return build(sizes, temperature=max(1, temperature // 2))


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


def of_search(witness: Any, leaks_little: Callable[[Any], bool], path: str = "") -> tuple[Hypothesis, ...]:
    """What C6 and C7 suppose of M, τ, c and η; ``path`` names the `Search` inside a larger witness."""

    def search(held: Any) -> Search:
        return getattr(held, path) if path else held  # type: ignore[no-any-return]

    def changed(**fields: int) -> Any:
        other = search(witness)._replace(**fields)
        return witness._replace(**{path: other}) if path else other

    return (
        Hypothesis(
            "M is odd", lambda held: search(held).modulus % 2 == 1, changed(modulus=search(witness).modulus + 1)
        ),
        Hypothesis("δ ≤ 1/(4b)", leaks_little, changed(temperature=1, shift=3)),
        Hypothesis("η ≤ 1/(4b)", lambda held: rounds_finely(search(held)), changed(fraction_bits=3)),
        Hypothesis(
            "the shift is the score τ·b of a match",
            lambda held: search(held).shift == search(held).temperature * search(held).code_bits,
            changed(shift=5),
        ),
    )


ROW = Proved(
    [(sizes,) for sizes in SIZES], sizes_and_tokens(SIZES), demands, Exhausted([(sizes, [()]) for sizes in TINY])
)
WITNESS = Search(4, 7, temperature=2, shift=6, fraction_bits=4)

STATEMENT = Statement(
    id="C6",
    title="F solves 2-Sum at given sizes",
    latex=r"F\ \text{solves}\ 2\text{-Sum}(n,M),\quad H=1,\ d=3\lceil\log_2 M\rceil+3",
    english="A single full-attention layer with one head and width 3⌈log2 M⌉ + 3 answers every input at every token.",
    subject=build,
    check=ROW.check,
    twins={
        "half the temperature": half_the_temperature,
        "a query for x itself": query_for_x_itself,
        "a threshold one higher": threshold_one_higher,
        "the shift one below a match's score": after(shifts_lowered, build),
        "a rounding step above 1/(4b)": after(coarser_rounding, build),
    },
    hypotheses=(
        *of_search(WITNESS, leaks_little),
        Hypothesis("b = ⌈log2 M⌉ ≥ 2", lambda search: search.code_bits >= 2, Search(1, 1, 1, 0, 3)),
        Hypothesis(
            "n and M are among those proved",
            lambda search: (search.length, search.modulus) in {(sizes.length, sizes.modulus) for sizes in SIZES},
            WITNESS._replace(length=5),
        ),
    ),
    witness=WITNESS,
    applies_to=("D2", "D3"),
    rests_on=("S1", "S2.repeated", "S2.floors", "S3", "C6.gap"),
)
