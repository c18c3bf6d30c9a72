"""L6: the end of the induction: by (F) two last tables of 𝒬 differ at a place that is reached."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product

import sympy as sp

from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.inequality import judge
from separation.bounds.ladder import Demand

Count = Callable[[int, int], int]
"""(N, number of reached places) ↦ the most tables [N] → [N] that agree on all of them."""
SIZES = (2, 3)


def alike(size: int, reached: int) -> int:
    """N^(N − R)."""
    return int(size ** (size - reached))


def check(count: Count) -> Checked:
    """Tables that agree on R places are at most N^{N-R}: only the other N − R entries are free. (F) says |𝒬| is more.

    |𝒬| ≥ 2^{-D}·N^N > N^{N-R} is D < R·log2 N (sympy). So two tables of 𝒬 differ at some reached (w_{L-1}, i_{L-1}),
    R = n_{L-1}·Θ_{L-1} of them: the pairs of n_{L-1} digits and Θ_{L-1} values. The answer token's output is the same
    for both, the answers differ: it is the entry itself.
    Counted: for N = 2, 3, all sets of places and all tables: the largest family that agrees on them. And the verdict of
    the calculator on (F) is 2^D·N^{N-R} < N^N in integers, at the edge for N ≤ 40. More places reached only help: the
    count falls with R.
    """
    N, R, D = sp.symbols("N R D", positive=True)
    gap = sp.log(2**-D * N**N) - sp.log(N ** (N - R))
    rest = sp.simplify(sp.expand_log(gap, force=True) - (R * sp.log(N) - D * sp.log(2)))
    require(rest == 0, f"(F) is off by {rest}")
    for size in SIZES:
        tables = list(product(range(size), repeat=size))
        for reached in range(size + 1):
            for places in combinations(range(size), reached):
                families: dict[tuple[int, ...], int] = {}
                for table in tables:
                    seen = tuple(table[place] for place in places)
                    families[seen] = families.get(seen, 0) + 1
                most = max(families.values())
                require(most == count(size, reached), f"N = {size}, places {places}: {most} tables agree")
    for size in range(2, 41):
        for reached in {1, size // 2, size}:
            edge = (size**reached).bit_length()
            for bits in range(max(0, edge - 2), edge + 1):
                certified = judge(Demand("F", "count", "", bits, size, reached)).holds
                more = size**size > (count(size, reached) << bits)
                require(certified is more, f"N = {size}, R = {reached}, D = {bits}: the calculator says {certified}")
    return Checked(
        Status.ALL_SIZES,
        "counting by hand, logarithms (sympy); all tables of N ≤ 3, the edge for N ≤ 40",
        "every N, R, D",
    )


STATEMENT = Statement(
    id="L6",
    title="the end of the induction",
    latex=r"|\mathcal Q|\ge2^{-D_L}N^N,\ D_L<R\log_2N\ \Rightarrow\ \exists z\ne z'\in\mathcal Q\ "
    r"\text{that differ at one of the }R\text{ reached places}",
    english="By (F) 𝒬 has more last tables than can agree on all reached places: same output, different answers.",
    subject=alike,
    check=check,
    twins={
        "one place less is free": lambda size, reached: size ** max(0, size - reached - 1),
        "one place more is free": lambda size, reached: size ** (size - reached + 1),
        "a place has N − 1 values": lambda size, reached: (size - 1) ** (size - reached),
    },
    hypotheses=(
        Hypothesis("(F): D < R·log2 N", lambda held: 2 ** held[2] < held[0] ** held[1], outside=(3, 2, 4)),
        Hypothesis("R ≤ N: the places are different ones", lambda held: held[1] <= held[0], outside=(3, 4, 1)),
    ),
    witness=(3, 2, 3),
)
"""The witness: N, R, D."""
