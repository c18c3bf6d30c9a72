"""T.pads: the exact depth of words of F, R and windows with neutral tokens, pads, between z_0 and w.

depth = #F − 1 + [some R before the second F, or windows before it that together reach over the pads and z_0] (with one
F: anywhere). From above: R, or the windows, hand z_0 or i_1 on (C2). From below, L > #F: Theorem A, where the pads are
tokens of player 0. L = #F, and the early windows reach r_0 before the first F and r_1 behind it, at least r_0 + r_1
pads: Theorem B with these changes.

1. Player −1 is w, and in layer 1 also the r_1 pads before it, all that block 1 shows to w; what block 0 shows to these
   is r_0 pads more. So before layer 1 they know w at most, and what they hear of the tables is fixed at β·(W + r_1).
2. The last r_0 entries of table 1, all that block 0 shows of it to z_0 and the pads, are constant, and x_0 ≤ m − r_0.
   So player 0, z_0 and the other pads, knows z_0 alone before layer 1, and w knows (w, z_0) before layer 2.
3. From layer 2 on all pads are player 0's: they may know z_1(z_0), as z_0's own token may. So player 0 has 1 + q tokens
   where Theorem B has one: in layer 1 for each z_0, in layer 2 for each (z_0, z_1), then as there.
4. Between tables a window is a state: its bits are in Λ_2, Λ_3, ….

With one table: β·(1 + r_1) < (m − r_0)·log2 m.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import NamedTuple

from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from separation.bounds import Budget, Word, decide
from separation.bounds.theorems.theorem_b import TheoremB
from separation.bounds.theorems.theorem_pads import PaddedTheorem

REACHES = tuple((a, b, c) for a, b, c in product(range(3), repeat=3))
"""(r_0, r_1, r_2): the windows before layer 1, before layer 2 and behind it."""
SEED, CASES = 31, 300
LETTERS, LONGEST, MOST_PADS = ("F", "R", "W2", "W3"), 5, 3
BAD = "z2"
Known = frozenset[str]


@dataclass(frozen=True)
class Pads:
    """The proof, or a false neighbour: something that is not paid, or not held constant, or a pad too few."""

    w_pays: bool = True
    cone_pays: bool = True
    player_0_pays: bool = True
    late_pads_pay: bool = True
    states_paid: bool = True
    last_constant: bool = True
    missing: int = 0


def what_w_knows(claim: Pads, reaches: tuple[int, int, int], tables: int) -> Known:
    """What the output may depend on, when all that is paid for is fixed, for every model at once: names of inputs.

    ``z2`` is the last table, which nothing may depend on, also where there is one table.
    """
    r0, r1, r2 = reaches
    pads, m = r0 + r1 - claim.missing, 2 * max(1, r0 + r1 + r2)
    first = [frozenset({BAD}) if tables == 1 else frozenset({"z1"})] * (m - r0)
    first += [frozenset() if claim.last_constant else first[0]] * r0
    above = [] if tables == 1 else [frozenset({BAD})] * m
    K: list[Known] = [*above, *first, frozenset({"z0"}), *[frozenset[str]()] * pads, frozenset({"w"})]
    start, z0, w = len(above), len(above) + m, len(above) + m + 1 + pads

    def window(reach: int) -> None:
        K[:] = [
            frozenset().union(
                *(K[s] for s in range(max(0, p - reach), p + 1) if s >= start or p < start or not claim.states_paid)
            )
            for p in range(len(K))
        ]

    def full(charges: dict[int, tuple[int, Known]]) -> None:
        """Token p hears all before it; of tokens below ``charges[p][0]`` nothing new if p knows at most the second."""
        K[:] = [
            K[p].union(*K[charges[p][0] if p in charges and K[p] <= charges[p][1] else 0 : p]) for p in range(len(K))
        ]

    cone = range(w - r1, w)
    window(r0)
    charges = {p: (start, frozenset({"z1"})) for p in range(start, z0)} if tables == 2 else {}
    if claim.player_0_pays and tables == 2:
        charges |= {p: (start, frozenset({"z0"})) for p in range(z0, w - r1)}
    charges |= {p: (z0, frozenset()) for p in cone if claim.cone_pays and p > z0}
    charges |= {w: (z0, frozenset({"w"}))} if claim.w_pays else {}
    full(charges)
    window(r1)
    if tables == 2:
        charges = {p: (start, frozenset({"z1"})) for p in range(start, z0)}
        late = range(z0, w if claim.late_pads_pay else z0 + 1)
        charges |= {p: (start, frozenset({"z0", "z1"})) for p in late} | {w: (start, frozenset({"w", "z0"}))}
        full(charges)
        window(r2)
    return K[-1]


def handed_on(layers: tuple[str, ...], pads: int) -> int:
    """The largest L that a protocol solves: who knows which i_h; only w, who has the digits, goes beyond i_1."""
    h = [0, *(-1 for _ in range(pads + 1))]
    for layer in layers:
        if layer == "F":
            best = [max(h[: p + 1]) for p in range(len(h))]
            new = [min(1, h[p] + 1) if h[p] >= 0 else best[p] for p in range(len(h))]
            new[-1] = h[-1] + 1 if h[-1] >= 0 else best[-1]
            h = [max(a, b) for a, b in zip(h, new, strict=True)]
        else:
            reach = len(h) if layer == "R" else int(layer[1:]) - 1
            h = [max(h[max(0, p - reach) : p + 1]) for p in range(len(h))]
    return max(0, h[-1])


def words() -> Iterator[Word]:
    for length in range(LONGEST + 1):
        yield from (Word(layers) for layers in product(LETTERS, repeat=length))


def naive(m: int, n1: int, x: tuple[int, int, int], beta: int, late: int, pads: int, r: tuple[int, int]) -> list[int]:
    """[x_0 + r_0, D_1, D_2] of two tables."""
    x0, x1, _ = x
    D1 = beta * (n1 + r[1])
    return [x0 + r[0], D1, x1 * D1 + 1 + late + beta * (2 * x1 * m + (n1 + 1 + pads) * x0 + (1 + pads) * x0 * x1)]


def check(claim: Pads) -> Checked:
    """Knowledge flow for all models at once; the rule for all words against a protocol; the calculator."""
    for reaches in REACHES:
        for tables in (1, 2):
            if reaches[0] + reaches[1] >= claim.missing and not (tables == 1 and reaches[2]):
                known = what_w_knows(claim, reaches, tables)
                require(BAD not in known, f"reaches {reaches}, {tables} tables: w depends on the last table")
    count = 0
    for word in words():
        for pads in range(MOST_PADS + 1):
            depth = word.depth_behind(pads)
            count += 1
            require(depth == (handed_on(word.layers, pads) if word.full else 0), f"{word}, {pads} pads: depth {depth}")
    for text, pads in (("W(3)F", 2), ("FW(3)F", 2), ("W(2)FW(2)FR", 2), ("FRF", 1), ("W(4)FW(2)", 4)):
        word = Word.parse(text)
        found = decide(word, word.depth_behind(pads) + 1, Budget(beta=3, total=4), pads=pads)
        require(found.solvable is False and found.found is not None and found.found.certified, f"{text}: not certified")
    rng = Random(SEED)
    for _ in range(CASES):
        m, n1, x0, x1, theta, beta, late, pads, r0, r1 = (rng.randint(1, 9) for _ in range(10))
        conditions = PaddedTheorem(TheoremB(), pads, (r0, r1)).conditions(m, (n1,), (x0, x1, theta), beta, (0, 0, late))
        sides = [conditions[0].left, conditions[-2].bits - 1, conditions[-1].bits]  # type: ignore[union-attr]
        expected = naive(m, n1, (x0, x1, theta), beta, late, pads, (r0, r1))
        require(sides == [expected[0], x1 * expected[1], expected[2]], f"{sides} is not {expected}")
        (one,) = PaddedTheorem(TheoremB(), pads, (r0, r1)).conditions(m + r0, (), (), beta, (0, 0))
        require((one.bits, one.factor) == (beta * (1 + r1), m), "one table")  # type: ignore[union-attr]
    return Checked(
        Status.TESTED,
        "knowledge flow for all models, words against a protocol, integers of the calculator",
        f"{len(REACHES)} reaches, {count} words with pads",
    )


class Shape(NamedTuple):
    word: str = "FW(3)F"
    pads: int = 2
    L: int = 2


STATEMENT = Statement(
    id="T.pads",
    title="exact depth of words with windows and pads between z_0 and w",
    latex=r"\mathrm{depth}=\#F-1+[\text{before the second }F\text{ some }R,\text{ or windows reaching over the pads}]",
    english="With q neutral tokens between z_0 and w a word of full layers, R layers and windows solves L-FuncComp at "
    "all sizes exactly for L up to #F − 1, and one more if before the second F there is an R, or windows that together "
    "reach more than q tokens back.",
    subject=Pads(),
    check=check,
    twins={
        "w hears for nothing": Pads(w_pays=False),
        "the pads before w hear for nothing": Pads(cone_pays=False),
        "z_0 and its pads hear for nothing": Pads(player_0_pays=False),
        "pads hear for nothing in layer 2": Pads(late_pads_pay=False),
        "windows between tables are free": Pads(states_paid=False),
        "the last entries of table 1 vary": Pads(last_constant=False),
        "one pad too few": Pads(missing=1),
    },
    applies_to=("D1", "D2"),
    rests_on=("M2", "T.A", "T.B", "T.A2", "T.A2W", "C2.words"),
    hypotheses=(
        Hypothesis("F, R and windows alone", lambda s: "FR" not in Word.parse(s.word).layers, Shape("[FR]W(3)F")),
        Hypothesis(
            "L is beyond the depth",
            lambda s: Word.parse(s.word).depth_behind(s.pads) < s.L,
            Shape(pads=1),
        ),
    ),
    witness=Shape(),
)
