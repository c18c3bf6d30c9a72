"""Random models as documents: heads of every kind that look up, add up or do anything, MLPs, and row tables.

A shift is "auto" where the fuzzer puts the least one that P3 allows. Nothing is imported from the project.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

from plain_evaluator import FuncComp, TwoSum
from plain_tables import Document, bits_of, expand, matrix

Number = Fraction | int
Entries = dict[tuple[int, int], Number]
SMALL = [1, 1, 1, -1, -1, 2, -2, 3, Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3)]
STEEP = [Fraction(1, 2), 1, 2, 3, 3, 8, 8, 20]
GATES = [0, 1, 3, 10, 10, 40, 40]
HUGE = [2**53 - 1, 2**53 + 1, 2**62, 2**62 + 1]
SIZES = [(1, [2]), (2, []), (2, []), (3, []), (4, []), (2, [1]), (2, [2]), (3, [2]), (2, [1, 2]), (1, [1])]


class Layout:
    """Where the numbers of a token stand in the stream."""

    def __init__(self, rng: random.Random, kinds: list[str], widths: dict[str, int]) -> None:
        self.kinds = kinds
        self.slots: dict[str, list[int]] = {}
        names = {"one": 1, "is": len(kinds), **widths, "free": rng.randint(2, 4), "mix": rng.randint(0, 2)}
        for name, width in names.items():
            start = self.width if self.slots else 0
            self.slots[name] = list(range(start, start + width))

    @property
    def width(self) -> int:
        return sum(map(len, self.slots.values()))

    def __getitem__(self, name: str) -> list[int]:
        return self.slots[name]

    def document(self) -> list[Document]:
        return [{"name": name, "width": len(rows)} for name, rows in self.slots.items() if rows]


def written(entries: Entries, rows: int, columns: int) -> Document:
    return matrix(rows, columns, {place: shown(x) for place, x in entries.items() if x})


def shown(x: Number) -> int | str:
    x = Fraction(x)
    return int(x) if x.denominator == 1 and abs(x) <= 2**53 else str(x)


def random_model(rng: random.Random) -> Document:
    """A model of FuncComp, or one time in four of 2-Sum."""
    kind = rng.choices(["two_sum", "funccomp", "noisy"], weights=[5, 14, 1])[0]
    return _two_sum(rng) if kind == "two_sum" else _funccomp(rng, noisy=kind == "noisy")


def _model(rng: random.Random, task: Document, layout: Layout, tables: list[list[Document]], **more: Any) -> Document:
    heights = more.pop("heights")
    rows = []
    for segments, height in zip(tables, heights, strict=True):
        stored = rng.random() < 0.25
        rows.append({"stored": expand(segments, height, layout.width)} if stored else {"declared": segments})
    fraction = rng.choice([0, 0, 1, 2, 4, 8, 20])
    precision = {"P": rng.choice([0, 1, 2, 4, 8, 16, 64, 64, 64]), "fraction": fraction}
    precision["p"] = fraction + rng.choice([3, 6, 12, 12, 24, 24, 200, 200])
    return {
        "schema": "separation.model/1",
        "task": task,
        "attention": more.pop("attention", "causal"),
        "precision": precision,
        "slots": layout.document(),
        **dict(zip(("positions", "tokens", "unembedding"), rows, strict=True)),
        "layers": more.pop("layers"),
    }


def _funccomp(rng: random.Random, noisy: bool) -> Document:
    """`noisy`: what is looked up depends on noise that an earlier head has written, as far as P4 allows."""
    m, n = rng.choice([(2, []), (3, []), (4, [])] if noisy else SIZES)
    both = not noisy and rng.random() < 0.15
    styles = [] if both else ["hops", "records", *(["addresses"] if n else [])]
    task: Document = {"task": "funccomp", "m": m, "n": n}
    if styles and not noisy and rng.random() < 0.2:
        task["thoughts"] = rng.choice(styles)
    shape = FuncComp(task, both)
    sizes = shape.sizes
    generated = list(shape.groups)[: shape.length - shape.prompt]
    kinds = [*(f"table {ell}" for ell in range(len(sizes), 0, -1)), "z0", "w", *generated]
    top = bits_of(sizes[-1])
    below = bits_of(sizes[-2]) if n else bits_of(m)
    w_bits = [bits_of(radix) for radix in n]
    widths = {"digit": max(w_bits, default=0), "index": below, "value": top, "w": sum(w_bits)}
    layout = Layout(rng, kinds, widths)
    d = layout.width

    def noise(columns: int) -> Entries:
        if rng.random() < 0.7:
            return {}
        return {(row, rng.randrange(columns)): rng.choice(SMALL) for row in layout["mix"]}

    positions, start = [], 0
    for place, kind in enumerate(kinds):
        address: list[tuple[str, int]] = []
        if kind.startswith("table"):
            ell = int(kind.split()[1])
            address = [("digit", n[ell - 2]), ("index", sizes[ell - 2])] if ell > 1 else [("index", m)]
        columns = 1 + sum(bits_of(size) for _, size in address)
        entries: Entries = {(layout["one"][0], 0): 1, (layout["is"][place], 0): 1}
        column = 1
        for name, size in address:
            for row in layout[name][bits_of(size) :]:
                entries[row, 0] = -1
            for j in range(bits_of(size)):
                entries[layout[name][j], column + j] = 1
            column += bits_of(size)
        body = written(entries | noise(columns), d, columns)
        positions.append({"start": start, "radices": [size for _, size in address], "matrix": body})
        start += max(1, _product(size for _, size in address))
    tokens: list[Document] = []
    _segment(tokens, [sizes[-1]], {(row, 1 + j): 1 for j, row in enumerate(layout["value"])} | noise(1 + top), d)
    spelled = {(row, 1 + j): 1 for j, row in enumerate(layout["w"])}
    _segment(tokens, n, spelled | noise(1 + sum(w_bits)), d)
    for _, radices in shape.groups.values():
        wide = 1 + sum(map(bits_of, radices))
        rows = [*layout["value"], *layout["free"]]
        _segment(tokens, radices, {(rng.choice(rows), column): 1 for column in range(1, wide)}, d)
    answers: list[Document] = []
    groups = [[sizes[-1]]] if not task.get("thoughts") else [[sizes[-1]], n, *(r for _, r in shape.groups.values())]
    for radices in groups:
        wide = 1 + sum(map(bits_of, radices))
        rows = rng.choice([layout["free"], layout["value"], [*layout["free"], *layout["value"]]]) or layout["one"]
        _segment(answers, radices, {(rows[(c - 1) % len(rows)], c): rng.choice([1, 1, 2]) for c in range(1, wide)}, d)
    layers = []
    for _ in range(rng.choice([1, 1, 2, 2, 3])):
        heads = [_head(rng, layout, shape, both) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
        layers.append({"heads": heads, "mlps": [_mlp(rng, layout) for _ in range(rng.choice([0, 0, 1, 1, 2]))]})
    if len(layers) > 1 and rng.random() < 0.15:  # a repeated layer
        layers[-1] = layers[0]
    if noisy:
        layers = [
            {"heads": [_average(rng, layout)], "mlps": []},
            {"heads": [_look_up(rng, layout, shape, noisy)], "mlps": []},
        ]
    more = {"attention": "both" if both else "causal", "layers": layers}
    heights = (shape.length, shape.ids, shape.answers)
    model = _model(rng, task, layout, [positions, tokens, answers], heights=heights, **more)
    if noisy:
        model["precision"] = {"P": 64, "p": 80, "fraction": 16}
    return model


def _two_sum(rng: random.Random) -> Document:
    modulus, length = rng.choice([3, 5, 5, 7]), rng.randint(1, 5)
    task = {"task": "two_sum", "length": length, "modulus": modulus}
    shape, b, where = TwoSum(task), bits_of(modulus), bits_of(length)
    layout = Layout(rng, ["x"], {"position": where, "x": b, "y": b})
    d = layout.width
    entries: Entries = {(layout["one"][0], 0): 1, (layout["is"][0], 0): 1}
    entries |= {(row, 1 + j): 1 for j, row in enumerate(layout["position"])}
    positions: list[Document] = []
    _segment(positions, [length], entries, d)
    spelled: Entries = {(row, 1 + j): 1 for j, row in enumerate([*layout["x"], *layout["y"]])}
    tokens = [{"start": 0, "radices": [modulus], "matrix": written(spelled, d, 1 + 2 * b), "mirror": modulus}]
    answers: list[Document] = []
    _segment(answers, [2], {(rng.choice(layout["free"]), 1): 1}, d)
    layers = []
    for _ in range(rng.choice([1, 1, 2])):
        heads = [_search(rng, layout, b, length) for _ in range(rng.choice([1, 1, 2]))]
        heads += [_head(rng, layout, shape, False) for _ in range(rng.choice([0, 0, 1]))]
        layers.append({"heads": heads, "mlps": [_mlp(rng, layout) for _ in range(rng.choice([0, 1, 1, 2]))]})
    return _model(
        rng,
        task,
        layout,
        [positions, tokens, answers],
        heights=(length, modulus, 2),
        layers=layers,
    )


def _segment(segments: list[Document], radices: list[int], entries: Entries, width: int) -> None:
    start = segments[-1]["start"] + _product(segments[-1]["radices"]) if segments else 0
    columns = 1 + sum(map(bits_of, radices))
    segments.append({"start": start, "radices": list(radices), "matrix": written(entries, width, columns)})


def _product(sizes: Any) -> int:
    result = 1
    for size in sizes:
        result *= size
    return result


Row = dict[int, Number]


def _row(rng: random.Random, layout: Layout, most: int = 3) -> Row:
    """A few coordinates of the stream."""
    return {rng.randrange(layout.width): rng.choice(SMALL) for _ in range(rng.randint(0, most))}


def _rows(rows: list[Row], columns: int) -> Document:
    return written({(r, c): x for r, row in enumerate(rows) for c, x in row.items()}, len(rows), columns)


def _columns(rows: list[Row], height: int) -> Document:
    """A matrix whose columns are given."""
    return written({(c, r): x for r, row in enumerate(rows) for c, x in row.items()}, height, len(rows))


def _head(rng: random.Random, layout: Layout, shape: FuncComp | TwoSum, both: bool) -> Document:
    makers = [_any_full, _any_linear, _any_delta]
    if isinstance(shape, FuncComp):
        makers = [_look_up] * 4 + [_read_state] * 2 + [_write_once] + makers
    if both:
        makers = [_look_up, _look_up, _any_full]
    if not isinstance(shape, FuncComp):
        makers = [_any_full, _any_linear]
    return rng.choice(makers)(rng, layout, shape)


def _full(
    rng: random.Random, layout: Layout, pairs: list[tuple[Row, Row]], values: list[Row], out: list[Row]
) -> Document:
    d = layout.width
    if rng.random() < 0.06 and pairs:  # a huge weight
        place = rng.randrange(len(pairs))
        pairs[place] = ({c: x * rng.choice(HUGE) for c, x in pairs[place][0].items()}, pairs[place][1])
    return {
        "type": "full",
        "W_Q": _rows([q for q, _ in pairs], d),
        "W_K": _rows([k for _, k in pairs], d),
        "W_V": _rows(values, d),
        "W_O": _columns(out, d),
        "shift": "auto" if rng.random() < 0.9 else rng.choice([0, 3, 100]),
    }


def _any_full(rng: random.Random, layout: Layout, shape: FuncComp | TwoSum) -> Document:  # noqa: ARG001
    pairs = [(_row(rng, layout, 2), _row(rng, layout, 2)) for _ in range(rng.randint(0, 3))]
    values = [_row(rng, layout) for _ in range(rng.randint(1, 2))]
    return _full(rng, layout, pairs, values, [_row(rng, layout, 2) for _ in values])


def _outputs(rng: random.Random, layout: Layout, count: int) -> list[Row]:
    """Where a head writes; most of the time each value has a free coordinate of its own."""
    if rng.random() < 0.2:
        return [_row(rng, layout, 2) for _ in range(count)]
    free = layout["free"]
    return [{free[j % len(free)]: rng.choice([1, 1, 1, 2, Fraction(1, 2), -1])} for j in range(count)]


def _source(rng: random.Random, layout: Layout, count: int) -> list[Row]:
    """Coordinates that may hold a pointer of so many bits."""
    rows = rng.choice([layout["value"], layout["value"], layout["free"], layout["index"]])
    return [{rows[j % len(rows)]: 1} if rows else {} for j in range(count)]


def _average(rng: random.Random, layout: Layout) -> Document:
    """The mean of all that a token sees, in the first free coordinate: noise to the rules."""
    rows = [*layout["value"], *layout["is"]]
    values: list[Row] = [{row: rng.choice([1, -1, 2]) for row in rng.sample(rows, min(2, len(rows)))}]
    return _full(rng, layout, [], values, [{layout["free"][0]: rng.choice([1, 1, -1])}])


def _look_up(rng: random.Random, layout: Layout, shape: FuncComp, noisy: bool = False) -> Document:
    """A head that asks one kind for the address that some coordinates spell; `noisy`: by the first free one, too."""
    target = layout.kinds.index("z0") if noisy else rng.randrange(len(layout.kinds))
    kind, pairs = layout.kinds[target], []
    gate, one = rng.choice([2, 3, 4] if noisy else GATES), layout["one"][0]
    if gate:
        pairs.append(({one: gate}, {layout["is"][target]: 1}))
    if kind.startswith("table"):
        ell = int(kind.split()[1])
        digits = bits_of(shape.n[ell - 2]) if ell > 1 else 0
        offset = sum(map(bits_of, shape.n[: max(ell - 2, 0)]))
        index = bits_of(shape.sizes[ell - 2] if ell > 1 else shape.m)
        asked = [{layout["w"][offset + j]: 1} for j in range(digits)] + _source(rng, layout, index)
        offered = [{layout["digit"][j]: 1} for j in range(digits)] + [{layout["index"][j]: 1} for j in range(index)]
        steep = rng.choice(STEEP)
        for ask, offer in zip(asked, offered, strict=True):
            own = steep if rng.random() < 0.8 else rng.choice(STEEP)
            pairs.append(({c: x * own for c, x in ask.items()}, dict(offer)))
    if not noisy and rng.random() < 0.1:
        pairs.append((_row(rng, layout, 1), _row(rng, layout, 1)))
    if noisy or rng.random() < 0.1:
        row = layout["free"][0] if noisy else rng.choice(layout["free"])
        pairs.append(({row: rng.choice([1, -1, 2, -3])}, {layout["is"][target]: 1}))
    if not noisy and rng.random() < 0.1 and pairs:  # the sign of one pair
        pairs[-1] = ({c: -x for c, x in pairs[-1][0].items()}, pairs[-1][1])
    values: list[Row] = [{row: 1} for row in layout["value"]] or [{one: 1}]
    if rng.random() < 0.3:
        values.append(_row(rng, layout))
    return _full(rng, layout, pairs, values, _outputs(rng, layout, len(values)))


def _linear(
    features: list[tuple[Row, Number, Row, Number]], values: list[Row], out: list[Row], **more: Any
) -> Document:
    d, normalised = more["width"], more["normalised"]
    biases = [{(r, 0): x for r, x in enumerate(part)} for part in ([f[1] for f in features], [f[3] for f in features])]
    return {
        "type": "linear",
        "W_Q": _rows([f[0] for f in features], d),
        "b_Q": written(biases[0], len(features), 1),
        "W_K": _rows([f[2] for f in features], d),
        "b_K": written(biases[1], len(features), 1),
        "W_V": _rows(values, d),
        "W_O": _columns(out, d),
        "normalised": normalised,
    }


def _any_linear(rng: random.Random, layout: Layout, shape: FuncComp | TwoSum) -> Document:  # noqa: ARG001
    sides = lambda: (_row(rng, layout, 2), rng.choice([0, 0, 1, -1, Fraction(1, 2)]))  # noqa: E731
    features = [(*sides(), *sides()) for _ in range(rng.randint(1, 3))]
    values = [_row(rng, layout, 2) for _ in range(rng.randint(1, 2))]
    out = _outputs(rng, layout, len(values))
    return _linear(features, values, out, width=layout.width, normalised=rng.random() < 0.5)


def _read_state(rng: random.Random, layout: Layout, shape: FuncComp) -> Document:
    """One feature for each address of a kind: a peak at its bits, alone at that kind."""
    target = rng.randrange(len(layout.kinds))
    kind, features = layout.kinds[target], []
    offers, asks = list[int](), list[int]()
    if kind.startswith("table"):
        ell = int(kind.split()[1])
        digits = bits_of(shape.n[ell - 2]) if ell > 1 else 0
        offset = sum(map(bits_of, shape.n[: max(ell - 2, 0)]))
        index = bits_of(shape.sizes[ell - 2] if ell > 1 else shape.m)
        offers = [*layout["digit"][:digits], *layout["index"][:index]]
        asks = [*layout["w"][offset : offset + digits], *(next(iter(s), 0) for s in _source(rng, layout, index))]
    reader = rng.choice([None, *range(len(layout.kinds))])
    height = rng.choice([1, 1, 2, Fraction(1, 2)])
    raised = rng.choice([0, 0, 0, Fraction(3, 2), 2])  # then these are no peaks
    for number in range(1 << len(offers)):
        signs = [1 if number >> j & 1 else -1 for j in range(len(offers))]
        key: Row = {row: sign * height for row, sign in zip(offers, signs, strict=True)}
        key[layout["is"][target]] = 50
        query: Row = {}
        for row, sign in zip(asks, signs, strict=True):
            query[row] = query.get(row, 0) + sign
        if reader is not None:
            query[layout["is"][reader]] = query.get(layout["is"][reader], 0) + 50
        own = height if rng.random() < 0.95 else 2 * height
        low = -(50 if reader is not None else 0)
        features.append((query, 1 - len(asks) + low, key, own * (1 - len(offers)) + height * raised - 50))
    values: list[Row] = [{row: 1} for row in layout["value"]] or [{layout["one"][0]: 1}]
    out = _outputs(rng, layout, len(values))
    return _linear(features, values, out, width=layout.width, normalised=rng.random() < 0.5)


def _delta(layout: Layout, sides: dict[str, list[Row]], gates: list[tuple[Row, Number]], out: list[Row]) -> Document:
    d = layout.width
    (forget, keep), (write, add) = gates
    return {
        "type": "delta",
        **{f"W_{letter}": _rows(rows, d) for letter, rows in sides.items()},
        "W_A": _rows([forget], d),
        "b_A": written({(0, 0): keep}, 1, 1),
        "W_B": _rows([write], d),
        "b_B": written({(0, 0): add}, 1, 1),
        "W_O": _columns(out, d),
    }


def _any_delta(rng: random.Random, layout: Layout, shape: FuncComp | TwoSum) -> Document:  # noqa: ARG001
    keys = rng.randint(1, 2)
    sides = {"Q": [_row(rng, layout, 1) for _ in range(keys)], "K": [_row(rng, layout, 1) for _ in range(keys)]}
    sides["V"] = [_row(rng, layout, 2)]
    gates = [(_row(rng, layout, 1), rng.choice([0, 1, Fraction(1, 2)])) for _ in range(2)]
    return _delta(layout, sides, gates, _outputs(rng, layout, 1))


def _write_once(rng: random.Random, layout: Layout, shape: FuncComp) -> Document:  # noqa: ARG001
    """Single tokens write under keys of their own, most of the time orthogonal ones."""
    single = [place for place, kind in enumerate(layout.kinds) if not kind.startswith("table")]
    writers = rng.sample(single, rng.randint(1, min(2, len(single))))
    keys = [{layout["is"][place]: 1} for place in writers]
    if rng.random() < 0.2:
        keys[0] = {layout["is"][writers[-1]]: rng.choice([1, 2, -1])}
    values: list[Row] = [{row: 1} for row in layout["value"]] or [{layout["one"][0]: 1}]
    query = rng.choice([[{layout["one"][0]: 1} for _ in keys], [_row(rng, layout, 1) for _ in keys]])
    gates: list[tuple[Row, Number]] = [({}, rng.choice([1, 1, 1, 1, Fraction(1, 2), 0]))]
    gates.append(({layout["is"][place]: rng.choice([1, 1, 1, Fraction(1, 2)]) for place in writers}, 0))
    return _delta(layout, {"Q": query, "K": keys, "V": values}, gates, _outputs(rng, layout, len(values)))


def _search(rng: random.Random, layout: Layout, b: int, length: int) -> Document:
    """2-Sum: x' = y, full or block-sparse."""
    order = rng.sample(range(b), b) if rng.random() < 0.3 else list(range(b))
    steep = [rng.choice(STEEP)] * b
    pairs = [({layout["y"][j]: steep[j]}, {layout["x"][j]: 1}) for j in range(b)]
    values: list[Row] = [{layout["x"][j]: 1} for j in order]
    head = _full(rng, layout, pairs, values, _outputs(rng, layout, b))
    if rng.random() < 0.4:
        return head
    block = rng.randint(1, min(3, length + 1))
    offset = rng.randrange(block)
    copied = {(r, offset * b + r): 1 for r in range(b)}
    if rng.random() < 0.1:
        copied[rng.randrange(b), rng.randrange(block * b)] = rng.choice([0, 1, 2])
    maps = {"C_K": written(copied, b, block * b), "C_V": written(copied, b, block * b)}
    return {**head, "type": "sparse", **maps, "block": block, "opened": rng.randint(0, 2)}


