"""The semantics of docs/proving.md once more, in plain Python, from the JSON document alone.

Fractions, loops and `math.floor`; exp by `decimal`, whose exp is correctly rounded, so that its neighbours bound the
true number. Nothing here imports the project.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

import naive_recurrences

Vector = list[Fraction]
Matrix = list[Vector]


class TooLarge(Exception):
    """An activation beyond 2^(p-f); ``layer`` counts from 1, the embedding is 0."""

    def __init__(self, layer: int) -> None:
        super().__init__(layer)
        self.layer = layer


class AboveShift(Exception):
    def __init__(self, layer: int, head: int, score: Fraction) -> None:
        super().__init__(layer, head, score)
        self.layer, self.head, self.score = layer, head, score


def round_down(number: Fraction, step: Fraction) -> Fraction:
    return math.floor(number / step) * step


def round_up(number: Fraction, step: Fraction) -> Fraction:
    return math.ceil(number / step) * step


@dataclass(frozen=True)
class Rules:
    """The rules that a broken twin may change."""

    rounding: Callable[[Fraction, Fraction], Fraction] = round_down
    sees: Callable[[int, int], bool] | None = None
    empty: Fraction = Fraction(0)
    weight: Callable[[int, Fraction], int] | None = None
    relu: bool = True
    limited: bool = True
    feature_relu: bool = True
    normaliser: bool = True
    clip: bool = True
    erases: bool = True
    earlier_of_equals: bool = True
    whole_own_block: bool = False
    opens_own_block: bool = False
    summaries: bool = True
    mlps_in_parallel: bool = False
    state_rounded: bool = True
    output_rounded: bool = True


@dataclass
class Result:
    """Logits of every row (the last is the answer's), and by (layer, head) the weights of the last row by token.

    States of recurrent heads: S, and n for linear attention, after each token.
    """

    logits: Matrix
    weights: dict[tuple[int, int], dict[int, Fraction]] = field(default_factory=dict)
    totals: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    states: dict[tuple[int, int], list[tuple[Matrix, Vector]]] = field(default_factory=dict)

    @property
    def answer(self) -> int:
        return self.logits[-1].index(max(self.logits[-1]))


def floor_exp(power: int, exponent: Fraction) -> int:
    """⌊2^power · exp(exponent)⌋."""
    if exponent == 0:
        return 2**power
    if exponent < -power - 1:
        return 0
    digits = 30 + power // 3
    while True:
        ends = []
        for rounding, outward in ((ROUND_FLOOR, Context.next_minus), (ROUND_CEILING, Context.next_plus)):
            context = Context(prec=digits, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX)
            x = context.divide(Decimal(exponent.numerator), Decimal(exponent.denominator))
            ends.append(math.floor(context.multiply(outward(context, context.exp(x)), Decimal(2**power))))
        if ends[0] == ends[1]:
            return ends[0]
        digits *= 2


@dataclass
class Machine:
    """One prompt on its way through one model."""

    document: dict[str, Any]
    rules: Rules
    result: Result = field(default_factory=lambda: Result([]))

    @property
    def step(self) -> Fraction:
        return Fraction(1, 2 ** self.document["precision"]["fraction"])

    def check(self, layer: int, *vectors: Matrix) -> None:
        limit = 2 ** self.document["precision"]["p"] * self.step
        if self.rules.limited and any(abs(number) > limit for rows in vectors for row in rows for number in row):
            raise TooLarge(layer)

    def sees(self, i: int, j: int) -> bool:
        if self.rules.sees is not None:
            return self.rules.sees(i, j)
        return j <= i or self.document["attention"] == "both"

    def mean(self, place: tuple[int, int], shift: Fraction, pairs: list[tuple[Fraction, Vector]], width: int) -> Vector:
        """The mean of the vectors, weighed by ⌊2^P exp(score − shift)⌋ and rounded."""
        weigh = self.rules.weight or floor_exp
        weights = [weigh(self.document["precision"]["P"], score - shift) for score, _ in pairs]
        self.result.totals[place] = Fraction(sum(weights))
        out = []
        for c in range(width):
            total = sum((e * vector[c] for e, (_, vector) in zip(weights, pairs, strict=True)), Fraction(0))
            out.append(self.rules.rounding(total / sum(weights), self.step) if sum(weights) else self.rules.empty)
        return out

    def require_shift(self, place: tuple[int, int], shift: Fraction, scores: list[Fraction]) -> None:
        if scores and max(scores) > shift:
            raise AboveShift(*place, max(scores))

    def full(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        q, k, v = ([times(matrix(head[name]), row) for row in rows] for name in ("W_Q", "W_K", "W_V"))
        self.check(place[0], q, k, v)
        shift = Fraction(head["shift"])
        seen_by = [[j for j in range(len(rows)) if self.sees(i, j)] for i in range(len(rows))]
        scores = [{j: dot(q[i], k[j]) for j in seen} for i, seen in enumerate(seen_by)]
        self.require_shift(place, shift, [score for row in scores for score in row.values()])
        outs = []
        for row in scores:
            outs.append(self.mean(place, shift, [(score, v[j]) for j, score in row.items()], height(head["W_V"])))
            self.note(place, shift, row)
        return outs

    def note(self, place: tuple[int, int], shift: Fraction, scores: dict[int, Fraction]) -> None:
        """The weights of the tokens that a query reads; the last query's stay."""
        weigh = self.rules.weight or floor_exp
        power = self.document["precision"]["P"]
        self.result.weights[place] = {j: Fraction(weigh(power, s - shift)) for j, s in scores.items()}

    def linear(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        """S_t = S_{t-1} + φ_k vᵀ, n_t = n_{t-1} + φ_k, token by token."""
        features = []
        for letter in "QK":
            raw = [plus(times(matrix(head[f"W_{letter}"]), row), column(head[f"b_{letter}"])) for row in rows]
            self.check(place[0], raw)
            relu = self.rules.feature_relu
            features.append([[max(number, Fraction(0)) if relu else number for number in row] for row in raw])
        v = [times(matrix(head["W_V"]), row) for row in rows]
        self.check(place[0], v)
        keys, width = height(head["W_K"]), height(head["W_V"])
        state = [[Fraction(0)] * width for _ in range(keys)]
        normaliser = [Fraction(0)] * keys
        outs, states = [], []
        for query, key, value in zip(*features, v, strict=True):
            state = [[s + k * x for s, x in zip(row, value, strict=True)] for row, k in zip(state, key, strict=True)]
            normaliser = plus(normaliser, key)
            self.check(place[0], state, [normaliser] if head["normalised"] else [])
            sums = [dot(query, [row[c] for row in state]) for c in range(width)]
            total = dot(query, normaliser)
            if head["normalised"] and self.rules.normaliser:
                sums = [self.rules.rounding(s / total, self.step) if total else self.rules.empty for s in sums]
            outs.append(sums)
            states.append((state, normaliser))
        self.result.states[place] = states
        self.result.weights[place] = {j: dot(features[0][-1], key) for j, key in enumerate(features[1])}
        self.result.totals[place] = dot(features[0][-1], normaliser)
        return outs

    def delta(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ, token by token."""
        q, k, v = ([times(matrix(head[name]), row) for row in rows] for name in ("W_Q", "W_K", "W_V"))
        gates = [
            [plus(times(matrix(head[f"W_{letter}"]), row), column(head[f"b_{letter}"])) for row in rows]
            for letter in "AB"
        ]
        self.check(place[0], q, k, v, *gates)
        width = height(head["W_V"])
        state = [[Fraction(0)] * width for _ in range(height(head["W_K"]))]
        outs, states = [], []
        for query, key, value, (a,), (b,) in zip(q, k, v, *gates, strict=True):
            alpha, beta = (min(max(gate, Fraction(0)), Fraction(1)) if self.rules.clip else gate for gate in (a, b))
            read = [dot(key, [row[c] for row in state]) for c in range(width)]
            if not self.rules.erases:
                read = [Fraction(0)] * width
            state = [
                [alpha * (s - beta * x * r) + beta * x * y for s, r, y in zip(row, read, value, strict=True)]
                for row, x in zip(state, key, strict=True)
            ]
            self.check(place[0], state)
            outs.append([dot(query, [row[c] for row in state]) for c in range(width)])
            states.append((state, []))
        self.result.states[place] = states
        return outs

    def product(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        """S ← S − β k kᵀ S + β k vᵀ for each update of a token, then Sᵀ q."""
        q, k, v = ([times(matrix(head[name]), row) for row in rows] for name in ("W_Q", "W_K", "W_V"))
        gates = [plus(times(matrix(head["W_B"]), row), column(head["b_B"])) for row in rows]
        self.check(place[0], q, k, v, gates)
        keys, count = height(head["W_Q"]), head["updates"]
        width = height(head["W_V"]) // count
        state = [[Fraction(0)] * width for _ in range(keys)]
        outs, states = [], []
        for query, every_key, every_value, every_gate in zip(q, k, v, gates, strict=True):
            for u, gate in enumerate(every_gate):
                beta = min(max(gate, Fraction(0)), Fraction(1)) if self.rules.clip else gate
                key, value = every_key[u * keys : (u + 1) * keys], every_value[u * width : (u + 1) * width]
                read = [dot(key, [row[c] for row in state]) for c in range(width)]
                if not self.rules.erases:
                    read = [Fraction(0)] * width
                state = [
                    [s + beta * x * (y - r) for s, r, y in zip(row, read, value, strict=True)]
                    for row, x in zip(state, key, strict=True)
                ]
                self.check(place[0], state)
            outs.append([dot(query, [row[c] for row in state]) for c in range(width)])
            states.append((state, []))
        self.result.states[place] = states
        return outs

    def recurrent(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        """S_t = ⌊step(S_{t-1}, z_t)⌋, out_t = ⌊read(S_t, z_t)⌋, z_t = clip(W_X x_t + b_X)."""
        raw = [plus(times(matrix(head["W_X"]), row), column(head["b_X"])) for row in rows]
        self.check(place[0], raw)
        inputs = naive_recurrences.inputs(head, raw, column(head["b_C"]), self.rules.clip)
        weigh = self.rules.weight or floor_exp
        state = naive_recurrences.empty_state(head)
        outs, states = [], []
        for z in inputs:
            before, state = state, naive_recurrences.step(head["family"], state, z, head["count"])
            if self.rules.state_rounded:
                state = {name: self.down(part) for name, part in state.items()}
            entries = naive_recurrences.entries(head, state)
            self.check_state(place[0], entries)
            sums, total = naive_recurrences.read(
                head["family"], before, state, z, lambda x: weigh(self.document["precision"]["P"], x)
            )
            out = [s / total if total else self.rules.empty for s in sums]
            outs.append(self.down(out) if self.rules.output_rounded else out)
            states.append(([entries], []))
        self.result.states[place] = states
        return outs

    def down(self, part: Any) -> Any:
        return [self.down(x) for x in part] if isinstance(part, list) else self.rules.rounding(part, self.step)

    def check_state(self, layer: int, entries: Vector) -> None:
        """p bits for a signed number."""
        half = 2 ** self.document["precision"]["p"] * self.step / 2
        if self.rules.limited and not all(-half <= number < half for number in entries):
            raise TooLarge(layer)

    def sparse(self, place: tuple[int, int], head: dict[str, Any], rows: Matrix) -> Matrix:
        q, k, v = ([times(matrix(head[name]), row) for row in rows] for name in ("W_Q", "W_K", "W_V"))
        self.check(place[0], q, k, v)
        size, shift = head["block"], Fraction(head["shift"])
        c_k, c_v = matrix(head["C_K"]), matrix(head["C_V"])
        outs = []
        for i in range(len(rows)):
            own = i // size
            blocks = [range(g * size, (g + 1) * size) for g in range(own)]
            keys = [times(c_k, [x for j in block for x in k[j]]) for block in blocks]
            values = [times(c_v, [x for j in block for x in v[j]]) for block in blocks]
            self.check(place[0], keys, values)
            scores = [dot(q[i], key) for key in keys]
            sign = 1 if self.rules.earlier_of_equals else -1
            best = sorted(range(own), key=lambda g: (-scores[g], sign * g))[: head["opened"]]
            tokens = sorted(j for g in best for j in blocks[g])
            if not (self.rules.opens_own_block and len(tokens)):
                last = (own + 1) * size - 1 if self.rules.whole_own_block else i
                tokens += range(own * size, min(last + 1, len(rows)))
            raw = {j: dot(q[i], k[j]) for j in tokens}
            pairs = list(zip(scores, values, strict=True)) if self.rules.summaries else []
            pairs += [(score, v[j]) for j, score in raw.items()]
            self.require_shift(place, shift, [score for score, _ in pairs])
            outs.append(self.mean(place, shift, pairs, height(head["W_V"])))
            self.note(place, shift, raw)
        return outs

    def mlp(self, layer: int, mlp: dict[str, Any], rows: Matrix) -> Matrix:
        """W_2 relu(W_1 x + b_1) + b_2."""
        hidden = [plus(times(matrix(mlp["W_1"]), row), column(mlp["b_1"])) for row in rows]
        self.check(layer, hidden)
        if self.rules.relu:
            hidden = [[max(number, Fraction(0)) for number in row] for row in hidden]
        return [plus(times(matrix(mlp["W_2"]), h), column(mlp["b_2"])) for h in hidden]

    def layer(self, number: int, layer: dict[str, Any], rows: Matrix) -> Matrix:
        new = rows
        for index, head in enumerate(layer["heads"]):
            outs = getattr(self, head["type"])((number, index), head, rows)
            new = [plus(row, times(matrix(head["W_O"]), out)) for row, out in zip(new, outs, strict=True)]
        self.check(number, new)
        before = new
        for mlp in layer["mlps"]:
            change = self.mlp(number, mlp, before if self.rules.mlps_in_parallel else new)
            new = [plus(row, more) for row, more in zip(new, change, strict=True)]
            self.check(number, new)
        return new


def evaluate(document: dict[str, Any], prompt: list[int], rules: Rules | None = None) -> Result:
    """The forward pass of one prompt, all rows."""
    machine = Machine(document, rules or Rules())
    positions, tokens = table(document["positions"]), table(document["tokens"])
    rows = [plus(positions[place], tokens[token]) for place, token in enumerate(prompt)]
    machine.check(0, rows)
    for number, layer in enumerate(document["layers"], start=1):
        rows = machine.layer(number, layer, rows)
    unembedding = table(document["unembedding"])
    machine.result.logits = [times(unembedding, row) for row in rows]
    return machine.result


def matrix(value: dict[str, Any]) -> Matrix:
    rows, columns = value["shape"]
    result = [[Fraction(0)] * columns for _ in range(rows)]
    for row, place, number in value["entries"]:
        result[row][place] = Fraction(number)
    return result


def column(value: dict[str, Any]) -> Vector:
    return [row[0] for row in matrix(value)]


def height(value: dict[str, Any]) -> int:
    rows: int = value["shape"][0]
    return rows


def table(value: dict[str, Any]) -> Matrix:
    if "stored" in value:
        return matrix(value["stored"])
    rows: Matrix = []
    for segment in value["declared"]:
        assert segment["start"] == len(rows)
        code = matrix(segment["matrix"])
        for number, digits in enumerate(all_digits(segment["radices"])):
            bits = [Fraction(1)]
            for digit, radix in zip(digits, segment["radices"], strict=True):
                bits += signs(digit, radix)
            if "mirror" in segment:
                bits += signs(segment["mirror"] - number, segment["mirror"])
            rows.append(times(code, bits))
    return rows


def signs(number: int, radix: int) -> Vector:
    return [Fraction(1 if number // 2**place % 2 else -1) for place in range((radix - 1).bit_length())]


def all_digits(radices: list[int]) -> list[list[int]]:
    """0, 1, 2, … in mixed radix, by counting."""
    counts: list[list[int]] = [[]]
    for radix in radices:
        counts = [[*head, digit] for head in counts for digit in range(radix)]
    return counts


def times(rows: Matrix, vector: Vector) -> Vector:
    return [dot(row, vector) for row in rows]


def dot(left: Vector, right: Vector) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True) if a and b), Fraction(0))


def plus(left: Vector, right: Vector) -> Vector:
    return [a + b for a, b in zip(left, right, strict=True)]
