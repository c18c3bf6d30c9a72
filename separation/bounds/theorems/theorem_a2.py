"""Theorem A2: one full layer and any R layers do not compose two tables; linear in the model's bits."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.log_sums import LogSum, compare
from separation.bounds.theorems.outcome import Impossibility, checked_linear, checked_sizes
from separation.tasks.checks import require_integer


def theorem_a2(m: int, n: Sequence[int], theta: int, beta: int, linear: Sequence[int]) -> Impossibility:
    """(Θ−1)^m·2^Λ_0 < m^m and 2^(Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1) < N^(n_1·Θ), N = m·n_1.

    where Λ_1 counts blocks 0 and 1 and R heads beside F. Some z_0 reaches Θ values i of table 1 behind one common
    state; about table 2 the answer token hears β bits for each w, and the late states λ_1 bits for each i; n_1·Θ
    entries
    of table 2 are asked. Only n_1 is used: further tables are the identity.
    """
    n = checked_sizes(m, n, 2)
    require_integer("Theta", theta, 1)
    require_integer("beta", beta, 0)
    early, both = checked_linear(linear, 2)
    n1 = n[0]
    reached = compare(
        "reached",
        "m·log2(Θ−1) + Λ_0 < m·log2 m",
        LogSum(early, ((m, theta - 1),)),
        LogSum(0, ((m, m),)),
        strict=True,
    )
    asked = compare(
        "asked",
        "Λ_0 + Θ·(Λ_1−Λ_0) + β·n_1 < n_1·Θ·log2 N_1",
        LogSum(early + theta * (both - early) + beta * n1),
        LogSum(0, ((n1 * theta, m * n1),)),
        strict=True,
    )
    return Impossibility("A2", m, n, beta, (early, both), (("Theta", theta),), (reached, asked), 2)
