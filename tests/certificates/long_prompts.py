"""2-Sum at lengths that no loop reaches: prompts that repeat a token, but for a few places.

A model of one layer whose stream does not depend on the position: a token's key and value follow from its id, so that
sums over keys are sums over ids, each as often as it stands there. Sparse heads open no blocks here; the summary of a
block follows from the tokens at the offsets that its matrices name. Nothing is imported from the project.
"""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import mpmath
from naive_model import Number, Vector, dense, dot, relu, round_down, rows_of, times, weight
from plain_evaluator import word
from plain_tables import expand

Document = dict[str, Any]


class LongPrompts:
    """`wrong_answer` looks for a prompt that is answered wrongly, among those with two or three different tokens."""

    def __init__(self, model: Document) -> None:
        (segment,) = model["positions"]["declared"]
        (self.layer,) = model["layers"]
        assert all(column == 0 for _, column, _ in segment["matrix"]["entries"]), (
            "a stream that depends on the position"
        )
        self.width, self.M = sum(slot["width"] for slot in model["slots"]), model["task"]["modulus"]
        self.P, self.f = model["precision"]["P"], model["precision"]["fraction"]
        always: Vector = [0] * self.width
        for row, _, number in segment["matrix"]["entries"]:
            always[row] = Fraction(number)
        tokens = dense(rows_of(expand(model["tokens"]["declared"], self.M, self.width)), self.width)
        self.stream = [[a + b for a, b in zip(always, row, strict=True)] for row in tokens]
        self.answers = rows_of(expand(model["unembedding"]["declared"], 2, self.width))

    def pairs(self, head: Document, usual: int, others: dict[int, int], last: int) -> list[tuple[int, Vector, Vector]]:
        """How often which key and value are seen at the position `last`: ids are `others` at these, else `usual`."""
        keys, values = ([times(rows_of(head[name]), x) for x in self.stream] for name in ("W_K", "W_V"))
        first = 0
        found: list[tuple[int, Vector, Vector]] = []
        if head["type"] == "sparse":
            block = int(head["block"])
            assert head["opened"] == 0
            blocks = last // block
            first = blocks * block
            special = {place // block for place in others if place < first}
            for g, count in [*((g, 1) for g in sorted(special)), (None, blocks - len(special))]:
                ids = {} if g is None else {place - g * block: x for place, x in others.items() if place // block == g}
                summaries = [
                    self.summary(head[name], rows, usual, ids) for name, rows in (("C_K", keys), ("C_V", values))
                ]
                found.append((count, summaries[0], summaries[1]))
        seen = Counter(x for place, x in others.items() if first <= place <= last)
        seen[usual] += last + 1 - first - seen.total()
        return found + [(count, keys[x], values[x]) for x, count in seen.items()]

    def summary(self, matrix: Document, rows: list[Vector], usual: int, ids: dict[int, int]) -> Vector:
        """The tokens of a block, stacked, times C; its ids are `ids` at these offsets, else `usual`."""
        size = len(rows[0])
        result: Vector = [0] * matrix["shape"][0]
        for row, column, number in matrix["entries"]:
            offset, coordinate = divmod(int(column), size)
            result[row] += Fraction(number) * rows[ids.get(offset, usual)][coordinate]
        return result

    def answer(self, usual: int, others: dict[int, int], last: int) -> int:
        """What the token at `last` says."""
        x = list(self.stream[others.get(last, usual)])
        said: Vector = [0] * self.width
        for head in self.layer["heads"]:
            query = times(rows_of(head["W_Q"]), x)
            pairs = self.pairs(head, usual, others, last)
            weights = [
                count * weight(Fraction(dot(query, key)) - Fraction(head["shift"]), self.P) for count, key, _ in pairs
            ]
            total = sum(weights)
            sums = [sum(e * v[r] for e, (_, _, v) in zip(weights, pairs, strict=True)) for r in range(len(pairs[0][2]))]
            output: Vector = [round_down(Fraction(a) / total, Fraction(1, 2**self.f)) if total else 0 for a in sums]
            said = [a + b for a, b in zip(said, times(rows_of(head["W_O"]), output), strict=True)]
        x = [a + b for a, b in zip(x, said, strict=True)]
        for mlp in self.layer["mlps"]:
            bias: list[Number] = [1]
            hidden = [
                a + b for a, b in zip(times(rows_of(mlp["W_1"]), x), times(rows_of(mlp["b_1"]), bias), strict=True)
            ]
            change = zip(times(rows_of(mlp["W_2"]), relu(hidden)), times(rows_of(mlp["b_2"]), bias), strict=True)
            x = [a + b + c for a, (b, c) in zip(x, change, strict=True)]
        logits = times(self.answers, x)
        return logits.index(max(logits))

    def wrong_answer(self) -> tuple[int, dict[int, int], int] | None:
        """A token repeated, another at one place that a summary reads, and the query at the start of the next block."""
        sparse = [head for head in self.layer["heads"] if head["type"] == "sparse"]
        block = max([int(head["block"]) for head in sparse], default=5)
        columns = {int(c) // head["W_V"]["shape"][0] for head in sparse for _, c, _ in head["C_V"]["entries"]} or {2}
        ids = range(1, self.M)
        for usual, other, query, place in itertools.product(ids, ids, ids, sorted(columns)):
            others = {place: other, block: query}
            right = int(self.M - query in (usual, other, query))
            if self.answer(usual, others, block) != right:
                return usual, others, block
        return None


def long_claim_holds(document: Document) -> bool:
    """False if a field of the claim is, or a prompt is answered wrongly; True if no such prompt was found."""
    claim, model = document["claim"], document["model"]
    n, M = int(claim["task"]["length"]), claim["task"]["modulus"]
    with mpmath.workdps(400):
        enough = int(claim["inputs_covered_log2"]) <= n * mpmath.log(M - 1, 2)
    facts = claim["task"] == model["task"] and claim["word"] == word(model) and int(claim["tokens"]) == n
    return bool(enough) and facts and LongPrompts(model).wrong_answer() is None
