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
    sees: Callable[[int, int], bool] = lambda i, j: j <= i
    empty: Fraction = Fraction(0)
    weight: Callable[[int, Fraction], int] | None = None
    relu: bool = True
    limited: bool = True


@dataclass
class Result:
    """Logits of every row (the last is the answer's), and the weights of the last row by (layer, head)."""

    logits: Matrix
    weights: dict[tuple[int, int], list[int]] = field(default_factory=dict)

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


def evaluate(document: dict[str, Any], prompt: list[int], rules: Rules | None = None) -> Result:
    """The forward pass of one prompt, all rows."""
    rules = rules or Rules()
    power, bits, fraction = (document["precision"][key] for key in ("P", "p", "fraction"))
    limit, step = Fraction(2**bits, 2**fraction), Fraction(1, 2**fraction)
    weight = rules.weight or floor_exp

    def check(layer: int, *vectors: Matrix) -> None:
        if rules.limited and any(abs(number) > limit for rows in vectors for row in rows for number in row):
            raise TooLarge(layer)

    positions, tokens = table(document["positions"]), table(document["tokens"])
    rows = [plus(positions[place], tokens[token]) for place, token in enumerate(prompt)]
    check(0, rows)
    result = Result([])
    for number, layer in enumerate(document["layers"], start=1):
        new = [list(row) for row in rows]
        for index, head in enumerate(layer["heads"]):
            w_q, w_k, w_v, w_o = (matrix(head[name]) for name in ("W_Q", "W_K", "W_V", "W_O"))
            q, k, v = ([times(w, row) for row in rows] for w in (w_q, w_k, w_v))
            check(number, q, k, v)
            seen_by = [[j for j in range(len(rows)) if rules.sees(i, j)] for i in range(len(rows))]
            scores = [[dot(q[i], k[j]) for j in seen] for i, seen in enumerate(seen_by)]
            highest = max((score for row in scores for score in row), default=Fraction(0))
            if highest > Fraction(head["shift"]):
                raise AboveShift(number, index, highest)
            for i, seen in enumerate(seen_by):
                weights = [weight(power, score - Fraction(head["shift"])) for score in scores[i]]
                out = []
                for c in range(len(w_v)):
                    total = sum((e * v[j][c] for e, j in zip(weights, seen, strict=True)), Fraction(0))
                    out.append(rules.rounding(total / sum(weights), step) if sum(weights) else rules.empty)
                new[i] = plus(new[i], times(w_o, out))
                result.weights[number, index] = weights
        check(number, new)
        mlp = {name: matrix(layer["mlp"][name]) for name in ("W_1", "b_1", "W_2", "b_2")}
        b_1, b_2 = ([row[0] for row in mlp[name]] for name in ("b_1", "b_2"))
        hidden = [plus(times(mlp["W_1"], row), b_1) for row in new]
        check(number, hidden)
        if rules.relu:
            hidden = [[max(number, Fraction(0)) for number in row] for row in hidden]
        rows = [plus(row, plus(times(mlp["W_2"], h), b_2)) for row, h in zip(new, hidden, strict=True)]
        check(number, rows)
    unembedding = table(document["unembedding"])
    result.logits = [times(unembedding, row) for row in rows]
    return result


def matrix(value: dict[str, Any]) -> Matrix:
    height, width = value["shape"]
    result = [[Fraction(0)] * width for _ in range(height)]
    for row, column, number in value["entries"]:
        result[row][column] = Fraction(number)
    return result


def table(value: dict[str, Any]) -> Matrix:
    if "stored" in value:
        return matrix(value["stored"])
    rows: Matrix = []
    for segment in value["declared"]:
        assert segment["start"] == len(rows)
        code = matrix(segment["matrix"])
        for digits in all_digits(segment["radices"]):
            bits = [Fraction(1)]
            for digit, radix in zip(digits, segment["radices"], strict=True):
                for place in range((radix - 1).bit_length()):
                    bits.append(Fraction(1 if digit // 2**place % 2 else -1))
            rows.append(times(code, bits))
    return rows


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
