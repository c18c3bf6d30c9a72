"""T.agree: in A3, A_L, A_W and B_L copies of a table need only agree on states: no charge for the new boundary.

S_2 = Θ_1λ_1 (B_L: Θ_1λ_2), and S_{ℓ+1} = (Λ_{ℓ-1}−Λ_0) + X_ℓλ_ℓ are the states that step ℓ charges: into the new
boundary, and late. The theorems hold with D'_2 = D_2 − S_2, D'_{ℓ+1} = 1 + x_ℓD'_ℓ + (x_ℓ−1)S_ℓ + β[…], the exponent
x_ℓ(P+D'_ℓ) + (x_ℓ−1)S_ℓ + 1 in (E_ℓ), and P + D'_L + S_L in (F). Here D'_ℓ + S_ℓ is at most the D_ℓ of the same theorem
without Λ_{ℓ-1}−Λ_0 in all steps, as X_ℓλ_ℓ − (S_{ℓ+1}−S_ℓ) = (X_{ℓ-1}−1)λ_{ℓ-1} ≥ 0: so they hold without the new
boundary. In D' itself the new boundary is needed.

*Proof.* Level ℓ keeps a set 𝒬 ⊆ 𝒬_L×…×𝒬_ℓ of relative density at least 2^{-D'_ℓ} on which the soft messages of all
steps before are constant; their states are not, but on the part of 𝒬 with one value of S_ℓ all is as in A_L. Step: for
given z_{>ℓ} let p_s be the share of z_ℓ ∈ 𝒬_ℓ with (z_ℓ, z_{>ℓ}) ∈ 𝒬 and S_ℓ = s. That x_ℓ draws are in 𝒬 and agree on
S_ℓ has probability Σ_s p_s^x ≥ 2^{-(x-1)S_ℓ}·(Σ_s p_s)^x, on average at least 2^{-xD'_ℓ-(x-1)S_ℓ}; (E_ℓ) covers as
before. Now what w and the tables below ℓ know depends on z_{>ℓ} and on their copies, but not on which draw of z_ℓ it
is: so the soft messages of step ℓ are as many as in A_L, and become constant for β[…] bits. The states of S_ℓ *follow*
from S_{ℓ+1}, the copies and constants, layer by layer: those into player ℓ−1 from the same blocks' states into player ℓ
and from what its tokens heard; block ℓ−1 into w from its state into player ℓ and from all tokens behind that, to which
layer ℓ−1 says constants. That is level ℓ+1. At the end S_L is made constant too. ∎
"""

from __future__ import annotations

from itertools import product
from random import Random

import sympy

from proofs_checks.kit.agreeing_copies import Agreeing, all_agree, states_follow
from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import BOUNDARY, Recursion, Sharper
from proofs_checks.kit.statement import Checked, Statement, Status, require
from proofs_checks.kit.window_flow import fixed_messages, require_blind
from proofs_checks.statements import t_al, t_bl

TABLES = range(3, 8)
MOST_COUNT, VALUES, MOST_DRAWS = 4, range(1, 4), 4
SEEDED_CASES = 300
CASES = (
    DelayedCase("A", "RFRFR", seed=1),
    DelayedCase("A", "FRF", seed=1),
    DelayedCase("B", "FFRFR", seed=1, starts=2),
)


