"""For T.agree: A_L and B_L where copies of a table need only agree on states, not have given ones."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from itertools import product

from proofs_checks.kit.delayed_cases import DelayedCase
from proofs_checks.kit.delayed_levels import BOUNDARY, LATE, STATES_INTO_W, Recursion, Sharper
from proofs_checks.kit.fixed_messages import Heard
from proofs_checks.kit.products import covers, is_less
from separation.bounds.log_sums import LogSum


@dataclass(frozen=True)
class Level:
    """What level ℓ has paid: ``told`` is D'_ℓ, ``states`` is S_ℓ; ``cover`` the exponent in (E_ℓ) without x_ℓ·P."""

    told: int
    states: int
    cover: int

    @property
    def all(self) -> int:
        return self.told + self.states


@dataclass(frozen=True)
class Agreeing:
    """D'_{ℓ+1} = 1 + x_ℓ·D'_ℓ + (x_ℓ − ``spared``)·S_ℓ + β[…], and D'_L + S_L at the end.

    where S_{ℓ+1} are the states of step ℓ; ``free`` names charges that are not paid; without ``at_the_end`` S_L is not.
    """

    spared: int = 1
    free: frozenset[str] = field(default=frozenset())
    at_the_end: bool = True

    def levels(self, of: Sharper, kind: str) -> list[Level]:
        """Levels 2..L; the exponent of the last is not used."""
        recursion, skipped = Recursion(self.free), 0 if kind == "A" else 1
        _, _, joint = recursion.a_l_start(of) if kind == "A" else recursion.b_l_start(of)
        told, states = sum(joint.values()) - joint[STATES_INTO_W], joint[STATES_INTO_W]
        below = of.m - of.g + of.g * of.theta1 if kind == "A" else of.m - of.x0 + of.x0 * of.x1
        ways, size, found = of.theta1, of.m * of.n[0], []
        for e, (n, (x, _)) in enumerate(zip(of.n[1:], of.copies, strict=True)):
            agreed = x * told + (x - self.spared) * states + 1
            found.append(Level(told, states, agreed))
            z0 = (1 if kind == "A" else ways) if e == 0 else ways
            charges = recursion.level_charges(of, skipped, e, x, size, ways, z0, below)
            states = charges[BOUNDARY] + charges[LATE]
            told = agreed + sum(charges.values()) - states
            below, ways, size = x * (size + below), x * ways, size * n
        return [*found, Level(told, states, 0)]

    def forbids(self, of: Sharper, kind: str) -> bool:
        recursion = Recursion(self.free)
        first, start = (
            (recursion.a_l_first, recursion.a_l_start) if kind == "A" else (recursion.b_l_first, recursion.b_l_start)
        )
        table, last, _ = (sum(charges.values()) for charges in start(of))
        if not first(of):
            return False
        asked, levels = of.n[0] * of.theta1, self.levels(of, kind)
        for e, (n, (x, theta)) in enumerate(zip(of.n[1:], of.copies, strict=True)):
            if not covers(of.values_of(e + 2), theta, x * asked, x * table + levels[e].cover, strict=False):
                return False
            asked = n * theta
        told = levels[-1].told + levels[-1].states * self.at_the_end
        return is_less(LogSum(last + told), LogSum(0, ((asked, of.values_of(len(of.n) + 1)),)))


def all_agree(counts: tuple[int, ...], x: int, spared: int) -> bool:
    """Σ_s c_s^x·S^x ≥ S^spared·(Σ_s c_s)^x for c_1, …, c_S: so often x draws have one value."""
    agreeing, draws = sum(count**x for count in counts), sum(counts) ** x
    return bool(agreeing * len(counts) ** x >= draws * len(counts) ** spared)


def states_follow(case: DelayedCase, boundary: bool = True) -> bool:
    """In all runs of a case the states into w are a function of the copies and of what comes from table 3.

    where that is: the states behind table 3 of the first block and (``boundary``) of the next one; and what the tokens
    of tables 1, 2 and z_0 hear from table 3 before that block.
    """
    lasts, middles, firsts = case.tables()
    seen: dict[Hashable, Hashable] = {}
    for z3, z2, z1, z0 in product(lasts, middles, firsts, range(case.sizes.m - case.varied, case.sizes.m)):
        heard = case.heard(z3, z2, z1, z0, 0)
        before, block, layers = _first_block(case, heard)
        told = [
            heard.soft(layer, "last", name)[0] for layer in layers for name in case.pieces if name not in ("last", "w")
        ]
        states = [heard.states(places, "window 1")[0] for places in ([before, block] if boundary else [before])]
        known = (z2, z1, z0, tuple(told), tuple(states))
        into_w = heard.states(block, "w")[0]
        if seen.setdefault(known, into_w) != into_w:
            return False
    return True


def _first_block(case: DelayedCase, heard: Heard) -> tuple[range, range, list[int]]:
    """The layers of the blocks before, and of the block of D_2's states: 1 (A) or 2 (B); the full layers before it."""
    full = [place for place, layer in enumerate(heard.transcript.public.layers, start=1) if layer.full]
    count = 1 if case.kind == "A" else 2
    # A layer [FR] holds its states in the block of its full layer.
    return range(1, full[count - 1]), range(full[count - 1], full[count]), full[:count]
