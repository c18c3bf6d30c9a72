"""T.AW: theorem A_L with a window: table 1 has u values, and table 2 varies on what they index alone.

U is the last u of [m]. Table 1 varies on its last g entries with values in U; table 2 on the n_1 windows {(w_1,i): i ∈
U}, and is fixed elsewhere: the m−u entries before the first window stand behind all of table 3, so they count with
player 3; the others stand between windows. Behind each window the state of block 0 is fixed (n_1·Λ_0 in place of Λ_0),
so in layer 1 the entries between windows ask the same in all copies of table 2, and what they hear is paid once;
later, and for the entries that count with player 3, once for each copy. All else is the proof of A_L. So with u = m it
is A_L, but for (n_1−1)Λ_0 in (E_2), and at L = 3 it is A3, but for the bit of the copies.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import comb
from random import Random
from typing import NamedTuple

from proofs_checks.kit.four_table_cases import FFF, WINDOWED
from proofs_checks.kit.four_tables import require_four_tables
from proofs_checks.kit.statement import Checked, CheckFailed, Hypothesis, Statement, Status, require
from proofs_checks.kit.window_flow import BETWEEN, PREFIX, Fixed, Sizes, fixed_messages, require_blind
from proofs_checks.statements.t_al import solved
from separation.bounds import Word
from separation.bounds.theorems.theorem_al import theorem_al
from separation.bounds.theorems.theorem_aw import theorem_aw, window_bits

TABLES, MOST_TABLES_ONE_BY_ONE = range(3, 8), 5
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
    """Who may know what, message by message; the prices are the theorem's; what A_L and real protocols say of it.

    1. *Flow.* For 3 to 7 tables: with the messages of all steps fixed, each a function of what it is paid for, w's
       knowledge at the end does not contain table L. Without any one of them it may (3 to 5 tables).
    2. *Entries.* The values of table 1 index entries in the windows of table 2: written out for small sizes.
    3. *Prices.* On seeded cases with up to 6 tables their sum is the calculator's D_ℓ, its verdict that of integers.
    4. *A_L.* With u = m and n_1 = 1 the verdict is that of A_L, which Coq proves.
    5. *Protocols.* None that solves three tables is forbidden, for u = 1, 2, 4, … and m.
    6. *Transcripts* of models made by hand with four tables and two windows: in number and bits the messages are those
       of 1, by name, and w hears nothing else. Two inputs show that the proof needs each that T.AL does not show.
    """
    for tables in TABLES:
        require_blind(tables, claim.messages(tables), claim.behind_each)
        if tables <= MOST_TABLES_ONE_BY_ONE:
            _all_needed(tables, claim.messages(tables))
    _entries(claim)
    rng = Random(SEED)
    for _ in range(SEEDED_CASES):
        _compare(claim, *_case(rng))
    for name, of in solved():
        for u in {of.m, *(1 << k for k in range(of.m.bit_length()))} if len(of.n) > 1 else ():
            sizes = Sizes(of.m, of.n, of.g, u, of.theta1, tuple(x for x, _ in of.copies), of.beta, of.states)
            thetas = (of.theta1, *(theta for _, theta in of.copies))
            found = theorem_aw(of.m, of.n, of.g, u, thetas, sizes.x, of.beta, of.linear)
            require(not found.holds, f"{name}: it solves what the theorem forbids with u = {u}")
    require_four_tables(WINDOWED, {message.name for case in FFF for message in case.messages})
    return Checked(
        Status.EXHAUSTIVE,
        "knowledge followed through all layers; prices against the calculator; protocols that solve; transcripts",
        f"{TABLES.start} to {TABLES.stop - 1} tables, all sizes; {SEEDED_CASES} seeded cases; transcripts at L = 4",
    )


def _all_needed(tables: int, messages: list[Fixed]) -> None:
    for spared in messages:
        try:
            require_blind(tables, [message for message in messages if message is not spared])
        except CheckFailed:
            continue
        require(False, f"{tables} tables: {spared.name} is paid for nothing")


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
    linear = tuple(sum(of.states[: block + 1]) for block in range(len(of.states)))
    ours = claim.told(of)
    calculated = window_bits(of.m, of.n, of.g, of.u, of.theta1, of.x, of.beta, linear)
    require(ours == calculated, f"{of}: D_2, … are {calculated}, and {ours} by the messages")
    if max(of.n) * max(thetas) > MOST_POWER:
        return
    verdict = theorem_aw(of.m, of.n, of.g, of.u, thetas, of.x, of.beta, linear).holds
    require(claim.forbids(of, thetas) == verdict, f"{of}, Θ = {thetas}: the calculator says {verdict}")
    if of.n[0] == 1:
        full = theorem_aw(of.m, of.n, of.g, of.m, thetas, of.x, of.beta, linear).holds
        require(full == theorem_al(of.m, of.n, of.g, thetas, of.x, of.beta, linear).holds, f"{of}: A_L says otherwise")


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
    speaks_of=("D1", "D2"),
    rests_on=("L1", "L3", "M2", "T.A3", "T.AL"),
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
