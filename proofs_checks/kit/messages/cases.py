"""Small models and sets of inputs for the replayed induction, and what several replays show together."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import product
from math import prod
from random import Random
from typing import Any

from proofs_checks.kit.messages.graph import Charge
from proofs_checks.kit.messages.replay import LevelStep
from proofs_checks.kit.messages.transcripts import Transcripts
from proofs_checks.kit.statement import require
from separation.bounds import Rule, Word
from separation.protocol import RandomShape, random_model
from separation.tasks.funccomp import Sizes

Tables = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A seeded random model of a word, with ``tables`` tables for players 1..L, and all values of z_0 and w.

    where two tables of each player are kept, and two values of z_0.
    """

    theorem: str
    word: str
    sizes: Sizes
    tables: tuple[int, ...]
    seed: int
    score_bits: int
    heads: int = 1

    @property
    def letters(self) -> Word:
        return Word.parse(self.word)

    @property
    def rule(self) -> Rule:
        return Rule.A if self.theorem == "A" else Rule.B

    @property
    def kept(self) -> tuple[int, ...]:
        return (2,) * self.sizes.L

    @property
    def transcripts(self) -> Transcripts:
        """The same one each time, so that no input is run twice."""
        return _transcripts(self)

    @property
    def pools(self) -> Mapping[int, list[Any]]:
        """For each player one random table and tables that differ from it in one entry: few are told apart."""
        rng, sizes = Random(self.seed), self.sizes
        found: dict[int, list[Any]] = {-1: list(product(*map(range, sizes.n))), 0: list(range(sizes.m))}
        for level, (size, count) in enumerate(zip(sizes.N, self.tables, strict=True), start=1):
            first = [rng.randrange(size) for _ in range(size)]
            near = [
                (*first[:position], value, *first[position + 1 :])
                for position, value in product(range(size), repeat=2)
                if value != first[position]
            ]
            found[level] = [tuple(first), *rng.sample(near, count - 1)]
        return found


@cache
def _transcripts(case: Case) -> Transcripts:
    sizes = case.sizes
    shape = RandomShape(case.letters, sizes.length, sizes.vocabulary, sizes.N[-1], heads=case.heads)
    return Transcripts(random_model(shape, case.seed, score_bits=case.score_bits), sizes)


STATES = "states"
ChargeKey = tuple[str, int, Any]
"""(theorem, level, a charge; or its receiver and layer; or STATES)."""


@dataclass(frozen=True)
class Step:
    """One step of one replay, and the bits that the theorem charges for it."""

    where: str
    theorem: str
    level_step: LevelStep
    said: int

    def key(self, what: object) -> ChargeKey:
        return self.theorem, self.level_step.level, what


@dataclass
class Tally:
    """``known``: for each charge the most that its receiver knew apart in any case, for one (z_{ℓ+1}, …, z_L).

    All cases have the same number of queries, and keep as many inputs of each player, so that counts can be compared.
    """

    steps: list[Step] = field(default_factory=list)
    known: dict[ChargeKey, int] = field(default_factory=dict)
    reached: set[ChargeKey] = field(default_factory=set)
    owed: set[ChargeKey] = field(default_factory=set)
    needed: set[ChargeKey] = field(default_factory=set)
    transcripts: int = 0
    pairs: int = 0

    def add(self, step: Step, held: Mapping[int, Sequence[Any]]) -> None:
        """A step with the inputs Z_i that are held of each player."""
        self.steps.append(step)
        level_step = step.level_step
        for shown in level_step.soft:
            charge = shown.charge
            key, message = step.key(charge), step.key((charge.receiver, charge.layer))
            self.known[key] = max(shown.known, self.known.get(key, 0))
            self.owed.add(message)
            if shown.depends_on == charge.depends_on and shown.known == _values(charge, held):
                self.reached.add(key)
            if shown.needed:
                self.needed.add(message)
        if level_step.linear_bits:
            self.owed.add(step.key(STATES))
        if level_step.linear_needed:
            self.needed.add(step.key(STATES))

    def require_reached(self) -> None:
        """Each charge depends on all that the graph says, and on all combinations, in some case."""
        missing = self.known.keys() - self.reached
        require(not missing, f"no transcript depends on all of: {sorted(missing, key=str)}")

    def require_needed(self, levels: Collection[int]) -> None:
        """Each charge of these levels told two members of 𝒬 apart that no other one did, in some case."""
        idle = {key for key in self.owed - self.needed if key[1] in levels}
        require(not idle, f"no transcript needs: {sorted(idle, key=str)}")

    def require_bits(self) -> None:
        for step in self.steps:
            soft = sum(self.known[step.key(shown.charge)] * shown.bits for shown in step.level_step.soft)
            counted = soft + step.level_step.linear_bits
            require(step.said == counted, f"{step.where}: the theorem charges {step.said} bits, {counted} are counted")


def _values(charge: Charge, held: Mapping[int, Sequence[Any]]) -> int:
    return prod(len(held[player]) for player in charge.depends_on)
