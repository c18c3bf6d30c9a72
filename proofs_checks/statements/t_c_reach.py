"""T.C.reach: with identities for the tables before it, each entry of the last table is asked for exactly once.

With identities for z_1, …, z_{L-1} the address (w_{L-1}, i_{L-1}) is w_{L-1}·N_{L-2} + … + w_1·N_0 + z_0: as (z_0, w)
runs through its m·W values, every entry of z_L is asked for exactly once. So two last tables that differ have
different answers somewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from typing import Any

import z3

from proofs_checks.kit.solvers import require_no_integers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.statements.t_c import CASES, identities
from separation.tasks.funccomp import Instance, Sizes, hops

Question = Callable[[Sizes, int], tuple[int, tuple[int, ...]]]
"""(sizes, entry of z_L) ↦ (z_0, w) that asks for it."""


def digits(sizes: Sizes, entry: int) -> tuple[int, tuple[int, ...]]:
    """entry = w_{L-1}·N_{L-2} + … + w_1·N_0 + z_0: division with remainder, from the largest size down."""
    query: list[int] = []
    for size in reversed(sizes.N[:-1]):
        digit, entry = divmod(entry, size)
        query.insert(0, digit)
    return entry, tuple(query)


@dataclass(frozen=True)
class Asked:
    """Who asks for an entry of the last table, and the address w·N + i at which a hop looks."""

    question: Question = digits
    address: Callable[[Any, Any, Any], Any] = lambda digit, hop, size: digit * size + hop


def _digits_in_range(asked: Asked) -> None:
    e, w, i, n, N = z3.Ints("e w i n N")
    entry = [N >= 1, n >= 1, e >= 0, e < N * n, e == asked.address(w, i, N), i >= 0, i < N]
    require_no_integers([*entry, z3.Or(w < 0, w >= n)], "an entry needs a digit out of range")


def _asked_once(asked: Asked) -> None:
    w, i, other_w, other_i, N = z3.Ints("w i w_ i_ N")
    same = asked.address(w, i, N) == asked.address(other_w, other_i, N)
    parts = [N >= 1, i >= 0, i < N, other_i >= 0, other_i < N, w >= 0, other_w >= 0]
    require_no_integers([*parts, same, z3.Or(w != other_w, i != other_i)], "an entry is asked for twice")


def _address_in_range(asked: Asked) -> None:
    w, i, n, N = z3.Ints("w i n N")
    address = asked.address(w, i, N)
    inside = [N >= 1, n >= 1, w >= 0, w < n, i >= 0, i < N]
    require_no_integers([*inside, z3.Or(address < 0, address >= N * n)], "an address is out of range")


def _oracle(asked: Asked) -> None:
    """Each entry with a value of its own."""
    for sizes in CASES:
        last = sizes.N[-1]
        tables = [*identities(sizes), list(range(last))]
        for entry in range(last):
            start, query = asked.question(sizes, entry)
            fits = start < sizes.m and all(digit < size for digit, size in zip(query, sizes.n, strict=True))
            require(fits, f"{sizes}: entry {entry} is asked for by {start, query}, which does not exist")
            found = hops(Instance(sizes, start, tables, query))[-1]
            require(found == entry, f"{sizes}: {start, query} asks for {found}, not {entry}")
        require(sizes.m * prod(sizes.n) == last, f"{sizes}: the number of questions is not {last}")


def _smallest_first(sizes: Sizes, entry: int) -> tuple[int, tuple[int, ...]]:
    """Broken: digits taken off in the other order."""
    query = []
    for size in sizes.n:
        entry, digit = divmod(entry, size)
        query.append(digit)
    return entry, tuple(query)


STATEMENT = Statement(
    id="T.C.reach",
    title="with identities before it, every entry of the last table is asked for",
    latex=r"z_1=\dots=z_{L-1}={\rm id}\ \Rightarrow\ "
    r"(z_0,w)\mapsto(w_{L-1},i_{L-1})\ \text{is one to one onto}\ [N_{L-1}]",
    english="With identities for z_1..z_{L-1} the m·W questions ask for each of the N_{L-1} entries of z_L once.",
    subject=Asked(),
    check=Steps(
        "every L, m, n_ℓ",
        (
            Step("digits are in range", _digits_in_range),
            Step("no entry is asked for twice", _asked_once),
            Step("addresses are in range", _address_in_range),
            Step(f"the oracle at {len(CASES)} sizes", _oracle),
        ),
        {
            "division with remainder": "Every entry e is w·N + i for some w and some 0 ≤ i < N.",
            "induction over ℓ": "With the identity as table the hop i_{ℓ+1} is the address w_ℓ·N_{ℓ-1} + i_ℓ itself, "
            "which runs once through [N_ℓ] as (w_ℓ, i_ℓ) does through [n_ℓ] × [N_{ℓ-1}]; with one table the address "
            "is z_0.",
        },
    ),
    twins={
        "digits in the other order": Asked(_smallest_first),
        "always w = 0": Asked(lambda sizes, entry: (entry, (0,) * len(sizes.n))),
        "one entry further": Asked(lambda sizes, entry: digits(sizes, (entry + 1) % sizes.N[-1])),
        "digit and hop swapped": Asked(address=lambda digit, hop, size: hop * size + digit),
        "a gap after each copy": Asked(address=lambda digit, hop, size: digit * (size + 1) + hop),
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
