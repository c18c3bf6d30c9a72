"""T.AL.rows: theorem A_L where w_ℓ takes its last ν_ℓ values alone; the other rows of table ℓ+1 are constants.

Constant rows stand in front of the rows that are asked, behind all of table ℓ+2: so their tokens count with player ℓ+2,
and what they hear is paid with it. W = ν_1⋯ν_{L-1} and t_ℓ = x_ℓ·ν_{ℓ-1}·Θ_{ℓ-1} count the rows that are asked, while
N_{ℓ-1}, the number of values of an entry, counts all of them: with more rows values repeat less. ν_{L-1} = n_{L-1}. All
else is the proof of A_L, and so is B_L with unused rows. With ν_ℓ = n_ℓ it is T.AL.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from random import Random
from typing import NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, by_name, require_same
from proofs_checks.kit.row_flow import UNUSED, Fixed, Sizes, fixed_messages, require_blind
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import delayed_bits, theorem_al
from separation.bounds import Inequality, Word

TABLES = range(3, 8)
SEED, SEEDED_CASES = 11, 300
MOST_POWER = 4000
"""Powers with larger exponents are not written out here."""


@dataclass(frozen=True)
class Rows:
    """Theorem A_L with unused rows, or a false neighbour: messages that are not paid, more rows than there are."""

    unpaid: tuple[str, ...] = field(default=())
    bounded: bool = True

    def messages(self, tables: int) -> list[Fixed]:
        return [m for m in fixed_messages(tables) if not any(name in m.name for name in self.unpaid)]

    def told(self, of: Sizes) -> list[int]:
        """[D_2, …, D_L]: D_{ℓ+1} = 1 + x_ℓ·D_ℓ + the price of what step ℓ fixes."""
        messages = self.messages(of.tables)
        prices = {step: sum(of.price(m) for m in messages if m.step == step) for step in range(1, of.tables)}
        found = [prices[1]]
        for step, x in enumerate(of.x, start=2):
            found.append(1 + x * found[-1] + prices[step])
        return found

    def forbids(self, of: Sizes, thetas: tuple[int, ...]) -> bool:
        """The inequalities of every level in integers, (Θ_1, …, Θ_{L-1}) = ``thetas``."""
        fixed = of.states[0] + of.beta * of.copies(frozenset({"w"}))
        rows = (*of.rows, of.n[-1])
        told, asked = self.told(of), rows[0] * thetas[0]
        if not (thetas[0] - 1) ** of.g << of.states[0] < of.m**of.g:
            return False
        if self.bounded and any(map(int.__gt__, of.rows, of.n)):
            return False
        for level, (x, theta) in enumerate(zip(of.x, thetas[1:], strict=True), start=2):
            size, bits = of.table(level), x * (fixed + told[level - 2]) + 1
            if theta > size or comb(size, theta - 1) * (theta - 1) ** (x * asked) << bits > size ** (x * asked):
                return False
            asked = rows[level - 1] * theta
        return bool(1 << (fixed + told[-1]) < of.table(of.tables) ** asked)


def check(claim: Rows) -> Checked:
    """Who may know what, message by message; the prices are the theorem's; what Coq's A_L says of it.

    1. *Flow.* For 3 to 7 tables: with the messages of all steps fixed, each a function of what it is paid for, w's
       knowledge at the end does not contain table L.
    2. *Prices.* On seeded cases with up to 6 tables their sum is the calculator's D_ℓ, its verdict that of integers.
    3. *Coq.* With all rows the calculator's inequalities are those of T_A_L.
    """
    for tables in TABLES:
        require_blind(tables, claim.messages(tables))
    rng = Random(SEED)
    for _ in range(SEEDED_CASES):
        _compare(claim, *_case(rng))
    return Checked(
        Status.EXHAUSTIVE,
        "knowledge followed through all layers; prices against the calculator; T_A_L in Coq",
        f"{TABLES.start} to {TABLES.stop - 1} tables, all sizes; {SEEDED_CASES} seeded cases",
    )


def _case(rng: Random) -> tuple[Sizes, tuple[int, ...]]:
    tables, m = rng.choice([3, 3, 4, 5, 6]), rng.randint(2, 5)
    n = (*(rng.choice([1, 1, 2, 3]) for _ in range(tables - 2)), 2 ** rng.randint(1, 9))
    rows = tuple(rng.choice((*range(1, size + 1), size, size + 1)) for size in n[:-1])
    states = tuple(rng.choice([0, 0, 1, 2]) for _ in range(tables))
    x, thetas = (tuple(rng.choice([1, 1, 1, 2]) for _ in range(tables - k)) for k in (2, 1))
    return Sizes(m, n, rng.randint(1, m), rows, thetas[0], x, 1, states), thetas


def _compare(claim: Rows, of: Sizes, thetas: tuple[int, ...]) -> None:
    linear, rows = tuple(accumulate(of.states)), (*of.rows, of.n[-1])
    ours = claim.told(of)
    calculated = delayed_bits(0, of.m, of.n, rows, (of.g, of.theta1), of.theta1, of.x, of.beta, linear)
    require(ours == calculated, f"{of}: D_2, … are {calculated}, and {ours} by the messages")
    if max(of.n) * max(thetas) > MOST_POWER:
        return
    found = theorem_al(of.m, of.n, of.g, thetas, of.x, of.beta, linear, of.rows)
    require(claim.forbids(of, thetas) == found.certified, f"{of}, Θ = {thetas}: the calculator says {found.certified}")
    if of.rows == of.n[:-1]:
        _require_coq(of, thetas, [each for each in found.inequalities if not each.name.startswith("rows")])


def _require_coq(of: Sizes, thetas: tuple[int, ...], said: Sequence[Inequality]) -> None:
    """All rows are asked: the inequalities of Coq's T_A_L."""
    copies, lam = list(zip(of.x, thetas[1:], strict=True)), of.states.__getitem__
    coq = IN_COQ.compared("T_A_L", ns=list(of.n), cs=copies, beta=of.beta, lam=lam, m=of.m, g=of.g, Th1=thetas[0])
    require_same(f"{of}: A_L", coq, by_name(said))


