"""What all keys that do not match weigh together: distinct ones, ones that repeat, and weights that are floored."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, product
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.arithmetic import attention_weights, ball, exp_ball

q = sp.Symbol("q", positive=True)
b = sp.Symbol("b", integer=True, nonnegative=True)
MOST_BITS = 6
Leak = Callable[[Any], Any]


class Keys(NamedTuple):
    """The code that matches, and the others."""

    match: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]


def closed_form(bits: Any) -> Any:
    """(1 + q)^b − 1 with q = e^{-2τ}."""
    return (1 + q) ** bits - 1


def _one_bit_more(leak: Leak) -> None:
    """T = S + 1, the sum with the match, obeys T(b+1) = T(b) + q·T(b)."""
    total = leak(b) + 1
    require_zero(leak(b + 1) + 1 - total - q * total, "T(b+1) is off from (1+q)·T(b)")


def _no_bits(leak: Leak) -> None:
    require_zero(leak(0), "with no bits the leak is off")


def _uneven_scores(leak: Leak) -> None:
    """Σ_{t ∈ {±1}^b} Π_b y_b^{t_b} = Π_b (y_b + 1/y_b), y_b = e^{u_b} (rule P4); with all y_b = q^{-1/2} that is T."""
    for bits in range(1, 4):
        factors = sp.symbols(f"y0:{bits}", positive=True)
        patterns = product((1, -1), repeat=bits)
        total = sum(sp.prod(y**t for y, t in zip(factors, pattern, strict=True)) for pattern in patterns)
        whole = sp.prod(y + 1 / y for y in factors)
        require_zero(total - whole, f"{bits} bits: the sum over sign patterns is off from the product")
        even = whole.subs(dict.fromkeys(factors, q ** sp.Rational(-1, 2))) * q ** sp.Rational(bits, 2)
        require_zero(even - leak(bits) - 1, f"{bits} bits: with even scores the product is off from T")


def _counted(leak: Leak) -> None:
    for bits in range(MOST_BITS + 1):
        counted = sum(q ** sum(code) for code in product((0, 1), repeat=bits) if any(code))
        require_zero(leak(bits) - counted, f"{bits} bits: the formula is off from what is counted")


def are_codes(keys: Keys) -> bool:
    return all(len(code) == len(keys.match) and set(code) <= {1, -1} for code in (keys.match, *keys.others))


WITNESS = Keys((1, 1), ((1, -1), (-1, -1)))


DISTINCT = Statement(
    id="S2",
    title="leakage of distinct codes",
    latex=r"\sum_{c\ne c^*}e^{-2\tau d_H(c,c^*)}=(1+e^{-2\tau})^b-1",
    english="Distinct keys that do not match together weigh at most (1+e^{-2τ})^b − 1 times the match; exactly that "
    "if all codes occur.",
    explanation="""
