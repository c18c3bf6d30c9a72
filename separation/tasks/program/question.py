"""A program as a question in words, for a reader of text: how the prompt is written, each definition, what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from separation.files import InputError
from separation.tasks.program.definitions import Count, Definition, Definitions, Find, Map, Scan, Table, tables_of

MOST_ENTRIES = 1 << 12
"""Entries of all tables that are written out: a question that leaves some out could not be answered."""
RELATIONS = {"=": "equal to", "<": "less than", ">": "greater than"}


def question(program: Definitions) -> str:
    """One line; tables are written out, so that the text alone determines the answer."""
    needed = [program.definitions[number] for number in program.needed()]
    entries = sum(len(table) for d in needed for table in tables_of(d))
    if entries > MOST_ENTRIES:
        raise InputError(
            f"the tables of {program.name} have {entries:,} entries; up to {MOST_ENTRIES:,} are written out in a text"
        )
    parts = [_written(program), "A token sees itself and what stands before it."]
    parts += [_sentence(program, d) for d in needed]
    kind, variable = program.answer
    count = program.tokens_of(program.kind(kind))
    if count == 1:
        parts.append(f"Answer with {variable} of {kind}, a single number.")
    else:
        parts.append(
            f"Answer with {variable} of every {kind}, in their order: {count} numbers separated by single spaces."
        )
    return " ".join(parts)


def _written(program: Definitions) -> str:
    found = []
    for kind in program.kinds:
        tokens = f"{program.tokens_of(kind)} {kind.name}"
        names = ",".join(name for name, _ in kind.spells)
        ranges = ", ".join(f"{name} from 0 to {size - 1}" for name, size in kind.spells)
        found.append(f"{tokens}, each written position={names} ({ranges})" if kind.spells else f"{tokens}, not written")
    return f"The tokens are, in this order: {'; '.join(found)}. Positions count from 0 within a kind."


def _sentence(program: Definitions, d: Definition) -> str:
    if isinstance(d, Map):
        sizes = [program.size(d.kind, v) for v in d.inputs]
        return f"{d.name} of {_a(d.kind)} is f({', '.join(d.inputs)}), where {_entries(d.table, sizes)}."
    if isinstance(d, Scan):
        steps = []
        for step in d.over:
            if not step.inputs and step.table == tuple(range(d.size)):
                steps.append(f"at {_a(step.kind)} it stays")
                continue
            sizes = [d.size, *(program.size(step.kind, v) for v in step.inputs)]
            arguments = ", ".join((d.name, *step.inputs))
            steps.append(f"at {_a(step.kind)} it becomes f({arguments}), where {_entries(step.table, sizes)}")
        return f"{d.name} is {d.start} before the first token and changes along the tokens: {'; '.join(steps)}."
    matching = f"{d.target} at or before it" + "".join(
        f"{' with' if not i else ' and'} {a} {RELATIONS[r]} {b if isinstance(b, int) else f'its own {b}'}"
        for i, (a, r, b) in enumerate(d.where)
    )
    if isinstance(d, Count):
        return f"{d.name} of {_a(d.kind)} is the number of {matching}."
    return f"{d.name} of {_a(d.kind)} is {_found(d, matching)}."


def _found(d: Find, matching: str) -> str:
    if d.read is None:
        return f"1 if there is {_a(matching)}, else 0"
    which = f"the {matching}" if d.best is None else f"that {matching} whose {d.best[1]} is {d.best[0]}"
    return f"the {d.read} of {which}" + ("" if d.default is None else f", or {d.default} if there is none")


def _entries(table: Table, sizes: Sequence[int]) -> str:
    cases = product(*map(range, sizes))
    known = [f"f({','.join(map(str, case))})={to}" for case, to in zip(cases, table, strict=True) if to is not None]
    return " ".join(known)


def _a(name: str) -> str:
    return f"an {name}" if name[0] in "aeiou" else f"a {name}"
