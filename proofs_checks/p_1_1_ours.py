"""P.1.1.ours: the regime of the paper's Theorem 1.1 lies inside what theorem A forbids, for every L."""

from __future__ import annotations

from dataclasses import dataclass

from proofs_checks.regimes import Inclusion, check_regime, inside
from proofs_checks.statement import Checked, Hypothesis, Statement
from separation.bounds import Rule

REGIME = Inclusion(Rule.A, roots=lambda L: 4 * L + 2, layers_log2=lambda L: 3 * L**2)


@dataclass(frozen=True)
class Model:
    """A model with L−1 full layers, y = 2^u of the golden sizes, and all R layers with one number of state bits."""

    L: int = 2
    u: int = 202
    heads: int = 1
    dim: int = 2
    bits: int = 1
    score_bits: int = 1
    layers_log2: int = 12
    state_bits: int = 6

    @property
    def product(self) -> int:
        return self.heads * self.dim * self.bits

    @property
    def tokens(self) -> int:
        found = REGIME.sizes(self.L, self.u).tokens()
        assert found is not None
        return found


def check(claim: Inclusion) -> Checked:
    """See `check_inclusion`; with T.room, theorem A's inequalities hold for every such model.

    Supposed of the linear layers, as the paper's sizes are not here: at most 2^{3L²} before and 2^{3L²} behind each
    full layer, each with at most q(q+1) state bits, q = H·d·p (that is H·d·(d+1)·p: keys of dimension d and a
    normaliser); of the scores: P ≤ p. The lengths n are those of the golden sizes, for every even y from some number
    on, and the quotient of one such length and the next tends to 1.
    """
    return check_regime(claim)


STATEMENT = Statement(
    id="P.1.1.ours",
    title="the regime of the paper's Theorem 1.1 is inside theorem A's",
    latex=r"H\,d\,p\le n^{2^{-4L-2}}\ \Rightarrow\ (C_\ell),(E_\ell),(F)\text{ of theorem A at golden sizes of }n"
    r"\text{ tokens},\quad \tfrac1{F_{2L+1}-2}>2^{-4L-2}",
    english="At golden sizes of n tokens theorem A's inequalities hold for every hybrid of the paper's regime.",
    subject=REGIME,
    check=check,
    twins={
        "H·d·p up to n^(1/4)": Inclusion(Rule.A, lambda _L: 2, REGIME.layers_log2),
        "H·d·p up to n^(2^(-L-2))": Inclusion(Rule.A, lambda L: L + 2, REGIME.layers_log2),
        "2^(100·2^(4L+2)) linear layers": Inclusion(Rule.A, REGIME.roots, lambda L: 100 * 2 ** (4 * L + 2)),
    },
    speaks_of=("P.1.1", "T.A"),
    rests_on=("M1", "T.golden", "T.room"),
    hypotheses=(
        Hypothesis("there are at least two tables", lambda model: model.L >= 2, outside=Model(L=1)),
        Hypothesis(
            "y ≥ L·2^(L+4)·(2⌈log2 n⌉+4)",
            lambda model: 1 << model.u >= model.L * 2 ** (model.L + 4) * (2 * (model.tokens - 1).bit_length() + 4),
            outside=Model(u=14),
        ),
        Hypothesis(
            "H·d·p ≤ n^(2^(-4L-2))",
            lambda model: inside(model.product, model.tokens, REGIME.roots(model.L)),
            outside=Model(dim=3),
        ),
        Hypothesis("P ≤ p", lambda model: model.score_bits <= model.bits, outside=Model(score_bits=2)),
        Hypothesis(
            "at most 2^(3L²) linear layers before and behind each full one",
            lambda model: model.layers_log2 <= 3 * model.L**2,
            outside=Model(layers_log2=13),
        ),
        Hypothesis(
            "a state has at most q(q+1) bits",
            lambda model: model.state_bits <= model.product * (model.product + 1),
            outside=Model(state_bits=7),
        ),
    ),
    witness=Model(),
)
