"""The tasks as the kit sees them: what a person names, sizes for a wanted length, small sizes.

FuncComp and 2-Sum are named by their folder. Everything else is a program: a name of the gallery (MQAR has lengths of
its own), FILE.py:program, or a `Program` itself.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from constructions.programs import NAMES, function, is_program, program_named, sizes_of
from separation.files import InputError
from separation.tasks import AnyTask, Instance, TaskSizes, require_integer, task_folder, task_names, task_of
from separation.tasks.checks import shown
from separation.tasks.funccomp import Sizes
from separation.tasks.program import Definitions
from separation.tasks.two_sum import TwoSumSizes

MAX_HOPS = 64
MAX_LENGTH = 1 << 20
FEW_INPUTS = 1 << 13
"""Sizes with at most so many inputs are small: all of them are asked."""
SHORTEST = 4
"""Programs without a length of their own are asked in full up to so many tokens."""

Family = Callable[[int], Iterator[Instance]]
Named = str | Definitions | Any
"""A task as people name it: its folder, a program's name or file, or the program."""


@dataclass(frozen=True)
class Subject:
    """A task that a solver is asked about: ``name``, ``small`` sizes, and those of about a wanted number of tokens.

    ``folder``: the task's own, "program" for every program. ``of_length``: (tokens, hops) to sizes, None where there
    are none so short; without it there are the ``small`` ones only.
    """

    name: str
    folder: str
    small: tuple[TaskSizes, ...]
    of_length: Callable[[int, int | None], TaskSizes | None] | None = None

    @property
    def file_name(self) -> str:
        return re.sub(r"[^a-z0-9]+", "_", self.name.lower()).strip("_") or self.folder

    @property
    def has_hops(self) -> bool:
        return self.folder == "funccomp"


def stressed_tasks() -> tuple[str, ...]:
    """The tasks with lengths of their own; besides these there are all programs."""
    return tuple(_OWN)


def subject_of(task: Named, sizes: Mapping[str, int] | str = "") -> Subject:
    """The task that is named; ``sizes`` of a program: "n=8,V=4".

    >>> subject_of("induction", "n=3,V=2").small[0].length
    4
    """
    if isinstance(task, Subject):
        return task
    own = _OWN.get(task.lower()) if isinstance(task, str) else None
    if own is not None and not (sizes and own.folder == "program"):
        if sizes:
            raise InputError(f"--sizes are those of a program; those of {task} follow from --lengths")
        return own
    if isinstance(task, str) and is_program(task):
        in_gallery = task.lower() in NAMES and not sizes
        return _of_program(program_named(task, sizes), task.lower() if in_gallery else None)
    if isinstance(task, str) or not hasattr(task, "definitions"):
        known = f"{', '.join(_OWN)}, a program of the gallery (separation programs) and FILE.py:program"
        raise InputError(f"--task is {shown(task)}; known are {known}")
    return _of_program(task)


def sizes_of_length(task: Named, length: int, hops: int | None = None) -> TaskSizes:
    """Sizes whose prompt has at most ``length`` tokens, and nearly as many; ``hops`` for a task that has them.

    >>> sizes_of_length("funccomp", 64, 2)
    Sizes(m=7, n=(7,))
    """
    require_integer("length", length, 1, MAX_LENGTH)
    subject = subject_of(task)
    if hops is not None and not subject.has_hops:
        raise InputError(f"{subject.name} has no hops; leave out --L")
    found = None if subject.of_length is None else subject.of_length(length, hops)
    if found is None:
        wanted = "" if hops is None else f" and L = {hops}"
        raise InputError(f"{subject.name} has no sizes with a prompt of at most {length} tokens{wanted}")
    return found


def small_sizes(task: Named) -> tuple[TaskSizes, ...]:
    """Sizes with so few inputs that all of them are asked, the shortest prompt first."""
    return subject_of(task).small


def families_of(sizes: TaskSizes) -> Mapping[str, Family]:
    """The adversarial families of the task, by name."""
    return plain_task(sizes).families()


def task_name(sizes: TaskSizes) -> str:
    """funccomp, two_sum, …: the folder whose sizes these are."""
    return next(name for name in task_names() if type(sizes) in task_folder(name).TASKS)


