"""Wrong models, written by hand: each is what one side condition of the rules for programs is there for.

Two or three coordinates, one head at most; the slots are `one` (1 at every token) and what a comment says.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

Document = dict[str, Any]
Entries = dict[tuple[int, int], Any]


def matrix(rows: int, columns: int, entries: Entries) -> Document:
    written = {place: x if isinstance(x, int) else str(x) for place, x in entries.items()}
    return {"shape": [rows, columns], "entries": [[r, c, x] for (r, c), x in written.items()]}


def table(width: int, *segments: tuple[list[int], Entries]) -> Document:
    """Segments one behind the other: radices, and the matrix on (1, bits ±1)."""
    declared, start = [], 0
    for radices, entries in segments:
        bits = sum((radix - 1).bit_length() for radix in radices)
        declared.append({"start": start, "radices": radices, "matrix": matrix(width, 1 + bits, entries)})
        start += prod(radices)
    return {"declared": declared}


def kind(name: str, count: Any, *spelled: tuple[str, int]) -> Document:
    return {"name": name, "count": count, "token": [list(v) for v in spelled], "distinct": [], "alphabet": None}


def find(reader: str, name: str, target: str, where: list[Any], read: str | None, **more: Any) -> Document:
    best, default, once = more.get("best"), more.get("default"), more.get("once", False)
    keys = {"read": read, "best": best, "default": default, "once": once}
    return {"define": "find", "kind": reader, "name": name, "target": target, "where": where, **keys}


def mapped(of: str, name: str, size: int, inputs: list[str], values: list[int]) -> Document:
    return {"define": "map", "kind": of, "name": name, "size": size, "inputs": inputs, "table": values}


def scan(name: str, size: int, *over: tuple[str, list[str], list[int]]) -> Document:
    parts = [{"kind": k, "inputs": inputs, "table": values} for k, inputs, values in over]
    return {"define": "scan", "name": name, "size": size, "start": 0, "over": parts}


def full(width: int, q: Entries, k: Entries, v: Entries, o: Entries, shift: Any = 0) -> Document:
    """One key coordinate for each row of q, one value."""
    keys = max(r for r, _ in q) + 1
    values = max(r for r, _ in v) + 1
    shapes = {"W_Q": (keys, width, q), "W_K": (keys, width, k), "W_V": (values, width, v), "W_O": (width, values, o)}
    return {"type": "full", "shift": shift, **{name: matrix(*shape) for name, shape in shapes.items()}}


def delta(width: int, q: Entries, k: Entries, v: Entries, beta: Entries, o: Entries) -> Document:
    """A state of one number; nothing is forgotten."""
    shapes = {"W_Q": (1, width, q), "W_K": (1, width, k), "W_V": (1, width, v), "W_B": (1, width, beta)}
    shapes |= {"W_A": (1, width, {}), "b_A": (1, 1, {(0, 0): 1}), "b_B": (1, 1, {}), "W_O": (width, 1, o)}
    return {"type": "delta", **{name: matrix(*shape) for name, shape in shapes.items()}}


def certificate(
    kinds: list[Document],
    definitions: list[Document],
    answer: list[str],
    tables: tuple[Document, Document, Document],
    layers: list[Document],
    example: list[int],
    bits: tuple[int, int, int] = (16, 16, 8),
) -> Document:
    task = {"task": "program", "name": "by hand", "kinds": kinds, "definitions": definitions, "answer": answer}
    width = tables[0]["declared"][0]["matrix"]["shape"][0]
    heads = [[head["type"] for head in layer["heads"]] for layer in layers]
    endless = any(each["count"] == "any" for each in kinds)
    claim = {
        "construction": "by hand",
        "task": task,
        "tokens": None if endless else sum(each["count"] for each in kinds),
        "word": "".join({"full": "F", "delta": "R"}[types[0]] for types in heads if types),
        "width": width,
        "heads": max(map(len, heads), default=0),
        "layers": len(layers),
        "precision_bits": {"P": bits[0], "p": bits[1]},
        "integral": False,
        "state_bits": None,
        "inputs_covered_log2": None,
        "margin": "1/1000000",
    }
    model = {
        "schema": "separation.model/1",
        "task": task,
        "attention": "causal",
        "precision": {"P": bits[0], "p": bits[1], "fraction": bits[2]},
        "slots": [{"name": "x", "width": width}],
        **dict(zip(("positions", "tokens", "unembedding"), tables, strict=True)),
        "layers": layers,
    }
    whole = {"schema": "separation.certificate/1", "kind": "construction", "tool": "by hand"}
    return {**whole, "claim": claim, "model": model, "example": example}


def layer(*heads: Document, mlps: tuple[Document, ...] = ()) -> Document:
    return {"heads": list(heads), "mlps": list(mlps)}


def laws_at_other_kinds() -> Document:
    """`m` is x at a; at b it is spelled, and the model says x all the same."""
    kinds = [kind("a", 1, ("x", 2)), kind("b", 1, ("x", 2), ("m", 2))]
    tables = (
        table(1, ([1], {}), ([1], {})),
        table(1, ([2], {}), ([2, 2], {(0, 1): 1})),
        table(1, ([2], {(0, 1): 1})),
    )
    return certificate(kinds, [mapped("a", "m", 2, ["x"], [0, 1])], ["b", "m"], tables, [], [0, 2])


def digits_of_another_radix() -> Document:
    """Positions in the radices 2, 3: the first bit is [position ≥ 3], and not its last."""
    odd = mapped("a", "odd", 2, ["position"], [0, 1, 0, 1, 0, 1])
    tables = (table(1, ([2, 3], {(0, 1): 1})), table(1, ([1], {})), table(1, ([2], {(0, 1): 1})))
    return certificate([kind("a", 6)], [odd], ["a", "odd"], tables, [], [0] * 6)


def several_matches() -> Document:
    """The largest z is found, of several tokens perhaps; the head also reads their y, and a mean of two is 0."""
    kinds = [kind("a", 2, ("z", 2), ("y", 2)), kind("q", 1)]
    d = find("q", "top", "a", [], "z", best=["largest", "z"])
    tables = (
        table(5, ([2], {(0, 0): 1}), ([1], {(0, 0): 1, (4, 0): -1})),
        table(5, ([2, 2], {(1, 1): 1, (2, 2): 1, (4, 0): 1}), ([1], {})),
        table(5, ([2], {(3, 1): 1})),  # top is read from slot 3
    )
    q, k = {(0, 0): 20, (1, 0): 20}, {(0, 1): 1, (1, 4): 1}  # score 20·z + 20·[a]
    head = full(5, q, k, {(0, 1): 1, (1, 2): 1}, {(3, 0): 1, (2, 1): 1}, 40)
    # 4 − 4|y|, which is 0 at y = ±1, goes to slot 3 with a minus
    mlp = {
        "W_1": matrix(3, 5, {(0, 2): 1, (1, 2): 1, (2, 2): 1}),
        "b_1": matrix(3, 1, {(0, 0): "3/4", (2, 0): "-3/4"}),
        "W_2": matrix(5, 3, {(3, 0): -4, (3, 1): 8, (3, 2): -4}),
        "b_2": matrix(5, 1, {}),
    }
    return certificate(kinds, [d], ["q", "top"], tables, [layer(head, mlps=(mlp,))], [0, 0, 4], (80, 20, 8))


def no_sink() -> Document:
    """Nothing stands in for a token that is not found: the head reads another one."""
    kinds = [kind("a", 1, ("k", 2), ("v", 2)), kind("q", 1, ("y", 2))]
    d = find("q", "found", "a", [["k", "=", "y"]], "v", default=0)
    tables = (
        table(5, ([1], {(0, 0): 1}), ([1], {(4, 0): 1})),
        table(5, ([2, 2], {(1, 1): 1, (2, 2): 1}), ([2], {(1, 1): 1})),
        table(5, ([2], {(3, 1): 1})),
    )
    head = full(5, {(0, 1): 5, (1, 4): 20}, {(0, 1): 1, (1, 0): 1, (1, 4): -1}, {(0, 2): 1}, {(3, 0): 1}, 25)
    return certificate(kinds, [d], ["q", "found"], tables, [layer(head)], [0, 4], (120, 24, 8))


def larger_where_there_is_none() -> Document:
    """y = 2 is the name of nothing; the head does not see its second bit, and reads the token of the name 0."""
    kinds = [kind("start", 1), kind("a", 1, ("k", 2), ("v", 2)), kind("q", 1, ("y", 3))]
    d = find("q", "found", "a", [["k", "=", "y"]], "v", default=0)
    tables = (
        table(5, ([1], {(0, 0): 1}), ([1], {(0, 0): 1}), ([1], {(4, 0): 1})),
        table(5, ([1], {(2, 0): -1}), ([2, 2], {(1, 1): 1, (2, 2): 1}), ([3], {(1, 1): 1})),
        table(5, ([2], {(3, 1): 1})),
    )
    head = full(5, {(0, 1): 5, (1, 4): 20}, {(0, 1): 1, (1, 0): 1, (1, 4): -1}, {(0, 2): 1}, {(3, 0): 1}, 25)
    return certificate(kinds, [d], ["q", "found"], tables, [layer(head)], [0, 1, 5], (120, 24, 8))


def own_kind_counted_whole() -> Document:
    """Tokens of the reader's kind weigh as much as a match, and the first of them sees only itself."""
    kinds = [kind("a", 2, ("x", 2)), kind("q", 2)]
    d = {"define": "count", "kind": "q", "name": "many", "target": "a", "where": [["x", "=", 1]]}
    two = mapped("q", "two", 2, ["many"], [0, 0, 1])
    tables = (
        table(4, ([2], {(0, 0): 1}), ([2], {(3, 0): 1})),
        table(4, ([2], {(1, 1): 1}), ([1], {})),
        table(
            4, ([2], {(2, 1): 1, (3, 1): "-5/12"})
        ),  # out − 5/12: above 0 if two match, 1/2, and not if one does, 1/3
    )
    head = full(4, {(0, 3): 20, (1, 3): 20}, {(0, 1): 1, (1, 0): -1}, {(0, 0): 1}, {(2, 0): 1}, 0)
    return certificate(kinds, [d, two], ["q", "two"], tables, [layer(head)], [0, 0, 2, 2])


