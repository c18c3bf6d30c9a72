"""T.C.average: how often R layers alone, with any chain of thought, answer rightly.

N = N_{L-1}: the accuracy is at most (1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N,1/N) ≥ a]) ≤ ⟨1/N; Λ/N⟩. The asked index is
uniform and independent of z_L, and each state fixes a word of N answers: a union bound over 2^Λ words. For one full
layer and one table Λ stands for β + Λ_1. Random code words come close; storing Λ/log2 N entries is worse.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any, NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word
from separation.bounds.entropy import share_inequalities
from separation.bounds.theorems.theorem_c import theorem_c_average, theorem_c_union


class Claim(NamedTuple):
    """Bounds on the accuracy at N entries and Λ bits: ``union``, and ``share`` ≥ it at which D(share‖1/N) ≥ Λ/N."""

    union: Callable[[int, int], Fraction]
    share_bits: Callable[[int, int], Fraction]


def union(N: int, bits: int) -> Fraction:
    """(1/N)·Σ_{a=1..N} min(1, 2^Λ·Pr[Bin(N, 1/N) ≥ a]), by counting the words that agree in a places or more."""
    agreeing = [sum(comb(N, j) * (N - 1) ** (N - j) for j in range(a, N + 1)) for a in range(1, N + 1)]
    return Fraction(sum(min(N**N, 2**bits * count) for count in agreeing), N ** (N + 1))


def check(claim: Claim) -> Checked:
    """What is claimed is what Coq proves and what the calculator certifies.

    1. *Coq.* The sum is that of T_C_prime, read from the Coq files.
    2. *The second inequality*: at the share that the calculator certifies, D(share‖1/N) ≥ Λ/N, in integers, and the sum
       is not above it; at a share that is a thousandth smaller that D is not proved.
    3. *The calculator* gives the sum, rounded up by less than 10^-9, at sizes with several tables too.
    """
    for N, bits in product(range(2, 9), range(9)):
        require(claim.union(N, bits) == _in_coq(N, bits), f"N = {N}, Λ = {bits}: the sum is {_in_coq(N, bits)} in Coq")
    for m, n, bits in ((8, (), 8), (4, (4,), 16), (3, (2, 2), 5), (16, (16,), 256)):
        N = m * (n[0] if n else 1) * (n[1] if len(n) > 1 else 1)
        said, ours = theorem_c_union(m, n, bits).value, claim.union(N, bits)
        require(ours <= said <= ours + Fraction(1, 10**9), f"N = {N}, Λ = {bits}: the calculator says {float(said)}")
        share = theorem_c_average(m, n, bits).value
        require(ours <= share, f"N = {N}, Λ = {bits}: {float(share)} is below the sum {float(ours)}")
        kappa = claim.share_bits(N, bits)
        require(_proved(N, kappa, share), f"N = {N}, Λ = {bits}: D(share‖1/N) ≥ {kappa} is not proved")
        smaller = share * Fraction(999, 1000)
        require(not _proved(N, kappa, smaller), f"N = {N}, Λ = {bits}: a smaller share than the calculator's is proved")
    return Checked(
        Status.EXHAUSTIVE,
        "T_C_prime in Coq; its sum against the calculator's",
        "N up to 8 against Coq; calculator up to N = 256",
    )


@cache
def _in_coq(N: int, bits: int) -> Fraction:
    """What T_C_prime says of one input that is right: both of its sides are times N^(N+1) and the number of inputs."""
    counted: dict[str, Any] = {
        "right_inputs": lambda *_: lambda *_: lambda *_: 1,
        "all_inputs": lambda *_: lambda *_: [0],
    }
    left, right = (IN_COQ.side("T_C_prime", place, lam=bits, m=N, ns=[], md=None, **counted) for place in (0, 1))
    return Fraction(right, left)


def _proved(N: int, kappa: Fraction, share: Fraction) -> bool:
    return all(inequality.holds for inequality in share_inequalities(Fraction(1, N), kappa, share))


class Shape(NamedTuple):
    """A word of layers, and whether tables and query are uniform and independent."""

    word: str
    uniform: bool


STATEMENT = Statement(
    id="T.C.average",
    title="how often R alone is right on random tables, with any chain of thought",
    latex=r"\text{accuracy}\le\frac1N\sum_{a=1}^{N}\min(1,2^\Lambda\Pr[\mathrm{Bin}(N,\tfrac1N)\ge a])"
    r"\le\langle\tfrac1N;\tfrac{\Lambda}{N}\rangle,\quad N=N_{L-1}",
    english="On uniformly random inputs a word in R alone with Λ state bits is right at most this often, with any "
    "chain of thought; so is one full layer with one table, Λ being β + Λ_1.",
    subject=Claim(union, lambda N, bits: Fraction(bits, N)),
    check=check,
    twins={
        "half of the words": Claim(
            lambda N, bits: union(N, bits - 1) if bits else union(N, 0) / 2, lambda N, b: Fraction(b, N)
        ),
        "agreement in more than a places": Claim(
            lambda N, bits: union(N, bits) - Fraction(min(N**N, 2**bits * (N**N - (N - 1) ** N)), N ** (N + 1)),
            lambda N, b: Fraction(b, N),
        ),
        "stored entries are all that counts": Claim(
            lambda N, bits: Fraction(bits // (N.bit_length() - 1), N) + Fraction(1, N), lambda N, b: Fraction(b, N)
        ),
        "Λ/N², a share of a share": Claim(union, lambda N, bits: Fraction(bits, N * N)),
        "2Λ/N": Claim(union, lambda N, bits: Fraction(2 * bits, N)),
    },
    applies_to=("D1",),
    hypotheses=(
        Hypothesis("the word has no F", lambda shape: Word.parse(shape.word).full == 0, Shape("RF", True)),
        Hypothesis("tables, z_0 and w are uniform and independent", lambda shape: shape.uniform, Shape("RR", False)),
    ),
    witness=Shape("RR", True),
)
