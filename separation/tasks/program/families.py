"""Hard inputs of a program, by name, from its definitions alone.

Plain patterns (all tokens alike, two values, one that differs, rising, falling, extreme values) and what the
definitions make of them: a find with no match, one, several, or all; its match far off or near; a count that is 0 or
everything; a scan that ends where it began, or at its largest value. Patterns are repaired until promises are kept;
what a definition says is looked up in the oracle's run.
"""

from __future__ import annotations

import random as random_module
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from separation.tasks.program.definitions import Count, Definitions, Find, Scan, holds
from separation.tasks.program.oracle import Prompt, Token, draw, execute, ids_of, repaired, spelled

POOL_TOKENS = 1 << 14
"""Tokens of all prompts that are drawn to find hard ones."""
LARGEST_POOL = 48
Source = random_module.Random
Values = Callable[[int, int, Source], list[int]]
"""(tokens, values of the variable, source) to the value at each token."""


def _one_differs(count: int, size: int, source: Source) -> list[int]:
    values = [source.randrange(size)] * count
    values[source.randrange(count)] = source.randrange(size)
    return values


PATTERNS: dict[str, Values] = {
    "all_equal": lambda count, size, source: [source.randrange(size)] * count,
    "one_differs": _one_differs,
    "two_values": lambda count, size, source: source.choices([source.randrange(size), source.randrange(size)], k=count),
    "rising": lambda count, size, _: [i * size // count for i in range(count)],
    "falling": lambda count, size, _: [(count - 1 - i) * size // count for i in range(count)],
    "extreme_values": lambda count, size, source: source.choices([0, size - 1], k=count),
    "alternating": lambda count, size, _: [i % 2 * (size - 1) for i in range(count)],
}


def families(program: Definitions) -> dict[str, Callable[[int], Iterator[list[int]]]]:
    """Name to (seed to ids); each has an input at every seed."""
    made = {name: partial(_pattern_of, program, name) for name in PATTERNS if _drawn(program, name, Source(0))}
    return {**made, **{name: partial(_case_of, program, name) for name in _cases(program, 0)}}


def patterned(program: Definitions, seed: int) -> Iterator[list[int]]:
    """Inputs of all patterns in turn, without end."""
    source = Source(seed)
    while True:
        for name in PATTERNS:
            found = _drawn(program, name, source)
            if found is not None:
                yield ids_of(program, found)
        yield ids_of(program, draw(program, source))


def _pattern_of(program: Definitions, name: str, seed: int) -> Iterator[list[int]]:
    found = _drawn(program, name, Source(seed)) or _drawn(program, name, Source(0))
    if found is not None:
        yield ids_of(program, found)


def _case_of(program: Definitions, name: str, seed: int) -> Iterator[list[int]]:
    yield _cases(program, seed).get(name) or _cases(program, 0)[name]


def _drawn(program: Definitions, name: str, source: Source) -> Prompt | None:
    """An input of a pattern; None if no repair of it keeps the promises."""
    prompt: Prompt = []
    for kind in program.kinds:
        count = program.tokens_of(kind)
        columns = {v: PATTERNS[name](count, size, source) for v, size in kind.spells}
        for i in range(count):
            prompt.append((kind.name, {"position": i, **{v: column[i] for v, column in columns.items()}}))
    return repaired(program, prompt, source)


@lru_cache(maxsize=64)
def _cases(program: Definitions, seed: int) -> dict[str, list[int]]:
    """What the definitions make of a pool of inputs, and for each such case the first input that shows it."""
    source, found = Source(seed), dict[str, list[int]]()
    inputs = patterned(program, seed)
    for _ in range(max(8, min(LARGEST_POOL, POOL_TOKENS // program.length))):
        prompt = repaired(program, draw(program, source), source) if source.random() < 0.5 else None
        ids = next(inputs) if prompt is None else ids_of(program, prompt)
        for name in _shown_by(program, ids):
            found.setdefault(name, ids)
    return found


def _shown_by(program: Definitions, ids: list[int]) -> Iterator[str]:
    prompt = execute(program, spelled(program, ids))
    for d in (program.definitions[number] for number in program.needed()):
        if isinstance(d, Scan):
            last = [token for kind, token in prompt if d.step(kind)][-1][d.name]
            yield from (
                f"{d.name}_{what}" for what, at in (("at_start", d.start), ("largest", d.size - 1)) if last == at
            )
        elif isinstance(d, Find | Count):
            place = max(i for i, (kind, _) in enumerate(prompt) if kind == d.kind)
            visible = [token for kind, token in prompt[: place + 1] if kind == d.target]
            matches = [token for token in visible if holds(d, token, prompt[place][1])]
            yield f"{d.name}_{_how_many(matches, visible)}"
            if isinstance(d, Find) and d.best is None and len(matches) == 1 and len(visible) > 1:
                yield from (f"{d.name}_{where}" for where, t in (("far", 0), ("near", -1)) if visible[t] is matches[0])


def _how_many(matches: list[Token], visible: list[Token]) -> str:
    if len(matches) == len(visible) > 1:
        return "all_match"
    return {0: "no_match", 1: "one_match"}.get(len(matches), "several_match")
