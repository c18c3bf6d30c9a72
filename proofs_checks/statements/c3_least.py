"""C3.least: the state of C3 is at most about twice what theorem C requires.

If all n_ℓ ≥ 2 each table is at least twice as long as the one before, so C3's whole state, ⌈log2 m⌉ + Σ_k
N_{k-1}·⌈log2 N_{k-1}⌉, is at most 2·N·⌈log2 N⌉ + ⌈log2 m⌉ bits, N = N_{L-1}; theorem C asks for N·log2 N, and ⌈log2 N⌉
< log2 N + 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from proofs_checks.kit.solvers import require_no_numbers
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from proofs_checks.statements.c3 import state_bits
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

Most = Callable[[Any, Any, Any], Any]
"""(N, ⌈log2 N⌉, ⌈log2 m⌉) ↦ a bound on C3's state bits, N = N_{L-1}."""
SIZES = [Sizes(m, (2,) * twos + (3,) * threes) for m in (2, 3, 5, 8, 100) for twos in range(4) for threes in range(3)]


def twice_the_last(last: Any, bits: Any, start: Any) -> Any:
    """2·N·⌈log2 N⌉ + ⌈log2 m⌉."""
    return 2 * last * bits + start


def _one_table_more(most: Most) -> None:
    """With S so far, a table of N' ≥ 2N entries and c' ≥ c bits adds N'·c'."""
    so_far, size, bits, longer, more = z3.Reals("S N c N_ c_")
    grown = [size >= 1, bits >= 0, longer >= 2 * size, more >= bits, so_far <= most(size, bits, 0)]
    require_no_numbers([*grown, so_far + longer * more > most(longer, more, 0)], "one table more breaks the bound")


def _first_table(most: Most) -> None:
    size, bits = z3.Reals("N c")
    require_no_numbers([size >= 1, bits >= 0, size * bits > most(size, bits, 0)], "one table is above the bound")


def _in_integers(most: Most) -> None:
    for sizes in SIZES:
        last, width = sizes.N[-1], bit_count(sizes.N[-1])
        found = state_bits(sizes)
        require(found <= most(last, width, bit_count(sizes.m)), f"{sizes}: {found} bits")
        require(2**width < 2 * last, f"{sizes}: ⌈log2 N⌉ is {width}")
        require((last**last - 1).bit_length() <= found, f"{sizes}: fewer bits than theorem C requires")


STATEMENT = Statement(
    id="C3.least",
    title="the state of C3 is at most about twice the minimum",
    latex=r"N\log_2N\le\Lambda_{C3}\le2N\lceil\log_2N\rceil+\lceil\log_2m\rceil,\quad"
    r"\lceil\log_2N\rceil<\log_2N+1,\ N=N_{L-1}",
    english="If all n_ℓ ≥ 2, C3 stores at most about twice the bits that every word of R layers alone needs.",
    subject=twice_the_last,
    check=Steps(
        "every L and m, all n_ℓ ≥ 2",
        (
            Step("one table more", _one_table_more),
            Step("the first table", _first_table),
            Step(f"{len(SIZES)} sizes in integers", _in_integers),
        ),
        {
            "the bits of C3": "Its state is z_0 and all tables, ⌈log2 m⌉ + Σ_k N_{k-1}·⌈log2 N_{k-1}⌉ bits: read off "
            "the weights.",
            "induction over the tables": "S ≤ 2·N·c holds for the first table and for one more, so for all of them.",
            "the least number of bits": "The last table alone counts N·⌈log2 N⌉ ≥ N·log2 N bits, and ⌈log2 N⌉ < log2 "
            "N + 1 by its definition.",
        },
    ),
    twins={
        "the last table alone": lambda last, bits, start: last * bits + start,
        "half of the last table": lambda last, bits, start: last * bits / 2 + start,
        "half more": lambda last, bits, start: 3 * last * bits / 2 + start,
    },
    speaks_of=("D1",),
    hypotheses=(
        Hypothesis("all n_ℓ ≥ 2", lambda sizes: all(size >= 2 for size in sizes.n), outside=Sizes(3, (1, 1, 1))),
    ),
    witness=Sizes(3, (2, 4)),
)
