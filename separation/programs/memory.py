"""Finds and counts by a recurrence: what the tokens of a kind say is kept in a state, and asked for by name.

| state | update | what it is for |
|---|---|---|
| a row for each name, linear attention | the row of the token's name += what it says | the only match; how many match |
| a row for each name, delta rule | the row of the token's name ← what it says | the latest match; is there one? |
| a row for even and for odd places, delta rule | the row of the token's place ← what it says | the token before |

A name is a value of the reader's variables in the condition; where nothing is named the state is one row, and what one
token says is handed on. What is read is exact, and 0 where nothing was kept: defaults are added by the MLP.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

from separation.arithmetic import ExactMatrix
from separation.models import AnyHead, DeltaHead, LinearHead
from separation.programs.circuits import Circuits, sign
from separation.programs.slots import Slots
from separation.programs.weights import Part, Row, Unit, plus, scaled
from separation.tasks.program import Count, Definitions, Find, Map
from separation.tasks.program.definitions import holds

MOST_PAIRS = 1 << 18
"""(values of what the reader names) × (values of the token's names): the proof looks at each pair."""


def refusal(program: Definitions, d: Find | Count) -> str | None:
    """Why no recurrence does this; None if one does."""
    if isinstance(d, Find) and _is_before(program, d):
        return None
    pairs = prod(program.size(d.kind, b) for b in _asked(d)) * prod(program.size(d.target, a) for a in _named(d))
    if pairs > MOST_PAIRS:
        return f"would need a row for each of {prod(program.size(d.kind, b) for b in _asked(d)):,} names"
    if isinstance(d, Count) or _is_only(program, d):
        return None
    if _is_latest(d):
        unequal = [a for a, relation, b in d.where if relation != "=" and isinstance(b, str)]
        return f"would keep the latest of each name, and {unequal[0]} is not asked for by name" if unequal else None
    return "would add up several matches" if d.best is None else f"would keep the latest, not the {' '.join(d.best)}"


def find(c: Circuits, finds: list[Find], layer: int) -> None:
    """One head for all finds of the same token."""
    d = finds[0]
    said, goes = list[Row](), list[Row]()
    target = c.tag(d.target)
    for e in finds:
        out = c.bits(e.kind, e.name)
        for j, slot in enumerate(out):
            row: Row = {target: 1} if e.read is None else c.bit(e.target, e.read, j)
            if e.otherwise is not None:
                row = plus(row, {target: -sign(e.otherwise, j)})
            said.append(row)
            goes.append({slot: 1})
        if e.otherwise is not None:
            missing = Unit({c.tag(e.kind): 1}, {slot: sign(e.otherwise, j) for j, slot in enumerate(out)})
            c.put((layer, 1), [missing])
        c.ready[e.kind, e.name] = layer, 1
    head: Callable[[Slots], AnyHead]
    if _is_before(c.program, d):
        what, head = "hands on", partial(_delta, *_parity(c, d), target, said, goes)
    elif _is_only(c.program, d):
        c.slots.largest = max(c.slots.largest, Fraction(2 * c.program.tokens_of(c.program.kind(d.target))))
        what, head = "stores", partial(_linear, *_features(c, d), said, goes)
    else:
        what, head = "keeps the latest", partial(_delta, *_slots(c, d), target, said, goes)
    number = c.draft(layer).add(head)
    c.parts += [Part(layer, number, e.kind, e.name, what) for e in finds]


def count(c: Circuits, d: Count, layer: int) -> None:
    """The head says the number; the MLP turns it into bits."""
    most = c.program.size(d.kind, d.name) - 1
    out = c.bits(d.kind, d.name)
    c.slots.largest = max(c.slots.largest, Fraction(most))
    jumps = [(Fraction(n), Fraction(n + 1), n, n + 1) for n in range(most)]
    (heard,) = c.heard(d.kind, d.name, 1)
    units = c.staircase(c.tag(d.kind), {heard: 1}, most, 0, jumps, out)
    c.put((layer, 1), [*units, *c.emptied([heard], most)])
    c.ready[d.kind, d.name] = layer, 1
    head = partial(_linear, *_features(c, d), [{c.tag(d.target): 1}], [{heard: 1}])
    c.parts.append(Part(layer, c.draft(layer).add(head), d.kind, d.name, "adds up"))


def _asked(d: Find | Count) -> tuple[str, ...]:
    """The reader's variables."""
    return tuple(dict.fromkeys(b for _, _, b in d.where if isinstance(b, str)))


def _named(d: Find | Count) -> tuple[str, ...]:
    """The variables of the token that is looked at."""
    return tuple(dict.fromkeys(a for a, _, _ in d.where))


def _is_only(program: Definitions, d: Find) -> bool:
    """At most one token matches."""
    return program.is_single(replace(d, best=None))


def _is_latest(d: Find) -> bool:
    """The latest match, or any of several that say the same."""
    return d.best == ("largest", "position") or (d.best is None and (d.read is None or d.read in _named(d)))


def _is_before(program: Definitions, d: Find) -> bool:
    """The token one place before, of the same kind."""
    if d.kind != d.target or d.best is not None or len(d.where) != 1 or d.where[0][:2] != ("position", "="):
        return False
    place = program.named(d.kind, str(d.where[0][2]))
    n = program.size(d.kind, "position")
    return (
        isinstance(place, Map) and place.inputs == ("position",) and place.table == tuple((x - 1) % n for x in range(n))
    )


def _cases(c: Circuits, d: Find | Count) -> list[tuple[tuple[int, ...], list[tuple[int, ...]]]]:
    """For each value of what the reader asks: the values of the token's names that match."""

    def values_of(kind: str, names: tuple[str, ...]) -> list[dict[str, int]]:
        cases = product(*(range(c.program.size(kind, v)) for v in names))
        return [dict(zip(names, case, strict=True)) for case in cases]

    there = values_of(d.target, _named(d))
    found = [(tuple(own.values()), [tuple(v.values()) for v in there if holds(d, v, own)])
             for own in values_of(d.kind, _asked(d))]  # fmt: skip
    return [(case, matching) for case, matching in found if matching] or found[:1]


def _features(c: Circuits, d: Find | Count) -> tuple[list[Row], list[Row]]:
    """Queries and keys of linear attention, before the relu: 1 at the reader's case, 1 at tokens that match it."""
    asked, named = _asked(d), _named(d)
    queries, keys = list[Row](), list[Row]()
    for number, (case, matching) in enumerate(_cases(c, d)):
        queries.append(c.indicator(d.kind, asked, case))
        one = len(matching) == 1
        keys.append(
            c.indicator(d.target, named, matching[0]) if one else _said(c, d, d.target, named, matching, number)
        )
    return queries, keys


def _slots(c: Circuits, d: Find) -> tuple[list[Row], list[Row]]:
    """Queries and keys of the delta rule: the same, but in slots, as there is no relu."""
    found = list(enumerate(_cases(c, d)))
    queries = [_said(c, d, d.kind, _asked(d), [case], number) for number, (case, _) in found]
    return queries, [_said(c, d, d.target, _named(d), matching, number) for number, (_, matching) in found]


def _said(
    c: Circuits, d: Find | Count, kind: str, variables: tuple[str, ...], values: list[tuple[int, ...]], number: int
) -> Row:
    """1 at tokens of the kind whose variables have one of these values."""
    if not variables:
        return {c.tag(kind): 1}
    slot = c.slots.alone(c.slots.add(f"{kind} for {d.kind}.{d.name} {', '.join(variables)}[{number}]"), fresh=True)
    at, rank = c.when(kind, *variables)
    c.put((at, rank + 1), [Unit(c.indicator(kind, variables, value), {slot: 1}) for value in values])
    return {slot: 1}


def _parity(c: Circuits, d: Find) -> tuple[list[Row], list[Row]]:
    """(1 ± the lowest bit of the place)/2 at keys; at queries the other of the two."""
    tag, half = c.tag(d.kind), Fraction(1, 2)
    low = [c.slots.alone(slot) for slot in c.bits(d.kind, "position")[:1]]
    rows = [plus({tag: half}, *(scaled({slot: s}, half) for slot in low)) for s in (1, -1)]
    return rows[::-1], rows


def _linear(queries: list[Row], keys: list[Row], said: list[Row], goes: list[Row], slots: Slots) -> LinearHead:
    zero = ExactMatrix.zeros(len(keys), 1)
    w_q, w_k, w_v = (slots.readers(rows) for rows in (queries, keys, said))
    return LinearHead(w_q, zero, w_k, zero, w_v, slots.writers(goes), normalised=False)


def _delta(queries: list[Row], keys: list[Row], gate: str, said: list[Row], goes: list[Row], slots: Slots) -> DeltaHead:
    """α = 1: nothing is forgotten; β = 1 at the tokens that are looked at, else 0."""
    w_q, w_k, w_v = (slots.readers(rows) for rows in (queries, keys, said))
    none, one = ExactMatrix.zeros(1, slots.width), ExactMatrix.from_rows([[1]])
    gates = slots.readers([{gate: 1}])
    return DeltaHead(w_q, w_k, w_v, none, one, gates, ExactMatrix.zeros(1, 1), slots.writers(goes))
