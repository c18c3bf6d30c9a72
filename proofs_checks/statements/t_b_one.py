"""T.B.one: one full layer and one table: β bits must tell all m^m tables apart.

With L = 1 and one full layer, w hears β bits about the table, and Λ_1 more through R heads next to F. Both are
functions of the table alone, and it must know every entry, since z_0 can ask for any: 2^{β+Λ_1} ≥ m^m.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from proofs_checks.kit.solvers import is_function
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Parameters, theorem_b
from separation.tasks.funccomp import Instance, Sizes, hops

LARGEST = 40


def all_tables(m: int) -> int:
    """m^m."""
    return int(m**m)


def check(least: Callable[[int], int]) -> Checked:
    """2^{β+Λ_1} < m^m: two tables bring w the same message in the only layer, and some z_0 has different answers.

    In layer 1 the query of w's token is fixed (W = 1), so what w hears of the table is a function of the table alone;
    next to F heads, the states of R heads bring Λ_1 bits more of it. z_0's own token knows z_1(z_0), but w hears of
    z_0's token only what that token held before the layer. By hand: m^m tables, at most 2^{β+Λ_1} messages, pigeonhole
    (L3); tables that differ at z have different answers at z_0 = z. Counted for m = 2: the least number of messages for
    which some map of the 4 tables determines every answer, all maps tried. The calculator is compared with integers at
    the edge, for m ≤ 40 and every split of the bits into β and Λ_1.
    """
    sizes = Sizes(2, ())
    tables = list(product(range(2), repeat=2))
    found = next(messages for messages in range(1, 6) if _some_map_is_right(sizes, tables, messages))
    require(found == least(2), f"m = 2: {found} messages are enough, claimed {least(2)}")
    for m in range(2, LARGEST + 1):
        edge = (least(m) - 1).bit_length()
        for bits in range(max(1, edge - 1), edge + 2):
            for beta in {1, (bits + 1) // 2, bits}:
                verdict = theorem_b(Parameters(m, (), ()), beta, (0, bits - beta)).certified
                require(verdict == (2**bits < least(m)), f"m = {m}, β = {beta}, Λ_1 = {bits - beta}: {verdict}")
    scope = f"all maps of m = 2; the edge for m up to {LARGEST}"
    return Checked(Status.EXHAUSTIVE, "all maps of tables to messages; the calculator against m^m", scope)


def _some_map_is_right(sizes: Sizes, tables: list[tuple[int, ...]], messages: int) -> bool:
    return any(_is_right(sizes, tables, heard) for heard in product(range(messages), repeat=len(tables)))


def _is_right(sizes: Sizes, tables: list[tuple[int, ...]], heard: tuple[int, ...]) -> bool:
    """The answer is a function of the message and z_0."""
    asked = product(zip(tables, heard, strict=True), range(sizes.m))
    return is_function(
        ((message, start), hops(Instance(sizes, start, [list(table)], ()))[-1]) for (table, message), start in asked
    )


STATEMENT = Statement(
    id="T.B.one",
    title="theorem B for one table with small m",
    latex=r"L=1:\quad 2^{\beta+\Lambda_1}<m^m\ \Rightarrow\ \text{no}\ F\ \text{or}\ [FR]\ \text{solves it}",
    english="One full layer solves L = 1 only if its message, together with the states of the R heads next to it, has "
    "m·log2 m bits.",
    subject=all_tables,
    check=check,
    twins={
        "one table less": lambda m: m**m - 1,
        "permutations only": lambda m: 2 if m == 2 else m ** (m - 1),
        "one table more": lambda m: m**m + 1,
    },
    speaks_of=("D1",),
    rests_on=("L3", "M1"),
    hypotheses=(
        Hypothesis("2^{β+Λ_1} < m^m", lambda held: 2 ** (held[1] + held[2]) < held[0] ** held[0], outside=(2, 1, 1)),
    ),
    witness=(3, 4, 0),
)
"""The witness: m, β, Λ_1."""
