"""S2: how much the keys that do not match weigh together, in closed form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require

q = sp.Symbol("q", positive=True)
b = sp.Symbol("b", integer=True, nonnegative=True)


class Keys(NamedTuple):
    """The code that matches, and the others."""

    match: tuple[int, ...]
    others: tuple[tuple[int, ...], ...]


def closed_form(bits: Any) -> Any:
    """(1 + q)^b − 1 with q = e^{-2τ}."""
    return (1 + q) ** bits - 1


def check(leak: Callable[[Any], Any]) -> Checked:
    """S(b) = Σ_{c ≠ c*} q^{d_H(c, c*)} over all 2^b codes, by induction over b, symbolically.

    A code of b+1 bits is a code of b bits and one more place, which agrees (factor 1) or differs (factor q). So the sum
    with the match, T = S + 1, obeys T(0) = 1 and T(b+1) = T(b) + q·T(b), and so does nothing else. With a factor of
    its own for each place (y_b or 1/y_b) the same step gives the product of rule P4; it is expanded for up to 3 places.
    """
    total = leak(b) + 1
    step = sp.simplify(leak(b + 1) + 1 - total - q * total)
    require(step == 0, f"T(b+1) − (1+q)·T(b) is {step}, not 0")
    require(sp.simplify(leak(0)) == 0, f"with no bits the leak is {leak(0)}, not 0")
    for bits in range(1, 4):
        _require_factors(bits)
    for bits in range(7):
        counted = sum(q ** sum(code) for code in product((0, 1), repeat=bits) if any(code))
        require(sp.expand(leak(bits) - counted) == 0, f"{bits} bits: counted {counted}, the formula gives {leak(bits)}")
    return Checked(
        Status.ALL_SIZES, "induction over b (sympy), enumeration up to 6 bits beside", "every b and τ; distinct keys"
    )


def _require_factors(bits: int) -> None:
    """Σ_{t ∈ {±1}^b} Π_b y_b^{t_b} = Π_b (y_b + 1/y_b), y_b = e^{u_b}: the form that uneven scores need (rule P4)."""
    factors = sp.symbols(f"y0:{bits}", positive=True)
    patterns = product((1, -1), repeat=bits)
    total = sum(sp.prod(y**t for y, t in zip(factors, pattern, strict=True)) for pattern in patterns)
    rest = sp.expand(total - sp.prod(y + 1 / y for y in factors))
    require(rest == 0, f"{bits} bits: the sum over sign patterns does not factorise, it is off by {rest}")


def are_codes(keys: Keys) -> bool:
    return all(len(code) == len(keys.match) and set(code) <= {1, -1} for code in (keys.match, *keys.others))


WITNESS = Keys((1, 1), ((1, -1), (-1, -1)))

STATEMENT = Statement(
    id="S2",
    title="leakage of distinct codes",
    latex=r"\sum_{c\ne c^*}e^{-2\tau d_H(c,c^*)}=(1+e^{-2\tau})^b-1",
    english="Distinct keys that do not match weigh at most (1+e^{-2τ})^b − 1 matches; exactly that if all codes occur.",
    subject=closed_form,
    check=check,
    twins={
        "one bit too few": lambda bits: (1 + q) ** (bits - 1) - 1,
        "half the gap": lambda bits: (1 + sp.sqrt(q)) ** bits - 1,
        "union bound as an equality": lambda bits: bits * q,
        "a key at distance 1 occurs twice": lambda bits: (1 + q) ** bits - 1 + q,
        "the match is counted": lambda bits: (1 + q) ** bits,
    },
    hypotheses=(
        Hypothesis("keys are ±1 codes of b places", are_codes, WITNESS._replace(others=((1, -1), (-1, 0)))),
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
