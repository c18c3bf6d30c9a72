"""T.AW: theorem A_L with a window: table 1 has u values, and table 2 varies on what they index alone.

U is the last u of [m]. Table 1 varies on its last g entries with values in U; table 2 on the n_1 windows {(w_1,i): i ∈
U}, and is fixed elsewhere: the m−u entries before the first window stand behind all of table 3, so they count with
player 3; the others stand between windows. Behind each window the state of block 0 is fixed (n_1·Λ_0 in place of Λ_0),
so in layer 1 the entries between windows ask the same in all copies of table 2, and what they hear is paid once;
later, and for the entries that count with player 3, once for each copy. All else is the proof of A_L. So with u = m it
is A_L, but for (n_1−1)Λ_0 in (E_2), and at L = 3 it is A3, but for the bit of the copies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from math import comb
from random import Random
from typing import Any, NamedTuple

from proofs_checks.kit.coq.comparison import IN_COQ, by_name, require_same
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import theorem_aw, window_bits
from proofs_checks.kit.window_flow import BETWEEN, PREFIX, Fixed, Sizes, fixed_messages, require_blind
from separation.bounds import Inequality, Word

TABLES = range(3, 8)
SEED, SEEDED_CASES = 11, 300
MOST_POWER = 4000
"""Powers with larger exponents are not written out here."""


@dataclass(frozen=True)
class Window:
    """Theorem A_W, or a false neighbour: messages that are not paid, one state behind all windows, values outside U."""

    unpaid: tuple[str, ...] = field(default=())
    behind_each: bool = True
    values_outside: int = 0

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
        early, heard = of.states[0], of.beta * of.copies(frozenset({"w"}))
        told, asked = self.told(of), of.n[0] * thetas[0]
        if not (thetas[0] - 1) ** of.g << early < (of.u + self.values_outside) ** of.g:
            return False
        for level, (x, theta) in enumerate(zip(of.x, thetas[1:], strict=True), start=2):
            size, windows = of.table(level), of.n[0] if level == 2 and self.behind_each else 1
            bits = x * (windows * early + heard + told[level - 2]) + 1
            if theta > size or comb(size, theta - 1) * (theta - 1) ** (x * asked) << bits > size ** (x * asked):
                return False
            asked = of.n[level - 1] * theta
        return bool(1 << (early + heard + told[-1]) < of.table(of.tables) ** asked)


def check(claim: Window) -> Checked:
    """Who may know what, message by message; the prices are the theorem's; what Coq's A3 and A_L say of it.

    1. *Flow.* For 3 to 7 tables: with the messages of all steps fixed, each a function of what it is paid for, w's
       knowledge at the end does not contain table L.
    2. *Entries.* The values of table 1 index entries in the windows of table 2: written out for small sizes.
    3. *Prices.* On seeded cases with up to 6 tables their sum is the calculator's D_ℓ, its verdict that of integers.
    4. *Coq.* With three tables the calculator's inequalities are those of T_A3; with u = m and n_1 = 1 those of T_A_L.
    """
    for tables in TABLES:
        require_blind(tables, claim.messages(tables), claim.behind_each)
    _entries(claim)
    rng = Random(SEED)
    for _ in range(SEEDED_CASES):
        _compare(claim, *_case(rng))
    return Checked(
        Status.EXHAUSTIVE,
        "knowledge followed through all layers; prices against the calculator; T_A3 and T_A_L in Coq",
        f"{TABLES.start} to {TABLES.stop - 1} tables, all sizes; {SEEDED_CASES} seeded cases",
    )


def _entries(claim: Window) -> None:
    for m in range(2, 6):
        for u in range(1, m + 1):
            for n_1 in (1, 2, 3):
                windows = {row * m + i for row in range(n_1) for i in range(m - u, m)}
                values = range(max(0, m - u - claim.values_outside), m)
                reached = {row * m + value for row in range(n_1) for value in values}
                require(reached <= windows, f"m = {m}, u = {u}: an entry outside of the windows is reached")


def _case(rng: Random) -> tuple[Sizes, tuple[int, ...]]:
    tables, m = rng.choice([3, 3, 4, 5, 6]), rng.randint(2, 5)
    n = (*(rng.choice([1, 1, 2]) for _ in range(tables - 2)), 2 ** rng.randint(1, 9))
    states = tuple(rng.choice([0, 0, 1, 2]) for _ in range(tables))
    x, thetas = (tuple(rng.choice([1, 1, 1, 2]) for _ in range(tables - k)) for k in (2, 1))
    return Sizes(m, n, rng.randint(1, m), rng.randint(1, m), thetas[0], x, 1, states), thetas


def _compare(claim: Window, of: Sizes, thetas: tuple[int, ...]) -> None:
    linear = tuple(accumulate(of.states))
    ours = claim.told(of)
    calculated = window_bits(of.m, of.n, of.g, of.u, of.theta1, of.x, of.beta, linear)
    require(ours == calculated, f"{of}: D_2, … are {calculated}, and {ours} by the messages")
    if max(of.n) * max(thetas) > MOST_POWER:
        return
    found = theorem_aw(of.m, of.n, of.g, of.u, thetas, of.x, of.beta, linear)
    require(claim.forbids(of, thetas) == found.certified, f"{of}, Θ = {thetas}: the calculator says {found.certified}")
    if of.tables == 3:
        _require_a3(of, thetas, found.inequalities)
    if of.n[0] == 1:
        whole = theorem_aw(of.m, of.n, of.g, of.m, thetas, of.x, of.beta, linear)
        _require_al(of, thetas, [each for each in whole.inequalities if each.name != "values"])


def _require_a3(of: Sizes, thetas: tuple[int, ...], said: Sequence[Inequality]) -> None:
    """Three tables: the inequalities of Coq's T_A3, of which 0 < Θ_2 is the third."""
    values = {"n1": of.n[0], "n2": of.n[1], "u": of.u, "x2": of.x[0], "Th2": thetas[1]}
    coq = IN_COQ.compared("T_A3", **_shared(of, thetas), **values)
    names = ("values", "entries", "possible 2", "reached", "E 2", "F")
    require_same(f"{of}: A3", [*coq[:2], *coq[3:]], by_name(said, *names))


