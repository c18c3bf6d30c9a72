"""Theorem A3: two full layers and any R layers do not compose three tables."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.log_sums import LogSum, compare, compare_integers
from separation.bounds.theorems.outcome import Impossibility, block_bits, checked_linear, checked_sizes
from separation.files import InputError
from separation.tasks.checks import require_integer


def theorem_a3(
    m: int,
    n: Sequence[int],
    g: int,
    u: int,
    theta1: int,
    x2: int,
    theta2: int,
    beta: int,
    linear: Sequence[int],
) -> Impossibility:
    """(a) reached, (b) covered, (c) asked, with W = n_1·n_2, t = x_2·n_1·Θ_1, λ_t = Λ_t − Λ_{t-1}:

    (a) (Θ_1−1)^g·2^Λ_0 < u^g, g ≤ m, u ≤ m;
    (b) C(N_1, Θ_2−1)·(Θ_2−1)^t·2^(x_2(n_1·Λ_0 + β·W + Θ_1·λ_1) + 1) ≤ N_1^t, 1 ≤ Θ_2 ≤ N_1; with λ_1 = 0 strict, no +1;
    (c) 2^D < N_2^(n_2·Θ_2), D = Λ_0 + λ_1 + [λ_1 > 0](1 + x_2·Θ_1·λ_1) + x_2·Θ_1·λ_2
        + β(W + 1 + (m−g+g·Θ_1) + x_2·n_1·u + (n_1−1)(m−u) + W·Θ_1).

    where table 1 varies on g entries with u values, Θ_1 of which one z_0 reaches, and table 2 is drawn x_2 times.
    """
    n = checked_sizes(m, n, 3)
    for field, value in (("g", g), ("u", u), ("Theta_1", theta1), ("x_2", x2), ("Theta_2", theta2)):
        require_integer(field, value, 1)
    require_integer("beta", beta, 0)
    linear = checked_linear(linear, 3)
    early, middle, late = block_bits(linear)
    n1, n2 = n[:2]
    W, N1, N2 = n1 * n2, m * n1, m * n1 * n2
    tries = x2 * n1 * theta1
    inequalities = [
        compare_integers("entries", "g ≤ m", g, m),
        compare_integers("values", "u ≤ m", u, m),
        compare(
            "reached",
            "g·log2(Θ_1−1) + Λ_0 < g·log2 u",
            LogSum(early, ((g, theta1 - 1),)),
            LogSum(0, ((g, u),)),
            strict=True,
        ),
        compare_integers("possible", "Θ_2 ≤ N_1", theta2, N1),
    ]
    copies = middle > 0
    if theta2 <= N1:
        told = x2 * (n1 * early + beta * W + theta1 * middle) + copies
        formula = "log2 C(N_1,Θ_2−1) + t·log2(Θ_2−1) + x_2(n_1·Λ_0 + β·W + Θ_1·λ_1)"
        inequalities.append(
            compare(
                "covered",
                formula + (" + 1 ≤ t·log2 N_1" if copies else " < t·log2 N_1"),
                LogSum(told, ((tries, theta2 - 1),), ((N1, theta2 - 1),)),
                LogSum(0, ((tries, N1),)),
                strict=not copies,
            )
        )
    heard = W + 1 + (m - g + g * theta1) + x2 * n1 * u + (n1 - 1) * (m - u) + W * theta1
    states = early + middle + copies * (1 + x2 * theta1 * middle) + x2 * theta1 * late
    inequalities.append(
        compare(
            "asked",
            "Λ_0 + λ_1 + [λ_1>0](1 + x_2·Θ_1·λ_1) + x_2·Θ_1·λ_2"
            " + β(W + 1 + (m−g+g·Θ_1) + x_2·n_1·u + (n_1−1)(m−u) + W·Θ_1) < n_2·Θ_2·log2 N_2",
            LogSum(states + beta * heard),
            LogSum(0, ((n2 * theta2, N2),)),
            strict=True,
        )
    )
    parameters = (("g", g), ("u", u), ("Theta_1", theta1), ("x_2", x2), ("Theta_2", theta2))
    return Impossibility("A3", m, n, beta, linear, parameters, tuple(inequalities), 3)


def theorem_a3_no_early_r(
    m: int, n: Sequence[int], theta1: int, v: int, theta2: int, beta: int, linear: Sequence[int]
) -> Impossibility:
    """Λ_0 = Λ_1 = 0, E = n_1·Θ_1, E·v ≤ N_1, Θ_1 ≤ m: (Θ_2−1)^E·2^(β·W) < (E·v)^E and
    2^(β(W + m + Θ_1 + E·v + (n_1−1)(m−Θ_1) + W·Θ_1) + Θ_2·λ_2) < N_2^(n_2·Θ_2).

    where the E entries of table 2 that are asked have v values each, in disjoint sets.
    """
    n = checked_sizes(m, n, 3)
    for field, value in (("Theta_1", theta1), ("v", v), ("Theta_2", theta2)):
        require_integer(field, value, 1)
    require_integer("beta", beta, 0)
    linear = checked_linear(linear, 3)
    if linear[1] != 0:
        raise InputError("this form of Theorem A3 speaks of words without an R before the second full layer")
    n1, n2 = n[:2]
    W, N1, N2, E = n1 * n2, m * n1, m * n1 * n2, n1 * theta1
    heard = W + m + theta1 + E * v + (n1 - 1) * (m - theta1) + W * theta1
    inequalities = (
        compare_integers("values", "Θ_1 ≤ m", theta1, m),
        compare_integers("fits", "n_1·Θ_1·v ≤ N_1", E * v, N1),
        compare(
            "reached",
            "E·log2(Θ_2−1) + β·W < E·log2(E·v), E = n_1·Θ_1",
            LogSum(beta * W, ((E, theta2 - 1),)),
            LogSum(0, ((E, E * v),)),
            strict=True,
        ),
        compare(
            "asked",
            "β(W + m + Θ_1 + E·v + (n_1−1)(m−Θ_1) + W·Θ_1) + Θ_2·λ_2 < n_2·Θ_2·log2 N_2",
            LogSum(beta * heard + theta2 * linear[2]),
            LogSum(0, ((n2 * theta2, N2),)),
            strict=True,
        ),
    )
    parameters = (("Theta_1", theta1), ("v", v), ("Theta_2", theta2))
    return Impossibility("A3 without early R", m, n, beta, linear, parameters, inequalities, 3)
