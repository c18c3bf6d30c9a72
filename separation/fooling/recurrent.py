"""R layers alone: two tables with one state, and the question that tells them apart."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

import numpy as np
from flint import fmpz_mat
from numpy.typing import NDArray

from separation.files import InputError
from separation.fooling.birthday import CELLS_AT_ONCE, TableSource, equal_states, same_states, states_after
from separation.fooling.budget import Budget, Clock
from separation.fooling.messages import transcript
from separation.fooling.pair import (
    NOTHING_PROVED,
    Closest,
    Interrupted,
    Message,
    Pair,
    Search,
    Transcript,
    ended,
    found_pair,
)
from separation.fooling.subject import ExactSubject, Subject, as_subject, tells_state
from separation.pieces import sharing
from separation.progress import Progress
from separation.tasks.funccomp import Instance, Sizes, answer, token_ids

COLUMNS = 80
"""Of one lattice: LLL takes well under a second, and longer relations are rarely short."""
PENALTY = 1 << 40
"""By which a relation that does not hold is longer than any that does."""


def related_tables(
    subject: Subject, source: TableSource, clock: Clock
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Pairs of tables z_L that should have equal states, as they are found; nothing if the state is no sum."""
    size = source.sizes.N[-1]
    random = np.random.default_rng([source.seed, size])
    while clock.left > size:
        u, v = (int(value) for value in random.choice(size, 2, replace=False))
        columns = value_differences(subject, source, u, v)
        clock.spend(size + 1, "value pairs tried")
        if columns is None or not _is_sum(subject, source, u, v, columns, random):
            return
        for places in _alike(columns, random):
            if clock.left <= 0:
                return
            for relation in short_relations(columns[places]):
                a, b = np.full(size, u), np.full(size, u)
                a[places[relation == -1]] = v
                b[places[relation == 1]] = v
                yield a, b


