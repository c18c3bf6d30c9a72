"""The papers' theorems as cited: that the regimes which this project prints for them are theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt, log2

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import (
    Budget,
    PowerProduct,
    Size,
    bound,
    cpw_prompt,
    log2_float,
    paper_linear_layers,
    paper_prompt,
)

Threshold = Callable[[int, int], Size]
"""(L, H·d·p) ↦ the least n of the regime."""
CASES = (*((L, product) for L in (1, 2, 3) for product in (1, 2, 3, 7, 48)), (4, 2), (4, 3))
TOO_LONG = 1_000_000
"""Bits of the longest integer that is written out."""
PRINTED = ((2, 8), (2, 5))
"""L and H·d·p of bounds whose printed regime is compared."""


@dataclass(frozen=True)
class Regime:
    """L, H·d·p and n."""

    L: int = 2
    product: int = 2
    tokens: int = 1 << 1024


def hybrid_roots(L: int) -> int:
    """n^{2^{-4L-2}} is the square root taken 4L+2 times."""
    return 4 * L + 2


def inside(product: int, tokens: int, square_roots: int) -> bool:
    """H·d·p ≤ n^{2^-roots}: ⌊n^{2^-roots}⌋ is the integer square root, taken that many times."""
    for _ in range(square_roots):
        tokens = isqrt(tokens)
    return product <= tokens


def require_edge(threshold: Threshold, square_roots: Callable[[int], int]) -> None:
    """At n the regime holds, at n − 1 it does not, for every case; no power is taken on this side."""
    for L, product in CASES:
        said = threshold(L, product)
        if isinstance(said, PowerProduct):
            require(said.bits_at_most < TOO_LONG, f"L = {L}, H·d·p = {product}: a prompt of more than 2^{TOO_LONG}")
            said = said.integer()
        where = f"L = {L}, H·d·p = {product}: n is said to be at least a number of {said.bit_length()} bits"
        require(inside(product, said, square_roots(L)), f"{where}; the regime does not hold there")
        require(not inside(product, said - 1, square_roots(L)), f"{where}; the regime begins earlier")


def hypotheses(text: str, square_roots: Callable[[int], int]) -> tuple[Hypothesis, ...]:
    """L, H·d·p ≥ 1, and the regime: H·d·p is at most that many square roots of n."""
    edge = 1 << (1 << square_roots(2))
    return (
        Hypothesis("L is an integer ≥ 1", lambda regime: regime.L >= 1, outside=Regime(L=0)),
        Hypothesis("H·d·p is an integer ≥ 1", lambda regime: regime.product >= 1, outside=Regime(product=0)),
        Hypothesis(
            text,
            lambda regime: inside(regime.product, regime.tokens, square_roots(regime.L)),
            outside=Regime(tokens=edge - 1),
        ),
    )


def check_hybrids(threshold: Threshold) -> Checked:
    """The impossibility itself is cited: the paper's proof and its sizes are not reproduced.

    Checked is that the least n of H·d·p ≤ n^{2^{-4L-2}}, as this project computes and prints it, is the least: at n the
    regime holds, at n − 1 it does not, by integer square roots, for L = 1..4. And that 2^{3L²} is the number of linear
    layers that the calculator charges for it.
    """
    require_edge(threshold, hybrid_roots)
    for L, product in PRINTED:
        printed = bound(L, Budget(beta=product, total=0)).document()["paper"]["tokens_log2"]
        least = threshold(L, product)
        expected = (least if isinstance(least, int) else least.integer()).bit_length()
        require(expected - 1 <= printed <= expected, f"L = {L}, H·d·p = {product}: printed is 2^{printed}")
    for L in range(1, 6):
        layers = paper_linear_layers(L).bit_length() - 1
        require(layers == 3 * L * L, f"L = {L}: 2^{layers} linear layers are charged")
    return Checked(
        Status.CITED,
        "cited; only the regime is checked: its edge by integer square roots, and what `bound` prints",
        "the regime for L up to 4",
    )


def power(product: int, exponent_log2: int) -> int:
    return int(product ** (1 << exponent_log2))


HYBRIDS = Statement(
    id="P.1.1",
    title="no hybrid in the paper's regime solves L-FuncComp (its Theorem 1.1)",
    latex=r"H\,d\,p\le n^{2^{-4L-2}}\ \Rightarrow\ F^{L-1}\ \text{with}\ 2^{3L^2}\ \text{linear layers around each }F"
    r"\ \text{does not solve}\ L\text{-FuncComp}",
    english="L−1 full layers with 2^(3L²) linear layers around each do not solve L-FuncComp if H·d·p ≤ n^(2^(-4L-2)).",
    explanation="""
