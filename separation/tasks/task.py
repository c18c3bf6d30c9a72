"""What the rest of the project asks of a task, whichever it is: its prompts, their right answers, its documents.

Each folder of this package is a task. It has value types for its sizes and its instances, and in `task.py` one class
for each type of sizes that answers all of `Task`; its ``TASKS`` says which class belongs to which sizes. Its functions
``sizes_from_document`` and ``from_document`` read sizes and instances from JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from typing import Any, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.tasks.shape import Shape

Array = NDArray[np.int64]


class TaskSizes(Protocol):
    """The sizes of a task; a chain of thought is a part of them."""

    @property
    def length(self) -> int:
        """The tokens that a model reads: the prompt, and all generated tokens but the last."""

    def inputs_log2_floor(self) -> int:
        """⌊log2 of the number of inputs⌋, exact."""


class Instance(Protocol):
    """One input of a task."""

    @property
    def sizes(self) -> TaskSizes: ...


OwnInstance = TypeVar("OwnInstance", bound=Instance)


class Task(Protocol[OwnInstance]):
    """A task at given sizes. A prompt is a row of token ids; prompts are (count, tokens of the prompt).

    What is said here holds of most: one answer, at the last token of the prompt, and no chain of thought.
    """

    plain_sizes: Any
    """The sizes of the same task without a chain of thought: those that its instances have."""

    @property
    def sizes(self) -> Any:
        return self.plain_sizes

    @property
    def title(self) -> str:
        """The task and its sizes in a line: FuncComp, L = 2, m = 4, n = (4)."""

    @property
    def prompt_length(self) -> int:
        """The tokens of the prompt, without generated ones."""

    @property
    def generated_tokens(self) -> int:
        """The tokens of a chain of thought; 0: answers are read off the tokens of the prompt."""
        return 0

    @property
    def answers_every_token(self) -> bool:
        """Is an answer asked at several tokens, the last `asked_tokens` of the prompt, or at the last one alone?"""
        return False

    @property
    def asked_tokens(self) -> int:
        """The answers of a prompt: they are read at its last tokens."""
        return 1

    @property
    def depth(self) -> int | None:
        """The number of hops L, where the task has hops."""
        return None

    @property
    def fits_int64(self) -> bool:
        """Are token ids numbers of 64 bits, so that prompts can stand in arrays?"""
        return True

    @property
    def is_endless(self) -> bool:
        """Is a proof about prompts of every length?"""
        return False

    @property
    def states_invariants(self) -> bool:
        """Does a proof state what the stream holds after each layer? For a program the kernel derives it."""
        return True

    @property
    def definition(self) -> str:
        """What is asked, as mathematics, where the sizes alone do not say it; else nothing."""
        return ""

    @property
    def question(self) -> str:
        """What is asked, and how a prompt is written, as a person is told it in a line."""

    @property
    def label(self) -> str:
        """The task's folder and the fields of its sizes as a name of rows and files: funccomp-m7-n7."""
        name = type(self).__module__.split(".")[-2]
        sizes = [(field.name, getattr(self.plain_sizes, field.name)) for field in fields(self.plain_sizes)]
        return "-".join([name, *(f"{key}{_joined(value)}" for key, value in sizes)])

    def inputs_log2(self) -> float | None:
        """log2 of the number of inputs as a float; infinite when it has no float, None where it is not known."""
        return float(self.plain_sizes.inputs_log2())

    def has_at_most(self, prompts: int) -> bool:
        """Is it so few that `all_prompts` goes through?"""
        return bool(1 << min(self.plain_sizes.inputs_log2_floor(), 62) <= prompts)

    def shape(self, causal: bool = True) -> Shape:
        """What a proof may know of the task."""

    def document(self) -> dict[str, Any]:
        """The sizes as JSON, with the name of the task."""

    def describe(self, position: int) -> str:
        """What stands at a position of the prompt."""

    def players(self) -> tuple[tuple[str, int], ...]:
        """Names of players and how many tokens each holds, in the order of the tokens that are read."""

    def sample(self, seed: int) -> OwnInstance:
        """One random input."""

    def samples(self, seed: int, count: int) -> Iterator[OwnInstance]:
        """``count`` random inputs, and of a task whose random inputs are one-sided as many balanced ones too."""

    def families(self) -> Mapping[str, Callable[[int], Iterator[OwnInstance]]]:
        """Inputs that are hard on purpose, by name: seed to instances."""

    def family_instances(self, seed: int) -> Iterator[OwnInstance]:
        """Those of all families."""
        return (case for family in self.families().values() for case in family(seed))

    def instance(self, prompt: Array) -> OwnInstance:
        """The instance that a prompt spells."""

    def prompt(self, instance: OwnInstance) -> Array:
        """The token ids of an instance."""

    def instance_document(self, instance: OwnInstance) -> dict[str, Any]:
        """The instance as JSON."""

    def expected(self, instance: OwnInstance) -> int | tuple[int, ...]:
        """What a right model puts out: the answer, the answers of all tokens, or the tokens that it generates."""

    def answers_in(self, outputs: Array) -> Array:
        """The answers in what a model put out: of a chain of thought that of its last token, −1 if it is none."""
        return outputs

    def right_answers(self, prompts: Array) -> Array:
        """What the oracle says, in the form of `answers_in`."""

    def all_prompts(self, block: int) -> Iterator[Array]:
        """Every prompt once, in blocks."""

    def random_prompts(self, random: np.random.Generator, count: int) -> Array:
        """Uniform inputs."""

    def aimed_prompts(self, random: np.random.Generator, kinds: Collection[str], count: int) -> Iterator[Array]:
        """Blocks of about ``count`` prompts without end that ask for everything there is to ask, ``kinds`` first."""

    def plainest_prompt(self) -> Array:
        """The prompt that a person reads fastest."""


def _joined(value: object) -> str:
    return "x".join(map(str, value)) if isinstance(value, tuple) else str(value)


def require_causal(causal: bool) -> None:
    """Of tasks whose shape is that of a causal model alone."""
    if not causal:
        raise InputError("attention both ways is proved for the task funccomp without thoughts only")


AnyTask = Task[Any]