def value_differences(subject: Subject, source: TableSource, u: int, v: int) -> NDArray[Any] | None:
    """Row j is f(j, u) − f(j, v): the change of the state when entry j alone goes from v to u, all others being u."""
    size = source.sizes.N[-1]
    tables = np.full((size + 1, size), u)
    tables[np.arange(size), np.arange(size)] = v
    rows = max(1, CELLS_AT_ONCE // source.boundary)
    parts = [integer_states(subject, source, tables[start : start + rows]) for start in range(0, size + 1, rows)]
    if any(part is None for part in parts):
        return None
    states = np.concatenate([part for part in parts if part is not None])
    return np.asarray(states[-1] - states[:-1])


def integer_states(subject: Subject, source: TableSource, tables: NDArray[np.int64]) -> NDArray[Any] | None:
    """The states after these tables as integers; None if some entry is none."""
    states: NDArray[Any] = subject.state(source.prefixes(tables))  # type: ignore[attr-defined]
    states = states.reshape(len(states), -1)
    if states.dtype.kind == "f":
        return None if (states != np.rint(states)).any() else states.astype(np.int64)
    return states if states.dtype == object else states.astype(np.int64)


def short_relations(columns: NDArray[Any]) -> Iterator[NDArray[np.int64]]:
    """c ≠ 0 with entries in {−1, 0, 1} and Σ_j c_j columns_j = 0: short vectors of the lattice (c, penalty · Σ)."""
    count = len(columns)
    used = columns[:, (columns != 0).any(axis=0)]
    rows = [[int(i == j) for j in range(count)] + [PENALTY * int(x) for x in used[i]] for i in range(count)]
    reduced = np.array([[int(x) for x in row] for row in fmpz_mat(rows).lll().tolist()], dtype=object)
    holds = ~(reduced[:, count:] != 0).any(axis=1)
    relations = reduced[holds, :count]
    tries = [*relations, *(a + sign * b for i, a in enumerate(relations) for b in relations[:i] for sign in (1, -1))]
    for relation in tries:
        if (relation != 0).any() and np.abs(relation).max() == 1:
            yield relation.astype(np.int64)


def _alike(columns: NDArray[Any], random: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Places whose columns vanish in the same entries, where the same features are active; then any places at all."""
    _, groups = np.unique(columns != 0, axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    for group in sorted(set(groups.tolist()), key=lambda number: -int((groups == number).sum())):
        members = np.flatnonzero(groups == group)
        if len(members) > 1:
            yield random.permutation(members)[:COLUMNS]
    yield random.permutation(len(columns))[:COLUMNS]


def _is_sum(
    subject: Subject, source: TableSource, u: int, v: int, columns: NDArray[Any], random: np.random.Generator
) -> bool:
    """Whether the state of random tables over {u, v} is the sum that the columns say."""
    size = source.sizes.N[-1]
    chosen = random.integers(2, size=(3, size)).astype(bool)
    chosen[0] = False
    states = integer_states(subject, source, np.where(chosen, v, u))
    if states is None:
        return False
    sums = np.stack([columns[row].sum(axis=0) for row in chosen])
    return bool((states[0] - states == sums).all())


BIRTHDAY_BITS = 46
"""Observed bits of a state up to which 2^(s/2) random tables are tried first; beyond, sums of tokens are looked for."""

ALL_COMPARED = "no two tables z_L have the same state, where z_1, ..., z_{L-1} are the identity: all were compared"

LOOKED_AT = 128
"""Tables by which the bits of a state are judged, and among which the closest are looked for."""

Tables = tuple[NDArray[np.int64], NDArray[np.int64]]


def find_pair(
    model: Any,
    sizes: Sizes | None = None,
    *,
    seed: int = 0,
    budget: Budget | None = None,
    workers: int | None = None,
    dask: str | None = None,
    executor: Executor | None = None,
    steps: int = 1,
    progress: Progress | None = None,
) -> Search:
    """Two inputs of FuncComp with different answers, after whose tables ``model`` has one state and says the same.

    where ``model`` is an exact model, a torch module or any object with forward(prompts) and state(prefixes); ``steps``
    tokens are generated by an exact model. States that are equal at a boundary stay equal for ever, thoughts included.
    A model that tells no state is searched by its answers alone. A model with ``sizes`` of its own needs no others.
    States are computed here, by several ``workers``, by the Dask cluster at the address ``dask`` or by an ``executor``.
    """
    shared = sharing(workers, dask, executor, usual=1)
    subject = as_subject(model, steps)
    sizes = getattr(model, "sizes", None) if sizes is None else sizes
    if not isinstance(sizes, Sizes):
        raise InputError("the sizes of FuncComp are needed: find_pair(model, Sizes(m, n))")
    clock = (budget or Budget()).start(progress)
    source = TableSource.of(sizes, seed, clock.budget.samples)
    if not tells_state(subject):
        return _by_answers(subject, source, clock)
    method = "birthday"
    told_apart: list[Tables] = []
    try:
        if not source.exhaustive and _observed_bits(subject, source) > BIRTHDAY_BITS:
            method = "linear algebra"
            related = _with_one_state(subject, source, related_tables(subject, source, clock.part(0.5)))
            pair = _first_pair(subject, source, related, told_apart)
            if pair is not None:
                return found_pair(pair, clock, method)
            method = "linear algebra, then birthday"
        before = clock.samples
        pair = _first_pair(subject, source, equal_states(subject, source, clock, **shared), told_apart)
    except KeyboardInterrupt:
        closest = _closest(subject, source)
        raise Interrupted(ended(clock, method, False, f"stopped by hand; {NOTHING_PROVED}", closest)) from None
    if pair is not None:
        return found_pair(pair, clock, method)
    closest = _closest(subject, source)
    # Tables of one state whose answers differ are told apart by something else, and not all such tables were compared.
    everything = clock.samples - before == source.count and not told_apart
    note = ALL_COMPARED if everything else NOTHING_PROVED
    if told_apart:
        note = f"equal states were found, but the answers differ: full layers may tell; {NOTHING_PROVED}"
    return ended(clock, method, everything, note, closest)


def transcript_of(subject: Subject, prompt: NDArray[np.int64], boundary: int) -> Transcript | None:
    """What is told of the tokens before the boundary: head by head by an exact model, else the state there."""
    if not tells_state(subject):
        return None
    if isinstance(subject, ExactSubject):
        return transcript(subject.model, prompt, boundary)
    state: NDArray[Any] = subject.state(prompt[None, :boundary])  # type: ignore[attr-defined]
    return (Message(0, 0, tuple(state.reshape(-1).tolist())),)


def _with_one_state(subject: Subject, source: TableSource, pairs: Iterator[Tables]) -> Iterator[Tables]:
    """Relations are found for sums; whether the states are equal is seen on the model itself."""
    return ((a, b) for a, b in pairs if (a != b).any() and same_states(subject, source, a, b))


def _first_pair(
    subject: Subject, source: TableSource, pairs: Iterator[Tables], told_apart: list[Tables]
) -> Pair | None:
    """The first two tables, and an entry where they differ, for which all outputs are equal.

    With R layers alone every entry will do; where full layers read the tables themselves, some may. The first two of
    one state for which none does are put into ``told_apart``.
    """
    for a, b in pairs:
        for entry in np.flatnonzero(a != b).tolist():
            pair = _pair(subject, source, a, b, entry)
            if pair.holds:
                return pair
        if not told_apart:
            told_apart.append((a, b))
    return None


def _pair(subject: Subject, source: TableSource, a: NDArray[np.int64], b: NDArray[np.int64], entry: int) -> Pair:
    return run_pair(subject, source.asking(a, entry), source.asking(b, entry))


def run_pair(model: Any, a: Instance, b: Instance, steps: int = 1, boundary: int | None = None) -> Pair:
    """Both inputs run by a model: what it says, its messages or states, and what is right; a pair if it `holds`.

    ``boundary``: they are those of the tokens before it; None: of the tables.

    This replays the pair of a torch module, or of any other model that no certificate can carry.
    """
    subject = as_subject(model, steps)
    prompts = np.stack([token_ids(a), token_ids(b)])
    output_a, output_b = subject.forward(prompts).reshape(2, -1).tolist()
    boundary = a.sizes.length - 2 if boundary is None else boundary
    transcript_a, transcript_b = (transcript_of(subject, prompt, boundary) for prompt in prompts)
    return Pair(a, b, answer(a), answer(b), tuple(output_a), tuple(output_b), transcript_a, transcript_b)


def _observed_bits(subject: Subject, source: TableSource) -> int:
    """Σ ⌈log2 (values in the range)⌉ over the entries, for one batch of tables; floats count with all their bits.

    The values of an entry lie on the grid of their differences.
    """
    states = states_after(subject, source, source.tables(0)[:LOOKED_AT])
    states = states.reshape(len(states), -1)
    if states.dtype.kind == "f":
        varying = (states != states[:1]).any(axis=0)
        return int(varying.sum()) * states.dtype.itemsize * 8
    above = (states - states.min(axis=0)).astype(object if states.dtype == object else np.int64)
    grids = np.gcd.reduce(above, axis=0)
    return sum(int(top // max(1, grid)).bit_length() for top, grid in zip(above.max(axis=0), grids, strict=True))


def _closest(subject: Subject, source: TableSource) -> Closest | None:
    """Of one batch, sorted by their states: the neighbours that agree in the most entries."""
    tables = source.tables(0)[:LOOKED_AT]
    states = states_after(subject, source, tables)
    states = states.reshape(len(states), -1)
    if len(states) < 2 or states.dtype == object or not states.shape[1]:
        return None
    order = np.lexsort(states.T[::-1])
    equal = (states[order[1:]] == states[order[:-1]]).sum(axis=1)
    equal[(tables[order[1:]] == tables[order[:-1]]).all(axis=1)] = -1
    best = int(equal.argmax())
    a, b = (tuple(tables[order[row]].tolist()) for row in (best, best + 1))
    return Closest(int(equal[best]), states.shape[1], a, b)


def _by_answers(subject: Subject, source: TableSource, clock: Clock) -> Search:
    """Random tables, one asked entry changed: are the outputs the same?"""
    size = source.sizes.N[-1]
    random = np.random.default_rng([source.seed, 1])
    try:
        while clock.left > 0:
            table = random.integers(size, size=size)
            other, entry = table.copy(), int(random.integers(size))
            other[entry] = (table[entry] + random.integers(1, size)) % size
            pair = _pair(subject, source, table, other, entry)
            clock.spend(1, "inputs compared")
            if pair.holds:
                return found_pair(pair, clock, "answers alone")
    except KeyboardInterrupt:
        raise Interrupted(ended(clock, "answers alone", False, f"stopped by hand; {NOTHING_PROVED}")) from None
    return ended(clock, "answers alone", False, NOTHING_PROVED)
