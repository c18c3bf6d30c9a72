"""L6: the end of the induction: by (F) two last tables of 𝒬 differ at an entry that is reached.

At level L the answer token's information depends on z_{<L} alone. At most N^{N-R} tables [N] → [N] agree on R given
entries; (F) says that 𝒬, with at least 2^{-D_L}·N^N tables, has more. So two of them differ at an entry (w_{L-1},
i_{L-1}) that is reached: same output, different answers. R = n_{L-1}·Θ_{L-1}.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import sympy as sp

from proofs_checks.kit.solvers import require_zero
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import Condition, check_condition

Count = Callable[[Any, Any], Any]
"""(N, number of reached entries) ↦ the most tables [N] → [N] that agree on all of them."""
SIZES = (2, 3)
LARGEST = 40


def alike(size: Any, reached: Any) -> Any:
    """N^(N − R)."""
    return size ** (size - reached)


def _in_logarithms(count: Count) -> None:
    """|𝒬| ≥ 2^{-D}·N^N > N^{N-R} is D < R·log2 N."""
    N, R, D = sp.symbols("N R D", positive=True)
    gap = sp.log(2**-D * N**N) - sp.log(count(N, R))
    require_zero(gap - (R * sp.log(N) - D * sp.log(2)), "(F) is off")


def _all_tables(count: Count) -> None:
    """For N = 2, 3, all sets of entries and all tables: the largest family that agrees on them."""
    for size in SIZES:
        tables = list(product(range(size), repeat=size))
        for reached in range(size + 1):
            for entries in combinations(range(size), reached):
                families: dict[tuple[int, ...], int] = {}
                for table in tables:
                    seen = tuple(table[entry] for entry in entries)
                    families[seen] = families.get(seen, 0) + 1
                most = max(families.values())
                require(most == count(size, reached), f"N = {size}, entries {entries}: {most} tables agree")


def _verdicts(count: Count) -> None:
    """The calculator's verdict on (F) is 2^D·N^{N-R} < N^N in integers, at the edge."""
    for size in range(2, LARGEST + 1):
        for reached in {1, size // 2, size}:
            edge = (size**reached).bit_length()
            for bits in range(max(0, edge - 2), edge + 1):
                certified = check_condition(Condition("F", "count", "", bits, size, reached)).holds
                more = size**size > count(size, reached) * (1 << bits)
                require(certified is more, f"N = {size}, R = {reached}, D = {bits}: the calculator says {certified}")


STATEMENT = Statement(
    id="L6",
    title="the end of the induction",
    latex=r"|\mathcal Q|\ge2^{-D_L}N^N,\ D_L<R\log_2N\ \Rightarrow\ \exists z\ne z'\in\mathcal Q\ "
    r"\text{that differ at one of the }R\text{ reached entries}",
    english="By (F), 𝒬 has more last tables than can agree on all entries that are reached: same output, different "
    "answers.",
    subject=alike,
    check=Steps(
        "every N, R, D",
        (
            Step("(F) in logarithms", _in_logarithms),
            Step("all tables of N ≤ 3", _all_tables),
            Step(f"the calculator at the edge for N ≤ {LARGEST}", _verdicts),
        ),
        {
            "tables that agree": "Of tables [N] → [N] that agree on R entries only the other N − R entries are free: "
            "N^{N-R} at most, and fewer if more entries are reached.",
            "same output, different answers": "𝒬 has more tables than that, so two differ at a reached (w_{L-1}, "
            "i_{L-1}), R = n_{L-1}·Θ_{L-1} of them; the answer token's output is the same for both, and the answer is "
            "the entry itself.",
        },
    ),
    twins={
        "one entry less is free": lambda size, reached: alike(size, reached) / size,
        "one entry more is free": lambda size, reached: size ** (size - reached + 1),
        "an entry has N − 1 values": lambda size, reached: (size - 1) ** (size - reached),
    },
    hypotheses=(
        Hypothesis("(F): D < R·log2 N", lambda held: 2 ** held[2] < held[0] ** held[1], outside=(3, 2, 4)),
        Hypothesis("R ≤ N: the entries are distinct", lambda held: held[1] <= held[0], outside=(3, 4, 1)),
    ),
    witness=(3, 2, 3),
)
"""The witness: N, R, D."""