def values_that_differ() -> Document:
    """Tokens with x = 1 are to be counted; the head adds up their y."""
    kinds = [kind("start", 1), kind("a", 1, ("x", 2), ("y", 2)), kind("q", 1)]
    d = {"define": "count", "kind": "q", "name": "many", "target": "a", "where": [["x", "=", 1]]}
    tables = (
        table(5, ([1], {}), ([1], {(0, 0): 1}), ([1], {(4, 0): 1})),
        table(5, ([1], {}), ([2, 2], {(1, 1): 1, (2, 2): "1/2", (2, 0): "1/2"}), ([1], {})),
        table(5, ([2], {(3, 1): 1, (4, 1): "-1/4"})),
    )
    q, k = {(0, 4): 20, (1, 4): 20}, {(0, 1): 1, (1, 0): -1, (1, 4): -2}
    head = full(5, q, k, {(0, 2): 1}, {(3, 0): 1}, 0)
    return certificate(kinds, [d], ["q", "many"], tables, [layer(head)], [0, 1, 5])


def endless_others() -> Document:
    """Three tokens that differ in one bit weigh more than the one that is asked for."""
    kinds = [kind("a", "any", ("k", 2), ("v", 2)), kind("q", 1, ("y", 2))]
    d = find("q", "found", "a", [["k", "=", "y"]], "v", once=True)
    tables = (
        table(5, ([1], {(0, 0): 1}), ([1], {(4, 0): 1})),
        table(5, ([2, 2], {(1, 1): 1, (2, 2): 1}), ([2], {(1, 1): 1})),
        table(5, ([2], {(3, 1): 1})),
    )
    q = {(0, 1): "1/2", (1, 4): 20}
    head = full(5, q, {(0, 1): 1, (1, 4): -1}, {(0, 2): 1}, {(3, 0): 1}, "1/2")
    return certificate(kinds, [d], ["q", "found"], tables, [layer(head)], [0, 4], (60, 24, 12))