Keys with distinct codes that differ from the query weigh together at most (1+𝖾^{-2τ})^b − 1 times the match, with
equality when all 2^b codes occur. More generally, if the score is Σ_b u_b t_b + u_0 in the ±1 bits t of the key, the
sum of exp(score) over any set of distinct keys is at most 𝖾^{u_0}·Π_b(𝖾^{u_b}+𝖾^{-u_b}): a sum over all sign patterns
factorises. This is what the closed form of rule P4 uses ([proving.md](proving.md)). With c equal to the match's score
the match weighs 2^P exactly and floors only make other weights smaller; else the bound is multiplied by 1 + 1/w, w the
floored weight of the match.
""",
    subject=closed_form,
    check=Steps(
        "every b and τ; distinct keys",
        (
            Step("one bit more", _one_bit_more),
            Step("no bits", _no_bits),
            Step("up to 3 bits of uneven scores", _uneven_scores, finite=True),
            Step(f"all codes of up to {MOST_BITS} bits", _counted, finite=True),
        ),
        {
            "the recursion of the sum": "A code of b + 1 bits is a code of b bits and one more, which agrees with "
            "the match (factor 1) or differs (factor q): T(b+1) = T(b) + q·T(b).",
            "induction over b": "T(0) = 1 and the recursion have one solution, so the formula is it for every b.",
            "distinct keys are some of all codes": "Keys that are distinct are a part of the 2^b codes, and no weight "
            "is negative, so they weigh no more.",
        },
    ),
    twins={
        "one bit too few": lambda bits: (1 + q) ** (bits - 1) - 1,
        "half the gap": lambda bits: (1 + sp.sqrt(q)) ** bits - 1,
        "union bound as an equality": lambda bits: bits * q,
        "a key at distance 1 occurs twice": lambda bits: (1 + q) ** bits - 1 + q,
        "the match is counted": lambda bits: (1 + q) ** bits,
    },
    hypotheses=(
        Hypothesis("keys are ±1 codes of b bits", are_codes, WITNESS._replace(others=((1, -1), (-1, 0)))),
        Hypothesis(
            "keys are distinct",
            lambda keys: len(set(keys.others)) == len(keys.others),
            WITNESS._replace(others=((1, -1), (1, -1))),
        ),
        Hypothesis(
            "none of the others is the match",
            lambda keys: keys.match not in keys.others,
            WITNESS._replace(others=((1, -1), (1, 1))),
        ),
    ),
    witness=WITNESS,
    rests_on=("S1",),
)

keys = sp.Symbol("K", integer=True, positive=True)
BITS, MOST_KEYS = 3, 4
SEVENTH = sp.Rational(1, 7)
LeakOfKeys = Callable[[Any, Any], Any]
"""(#keys, q) ↦ the bound."""


def union_bound(number: Any, ratio: Any) -> Any:
    """(#keys − 1)·q with q = e^{-2τ}."""
    return (number - 1) * ratio


def _match_alone(leak: LeakOfKeys) -> None:
    ratio = z3.Real("ratio")
    require_no_numbers([ratio > 0, ratio <= 1, leak(1, ratio) < 0], "a match alone leaks less than nothing")


def _one_key_more(leak: LeakOfKeys) -> None:
    """It weighs power·q, power = q^{h-1} ≤ 1."""
    ratio, power, total, number = z3.Reals("ratio power total number")
    small = [ratio > 0, ratio <= 1, power > 0, power <= 1, number >= 1]
    grown = [total <= leak(number, ratio), total + power * ratio > leak(number + 1, ratio)]
    require_no_numbers([*small, *grown], "one key more adds more than the bound grows by")


def _met(leak: LeakOfKeys) -> None:
    """Attained by K − 1 keys at distance 1, so a smaller bound is false."""
    require_zero(leak(keys, q) - (keys - 1) * q, "keys at distance 1 weigh (K−1)·q; the bound differs")


def _multisets(leak: LeakOfKeys) -> None:
    """All multisets of keys of 3 bits with one match, as polynomials in q at q = 1/7."""
    codes = [code for code in product((0, 1), repeat=BITS) if any(code)]
    for size in range(MOST_KEYS):
        said = leak(size + 1, SEVENTH)
        for chosen in combinations_with_replacement(codes, size):
            leaked = sum(SEVENTH ** sum(code) for code in chosen)
            require(leaked <= said, f"{size + 1} keys leak {leaked}, the bound says {said}")


def _at_most_three(number: Any, ratio: Any) -> Any:
    """As for distinct keys of 3 bits: no more than 3 are at distance 1."""
    if isinstance(number, z3.ArithRef):
        return z3.If(number - 1 < 3, number - 1, 3) * ratio
    return sp.Min(number - 1, 3) * ratio


REPEATED = Statement(
    id="S2.repeated",
    title="leakage of keys that repeat",
    latex=r"\sum_{j\ne j^*}e^{-2\tau d_H(c_j,c^*)}\le(\#{\rm keys}-1)\,e^{-2\tau}",
    english="All keys other than the one match, repeated or not, together weigh at most (#keys − 1)·e^{-2τ} times the "
    "match.",
    explanation="""
With one match, K − 1 other keys weigh together at most (K−1)·𝖾^{-2τ} matches, whether they repeat or not: each differs
in at least one bit. C6 and C7 need this form, since values may repeat there.
""",
    subject=union_bound,
    check=Steps(
        "every K, b, τ ≥ 0",
        (
            Step("a match alone", _match_alone),
            Step("one key more", _one_key_more),
            Step("the bound is attained", _met),
            Step("multisets of 3-bit keys", _multisets),
        ),
        {
            "what one key weighs": "By S1 a key at distance h ≥ 1 weighs q^h = q^{h-1}·q matches, and q^{h-1} ≤ 1 "
            "because τ ≥ 0.",
            "induction over the keys": "The bound holds for the match alone and for one key more, so for any number.",
        },
    ),
    twins={
        "one key less": lambda number, ratio: (number - 2) * ratio,
        "a distance of 2": lambda number, ratio: (number - 1) * ratio * ratio,
        "as for distinct keys of 3 bits": _at_most_three,
    },
    rests_on=("S1",),
    hypotheses=(
        Hypothesis("τ ≥ 0, so that q = e^{-2τ} is at most 1", lambda held: held[0] >= 0, outside=(-1, (0, 1, 1))),
        Hypothesis("one key matches", lambda held: held[1].count(0) == 1, outside=(1, (1, 2))),
    ),
    witness=(1, (0, 1, 1, 2)),
)
"""The witness: τ, and the distances of all keys."""

Factor = Callable[[bool, Any], Any]
"""(the match's weight is an integer, its floor w ≥ 1) ↦ the factor by which the leak may grow."""


def growth(whole: bool, weight: Any) -> Any:
    """1, or 1 + 1/w."""
    return 1 if whole else 1 + 1 / weight


def _floors() -> tuple[list[z3.BoolRef], tuple[Any, Any, Any]]:
    """X ≤ x, a sum of floors and the sum itself; w = ⌊y⌋ ≥ 1: what is known, then X·y, x·w and w."""
    x, y = z3.Reals("x y")
    below, weight = z3.Ints("below weight")
    known = [x >= 0, below <= x, below >= 0, weight <= y, y < weight + 1, weight >= 1]
    return known, (z3.ToReal(below) * y, x * weight, weight)


def _whole(factor: Factor) -> None:
    known, (leak, allowed, weight) = _floors()
    too_much = leak > factor(True, z3.ToReal(weight)) * allowed
    require_no_numbers([*known, z3.Real("y") == weight, too_much], "the match is an integer, and it leaks more")


def _not_whole(factor: Factor) -> None:
    known, (leak, allowed, weight) = _floors()
    require_no_numbers([*known, leak > factor(False, z3.ToReal(weight)) * allowed], "the leak grows by more")


def _lower_bound(factor: Factor) -> None:
    """With w* ≤ w the factor 1 + 1/w* is larger still."""
    known, (leak, allowed, weight) = _floors()
    least = z3.Int("least")
    fewer = [least >= 1, least <= weight, leak > factor(False, z3.ToReal(least)) * allowed]
    require_no_numbers([*known, *fewer], "a lower bound on w is not enough")


def _own_weights(factor: Factor) -> None:
    """The weights of the arithmetic model: keys at distances h ≤ 6 from the query, c at or above the match's score."""
    for power in (2, 3, 8):
        for above in (0, Fraction(1, 2), 1):
            _require_weights(factor, power, above)


def _require_weights(factor: Factor, power: int, above: Fraction | int) -> None:
    """One key at each distance, τ = 1/4."""
    exponents = np.array([-distance for distance in range(7)])
    match, *others = (int(weight) for weight in attention_weights(exponents, 2, Fraction(above), power))
    allowed = factor(above == 0, Fraction(match))
    for distance, other in enumerate(others, start=1):
        true = exp_ball(Fraction(-distance, 2))
        require(
            bool(other <= ball(Fraction(allowed * match)) * true),
            f"P = {power}: distance {distance} leaks {other}/{match}",
        )


FLOORS = Statement(
    id="S2.floors",
    title="leakage of floored weights",
    latex=r"\frac{\sum_j\lfloor x_j\rfloor}{\lfloor y\rfloor}\le\Bigl(1+\frac{[y\notin\mathbb Z]}{w^*}\Bigr)"
    r"\frac{\sum_j x_j}{y},\quad 1\le w^*\le\lfloor y\rfloor",
    english="Integer weights that are rounded down keep every leakage bound if c is the match's score; otherwise the "
    "bound grows by a factor 1 + 1/w*.",
    explanation="""
Weights are floors (D2). If c is the match's score the match weighs 2^P exactly, floors only make the other weights
smaller, and both leakage bounds stay. Otherwise ⌊x⌋/⌊y⌋ ≤ (1 + 1/w*)·x/y for every w* with 1 ≤ w* ≤ ⌊y⌋: the bounds
are multiplied by 1 + 1/w*. No claim is made when the match itself floors to 0.
""",
    subject=growth,
    check=Steps(
        "every weight",
        (
            Step("the match is an integer", _whole),
            Step("the match is not an integer", _not_whole),
            Step("a lower bound on its floor", _lower_bound),
            Step("weights of the arithmetic model", _own_weights),
        ),
        {
            "floors add up": "⌊x_1⌋ + … + ⌊x_k⌋ is an integer X ≤ x_1 + … + x_k = x, one key after the other; "
            "that is all that is used of the other keys.",
            "quotients are compared by products": "X/w ≤ f·x/y is X·y ≤ f·x·w, as y and w = ⌊y⌋ ≥ 1 are positive.",
            "when the match is an integer": "It weighs 2^P·exp(score − c), which is the integer 2^P when its score is "
            "the shift c.",
        },
    ),
    twins={
        "never grows": lambda whole, weight: 1,  # noqa: ARG005
        "1 + 1/(w+1)": lambda whole, weight: 1 if whole else 1 + 1 / (weight + 1),
        "shrinks when the match is an integer": lambda whole, weight: 1 - 1 / (2 * weight) if whole else 1 + 1 / weight,
    },
    hypotheses=(
        Hypothesis("the floored weight w* of the match is at least 1", lambda held: held[1] >= 1, outside=(0.5, 0)),
        Hypothesis("w* is at most the match's weight", lambda held: held[1] <= held[0], outside=(2.5, 3)),
    ),
    witness=(2.5, 2),
)
"""The witness: y and w*."""

STATEMENTS = (DISTINCT, REPEATED, FLOORS)
