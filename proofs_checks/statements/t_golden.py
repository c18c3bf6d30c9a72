"""T.golden: the golden schedule: for every L, β and Λ sizes that satisfy theorems A and B, polynomial in β and Λ.

x_{L-k} = y·Π_{j>L-k} n_j and n_{L-k} = y·Π_{j≥L-k} x_j are solved by x_{L-k} = y^{F_{2k}} and n_{L-k} = y^{F_{2k+1}},
and the last table has c·x_0·y^{F_{2L+1}-2} entries in theorem A, c·y^{F_{2L+2}-2} in B, with y linear in β and Λ. Coq
has it for every L, β and Λ, with c = 16 and a y that is not the least. The calculator has c = 6, x_0 = max(1, 2Λ_0) in
A and y·W in B; with y = L·2^{L+4}·β it certifies these sizes wherever they were tried and no later Λ_t is above β
(`least_golden` searches for the least y). Each table is at least four times as long as the one before it, so a prompt
has at most 2·N_{L-1} tokens. F_{2L+1} − 2 grows like (φ/√5)·φ^{2L}.

β contains log2 n, so a prompt for heads of a given shape must be consistent with its own length: β(k) is linear in k =
⌈log2 n⌉, log2 of a power of it grows more slowly than k, and so some k has a certified prompt of at most 2^k tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from math import prod

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Parameters, Rule, evaluate, fibonacci, golden_exponent, golden_parameters
from separation.bounds.theorem import table_sizes

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


def check(schedule: Schedule) -> Checked:
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


STATEMENT = Statement(
    id="T.golden",
    title="the golden schedule meets every inequality of theorems A and B",
    latex=r"x_{L-k}=y^{F_{2k}},\ n_{L-k}=y^{F_{2k+1}}\ \Rightarrow\ (E_1),\dots,(E_{L-1}),(F);\quad"
    r"N_{L-1}=c\,x_0y^{F_{2L+1}-2}\ (A),\ c\,y^{F_{2L+2}-2}\ (B),\quad n\le2N_{L-1}",
    english="For every L, β and Λ there are sizes with these exponents, y linear in β and Λ, that meet every "
    "inequality of theorem A, and of theorem B; the prompt is at most about twice its last table.",
    subject=Schedule(),
    check=check,
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
