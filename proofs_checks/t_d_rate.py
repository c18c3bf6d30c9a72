"""T.D.rate: the bits of theorem D grow like B·log n."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import comb
from typing import Any

import sympy as sp
import z3

from proofs_checks.integers import require_no_integers, require_no_numbers
from proofs_checks.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.theorem_d import subsets, theorem_d

Base = Callable[[int, int], sp.Rational]
"""(u, B) ↦ a number whose B-th power is at most the number of summary values."""


def half_over_block(u: int, block: int) -> Any:
    """u/(2B)."""
    return sp.Rational(u, 2 * block)


def check(base: Base) -> Checked:
    """g ≥ 2k and B ≤ u/2: 2^r ≥ V(u/2,B) ≥ C(u/2,B) ≥ (u/2B)^B; with u ≥ n^{1+c}, 2B ≤ n that is n^{cB}.

    z3 over all integers: d = u − ⌊uk/g⌋ ≥ u/2 if g ≥ 2k. V grows with d by one at least (T.D.every), so V(u,B) − 1 is
    no less than V(u/2,B) either, as u/2 < u. C(h,B) = Π_{i<B} (h−i)/(B−i), and each factor is at least h/B for
    h ≥ B (z3). The last step is one line: u/2B ≥ n^{1+c}/n (sympy). Beside: every even u ≤ 24 and B ≤ u/2 in integers,
    and the calculator's count for g = 2k.
    """
    u, k, g, q = z3.Ints("u k g q")
    sizes = [u >= 2, k >= 0, g > k, g >= 2 * k, q >= 0, q * g <= u * k]
    require_no_integers([*sizes, 2 * (u - q) < u], "fewer than half of the values are clear")
    h, block, i = z3.Reals("h B i")
    factor = [i >= 0, i < block, block <= h, block >= 1, (h - i) * block < h * (block - i)]
    require_no_numbers(factor, "a factor of C(h, B) is below h/B")
    n, c = sp.symbols("n c", positive=True)
    rest = sp.simplify(sp.expand_log(sp.log(n ** (1 + c) / n), force=True) - c * sp.log(n))
    require(rest == 0, f"log2(n^(1+c)/n) is off by {rest}")
    for values in range(2, 25, 2):
        for size in range(1, values // 2 + 1):
            power = base(values, size) ** size
            require(
                power <= comb(values // 2, size) <= subsets(values // 2, size), f"u = {values}, B = {size}: {power}"
            )
    for modulus, size, opened in product((5, 9, 13), (1, 2), (0, 1, 3)):
        found = theorem_d(modulus, size, opened, max(1, 2 * opened)).values
        require(found >= subsets((modulus - 1) // 2, size), f"M, B, k = {modulus, size, opened}: {found} values")
    method = "whole numbers and factors by z3, the exponent by sympy; u ≤ 24 counted"
    return Checked(Status.ALL_SIZES, method, "every odd M, g ≥ 2k, B ≤ (M−1)/2")


STATEMENT = Statement(
    id="T.D.rate",
    title="summary bits grow like B·log n",
    latex=r"g\ge2k,\ B\le\tfrac{M-1}2\ \Rightarrow\ r\ge\log_2V(\tfrac{M-1}2,B)\ge B\log_2\tfrac{M-1}{2B};\quad "
    r"M-1\ge n^{1+c},\ B\le\tfrac n2\ \Rightarrow\ r\ge cB\log_2n",
    english="A sparse layer needs Ω(B·log n) summary bits for 2-Sum, where a full layer does with O(log n) (C6).",
    subject=half_over_block,
    check=check,
    twins={
        "u/B": lambda u, block: sp.Rational(u, block),
        "(u + 2)/(2B)": lambda u, block: sp.Rational(u + 2, 2 * block),
        "e·u/(2B)": lambda u, block: sp.Rational(11, 4) * sp.Rational(u, 2 * block),
    },
    rests_on=("T.D.every",),
    hypotheses=(
        Hypothesis("g ≥ 2k", lambda held: held[3] >= 2 * held[2], outside=(11, 3, 3, 4)),
        Hypothesis("B ≤ (M−1)/2", lambda held: 2 * held[1] <= held[0] - 1, outside=(5, 3, 1, 4)),
        Hypothesis("g > k", lambda held: held[3] > held[2], outside=(11, 3, 0, 0)),
    ),
    witness=(11, 3, 1, 4),
)
"""The witness: M, B, k, g."""
