"""P.1.1.ours: the regime of the paper's Theorem 1.1 lies inside what theorem A forbids, for every L.

For every L ≥ 2: take the golden sizes of an even y with x_0 = 4L·2^{3L²}·y(y+1), and let n be their length, y ≥
L·2^{L+4}·(2⌈log2 n⌉+4). Then T.room holds for every hybrid with L−1 full layers, score bits P ≤ p, at most 2^{3L²}
linear layers before and as many after each full one, states of at most q(q+1) bits each (q = H·d·p; that is
H·d·(d+1)·p, keys and values of dimension d and a normaliser) and q ≤ n^{2^{-4L-2}}. So the paper's theorem, read this
way, follows from theorem A at these lengths; T.A says how far theorem A itself is checked. The exponents: N_{L-1} =
6·x_0·y^{F_{2L+1}-2}, and F_{2L+1} ≤ 5·3^{L-2} is far below 2^{4L+2}. With the paper's linear layers the golden sizes
are hard long before its regime begins; log2 of the tokens at y = 2^u, the least u:

Two limits: the lengths are those of golden sizes (the quotient of one and the next tends to 1), not all n; and nothing
is claimed about the paper's own sizes.
"""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.kit.regimes import INCLUSION, GoldenModel, Inclusion, inclusion_hypotheses
from proofs_checks.kit.statement import Hypothesis, Statement
from separation.bounds import Rule

REGIME = Inclusion(Rule.A, roots=lambda L: 4 * L + 2, layers_log2=lambda L: 3 * L**2)


WITNESS = GoldenModel(u=202)

check = replace(
    INCLUSION,
    by_hand={
        **INCLUSION.by_hand,
        "the linear layers of the paper": "Its sizes are not reproduced: at most 2^{3L²} linear layers before and "
        "after each full one are assumed, each with at most q(q+1) state bits, that is H·d·(d+1)·p: keys of dimension "
        "d and a normaliser.",
    },
)

STATEMENT = Statement(
    id="P.1.1.ours",
    title="the regime of the paper's Theorem 1.1 is inside theorem A's at golden sizes",
    latex=r"H\,d\,p\le n^{2^{-4L-2}}\ \Rightarrow\ (C_\ell),(E_\ell),(F)\text{ of theorem A at golden sizes of }n"
    r"\text{ tokens},\quad \tfrac1{F_{2L+1}-2}>2^{-4L-2}",
    english="At golden sizes of n tokens theorem A's inequalities hold for every hybrid of the paper's regime.",
    subject=REGIME,
    check=check,
    twins={
        "H·d·p up to n^(1/4)": Inclusion(Rule.A, lambda _L: 2, REGIME.layers_log2),
        "H·d·p up to n^(2^(-L-2))": Inclusion(Rule.A, lambda L: L + 2, REGIME.layers_log2),
        "Fibonacci numbers at most double": replace(REGIME, factor=2),
        "2^(100·2^(4L+2)) linear layers": Inclusion(Rule.A, REGIME.roots, lambda L: 100 * 2 ** (4 * L + 2)),
    },
    speaks_of=("P.1.1", "T.A"),
    rests_on=("M1", "T.golden", "T.room"),
    hypotheses=(
        *inclusion_hypotheses(REGIME, "H·d·p ≤ n^(2^(-4L-2))", WITNESS, short=14),
        Hypothesis(
            "at most 2^(3L²) linear layers before and after each full one",
            lambda model: model.layers_log2 <= 3 * model.L**2,
            outside=replace(WITNESS, layers_log2=13),
        ),
        Hypothesis(
            "a state has at most q(q+1) bits",
            lambda model: model.state_bits <= model.product * (model.product + 1),
            outside=replace(WITNESS, state_bits=7),
        ),
    ),
    witness=WITNESS,
)
