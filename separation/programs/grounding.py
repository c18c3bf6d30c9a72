"""Maps from the ground: what a map computes from the values of maps is computed from what those read.

A kernel knows one law for each map. Where an answer is made of several maps that read the same variables, the laws
together may say it, and none alone: one map says it all. The answers are the same; the definitions that are proved and
certified are the ones that are built.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from math import prod

from separation.tasks.program import Definition, Definitions, Map
from separation.tasks.program.definitions import number_of, read_by

MOST_CASES = 1 << 12


def grounded(program: Definitions) -> Definitions:
    """The same program; maps whose values nobody reads any more are left out, but for those that promise something."""
    known: dict[tuple[str, str], Map] = {}
    for d in program.definitions:
        if isinstance(d, Map) and d.inputs != ("position",):  # digits of the position belong to the embedding
            known[d.kind, d.name] = _grounded(program, d, known)
    kept, wanted = list[Definition](), {program.answer}
    for d in reversed(program.definitions):
        if isinstance(d, Map):
            d = known.get((d.kind, d.name), d)
            if None not in d.table and (d.kind, d.name) not in wanted:
                continue
        wanted |= read_by(d)
        kept.append(d)
    return replace(program, definitions=tuple(reversed(kept)))


def _grounded(program: Definitions, d: Map, known: dict[tuple[str, str], Map]) -> Map:
    """The map as one of what the maps before it read, unless there are too many cases."""

    def sizes(names: tuple[str, ...]) -> list[int]:
        return [program.size(d.kind, v) for v in names]

    inner = {v: known[d.kind, v] for v in d.inputs if (d.kind, v) in known}
    ground = tuple(dict.fromkeys(w for v in d.inputs for w in (inner[v].inputs if v in inner else (v,))))
    if prod(sizes(ground)) > MOST_CASES:
        return d
    table = list[int | None]()
    for case in product(*map(range, sizes(ground))):
        values: dict[str, int | None] = dict(zip(ground, case, strict=True))
        for v, m in inner.items():
            values[v] = m.table[number_of([values[w] or 0 for w in m.inputs], sizes(m.inputs))]
        said = [values[v] for v in d.inputs]
        known_all = [x for x in said if x is not None]
        table.append(d.table[number_of(known_all, sizes(d.inputs))] if len(known_all) == len(said) else None)
    return replace(d, inputs=ground, table=tuple(table))
