"""A program as mathematics, for people: one line for each kind and each definition; as text and as LaTeX."""

from __future__ import annotations

from separation.escaping import quoted
from separation.tasks.program.definitions import Count, Definition, Definitions, Find, Map, Scan

TABLE_SHOWN = 16
"""Entries of a table that are written out; beyond, only their number is said."""


def as_text(program: Definitions) -> str:
    """The program in words and formulas."""
    lines = [f"the program {quoted(program.name)}", "prompt:"]
    for kind in program.kinds:
        count = "any number of" if kind.count is None else f"{kind.count:,}"
        spells = ", ".join(f"{name} < {size:,}" for name, size in kind.spells) or "nothing"
        promise = f"; no two agree in {', '.join(kind.distinct)}" if kind.distinct else ""
        lines.append(f"  {count} {kind.name}, each spells {spells}{promise}")
    lines.append("definitions:")
    lines += [f"  {definition_text(d)}" for d in program.definitions]
    lines.append(f"answer: {program.answer[1]} at every {program.answer[0]}")
    return "\n".join(lines)


def definition_text(d: Definition) -> str:
    """One definition in a line."""
    if isinstance(d, Map):
        return f"{d.kind}.{d.name} = {_table(d.table, d.inputs)}"
    if isinstance(d, Scan):
        steps = "; ".join(
            f"at {step.kind}: {_table(step.table, ('value before', *step.inputs))}"
            if step.inputs or step.table != tuple(range(d.size))
            else f"at {step.kind}: as before"
            for step in d.over
        )
        return f"{d.name}, first {d.start}, then {steps}"
    if isinstance(d, Count):
        return f"{d.kind}.{d.name} = the number of {d.target} {_where(d)}"
    which = "the" if d.best is None else f"of {d.target} the one with the {d.best[0]} {d.best[1]}"
    if d.read is None:
        return f"{d.kind}.{d.name} = 1 if there is a {d.target} {_where(d)}, else 0"
    found = f"{d.read} of the {d.target}" if d.best is None else f"{d.read}, {which},"
    otherwise = "there is one" if d.default is None else f"{d.default} if there is none"
    once = ", and at most one" if d.once else ""
    return f"{d.kind}.{d.name} = {found} {_where(d)} ({otherwise}{once})"


def _where(d: Find | Count) -> str:
    if not d.where:
        return "at or before the token"
    return "with " + " and ".join(f"{a} {relation} {_own(b)}" for a, relation, b in d.where)


def _own(b: str | int) -> str:
    return str(b) if isinstance(b, int) else f"own {b}"


def _table(table: tuple[int | None, ...], inputs: tuple[str, ...]) -> str:
    names = ", ".join(inputs)
    if len(table) > TABLE_SHOWN:
        return f"a table of {len(table):,} entries at ({names})"
    entries = " ".join("·" if value is None else str(value) for value in table)
    return f"({entries}) at ({names})"


def as_latex(program: Definitions) -> str:
    """The definitions as an itemised list."""
    lines = [r"\begin{itemize}"]
    for kind in program.kinds:
        count = "any number of" if kind.count is None else str(kind.count)
        spells = ", ".join(rf"${_tex(name)} \in [{size}]$" for name, size in kind.spells) or "nothing"
        promise = rf"; no two agree in ${', '.join(map(_tex, kind.distinct))}$" if kind.distinct else ""
        lines.append(rf"  \item {count} tokens $\mathrm{{{_tex(kind.name)}}}$, each spells {spells}{promise}.")
    for d in program.definitions:
        lines.append(rf"  \item {definition_latex(d)}")
    kind_name, variable = program.answer
    lines.append(rf"  \item Answer: ${_tex(variable)}$ at every $\mathrm{{{_tex(kind_name)}}}$.")
    return "\n".join([*lines, r"\end{itemize}"])


def definition_latex(d: Definition) -> str:
    """One definition; t is the token that has the variable, s the one that it looks at."""
    if isinstance(d, Map):
        inputs = ", ".join(f"{_tex(v)}_t" for v in d.inputs)
        return rf"${_tex(d.name)}_t = f({inputs})$, $f$ the table $({_entries(d.table)})$."
    if isinstance(d, Scan):
        inputs = ", ".join(f"{_tex(v)}_t" for v in d.over[0].inputs)
        table = _entries(d.over[0].table)
        step = rf"\delta({_tex(d.name)}_{{t-1}}, {inputs})"
        return rf"${_tex(d.name)}_t = {step}$, first ${d.start}$, $\delta$ the table $({table})$."
    relations = [rf"{_tex(a)}_s {r} {b if isinstance(b, int) else _tex(b) + '_t'}" for a, r, b in d.where]
    matched = r"\{s \le t : " + (r",\ ".join(relations) or r"s \in \mathrm{" + _tex(d.target) + "}") + r"\}"
    if isinstance(d, Count):
        return rf"${_tex(d.name)}_t = |{matched}|$."
    if d.read is None:
        return rf"${_tex(d.name)}_t = [{matched} \ne \emptyset]$."
    pick = "" if d.best is None else rf"\arg\{'max' if d.best[0] == 'largest' else 'min'}_{{{_tex(d.best[1])}}} "
    otherwise = "which is not empty" if d.default is None else rf"${d.default}$ if it is empty"
    return rf"${_tex(d.name)}_t = {_tex(d.read)}_s$ for $s \in {pick}{matched}$, {otherwise}."


def _entries(table: tuple[int | None, ...]) -> str:
    if len(table) > TABLE_SHOWN:
        return rf"\ldots,\ {len(table)}\text{{ entries}}"
    return ", ".join(r"\cdot" if value is None else str(value) for value in table)


def _tex(name: str) -> str:
    return r"\mathit{" + name.replace("_", r"\_") + "}"