def walked_too_short() -> Document:
    """Of two tokens the second changes nothing; the scan has another value then."""
    kinds = [kind("start", 1), kind("a", 2)]
    steps = scan("s", 3, ("a", [], [1, 2, 2]))
    one = mapped("a", "one", 2, ["s"], [0, 1, 0])
    tables = (
        table(3, ([1], {(0, 0): 1}), ([2], {(0, 0): 1, (1, 0): 1})),
        table(3, ([1], {}), ([1], {})),
        table(3, ([2], {(2, 1): 1, (0, 1): "-1/2"})),
    )
    head = delta(3, {(0, 0): 1}, {(0, 0): 1}, {(0, 1): 1}, {(0, 0): 1}, {(2, 0): 1})
    return certificate(kinds, [steps, one], ["a", "one"], tables, [layer(head)], [0, 1, 1])


def recurrent(q: Entries, k: Any, v: Any, o: Any, bits: tuple[int, int, int], beta: Any = 1) -> Document:
    """The start token writes k·v, the others nothing; s is 0 at all of them. Slots: one, start, x, out."""
    kinds = [kind("start", 1), kind("a", 1, ("x", 2))]
    tables = (
        table(4, ([1], {(0, 0): 1, (1, 0): 1}), ([1], {(0, 0): 1})),
        table(4, ([1], {}), ([2], {(2, 1): 1})),
        table(4, ([2], {(3, 1): 1, (0, 1): -1})),  # logit 1 minus logit 0 is 2·(out − 1)
    )
    head = delta(4, q, {(0, 1): k}, {(0, 1): v}, {(0, 1): beta}, {(3, 0): o})
    s, none = scan("s", 2, ("a", ["x"], [0, 0, 0, 0])), mapped("a", "none", 2, [], [0])
    return certificate(kinds, [s, none], ["a", "none"], tables, [layer(head)], [0, 1], bits)


