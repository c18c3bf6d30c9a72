"""Rule P10: the gated delta rule, whose state is followed through the kinds of the prompt as forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

import numpy as np

from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead
from separation.proving.attention import within
from separation.proving.failures import ProofFailed
from separation.proving.forms import ONE, Forms
from separation.tasks.shape import Kind, Shape

ZERO = Fraction(0)


@dataclass(frozen=True)
class Entry:
    """A number in [low, high] that is a multiple of ``grid`` (None: of nothing that is known; 0: it is 0)."""

    low: Fraction
    high: Fraction
    grid: Fraction | None

    def bits(self, finest: Fraction | None) -> int | None:
        """⌈log2 of the number of values⌉, with the finest grid of all activations where its own is not known."""
        if self.low == self.high:
            return 0
        grid = self.grid if self.grid is not None else finest
        return None if grid is None else int((self.high - self.low) / grid).bit_length()


@dataclass(frozen=True)
class State:
    """The state of one R head: how many entries, the largest absolute value, and the bits of all (None: no grid)."""

    layer: int
    head: int
    entries: int
    largest: Fraction
    bits: int | None


def state_of(layer: int, head: int, entries: Iterable[tuple[Entry, int]], finest: Fraction | None) -> State:
    """The state whose entries are these, each as often as its count says."""
    count, largest, bits = 0, ZERO, 0
    known = True
    for entry, times in entries:
        count += times
        largest = max(largest, entry.high, -entry.low)
        own = entry.bits(finest)
        known = known and own is not None
        bits += times * (own or 0)
    return State(layer, head, count, largest, bits if known else None)


def sum_of(parts: Iterable[Entry]) -> Entry:
    """The sum of numbers that are taken one by one: ranges add up, the grid is the common one."""
    low, high, grid = ZERO, ZERO, ZERO
    unknown = False
    for part in parts:
        low, high = low + part.low, high + part.high
        unknown = unknown or part.grid is None
        grid = common_grid([grid, part.grid or ZERO])
    return Entry(low, high, None if unknown else grid)


def either_of(parts: Iterable[Entry]) -> Entry:
    """One of several numbers, or 0."""
    parts = list(parts)
    grids = [part.grid for part in parts]
    grid = None if None in grids else common_grid([number for number in grids if number is not None])
    return Entry(min([ZERO, *(p.low for p in parts)]), max([ZERO, *(p.high for p in parts)]), grid)


def form_entries(forms: Forms) -> list[Entry]:
    """The range and the grid of each form: the gcd of its value at all bits −1 and of the steps 2·coefficient."""
    entries = []
    for row, (low, high) in enumerate(forms.ranges()):
        terms = dict(forms.terms(row))
        exact = all(symbol == ONE or symbol.is_bit for symbol in terms)
        constant = terms.pop(ONE, ZERO)
        numbers = [constant - sum(terms.values(), ZERO), *(2 * number for number in terms.values())]
        entries.append(Entry(low, high, common_grid(numbers) if exact else None))
    return entries


def common_grid(numbers: Iterable[Fraction]) -> Fraction:
    """The largest number that all of these are whole multiples of; 0 if all are 0."""
    numbers = list(numbers)
    denominator = lcm(*(number.denominator for number in numbers))
    return Fraction(gcd(*(int(number * denominator) for number in numbers)), denominator)


class DeltaForms:
    """q, k, v, gates and states of one head for every kind of token; ``states[kind]`` holds after that kind.

    where a state is one form for each entry: row a·d_v + r is S_ar.
    """

    def __init__(self, head: DeltaHead, streams: dict[str, Forms], shape: Shape) -> None:
        self.head = head
        self.query, self.key, self.value = (
            {kind: x.image(w).compact() for kind, x in streams.items()} for w in (head.w_q, head.w_k, head.w_v)
        )
        self.forget = {k: x.image(head.w_a).plus(Forms.constant(head.b_a)).compact() for k, x in streams.items()}
        self.write = {k: x.image(head.w_b).plus(Forms.constant(head.b_b)).compact() for k, x in streams.items()}
        self.states: dict[str, Forms] = {}
        self.failure: tuple[str, ProofFailed] | None = None
        state = Forms.constant(ExactMatrix.zeros(head.state_entries, 1))
        for kind in shape.kinds:
            try:
                state = self._after(kind, state)
            except ProofFailed as error:
                self.failure = kind.name, error
                break
            self.states[kind.name] = state

    def output(self, kind: Kind) -> Forms:
        """Sᵀ q for the state after the token itself; |S|ᵀ|q| bounds it where q is not constant."""
        if kind.name not in self.states:
            raise self._failed()
        state, query = self.states[kind.name], self.query[kind.name]
        keys, values = self.head.w_k.shape[0], self.head.w_v.shape[0]
        if _is_constant(query):
            entries = [(r, a * values + r, query.matrix.entry(a, 0)) for a in range(keys) for r in range(values)]
            return state.image(ExactMatrix.from_entries((values, keys * values), entries)).compact()
        asked = [max(high, -low) for low, high in query.ranges()]
        held = [max(high, -low) for low, high in state.ranges()]
        reach = [sum((asked[a] * held[a * values + r] for a in range(keys)), Fraction(0)) for r in range(values)]
        return within([(-number, number) for number in reach])

    def state(self, number: int, index: int, finest: Fraction | None) -> State:
        """Every entry over all states from the first, 0, to the last."""
        if self.failure is not None:
            raise self._failed()
        seen = [form_entries(state) for state in self.states.values()]
        entries = [(either_of(versions), 1) for versions in zip(*seen, strict=True)]
        return state_of(number, index, entries, finest)

    def _failed(self) -> ProofFailed:
        assert self.failure is not None
        kind, error = self.failure
        return ProofFailed(error.rule, error.slot, f"the state after {kind} is not known: {error.message}")

    def _after(self, kind: Kind, state: Forms) -> Forms:
        """α (S − β k kᵀ S) + β k vᵀ, on forms."""
        keep, write = gate(self.forget[kind.name], "forget gate"), gate(self.write[kind.name], "write gate")
        if keep == 1 and write == 0:
            return state
        if kind.count != 1:
            gates = f"their forget gate is {keep}, which must be 1, and their write gate {write}, which must be 0"
            raise ProofFailed("P10", "gate", f"the tokens of {kind.name} do not all leave the state alone: {gates}")
        key = self.key[kind.name]
        if write and not _is_constant(key):
            raise ProofFailed("P10", "key", f"the key of {kind.name} is not the same for all inputs")
        k = key.matrix.columns([0]) if write else ExactMatrix.zeros(key.height, 1)
        values = self.head.w_v.shape[0]
        unit = ExactMatrix(np.eye(key.height, dtype=np.int64))
        old = (unit - (k @ k.T).scaled(write)).scaled(keep)
        kept = state.image(_kronecker_identity(old, values))
        return kept.plus(self.value[kind.name].image(_kronecker_identity(k.scaled(write), values))).compact()


def gate(forms: Forms, name: str) -> Fraction:
    """clip(form) to [0, 1], if that is one number for all tokens of the kind."""
    ((low, high),) = forms.ranges()
    if low >= 1:
        return Fraction(1)
    if high <= 0:
        return Fraction(0)
    if low != high:
        raise ProofFailed("P10", name, f"ranges over [{float(low):g}, {float(high):g}]")
    return low


def _is_constant(forms: Forms) -> bool:
    return all(symbol == ONE for symbol in forms.compact().symbols)


def _kronecker_identity(matrix: ExactMatrix, size: int) -> ExactMatrix:
    """matrix ⊗ 1_size: acts on the first index of S_ar."""
    entries = [(a * size + r, b * size + r, number) for a, b, number in matrix.entries() for r in range(size)]
    return ExactMatrix.from_entries((matrix.shape[0] * size, matrix.shape[1] * size), entries)
