"""C1.width: the width of C1, exactly, and that it is O(log n + L).

d = 1 + ⌈log2(L+2)⌉ + max_ℓ⌈log2 n_ℓ⌉ + ⌈log2 N_{L-2}⌉ + Σ_ℓ⌈log2 n_ℓ⌉ + 3⌈log2 N_{L-1}⌉ ≤ 6·log2 n + 2L + 8 (N_{L-2}
means N_0 when L = 1).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import log2

from constructions.c1 import build
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count


def width(sizes: Sizes) -> int:
    """1 + ⌈log2(L+2)⌉ + max⌈log2 n_ℓ⌉ + ⌈log2 N_{L-2}⌉ + Σ⌈log2 n_ℓ⌉ + 3⌈log2 N_{L-1}⌉."""
    digits = [bit_count(n) for n in sizes.n]
    index = bit_count(sizes.N[max(sizes.L - 2, 0)])
    return 1 + bit_count(sizes.L + 2) + max(digits, default=0) + index + sum(digits) + 3 * bit_count(sizes.N[-1])


CASES = (
    *(Sizes(m, tuple(n)) for L in (1, 2, 3) for m in (2, 3, 4, 7) for n in product((1, 2, 5), repeat=L - 1)),
    *(Sizes(2**k, (2**k,) * (L - 1)) for L in (4, 6, 8) for k in (1, 2, 3)),
)


def check(formula: Callable[[Sizes], int]) -> Checked:
    for sizes in CASES:
        built = build(sizes).model.width
        require(built == formula(sizes), f"{sizes}: built {built}, the formula says {formula(sizes)}")
        # Each ⌈log2⌉ is at most log2 + 1: six terms are in log2 n, two in L.
        most = 6 * log2(sizes.length) + 2 * sizes.L + 8
        require(built <= most, f"{sizes}: width {built} is above 6·log2 n + 2L + 8 = {most:.1f}")
    return Checked(Status.EXHAUSTIVE, "built weights against the formula", f"{len(CASES)} sizes, L up to 8")


STATEMENT = Statement(
    id="C1.width",
    title="width of C1",
    latex=r"d=1+\lceil\log_2(L{+}2)\rceil+\max_\ell\lceil\log_2 n_\ell\rceil+\lceil\log_2 N_{L-2}\rceil"
    r"+\sum_\ell\lceil\log_2 n_\ell\rceil+3\lceil\log_2 N_{L-1}\rceil\le 6\log_2 n+2L+8",
    english="The width is O(log n + L): old pointers are erased, not kept.",
    subject=width,
    check=check,
    twins={
        "tag of log2(L+1) bits": lambda sizes: width(sizes) - bit_count(sizes.L + 2) + bit_count(sizes.L + 1),
        "a pointer for each layer": lambda sizes: width(sizes) + sizes.L * bit_count(sizes.N[-1]),
    },
    rests_on=("C1",),
    hypotheses=(Hypothesis("the sizes are among those built", lambda sizes: sizes in CASES, outside=Sizes(8, (8,))),),
    witness=Sizes(7, (5,)),
)