arXiv 2602.01763: a hybrid with L−1 full layers and 2^{3L²} linear layers around each does not solve L-FuncComp when
H·d·p ≤ n^{2^{-4L-2}}. Cited: neither its proof nor its sizes are here. What is checked is that the prompt that this
project prints for it, (H·d·p)^{2^{4L+2}}, is the least of that regime. From some H·d·p on, which depends on L, the
impossibility is proved here with other sizes (`main_separation_regime` in Coq): the golden sizes have n polynomial in
β with the exponent F_{2L+1}, far below 2^{4L+2}.
""",
    subject=paper_prompt,
    check=check_hybrids,
    twins={
        "one square root less": lambda L, product: power(product, 4 * L + 1),
        "CPW's exponent": lambda L, product: power(product, 4 * L),
        "L−1 for L": lambda L, product: power(product, 4 * L - 2),
        "one token more": lambda L, product: power(product, 4 * L + 2) + 1,
    },
    applies_to=("D1",),
    hypotheses=hypotheses("H·d·p ≤ n^(2^(-4L-2))", hybrid_roots),
    witness=Regime(),
)


def cpw_roots(L: int) -> int:
    """n^{2^{-4L}} is the square root taken 4L times."""
    return 4 * L


def check_cpw(threshold: Threshold) -> Checked:
    """The impossibility itself is cited; what this project proves about it is T.golden, C1, C4 and C5.

    Checked is that the least n of H·d·p ≤ n^{2^{-4L}}, as this project computes and prints it, is the least, on both
    sides of the edge by integer square roots, for L = 1..4. And what L = Õ(log log n) means here: where H·d·p ≥ 2 the
    regime itself says 4L ≤ log2 log2 n, with equality at its edge for H·d·p = 2.
    """
    require_edge(threshold, cpw_roots)
    for L in range(1, 9):
        depth = log2(log2_float(threshold(L, 2)))
        require(depth == 4 * L, f"L = {L}: log2 log2 n is {depth} at the edge for H·d·p = 2")
    return Checked(
        Status.CITED,
        "cited; only the regime is checked: its edge by integer square roots",
        "the regime for L up to 4",
    )


CPW = Statement(
    id="CPW.1.1",
    title="L full layers in CPW's regime do not solve L-FuncComp (their Theorem 1.1)",
    latex=r"H\,d\,p\le n^{2^{-4L}},\ L=\tilde O(\log\log n)\ \Rightarrow\ F^{L}\ \text{does not solve}\ "
    r"L\text{-FuncComp};\quad F^{L+1}\ \text{does with}\ H\,d\,p=\mathrm{polylog}\,n",
    english="L full layers do not solve L-FuncComp if H·d·p ≤ n^(2^(-4L)); for L+1 full layers polylog n is enough.",
    explanation="""
arXiv 2412.02975: L full layers do not solve L-FuncComp when H·d·p ≤ n^{2^{-4L}}, L = Õ(log log n), and L+1 do with
polylog n; an encoder does with exponentially fewer layers, and a chain of thought helps. Cited; checked is the printed
prompt (H·d·p)^{2^{4L}}. Where H·d·p ≥ 2 the regime itself says 4L ≤ log2 log2 n.
""",
    subject=cpw_prompt,
    check=check_cpw,
    twins={
        "one square root less": lambda L, product: power(product, 4 * L - 1),
        "the exponent of hybrids": lambda L, product: power(product, 4 * L + 2),
        "L−1 for L": lambda L, product: power(product, 4 * L - 4),
        "one token more": lambda L, product: power(product, 4 * L) + 1,
    },
    applies_to=("D1",),
    hypotheses=hypotheses("H·d·p ≤ n^(2^(-4L))", cpw_roots),
    witness=Regime(tokens=1 << 256),
)

STATEMENTS = (HYBRIDS, CPW)
