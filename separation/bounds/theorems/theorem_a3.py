"""Theorem A3: two full layers and any R layers do not compose three tables."""

from __future__ import annotations

from collections.abc import Sequence

from separation.bounds.condition import BINOMIAL, REACHED, Condition, Conditions, Number, Order, largest
from separation.bounds.theorem import Impossibility, Theorem, block_bits, checked_state_bits, one_table_more
from separation.bounds.word import Word


class TheoremA3(Theorem):
    """(a) reached, (b) covered, (c) asked, with W = n_1·n_2, t = x_2·n_1·Θ_1, λ_t = Λ_t − Λ_{t-1}:

    (a) (Θ_1−1)^g·2^Λ_0 < u^g, g ≤ m, u ≤ m;
    (b) C(N_1, Θ_2−1)·(Θ_2−1)^t·2^(x_2(n_1·Λ_0 + β·W + Θ_1·λ_1) + 1) ≤ N_1^t, 1 ≤ Θ_2 ≤ N_1; with λ_1 = 0 strict, no +1;
    (c) 2^D < N_2^(n_2·Θ_2), D = Λ_0 + λ_1 + [λ_1 > 0](1 + x_2·Θ_1·λ_1) + x_2·Θ_1·λ_2
        + β(W + 1 + (m−g+g·Θ_1) + x_2·n_1·u + (n_1−1)(m−u) + W·Θ_1).

    where table 1 varies on g entries with u values, Θ_1 of which one z_0 reaches, and table 2 is drawn x_2 times.
    """

    name = "A3"
    shape = "two full layers and any R layers"

    def tables(self, word: Word, L: int) -> int | None:
        return one_table_more(word, L, 2, 2)

    def is_superseded(self, word: Word) -> bool:
        """By A3c, without an R layer in front."""
        return not word.blocks[0]

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002
        return ("g", "u", "Theta_1", "x_2", "Theta_2")

    def exponents(self, tables: int) -> dict[str, int]:  # noqa: ARG002
        return {"m": 3, "n_2": 1, "u": 2, "Theta_1": 2, "x_2": 1, "Theta_2": 3}

    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        (n1, n2), (g, u, theta1, x2, theta2) = n, chosen
        early, middle, late = block_bits(state_bits)
        theta1 = largest(theta1, early, g, u, REACHED)
        W, N1, N2, tries = n1 * n2, m * n1, m * n1 * n2, x2 * n1 * theta1
        copies = int(middle > 0)
        told = x2 * (n1 * early + beta * W + theta1 * middle) + copies
        theta2 = largest(theta2, told, tries, N1, BINOMIAL)
        covered = "log2 C(N_1,Θ_2−1) + x_2(n_1·Λ_0 + β·W + Θ_1·λ_1)" + (" + 1 ≤ " if copies else " < ")
        heard = W + 1 + m + g * (theta1 - 1) + x2 * n1 * u + (n1 - 1) * (m - u) + W * theta1
        states = early + middle + copies * (1 + x2 * theta1 * middle) + x2 * theta1 * late
        return [
            Order("entries", "g ≤ m", g, m),
            Order("values", "u ≤ m", u, m),
            Condition("reached", "Λ_0 < g·log2(u/(Θ_1−1))", early, g, u, theta1 - 1),
            Order("possible", "Θ_2 ≤ N_1", theta2, N1),
            Condition(
                "covered",
                covered + "t·log2(N_1/(Θ_2−1))",
                told,
                tries,
                N1,
                theta2 - 1,
                ((N1, theta2 - 1),),
                strict=not copies,
            ),
            Condition(
                "asked",
                "Λ_0 + λ_1 + [λ_1>0](1 + x_2·Θ_1·λ_1) + x_2·Θ_1·λ_2"
                " + β(W + 1 + (m−g+g·Θ_1) + x_2·n_1·u + (n_1−1)(m−u) + W·Θ_1) < n_2·Θ_2·log2 N_2",
                states + beta * heard,
                n2 * theta2,
                N2,
            ),
        ]


def theorem_a3(
    m: int, n: Sequence[int], g: int, u: int, theta1: int, x2: int, theta2: int, beta: int, state_bits: Sequence[int]
) -> Impossibility:
    """The theorem at integers; n_1 and n_2 are used, further tables are the identity."""
    return TheoremA3().at(m, n, (g, u, theta1, x2, theta2), beta, checked_state_bits(state_bits, 3), 3)
