"""The schedules of theorems A_L, A_W and B_L: sizes as powers of y = c·β, and the least c that is certified.

    A_L   n_1 = 1, n_{L-k} = y^F_{2k+1} and x_{L-k} = y^F_{2k} for k = 1..L−2, Θ_1 = y^F_{2L-2}, m = 8·y^(F_{2L-1}−1)
    A_W   the same but n_2 = y^F_{2L-5}, u = Θ_1 = y^F_{2L-3} and m = 8·y^(2F_{2L-3}−1)
    B_L   the n_2.., x_2.. of A_L, and n_1 = y^F_{2L-3}, x_1 = y^F_{2L-2}, x_0 = y^F_{2L-1}, Θ_1 = y^F_{2L}/2,
          m = 8·y^(2F_{2L-1}−1)

with Θ_ℓ = x_ℓ·n_{ℓ-1}·Θ_{ℓ-1}/2 behind. So N_{L-1} = 8·y^(F_{2L}−2) in A_L, 8·y^(3F_{2L-3}−2) in A_W and
8·y^(3F_{2L-1}−2) in B_L: the exponents are 6, 19, 53, … and 4, 13, 37, … at L = 3, 4, 5, …, and 4, 13, 37, … at
L = 2, 3, 4, … (statement T.AL.exponents). All R layers have no bits here.
"""

from __future__ import annotations

from separation.bounds.schedules import fibonacci
from separation.bounds.theorems.outcome import Impossibility
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_aw import theorem_aw
from separation.bounds.theorems.theorem_bl import theorem_bl
from separation.files import InputError
from separation.tasks.checks import require_integer

ROOM = 8
"""m is this many times the power of y, as Θ_ℓ of the N_{ℓ-1} values must be reached."""


KINDS = {"A_L": 3, "A_W": 3, "B_L": 2}
"""The least number of tables."""


def delayed_exponent(kind: str, L: int) -> int:
    """F_{2L} − 2 for A_L, 3·F_{2L-3} − 2 for A_W, 3·F_{2L-1} − 2 for B_L."""
    if kind == "A_L":
        return fibonacci(2 * L) - 2
    return 3 * fibonacci(2 * L - (3 if kind == "A_W" else 1)) - 2


def delayed_schedule(kind: str, L: int, y: int, beta: int) -> Impossibility:
    """The theorem at the sizes of the schedule for this y."""
    if kind not in KINDS:
        raise InputError(f"the schedules are of {', '.join(KINDS)}, not of {kind!r}")
    require_integer("L", L, KINDS[kind])
    require_integer("y", y, 2)
    n = [1, *(y ** fibonacci(2 * (L - level) + 1) for level in range(2, L))]
    x = [y ** fibonacci(2 * (L - level)) for level in range(2, L)]
    if kind == "A_L":
        theta, m = y ** fibonacci(2 * L - 2), ROOM * y ** (fibonacci(2 * L - 1) - 1)
    elif kind == "A_W":
        n[1] = y ** fibonacci(2 * L - 5)
        theta, m = y ** fibonacci(2 * L - 3), ROOM * y ** (2 * fibonacci(2 * L - 3) - 1)
    else:
        n[0] = y ** fibonacci(2 * L - 3)
        theta, m = y ** fibonacci(2 * L) // 2, ROOM * y ** (2 * fibonacci(2 * L - 1) - 1)
    thetas = [theta]
    for factor, before in zip(x, n, strict=False):
        thetas.append(factor * before * thetas[-1] // 2)
    if kind == "A_L":
        return theorem_al(m, n, 1, thetas, x, beta, (0,) * L)
    if kind == "A_W":
        return theorem_aw(m, n, 1, theta, thetas, x, beta, (0,) * L)
    x0, x1 = y ** fibonacci(2 * L - 1), y ** fibonacci(2 * L - 2)
    return theorem_bl(m, n, x0, x1, thetas, x, beta, (0,) * (L + 1))


def least_factor(kind: str, L: int, beta: int) -> int:
    """The least c, up to powers of two and halving in between, for which y = c·β is certified."""
    high = 1
    while not _holds(kind, L, high * beta, beta):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _holds(kind, L, middle * beta, beta) else (middle, high)
    return high


def _holds(kind: str, L: int, y: int, beta: int) -> bool:
    return y >= 2 and delayed_schedule(kind, L, y, beta).holds
