"""Instances as text for models that read text, and answers read from replies; docs/stress.md has the grammar.

    prompt   = canary, instruction, {example}, block, "Answer:"
    example  = block, "Answer: ", answer, blank line
    block    = title, then one line for each kind of token: name, ": ", entries with single spaces between them
    entry    = [address, "="], value          address and value are digits joined by ","; no digits at all are "-"
    answer   = number, {" ", number}

A block has all that the token ids have, in the same order, and says of each entry where it stands.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, product
from math import prod
from typing import Any

from separation.files import InputError
from separation.tasks import AnyTask, Instance, TaskSizes
from separation.tasks.checks import shown
from separation.tasks.shape import digits_of, number_of
from separation.tasks.task import Array
from separation.testing.subjects import plain_task, sizes_of_length, small_sizes, stressed_tasks, task_name

CANARY = "separation-canary-7d1f0c52-93be-4a66-8e1b-5c4f2a0d9e38"
"""In every prompt: a text that holds it is test data, and does not belong into training data."""
CANARY_LINE = f"Test data, not for training: {CANARY}"
CUE = "Answer:"
MAX_SHOTS = 64
LONGEST_REPLY = 1 << 20
EXAMPLE_SEED = 1 << 20
"""Added to a seed, so that worked examples are not what is asked."""
MOST_WORDS = 1 << 16

_NUMBER = r"(?:0|[1-9][0-9]{0,17})"
_NUMBERS = rf"{_NUMBER}(?: {_NUMBER})*"
_LINE = re.compile(rf"{CUE}[ \t]*({_NUMBERS})[ \t]*")
_BARE = re.compile(rf"\s*({_NUMBERS})\s*")
_LOOSE = rf"{_NUMBER}(?:(?:, ?| +){_NUMBER})*"
_BOXED = re.compile(rf"\\boxed\{{\s*({_LOOSE})\s*\}}")
_NAMED = re.compile(r"\banswer(?:\s+is\s*:?|\s*[:=])\s*", re.IGNORECASE)
_SAID = re.compile(rf"({_LOOSE})(?:[.,;!](?=\s|$)|[ \t]*$)", re.MULTILINE)
_ALONE = re.compile(rf"\s*({_LOOSE})[.!]?\s*")
_ORNAMENTS = str.maketrans("", "", "*_`$[]()\"'#>")


def write_prompt(instance: Instance, *, shots: int = 0, seed: int = 0) -> str:
    """The text that asks for the answer of an instance, after ``shots`` worked examples drawn with ``seed``.

    >>> from separation.tasks.funccomp import Instance, Sizes
    >>> print(write_prompt(Instance(Sizes(2, (2,)), 1, [[1, 0], [3, 0, 1, 2]], [1])).split(chr(10), 2)[-1])
    FuncComp, L = 2, m = 2, n = (2)
    table 2: 0,0=3 0,1=0 1,0=1 1,1=2
    table 1: 0=1 1=0
    z0: 1
    w: 1
    Answer:
    """
    task = plain_task(instance.sizes)
    return write_prompts(task, task.prompt(instance)[None], shots=shots, seed=seed)[0]


def write_prompts(task: AnyTask, prompts: Array, *, shots: int = 0, seed: int = 0) -> list[str]:
    """The texts of many prompts of one task, given as rows of token ids."""
    head = [CANARY_LINE, task.question, *examples(task, shots, seed), task.title]
    lines = _lines(task.sizes)
    return ["\n".join([*head, *(line.write(row) for line in lines), CUE]) for row in prompts]


def examples(task: AnyTask, shots: int, seed: int = 0) -> list[str]:
    """Worked examples at small sizes, with as many hops as the task."""
    if not 0 <= shots <= MAX_SHOTS:
        raise InputError(f"shots is {shots}; allowed are 0..{MAX_SHOTS}")
    if not shots:
        return []
    small = plain_task(example_sizes(task))
    return [
        f"{write_block(case)}\n{CUE} {write_answer(small.expected(case))}\n"
        for case in islice(small.samples(seed + EXAMPLE_SEED, shots), shots)
    ]


def example_sizes(task: AnyTask) -> TaskSizes:
    """The sizes of worked examples: the smallest with two values of every digit; of a program its own."""
    name = task_name(task.sizes)
    if task.depth is not None:
        return sizes_of_length(name, (1 << task.depth + 1) if task.depth > 1 else 4, task.depth)
    return small_sizes(name)[-1] if name in stressed_tasks() else task.sizes


def write_block(instance: Instance) -> str:
    """The title and the lines of an instance, without a question."""
    task = plain_task(instance.sizes)
    ids = task.prompt(instance)
    return "\n".join([task.title, *(line.write(ids) for line in _lines(task.sizes))])


def write_answer(answer: int | tuple[int, ...]) -> str:
    """A right reply: `3`, or `0 0 1`."""
    return " ".join(map(str, answer if isinstance(answer, tuple) else (answer,)))


def parse_answer(text: str, count: int = 1) -> int | tuple[int, ...] | None:
    """The answer in a reply, None if there is none: the last line that begins with `Answer:`, or else the whole reply.

    What follows `Answer:`, or the whole reply, must be ``count`` numbers with single spaces between them, and nothing
    else. One number is an int, several are a tuple.

    >>> parse_answer(" 12\\n"), parse_answer("I look up 3.\\nAnswer: 12"), parse_answer("It is 12")
    (12, 12, None)
    >>> parse_answer("0 1", 2)
    (0, 1)
    """
    if len(text) > LONGEST_REPLY:
        return None
    lines = [line for line in text.split("\n") if line.startswith(CUE)]
    found = _LINE.fullmatch(lines[-1].rstrip("\r")) if lines else _BARE.fullmatch(text)
    return _numbers("" if found is None else found[1], count)


def read_answer(text: str, count: int = 1) -> int | tuple[int, ...] | None:
    """The answer in a reply as models write them: by the grammar; or the last one in a box of LaTeX or after the word
    "answer"; or a last line that is nothing but the answer. Emphasis, quotes and a full stop do not count.

    >>> read_answer("**Answer: 3**"), read_answer("The answer is 3."), read_answer(r"So $\\boxed{3}$, as asked.")
    (3, 3, 3)
    >>> read_answer("The answer is 3 or 4"), read_answer("I count 3 tables"), read_answer("The answer is 3.5")
    (None, None, None)
    """
    strict = parse_answer(text, count)
    if strict is not None or len(text) > LONGEST_REPLY:
        return strict
    boxed, plain = _BOXED.findall(text), text.translate(_ORNAMENTS)
    named = [match.end() for match in _NAMED.finditer(plain)]
    found = _SAID.match(plain, named[-1]) if named else _ALONE.fullmatch(plain.strip().rpartition("\n")[2])
    return _numbers(boxed[-1] if boxed else "" if found is None else found[1], count)


def _numbers(said: str, count: int) -> int | tuple[int, ...] | None:
    numbers = tuple(map(int, re.findall(_NUMBER, said)))
    if len(numbers) != count:
        return None
    return numbers[0] if count == 1 else numbers


def answer_count(expected: int | tuple[int, ...]) -> int:
    """How many numbers a reply has."""
    return len(expected) if isinstance(expected, tuple) else 1


def read_prompt(text: str, sizes: TaskSizes) -> Instance:
    """The instance that a prompt asks about: the inverse of `write_prompt`, whatever examples stand before."""
    task = plain_task(sizes)
    lines = text.split("\n")
    layout = _lines(task.sizes)
    if lines[-1] != CUE or len(lines) <= len(layout):
        raise InputError(f"a prompt ends in {len(layout)} lines of entries and {CUE!r}")
    ids = task.plainest_prompt()
    for line, written in zip(layout, lines[-1 - len(layout) : -1], strict=True):
        line.read(written, ids)
    instance: Instance = task.instance(ids)
    return instance


@dataclass(frozen=True)
class _Line:
    """One kind of token: where its ids stand, and what stands before each value."""

    name: str
    start: int
    stop: int
    first_id: int
    radices: tuple[int, ...]
    before: tuple[str, ...]

    @cached_property
    def spaced(self) -> list[str]:
        return [f" {before}" for before in self.before]

    @cached_property
    def words(self) -> list[str]:
        """The text of every value, if there are not too many."""
        count = prod(self.radices)
        return [self._digits(number) for number in range(count)] if count <= MOST_WORDS else []

    def write(self, ids: Array) -> str:
        own = (ids[self.start : self.stop] - self.first_id).tolist()
        parts = [""] * (2 * len(own))
        parts[::2] = self.spaced
        parts[1::2] = map(self.words.__getitem__, own) if self.words else map(self._digits, own)
        return f"{self.name}:{''.join(parts)}"

    def read(self, text: str, ids: Array) -> None:
        name, _, rest = text.partition(": ")
        entries = rest.split(" ")
        if name != self.name or len(entries) != self.stop - self.start:
            raise InputError(f"the line {shown(text)} is not {self.stop - self.start} entries of {self.name}")
        for place, (before, entry) in enumerate(zip(self.before, entries, strict=True)):
            value = entry.removeprefix(before)
            if not entry.startswith(before) or not re.fullmatch(rf"-|{_NUMBER}(,{_NUMBER})*", value):
                raise InputError(f"entry {place} of {self.name} is {shown(entry)}; {before}VALUE is needed")
            digits = [] if value == "-" else list(map(int, value.split(",")))
            if len(digits) != len(self.radices) or any(d >= r for d, r in zip(digits, self.radices, strict=True)):
                raise InputError(f"entry {place} of {self.name} is {shown(entry)}; its value is out of range")
            ids[self.start + place] = self.first_id + number_of(digits, self.radices)

    def _digits(self, number: int) -> str:
        return ",".join(map(str, digits_of(number, self.radices))) or "-"


@lru_cache(maxsize=64)
def _lines(sizes: Any) -> tuple[_Line, ...]:
    """The kinds of tokens of the prompt, in its order."""
    task = plain_task(sizes)
    lines = []
    for kind in task.shape().kinds:
        if kind.address and kind.id_count == 1:  # nothing is spelled
            continue
        addresses = product(*(range(variable.size) for variable in kind.address))
        before = tuple(",".join(map(str, address)) + "=" if address else "" for address in addresses)
        radices = tuple(variable.size for variable in kind.value)
        lines.append(_Line(kind.name, kind.start, kind.stop, kind.first_id, radices, before))
    return tuple(lines)
