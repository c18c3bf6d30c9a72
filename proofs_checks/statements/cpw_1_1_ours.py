"""CPW.1.1.ours: the regime of CPW's Theorem 1.1 lies inside what theorem B forbids, for every L.

As P.1.1.ours, with theorem B, no R layers and the golden sizes of B: T.room holds for every F^L with P ≤ p and H·d·p ≤
n^{2^{-4L}}, for every L ≥ 2. N_{L-1} = 6·y^{F_{2L+2}-2}, and F_{2L+2} ≤ 8·3^{L-2}.
"""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.kit.regimes import INCLUSION, GoldenModel, Inclusion, inclusion_hypotheses
from proofs_checks.kit.statement import Statement
from separation.bounds import Rule

REGIME = Inclusion(Rule.B, roots=lambda L: 4 * L)


WITNESS = GoldenModel(u=43)

STATEMENT = Statement(
    id="CPW.1.1.ours",
    title="the regime of CPW's Theorem 1.1 is inside theorem B's at golden sizes",
    latex=r"H\,d\,p\le n^{2^{-4L}}\ \Rightarrow\ (C_\ell),(E_\ell),(F)\text{ of theorem B at golden sizes of }n"
    r"\text{ tokens},\quad \tfrac1{F_{2L+2}-2}>2^{-4L}",
    english="At golden sizes of n tokens theorem B's inequalities hold for every F^L of CPW's regime.",
    subject=REGIME,
    check=INCLUSION,
    twins={
        "H·d·p up to n^(1/4)": Inclusion(Rule.B, lambda _L: 2),
        "H·d·p up to n^(2^(-L))": Inclusion(Rule.B, lambda L: L),
        "Fibonacci numbers at most double": replace(REGIME, factor=2),
    },
    speaks_of=("CPW.1.1", "T.B"),
    rests_on=("M1", "T.golden", "T.room"),
    hypotheses=inclusion_hypotheses(REGIME, "H·d·p ≤ n^(2^(-4L))", WITNESS, short=13),
    witness=WITNESS,
)
