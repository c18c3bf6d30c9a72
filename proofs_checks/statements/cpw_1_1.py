"""CPW.1.1: the depth theorem of arXiv 2412.02975, as cited; the regime that this project prints is the theorem's.

arXiv 2412.02975: L full layers do not solve L-FuncComp when H·d·p ≤ n^{2^{-4L}}, L = Õ(log log n), and L+1 do with
polylog n; an encoder does with exponentially fewer layers, and a chain of thought helps. Cited; checked is the printed
prompt (H·d·p)^{2^{4L}}. Where H·d·p ≥ 2 the regime itself says 4L ≤ log2 log2 n.
"""

from __future__ import annotations

from math import log2

from proofs_checks.kit.statement import Checked, Statement, Status, require
from proofs_checks.statements.p_1_1 import Regime, Threshold, hypotheses, power, require_edge
from separation.bounds import cpw_prompt, log2_float


def roots(L: int) -> int:
    """n^{2^{-4L}} is the square root taken 4L times."""
    return 4 * L


def check(threshold: Threshold) -> Checked:
    """The impossibility itself is cited; what this project proves about it is T.golden, C1, C4 and C5.

    Checked is that the least n of H·d·p ≤ n^{2^{-4L}}, as this project computes and prints it, is the least, on both
    sides of the edge by integer square roots, for L = 1..4. And what L = Õ(log log n) means here: where H·d·p ≥ 2 the
    regime itself says 4L ≤ log2 log2 n, with equality at its edge for H·d·p = 2.
    """
    require_edge(threshold, roots)
    for L in range(1, 9):
        depth = log2(log2_float(threshold(L, 2)))
        require(depth == 4 * L, f"L = {L}: log2 log2 n is {depth} at the edge for H·d·p = 2")
    return Checked(
        Status.CITED,
        "cited; only the regime is checked: its edge by integer square roots",
        "the regime for L up to 4",
    )


STATEMENT = Statement(
    id="CPW.1.1",
    title="L full layers in CPW's regime do not solve L-FuncComp (their Theorem 1.1)",
    latex=r"H\,d\,p\le n^{2^{-4L}},\ L=\tilde O(\log\log n)\ \Rightarrow\ F^{L}\ \text{does not solve}\ "
    r"L\text{-FuncComp};\quad F^{L+1}\ \text{does with}\ H\,d\,p=\mathrm{polylog}\,n",
    english="L full layers do not solve L-FuncComp if H·d·p ≤ n^(2^(-4L)); for L+1 full layers polylog n is enough.",
    subject=cpw_prompt,
    check=check,
    twins={
        "one square root less": lambda L, product: power(product, 4 * L - 1),
        "the exponent of hybrids": lambda L, product: power(product, 4 * L + 2),
        "L−1 for L": lambda L, product: power(product, 4 * L - 4),
        "one token more": lambda L, product: power(product, 4 * L) + 1,
    },
    applies_to=("D1",),
    hypotheses=hypotheses("H·d·p ≤ n^(2^(-4L))", roots),
    witness=Regime(tokens=1 << 256),
)
