"""What several replays show together: which charges are reached, which are needed, and their bits."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from proofs_checks.messages.counting import Charge
from proofs_checks.messages.replay import Rung
from proofs_checks.statement import require

STATES = "states"
Place = tuple[str, int, Any]
"""(theorem, level, a charge; or its receiver and layer; or STATES)."""


@dataclass(frozen=True)
class Step:
    """One step of one replay, and the bits that the theorem charges for it."""

    where: str
    theorem: str
    rung: Rung
    said: int

    def place(self, what: object) -> Place:
        return self.theorem, self.rung.level, what


@dataclass
class Tally:
    """``known``: for each charge the most that its receiver knew apart in any case, for one (z_{ℓ+1}, …, z_L).

    All cases have the same number of queries, and keep as many inputs of each player, so that counts can be compared.
    """

    steps: list[Step] = field(default_factory=list)
    known: dict[Place, int] = field(default_factory=dict)
    reached: set[Place] = field(default_factory=set)
    owed: set[Place] = field(default_factory=set)
    needed: set[Place] = field(default_factory=set)
    transcripts: int = 0
    pairs: int = 0

    def add(self, step: Step, held: Mapping[int, Sequence[Any]]) -> None:
        """A step with the inputs Z_i that are held of each player."""
        self.steps.append(step)
        rung = step.rung
        for shown in rung.soft:
            charge = shown.charge
            place, message = step.place(charge), step.place((charge.receiver, charge.layer))
            self.known[place] = max(shown.known, self.known.get(place, 0))
            self.owed.add(message)
            if shown.depends_on == charge.depends_on and shown.known == _values(charge, held):
                self.reached.add(place)
            if shown.needed:
                self.needed.add(message)
        if rung.linear_bits:
            self.owed.add(step.place(STATES))
        if rung.linear_needed:
            self.needed.add(step.place(STATES))

    def require_reached(self) -> None:
        """Each charge depends on all that the graph says, and on all combinations, in some case."""
        missing = self.known.keys() - self.reached
        require(not missing, f"no transcript depends on so much: {sorted(missing, key=str)}")

    def require_needed(self, levels: Collection[int]) -> None:
        """Each charge of these levels told two members of 𝒬 apart that no other one did, in some case."""
        idle = {place for place in self.owed - self.needed if place[1] in levels}
        require(not idle, f"no transcript needs it: {sorted(idle, key=str)}")

    def require_bits(self) -> None:
        for step in self.steps:
            soft = sum(self.known[step.place(shown.charge)] * shown.bits for shown in step.rung.soft)
            counted = soft + step.rung.linear_bits
            require(step.said == counted, f"{step.where}: the theorem charges {step.said} bits, counted are {counted}")


def _values(charge: Charge, held: Mapping[int, Sequence[Any]]) -> int:
    return prod(len(held[player]) for player in charge.depends_on)
