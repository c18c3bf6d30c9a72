"""The schedules of theorems A_L, A_W and B_L: sizes as powers of y = c·β, and the least c that is certified.

The exponents are those of each theorem (`Theorem.exponents`), with m eight times the power of y and every Θ_ℓ that is
drawn half of it. So N_{L-1} = 8·y^(F_{2L}−2) in A_L, 8·y^(3F_{2L-3}−2) in A_W and 8·y^(3F_{2L-1}−2) in B_L: the
exponents are 6, 19, 53, … and 4, 13, 37, … at L = 3, 4, 5, …, and 4, 13, 37, … at L = 2, 3, 4, …. No sizes have smaller
ones, by the linear program over log_y of all numbers (statement T.AL.exponents). All R layers have no bits here.
"""

from __future__ import annotations

from separation.bounds.condition import least_that
from separation.bounds.recursion import fibonacci
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems.theorem_al import TheoremAL
from separation.bounds.theorems.theorem_aw import TheoremAW
from separation.bounds.theorems.theorem_bl import TheoremBL
from separation.files import InputError
from separation.tasks.checks import require_integer

ROOM = 8
"""m is this many times the power of y, as Θ_ℓ of the N_{ℓ-1} values must be reached."""

KINDS: dict[str, tuple[Theorem, int]] = {"A_L": (TheoremAL(), 3), "A_W": (TheoremAW(), 3), "B_L": (TheoremBL(), 2)}
"""The theorem, and the least number of tables."""


def delayed_exponent(kind: str, L: int) -> int:
    """F_{2L} − 2 for A_L, 3·F_{2L-3} − 2 for A_W, 3·F_{2L-1} − 2 for B_L."""
    if kind == "A_L":
        return fibonacci(2 * L) - 2
    return 3 * fibonacci(2 * L - (3 if kind == "A_W" else 1)) - 2


def delayed_schedule(kind: str, L: int, y: int, beta: int) -> Impossibility:
    """The theorem at the sizes of the schedule for this y."""
    if kind not in KINDS:
        raise InputError(f"the schedules are of {', '.join(KINDS)}, not of {kind!r}")
    theorem, least_tables = KINDS[kind]
    require_integer("L", L, least_tables)
    require_integer("y", y, 2)
    numbers = {name: y**power for name, power in theorem.exponents(L).items()}
    halved = int(kind == "B_L")  # Θ_1 is drawn in B_L alone
    for level in range(1, L):
        numbers[f"Theta_{level}"] >>= level - 1 + halved
    state_bits = (0,) * (L + halved)
    chosen = [numbers.get(name, 1) for name in theorem.variables(L, state_bits)]
    n = [numbers[f"n_{level}"] for level in range(1, L)]
    return theorem.at(ROOM * numbers["m"], n, chosen, beta, state_bits, L)


def least_factor(kind: str, L: int, beta: int) -> int:
    """The least c, up to powers of two and halving in between, for which y = c·β is certified."""
    return least_that(lambda c: c * beta >= 2 and delayed_schedule(kind, L, c * beta, beta).certified, 1)
