"""T.B2c.average: how often two full layers compose two, or three, random tables rightly, by the cube lemma on average.

e = z_0, with x distinct values at e, of which the k-th is there; α what a group hears. ρ_k = Pr[k | α]. For pairs of
values the Jensen–Shannon divergence averages to I(Y_e; α | Y_{<e}, z^0, z^1), which is b/m on average; and it is E[1 −
h(ρ_k/(ρ_k+ρ_k'))]. With a = xρ_k, and as φ(t) = 1−h(a/(a+t)) lies above its tangent at t = 1, E Σ_k (ρ_k − τ/x)_+ ≤
c'_τ·b/m, c'_τ = sup_{a>τ} (1−τ/a)/(1−h(1/(1+a))). With probability min(1, xρ_k/τ) a copy T with T(e) = i_k is drawn
from its law given α; the charges of B2c, or A3c, are appended; entries are distinct, n_1x/τ in expectation.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import numpy as np

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds.entropy import cube_excess, largest_share
from separation.bounds.theorem import table_sizes
from separation.bounds.theorems.cube_average import theorem_cube_average

TAUS = tuple(Fraction(*pair) for pair in ((9, 8), (3, 2), (2, 1), (4, 1), (9, 1)))
SEED, LAWS, CASES = 24, 400, 120


@dataclass(frozen=True)
class Average:
    """``factor``·c'_τ in place of c'_τ; ``layer_2``: how often w is paid for, in both layers together."""

    factor: float = 1.0
    layer_2: int = 2


def excess(laws: np.ndarray, tau: float) -> tuple[float, float]:
    """(E Σ_k (ρ_k − τ/x)_+, the average over pairs of the Jensen–Shannon divergence) of laws of α, a row for each k."""
    x = len(laws)
    weights = laws.mean(axis=0)
    rho = laws / laws.sum(axis=0)
    over = float((weights * np.maximum(rho - tau / x, 0).sum(axis=0)).sum())

    def entropy(law: np.ndarray) -> float:
        return float(-(law * np.log2(np.maximum(law, 1e-300))).sum())

    pairs = [(i, j) for i in range(x) for j in range(i)]
    spread = [entropy((laws[i] + laws[j]) / 2) - (entropy(laws[i]) + entropy(laws[j])) / 2 for i, j in pairs]
    return over, float(np.mean(spread))


def check(claim: Average) -> Checked:
    """The inequality of ρ on random and on pointed laws; the calculator's ceilings against floats."""
    rng = np.random.default_rng(SEED)
    for _ in range(LAWS):
        x, values = int(rng.integers(2, 9)), int(rng.integers(2, 9))
        laws = rng.dirichlet(np.full(values, float(rng.choice([0.02, 0.2, 1.0]))), size=x) + 1e-12
        if rng.random() < 0.5:  # one value weighs a times as much as each other one under each α: where c'_τ is met
            a = 1 / 2.0 ** rng.uniform(-6, 6)
            laws = np.ones((x, x)) + (1 / a - 1) * np.eye(x)
        laws = laws / laws.sum(axis=1, keepdims=True)
        for tau in TAUS:
            over, divergence = excess(laws, float(tau))
            most = claim.factor * float(cube_excess(tau)[0]) * divergence
            require(over <= most + 1e-9, f"τ = {tau}: {over} exceeds {most}")
    draw = Random(SEED)
    for _ in range(CASES):
        _compare(claim, draw)
    return Checked(Status.TESTED, "laws drawn at random; floats against the calculator", f"{LAWS} laws, {CASES} sizes")


def _compare(claim: Average, rng: Random) -> None:
    m, n, beta = (
        rng.randint(20, 90),
        (*([rng.randint(2, 9)] * rng.randint(0, 1)), rng.randint(4, 20)),
        rng.randint(1, 3),
    )
    middle, late, tau = rng.choice((0, 2)), rng.choice((0, 2)), rng.choice(TAUS)
    groups = rng.randint(1, n[-1])
    N, size = table_sizes(m, n), -(-n[-1] // groups)
    first = size * beta / m + middle / (m if len(n) == 1 else n[0])
    received = middle + beta * (claim.layer_2 * n[-1] + 2 * N[-2] + (m if len(n) == 2 else 0))
    kappa = groups * late / n[-1] + float(tau) * received / N[-1]
    ours = claim.factor * float(cube_excess(tau)[0]) * first + float(largest_share(1 / N[-1], kappa))
    found = float(theorem_cube_average(m, n, tau, groups, beta, (0, middle, middle + late)).value)
    require(abs(min(1.0, ours) - found) < 1e-5, f"m, n, β, τ = {m}, {n}, {beta}, {tau}: {found}, and {ours} in floats")


class Shape(NamedTuple):
    tau: Fraction = Fraction(2)
    early: int = 0


STATEMENT = Statement(
    id="T.B2c.average",
    title="how often two full layers compose two or three random tables",
    latex=r"c'_\tau\tfrac{\omega\beta+\Lambda_1}{m}+\langle\tfrac1N;\tfrac{\gamma\lambda_2}{n_1}+"
    r"\tau\tfrac{\Lambda_1+\beta(2n_1+2m)}{N}\rangle",
    english="On uniformly random inputs no model with two full layers and no R layer before the second is right more "
    "often than this, for two tables and every τ > 1; and likewise for three tables, without an R layer before the "
    "first.",
    subject=Average(),
    check=check,
    twins={
        "c'_τ less by a tenth": Average(factor=0.9),
        "layer 2 into w free": Average(layer_2=1),
    },
    rests_on=("L8", "T.B2c", "T.A3c"),
    hypotheses=(
        Hypothesis("τ is above 1", lambda shape: shape.tau > 1, Shape(tau=Fraction(1))),
        Hypothesis("no early R: Λ_0 = 0", lambda shape: shape.early == 0, Shape(early=1)),
    ),
    witness=Shape(),
)
