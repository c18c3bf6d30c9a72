"""Protocols of the communication model at tiny sizes: every function of a message is a table, every input is run.

Players hold z_L, …, z_1, z_0, w, named L, …, 1, 0, −1. In an F layer player i hears, for each of its tokens, β bits:
the sum over all j > i of functions of what j and i know, modulo 2^(β·tokens). In an R layer a state of λ bits passes
from player to player. The answer is the best function of what the last player knows, so only messages are searched for.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from separation.bounds.theorem import table_sizes

Array = np.ndarray[Any, Any]
# (what the sender knows, what the receiver knows) → message; (state that came in, what the player knows) → state.
Function = Callable[[Array, Array], Array]


@dataclass(frozen=True)
class Inputs:
    """All inputs (z_L, …, z_1, z_0, w) of FuncComp(m, n), one column each, and their answers."""

    m: int
    n: tuple[int, ...]
    holds: dict[int, Array]
    radix: dict[int, int]
    answers: Array

    @classmethod
    def all(cls, m: int, n: Sequence[int]) -> Inputs:
        N = table_sizes(m, n)
        L, W = len(N), N[-1] // m
        radix = {level: size**size for level, size in enumerate(N, start=1)} | {0: m, -1: W}
        players = list(range(L, -2, -1))
        grids = np.meshgrid(*(np.arange(radix[player]) for player in players), indexing="ij")
        holds = {player: grid.ravel() for player, grid in zip(players, grids, strict=True)}
        index = holds[0]
        rest = holds[-1]
        for level in range(1, L + 1):
            digit: Array | int = 0
            if level >= 2:
                digit, rest = rest % n[level - 2], rest // n[level - 2]
            size = N[level - 1]
            below = N[level - 2] if level >= 2 else 0
            index = entry(holds[level], digit * below + index, size)
        return cls(m, tuple(n), holds, radix, index)

    def tokens(self, player: int) -> int:
        return table_sizes(self.m, self.n)[player - 1] if player >= 1 else 1

    @property
    def players(self) -> list[int]:
        return list(self.holds)


def entry(table: Array, index: Array | int, size: int) -> Array:
    """Entry ``index`` of a table that is written as a number with ``size`` digits in base ``size``."""
    return np.asarray(table // size**index % size)


@dataclass
class Tables:
    """Random tables of messages, made when first asked for, each cell of which can be changed."""

    random: np.random.Generator
    cells: dict[tuple[Any, ...], Array] = field(default_factory=dict)

    def message(self, key: tuple[Any, ...], shape: tuple[int, int], values: int) -> Array:
        if key not in self.cells:
            self.cells[key] = self.random.integers(0, values, size=shape)
        return self.cells[key]


def accuracy(inputs: Inputs, layers: Sequence[tuple[str, int]], message: Callable[..., Array]) -> float:
    """The share of right answers when the last player answers as well as what it knows allows.

    where a layer is ("F", β) or ("R", λ), and ``message(key, sender, receiver, sizes, values)`` gives the message array
    from two arrays of knowledge; key = (layer, sender, receiver), the receiver being the next player in an R layer.
    """
    known = {player: (values, inputs.radix[player]) for player, values in inputs.holds.items()}
    for number, (letter, bits) in enumerate(layers):
        heard: dict[int, tuple[Array, int]] = {}
        state, state_values = np.zeros_like(inputs.answers), 1
        for player, following in itertools.pairwise(inputs.players):
            if letter == "F":
                values = 1 << bits * inputs.tokens(following)
                senders = [other for other in inputs.players if other > following]
                total = sum(
                    message((number, j, following), *_pair(known[j], known[following]), values) for j in senders
                )
                heard[following] = (np.asarray(total) % values, values)
            else:
                pair = (state, known[player][0]), (state_values, known[player][1])
                state = message((number, player, following), *pair, 1 << bits)
                state_values = 1 << bits
                heard[following] = (state, state_values)
        for player, (values_heard, count) in heard.items():
            own, size = known[player]
            known[player] = _compact(own * count + values_heard, size * count)
    return best_answers(known[-1][0], inputs.answers)


def best_answers(known: Array, answers: Array) -> float:
    """Σ over what may be known of the commonest answer's count, over all inputs."""
    most = int(answers.max()) + 1
    counts = np.bincount(known * most + answers, minlength=(int(known.max()) + 1) * most)
    return int(counts.reshape(-1, most).max(axis=1).sum()) / len(answers)


def local_search(inputs: Inputs, layers: Sequence[tuple[str, int]], seed: int, sweeps: int) -> float:
    """The best accuracy found from random tables by changing one cell at a time, to whichever value is best."""
    random = np.random.default_rng(seed)
    tables = Tables(random)

    def message(key: tuple[Any, ...], pair: tuple[Array, Array], sizes: tuple[int, int], values: int) -> Array:
        table = tables.message((*key, values), sizes, values)
        return np.asarray(table[pair[0] % sizes[0], pair[1] % sizes[1]])

    best = accuracy(inputs, layers, message)
    for _ in range(sweeps):
        before = best
        cells = [(key, cell) for key, table in tables.cells.items() for cell in np.ndindex(table.shape)]
        order = random.permutation(len(cells))
        for key, cell in (cells[index] for index in order[:MOST_CELLS]):
            table = tables.cells[key]
            old = table[cell]
            for value in random.permutation(key[-1])[:MOST_VALUES]:
                table[cell] = value
                reached = accuracy(inputs, layers, message)
                if reached >= best:
                    best, old = reached, value
            table[cell] = old
        if best == before:
            break
    return best


def every_protocol(inputs: Inputs, bits: int) -> Iterator[float]:
    """The accuracy of every protocol of the word F at which each player's message is β bits to w, w alone listening."""
    values = 1 << bits
    shapes = [(inputs.radix[player], inputs.radix[-1]) for player in inputs.players if player != -1]
    sizes = [rows * columns for rows, columns in shapes]
    senders = [player for player in inputs.players if player != -1]
    for cells in itertools.product(range(values), repeat=sum(sizes)):
        parts, start = [], 0
        for player, size, shape in zip(senders, sizes, shapes, strict=True):
            table = np.array(cells[start : start + size]).reshape(shape)
            parts.append(table[inputs.holds[player], inputs.holds[-1]])
            start += size
        yield best_answers(sum(parts) % values * inputs.radix[-1] + inputs.holds[-1], inputs.answers)


MOST_CELLS = 400
MOST_VALUES = 4


def _pair(sender: tuple[Array, int], receiver: tuple[Array, int]) -> tuple[tuple[Array, Array], tuple[int, int]]:
    return (sender[0], receiver[0]), (sender[1], receiver[1])


def _compact(values: Array, radix: int) -> tuple[Array, int]:
    """The same knowledge with the numbers that occur only, when there are many others."""
    if radix <= MOST_RADIX:
        return values, radix
    return values % MOST_RADIX, MOST_RADIX


MOST_RADIX = 1 << 14