def check(claim: Agreeing) -> Checked:
    """Draws agree so often; states follow from the next boundary; no more is charged than without it; protocols.

    1. *Agreement.* Σ_s c_s^x·S^(x−1) ≥ (Σ_s c_s)^x, for all c_s up to 4 and S up to 3, x up to 4.
    2. *Flow.* For 3 to 7 tables, with all messages of A_W: each fixed state of a step but the last follows from the
       others, and none of the last step does.
    3. *Transcripts.* In random models of three words the states into w are a function of the copies, the states into
       the boundary and what tables 1, 2 and z_0 hear from table 3; without the boundary they are not.
    4. *Recursion.* X_ℓλ_ℓ − (S_{ℓ+1}−S_ℓ) = (X_{ℓ-1}−1)λ_{ℓ-1} in symbols; on seeded cases with up to four tables
       D'_ℓ + S_ℓ and the exponents of (E_ℓ) are at most those of A_L and B_L without the boundary.
    5. *Protocols.* None of T.AL and T.BL that solves is forbidden.
    """
    for count in VALUES:
        for counts, x in product(product(range(MOST_COUNT + 1), repeat=count), range(1, MOST_DRAWS + 1)):
            require(all_agree(counts, x, claim.spared), f"{x} draws of values with {counts} members agree less often")
    for tables in TABLES:
        for message, follows in require_blind(tables, fixed_messages(tables)).items():
            of_last = message.step == tables - 1
            require(
                follows != of_last, f"{tables} tables: {message.name} {'follows' if of_last else 'does not follow'}"
            )
    for case in CASES:
        require(states_follow(case), f"{case.word}: the states into w do not follow")
    require(not all(states_follow(case, boundary=False) for case in CASES), "they follow without the boundary")
    require(_saved() == 0, "the new boundary is not what agreement saves")
    _require_no_more(claim)
    for kind, solved in (("A", (*t_al.solved(), *t_al.solved_on_families())), ("B", t_bl.solved())):
        for name, of in solved:
            require(not claim.forbids(of, kind), f"{name}: solves {of}, which is called impossible")
    return Checked(
        Status.EXHAUSTIVE,
        "draws counted; knowledge followed through all layers; transcripts; the proof is in the text",
        f"{TABLES.start} to {TABLES.stop - 1} tables for the flow, 3 in {len(CASES)} models' transcripts; "
        f"{SEEDED_CASES} seeded cases of each kind",
    )


def _saved() -> sympy.Expr:
    """X_ℓλ_ℓ − (S_{ℓ+1}−S_ℓ) − (X_{ℓ-1}−1)λ_{ℓ-1}."""
    before, here, below, copies, x = sympy.symbols("lambda_before lambda_here Lambda_below X x")
    late, earlier = x * copies * here, copies * before
    boundary, last_boundary = below + before, below
    return sympy.expand(late - ((boundary + late) - (last_boundary + earlier)) - (copies - 1) * before)


def _require_no_more(claim: Agreeing) -> None:
    """D'_ℓ + S_ℓ ≤ D_ℓ without the boundary, (E_ℓ) likewise; and in some case less than with x_ℓ·S_ℓ."""
    rng, less = Random(12), 0
    for kind, drawn in (("A", t_al.THEOREM.drawn), ("B", t_bl.THEOREM.drawn)):
        for _ in range(SEEDED_CASES):
            of: Sharper = drawn(rng)
            ours, theirs = claim.levels(of, kind), Agreeing(0, frozenset({BOUNDARY})).levels(of, kind)
            for level, other in zip(ours, theirs, strict=True):
                fits = level.all <= other.all and level.cover <= other.cover
                require(fits, f"{of}: {level} is more than {other}, without the boundary")
                less += level.all < other.all
            without = Recursion(frozenset({BOUNDARY}))
            forbidden = without.a_l(of) if kind == "A" else without.b_l(of)
            same = Agreeing(0, frozenset({BOUNDARY})).forbids(of, kind)
            require(same == forbidden, f"{of}: the recursion without the boundary is another here")
            require(not forbidden or claim.forbids(of, kind), f"{of}: forbidden without the boundary, not by agreement")
    require(less > 0, "agreement never saves anything")


STATEMENT = Statement(
    id="T.agree",
    title="copies of a table agree on states: the new boundary is not charged",
    latex=r"D'_{\ell+1}=1+x_\ell D'_\ell+(x_\ell-1)S_\ell+\beta[\dots],\quad "
    r"S_{\ell+1}=(\Lambda_{\ell-1}-\Lambda_0)+X_\ell\lambda_\ell,\quad 2^{P+D'_L+S_L}<N_{L-1}^{n_{L-1}\Theta_{L-1}}",
    english="Theorems A3, A_L, A_W and B_L hold with states charged once less for the draws of a table, and so they "
    "hold without the charge for the states into the new boundary.",
    subject=Agreeing(),
    check=check,
    twins={
        "two draws less are charged": Agreeing(spared=2),
        "the boundary is not charged here either": Agreeing(free=frozenset({BOUNDARY})),
        "the last states are not charged": Agreeing(at_the_end=False),
        "nothing is saved": Agreeing(spared=0),
    },
    speaks_of=("D1", "D2"),
    rests_on=("T.A3", "T.AL", "T.AW", "T.BL"),
    hypotheses=t_al.STATEMENT.hypotheses,
    witness=t_al.STATEMENT.witness,
)