def _require_al(of: Sizes, thetas: tuple[int, ...], said: Sequence[Inequality]) -> None:
    """u = m and n_1 = 1: the inequalities of Coq's T_A_L."""
    copies = list(zip(of.x, thetas[1:], strict=True))
    coq = IN_COQ.compared("T_A_L", ns=list(of.n), cs=copies, **_shared(of, thetas))
    require_same(f"{of}: A_L", coq, by_name(said))


def _shared(of: Sizes, thetas: tuple[int, ...]) -> dict[str, Any]:
    return {"beta": of.beta, "lam": of.states.__getitem__, "m": of.m, "g": of.g, "Th1": thetas[0]}


class Shape(NamedTuple):
    word: str
    of: Sizes
    thetas: tuple[int, ...]


WITNESS = Shape("RFF", Sizes(3, (1, 64), 1, 2, 1, (1,), 1, (1, 0, 0)), (1, 1))

STATEMENT = Statement(
    id="T.AW",
    title="L−1 full layers do not compose L tables, with a window in table 2",
    latex=r"(\Theta_1-1)^g2^{\Lambda_0}<u^g,\quad M_2=N_1-(m-u),\ M_3=N_2+(m-u),\ M_i=N_{i-1},\quad "
    r"h_2=x_2n_1u+(n_1-1)(m-u),\ h_\ell=(\ell-1)x_\ell M_\ell",
    english="If the inequalities of A_L hold with u for m in the first, n_1·Λ_0 + β·W for P in (E_2), M_i for N_{i-1} "
    "in what the tables hear, and h_2 = x_2·n_1·u + (n_1−1)(m−u), no model with L−1 full layers and these bits solves "
    "FuncComp with L tables.",
    subject=Window(),
    check=check,
    twins={
        "what stands between windows hears for nothing": Window(unpaid=(BETWEEN,)),
        "what stands before the windows hears for nothing": Window(unpaid=(PREFIX,)),
        "one state behind all windows": Window(behind_each=False),
        "table 1 has a value more": Window(values_outside=1),
        "z_0 hears for nothing": Window(unpaid=("into z_0",)),
        "the states into w are free": Window(unpaid=("block 1 into w",)),
    },
    speaks_of=("D1", "D2", "M2"),
    rests_on=("L", "T.A3", "T.AL"),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers",
            lambda shape: Word.parse(shape.word).full == len(shape.of.n),
            Shape("RFFF", WITNESS.of, WITNESS.thetas),
        ),
        Hypothesis(
            "the inequalities of every level, and of the end",
            lambda shape: Window().forbids(shape.of, shape.thetas),
            Shape("RFF", Sizes(3, (1, 64), 1, 2, 1, (1,), 9, (1, 0, 0)), (1, 1)),
        ),
    ),
    witness=WITNESS,
)
