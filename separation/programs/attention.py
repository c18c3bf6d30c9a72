"""Finds and counts by full attention: one head for all finds of the same token, one for each count.

A head says something at every kind. The MLP after it puts the exact bits into the slots of the variable, at the kind
that asked, and empties those in which it was heard: x − (x + C) + C, where relu(x + C) is x + C.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import ceil, log

from separation.models import Head
from separation.programs.circuits import Circuits, sign
from separation.programs.slots import Slots
from separation.programs.weights import Part, Row, Unit, plus, scaled
from separation.tasks.program import Count, Find
from separation.tasks.shape import bit_count

LEAK = 8
"""All tokens that a head should not read weigh at most 1/8 of the one that it should: what it reads is off by less than
2/9, and a clip mends anything below 1/2."""
LOG2_E = Fraction(1443, 1000)
"""A little above log2 e: the bits that a score of 1 costs."""


def gap_of(tokens: int) -> int:
    """By how much a score is above those of so many other tokens."""
    return ceil(log(LEAK * max(tokens, 2)))


def bits_of(scores: int) -> int:
    """P for scores that differ by so much."""
    return ceil(scores * LOG2_E) + 8


def refusal(c: Circuits, d: Find | Count) -> str | None:
    """Why no head does this; None if one does."""
    if c.program.kind(d.target).count is None:
        return f"looks at {d.target}, of which there are any number"
    if isinstance(d, Find) and (beside := c.without_end(d.kind)):
        return f"reads beside {beside}, of which there are any number, and all of them weigh something"
    if isinstance(d, Count):
        return c.without_sink(d.kind, "is always counted")
    return None if d.otherwise is None else c.without_sink(d.kind, "is looked at where nothing matches")


def conditions(c: Circuits, d: Find | Count) -> tuple[list[Row], list[Row], int]:
    """(queries, keys, all): the product is the number of conditions that hold minus those that do not, each equality
    counted bit by bit, at tokens of the target; ``all`` if all of them hold."""
    queries, keys, most = list[Row](), list[Row](), 0
    for number, (a, relation, b) in enumerate(d.where):
        sizes = [c.program.size(d.target, a), b + 1 if isinstance(b, int) else c.program.size(d.kind, b)]
        if relation == "=":
            most += max(map(bit_count, sizes))
            for j in range(max(map(bit_count, sizes))):
                queries.append(c.bit(d.kind, b, j))
                keys.append(c.bit(d.target, a, j))
            continue
        most += 1
        # One unit vector for the value of a, and for b the sum of those that stand in the relation to it.
        name, less = f"{d.kind}.{d.name}", relation == "<"
        hot = [c.slots.add(f"{d.target} for {name} {number}[{x}]") for x in range(sizes[0])]
        layer, rank = c.when(d.target, a)
        c.put((layer, rank + 1), [Unit(c.indicator(d.target, (a,), (x,)), {hot[x]: 1}) for x in range(sizes[0])])
        keys += [{slot: 1} for slot in hot]
        if isinstance(b, int):
            queries += [{c.tag(d.kind): 1 if (x < b if less else x > b) else -1} for x in range(sizes[0])]
            continue
        scale = [c.slots.add(f"{name} {number}[{x}]", c.kinds(d.kind)) for x in range(sizes[0])]
        layer, rank = c.when(d.kind, b)
        for x in range(sizes[0]):
            holds = tuple(int(x < y if less else x > y) for y in range(sizes[1]))
            c.put((layer, rank + 1), c.table(d.kind, (b,), holds, [scale[x]]))
        queries += [{slot: 1} for slot in scale]
    return queries, keys, most


def find(c: Circuits, finds: list[Find], layer: int) -> None:
    """One head for all finds of the same token. At tokens of the target the score is base + τ·(conditions) +
    ε·order; the token to which readers without a match look is γ below the least match, and γ above all others."""
    d = finds[0]
    values = c.program.size(d.target, d.best[1]) if d.best else 1
    # Against those of earlier places a sum decides; where places are compared besides, their number.
    compared = any(a == "position" and relation != "=" for a, relation, _ in d.where)
    own_place = d.best is not None and d.best[1] == "position" and not compared
    step = (ceil(log(4 * LEAK)) if own_place else c.gap) if d.best else 0
    queries, keys, bits = conditions(c, d)
    spread = step * (values - 1)
    tau = ceil(Fraction(spread + 2 * c.gap, 2))
    base = tau * (bits + 1) + spread + c.gap
    target = c.tag(d.target)
    queries = [*(scaled(row, tau) for row in queries), {"one": base}]
    keys = [*keys, {target: 1}]
    if d.otherwise is not None:
        queries.append({"one": base + tau * bits - c.gap})
        keys.append({c.tag(c.sink): 1})
    if d.best:
        order = c.number(d.target, d.best[1])
        upward = d.best[0] == "largest"
        queries.append({"one": step})
        keys.append(order if upward else plus(scaled(order, -1), {target: values - 1}))
    c.score_bits = max(c.score_bits, bits_of(spread + 2 * c.gap))
    said, goes = list[Row](), list[Row]()
    for e in finds:
        out = c.bits(e.kind, e.name)
        heard = c.heard(e.kind, e.name, len(out))
        for j, slot in enumerate(heard):
            row: Row = {target: 1} if e.read is None else c.bit(e.target, e.read, j)
            if e.otherwise is not None:
                row = plus(row, {c.tag(c.sink): sign(e.otherwise, j)})
            said.append(row)
            goes.append({slot: 1})
        c.put((layer, 1), [*c.clipped(e.kind, heard, out), *c.emptied(heard, 2)])
        c.ready[e.kind, e.name] = layer, 1
    number = c.draft(layer).add(partial(_head, rows=(queries, keys, said, goes), shift=base + tau * bits + spread))
    c.parts += [Part(layer, number, e.kind, e.name, "finds") for e in finds]


def count(c: Circuits, d: Count, layer: int) -> None:
    """All matches and the start token weigh alike, all else nothing: the start token's share is 1/(c + 1)."""
    most = c.program.size(d.kind, d.name) - 1
    c.fraction = max(c.fraction, 2 * bit_count(most + 2) + 4)
    queries, keys, bits = conditions(c, d)
    tau = ceil(c.score_bits * Fraction(7, 10)) + 1  # e^(−2τ) is below 2^-P, so that other tokens weigh nothing
    base = tau * (bits + 1)
    sink = c.tag(c.sink)
    queries = [*(scaled(row, tau) for row in queries), {"one": base}, {"one": base + tau * bits}]
    keys = [*keys, {c.tag(d.target): 1}, {sink: 1}]
    out = c.bits(d.kind, d.name)
    unit = 1 << c.fraction
    shares = [Fraction(unit // (n + 1), unit) for n in range(most + 1)]
    jumps = [(shares[n], shares[n - 1], n, n - 1) for n in range(most, 0, -1)]
    (heard,) = c.heard(d.kind, d.name, 1)
    units = c.staircase(c.tag(d.kind), {heard: 1}, 1, most, jumps, out)
    c.put((layer, 1), [*units, *c.emptied([heard], 1)])
    c.ready[d.kind, d.name] = layer, 1
    rows = queries, keys, [Row({sink: 1})], [Row({heard: 1})]
    number = c.draft(layer).add(partial(_head, rows=rows, shift=base + tau * bits))
    c.parts.append(Part(layer, number, d.kind, d.name, "counts"))


def _head(slots: Slots, rows: tuple[list[Row], list[Row], list[Row], list[Row]], shift: int) -> Head:
    queries, keys, said, goes = rows
    w_q, w_k, w_v = (slots.readers(part) for part in (queries, keys, said))
    return Head(w_q, w_k, w_v, slots.writers(goes), Fraction(shift))
