"""S2: the total weight of the keys that do not match, in closed form.

Keys with distinct codes that differ from the query weigh together at most (1+𝖾^{-2τ})^b − 1 times the match, with
equality when all 2^b codes occur. More generally, if the score is Σ_b u_b t_b + u_0 in the ±1 bits t of the key, the
sum of exp(score) over any set of distinct keys is at most 𝖾^{u_0}·Π_b(𝖾^{u_b}+𝖾^{-u_b}): a sum over all sign patterns
factorises. This is what the closed form of rule P4 uses ([proving.md](proving.md)). With c equal to the match's score
the match weighs 2^P exactly and floors only make other weights smaller; else the bound is multiplied by 1 + 1/w, w the
floored weight of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps

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


STATEMENT = Statement(
    id="S2",
    title="leakage of distinct codes",
    latex=r"\sum_{c\ne c^*}e^{-2\tau d_H(c,c^*)}=(1+e^{-2\tau})^b-1",
    english="Distinct keys that do not match together weigh at most (1+e^{-2τ})^b − 1 times the match; exactly that "
    "if all codes occur.",
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
