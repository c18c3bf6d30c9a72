"""Theorem B2: two full layers, no R layer before the second, do not compose two tables."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.log_sums import LogSum, compare, compare_integers
from separation.bounds.theorems.outcome import Impossibility, checked_linear, checked_sizes
from separation.files import InputError
from separation.tasks.checks import require_integer


def theorem_b2(
    m: int, n: Sequence[int], x0: int, v: int, theta: int, beta: int, linear: Sequence[int]
) -> Impossibility:
    """x_0·v ≤ m; (Θ−1)^x_0·2^(β·n_1+Λ_1) < (x_0·v)^x_0; 2^(Λ_1 + β(n_1+x_0+x_0·v+n_1·x_0) + Θ·λ_2) < N^(n_1·Θ).

    where the last x_0 entries of table 1 have v values each, in disjoint sets, and Θ pairs (entry, value) survive what
    every w hears of table 1 in layer 1. Λ_0 = 0; Λ_1 counts R heads beside the first full layer, λ_2 = Λ_2 − Λ_1 the R
    after the first full layer, beside or after the second.
    """
    n = checked_sizes(m, n, 2)
    for field, value in (("x_0", x0), ("v", v), ("Theta", theta)):
        require_integer(field, value, 1)
    require_integer("beta", beta, 0)
    linear = checked_linear(linear, 3)
    if linear[0] != 0:
        raise InputError("Theorem B2 speaks of words without an R layer before the second full layer: Lambda_0 is 0")
    beside, late = linear[1], linear[2] - linear[1]
    n1 = n[0]
    fits = compare_integers("fits", "x_0·v ≤ m", x0 * v, m)
    reached = compare(
        "reached",
        "x_0·log2(Θ−1) + β·n_1 + Λ_1 < x_0·log2(x_0·v)",
        LogSum(beta * n1 + beside, ((x0, theta - 1),)),
        LogSum(0, ((x0, x0 * v),)),
        strict=True,
    )
    asked = compare(
        "asked",
        "Λ_1 + β·(n_1 + x_0 + x_0·v + n_1·x_0) + Θ·λ_2 < n_1·Θ·log2 N_1",
        LogSum(beside + beta * (n1 + x0 + x0 * v + n1 * x0) + theta * late),
        LogSum(0, ((n1 * theta, m * n1),)),
        strict=True,
    )
    parameters = (("x_0", x0), ("v", v), ("Theta", theta))
    return Impossibility("B2", m, n, beta, linear, parameters, (fits, reached, asked), 2)
