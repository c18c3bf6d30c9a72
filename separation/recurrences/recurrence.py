"""What every linear attention is: an initial state, a step, a read-out, and the bits of its state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar, Literal

import numpy as np

from separation.recurrences.algebra import concatenate, stack

Sizes = Mapping[str, int]
Shape = tuple[str, ...]
Token = Mapping[str, Any]
State = tuple[Any, ...]
Domain = Literal["real", "unit", "key", "contraction", "positive", "gate", "strength", "reflection", "window"]
"""real: any number; unit: in [−1, 1]; key: a vector of norm 1; contraction: a matrix of norm 1; positive; gate and
strength: in (0, 1); reflection: in (0, 2); window: the size w itself, a whole number."""

NumberKind = Literal["polynomial", "rational", "expression"]
"""What symbolic inputs give: polynomials, quotients of them, or expressions with exp, max and absolute values."""


@dataclass(frozen=True)
class Input:
    """One input of a token: its shape in the letters of the sizes, and where its numbers lie.

    ``constant``: the same for all tokens.
    """

    shape: Shape
    domain: Domain = "real"
    constant: bool = False


@dataclass(frozen=True)
class Inputs:
    """The inputs of a whole sequence: by name an array with one row a token, or one array if it is constant."""

    arrays: Mapping[str, Any]
    constants: frozenset[str]
    sizes: Sizes
    tokens: int

    def __getitem__(self, name: str) -> Any:
        return self.arrays[name]

    def token(self, t: int | slice) -> Token:
        return {name: array if name in self.constants else array[t] for name, array in self.arrays.items()}

    def part(self, start: int, stop: int) -> Inputs:
        """The tokens start..stop−1."""
        return Inputs(self.token(slice(start, stop)), self.constants, self.sizes, stop - start)

    def replaced(self, **arrays: Any) -> Inputs:
        return Inputs({**self.arrays, **arrays}, self.constants, self.sizes, self.tokens)


class Recurrence(ABC):
    """S_t = step(S_{t-1}, x_t), y_t = read(S_t, x_t); all that tokens after t learn of those up to t is S_t.

    where S is a tuple of arrays, x_t a mapping of arrays, one head; numbers are of any type that adds and multiplies.
    With ``reads_before`` the read-out is y_t = read(S_{t-1}, x_t). Gates are given as numbers: how a layer computes
    them from its token is no part of the recurrence.
    """

    id: ClassVar[str]
    name: ClassVar[str]
    paper: ClassVar[str]
    arxiv: ClassVar[str]
    formula: ClassVar[str]
    parallel_formula: ClassVar[str]

    inputs: ClassVar[Mapping[str, Input]]
    state: ClassVar[Mapping[str, Shape]]
    beside: ClassVar[str] = ""
    """What layers of this family carry from token to token in addition to the state."""

    reads_before: ClassVar[bool] = False
    sweeps: ClassVar[bool] = False
    """The form without a scan repeats the step for all tokens at once, until the last of them is right."""

    numbers: ClassVar[NumberKind] = "polynomial"
    has_heads: ClassVar[bool] = True
    extra_sizes: ClassVar[Sizes] = {}
    """Sizes other than d_k and d_v, with those that checks use."""

    @abstractmethod
    def step(self, state: State, x: Token) -> State: ...

    @abstractmethod
    def read(self, state: State, x: Token) -> Any: ...

    @abstractmethod
    def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
        """(y_1, …, y_C, the state after them) of a chunk: from the state before it and all of its inputs at once."""

    def parallel(self, xs: Inputs) -> Any:
        """y_1, …, y_T from all inputs at once: one chunk from the initial state."""
        return self.chunk(self.initial(xs.sizes), xs)[0]

    def chunked(self, xs: Inputs, size: int) -> Any:
        """y_1, …, y_T in chunks of ``size`` tokens: at once inside a chunk, the state from one to the next."""
        state, outputs = self.initial(xs.sizes), []
        for start in range(0, xs.tokens, size):
            found, state = self.chunk(state, xs.part(start, min(start + size, xs.tokens)))
            outputs.append(found)
        return concatenate(outputs)

    def transition(self, x: Token) -> Any:  # noqa: ARG002
        """A with |step(S, x) − step(S', x)| ≤ |A (S − S')|; None: the step acts on each entry of S alone."""
        return None

    def initial(self, sizes: Sizes) -> State:
        return tuple(np.zeros([sizes[letter] for letter in shape], dtype=np.int8) for shape in self.state.values())

    def run(self, xs: Inputs) -> Any:
        """y_1, …, y_T, one token after the other."""
        return self.run_from(self.initial(xs.sizes), xs)[0]

    def run_from(self, state: State, xs: Inputs) -> tuple[Any, State]:
        outputs = []
        for t in range(xs.tokens):
            x, before = xs.token(t), state
            state = self.step(state, x)
            outputs.append(self.read(before if self.reads_before else state, x))
        return stack(outputs), state

    def weighing(self, bits: int) -> Recurrence:  # noqa: ARG002
        """The same with integer weights of ``bits`` bits in exact arithmetic, where exp is one of the operations."""
        return self

    def entries(self, sizes: Sizes) -> int:
        """Numbers in the state of one head."""
        return sum(prod(sizes[letter] for letter in shape) for shape in self.state.values())

    def bits(self) -> Any:
        """H·p·(numbers in the state of one head), a sympy expression in H, p and the letters of the sizes."""
        import sympy as sp

        def letter(name: str) -> Any:
            return sp.Symbol(name, positive=True, integer=True)

        entries = sp.Add(*(sp.Mul(*map(letter, shape)) for shape in self.state.values()))
        return sp.factor(entries * letter("p") * (letter("H") if self.has_heads else 1))
