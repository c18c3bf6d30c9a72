"""Two inputs of a program that a model with R layers alone cannot tell apart.

After some tokens all that such a model keeps is its state. Two beginnings with one state, and one continuation after
which a token has two right answers: the model says the same to both, so it is wrong about one of them. Beginnings are
those of random and of patterned inputs, continuations too; what is found is run again, both inputs from the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling.birthday import row_bytes
from separation.fooling.budget import Budget, Clock
from separation.fooling.subject import Subject, as_subject, tells_state
from separation.progress import Progress, silent
from separation.tasks import AnyTask, task_of
from separation.tasks.program import BrokenPromise, Definitions, answers
from separation.tasks.program.families import patterned

DRAWN = 128
"""Inputs that are drawn at a time; half of them patterned."""
CONTINUED = 48
"""Continuations that are tried for two beginnings with one state."""

Ids = tuple[int, ...]


@dataclass(frozen=True)
class ProgramPair:
    """Two inputs that agree from token ``cut`` on, with one state there; at token ``place`` the right answers differ.

    ``said``: what the model says to both of them.
    """

    program: Definitions
    first: Ids
    second: Ids
    cut: int
    place: int
    said: int
    due: tuple[int, int]

    @property
    def wrong(self) -> Ids:
        """One of the two that is answered wrongly."""
        return self.second if self.said == self.due[0] else self.first

    def document(self) -> dict[str, Any]:
        kept = ("first", "second", "cut", "place", "said", "due")
        return {name: list(v) if isinstance(v := getattr(self, name), tuple) else v for name in kept}


@dataclass(frozen=True)
class ProgramSearch:
    """The pair, if one was found, and how many beginnings and different states were looked at."""

    pair: ProgramPair | None
    beginnings: int
    states: int


def find_program_pair(
    model: Any, program: Any, *, seed: int = 0, budget: Budget | None = None, progress: Progress = silent
) -> ProgramSearch:
    """``model``: weights of the project, or a torch module with ``state(ids)``; ``program``: a program, any length.

    A model with full attention keeps all tokens, and has no state that two beginnings could share.
    """
    own: Definitions = program if isinstance(program, Definitions) else program.definitions
    subject, task = as_subject(model), task_of(own)
    if not tells_state(subject):
        raise InputError("the model tells no state: a torch module needs state(ids), see docs/fooling.md")
    clock = (budget or Budget()).start(progress)
    return _Pairs(subject, own, task, seed).find(clock)


class _Pairs:
    def __init__(self, subject: Subject, program: Definitions, task: AnyTask, seed: int) -> None:
        self.subject, self.program, self.task = subject, program, task
        self.random = np.random.default_rng(seed)
        self.patterns = (ids[: task.prompt_length] for ids in patterned(program, seed))
        self.seen: dict[tuple[int, bytes], list[Ids]] = {}
        self.inputs: list[Ids] = []
        self.beginnings = 0

    def find(self, clock: Clock) -> ProgramSearch:
        first, last = self.program.asked
        while clock.left:
            drawn = [*self.task.random_prompts(self.random, DRAWN // 2).tolist(), *islice(self.patterns, DRAWN // 2)]
            self.inputs = [tuple(ids) for ids in drawn]
            for cut in range(1, last):
                for one, other in self._alike(cut):
                    found = self._told_apart(one, other, max(cut, first))
                    if found is not None:
                        return ProgramSearch(found, self.beginnings, len(self.seen))
                if not clock.left:
                    break
            clock.spend(DRAWN, f"{len(self.seen):,} states of {self.beginnings:,} beginnings")
        return ProgramSearch(None, self.beginnings, len(self.seen))

    def _alike(self, cut: int) -> Iterator[tuple[Ids, Ids]]:
        """Two different beginnings of ``cut`` tokens with the same state."""
        new = list(dict.fromkeys(ids[:cut] for ids in self.inputs))
        states: NDArray[Any] = self.subject.state(np.array(new, dtype=np.int64))  # type: ignore[attr-defined]
        self.beginnings += len(new)
        for ids, state in zip(new, states, strict=True):
            others = self.seen.setdefault((cut, row_bytes(state)), [])
            yield from ((other, ids) for other in others[-4:] if other != ids)
            if ids not in others:
                others.append(ids)

    def _told_apart(self, one: Ids, other: Ids, first: int) -> ProgramPair | None:
        """A continuation after which some token has two right answers, and the model says the same to both."""
        cut = len(one)
        for rest in islice(dict.fromkeys(ids[cut:] for ids in self.inputs), CONTINUED):
            try:
                dues = answers(self.program, (*one, *rest)), answers(self.program, (*other, *rest))
            except BrokenPromise:
                continue
            start = self.program.asked[0]
            for place, (a, b) in enumerate(zip(*dues, strict=True), start):
                if place >= first and a != b:
                    prompts = np.array([(*one, *rest)[: place + 1], (*other, *rest)[: place + 1]], dtype=np.int64)
                    said = self.subject.forward(prompts).reshape(2, -1)[:, -1]
                    if said[0] == said[1]:
                        inputs = (*one, *rest), (*other, *rest)
                        return ProgramPair(self.program, *inputs, cut, place, int(said[0]), (int(a), int(b)))
        return None
