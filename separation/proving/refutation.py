"""An input that a model answers wrongly: all inputs if they are few, else families, aimed and random ones.

Wrong means that the exact run gives another answer than the oracle: at the last token; of 2-Sum at any token; of a
chain of thought, decoded greedily, the final answer. What the exact run refuses (an activation beyond p bits, a score
above the shift) is no answer, neither right nor wrong: it is counted apart.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from separation.counting import count
from separation.files import InputError
from separation.progress import Progress
from separation.proving.construction import Construction, can_be_run, compare, final_answers, right_answers
from separation.proving.failures import Failure
from separation.tasks import hard_inputs, instance_to_document, task_of
from separation.tasks.checks import generator
from separation.tasks.task import Array, Instance

TINY_LOG2, SMALL_LOG2 = 13, 18
"""Up to 2^13 inputs all are run, and nothing else; up to 2^18 all are run after families and aimed ones."""
FAMILY_SEEDS = 3
AIMED_SHARE = 0.6
"""Of the time that is left, for aimed inputs; the rest is for random ones."""
BATCH_SECONDS = 0.1
SMALLEST_BATCH, LARGEST_BATCH = 8, 256
SHRINK_SECONDS = 1.0
MOST_AT_ONCE = 64


@dataclass(frozen=True)
class Refutation:
    """What a search for a wrong answer came to; ``instance`` is None if there was none among the ``tried``.

    ``stages``: how many inputs each stage ran; ``complete``: these were all inputs there are. ``refused``: inputs that
    the exact run refuses, and ``message`` what it says; or why nothing was run.
    """

    instance: Instance | None = None
    answered: tuple[int | None, ...] = ()
    expected: tuple[int, ...] = ()
    tried: int = 0
    stages: dict[str, int] = field(default_factory=dict)
    complete: bool = False
    refused: int = 0
    message: str = ""

    @property
    def words(self) -> str:
        """One sentence: what was run, and what came of it."""
        if self.instance is not None:
            return f"refuted: the input below, one of {self.tried:,} that were run, is answered wrongly"
        refused = f"; {self.refused:,} more are refused by the exact run ({self.message})" if self.refused else ""
        if not self.tried and self.refused:
            return f"not proved; the exact run refuses all {self.refused:,} inputs that were tried ({self.message})"
        if not self.tried:
            return f"not proved; no input was run: {self.message}"
        if self.complete:
            return f"not proved, but right on all {self.tried:,} inputs"
        return f"not proved; no wrong answer found in {count(self.tried, 'input')} ({', '.join(self.stages)}){refused}"

    def document(self) -> dict[str, Any]:
        """Keys of `--json`; answers are lists where every token has one."""
        many = self.instance is not None and task_of(self.instance.sizes).answers_every_token
        return {
            "counterexample": None if self.instance is None else instance_to_document(self.instance),
            "answered": _listed(self.answered, many),
            "expected": _listed(self.expected, many),
            "tried": self.tried,
            "search": {
                "stages": [{"stage": name, "inputs": count} for name, count in self.stages.items()],
                "complete": self.complete,
                "refused": self.refused,
                "message": self.message,
            },
        }


def _listed(answers: Sequence[int | None], many: bool) -> Any:
    if many:
        return list(answers)
    return answers[0] if answers else None


def refute(
    subject: Construction,
    seconds: float,
    failures: Sequence[Failure] = (),
    seed: int = 0,
    progress: Progress | None = None,
) -> Refutation:
    """Search for about ``seconds``; ``failures`` say where a proof failed: inputs are aimed there first."""
    if seconds <= 0:
        return Refutation(message="no time was given")
    if not can_be_run(subject):
        return Refutation(message=f"a prompt of {subject.task.prompt_length:,} tokens takes the exact run too long")
    return _Search(subject, seconds, progress or (lambda _done, _what: None)).found(_stages(subject, failures, seed))


Stages = Iterable[tuple[str, float, Iterator[Array]]]
"""Name, share of the time that is left, and blocks of prompts."""


def _stages(subject: Construction, failures: Sequence[Failure], seed: int) -> Stages:
    task, random = subject.task, generator(seed)
    bits = subject.sizes.inputs_log2_floor()
    if bits < TINY_LOG2:
        return [("all", 1.0, task.all_prompts(LARGEST_BATCH))]
    stages: list[tuple[str, float, Iterator[Array]]] = [("families", 0.5, _families(subject, seed))]
    stages.append(("aimed", AIMED_SHARE, task.aimed_prompts(random, named_kinds(failures), LARGEST_BATCH)))
    if bits < SMALL_LOG2:
        return [*stages, ("all", 1.0, task.all_prompts(LARGEST_BATCH))]
    return [*stages, ("random", 1.0, _endless(lambda: task.random_prompts(random, LARGEST_BATCH)))]


def named_kinds(failures: Sequence[Failure]) -> list[str]:
    """The kinds of tokens that failures name: those that were read, and those that read."""
    return [name for failure in failures for name in (failure.details.get("reads", ""), failure.kind)]


class _Search:
    """Runs stage after stage in batches that fit the time, and stops at the first wrong answer."""

    def __init__(self, subject: Construction, seconds: float, progress: Progress) -> None:
        self.subject, self.seconds, self.progress = subject, seconds, progress
        self.start, self.batch = time.monotonic(), SMALLEST_BATCH
        self.result = Refutation()

    def found(self, stages: Stages) -> Refutation:
        for name, share, blocks in stages:
            ends = self._elapsed() + share * (self.seconds - self._elapsed())
            wrong, exhausted = self._stage(name, ends, blocks)
            if wrong is not None:
                return self._refuted(wrong)
            if name == "all" and exhausted:
                self.result = replace(self.result, complete=not self.result.refused, tried=self.result.stages["all"])
        if not self.result.stages:
            return replace(self.result, message=f"{self.seconds:g} s were over before the first")
        return self.result

    def _stage(self, name: str, ends: float, blocks: Iterator[Array]) -> tuple[Array | None, bool]:
        """The first prompt that is answered wrongly; else whether the stage came to its end."""
        for block in blocks:
            rest = block
            while len(rest):
                if self._elapsed() >= ends:
                    return None, False
                now, rest = rest[: self.batch], rest[self.batch :]
                self.progress(min(1.0, self._elapsed() / self.seconds), f"looking for a wrong answer: {name}")
                wrong = self._run(name, now)
                if wrong is not None:
                    return wrong, False
        return None, True

    def _run(self, name: str, prompts: Array) -> Array | None:
        before = time.monotonic()
        answers = compare(self.subject, prompts)
        seconds = time.monotonic() - before
        if 2 * int(answers.refused.sum()) > len(prompts):
            # A batch in which most are refused is halved down to single prompts: small ones cost less.
            self.batch = SMALLEST_BATCH
        elif seconds < BATCH_SECONDS / 2:
            self.batch = min(2 * self.batch, LARGEST_BATCH)
        elif seconds > BATCH_SECONDS:
            self.batch = max(1, self.batch // 2)
        refused, now = int(answers.refused.sum()), self.result
        run = len(prompts) - refused
        self.result = replace(
            now,
            tried=now.tried + run,
            refused=now.refused + refused,
            message=now.message or answers.message,
            stages={**now.stages, name: now.stages.get(name, 0) + run},
        )
        places = np.flatnonzero(answers.wrong)
        return prompts[places[0]] if len(places) else None

    def _refuted(self, prompt: Array) -> Refutation:
        small = shrunk(self.subject, prompt, SHRINK_SECONDS)
        found, right = final_answers(self.subject, small[None])[0], right_answers(self.subject, small[None])[0]
        answered = tuple(None if answer < 0 else int(answer) for answer in np.atleast_1d(found))
        expected = tuple(int(answer) for answer in np.atleast_1d(right))
        instance = self.subject.task.instance(small)
        return replace(self.result, instance=instance, answered=answered, expected=expected)

    def _elapsed(self) -> float:
        return time.monotonic() - self.start


def _families(subject: Construction, seed: int) -> Iterator[Array]:
    return (hard_inputs(subject.sizes, seed + number)[0] for number in range(FAMILY_SEEDS))


def _endless(draw: Callable[[], Array]) -> Iterator[Array]:
    while True:
        yield draw()


def shrunk(subject: Construction, prompt: Array, seconds: float) -> Array:
    """The prompt with runs of tokens made plain, long runs first, as long as the answer stays wrong.

    Every candidate is run: what is returned is answered wrongly, as the prompt that was given.
    """
    plain, ends = subject.task.plainest_prompt(), time.monotonic() + seconds
    size = len(prompt)
    while size >= 1:
        starts = [start for start in range(0, len(prompt), size) if _differs(prompt, plain, start, size)]
        for first in range(0, len(starts), MOST_AT_ONCE):
            if time.monotonic() > ends:
                return prompt
            prompt = _plainer(subject, prompt, plain, starts[first : first + MOST_AT_ONCE], size)
        size //= 2
    return prompt


def _plainer(subject: Construction, prompt: Array, plain: Array, starts: list[int], size: int) -> Array:
    """Of the runs that can be made plain one by one, as many together as keep the answer wrong: all, half, …, one."""
    starts = [start for start in starts if _is_input(subject, _with_plain(prompt, plain, [start], size))]
    if not starts:
        return prompt
    alone = np.stack([_with_plain(prompt, plain, [start], size) for start in starts])
    useful = [start for start, wrong in zip(starts, compare(subject, alone).wrong, strict=True) if wrong]
    while useful:
        candidate = _with_plain(prompt, plain, useful, size)
        if _is_input(subject, candidate) and compare(subject, candidate[None]).wrong[0]:
            return candidate
        useful = useful[: len(useful) // 2]
    return prompt


def _is_input(subject: Construction, prompt: Array) -> bool:
    """Does it still meet the promises of its task: no two keys alike, say?"""
    try:
        subject.task.instance(prompt)
    except InputError:
        return False
    return True


def _differs(prompt: Array, plain: Array, start: int, size: int) -> bool:
    return bool((prompt[start : start + size] != plain[start : start + size]).any())


def _with_plain(prompt: Array, plain: Array, starts: list[int], size: int) -> Array:
    result = prompt.copy()
    for start in starts:
        result[start : start + size] = plain[start : start + size]
    return result
