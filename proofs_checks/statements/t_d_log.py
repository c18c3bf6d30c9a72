"""T.D.log: a simple form of theorem D's number of summary values: r ≥ B·log2((M−1)/(2B)) ≥ c·B·log2 n.

V(d,B) ≥ C(d,B) ≥ (d/B)^B. With g ≥ 2k one has d ≥ (M−1)/2, so r ≥ B·log2((M−1)/(2B)) for B ≤ (M−1)/2; with M−1 ≥
n^{1+c} and B ≤ n/2 that is r ≥ c·B·log2 n.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import sympy as sp
import z3

from proofs_checks.kit.solvers import require_no_numbers, require_relation
from proofs_checks.kit.statement import Hypothesis, Statement, Step, Steps, require
from separation.bounds import subsets, theorem_d

POWERS = (Fraction(1, 2), Fraction(1), Fraction(4))
LONGEST = 7
MOST_BLOCKS = 4
LARGEST_SET = 12


@dataclass(frozen=True)
class Layer:
    """A prompt of n tokens modulo M, M−1 ≥ n^{1+c}; blocks of B tokens, k of g opened."""

    n: int = 4
    c: Fraction = Fraction(1)
    modulus: int = 17
    block: int = 2
    opened: int = 1
    blocks: int = 2


@dataclass(frozen=True)
class Claim:
    """2^r ≥ n^{c·B·``factor``} whenever g ≥ ``share``·k and ``fill``·B ≤ n."""

    factor: Fraction = Fraction(1)
    share: int = 2
    fill: int = 2


def _half_is_closed(claim: Claim) -> None:
    """g ≥ 2k gives d ≥ u(g−k)/g ≥ u/2 = h, over all reals."""
    d, u, g, k = z3.Reals("d u g k")
    sizes = [g >= 1, k >= 0, u >= 0, claim.share * k <= g, d * g >= u * (g - k)]
    require_no_numbers([*sizes, 2 * d < u], "more than half is opened: d is below u/2")


def _factor_of_a_binomial(claim: Claim) -> None:
    """(h−i)/(B−i) ≥ h/B for i < B ≤ h, as B ≤ n/2 and h ≥ n/2."""
    h, B, i, n = z3.Reals("h B i n")
    sizes = [B >= 1, i >= 0, i < B, claim.fill * B <= n, 2 * h >= n]
    require_no_numbers([*sizes, B * (h - i) < h * (B - i)], "a factor of C(h,B) is below h/B")


def _power_of_n(claim: Claim) -> None:
    """h/B ≥ (n^{1+c}/2)/(n/2) = n^c."""
    n, c = sp.symbols("n c", positive=True)
    quotient = sp.simplify((n ** (1 + c) / 2) / (n / claim.fill) / n**c)
    require_relation(quotient >= 1, f"h/B is only {quotient}·n^c")


def _small_sets(claim: Claim) -> None:
    """V(d,B) splits over its last element, and C(d,B) ≥ (d/B)^B."""
    power = claim.factor
    for size in range(1, LARGEST_SET + 1):
        for most in range(1, LARGEST_SET + 1):
            split = subsets(size - 1, most) + subsets(size - 1, most - 1)
            require(subsets(size, most) == split, f"V({size},{most}) is not the sum over the last element")
            if most <= size:
                least = Fraction(size, most) ** (most * power.numerator)
                found = comb(size, most) ** power.denominator
                require(found >= least, f"C({size},{most}) is below ({size}/{most})^({most * power})")


def _theorem_d(claim: Claim) -> None:
    """Theorem D's own numbers for all n ≤ 7, B, k, g ≤ 4 and c = 1/2, 1, 4, as powers of integers."""
    for layer in layers(claim):
        values = theorem_d(layer.modulus, layer.block, layer.opened, layer.blocks).values
        exponent = layer.c * layer.block * claim.factor
        held = values**exponent.denominator >= layer.n**exponent.numerator
        require(held, f"{layer}: {values} summary values are less than n^({exponent})")


def layers(claim: Claim) -> Iterator[Layer]:
    """All layers that the claim covers, with the least M."""
    for n in range(2, LONGEST + 1):
        for c in POWERS:
            root = int(sp.integer_nthroot(n ** int((1 + c) * c.denominator) - 1, c.denominator)[0]) + 1
            least = root + root % 2
            for block in range(1, n // claim.fill + 1):
                for blocks in range(1, MOST_BLOCKS + 1):
                    for opened in range(min(blocks // claim.share, blocks - 1) + 1):
                        yield Layer(n, c, least + 1, block, opened, blocks)


STATEMENT = Statement(
    id="T.D.log",
    title="a simple lower bound on the summary bits of a sparse layer",
    latex=r"M-1\ge n^{1+c},\ B\le n/2,\ g\ge2k\ \Rightarrow\ r\ge\log_2\tbinom{(M-1)/2}{B}\ge B\log_2\tfrac{M-1}{2B}"
    r"\ge c\,B\log_2n",
    english="The bound of theorem D is at least c·B·log2 n bits when M−1 ≥ n^(1+c), B ≤ n/2 and g ≥ 2k.",
    subject=Claim(),
    check=Steps(
        f"every n, c, M, B, k, g; also n up to {LONGEST} in numbers",
        (
            Step("at least half is closed", _half_is_closed),
            Step("a factor of C(h, B)", _factor_of_a_binomial),
            Step("h/B ≥ n^c", _power_of_n),
            Step(f"sets of up to {LARGEST_SET} elements", _small_sets),
            Step(f"theorem D's numbers for n ≤ {LONGEST}", _theorem_d),
        ),
        {
            "from d to h": "If d = u, V(u,B) − 1 ≥ V(h,B), as V(u,B) = V(u−1,B) + V(u−1,B−1) (the last element is out "
            "or in) and u − 1 ≥ h; if h ≤ d < u, V(d,B) ≥ V(h,B); and V(h,B) ≥ C(h,B), one of its terms, as B ≤ h.",
            "the product of the factors": "C(h,B) is the product of (h−i)/(B−i) over i < B, so it is at least (h/B)^B "
            "≥ n^{cB}.",
        },
    ),
    twins={
        "log2 M for log2 n": Claim(factor=Fraction(2)),
        "a tenth more": Claim(factor=Fraction(11, 10)),
        "blocks as long as the prompt": Claim(fill=1),
        "all blocks but one opened": Claim(share=1),
    },
    speaks_of=("D3", "T.D"),
    hypotheses=(
        Hypothesis("M is odd", lambda layer: layer.modulus % 2 == 1, outside=Layer(modulus=18)),
        Hypothesis(
            "M−1 ≥ n^(1+c)",
            lambda layer: (
                (layer.modulus - 1) ** layer.c.denominator >= layer.n ** int((1 + layer.c) * layer.c.denominator)
            ),
            outside=Layer(modulus=15),
        ),
        Hypothesis("1 ≤ B ≤ n/2", lambda layer: 1 <= layer.block <= layer.n / 2, outside=Layer(block=3)),
        Hypothesis("g ≥ 2k", lambda layer: layer.blocks >= 2 * layer.opened, outside=Layer(opened=2)),
        Hypothesis("g > k", lambda layer: layer.blocks > layer.opened, outside=Layer(opened=0, blocks=0)),
    ),
    witness=Layer(),
)
