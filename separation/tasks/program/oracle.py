"""What a program means: its definitions executed one after another. Nothing here knows of weights."""

from __future__ import annotations

import random as random_module
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from math import prod

import numpy as np

from separation.files import InputError
from separation.tasks.program.definitions import (
    RELATIONS,
    Count,
    Definitions,
    Find,
    Kind,
    Map,
    Scan,
    digits_of,
    number_of,
)
from separation.tasks.task import Array

Token = dict[str, int]
Prompt = list[tuple[str, Token]]
TRIES = 400
"""Attempts at an input that keeps the promises, each with as many repairs as there are tokens."""


class BrokenPromise(Exception):
    """The input is none: at the token ``place`` the definition ``d`` has no value."""

    def __init__(self, place: int, d: Find | Map | Scan | Kind) -> None:
        super().__init__(f"{d.name}: a promise is broken at token {place}")
        self.place, self.d = place, d


def spelled(program: Definitions, ids: Sequence[int]) -> Prompt:
    """The tokens of a row of ids; it may end anywhere."""
    prompt: Prompt = []
    for kind in program.kinds:
        first = program.first_id(kind.name)
        for position in range(min(program.tokens_of(kind), len(ids) - len(prompt))):
            rest = int(ids[len(prompt)]) - first
            if not 0 <= rest < kind.id_count:
                raise InputError(f"token {len(prompt)} has the id {ids[len(prompt)]}, which {kind.name} does not have")
            values = zip(kind.spells, digits_of(rest, kind.radices), strict=True)
            prompt.append((kind.name, {"position": position, **{name: value for (name, _), value in values}}))
    return prompt


def ids_of(program: Definitions, prompt: Prompt) -> list[int]:
    """The inverse of `spelled`."""
    ids = []
    for name, token in prompt:
        kind = program.kind(name)
        ids.append(program.first_id(name) + number_of([token[v] for v, _ in kind.spells], kind.radices))
    return ids


def execute(program: Definitions, prompt: Prompt) -> Prompt:
    """Every variable of every token, written into the tokens; BrokenPromise if the prompt is no input."""
    for kind in program.kinds:
        taken = set()
        for place, (name, token) in enumerate(prompt):
            if name == kind.name and kind.distinct:
                names = tuple(token[v] for v in kind.distinct)
                if names in taken:
                    raise BrokenPromise(place, kind)
                taken.add(names)
    for d in program.definitions:
        if isinstance(d, Scan):
            _scan(program, d, prompt)
        elif isinstance(d, Map):
            sizes = [program.size(d.kind, v) for v in d.inputs]
            for place, (kind_name, token) in enumerate(prompt):
                if kind_name == d.kind:
                    token[d.name] = _entry(d, d.table, sizes, [token[v] for v in d.inputs], place)
        else:
            _look(d, prompt)
    return prompt


def _entry(d: Map | Scan, table: Sequence[int | None], sizes: Sequence[int], values: Sequence[int], place: int) -> int:
    found = table[number_of(values, sizes)]
    if found is None:
        raise BrokenPromise(place, d)
    return found


def _scan(program: Definitions, d: Scan, prompt: Prompt) -> None:
    state = d.start
    sizes = {step.kind: [d.size, *(program.size(step.kind, v) for v in step.inputs)] for step in d.over}
    for place, (kind_name, token) in enumerate(prompt):
        step = d.step(kind_name)
        if step is not None:
            values = [state, *(token[v] for v in step.inputs)]
            state = token[d.name] = _entry(d, step.table, sizes[kind_name], values, place)


def _look(d: Find | Count, prompt: Prompt) -> None:
    """Tokens are kept by what equalities ask for, so that a long prompt is read once."""
    equal = [(a, b) for a, relation, b in d.where if relation == "="]
    ordered = [(a, relation, b) for a, relation, b in d.where if relation != "="]
    seen: dict[tuple[int, ...], list[Token]] = {}
    for place, (kind_name, token) in enumerate(prompt):
        if kind_name == d.target:
            seen.setdefault(tuple(token[a] for a, _ in equal), []).append(token)
        if kind_name == d.kind:
            found = seen.get(tuple(token[b] if isinstance(b, str) else b for _, b in equal), [])
            for a, relation, b in ordered:
                other = token[b] if isinstance(b, str) else b
                found = [there for there in found if RELATIONS[relation](there[a], other)]
            if isinstance(d, Count):
                token[d.name] = len(found)
                continue
            value = _chosen(d, found)
            if value is None:
                raise BrokenPromise(place, d)
            token[d.name] = value


