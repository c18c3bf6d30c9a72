"""Sizes at which Theorems A and B hold: the golden schedule for every L, β and Λ, and a prompt of 40 tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Any

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import (
    Parameters,
    Rule,
    bound_certificate,
    evaluate,
    fibonacci,
    golden_exponent,
    golden_parameters,
)
from separation.bounds.theorem import table_sizes
from separation.proving.kernel import check_certificate

DEEPEST = 7
"""Up to this L the exponents are compared with Coq's; the calculator's verdicts are those of LEVELS."""
LEVELS = range(2, 6)
BUDGETS = ((1, 0), (1, 1), (8, 0), (8, 8), (10**6, 10**9))
"""β and Λ_0."""
IN_TEXT = {
    Rule.A: ("T_golden_A", r"golden_base beta Lam j \^ (fib \(2 \* j\)\.\+3)", 1),
    Rule.B: ("T_golden_B", r"golden_base beta Lam j \^ (fib \(2 \* j\.\+1\)\.\+4)", 2),
}
"""The theorem, its exponent, and L − j."""


@dataclass(frozen=True)
class Schedule:
    """y = constant(L)·β; m = start·Πx; n_{L-k} = y^(F_{2k+1} − 1 + more_in_n), x_{L-k} the same with F_{2k}."""

    constant: Callable[[int], int] = lambda L: L << (L + 4)
    start: int = 6
    more_in_n: int = 1
    more_in_x: int = 1
    length: int = 2
    """The prompt has at most this·N_{L-1} tokens."""

    def point(self, rule: Rule, L: int, beta: int, first_state_bits: int) -> Parameters:
        """The calculator's golden point, or a broken twin of it."""
        y = self.constant(L) * beta
        true = golden_parameters(rule, L, y, first_state_bits)
        n = tuple(y ** (fibonacci(2 * (L - k) + 1) - 1 + self.more_in_n) for k in range(1, L))
        x = (true.x[0], *(y ** (fibonacci(2 * (L - k)) - 1 + self.more_in_x) for k in range(1, L)))
        return Parameters(self.start * prod(x), n, x)


def check_golden(schedule: Schedule) -> Checked:
    for rule, (theorem, exponent, more) in IN_TEXT.items():
        for L in range(more, DEEPEST + 1):
            coq, ours = IN_COQ.term(theorem, exponent, j=L - more) - 2, golden_exponent(rule, L)
            require(coq == ours, f"theorem {rule.value}, L = {L}: the exponent is {coq} in Coq, not {ours}")
    for rule, L, (beta, first) in product((Rule.A, Rule.B), LEVELS, BUDGETS):
        point, where = schedule.point(rule, L, beta, first), f"theorem {rule.value}, L = {L}, β = {beta}, Λ_0 = {first}"
        bits = [0 if rule is Rule.B else first] + [beta] * (L - 1 + rule.more_layers)
        broken = [each.name for each in evaluate(rule, point, beta, bits).inequalities if not each.holds]
        require(not broken, f"{where}: {', '.join(broken)} does not hold")
        tokens, last = point.tokens(), table_sizes(point.m, point.n)[-1]
        require(tokens is not None and tokens <= schedule.length * last, f"{where}: {tokens} tokens are too many")
        start = max(1, 2 * first) if rule is Rule.A else 1
        expected = 6 * start * (schedule.constant(L) * beta) ** golden_exponent(rule, L)
        require(last == expected, f"{where}: the last table has {last} entries")
    method = "T_golden_A and T_golden_B in Coq; their exponents against the calculator's, whose own sizes it certifies"
    return Checked(Status.EXHAUSTIVE, method, f"exponents for L up to {DEEPEST}, sizes for L up to {LEVELS[-1]}")


GOLDEN = Statement(
    id="T.golden",
    title="the golden schedule meets every inequality of theorems A and B",
    latex=r"x_{L-k}=y^{F_{2k}},\ n_{L-k}=y^{F_{2k+1}}\ \Rightarrow\ (E_1),\dots,(E_{L-1}),(F);\quad"
    r"N_{L-1}=c\,x_0y^{F_{2L+1}-2}\ (A),\ c\,y^{F_{2L+2}-2}\ (B),\quad n\le2N_{L-1}",
    english="For every L, β and Λ there are sizes with these exponents, y linear in β and Λ, that meet every "
    "inequality of theorem A, and of theorem B; the prompt is at most about twice its last table.",
    explanation="""
x_{L-k} = y·Π_{j>L-k} n_j and n_{L-k} = y·Π_{j≥L-k} x_j are solved by x_{L-k} = y^{F_{2k}} and n_{L-k} = y^{F_{2k+1}},
and the last table has c·x_0·y^{F_{2L+1}-2} entries in theorem A, c·y^{F_{2L+2}-2} in B, with y linear in β and Λ. Coq
has it for every L, β and Λ, with c = 16 and a y that is not the least. The calculator has c = 6, x_0 = max(1, 2Λ_0) in
A and y·W in B; with y = L·2^{L+4}·β it certifies these sizes wherever they were tried and no later Λ_t is above β
(`least_golden` searches for the least y). Each table is at least four times as long as the one before it, so a prompt
has at most 2·N_{L-1} tokens. F_{2L+1} − 2 grows like (φ/√5)·φ^{2L}.

β contains log2 n, so a prompt for heads of a given shape must be consistent with its own length: β(k) is linear in k =
⌈log2 n⌉, log2 of a power of it grows more slowly than k, and so some k has a certified prompt of at most 2^k tokens.
""",
    subject=Schedule(),
    check=check_golden,
    twins={
        "y = 2^L·β": Schedule(constant=lambda L: 1 << L),
        "m = 2·Πx": Schedule(start=2),
        "n_ℓ without the factor y": Schedule(more_in_n=0),
        "x_ℓ without the factor y": Schedule(more_in_x=0),
        "no longer than N_{L-1}": Schedule(length=1),
    },
    rests_on=("M1",),
    hypotheses=(
        Hypothesis("β is an integer ≥ 1", lambda held: held[0] >= 1, outside=(0, 2)),
        Hypothesis("there are at least two tables", lambda held: held[1] >= 2, outside=(8, 1)),
    ),
    witness=(8, 3),
)
"""The witness: β and L."""


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


def check_forty(claim: Claim) -> Checked:
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


FORTY = Statement(
    id="T.forty",
    title="impossible at 40 tokens with β = 8, Λ = 0",
    latex=r"L=2,\ \beta=8,\ \Lambda=0:\quad m=2,\ n_1=18,\ x=(1,2),\quad n=40",
    english="No model with one full layer whose messages have 8 bits solves 2-FuncComp at m = 2, n_1 = 18.",
    explanation="""
L = 2, by the free start: D_2 is below n_1·Θ_1·log2 N_1, and the kernel checks it. This is about messages of β bits,
however they arise: in the arithmetic model of D2 no full layer sends as few at this length, not even one head with d =
1, P = 0, p = 1; the shortest prompt of Theorem A found that is consistent with such a head is longer (`separation
bound --L 2 --heads 1 --dim 1 --bits 1 --score-bits 0 --theorem A`).
""",
    subject=Claim(),
    check=check_forty,
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

STATEMENTS = (GOLDEN, FORTY)
