"""The tasks as the kit sees them: sizes for a wanted length, small sizes, families by name.

A task that is found by its name alone (a folder of separation/tasks) needs nothing here: its sizes are grown field by
field. FuncComp and 2-Sum say themselves which sizes are worth asking about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import product
from typing import Any

from separation.files import InputError
from separation.tasks import AnyTask, Instance, TaskSizes, require_integer, task_folder, task_names, task_of
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

MAX_HOPS = 64
MAX_LENGTH = 1 << 20
FEW_INPUTS_LOG2 = 13
"""Sizes with fewer than 2^13 inputs are small: all of them are asked."""
START = 8
"""Sizes that are grown start below this, in every field."""

Family = Callable[[Any, int], Iterator[Instance]]


def stressed_tasks() -> tuple[str, ...]:
    """The tasks that a solver can be asked about by their names alone."""
    return tuple(name for name in task_names() if name in _SIZES or _accepted(name))


def sizes_of_length(task: str, length: int, hops: int | None = None) -> TaskSizes:
    """Sizes whose prompt has at most ``length`` tokens, and nearly as many; ``hops`` for a task that has them.

    >>> sizes_of_length("funccomp", 64, 2)
    Sizes(m=7, n=(7,))
    """
    require_integer("length", length, 1, MAX_LENGTH)
    own = _SIZES.get(task)
    found = own(length, hops) if own is not None else _grown(task, length)
    if found is None:
        wanted = "" if hops is None else f" and L = {hops}"
        raise InputError(f"{task} has no sizes with a prompt of at most {length} tokens{wanted}")
    return found


def small_sizes(task: str) -> tuple[TaskSizes, ...]:
    """Sizes with so few inputs that all of them are asked, the shortest prompt first."""
    task_folder(task)
    if task in _SMALL:
        return _SMALL[task]
    return _small(task)


def families_of(sizes: TaskSizes) -> Mapping[str, Family]:
    """The adversarial families of the task, by name; one that does not name them has the family ``hard``."""
    named: Mapping[str, Family] | None = getattr(task_folder(task_name(sizes)), "FAMILIES", None)
    if named:
        return named
    return {"hard": lambda own, seed: task_of(own).family_instances(seed)}


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


def _two_sum(length: int, hops: int | None) -> TwoSumSizes:
    """The next odd modulus above n²."""
    if hops is not None:
        raise InputError("two_sum has no hops; leave out --L")
    return TwoSumSizes(length, length**2 + 1 + length % 2)


_SIZES: dict[str, Callable[[int, int | None], TaskSizes | None]] = {"funccomp": _funccomp, "two_sum": _two_sum}
_SMALL: dict[str, tuple[TaskSizes, ...]] = {
    "funccomp": (Sizes(2, ()), Sizes(3, ()), Sizes(2, (1,)), Sizes(2, (2,)), Sizes(3, (1,)), Sizes(2, (1, 1))),
    "two_sum": (TwoSumSizes(1, 3), TwoSumSizes(2, 5), TwoSumSizes(3, 5), TwoSumSizes(3, 7), TwoSumSizes(4, 7)),
}


def _grown(task: str, length: int) -> TaskSizes | None:
    """From the smallest sizes that the task accepts, every field doubled in turn as long as the prompt fits."""
    best = next((sizes for sizes in _accepted(task) if task_of(sizes).prompt_length <= length), None)
    grows = best is not None
    while best is not None and grows:
        grows = False
        for name in _integer_fields(type(best)):
            larger = _changed(best, name, 2 * getattr(best, name))
            if larger is not None and task_of(larger).prompt_length <= length and _inputs(larger) > _inputs(best):
                # A field that lengthens nothing is kept below the length: a vocabulary need not be larger.
                if getattr(larger, name) > max(length, START):
                    continue
                best, grows = larger, True
    return best


@cache
def _small(task: str) -> tuple[TaskSizes, ...]:
    few = [sizes for sizes in _accepted(task) if sizes.inputs_log2_floor() < FEW_INPUTS_LOG2]
    # Different numbers of inputs, the shortest of each: the same count twice says little new.
    counts = {sizes.inputs_log2_floor(): sizes for sizes in reversed(few)}
    return tuple(sorted(counts.values(), key=lambda sizes: (task_of(sizes).prompt_length, sizes.inputs_log2_floor())))


@cache
def _accepted(task: str) -> tuple[TaskSizes, ...]:
    """All sizes with small fields that the task does not refuse, shortest prompts first."""
    kind = next(iter(task_folder(task).TASKS))
    names = _integer_fields(kind)
    if not names:
        return ()
    found = []
    for values in product(range(1, START), repeat=len(names)):
        try:
            sizes = kind(**dict(zip(names, values, strict=True)))
            found.append((task_of(sizes).prompt_length, sizes.inputs_log2_floor(), values, sizes))
        except (InputError, TypeError, ValueError):
            continue
    return tuple(entry[-1] for entry in sorted(found, key=lambda entry: entry[:-1]))


def _integer_fields(kind: type[Any]) -> list[str]:
    """The fields of sizes, if all of them are integers; else none, and sizes are not grown."""
    if not is_dataclass(kind):
        return []
    own = [field for field in fields(kind) if field.init]
    return [field.name for field in own] if all(field.type in (int, "int") for field in own) else []


def _changed(sizes: Any, name: str, value: int) -> TaskSizes | None:
    given = {field: getattr(sizes, field) for field in _integer_fields(type(sizes))}
    for nearby in (value, value + 1):  # one that must be odd, or even
        try:
            changed: TaskSizes = type(sizes)(**{**given, name: nearby})
        except (InputError, TypeError, ValueError):
            continue
        return changed
    return None


def _inputs(sizes: TaskSizes) -> int:
    return sizes.inputs_log2_floor()
