"""How often a model with too few bits or layers is right on random tables: Theorems C, C' and A2 on average.

What is checked of what Coq has is that the calculator's shares ⟨q;κ⟩ are those of the theorem in Coq. Another
implementation of the ceilings is in tests/certificates.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import ceil
from random import Random
from typing import Any, NamedTuple

from constructions import c1, c3
from proofs_checks.kit.coq.comparison import IN_COQ, Case, Comparison, Said, altered, arguments
from proofs_checks.kit.coq.reading import CoqText
from proofs_checks.kit.hypotheses import broken_rules
from proofs_checks.kit.statement import Checked, Hypothesis, Lazy, Statement, Status, require
from proofs_checks.statements.c3 import one_address_without_a_feature
from separation.bounds import Word, theorem_c
from separation.bounds.entropy import share_inequalities
from separation.bounds.theorems.ceiling import Term
from separation.bounds.theorems.theorem_a2 import theorem_a2_average, theorem_a2_nested, theorem_a2_union
from separation.bounds.theorems.theorem_c import theorem_c_average, theorem_c_union
from separation.tasks.funccomp import Sizes

FEW = "2 ^ lam < last_size m ns ^ last_size m ns ->"


def c_case(text: CoqText, rng: Random) -> Case:
    """2^Λ < N^N around the Λ where it ends to hold, without and with a chain of thought."""
    theorem = rng.choice(("T_C", "T_C_thought"))
    sizes = Sizes(rng.randint(2, 5), tuple(rng.randint(1, 3) for _ in range(rng.randint(0, 3))))
    N = sizes.N[-1]
    bits = max(0, (N**N - 1).bit_length() + rng.randint(-2, 1))
    found = theorem_c(sizes, bits)
    coq = text.compared(theorem, lam=bits, m=sizes.m, ns=list(sizes.n))
    return f"{sizes}, {bits} bits", coq, [Said(2**bits, N**N, found.certified)]


C = Statement(
    id="T.C",
    title="R alone needs the bits of the last table",
    latex=r"\Lambda\ge N_{L-1}\log_2 N_{L-1}",
    english="A word without F solves FuncComp only with a state of N·log2 N bits, with any chain of thought.",
    explanation="""
A word over R alone, with a chain of thought of any length, needs Λ ≥ N_{L-1}·log2 N_{L-1} bits: with identities for
z_1, …, z_{L-1} every entry of z_L can be asked for (`identities_answer` in Coq), and all that is known of z_L passes
one boundary. A generated token is a function of the state, and reading it adds nothing. C3 has N^N states for the last
table, so no fewer are needed.
""",
    subject=IN_COQ,
    check=Comparison("T_C and T_C_thought", c_case, "L up to 4, at the edge"),
    twins={
        "one bit does not count": altered(FEW, FEW.replace("2 ^ lam", "2 ^ lam.-1")),
        "N tables": altered(FEW, "2 ^ lam < last_size m ns ->"),
        "the first table": altered(FEW, "2 ^ lam < m ^ m ->"),
    },
    applies_to=("D1",),
    rests_on=("L",),
    hypotheses=(
        Hypothesis(
            "the word has no F", lambda subject: "F" not in subject.model.word, Lazy(lambda: c1.build(Sizes(2, (3,))))
        ),
        Hypothesis(
            "every input is answered right",
            lambda subject: not broken_rules(subject),
            Lazy(lambda: one_address_without_a_feature(Sizes(2, (3,)))),
        ),
    ),
    witness=Lazy(lambda: c3.build(Sizes(2, (3,)))),
)


DENOMINATOR = 61
"""A prime: every a/b is in lowest terms."""
AGREEING = "minn (N ^ N) (2 ^ lam * agreeing N a)"


def check_c_average(text: CoqText) -> Checked:
    """The calculator's sum is that of T_C_prime, and it proves ⟨1/N; Λ/N⟩ ≤ a/b where T_C_prime_closed has it."""
    for N, bits in product(range(2, 9), range(9)):
        where, coq = f"N = {N}, Λ = {bits}", union_in_coq(text, N, bits)
        said = theorem_c_union(N, (), bits).value
        require(coq <= said <= coq + Fraction(1, 10**9), f"{where}: the sum is {coq} in Coq, not {said}")
        (term,) = theorem_c_average(N, (), bits).terms
        require_same_share(where, term, partial(closed_in_coq, text, N, bits))
    return Checked(
        Status.EXHAUSTIVE,
        "T_C_prime and T_C_prime_closed in Coq; the sum and the share against the calculator's",
        f"N up to 8, all shares a/{DENOMINATOR}",
    )