def _mlp(rng: random.Random, layout: Layout) -> Document:
    """Rounding, absolute values, a gate, or anything, several at once."""
    units: list[tuple[Row, Number, Row]] = []
    biases: Row = {}
    for _ in range(rng.randint(1, 3)):
        row, out = rng.choice(layout["free"]), rng.choice(layout["free"])
        kind = rng.choice(["round", "same", "gate", "any", "any", "clear"])
        if kind == "round":  # a number near ±1 becomes ±1
            units += [({row: 2}, 1, {out: 1}), ({row: 2}, -1, {out: -1})]
            biases[out] = biases.get(out, 0) - 1
        elif kind == "same":
            units += [({row: 1}, 0, {out: 1}), ({row: -1}, 0, {out: -1})]
        elif kind == "clear":
            units += [({row: 1}, 0, {row: -1}), ({row: -1}, 0, {row: 1})]
        elif kind == "gate":
            gate = rng.choice([*layout["is"], *layout["one"], *layout.slots.get("value", []), *layout["free"]])
            units.append(({row: 1, gate: 8} if row != gate else {row: 1}, -8, {out: rng.choice([1, -1])}))
        else:
            units.append((_row(rng, layout), rng.choice([0, 0, 1, -1, Fraction(1, 2)]), _row(rng, layout, 2)))
    d = layout.width
    return {
        "W_1": _rows([unit for unit, _, _ in units], d),
        "b_1": written({(r, 0): b for r, (_, b, _) in enumerate(units)}, len(units), 1),
        "W_2": _columns([out for _, _, out in units], d),
        "b_2": written({(r, 0): x for r, x in biases.items()}, d, 1),
    }
