"""T.C.reach: with identities for the tables before it, each entry of the last table is asked for exactly once."""

from __future__ import annotations

from collections.abc import Callable

import z3

from proofs_checks.integers import require_no_integers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.t_c import CASES, identities
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


def check(question: Question) -> Checked:
    """i_{ℓ+1} is asked at w_ℓ·N_{ℓ-1} + i_ℓ, which runs through [N_ℓ] as (w_ℓ, i_ℓ) does through [n_ℓ] × [N_{ℓ-1}].

    By induction over ℓ, each step by z3 over all integers: every e ∈ [N·n] is w·N + i for a w ∈ [n] and an i ∈ [N],
    and for no other; with the identity as table the hop is the address itself. So the addresses of z_L are all of
    [N_{L-1}], and N^N last tables (N = N_{L-1}) all differ in some answer: what passes the boundary behind z_L has N^N
    values at least. With one table the address is z_0. Beside: the oracle at eight sizes, each entry with a value of
    its own.
    """
    e, w, i, other_w, other_i, n, N = z3.Ints("e w i w_ i_ n N")
    ranges = [N >= 1, n >= 1, e >= 0, e < N * n]
    parts = [e == w * N + i, i >= 0, i < N]
    require_no_integers([*ranges, *parts, z3.Or(w < 0, w >= n)], "an entry needs a digit out of range")
    again = [e == other_w * N + other_i, other_i >= 0, other_i < N, other_w != w]
    require_no_integers([*ranges, *parts, *again], "an entry is asked for twice")
    inside = [N >= 1, n >= 1, w >= 0, w < n, i >= 0, i < N]
    require_no_integers([*inside, z3.Or(w * N + i < 0, w * N + i >= N * n)], "an address is out of range")
    for sizes in CASES:
        last = sizes.N[-1]
        tables = [*identities(sizes), list(range(last))]
        for entry in range(last):
            start, query = question(sizes, entry)
            fits = start < sizes.m and all(digit < size for digit, size in zip(query, sizes.n, strict=True))
            require(fits, f"{sizes}: entry {entry} is asked for by {start, query}, which there is not")
            asked = hops(Instance(sizes, start, tables, query))[-1]
            require(asked == entry, f"{sizes}: {start, query} asks for {asked}, not {entry}")
        questions = sizes.m
        for size in sizes.n:
            questions *= size
        require(questions == last, f"{sizes}: {questions} questions for {last} entries")
    method = f"division with remainder by induction over ℓ (z3); {len(CASES)} sizes beside"
    return Checked(Status.ALL_SIZES, method, "every L, m, n_ℓ")


def _smallest_first(sizes: Sizes, entry: int) -> tuple[int, tuple[int, ...]]:
    """A false neighbour: digits taken off in the other order."""
    query = []
    for size in sizes.n:
        entry, digit = divmod(entry, size)
        query.append(digit)
    return entry, tuple(query)


STATEMENT = Statement(
    id="T.C.reach",
    title="every entry is asked for",
    latex=r"z_1=\dots=z_{L-1}={\rm id}\ \Rightarrow\ "
    r"(z_0,w)\mapsto(w_{L-1},i_{L-1})\ \text{is one to one onto}\ [N_{L-1}]",
    english="With identities for z_1..z_{L-1} the m·W questions ask for each of the N_{L-1} entries of z_L once.",
    subject=digits,
    check=check,
    twins={
        "digits in the other order": _smallest_first,
        "always w = 0": lambda sizes, entry: (entry, (0,) * len(sizes.n)),
        "one entry further": lambda sizes, entry: digits(sizes, (entry + 1) % sizes.N[-1]),
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
