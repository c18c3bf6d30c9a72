"""Inputs of look-ups as rows of token ids: what they spell, which are inputs at all, the right answers, random ones."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, permutations, product

import numpy as np

from separation.files import InputError
from separation.tasks.look_ups.description import POSITION, LookUps, TokenKind
from separation.tasks.task import Array

Columns = dict[str, dict[str, Array]]
"""Kind → variable → (batch, count)."""


def spelled(task: LookUps, prompts: Array) -> Columns:
    """What the tokens of each kind spell, digit by digit; ids of another kind are refused."""
    columns: Columns = {}
    if prompts.shape[1:] != (task.length,):
        raise InputError(f"a prompt has {task.length} tokens, got {prompts.shape[1:]}")
    for kind in task.kinds:
        start, first = task.start(kind.name)
        rest = prompts[:, start : start + kind.count] - first
        if ((rest < 0) | (rest >= kind.ids)).any():
            raise InputError(f"a token of {kind.name} has an id outside {first}..{first + kind.ids - 1}")
        columns[kind.name] = {POSITION: np.broadcast_to(np.arange(kind.count), rest.shape)}
        for name, size, _ in reversed(kind.token):
            columns[kind.name][name] = rest % size
            rest = rest // size
    return columns


def require_inputs(task: LookUps, prompts: Array) -> None:
    """Names are all different, and who names a token names one that is there."""
    columns = spelled(task, prompts)
    for kind in task.kinds:
        names = codes(kind, columns)
        if (np.sort(names, axis=1)[:, 1:] == np.sort(names, axis=1)[:, :-1]).any():
            raise InputError(f"two tokens of {kind.name} have the same {', '.join(kind.named_by)}")
        for name, target in kind.of.items():
            there = codes(task.kind(target), columns)
            if not (columns[kind.name][name][:, :, None] == there[:, None, :]).any(axis=2).all():
                raise InputError(f"{name} of {kind.name} names no token of {target}")


def codes(kind: TokenKind, columns: Columns) -> Array:
    """(batch, count): the names of the tokens, as one number each."""
    total: Array = np.zeros_like(columns[kind.name][POSITION])
    for name in kind.named_by:
        total = total * kind.sizes[name] + columns[kind.name][name]
    return total


def answers(task: LookUps, prompts: Array) -> Array:
    """(batch, tokens of the last kind): what each of them is asked for, by following the finds."""
    columns, sizes = spelled(task, prompts), {kind.name: kind.sizes for kind in task.kinds}
    for find in task.finds:
        own, target = columns[find.reader], task.kind(find.kind)
        asked: Array = np.zeros_like(own[POSITION])
        for name, theirs in zip(find.at, target.named_by, strict=True):
            asked = asked * sizes[find.kind][theirs] + own[name]
        place = (codes(target, columns)[:, None, :] == asked[:, :, None]).argmax(axis=2)
        for a, b in find.found:
            own[b] = np.take_along_axis(columns[find.kind][a], place, axis=1)
    return columns[task.kinds[-1].name][task.answer]


def joined(task: LookUps, columns: Columns) -> Array:
    """The inverse of `spelled`."""
    parts = []
    for kind in task.kinds:
        ids: Array = np.zeros_like(columns[kind.name][POSITION])
        for name, size, _ in kind.token:
            ids = ids * size + columns[kind.name][name]
        parts.append(ids + task.start(kind.name)[1])
    return np.concatenate(parts, axis=1)


def random_prompts(task: LookUps, random: np.random.Generator, count: int) -> Array:
    """Uniform inputs: different names, free values, and names of tokens that are there."""
    columns: Columns = {}
    for kind in task.kinds:
        own = {POSITION: np.broadcast_to(np.arange(kind.count), (count, kind.count))}
        if kind.named_by != (POSITION,):
            own |= _different(kind, random, count)
        for name, size, of in kind.token:
            if name not in own and of is None:
                own[name] = random.integers(size, size=(count, kind.count))
        columns[kind.name] = own
    for kind in task.kinds:
        for name, target in kind.of.items():
            there = codes(task.kind(target), columns)
            place = random.integers(there.shape[1], size=(count, kind.count))
            columns[kind.name][name] = np.take_along_axis(there, place, axis=1)
    return joined(task, columns)


def _different(kind: TokenKind, random: np.random.Generator, count: int) -> dict[str, Array]:
    """Names that are all different, digit by digit."""
    sizes = [kind.sizes[name] for name in kind.named_by]
    total = int(np.prod(sizes, dtype=object))
    drawn = np.stack([np.array(random.choice(total, kind.count, replace=False)) for _ in range(count)])
    found: dict[str, Array] = {}
    for name, size in reversed(list(zip(kind.named_by, sizes, strict=True))):
        found[name] = drawn % size
        drawn = drawn // size
    return found


def all_prompts(task: LookUps, block: int) -> Iterator[Array]:
    """Every input once."""
    rows = _rows(task)
    while part := list(islice(rows, block)):
        yield np.array(part, dtype=np.int64)


def _rows(task: LookUps) -> Iterator[list[int]]:
    """Names in every order; free variables with every value; then all names of tokens that are there."""
    choices = [_named_rows(kind) for kind in task.kinds]
    for parts in product(*choices):
        base: Columns = {
            kind.name: {name: np.array([line]) for name, line in part.items()}
            for kind, part in zip(task.kinds, parts, strict=True)
        }
        asked = [(kind, name, target) for kind in task.kinds for name, target in kind.of.items()]
        options = [[int(code) for code in codes(task.kind(target), base)[0]] for _, _, target in asked]
        lines = [product(names, repeat=kind.count) for (kind, _, _), names in zip(asked, options, strict=True)]
        for picked in product(*lines):
            for (kind, name, _), line in zip(asked, picked, strict=True):
                base[kind.name][name] = np.array([line])
            yield [int(number) for number in joined(task, base)[0]]


def _named_rows(kind: TokenKind) -> list[dict[str, list[int]]]:
    """All that the tokens of a kind may spell, without variables of other kinds."""
    apart = [name for name in kind.named_by if name != POSITION]
    free = [(name, size) for name, size, of in kind.token if name not in apart and of is None]
    names = list(product(*(range(kind.sizes[name]) for name in apart)))
    found = []
    for order in permutations(names, kind.count) if apart else [()]:
        for values in product(*(product(range(size), repeat=kind.count) for _, size in free)):
            row = {POSITION: list(range(kind.count))}
            row |= {name: [code[index] for code in order] for index, name in enumerate(apart)}
            row |= {name: list(line) for (name, _), line in zip(free, values, strict=True)}
            found.append(row)
    return found