def _chosen(d: Find, found: Sequence[Token]) -> int | None:
    if d.once and len(found) > 1:
        return None
    if d.read is None:
        return int(bool(found))
    if not found:
        return d.default
    if d.best is None:
        return found[-1][d.read]  # all are read alike: the program was checked for it
    take = max if d.best[0] == "largest" else min
    return take(found, key=lambda token: token[d.best[1] if d.best else ""])[d.read]


def answers(program: Definitions, ids: Sequence[int]) -> list[int]:
    """The right answer at each token that is asked."""
    prompt = execute(program, spelled(program, ids))
    kind, variable = program.answer
    return [token[variable] for name, token in prompt if name == kind]


def all_inputs(program: Definitions) -> Iterator[list[int]]:
    """The ids of every input, of ``shown`` tokens where a kind has no end."""
    choices = []
    for kind in program.kinds:
        first = program.first_id(kind.name)
        choices += [range(first, first + kind.id_count)] * program.tokens_of(kind)
    for ids in product(*choices):
        try:
            answers(program, ids)
        except BrokenPromise:
            continue
        yield list(ids)


def raw_inputs(program: Definitions) -> int:
    """The number of prompts, promises aside."""
    return prod(kind.id_count ** program.tokens_of(kind) for kind in program.kinds)


def random_input(program: Definitions, random: np.random.Generator) -> list[int]:
    """The ids of a random input: uniform, then repaired token by token where a promise is broken."""
    return ids_of(program, draw(program, random_module.Random(int(random.integers(2**63)))))


def draw(program: Definitions, source: random_module.Random) -> Prompt:
    """A random input."""
    for _ in range(TRIES):
        prompt = _prompt(program, source.randrange, lambda values, count: source.sample(range(values), count))
        found = repaired(program, prompt, source)
        if found is not None:
            return found
    try:
        return execute(program, prompt)
    except BrokenPromise as broken:
        raise InputError(f"no input of {program.name} was found that keeps its promises; in one, {broken}") from None


def repaired(program: Definitions, prompt: Prompt, source: random_module.Random) -> Prompt | None:
    """The prompt with as few tokens changed as it takes to keep the promises; None if that is not found."""
    for _ in range(4 * len(prompt) + 4):
        try:
            return execute(program, prompt)
        except BrokenPromise as broken:
            _repair(program, prompt, broken, source)
    return None


def plainest_input(program: Definitions) -> list[int]:
    """The ids of the input with zeros wherever the promises allow them, names that are distinct counted up."""
    source = random_module.Random(0)
    prompt = _prompt(program, lambda _: 0, lambda _, count: range(count))
    return ids_of(program, repaired(program, prompt, source) or draw(program, source))


def _prompt(program: Definitions, value: Callable[[int], int], names: Callable[[int, int], Sequence[int]]) -> Prompt:
    """Each variable has a ``value`` below its size; ``names`` gives so many different numbers out of so many."""
    prompt: Prompt = []
    for kind in program.kinds:
        count = program.tokens_of(kind)
        own, sizes = [name for name, _ in kind.spells if name in kind.distinct], kind.radices_of_names(count)
        for position, number in enumerate(names(prod(sizes), count) if own else [0] * count):
            token = {"position": position, **{name: value(size) for name, size in kind.spells}}
            token |= zip(own, digits_of(number, sizes), strict=True)
            prompt.append((kind.name, token))
    return prompt


def _repair(program: Definitions, prompt: Prompt, broken: BrokenPromise, source: random_module.Random) -> None:
    """What the reader spells is taken over from a token that then matches; else the token is drawn again."""
    name, token = prompt[broken.place]
    kind, d = program.kind(name), broken.d
    spells = dict(kind.spells)
    if isinstance(d, Find) and d.name and not kind.distinct:
        targets = [other for k, other in prompt[: broken.place + 1] if k == d.target and other is not token]
        asked = [(a, b) for a, relation, b in d.where if relation == "=" and isinstance(b, str) and b in spells]
        if targets and asked:
            there = source.choice(targets)
            for a, b in asked:
                if a in there and there[a] < spells[b]:
                    token[b] = there[a]
            return
    free = [pair for pair in kind.spells if pair[0] not in kind.distinct or isinstance(d, Kind)]
    for variable, size in free:
        token[variable] = source.randrange(size)


def right_answers(program: Definitions, prompts: Array) -> Array:
    """For each row of ids the answers at the tokens that are asked."""
    return np.array([answers(program, row) for row in prompts], dtype=np.int64)