class Shape(NamedTuple):
    word: str
    of: Sizes
    thetas: tuple[int, ...]


WITNESS = Shape("RFF", Sizes(3, (2, 128), 1, (1,), 1, (1,), 1, (1, 0, 0)), (1, 1))

STATEMENT = Statement(
    id="T.AL.rows",
    title="L−1 full layers do not compose L tables of which only some rows are asked",
    latex=r"W=\prod\nu_\ell,\quad t_\ell=x_\ell\nu_{\ell-1}\Theta_{\ell-1},\quad M_2=\nu_1m,\quad "
    r"M_\ell=\nu_{\ell-1}N_{\ell-2}+(n_{\ell-2}-\nu_{\ell-2})N_{\ell-3}",
    english="If the inequalities of A_L hold with W and t_ℓ of the rows that are asked, and M_ℓ for N_{ℓ-1} in what "
    "the tables hear, 1 ≤ ν_ℓ ≤ n_ℓ, no model with L−1 full layers and these bits solves FuncComp with L tables.",
    subject=Rows(),
    check=check,
    twins={
        "unused rows hear for nothing": Rows(unpaid=(UNUSED,)),
        "more rows are asked than there are": Rows(bounded=False),
        "z_0 hears for nothing": Rows(unpaid=("into z_0",)),
        "the states into w are free": Rows(unpaid=("block 1 into w",)),
    },
    speaks_of=("D1", "D2"),
    rests_on=("M2", "T.AL"),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers",
            lambda shape: Word.parse(shape.word).full == len(shape.of.n),
            Shape("RFFF", WITNESS.of, WITNESS.thetas),
        ),
        Hypothesis(
            "the inequalities of every level, and of the end",
            lambda shape: Rows().forbids(shape.of, shape.thetas),
            Shape("RFF", Sizes(3, (2, 128), 1, (1,), 1, (1,), 9, (1, 0, 0)), (1, 1)),
        ),
    ),
    witness=WITNESS,
)