@cache
def union_in_coq(text: CoqText, N: int, bits: int) -> Fraction:
    """What T_C_prime says of one input that is right: both of its sides are times N^(N+1) and the number of inputs."""
    counted: dict[str, Any] = {
        "right_inputs": lambda *_: lambda *_: lambda *_: 1,
        "all_inputs": lambda *_: lambda *_: [0],
    }
    found = text.concluded("T_C_prime", lam=bits, m=N, ns=[], md=None, **counted)
    return Fraction(found.right, found.left)


def closed_in_coq(text: CoqText, N: int, bits: int, a: int, K: int) -> bool:
    """With K; and with a smaller one if the text lets it pass."""
    sizes = {"lam": bits, "m": N, "ns": [], "a": a, "b": DENOMINATOR}
    return any(all(each.holds for each in text.compared("T_C_prime_closed", K=k, **sizes)) for k in (K, K // 2))


def require_same_share(where: str, term: Term, in_coq: Callable[[int, int], bool]) -> None:
    """⟨q;κ⟩ ≤ a/b is proved by the calculator where Coq has it with K = ⌈b·κ⌉, for every a/b above q."""
    for a in range(int(DENOMINATOR * term.q) + 1, DENOMINATOR):
        proved = share_inequalities(term.q, term.kappa, Fraction(a, DENOMINATOR))
        same = in_coq(a, ceil(DENOMINATOR * term.kappa)) == all(each.holds for each in proved)
        require(same, f"{where}: ⟨{term.q}; {term.kappa}⟩ ≤ {a}/{DENOMINATOR} differs in Coq")


class OnTables(NamedTuple):
    """A word of layers, and whether tables and query are uniform and independent."""

    word: str
    uniform: bool


C_AVERAGE = Statement(
    id="T.C.average",
    title="how often R alone is right on random tables, with any chain of thought",
    latex=r"\text{accuracy}\le\frac1N\sum_{a=1}^{N}\min(1,2^\Lambda\Pr[\mathrm{Bin}(N,\tfrac1N)\ge a])"
    r"\le\langle\tfrac1N;\tfrac{\Lambda}{N}\rangle,\quad N=N_{L-1}",
    english="On uniformly random inputs a word in R alone with Λ state bits is right at most this often, with any "
    "chain of thought; so is one full layer with one table, Λ being β + Λ_1.",
    explanation="""
N = N_{L-1}: the accuracy is at most (1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N,1/N) ≥ a]) ≤ ⟨1/N; Λ/N⟩. The asked index is
uniform and independent of z_L, and each state fixes a word of N answers: a union bound over 2^Λ words. For one full
layer and one table Λ stands for β + Λ_1. Random code words come close; storing Λ/log2 N entries is worse.
""",
    subject=IN_COQ,
    check=check_c_average,
    twins={
        "half of the words": altered(AGREEING, AGREEING.replace("lam", "lam.-1")),
        "agreement in more than a places": altered(
            r"\sum_(a <= j < N.+1) 'C(N, j)", r"\sum_(a.+1 <= j < N.+1) 'C(N, j)"
        ),
        "a word of N answers agrees with itself alone": altered(AGREEING, "minn (N ^ N) (2 ^ lam)"),
        "Λ/N², a share of a share": altered("b * lam <= K * N &", "b * lam <= K * N * N &"),
        "2Λ/N": altered("closed_bound (last_size m ns) lam", "closed_bound (last_size m ns) (2 * lam)"),
    },
    applies_to=("D1",),
    hypotheses=(
        Hypothesis("the word has no F", lambda shape: Word.parse(shape.word).full == 0, OnTables("RF", True)),
        Hypothesis("tables, z_0 and w are uniform and independent", lambda shape: shape.uniform, OnTables("RR", False)),
    ),
    witness=OnTables("RR", True),
)


INNER = "closed_bound (m * n1) (lam 0 + m * lam 1 + beta * n1)"


class TwoTables(NamedTuple):
    """m, n_1, β, Λ_0 and λ_1 = Λ_1 − Λ_0."""

    m: int
    n1: int
    beta: int
    early: int
    late: int


CALCULATED = (
    TwoTables(64, 8, 8, 8, 0),
    TwoTables(64, 8, 8, 0, 8),
    TwoTables(16, 4, 3, 2, 1),
    TwoTables(40, 1, 8, 0, 0),
    TwoTables(8, 2, 1, 0, 0),
)


def check_a2_average(text: CoqText) -> Checked:
    """The shares and the union form are those of T_A2_average_early and T_A2_average.

    With τ > 1, which is not in Coq, the calculator has the same κ, but for τ on what is heard.
    """
    for of in CALCULATED:
        sizes, states = (of.m, of.n1), (of.early, of.early + of.late)
        inner, *outer = theorem_a2_nested(*sizes, of.beta, states).terms
        (N, bits), (m, known) = shares_in_coq(text, of)
        require((inner.q, inner.kappa) == (Fraction(1, N), Fraction(bits, N)), f"{of}: the inner share differs in Coq")
        require(
            [each.kappa for each in outer] == [Fraction(known, m)] * bool(of.early), f"{of}: the outer share differs"
        )
        if not of.early:
            numbers = {"m": of.m, "n1": of.n1, "beta": of.beta, "lam": (0, of.late).__getitem__}
            union = text.term("T_A2_average", r"2 \^ \((.*?)\) \* agreeing", **numbers)
            said = dict(theorem_a2_union(*sizes, of.beta, states).parameters)
            require(said["bits"] == union, f"{of}: the union form has {union} bits in Coq")
        tau = Fraction(5, 4)
        (heard,) = theorem_a2_average(*sizes, tau, of.beta, states).terms
        late = Fraction(of.late, of.n1)
        require(heard.kappa == late + tau * (inner.kappa - late), f"{of}: κ is {heard.kappa} at τ = {tau}")
    return Checked(
        Status.TESTED,
        "T_A2_average and T_A2_average_early in Coq; their shares against the calculator's",
        f"{len(CALCULATED)} sizes of the calculator",
    )


def shares_in_coq(text: CoqText, of: TwoTables) -> tuple[list[int], list[int]]:
    """Entries and bits of ⟨1/N; bits/N⟩ and of ⟨·; bits/m⟩."""
    sizes = {"m": of.m, "n1": of.n1, "beta": of.beta, "lam": (of.early, of.late).__getitem__}
    numbers = {**sizes, "g": 1, "h": 2, "K": 0, "a": 1, "b": 1, "K'": 0}
    inner = arguments(text, "T_A2_average_early", "closed_bound", 5, **numbers)
    return inner[:2], arguments(text, "T_A2_average_early", "closed_share", 7, **numbers)[2:4]


class AtTau(NamedTuple):
    word: str
    tau: Fraction
    numbers: TwoTables


OF_A2 = AtTau("RF", Fraction(2), TwoTables(64, 8, 8, 8, 0))
A2_AVERAGE = Statement(
    id="T.A2.average",
    title="how often one full layer composes two random tables rightly",
    latex=r"\text{accuracy}\le c_\tau\frac{\Lambda_0}{m}+\Bigl\langle\frac1N;\frac{\Lambda_1-\Lambda_0}{n_1}"
    r"+\frac{\tau(\beta n_1+\Lambda_0)}{N}\Bigr\rangle,\quad "
    r"c_\tau=\max_{y>\tau}\frac{y-\tau}{y\log_2y-(y-1)\log_2\mathsf{e}}",
    english="On uniformly random tables, z_0 and w a model with one full layer, randomised or not, is right at most so "
    "often, for every τ > 1, and at most as often as ⟨⟨1/N; κ⟩; Λ_0/m⟩ with τ = 1 in κ; without R before the full "
    "layer also at most as often as the union bound with m·Λ_1 + β·n_1 bits says.",
    explanation="""
For every τ > 1 the accuracy on uniformly random inputs is at most c_τ·Λ_0/m + ⟨1/N; (Λ_1−Λ_0)/n_1 + τ(β·n_1+Λ_0)/N⟩,
where ⟨q;κ⟩ is the largest p ≥ q with D(p‖q) ≤ κ (binary relative entropy, in bits) and c_τ = max_{y>τ} (y−τ)/(y·log2
y−(y−1)·log2 𝖾). It is also at most ⟨⟨1/N; (Λ_1−Λ_0)/n_1 + (β·n_1+Λ_0)/N⟩; Λ_0/m⟩ (Coq: T_A2_average_early), and
without R before F at most (1/N)·Σ_a min(1, 2^I·Pr[Bin(N,1/N) ≥ a]), I = m·Λ_1 + β·n_1 (Coq: T_A2_average). Randomised
models are averages of deterministic ones, so it holds for them too.
""",
    subject=IN_COQ,
    check=check_a2_average,
    twins={
        "late states are free": altered(INNER, INNER.replace(" + m * lam 1", "")),
        "what w hears is free": altered(INNER, INNER.replace(" + beta * n1", "")),
        "the first state is free": altered("closed_share g h m (lam 0) a b K'", "closed_share g h m 0 a b K'"),
        "late states are free in the union form": altered("2 ^ (m * lam 1 + beta * n1) * agr", "2 ^ (beta * n1) * agr"),
        "z_0's token is charged too": altered(INNER, INNER.replace("beta * n1", "beta * n1.+1")),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2",),
    hypotheses=(
        Hypothesis(
            "the word has one full layer", lambda case: Word.parse(case.word).full == 1, OF_A2._replace(word="RFF")
        ),
        Hypothesis(
            "τ > 1, or τ = 1 and Λ_0 = 0",
            lambda case: case.tau > 1 or (case.tau == 1 and case.numbers.early == 0),
            OF_A2._replace(tau=Fraction(1)),
        ),
    ),
    witness=OF_A2,
)

STATEMENTS = (C, C_AVERAGE, A2_AVERAGE)
