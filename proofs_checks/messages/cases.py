"""Small models and explicit sets of inputs on which the induction is run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random
from typing import Any

from proofs_checks.messages.transcripts import Hall
from separation.bounds import Rule, Word
from separation.protocol import RandomShape, random_model
from separation.tasks.funccomp import Sizes

Tables = tuple[int, ...]


@dataclass(frozen=True)
class Case:
    """A seeded random model of a word, and so many tables of each player 1..L; of z_0 and w all values.

    where two tables are kept of each player, as two values of z_0 are.
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
    def hall(self) -> Hall:
        """The same one each time, so that no input is run twice."""
        return _hall(self)

    @property
    def pools(self) -> Mapping[int, list[Any]]:
        """Of each player one random table, and tables that differ from it in one entry: few are told apart."""
        rng, sizes = Random(self.seed), self.sizes
        found: dict[int, list[Any]] = {-1: list(product(*map(range, sizes.n))), 0: list(range(sizes.m))}
        for level, (size, count) in enumerate(zip(sizes.N, self.tables, strict=True), start=1):
            first = [rng.randrange(size) for _ in range(size)]
            near = [
                (*first[:place], value, *first[place + 1 :])
                for place, value in product(range(size), repeat=2)
                if value != first[place]
            ]
            found[level] = [tuple(first), *rng.sample(near, count - 1)]
        return found


@cache
def _hall(case: Case) -> Hall:
    sizes = case.sizes
    shape = RandomShape(case.letters, sizes.length, sizes.vocabulary, sizes.N[-1], heads=case.heads)
    return Hall(random_model(shape, case.seed, score_bits=case.score_bits), sizes)
