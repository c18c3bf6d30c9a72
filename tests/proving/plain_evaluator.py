"""An independent evaluation of a certificate's model: plain sums of fractions, on every input.

Nothing is imported from the project.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, prod

from checker_cases import Document, expand


def weight(x: Fraction, bits: int) -> int:
    """floor(2^bits·e^x), with a check that the decimal digits decide it."""
    if x == 0:
        return 2**bits
    with localcontext() as context:
        context.prec = 80
        value = (Decimal(x.numerator) / Decimal(x.denominator)).exp() * 2**bits
        low, high = floor(value * (1 - Decimal(10) ** -60)), floor(value * (1 + Decimal(10) ** -60))
    assert low == high
    return low


def dense(value: Document) -> list[list[Fraction]]:
    rows = [[Fraction(0)] * value["shape"][1] for _ in range(value["shape"][0])]
    for r, c, x in value["entries"]:
        rows[r][c] = Fraction(x)
    return rows


def table_rows(table: Document, rows: int, width: int) -> list[list[Fraction]]:
    return dense(expand(table["declared"], rows, width) if "declared" in table else table["stored"])


def times(rows: list[list[Fraction]], x: list[Fraction]) -> list[Fraction]:
    return [sum((a * b for a, b in zip(row, x, strict=True) if a and b), Fraction(0)) for row in rows]


class Runner:
    """Runs a model; asserts that its weights and activations have the declared precision."""

    def __init__(self, model: Document) -> None:
        self.m, self.n = model["task"]["m"], model["task"]["n"]
        self.sizes = list(itertools.accumulate([self.m, *self.n], lambda a, b: a * b))
        self.P, self.p, self.f = (model["precision"][key] for key in ("P", "p", "fraction"))
        d = sum(slot["width"] for slot in model["slots"])
        self.positions = table_rows(model["positions"], sum(self.sizes) + 2, d)
        self.tokens = table_rows(model["tokens"], self.sizes[-1] + prod(self.n), d)
        self.answers = table_rows(model["unembedding"], self.sizes[-1], d)
        self.layers = [
            (
                [({key: dense(h[key]) for key in h if key != "shift"}, Fraction(h["shift"])) for h in layer["heads"]],
                {key: dense(value) for key, value in layer["mlp"].items()},
            )
            for layer in model["layers"]
        ]

    def inputs(self) -> Iterator[tuple[list[tuple[int, ...]], int, tuple[int, ...]]]:
        tables = itertools.product(*(itertools.product(range(size), repeat=size) for size in self.sizes))
        return (
            (list(z), i0, w) for z in tables for i0 in range(self.m) for w in itertools.product(*map(range, self.n))
        )

    def hops(self, z: list[tuple[int, ...]], i0: int, w: tuple[int, ...]) -> list[int]:
        hops = [i0, z[0][i0]]
        for ell in range(1, len(z)):
            hops.append(z[ell][w[ell - 1] * self.sizes[ell - 1] + hops[-1]])
        return hops

    def stages(self, z: list[tuple[int, ...]], i0: int, w: tuple[int, ...]) -> list[list[list[Fraction]]]:
        """The stream of all tokens, before the first layer and after each."""
        word = 0
        for digit, radix in zip(w, self.n, strict=True):
            word = word * radix + digit
        ids = [value for table in reversed(z) for value in table] + [i0, self.sizes[-1] + word]
        x = [[a + b for a, b in zip(self.positions[i], self.tokens[t], strict=True)] for i, t in enumerate(ids)]
        stages = [self.precise(x)]
        for heads, mlp in self.layers:
            after = [list(row) for row in x]
            for head, shift in heads:
                q, k, v = (self.precise([times(head[key], row) for row in x]) for key in ("W_Q", "W_K", "W_V"))
                for i, row in enumerate(after):
                    scores = [sum(a * b for a, b in zip(q[i], k[j], strict=True)) - shift for j in range(i + 1)]
                    weights = [weight(Fraction(score), self.P) for score in scores]
                    assert all(0 <= w <= 2**self.P for w in weights)
                    output = [Fraction(0)] * len(v[0])
                    for r in range(len(output) if sum(weights) else 0):
                        mean = sum(w * v[j][r] for j, w in enumerate(weights)) / sum(weights)
                        output[r] = Fraction(floor(mean * 2**self.f), 2**self.f)
                    for r, change in enumerate(times(head["W_O"], output)):
                        row[r] += change
            x = self.precise(after)
            for row in x:
                h = [a + b[0] for a, b in zip(times(mlp["W_1"], row), mlp["b_1"], strict=True)]
                self.precise([h])
                for r, change in enumerate(times(mlp["W_2"], [max(a, Fraction(0)) for a in h])):
                    row[r] += change + mlp["b_2"][r][0]
            stages.append([list(row) for row in self.precise(x)])
        return stages

    def precise(self, rows: list[list[Fraction]]) -> list[list[Fraction]]:
        for x in (x for row in rows for x in row):
            assert abs(x) <= 2 ** (self.p - self.f)
            assert (x * 2**self.f).denominator == 1
        return rows


def symbol_values(runner: Runner, z: list[tuple[int, ...]], i0: int, w: tuple[int, ...]) -> list[tuple[str, Document]]:
    """Kind and variables of each token, in the order of the prompt."""
    common = {f"i{ell}": value for ell, value in enumerate(runner.hops(z, i0, w))}
    common |= {f"w{ell}": value for ell, value in enumerate(w, 1)}
    tokens: list[tuple[str, Document]] = []
    for ell in range(len(z), 0, -1):
        below = runner.sizes[ell - 2] if ell > 1 else runner.m
        for x, value in enumerate(z[ell - 1]):
            tokens.append((f"table {ell}", common | {"digit": x // below, "index": x % below, "value": value}))
    return [*tokens, ("z0", common), ("w", common)]


def holds(document: Document) -> bool:
    """What a certificate claims, by running the model on all inputs; also its invariants, token by token."""
    claim, model = document["claim"], document["model"]
    runner = Runner(model)
    count, margins = 0, []
    for z, i0, w in runner.inputs():
        count += 1
        stages = runner.stages(z, i0, w)
        logits = times(runner.answers, stages[-1][-1])
        right = runner.hops(z, i0, w)[-1]
        margins.append(logits[right] - max(logit for v, logit in enumerate(logits) if v != right))
        for stage, x in zip(model["invariants"], stages, strict=True):
            for (kind, variables), row in zip(symbol_values(runner, z, i0, w), x, strict=True):
                rest = list(row)
                for r, symbol, c in stage[kind]["forms"]:
                    name, _, j = symbol.partition(".")
                    rest[r] -= Fraction(c) * (1 if symbol == "1" else 1 if variables[name] >> int(j) & 1 else -1)
                for noise in stage[kind]["noise"]:
                    ((r, c),) = [entry for entry in noise["column"] if Fraction(entry[1])]  # single rows only
                    assert abs(rest[r]) <= abs(Fraction(c)) * Fraction(noise["radius"])
                    rest[r] = Fraction(0)
                assert not any(rest)
    assert claim["task"] == model["task"]
    assert claim["tokens"] == len(runner.positions)
    assert claim["width"] == sum(slot["width"] for slot in model["slots"])
    assert claim["heads"] == max(len(layer["heads"]) for layer in model["layers"])
    assert claim["layers"] == len(model["layers"])
    assert claim["precision_bits"] == {key: model["precision"][key] for key in ("P", "p")}
    assert 2 ** int(claim["inputs_covered_log2"]) <= count
    return 0 < Fraction(claim["margin"]) <= min(margins)
