"""T.C.reach: with identities for the tables before it, each entry of the last table is asked for exactly once.

With identities for z_1, …, z_{L-1} the address (w_{L-1}, i_{L-1}) is w_{L-1}·N_{L-2} + … + w_1·N_0 + z_0: as (z_0, w)
runs through its m·W values, every entry of z_L is asked for exactly once. So two last tables that differ have
different answers somewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.funccomp import Instance, Sizes, hops

Tables = Callable[[Sizes], list[list[int]]]
CASES = tuple(
    Sizes(m, n)
    for m, n in ((2, ()), (3, ()), (3, (2,)), (2, (3,)), (4, (1,)), (2, (2, 3)), (3, (1, 2)), (2, (2, 2, 2)))
)


def identities(sizes: Sizes) -> list[list[int]]:
    return [list(range(size)) for size in sizes.N[:-1]]


def check(before: Tables) -> Checked:
    """Each entry of the last table has a value of its own; all questions are asked of the oracle."""
    for sizes in CASES:
        tables = [*before(sizes), list(range(sizes.N[-1]))]
        questions = product(range(sizes.m), product(*map(range, sizes.n)))
        asked = [hops(Instance(sizes, start, tables, query))[-1] for start, query in questions]
        require(sorted(asked) == list(range(sizes.N[-1])), f"{sizes}: asked for are the entries {sorted(asked)}")
    return Checked(
        Status.EXHAUSTIVE, "`identities_answer` in Coq; all questions of the oracle", f"{len(CASES)} sizes, L up to 4"
    )


STATEMENT = Statement(
    id="T.C.reach",
    title="with identities before it, every entry of the last table is asked for",
    latex=r"z_1=\dots=z_{L-1}={\rm id}\ \Rightarrow\ "
    r"(z_0,w)\mapsto(w_{L-1},i_{L-1})\ \text{is one to one onto}\ [N_{L-1}]",
    english="With identities for z_1..z_{L-1} the m·W questions ask for each of the N_{L-1} entries of z_L once.",
    subject=identities,
    check=check,
    twins={
        "constant tables": lambda sizes: [[0] * size for size in sizes.N[:-1]],
        "one entry of each table lost": lambda sizes: [
            [min(entry, size - 2) for entry in range(size)] for size in sizes.N[:-1]
        ],
    },
    speaks_of=("D1",),
    hypotheses=(
        Hypothesis(
            "z_1..z_{L-1} are the identity",
            lambda tables: all(list(table) == list(range(len(table))) for table in tables),
            outside=([0, 0], [0, 1, 2, 3]),
        ),
    ),
    witness=tuple(identities(Sizes(2, (2, 3)))),
)