def query_that_varies() -> Document:
    """What is read depends on the token: 0 where x is 0, and 2 where it is 1."""
    return recurrent({(0, 0): 1, (0, 2): 1}, 1, 1, 1, (16, 16, 8))


def state_too_large() -> Document:
    """k·v = 8 is above 2^(p−f) = 4."""
    return recurrent({(0, 0): "1/16"}, 2, 4, 1, (16, 10, 8))


def query_too_large() -> Document:
    return recurrent({(0, 0): 8}, 1, "1/16", 1, (16, 10, 8))


def gate_too_large() -> Document:
    """β before it is clipped."""
    return recurrent({(0, 0): "1/2"}, 1, 1, 1, (16, 10, 8), 100)


def acting_twice(twice: bool = True, sign: int = 1) -> Document:
    """Tokens that the scan leaves out change the state, two of them back again. Or one of them does, by what it spells.
    The answer is 0 if sign·(out + 1/2) is negative, out being the second entry of the state."""
    pad = kind("pad", 2) if twice else kind("pad", 1, ("y", 2))
    kinds = [kind("start", 1), pad, kind("a", 1)]
    rows: Entries = {(1, 0): 1} if twice else {(1, 0): "1/2", (1, 1): "1/2"}
    tables = (
        table(4, ([1], {(0, 0): 1, (3, 0): 1}), ([2 if twice else 1], {(0, 0): 1}), ([1], {(0, 0): 1})),
        table(4, ([1], {}), ([1] if twice else [2], rows), ([1], {})),
        table(4, ([2], {(2, 1): sign, (0, 1): sign * Fraction(1, 2)})),
    )
    # S is a column of two: the start writes (1, 0); a pad, k = (1, 1) and β = 1, makes (0, −1) of it, and two (1, 0).
    head = {
        **delta(4, {(0, 0): 1}, {}, {(0, 3): 1}, {(0, 1): 1, (0, 3): 1}, {(2, 0): 1}),
        "W_Q": matrix(2, 4, {(1, 0): 1}),
        "W_K": matrix(2, 4, {(0, 3): 1, (0, 1): 1, (1, 1): 1}),
    }
    s, none = scan("s", 2, ("a", [], [0, 0])), mapped("a", "none", 2, [], [0])
    example = [0, 1, 1, 2] if twice else [0, 1, 3]
    return certificate(kinds, [s, none], ["a", "none"], tables, [layer(head)], example)


def acting_by_what_it_spells() -> Document:
    return acting_twice(False, -1)
