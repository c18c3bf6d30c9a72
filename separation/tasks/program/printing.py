"""A program as mathematics, for people: one line for each kind and each definition; as text and as LaTeX."""

from __future__ import annotations

from separation.escaping import quoted
from separation.tasks.program.definitions import Count, Definition, Definitions, Find, Map, Scan

TABLE_SHOWN = 16
"""Entries of a table that are written out; beyond, only their number is said."""
LEGEND = (
    r"A token $t$ sees the tokens $s \le t$. A table lists its values in the lexicographic order of its arguments, "
    r"which stand in brackets; a dot: no input has this case."
)


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
    return f"({entries}) at ({names})" + ("; ·: no input has this case" if None in table else "")


def as_latex(program: Definitions) -> str:
    """The definitions as an itemised list; t is the token that has the variable, s the one that it looks at."""
    items = []
    for kind in program.kinds:
        count = "Any number of" if kind.count is None else f"{kind.count:,}"
        spells = ", ".join(rf"${_tex(name)} < {size}$" for name, size in kind.spells) or "nothing"
        promise = rf"; no two agree in ${', '.join(map(_tex, kind.distinct))}$" if kind.distinct else ""
        items.append(rf"{count} ${_kind(kind.name)}$, each spells {spells}{promise}.")
    items += map(definition_latex, program.definitions)
    items.append(rf"Answer: ${_tex(program.answer[1])}_t$ at every $t \in {_kind(program.answer[0])}$.")
    return "\n".join([LEGEND, r"\begin{itemize}", *(rf"  \item {item}" for item in items), r"\end{itemize}"])


def definition_latex(d: Definition) -> str:
    """One definition, with the kind of its tokens and of those that they look at."""
    name = f"{_tex(d.name)}_t"
    if isinstance(d, Scan):
        before = rf"{_tex(d.name)}_{{t-1}}"
        steps = []
        for step in d.over:
            is_kept = not step.inputs and step.table == tuple(range(d.size))
            said = before if is_kept else _applied(step.table, (before, *map(_own_latex, step.inputs)))
            steps.append(rf"${name} = {said}$ at $t \in {_kind(step.kind)}$")
        return rf"{'; '.join(steps)}; before the first token it is ${d.start}$."
    at = rf" at $t \in {_kind(d.kind)}$"
    if isinstance(d, Map):
        return rf"${name} = {_applied(d.table, tuple(map(_own_latex, d.inputs)))}${at}."
    relations = [rf"{_tex(a)}_s {r} {b if isinstance(b, int) else _own_latex(b)}" for a, r, b in d.where]
    matched = rf"\{{s \in {_kind(d.target)} : " + r",\ ".join([r"s \le t", *relations]) + r"\}"
    if isinstance(d, Count):
        return rf"${name} = |{matched}|${at}."
    if d.read is None:
        return rf"${name} = [{matched} \ne \emptyset]${at}."
    least = {"largest": r"\arg\max", "smallest": r"\arg\min"}
    pick = "" if d.best is None else rf"{least[d.best[0]]}_{{{_tex(d.best[1])}_s}} "
    otherwise = "which is not empty" if d.default is None else rf"${d.default}$ if it is empty"
    once = ", and has at most one element" if d.once else ""
    return rf"${name} = {_tex(d.read)}_s${at} for $s \in {pick}{matched}$, {otherwise}{once}."


def _applied(table: tuple[int | None, ...], arguments: tuple[str, ...]) -> str:
    entries = ", ".join(r"\cdot" if value is None else str(value) for value in table[:TABLE_SHOWN])
    rest = rf",\ \ldots\ \text{{({len(table):,} entries)}}" if len(table) > TABLE_SHOWN else ""
    return rf"({entries}{rest})[{', '.join(arguments)}]"


def _own_latex(name: str) -> str:
    return f"{_tex(name)}_t"


def _kind(name: str) -> str:
    return r"\mathsf{" + name.replace("_", r"\_") + "}"


def _tex(name: str) -> str:
    return r"\mathit{" + name.replace("_", r"\_") + "}"
