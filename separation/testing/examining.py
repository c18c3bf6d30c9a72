"""Blocks of prompts put to a solver, in calls that grow as long as they are quick, and what came of it."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from separation.tasks import AnyTask
from separation.tasks.task import Array
from separation.testing.calling import Caller, Pool
from separation.testing.plan import Block
from separation.testing.replies import ANSWERED, NEVER_RETURNED, NO_CONNECTION, STATUSES, UNPARSED, Answer, Reply

CALL_SECONDS = 0.2
"""Calls grow until they take about that long."""
MOST_ENDED = 3
"""A solver that was ended that often is asked no more."""
MOST_UNREACHED = 3
"""Prompts in a row, each with its retries; where nothing was ever answered, the first is enough."""
AHEAD = 2
"""Prompts that are handed to a pool before their turn, for each of its workers: none of them waits."""
MOST_FAILED = 8
"""A solver whose first calls all fail, without one answer, is asked no more: what it says is why."""

Note = Callable[[str, Block, int, Answer, Reply], None]
"""(name of the prompt, block, row, expected, reply)."""


@dataclass
class Tally:
    """Counts of one stage, family and length: asked, right, the statuses of the others, and broken pairs."""

    stage: str
    family: str
    hops: int | None
    length: int
    asked: int = 0
    right: int = 0
    broken: int = 0
    seconds: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)
    task: AnyTask | None = None

    @property
    def accuracy(self) -> float:
        return self.right / self.asked if self.asked else 0.0

    def document(self) -> dict[str, Any]:
        missed = {name.replace(" ", "_"): self.statuses[name] for name in STATUSES if name != ANSWERED}
        names = ("stage", "family", "hops", "length", "asked", "right", "accuracy")
        counts = {name: getattr(self, name) for name in names}
        return {**counts, "broken_pairs": self.broken, **missed, "seconds": self.seconds}


@dataclass(frozen=True)
class Failed:
    """A prompt that was not answered rightly, and where it stood in the plan."""

    stage: str
    family: str
    task: AnyTask
    prompt: Array
    expected: Answer
    reply: Reply

    @property
    def instance(self) -> Any:
        return self.task.instance(self.prompt)

    @property
    def size(self) -> tuple[int, int]:
        """The tokens of the prompt, then how many of them are not plain: failures are ordered by it."""
        return len(self.prompt), int((self.prompt != self.task.plainest_prompt()).sum())


@dataclass
class _Asked:
    """A block, the right answers, how many numbers each of them has, and the replies that there are."""

    block: Block
    expected: list[Answer]
    numbers: int | None
    names: list[str]
    replies: list[Reply | None]

    @property
    def open_rows(self) -> list[int]:
        return [row for row, reply in enumerate(self.replies) if reply is None]


class Examiner:
    """Asks a solver, and counts; ``known`` replies of an earlier run are not asked again."""

    def __init__(
        self, caller: Caller, seed: int = 0, known: Mapping[str, Reply] | None = None, note: Note | None = None
    ) -> None:
        self.caller, self.seed, self.note = caller, seed, note
        self.known = known or {}
        self.tallies: dict[tuple[str, str, int | None, int], Tally] = {}
        self.failures: dict[tuple[str, str, int | None, int], Failed] = {}
        self.first: Failed | None = None
        self.unread: Reply | None = None
        self.batch = 1
        self.ended = self.unreached = self.failed = 0
        self.answered = self.aloud = False
        self.stopped: str | None = None
        self.resumed = 0

    def examine(self, block: Block, ends: float, at_least_one: bool = False) -> bool:
        """Ask a block; False if the time was over, or the solver is given up, before all of it was asked.

        ``at_least_one``: one call is made even if the time is over.
        """
        asked = self._asked(block)
        open_rows, tally = asked.open_rows, self._tally(block)
        done = 0
        while done < len(open_rows) and self.stopped is None:
            if time.monotonic() >= ends and (done or not at_least_one):
                break
            rows = open_rows[done : done + self.batch]
            before = time.monotonic()
            found = self.call(block.task, block.prompts[rows], asked.numbers)
            tally.seconds += time.monotonic() - before
            for row, reply in zip(rows, found, strict=False):
                self._take(asked, row, reply)
            done += len(found)
        self._count_all(asked)
        return done == len(open_rows)

    def examine_together(self, blocks: Iterable[Block], ends: float, pool: Pool) -> bool:
        """The same for many blocks, of which a pool keeps requests in flight; what is not begun in time is left."""
        begun: deque[tuple[_Asked, list[Future[Reply]]]] = deque()
        whole, waiting = True, 0
        for block in blocks:
            if self.stopped is not None or (begun and time.monotonic() >= ends):
                whole = False
                break
            asked = self._asked(block)
            if not self._probe(asked):
                self._count_all(asked)
                whole = False
                break
            begun.append((asked, pool.submit(block.task, block.prompts[asked.open_rows], asked.numbers)))
            waiting += len(begun[-1][1])
            while waiting > AHEAD * pool.workers:
                waiting -= len(begun[0][1])
                whole &= self._collect(*begun.popleft(), ends)
        while begun:
            whole &= self._collect(*begun.popleft(), ends)
        return whole

    def _probe(self, asked: _Asked) -> bool:
        """One prompt at a time as long as nothing was answered: a server that is not there is not asked in parallel."""
        for row in [] if self.answered else asked.open_rows:
            if self.answered or self.stopped is not None:
                break
            (reply,) = self.call(asked.block.task, asked.block.prompts[[row]], asked.numbers)
            self._take(asked, row, reply)
        return self.stopped is None

    def _collect(self, asked: _Asked, futures: list[Future[Reply]], ends: float) -> bool:
        rows = asked.open_rows
        for row, future in zip(rows, futures, strict=True):
            over = self.stopped is not None or (self.answered and time.monotonic() >= ends)
            if not (over and future.cancel()):
                before = time.monotonic()
                reply = future.result()
                self._tally(asked.block).seconds += time.monotonic() - before
                self._watch([reply], 1)
                self._take(asked, row, reply)
        self._count_all(asked)
        return not asked.open_rows

    def call(self, task: AnyTask, prompts: Array, numbers: int | None) -> list[Reply]:
        """One call with the first of these prompts; a call that failed is repeated with fewer, down to a single one."""
        count = min(len(prompts), self.batch)
        while True:
            before = time.monotonic()
            found = self.caller.call(task, prompts[:count], numbers)
            taken = time.monotonic() - before
            if isinstance(found, Reply):
                if count > 1:
                    # Which one was it? After a call that had to be ended, one by one; else by and by.
                    count = 1 if found.status == NEVER_RETURNED else max(1, count // 8)
                    self.batch = count
                    continue
                found = [found]
            elif taken < CALL_SECONDS / 2 and count == self.batch:
                self.batch = min(2 * self.batch, 4096)
            elif taken > 2 * CALL_SECONDS:
                self.batch = max(1, self.batch // 2)
            self._watch(found, count)
            return found

    def _watch(self, found: list[Reply], count: int) -> None:
        """Give a solver up that does not return, that cannot be reached, or that has failed from the beginning."""
        self.answered |= any(reply.status in (ANSWERED, UNPARSED) for reply in found)
        self.aloud |= any(reply.aloud for reply in found)
        self.ended += found[0].status == NEVER_RETURNED
        if self.ended >= MOST_ENDED:
            self.stopped = f"{MOST_ENDED} calls did not return: {found[0].detail}"
        unreached = [reply for reply in found if reply.status == NO_CONNECTION]
        self.unreached = self.unreached + len(unreached) if len(unreached) == len(found) else 0
        if self.unreached >= (MOST_UNREACHED if self.answered else 1):
            self.stopped = unreached[0].detail
        self.failed += count == 1 and not self.answered
        if self.failed >= MOST_FAILED and self.stopped is None:
            self.stopped = f"none of {self.failed} calls gave an answer; {found[0].status}: {found[0].detail}"

    def _asked(self, block: Block) -> _Asked:
        expected, numbers = oracle(block.task, block.prompts)
        names = [block.name(row, self.seed) for row in range(len(block.prompts))] if self.note or self.known else []
        replies: list[Reply | None] = [self.known.get(name) for name in names] or [None] * len(block.prompts)
        asked = _Asked(block, expected, numbers, names, replies)
        self.resumed += len(replies) - len(asked.open_rows)
        return asked

    def _take(self, asked: _Asked, row: int, reply: Reply) -> None:
        asked.replies[row] = reply
        if self.note is not None:
            self.note(asked.names[row], asked.block, row, asked.expected[row], reply)

    def _count_all(self, asked: _Asked) -> None:
        tally = self._tally(asked.block)
        for row, given in enumerate(asked.replies):
            if given is not None:
                self._count(tally, asked.block, row, asked.expected[row], given)
        for number, holds in enumerate(asked.block.pairs):
            first, second = asked.replies[2 * number], asked.replies[2 * number + 1]
            if first is not None and second is not None and first.answer is not None and second.answer is not None:
                tally.broken += not holds(first.answer, second.answer)

    def _tally(self, block: Block) -> Tally:
        key = (block.stage, block.family, block.task.depth, block.length)
        return self.tallies.setdefault(key, Tally(*key, task=block.task))

    def _count(self, tally: Tally, block: Block, row: int, expected: Answer, reply: Reply) -> None:
        tally.statuses[reply.status] += 1
        if reply.status == NO_CONNECTION:  # not asked at all
            return
        tally.asked += 1
        if reply.status == ANSWERED and reply.answer == expected:
            tally.right += 1
            return
        if reply.status == UNPARSED and self.unread is None:
            self.unread = reply
        key = (block.stage, block.family, block.task.depth, block.length)
        found = Failed(block.stage, block.family, block.task, block.prompts[row], expected, reply)
        if self.first is None:
            self.first = found
        if key not in self.failures or found.size < self.failures[key].size:
            self.failures[key] = found


def oracle(task: AnyTask, prompts: Array) -> tuple[list[Answer], int | None]:
    """The right answers, and how many numbers each of them has; None: one number, not a sequence."""
    right = task.right_answers(prompts)
    if right.ndim == 1:
        return right.tolist(), None
    return [tuple(row) for row in right.tolist()], right.shape[1]


def smallest(failures: Mapping[Any, Failed]) -> Failed | None:
    """The failure with the shortest prompt, and of these the plainest; the first stage that has it."""
    return min(failures.values(), key=lambda failed: failed.size, default=None)


def is_wrong(reply: Reply, expected: Answer) -> bool:
    return reply.status != ANSWERED or reply.answer != expected


def differing(prompt: Array, plain: Array) -> Any:
    """Where a prompt is not plain."""
    return np.flatnonzero(prompt != plain)


def shrunk(examiner: Examiner, failed: Failed, ends: float, calls: int = 1 << 14) -> Failed:
    """The failure with as many plain tokens, and as low values, as were found in time and with ``calls`` prompts.

    Every candidate is put to the solver: what is returned fails, with the same status as what was given.
    """
    search = _Search(examiner, failed, ends, calls)
    before = None
    while before is None or not np.array_equal(before, search.best.prompt):
        before = search.best.prompt
        search.make_plain()
        search.lower_values()
        if search.over():
            break
    return search.best


class _Search:
    def __init__(self, examiner: Examiner, failed: Failed, ends: float, calls: int) -> None:
        self.examiner, self.best, self.ends, self.left = examiner, failed, ends, calls
        self.task = failed.task
        self.plain = self.task.plainest_prompt()

    def over(self) -> bool:
        return self.left <= 0 or time.monotonic() > self.ends or self.examiner.stopped is not None

    def make_plain(self) -> None:
        size = len(self.plain)
        while size >= 1 and not self.over():
            for start in range(0, len(self.plain), size):
                places = np.arange(start, min(start + size, len(self.plain)))
                if (self.best.prompt[places] != self.plain[places]).any():
                    self._try([self._with(places, self.plain[places])])
            size //= 2

    def lower_values(self) -> None:
        for place in differing(self.best.prompt, self.plain):
            while not self.over():
                now, low = int(self.best.prompt[place]), int(self.plain[place])
                lower = dict.fromkeys((low + (now - low) // 2, now - 1))
                if not self._try(self._with([place], [value]) for value in lower if low < value < now):
                    break

    def _with(self, places: Iterable[int], values: Iterable[int]) -> Array:
        prompt = self.best.prompt.copy()
        prompt[np.array(list(places))] = np.array(list(values))
        return prompt

    def _try(self, candidates: Iterable[Array]) -> bool:
        """Take the first candidate that fails in the same way."""
        for prompt in candidates:
            if self.over():
                return False
            try:
                self.task.instance(prompt)
            except ValueError:  # no input of the task
                continue
            (expected,), numbers = oracle(self.task, prompt[None])
            self.left -= 1
            (reply,) = self.examiner.call(self.task, prompt[None], numbers)
            if reply.status == self.best.reply.status and is_wrong(reply, expected):
                self.best = replace(self.best, prompt=prompt, expected=expected, reply=reply)
                return True
        return False
