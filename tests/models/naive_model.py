"""The semantics of docs/proving.md once more, in plain Python, from the JSON document alone: all heads, any numbers.

Sums of exact numbers and `math.floor`; exp by `decimal`, whose exp is correctly rounded, so that its neighbours bound
the true number. Nothing here imports the project. `plain_evaluator` runs the inputs of tasks with it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import prod
from typing import Any

import naive_recurrences
from plain_tables import Document, expand

Number = Fraction | int  # whole numbers are integers where that is easy, as these are faster
Vector = list[Number]
Rows = list[list[tuple[int, Number]]]  # of a matrix: column and number, where it is not 0
Place = tuple[int, int]  # (layer, head): layers count from 1, heads from 0


class Imprecise(AssertionError):
    """A number that does not fit in p bits, or a score above its shift."""


class TooLarge(Imprecise):
    """An activation beyond 2^(p-f); ``layer`` counts from 1, the embedding is 0."""

    def __init__(self, layer: int) -> None:
        super().__init__(layer)
        self.layer = layer


class AboveShift(Imprecise):
    def __init__(self, layer: int, head: int, score: Number) -> None:
        super().__init__(layer, head, score)
        self.layer, self.head, self.score = layer, head, score


def exact(value: object) -> Number:
    """A number of a document."""
    x = Fraction(value)  # type: ignore[arg-type]
    return x.numerator if x.denominator == 1 else x


def rows_of(value: Document) -> Rows:
    rows: Rows = [[] for _ in range(value["shape"][0])]
    for r, c, x in value["entries"]:
        if Fraction(x):
            rows[r].append((c, exact(x)))
    return rows


def table_rows(table: Document, width: int) -> Rows:
    """All rows that a table has, declared or stored."""
    if "stored" in table:
        return rows_of(table["stored"])
    segments = table["declared"]
    return rows_of(expand(segments, sum(prod(segment["radices"]) for segment in segments), width))


def dense(rows: Rows, width: int) -> list[Vector]:
    found: list[Vector] = [[0] * width for _ in rows]
    for vector, row in zip(found, rows, strict=True):
        for c, x in row:
            vector[c] = x
    return found


def times(rows: Rows, x: Vector) -> Vector:
    return [sum((a * x[c] for c, a in row), 0) for row in rows]


def dot(a: Vector, b: Vector) -> Number:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), 0)


def plus(left: Vector, right: Vector) -> Vector:
    return [a + b for a, b in zip(left, right, strict=True)]


def relu(x: Vector) -> Vector:
    return [a if a > 0 else 0 for a in x]


def clipped(x: Number) -> Number:
    return min(max(x, 0), 1)


def round_down(number: Number, step: Fraction) -> Number:
    """The largest multiple of the step that is not above a number."""
    return exact(math.floor(number / step) * step)


def round_up(number: Number, step: Fraction) -> Number:
    return exact(math.ceil(number / step) * step)


@lru_cache(maxsize=10_000)
def floor_exp(power: int, exponent: Number) -> int:
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


def weight(x: Number, bits: int) -> int:
    """⌊2^bits · e^x⌋."""
    return floor_exp(bits, x)


@dataclass(frozen=True)
class Rules:
    """The rules that a broken twin may change."""

    rounding: Callable[[Number, Fraction], Number] = round_down
    sees: Callable[[int, int], bool] | None = None
    empty: Number = 0
    weight: Callable[[int, Number], int] = floor_exp
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


State = tuple[list[Vector], Vector]
"""S, and of linear attention with a normaliser n."""


@dataclass
class Result:
    """Logits of every row (the last is the answer's), and by (layer, head) the weights of the last row by token.

    States of recurrent heads after each token.
    """

    logits: list[Vector] = field(default_factory=list)
    weights: dict[Place, dict[int, Number]] = field(default_factory=dict)
    totals: dict[Place, Number] = field(default_factory=dict)
    states: dict[Place, list[State]] = field(default_factory=dict)

    @property
    def answer(self) -> int:
        return self.logits[-1].index(max(self.logits[-1]))


class Machine:
    """One model; what one prompt does on its way through it is in `result`."""

    def __init__(self, model: Document, rules: Rules | None = None) -> None:
        self.rules, self.both, self.result = rules or Rules(), model["attention"] == "both", Result()
        self.P, self.p, self.f = (model["precision"][key] for key in ("P", "p", "fraction"))
        self.step, self.limit = Fraction(1, 2**self.f), exact(Fraction(2**self.p, 2**self.f))
        width = sum(slot["width"] for slot in model["slots"])
        self.positions, self.tokens = (dense(table_rows(model[name], width), width) for name in ("positions", "tokens"))
        self.answers = table_rows(model["unembedding"], width)
        matrices = lambda part: {k: rows_of(x) if isinstance(x, dict) else x for k, x in part.items()}  # noqa: E731
        self.layers = [
            ([matrices(head) for head in layer["heads"]], [matrices(mlp) for mlp in layer["mlps"]])
            for layer in model["layers"]
        ]

    # What is looked at on the way

    def check(self, layer: int, *parts: list[Vector]) -> None:
        """Every number fits in p bits."""
        if self.rules.limited and any(abs(x) > self.limit for rows in parts for row in rows for x in row):
            raise TooLarge(layer)

    def check_state(self, layer: int, entries: Vector) -> None:
        """p bits for a signed number."""
        half = Fraction(self.limit, 2)
        if self.rules.limited and not all(-half <= x < half for x in entries):
            raise TooLarge(layer)

    def above(self, score: Number, shift: Fraction) -> bool:
        return score > shift

    def says(self, place: Place, outputs: list[Vector], reads: list[list[int]], ids: list[int]) -> None:
        """What a head says, token by token, and the tokens that each of them reads."""

    def holds(self, place: Place, state: list[Vector]) -> None:
        """A state, before the first token and after each."""
        self.check(place[0], state)

    # The run

    def stages(self, ids: list[int], layers: int | None = None) -> list[list[Vector]]:
        """The stream of all tokens, before the first layer and after each (of the first `layers`)."""
        self.result = Result()
        x = [plus(self.positions[i], self.tokens[t]) for i, t in enumerate(ids)]
        self.check(0, x)
        stages = [x]
        for number, (heads, mlps) in enumerate(self.layers[:layers], 1):
            x = self.layer(number, heads, mlps, stages[-1], ids)
            stages.append(x)
        return stages

    def logits(self, ids: list[int]) -> list[Vector]:
        return [times(self.answers, row) for row in self.stages(ids)[-1]]

    def layer(
        self, number: int, heads: list[Document], mlps: list[Document], rows: list[Vector], ids: list[int]
    ) -> list[Vector]:
        new = rows
        for index, head in enumerate(heads):
            place = (number, index)
            outputs, reads = getattr(self, head["type"])(place, head, rows)
            self.says(place, outputs, reads, ids)
            new = [plus(row, times(head["W_O"], out)) for row, out in zip(new, outputs, strict=True)]
        self.check(number, new)
        before = new
        for mlp in mlps:
            hidden = [self.affine(mlp, "1", row) for row in (before if self.rules.mlps_in_parallel else new)]
            self.check(number, hidden)
            active = map(relu, hidden) if self.rules.relu else hidden
            new = [plus(row, self.affine(mlp, "2", h)) for row, h in zip(new, active, strict=True)]
            self.check(number, new)
        return new

    def affine(self, part: Document, name: str, x: Vector) -> Vector:
        """W x + b."""
        found = times(part[f"W_{name}"], x)
        return plus(found, times(part[f"b_{name}"], [1])) if f"b_{name}" in part else found

    def read(self, place: Place, head: Document, letters: str, rows: list[Vector]) -> list[list[Vector]]:
        found = [[self.affine(head, letter, row) for row in rows] for letter in letters]
        self.check(place[0], *found)
        return found

    # Attention

    def mean(self, place: Place, shift: Fraction, pairs: list[tuple[Number, Vector]], width: int) -> Vector:
        """The mean of the vectors, weighed by ⌊2^P exp(score − shift)⌋ and rounded."""
        if pairs and self.above(top := max(score for score, _ in pairs), shift):
            raise AboveShift(*place, top)
        weights = [self.rules.weight(self.P, score - shift) for score, _ in pairs]
        total = self.result.totals[place] = sum(weights)
        if not total:
            return [self.rules.empty] * width
        sums = [sum(e * vector[c] for e, (_, vector) in zip(weights, pairs, strict=True) if e) for c in range(width)]
        return [self.rules.rounding(Fraction(a) / total, self.step) for a in sums]

    def note(self, place: Place, shift: Fraction, scores: dict[int, Number]) -> None:
        """The weights of the tokens that a query reads; the last query's stay."""
        self.result.weights[place] = {j: self.rules.weight(self.P, s - shift) for j, s in scores.items()}

    def full(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        q, k, v = self.read(place, head, "QKV", rows)
        shift, sees = Fraction(head["shift"]), self.rules.sees or (lambda i, j: j <= i or self.both)
        reads = [[j for j in range(len(rows)) if sees(i, j)] for i in range(len(rows))]
        outs = []
        for query, seen in zip(q, reads, strict=True):
            scores = {j: dot(query, k[j]) for j in seen}
            outs.append(self.mean(place, shift, [(s, v[j]) for j, s in scores.items()], len(head["W_V"])))
            self.note(place, shift, scores)
        return outs, reads

    def summaries(self, place: Place, head: Document, k: list[Vector], v: list[Vector]) -> tuple[list[Vector], ...]:
        """Keys and values of the blocks that some token does not stand in."""
        size = head["block"]
        flat = lambda y, g: [a for row in y[g * size : (g + 1) * size] for a in row]  # noqa: E731
        blocks = range(self.blocks(len(k), size))
        found = tuple([times(head[name], flat(y, g)) for g in blocks] for name, y in (("C_K", k), ("C_V", v)))
        self.check(place[0], *found)
        return found

    def blocks(self, tokens: int, size: int) -> int:
        """How many blocks are summarised: those before the last token's own."""
        return (tokens - 1) // size

    def sparse(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        q, k, v = self.read(place, head, "QKV", rows)
        size, shift, width = head["block"], Fraction(head["shift"]), len(head["W_V"])
        keys, values = self.summaries(place, head, k, v)
        used = {c // width for row in head["C_V"] for c, _ in row}
        outs, reads = [], []
        for i, query in enumerate(q):
            own = i // size
            scores = [dot(query, key) for key in keys[:own]]
            sign = 1 if self.rules.earlier_of_equals else -1
            best = sorted(range(own), key=lambda g, scores=scores: (-scores[g], sign * g))[: head["opened"]]
            tokens = sorted(j for g in best for j in range(g * size, (g + 1) * size))
            if not (self.rules.opens_own_block and tokens):
                last = (own + 1) * size - 1 if self.rules.whole_own_block else i
                tokens += range(own * size, min(last + 1, len(rows)))
            raw = {j: dot(query, k[j]) for j in tokens}
            pairs = list(zip(scores, values, strict=False)) if self.rules.summaries else []
            outs.append(self.mean(place, shift, [*pairs, *((s, v[j]) for j, s in raw.items())], width))
            self.note(place, shift, raw)
            shown = {g * size + offset for g in range(own) for offset in used} if len(used) == 1 else set()
            reads.append(sorted({*tokens, *shown}))
        return outs, reads

    # States

    def linear(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        """S_t = S_{t-1} + φ_k (v, 1)ᵀ, token by token; the 1 if there is a normaliser."""
        q, k, v = self.read(place, head, "QKV", rows)
        if self.rules.feature_relu:
            q, k = ([relu(row) for row in part] for part in (q, k))
        normalised, width = head["normalised"], len(head["W_V"])
        state: list[Vector] = [[0] * (width + normalised) for _ in head["W_K"]]
        outs, states = [], []
        self.holds(place, state)
        for query, key, value in zip(q, k, v, strict=True):
            row = [*value, 1] if normalised else value
            state = [[s + a * b for s, b in zip(line, row, strict=True)] for line, a in zip(state, key, strict=True)]
            self.holds(place, state)
            sums = [dot(query, [line[c] for line in state]) for c in range(width + normalised)]
            if normalised:
                *sums, total = sums
                if self.rules.normaliser:
                    quotients = (Fraction(a) / total if total else None for a in sums)
                    sums = [self.rules.empty if x is None else self.rules.rounding(x, self.step) for x in quotients]
            outs.append(sums)
            states.append(([line[:width] for line in state], [x for line in state for x in line[width:]]))
        self.result.states[place] = states
        self.result.weights[place] = {j: dot(q[-1], key) for j, key in enumerate(k)}
        self.result.totals[place] = sum(self.result.weights[place].values())
        return outs, []

    def delta(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        """S_t = α (S_{t-1} − β k kᵀ S_{t-1}) + β k vᵀ, token by token."""
        q, k, v, *gates = self.read(place, head, "QKVAB", rows)
        alpha, beta = ([a for (a,) in gate] for gate in gates)
        return self.updated(place, q, k, v, alpha, beta), []

    def product(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        """Several updates a token, as tokens of their own; the last is read."""
        q, k, v, gates = self.read(place, head, "QKVB", rows)
        r = head["updates"]
        parts = lambda y: [row[u * len(row) // r : (u + 1) * len(row) // r] for row in y for u in range(r)]  # noqa: E731
        betas = [b for row in gates for b in row]
        outs = self.updated(place, [x for x in q for _ in range(r)], parts(k), parts(v), [1] * len(betas), betas)
        self.result.states[place] = self.result.states[place][r - 1 :: r]
        return outs[r - 1 :: r], []

    def updated(
        self, place: Place, q: list[Vector], k: list[Vector], v: list[Vector], alpha: Vector, beta: Vector
    ) -> list[Vector]:
        state: list[Vector] = [[0] * len(v[0]) for _ in k[0]]
        outs, states = [], []
        self.holds(place, state)
        for query, key, value, *gates in zip(q, k, v, alpha, beta, strict=True):
            a, b = map(clipped, gates) if self.rules.clip else gates
            read = [dot(key, [line[c] for line in state]) for c in range(len(value))]
            if not self.rules.erases:
                read = [0] * len(value)
            state = [
                [a * (s - b * c * old) + b * c * new for s, old, new in zip(line, read, value, strict=True)]
                for line, c in zip(state, key, strict=True)
            ]
            self.holds(place, state)
            outs.append([dot(query, [line[c] for line in state]) for c in range(len(value))])
            states.append((state, []))
        self.result.states[place] = states
        return outs

    def recurrent(self, place: Place, head: Document, rows: list[Vector]) -> tuple[list[Vector], list[list[int]]]:
        """S_t = ⌊step(S_{t-1}, z_t)⌋, out_t = ⌊read(S_t, z_t)⌋, z_t = clip(W_X x_t + b_X)."""
        raw = [[Fraction(x) for x in row] for row in self.read(place, head, "X", rows)[0]]
        constants = [Fraction(x) for x in times(head["b_C"], [1])]
        state = naive_recurrences.empty_state(head)
        outs, states = [], []
        for z in naive_recurrences.inputs(head, raw, constants, self.rules.clip):
            before, state = state, naive_recurrences.step(head["family"], state, z, head["count"])
            if self.rules.state_rounded:
                state = {name: self.down(part) for name, part in state.items()}
            entries = naive_recurrences.entries(head, state)
            self.check_state(place[0], entries)
            sums, total = naive_recurrences.read(
                head["family"], before, state, z, lambda x: self.rules.weight(self.P, x)
            )
            out = [s / total if total else self.rules.empty for s in sums]
            outs.append(self.down(out) if self.rules.output_rounded else out)
            states.append(([entries], []))
        self.result.states[place] = states
        return outs, []

    def down(self, part: Any) -> Any:
        """Rounded; the recurrences are defined on fractions."""
        if isinstance(part, list):
            return [self.down(x) for x in part]
        return Fraction(self.rules.rounding(part, self.step))


def evaluate(document: Document, prompt: list[int], rules: Rules | None = None) -> Result:
    """The forward pass of one prompt, all rows."""
    machine = Machine(document, rules)
    logits = machine.logits(prompt)
    machine.result.logits = logits
    return machine.result