def plain_task(sizes: TaskSizes) -> AnyTask:
    """The task without a chain of thought: what a solver is asked."""
    return task_of(task_of(sizes).plain_sizes)


def chance(task: AnyTask) -> float | None:
    """How often a guess is right: one of all answers; None of a task that asks at every token."""
    return None if task.answers_every_token else 1 / task.shape().output_count


def _funccomp(length: int, hops: int | None) -> Sizes | None:
    """The largest m = n_1 = … that fit, then the last of them as large as still fits."""
    L = require_integer("L", 2 if hops is None else hops, 1, MAX_HOPS)
    if length < 2 * L + 2:
        return None
    if L == 1:
        return Sizes(length - 2, ())
    if sum(2**level for level in range(1, L + 1)) + 2 > length:
        # Not even two values of each digit: one value each, and table 1 as large as fits.
        return Sizes((length - 2) // L, (1,) * (L - 1))
    size = 2
    while sum((size + 1) ** level for level in range(1, L + 1)) + 2 <= length:
        size += 1
    shorter = sum(size**level for level in range(1, L)) + 2
    return Sizes(size, (*(size,) * (L - 2), (length - shorter) // size ** (L - 1)))


def _two_sum(length: int, hops: int | None) -> TwoSumSizes:  # noqa: ARG001
    """The next odd modulus above n²."""
    return TwoSumSizes(length, length**2 + 1 + length % 2)


def _mqar(length: int, hops: int | None) -> Definitions | None:  # noqa: ARG001
    """Half of the tokens are pairs; twice as many keys, and as many values, as pairs."""
    pairs = length // 2
    return _recall(pairs, 2 * pairs, max(2, pairs), length - pairs) if pairs else None


def _recall(*sizes: int) -> Definitions:
    found: Definitions = function("mqar")(*sizes).definitions
    return found


_OWN = {
    "funccomp": Subject(
        "funccomp",
        "funccomp",
        (Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(3, (1,)), Sizes(2, (1, 1))),
        _funccomp,
    ),
    "mqar": Subject(
        "mqar", "program", (_recall(1, 2, 2), _recall(2, 2, 2), _recall(2, 3, 2, 2), _recall(3, 4, 2)), _mqar
    ),
    "two_sum": Subject(
        "two_sum",
        "two_sum",
        (TwoSumSizes(1, 3), TwoSumSizes(2, 5), TwoSumSizes(3, 5), TwoSumSizes(3, 7), TwoSumSizes(4, 7)),
        _two_sum,
    ),
}


def _of_program(program: Any, name: str | None = None) -> Subject:
    """A program (or its definitions): as it is, at every length, or, if the gallery names it, grown."""
    own: Definitions = program if isinstance(program, Definitions) else program.definitions
    if own.is_endless:
        fixed = sum(kind.count or 0 for kind in own.kinds)
        short = [own.at_length(tokens) for tokens in range(1, SHORTEST + 1)]
        small = tuple(each for each in short if task_of(each).has_at_most(FEW_INPUTS))
        return Subject(own.name, "program", small, lambda n, _: own.at_length(n - fixed) if n > fixed else None)
    small = (own,) if task_of(own).has_at_most(FEW_INPUTS) else ()
    if name is not None:
        return Subject(name, "program", small, lambda length, _: _grown(name, length))
    return Subject(own.name, "program", (own,))


@cache
def _grown(name: str, length: int) -> Definitions | None:
    """From the small sizes of the gallery each is doubled in turn, up to the large ones, as long as the prompt fits."""
    most, sizes = sizes_of(name, True), sizes_of(name)
    best = _at(name, sizes)
    if best is None or task_of(best).prompt_length > length:
        return None
    grows = True
    while grows:
        grows = False
        for key in (key for key in sizes if most[key] != sizes[key]):
            tried = {**sizes, key: min(2 * sizes[key], most[key])}
            larger = None if tried == sizes else _at(name, tried)
            if larger is not None and task_of(larger).prompt_length <= length:
                best, sizes, grows = larger, tried, True
    return best


def _at(name: str, sizes: Mapping[str, int]) -> Definitions | None:
    """The program at these sizes; None where they do not fit together."""
    try:
        found: Definitions = function(name)(**sizes).definitions
    except InputError:
        return None
    return found
