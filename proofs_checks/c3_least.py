"""C3.least: the state of C3 is at most about twice what theorem C asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import z3

from proofs_checks.c3_proved import state_bits
from proofs_checks.integers import require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count

Most = Callable[[Any, Any, Any], Any]
"""(N, ⌈log2 N⌉, ⌈log2 m⌉) ↦ a bound of C3's state bits, N = N_{L-1}."""
SIZES = [Sizes(m, (2,) * twos + (3,) * threes) for m in (2, 3, 5, 8, 100) for twos in range(4) for threes in range(3)]


def twice_the_last(last: Any, bits: Any, start: Any) -> Any:
    """2·N·⌈log2 N⌉ + ⌈log2 m⌉."""
    return 2 * last * bits + start


def check(most: Most) -> Checked:
    """⌈log2 m⌉ + Σ_k N_{k-1}·⌈log2 N_{k-1}⌉ ≤ 2·N·⌈log2 N⌉ + ⌈log2 m⌉ if all n_ℓ ≥ 2; ⌈log2 N⌉ < log2 N + 1.

    By induction over the tables (z3): with S ≤ 2·N·c so far, a table of N' ≥ 2N entries and c' ≥ c bits adds N'·c', and
    S + N'·c' ≤ 2·N'·c'. Theorem C asks for N·log2 N, and N·⌈log2 N⌉ < N·(log2 N + 1). So C3's whole state is below
    2·N·(log2 N + 1) + ⌈log2 m⌉, and the state of its last layer below N·(log2 N + 1). Beside: the formula at
    60 sizes, in integers; 2^⌈log2 N⌉ < 2N is the second claim.
    """
    so_far, size, bits, longer, more = z3.Reals("S N c N_ c_")
    grown = [size >= 1, bits >= 0, longer >= 2 * size, more >= bits, so_far <= most(size, bits, 0)]
    require_no_numbers([*grown, so_far + longer * more > most(longer, more, 0)], "one table more breaks the bound")
    first = [size >= 1, bits >= 0, size * bits > most(size, bits, 0)]
    require_no_numbers(first, "one table is above the bound")
    for sizes in SIZES:
        last, width = sizes.N[-1], bit_count(sizes.N[-1])
        found = state_bits(sizes)
        require(found <= most(last, width, bit_count(sizes.m)), f"{sizes}: {found} bits")
        require(2**width < 2 * last, f"{sizes}: ⌈log2 N⌉ is {width}")
        require((last**last - 1).bit_length() <= found, f"{sizes}: fewer bits than theorem C asks for")
    method = f"induction over the tables (z3); {len(SIZES)} sizes beside"
    return Checked(Status.ALL_SIZES, method, "every L and m, all n_ℓ ≥ 2")


STATEMENT = Statement(
    id="C3.least",
    title="the state of C3 is near the least",
    latex=r"N\log_2N\le\Lambda_{C3}\le2N\lceil\log_2N\rceil+\lceil\log_2m\rceil,\quad"
    r"\lceil\log_2N\rceil<\log_2N+1,\ N=N_{L-1}",
    english="If all n_ℓ ≥ 2, C3 stores at most about twice the bits that no word in R alone can do without.",
    subject=twice_the_last,
    check=check,
    twins={
        "the last table alone": lambda last, bits, start: last * bits + start,
        "half more": lambda last, bits, start: 3 * last * bits / 2 + start,
    },
    speaks_of=("D1",),
    hypotheses=(
        Hypothesis("all n_ℓ ≥ 2", lambda sizes: all(size >= 2 for size in sizes.n), outside=Sizes(3, (1, 1, 1))),
    ),
    witness=Sizes(3, (2, 4)),
)
