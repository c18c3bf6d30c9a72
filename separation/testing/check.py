"""`check_solver`: a solver against the oracle, stage by stage, and its smallest failure."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from separation.files import InputError
from separation.progress import Progress, silent
from separation.tasks import Instance, TaskSizes, instance_to_document, require_integer
from separation.tasks.checks import shown
from separation.testing.calling import INSTANCES, TOKENS, Form, Pool, caller_of
from separation.testing.dataset import sizes_asked
from separation.testing.examining import Examiner, Failed, Tally, shrunk, smallest
from separation.testing.plan import ADVERSARIAL, EXHAUSTIVE, METAMORPHIC, RANDOM, STAGES, Plan
from separation.testing.replies import ANSWERED, NO_CONNECTION, UNPARSED, Answer
from separation.testing.subjects import Named, subject_of, task_name
from separation.testing.text import write_block

SHARES = {EXHAUSTIVE: 0.3, ADVERSARIAL: 0.4, METAMORPHIC: 0.4, RANDOM: 0.7}
"""Of the time that is left when a stage begins; what then is left is for making the failure small."""
COUNTING_SECONDS = 1.0
"""How long to count what a plan that was not finished has."""
LIMIT = 5.0
HOPS, LENGTHS = (1, 2, 3), (16, 48)


@dataclass(frozen=True)
class SolverReport:
    """What was asked and answered. ``failure``: the smallest failing instance, shrunk; None if there is none.

    ``expected`` and ``answered`` are about that instance, as is ``reason``: why it counts as a failure. ``stage`` and
    ``family``: which caught the solver first. ``failures``: the smallest for each number of hops, as far as wanted.
    ``unfinished``: stages in which the time was over before everything was asked. ``stopped``: why the solver was given
    up, if it was. A report is ok if every stage was begun and every answer was right; ``complete`` if everything that
    was ``planned`` (None: more prompts than were counted) was asked. ``unread``: the first reply that could not be
    read. ``aloud``: some reply says more than the answer.
    """

    task: str
    rows: tuple[Tally, ...]
    failed: Failed | None
    first: Failed | None
    failures: tuple[Failed, ...]
    unfinished: tuple[str, ...]
    stopped: str | None
    seconds: float
    seed: int
    planned: int | None = None
    unread: str | None = None
    aloud: bool = False

    @property
    def complete(self) -> bool:
        return not self.unfinished and self.stopped is None

    def count(self, status: str) -> int:
        return sum(row.statuses[status] for row in self.rows)

    @property
    def verdict(self) -> str:
        """What came of it, the worst first."""
        asked, planned = f"{self.asked:,}", "more" if self.planned is None else f"{self.planned:,}"
        right = f"{self.right:,} of {asked} right ({share_text(self.accuracy)})"
        if not self.asked:
            return f"no answer: {self.stopped or 'nothing was asked'}"
        if lost := self.count(NO_CONNECTION):
            right += f"; {lost:,} more got no answer at all"
        if self.unread is not None:
            return f"{self.count(UNPARSED):,} of {asked} could not be read; the first: {self.unread}; {right}"
        if self.right < self.asked or self.broken or lost or self.stopped is not None:
            return right
        if self.unfinished:
            return f"incomplete: {asked} of {planned} asked, all of them right"
        return f"answered every prompt rightly: {asked} of {asked}"

    @property
    def ok(self) -> bool:
        unreached = self.count(NO_CONNECTION)
        begun = {row.stage for row in self.rows if row.asked}
        whole = self.stopped is None and not unreached and not self.broken and begun >= set(self.unfinished)
        return whole and self.asked > 0 and self.right == self.asked

    @property
    def asked(self) -> int:
        return sum(row.asked for row in self.rows)

    @property
    def right(self) -> int:
        return sum(row.right for row in self.rows)

    @property
    def broken(self) -> int:
        """Metamorphic pairs whose answers contradict each other."""
        return sum(row.broken for row in self.rows)

    @property
    def accuracy(self) -> float:
        return self.right / self.asked if self.asked else 0.0

    @property
    def failure(self) -> Instance | None:
        return None if self.failed is None else self.failed.instance

    @property
    def expected(self) -> Answer | None:
        return None if self.failed is None else self.failed.expected

    @property
    def answered(self) -> Answer | None:
        return None if self.failed is None else self.failed.reply.answer

    @property
    def stage(self) -> str | None:
        return None if self.first is None else self.first.stage

    @property
    def family(self) -> str | None:
        return None if self.first is None else self.first.family

    @property
    def reason(self) -> str | None:
        """`wrong answer`, or `raised: ValueError: …`."""
        if self.failed is None:
            return None
        reply = self.failed.reply
        return "wrong answer" if reply.status == ANSWERED else f"{reply.status}: {reply.detail}"

    def document(self) -> dict[str, Any]:
        failure = self.failure
        names = ("ok", "task", "verdict", "complete", "planned", "asked", "right", "accuracy")
        return {
            **{name: getattr(self, name) for name in names},
            "broken_pairs": self.broken,
            "rows": [row.document() for row in self.rows],
            "failure": None if failure is None else instance_to_document(failure),
            "expected": _written(self.expected),
            "answered": _written(self.answered),
            **{name: getattr(self, name) for name in ("reason", "stage", "family")},
            "unfinished": list(self.unfinished),
            **{name: getattr(self, name) for name in ("stopped", "seed", "seconds")},
        }

    def __str__(self) -> str:
        text = self.verdict
        if self.stopped is not None:
            text += f"; stopped: {self.stopped}"
        elif self.unfinished:
            text += f"; the time was over in {', '.join(self.unfinished)}"
        if self.failed is not None:
            said = "" if self.answered is None else f" answered {self.answered}, expected {self.expected}"
            text += f"; {self.reason} ({self.stage}, {self.family}):{said} on {_short(self.failure)}"
        return text


def check_solver(
    solver: Callable[[list[Any]], Any],
    task: Named = "funccomp",
    *,
    sizes: TaskSizes | Sequence[TaskSizes] | None = None,
    seconds: float = 10.0,
    seed: int = 0,
    tokens: bool = False,
    limit: float | None = LIMIT,
    instances: int = 1024,
    progress: Progress | None = None,
) -> SolverReport:
    """Asks a solver everything at small sizes, then hard, changed and random inputs; at most about ``seconds``.

    where a solver is any callable from a list of instances (``tokens``: of lists of token ids) to a sequence of
    answers: a number each, or for a task that asks at every token a sequence of numbers. ``task``: its name, or any
    program, itself, by its name in the gallery, or as FILE.py:program. ``sizes``: one or more, for a
    solver that takes no others; ``instances``: random ones at each of them. ``limit``: seconds of one call, after which
    the child process in which the solver runs is ended; None: the solver runs in this process and is never ended.

    >>> from separation.tasks.funccomp import answer
    >>> from separation.tasks.funccomp import Sizes
    >>> check_solver(lambda cases: [answer(case) for case in cases], sizes=Sizes(2, ()), instances=8).ok
    True
    >>> report = check_solver(lambda cases: [case.tables[-1][-1] for case in cases], sizes=Sizes(2, ()))
    >>> report.ok, report.stage, report.failure.tables, report.expected, report.answered
    (False, 'exhaustive-small', ((0, 1),), 0, 1)
    """
    plan = plan_for(task, sizes, seed, instances)
    caller = caller_of(lambda: solver, Form(TOKENS if tokens else INSTANCES), limit)
    try:
        return examined(Examiner(caller, seed), plan, subject_of(task).name, seconds, progress=progress)
    finally:
        caller.close()


def assert_solves(solver: Callable[[list[Any]], Any], task: Named = "funccomp", **options: Any) -> SolverReport:
    """`check_solver`, and an AssertionError with the smallest failure if it is not ok."""
    report = check_solver(solver, task, **options)
    if not report.ok:
        raise AssertionError(str(report))
    return report


def plan_for(task: Named, sizes: TaskSizes | Sequence[TaskSizes] | None, seed: int, instances: int = 1024) -> Plan:
    """Small sizes in full and larger ones in part; or the given sizes alone, in full where they have few inputs."""
    require_integer("seed", seed, 0)
    require_integer("instances", instances, 1)
    subject = subject_of(task)
    if sizes is None:
        return Plan(sizes_asked(subject, HOPS, LENGTHS), subject.small, seed, random=instances)
    given = tuple(sizes) if isinstance(sizes, Sequence) else (sizes,)
    if not given:
        raise InputError("sizes is empty; give one or more, or None")
    for each in given:
        if task_name(each) != subject.folder:
            raise InputError(f"sizes are {shown(each)}; sizes of the task {subject.name} are needed")
    return Plan(given, (), seed, random=instances)


def examined(
    examiner: Examiner,
    plan: Plan,
    task: str,
    seconds: float,
    *,
    shrink_calls: int = 1 << 14,
    each_hop: bool = False,
    progress: Progress | None = None,
) -> SolverReport:
    """The stages in turn, each for its share of the time; then the smallest failure is made smaller.

    ``each_hop``: that of each number of hops; ``shrink_calls``: how many prompts may be spent on it.
    """
    report = progress or silent
    report(0.0, "the solver is loaded")
    examiner.caller.ready()
    start = time.monotonic()
    ends = start + seconds
    unfinished = []
    for stage in STAGES:
        now = time.monotonic()
        stage_ends = now + SHARES[stage] * (ends - now)
        say = partial(_told, report, start, seconds)
        if examiner.stopped is None and not _examine_stage(examiner, plan, stage, stage_ends, say):
            unfinished.append(stage)
    found = _smallest_failures(examiner, each_hop)
    report(0.9, "making failures smaller")
    last = max(ends, time.monotonic() + 0.1 * seconds)
    for number, failed in enumerate(found):
        share = time.monotonic() + (last - time.monotonic()) / (len(found) - number)
        found[number] = shrunk(examiner, failed, share, shrink_calls // len(found))
    failed_first = min(found, key=lambda failed: failed.size, default=None)
    rows = tuple(row for row in examiner.tallies.values() if sum(row.statuses.values()))
    stopped, taken = examiner.stopped, time.monotonic() - start
    return SolverReport(
        task,
        rows,
        failed_first,
        examiner.first,
        tuple(found),
        tuple(unfinished),
        stopped,
        taken,
        examiner.seed,
        plan.count(COUNTING_SECONDS) if unfinished or stopped else sum(row.asked for row in rows),
        None if examiner.unread is None else examiner.unread.detail,
        examiner.aloud,
    )


def _examine_stage(examiner: Examiner, plan: Plan, stage: str, ends: float, say: Callable[[str], None]) -> bool:
    """Each of the sizes for its share of the time, and one call in any case; was everything asked?"""
    whole, every, begun = True, plan.sizes_in(stage), False
    if isinstance(examiner.caller, Pool):
        say(stage)
        blocks = (block for sizes in every for block in plan.blocks(stage, sizes))
        return examiner.examine_together(blocks, ends, examiner.caller)
    for number, sizes in enumerate(every):
        share = time.monotonic() + (ends - time.monotonic()) / (len(every) - number)
        for block in plan.blocks(stage, sizes):
            say(f"{stage}: {block.family}, {block.length} tokens")
            done = examiner.examine(block, share, at_least_one=not begun)
            begun = True
            if not done:
                whole = False
                break
        if examiner.stopped is not None:
            return False
    return whole


def _told(progress: Progress, start: float, seconds: float, what: str) -> None:
    progress(min(1.0, (time.monotonic() - start) / seconds), what)


def _smallest_failures(examiner: Examiner, each_hop: bool) -> list[Failed]:
    """The smallest failure, or that of each number of hops."""
    levels = dict.fromkeys(failed.task.depth for failed in examiner.failures.values()) if each_hop else {}
    if not levels:
        failed = smallest(examiner.failures)
        return [] if failed is None else [failed]
    some = ({k: f for k, f in examiner.failures.items() if f.task.depth == level} for level in levels)
    return [failed for failures in some if (failed := smallest(failures)) is not None]


def share_text(share: float) -> str:
    """62.3 %; 100 % only if it is all of them."""
    text = f"{100 * share:.1f} %"
    return "99.9 %" if text == "100.0 %" and share < 1 else text.replace(".0 %", " %")


def _written(answer: Answer | None) -> int | list[int] | None:
    return list(answer) if isinstance(answer, tuple) else answer


def _short(instance: Instance | None) -> str:
    text = "" if instance is None else write_block(instance).replace("\n", "; ")
    return text if len(text) <= 500 else f"{text[:499]}…"
