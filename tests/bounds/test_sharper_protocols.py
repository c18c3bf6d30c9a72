"""Protocols with two full layers that solve two tables: each refutes Theorem B2 without one of its charges."""

from __future__ import annotations

import math
import random

from separation.bounds.theorems.theorem_b2 import theorem_b2


def bits(values: int) -> int:
    """⌈log2 values⌉."""
    return (values - 1).bit_length()


class Told:
    """What one token hears in one layer: fields of whole bits, counted; the largest total is β."""

    def __init__(self) -> None:
        self.largest = 0

    def __call__(self, *fields: tuple[int, int]) -> tuple[int, ...]:
        """The values of (value, number of possible values), once their bits are counted."""
        assert all(0 <= value < count for value, count in fields)
        self.largest = max(self.largest, sum(bits(count) for _, count in fields))
        return tuple(value for value, _ in fields)


def w_hears_table_1(m: int, n1: int, z2: list[int], z1: list[int], z0: int, w: int, told: Told) -> int:
    """Layer 1: w hears all of z_1, and z_0. Layer 2: w, knowing i_1, hears its entry of z_2."""
    *table, start = told(*((value, m) for value in z1), (z0, m))
    (answer,) = told((z2[w * m + table[start]], m * n1))
    return answer


def table_1_reads_ahead(m: int, n1: int, z2: list[int], z1: list[int], z0: int, w: int, told: Told) -> int:
    """Layer 1: tokens of table 1 hear what z_2 holds at their value, for all w; w hears z_0. Layer 2: w asks z_0's."""
    heard = [told(*((z2[query * m + value], m * n1) for query in range(n1))) for value in z1]
    (start,) = told((z0, m))
    (answer,) = told((heard[start][w], m * n1))
    return answer


def beta_of(protocol, m: int, n1: int) -> int:  # type: ignore[no-untyped-def]
    """The bits of the largest message, after the protocol was right on random inputs."""
    rng, told, N = random.Random(m), Told(), m * n1
    for _ in range(50):
        z2, z1 = [rng.randrange(N) for _ in range(N)], [rng.randrange(m) for _ in range(m)]
        z0, w = rng.randrange(m), rng.randrange(n1)
        assert protocol(m, n1, z2, z1, z0, w, told) == z2[w * m + z1[z0]]
    return told.largest


def b2_without(dropped: str, m: int, n1: int, x0: int, v: int, theta: int, beta: int, late: int = 0) -> bool:
    """B2 with Λ_1 = 0, without what w hears of table 1, what table 1 hears of table 2, or the late states."""
    first = 0 if dropped == "w hears table 1" else beta * n1
    workspace = 0 if dropped == "table 1 hears table 2" else x0 * v
    states = 0 if dropped == "late states" else theta * late
    reached = theta == 1 or x0 * math.log2(theta - 1) + first < x0 * math.log2(x0 * v)
    return reached and beta * (n1 + x0 + workspace + n1 * x0) + states < n1 * theta * math.log2(m * n1)


def test_b2_needs_what_w_hears_of_table_1() -> None:
    m, n1 = 4, 256
    beta = beta_of(w_hears_table_1, m, n1)
    assert beta == 10
    assert b2_without("w hears table 1", m, n1, x0=1, v=4, theta=4, beta=beta)
    assert not any(
        theorem_b2(m, (n1,), x0, 4 // x0, t, beta, (0, 0, 0)).certified for x0 in (1, 2, 4) for t in range(1, 5)
    )


def test_b2_needs_what_table_1_hears_of_table_2() -> None:
    m, n1, x0, v = 60, 1, 6, 10
    beta = beta_of(table_1_reads_ahead, m, n1)
    assert beta == 6
    theta = 30  # 29^6·2^6 < 60^6
    assert b2_without("table 1 hears table 2", m, n1, x0, v, theta, beta)
    options = ((x0, v, t) for x0 in range(1, m + 1) for v in range(1, m // x0 + 1) for t in range(1, x0 * v + 1))
    assert not any(b2_without("nothing", m, n1, x0, v, t, beta) for x0, v, t in options)


def test_b2_needs_the_late_states() -> None:
    """FFR whose last state keeps every entry: without its charge, one bit of β would be far too little."""
    m, n1 = 2, 8
    late = m * n1 * bits(m * n1) + m * bits(m) + bits(m)
    assert b2_without("late states", m, n1, x0=1, v=1, theta=1, beta=1, late=late)
    assert not any(b2_without("nothing", m, n1, x0, 2 // x0, t, 1, late) for x0 in (1, 2) for t in (1, 2))
