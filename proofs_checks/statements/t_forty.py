"""T.forty: for two tables and β = 8 a prompt of 40 tokens is certified impossible for one full layer, by the kernel.

L = 2, by the free start: D_2 is below n_1·Θ_1·log2 N_1, and the kernel checks it. This is about messages of β bits,
however they arise: in the arithmetic model of D2 no full layer sends as few at this length, not even one head with d =
1, P = 0, p = 1; the shortest prompt of Theorem A found that is consistent with such a head is longer (`separation
bound --L 2 --heads 1 --dim 1 --bits 1 --score-bits 0 --theorem A`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Parameters, Rule, bound_certificate, evaluate
from separation.proving.kernel import check_certificate


@dataclass(frozen=True)
class Claim:
    """One full layer with messages of β bits does not solve 2-FuncComp at sizes m and n_1: a prompt of ``tokens``."""

    beta: int = 8
    m: int = 2
    n: int = 18
    tokens: int = 40
    x: tuple[int, int] = (1, 2)
    state_bits: int = 0


def certificate(claim: Claim) -> dict[str, Any]:
    """The calculator's certificate at the true sizes, overwritten with the numbers of the claim."""
    true = evaluate(Rule.A_FREE, Parameters(2, (18,), (1, 2)), 8, (0, 0))
    document = bound_certificate(true)
    document["claim"] |= {"beta": claim.beta, "tokens": claim.tokens, "lambda": [0, claim.state_bits]}
    document["claim"]["task"] |= {"m": claim.m, "n": [claim.n]}
    document["choice"]["x"] = list(claim.x)
    return document


def check(claim: Claim) -> Checked:
    """Every inequality of T_A_free in Coq holds at these numbers, and the kernel accepts the certificate."""
    require(claim.m * (1 + claim.n) + 2 == claim.tokens, f"the prompt has {claim.m * (1 + claim.n) + 2} tokens")
    sizes = {"beta": claim.beta, "Lam": (0, claim.state_bits).__getitem__, "m": claim.m, "ns": [claim.n]}
    coq = IN_COQ.compared("T_A_free", x0=claim.x[0], x1=claim.x[1], cs=[], **sizes)
    require(all(each.holds for each in coq), "an inequality of T_A_free in Coq does not hold")
    verdict = check_certificate(certificate(claim))
    require(verdict.ok, f"the kernel refuses: {verdict.message}")
    return Checked(
        Status.EXHAUSTIVE,
        "T_forty in Coq; the inequalities of T_A_free in Coq; the kernel on the certificate",
        "L = 2, β = 8, Λ = 0, 40 tokens",
    )


STATEMENT = Statement(
    id="T.forty",
    title="impossible at 40 tokens with β = 8, Λ = 0",
    latex=r"L=2,\ \beta=8,\ \Lambda=0:\quad m=2,\ n_1=18,\ x=(1,2),\quad n=40",
    english="No model with one full layer whose messages have 8 bits solves 2-FuncComp at m = 2, n_1 = 18.",
    subject=Claim(),
    check=check,
    twins={
        "β = 9": Claim(beta=9),
        "39 tokens": Claim(tokens=39),
        "n_1 = 17, 38 tokens": Claim(n=17, tokens=38),
        "x_1 = 3": Claim(x=(1, 3)),
        "x_0 above m": Claim(x=(3, 2)),
        "a state of 64 bits": Claim(state_bits=64),
    },
    rests_on=("T.A",),
    hypotheses=(
        Hypothesis("x_0 ≤ m", lambda held: held.x[0] <= held.m, outside=Claim(x=(3, 2))),
        Hypothesis("Λ_0 = Λ_1 = 0", lambda held: held.state_bits == 0, outside=Claim(state_bits=1)),
        Hypothesis("(F) holds", lambda held: check_certificate(certificate(held)).ok, outside=replace(Claim(), beta=9)),
    ),
    witness=Claim(),
)
