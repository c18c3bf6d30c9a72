"""S2: how much the keys that do not match weigh together, in closed form."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import sympy as sp

from proofs_checks.statement import Checked, Statement, Status, require

q = sp.Symbol("q", positive=True)
b = sp.Symbol("b", integer=True, nonnegative=True)


def closed_form(bits: Any) -> Any:
    """(1 + q)^b − 1 with q = e^{-2τ}."""
    return (1 + q) ** bits - 1


def check(leak: Callable[[Any], Any]) -> Checked:
    """S(b) = Σ_{c ≠ c*} q^{d_H(c, c*)} over all 2^b codes, by induction over b, symbolically.

    A code of b+1 bits is a code of b bits and one more place, which agrees (factor 1) or differs (factor q). So the sum
    with the match, T = S + 1, obeys T(0) = 1 and T(b+1) = T(b) + q·T(b), and so does nothing else.
    """
    total = leak(b) + 1
    step = sp.simplify(leak(b + 1) + 1 - total - q * total)
    require(step == 0, f"T(b+1) − (1+q)·T(b) is {step}, not 0")
    require(sp.simplify(leak(0)) == 0, f"with no bits the leak is {leak(0)}, not 0")
    for bits in range(7):
        counted = sum(q ** sum(code) for code in product((0, 1), repeat=bits) if any(code))
        require(sp.expand(leak(bits) - counted) == 0, f"{bits} bits: counted {counted}, the formula gives {leak(bits)}")
    return Checked(
        Status.ALL_SIZES, "induction over b (sympy), enumeration up to 6 bits beside", "every b and τ; distinct keys"
    )


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
    },
    rests_on=("S1",),
)
