"""CPW.1.1.ours: the regime of CPW's Theorem 1.1 lies inside what theorem B forbids, for every L."""

from __future__ import annotations

from proofs_checks.p_1_1_ours import Model
from proofs_checks.regimes import Inclusion, check_regime, inside
from proofs_checks.statement import Checked, Hypothesis, Statement
from separation.bounds import Rule, golden_point

REGIME = Inclusion(Rule.B, roots=lambda L: 4 * L)


def check(claim: Inclusion) -> Checked:
    """See `check_inclusion`; with T.room, theorem B's inequalities hold for every such model. Supposed: P ≤ p.

    The lengths n are those of the golden sizes, for every even y from some number on.
    """
    return check_regime(claim)


def _tokens(model: Model) -> int:
    found = golden_point(Rule.B, model.L, 1 << model.u).tokens()
    assert found is not None
    return found


STATEMENT = Statement(
    id="CPW.1.1.ours",
    title="the regime of CPW's Theorem 1.1 is inside theorem B's",
    latex=r"H\,d\,p\le n^{2^{-4L}}\ \Rightarrow\ (C_\ell),(E_\ell),(F)\text{ of theorem B at golden sizes of }n"
    r"\text{ tokens},\quad \tfrac1{F_{2L+2}-2}>2^{-4L}",
    english="At golden sizes of n tokens theorem B's inequalities hold for every F^L of CPW's regime.",
    subject=REGIME,
    check=check,
    twins={
        "H·d·p up to n^(1/4)": Inclusion(Rule.B, lambda _L: 2),
        "H·d·p up to n^(2^(-L))": Inclusion(Rule.B, lambda L: L),
    },
    speaks_of=("CPW.1.1", "T.B"),
    rests_on=("M1", "T.golden", "T.room"),
    hypotheses=(
        Hypothesis("there are at least two tables", lambda model: model.L >= 2, outside=Model(L=1, u=43)),
        Hypothesis(
            "y ≥ L·2^(L+4)·(2⌈log2 n⌉+4)",
            lambda model: 1 << model.u >= model.L * 2 ** (model.L + 4) * (2 * (_tokens(model) - 1).bit_length() + 4),
            outside=Model(u=13),
        ),
        Hypothesis(
            "H·d·p ≤ n^(2^(-4L))",
            lambda model: inside(model.product, _tokens(model), REGIME.roots(model.L)),
            outside=Model(u=43, dim=3),
        ),
        Hypothesis("P ≤ p", lambda model: model.score_bits <= model.bits, outside=Model(u=43, score_bits=2)),
    ),
    witness=Model(u=43),
)
