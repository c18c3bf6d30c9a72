"""Every change to a JSON document: each leaf; each member of an object or a list dropped, added, doubled, swapped."""

from __future__ import annotations

import copy
import itertools
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

Document = dict[str, Any]
Path = tuple[Any, ...]
Mutant = tuple[Path, Any]  # where, and what stands there instead

NUMBER = re.compile(r"-?[0-9]+(/[1-9][0-9]*)?")
WORDS = [
    *("", "1", "i0.0", "i1.0", "i2.0", "w1.0", "index.0", "value.0", "h2.0", "z0", "w", "x.0", "y.0", "x.1"),
    *("position.0", "seen 1/0.0", "seen 1/1.0", "seen 2/0.0", "both", "causal", "full", "linear", "delta", "sparse"),
    *("funccomp", "two_sum", "hops", "addresses", "records", "table", "A", "B", "C", "D", "F", "R", "FR", "S", "RR"),
    *("C1", "C2", "C3", "bound", "decision", "pair", "construction", "i2 at 0 mod 2.0", "i2 at 1 mod 2.0"),
]


def nodes(document: Document) -> Iterator[tuple[Path, Any]]:
    """All values in a document, with their paths."""
    stack: list[tuple[Path, Any]] = [((), document)]
    while stack:
        path, value = stack.pop()
        yield path, value
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        stack += [((*path, key), child) for key, child in pairs]


def mutations(value: Any) -> Iterator[Any]:
    """Other values in place of one; some are of another type, and some are the same number written otherwise."""
    if isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield value | {"unknown": 0}
        keys = list(value)
        yield from (value | {a: value[b], b: value[a]} for a, b in itertools.pairwise(keys))
        yield from (None, [], list(value.values()))
    elif isinstance(value, list):
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield from (value[: i + 1] + value[i:] for i in range(len(value)))
        yield from ([*value[:i], value[i + 1], value[i], *value[i + 2 :]] for i in range(len(value) - 1))
        yield from ([*value, 0], [*value, "x"], None, {}, [], [value])
    elif isinstance(value, bool):
        yield from (not value, None, int(value), "true")
    elif isinstance(value, str) and NUMBER.fullmatch(value):
        number = Fraction(value)
        yield from (str(other) for other in (number + 1, number - 1, -number, 2 * number, number / 2, 10 * number, 0))
        yield from (None, value + " ", value + ".0", "1/0", [value], float(number) if abs(number) < 10**300 else 0.5)
    elif isinstance(value, str):
        yield from (value + "x", None, 0, [value], *WORDS)
    elif isinstance(value, int):
        yield from (value + 1, value - 1, -value, 0, 1, 2 * value, 100, 1000 * value)
        yield from (f"{2 * value + 1}/2", f"{2 * value - 1}/2", str(value), f"{value}/1", float(value), "1.0", "1/0")
        yield from (None, True, [value], {"powers": [[max(value, 1), 1]]}, {"powers": [[2, 10**12]]}, 2**53 + 1)
    else:
        yield from (0, 1, "x", True, [], [1], {})


def mutants(document: Document) -> list[Mutant]:
    """All that is different from the document; True is not 1, and 1.0 is not 1."""
    return [
        (path, other)
        for path, value in nodes(document)
        for other in mutations(value)
        if (type(other), other) != (type(value), value) and (path or isinstance(other, dict))
    ]


def some_mutants(document: Document, rng: random.Random, count: int) -> list[Mutant]:
    """So many, each at a random place; a large document has too many to list them all."""
    places, found = [(path, value) for path, value in nodes(document) if path], []
    while len(found) < count:
        path, value = rng.choice(places)
        other = rng.choice(list(mutations(value)))
        if (type(other), other) != (type(value), value):
            found.append((path, other))
    return found


def put(document: Document, path: Path, value: Any) -> Document:
    """The document with another value at a path; all else is shared."""
    if not path:
        return dict(value)
    copied: Any = copy.copy(document)
    copied[path[0]] = put(copied[path[0]], path[1:], value) if path[1:] else value
    return copied  # type: ignore[no-any-return]
