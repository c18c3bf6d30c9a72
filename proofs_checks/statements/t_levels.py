"""T.levels: the bits that theorems A and B fix at each level, in the closed form of the theory.

On the way from level ℓ to ℓ+1 each message is charged β bits for every token that hears it and every input that its
receiver may know: player ℓ's in the layers 1..h for each of its x_ℓ tables, those of the players i < ℓ in layer h for
each (z_i, …, z_{ℓ-1}), the query's once more for each w; h is ℓ in theorem A and ℓ+1 in B. Coq has the recursion, and
its proof that nothing else must be fixed (`layers_step`); here its D_{ℓ+1} is compared with the closed form.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Word

CASES, MOST_TABLES = 150, 6
Bracket = Callable[["Level"], int]


class Level(NamedTuple):
    """ℓ, the number h of layers in which player ℓ hears, W, x_0, x_1, … and N_0, N_1, …"""

    number: int
    layers: int
    queries: int
    x: Sequence[int]
    N: Sequence[int]

    def copies(self, player: int) -> int:
        """x_i⋯x_{ℓ-1}."""
        return prod(self.x[player : self.number])


def bracket(at: Level) -> int:
    """h·x_ℓ·N_{ℓ-1} + (W+1)·x_0⋯x_{ℓ-1} + Σ_{i=1..ℓ-1} x_i⋯x_{ℓ-1}·N_{i-1}; x_0·x_1 more in B's first step."""
    below = sum(at.copies(i) * at.N[i - 1] for i in range(1, at.number))
    pairs = at.x[0] * at.x[1] if at.layers > at.number == 1 else 0
    return at.layers * at.x[at.number] * at.N[at.number - 1] + (at.queries + 1) * at.copies(0) + below + pairs


def told(
    claim: Bracket, theorem: str, sizes: tuple[int, list[int]], x: Sequence[int], beta: int, bits: list[int]
) -> int:
    """D_L by the closed form."""
    (m, n), more = sizes, theorem == "B"
    W, N = prod(n), [m * prod(n[:level]) for level in range(len(x))]
    D = beta * W + bits[1] if more else bits[0]
    for level in range(1, len(x)):
        D = x[level] * D + 1 + bits[level + more] + beta * claim(Level(level, level + more, W, x, N))
    return D


def check(claim: Bracket) -> Checked:
    """D_L of Coq's recursion is that of the closed form, at every number of tables; Θ_ℓ = 1 in all of them."""
    rng = Random(2)
    for number in range(CASES):
        L, theorem = 2 + number % (MOST_TABLES - 1), "AB"[number // (MOST_TABLES - 1) % 2]
        n, x = ([rng.randint(1, 3) for _ in range(count)] for count in (L - 1, L))
        m, beta, bits = rng.randint(3, 5), rng.randint(1, 3), [0, *(rng.randint(0, 4) for _ in range(L))]
        first = {"x1": x[1], "th1": 1} if theorem == "B" else {}
        copies = [(kept, 1) for kept in x[2 if first else 1 :]]
        coq = IN_COQ.compared(f"T_{theorem}", beta=beta, Lam=bits.__getitem__, m=m, ns=n, x0=x[0], cs=copies, **first)
        D, ours = coq[-1].left.bit_length() - 1, told(claim, theorem, (m, n), x, beta, bits)
        require(ours == D, f"theorem {theorem}, m, n, x = {m}, {n}, {x}: D_{L} is {D} in Coq, not {ours}")
    return Checked(
        Status.TESTED, "T_A and T_B in Coq; D_L of their recursion against the closed form", f"L up to {MOST_TABLES}"
    )


STATEMENT = Statement(
    id="T.levels",
    title="the bits that theorems A and B fix at each level",
    latex=r"D_{\ell+1}-x_\ell D_\ell-1-\Lambda=\beta\bigl[hx_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\textstyle\sum_{i<\ell}x_i\cdots x_{\ell-1}N_{i-1}\bigr]",
    english="From level ℓ to ℓ+1 the theorems fix β bits for each token and each input that its player may know: the "
    "bracket of D_{ℓ+1}, with h = ℓ in theorem A and ℓ+1 in theorem B, where the first step has x_0·x_1 more.",
    subject=bracket,
    check=check,
    twins={
        "one layer less": lambda at: bracket(at._replace(layers=at.layers - 1)),
        "the query's messages counted once": lambda at: bracket(at._replace(queries=at.queries - 1)),
        "tables of the next level in the sum": lambda at: bracket(at._replace(N=at.N[1:] + at.N[-1:])),
        "player ℓ is heard of once": lambda at: bracket(at) - (at.x[at.number] - 1) * at.N[at.number - 1],
        "z_0's token stays blind": lambda at: bracket(at) - (at.x[0] * at.x[1] if at.layers > at.number == 1 else 0),
    },
    hypotheses=(
        Hypothesis(
            "ℓ ≥ 1 is a level below L; theorem B has no R layer before the second full one",
            lambda step: step[1] >= 1 and (step[0] == "A" or not Word.parse(step[2]).early),
            outside=("B", 1, "FRF"),
        ),
    ),
    witness=("A", 1, "RFR"),
)
