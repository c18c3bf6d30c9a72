"""The kernel accepts a hand-made construction for all sizes, and none of its broken twins.

The certificates are built here from scratch, and what the kernel accepts is compared with a plain exact evaluation of
the model on all inputs; nothing but the kernel itself is imported from the project.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import floor, log2, prod
from pathlib import Path
from typing import Any

import pytest

from separation.proving import checker
from separation.proving.checker import Malformed, Verdict, check_certificate, check_text

Document = dict[str, Any]


# --- a construction: one head a layer, layer k + 1 reads hop k ---


def bits_of(size: int) -> int:
    return (size - 1).bit_length()


def code(value: int, width: int) -> list[int]:
    return [1 if value >> j & 1 else -1 for j in range(width)]


def matrix(rows: int, columns: int, entries: dict[tuple[int, int], Any]) -> Document:
    return {"shape": [rows, columns], "entries": [[r, c, value] for (r, c), value in entries.items()]}


def construction(m: int, n: list[int], *, tau: Any = 3, stored: bool = False) -> Document:
    """F^{L+1} for FuncComp: layer 1 reads z0, layer k + 1 reads table k at (w_{k-1}, i_{k-1})."""
    sizes = list(itertools.accumulate([m, *n], lambda a, b: a * b))
    hops, last, words = len(sizes), sizes[-1], prod(n)
    b_digit, b_index, b_value = max(map(bits_of, n), default=0), bits_of(sizes[max(hops - 2, 0)]), bits_of(last)
    widths = {"one": 1, "tag": (hops + 1).bit_length(), "digit": b_digit, "index": b_index, "value": b_value}
    widths |= {"query": sum(map(bits_of, n)), "pointer": b_value, "found": b_value}
    slot: dict[str, range] = {}
    for name, width in widths.items():
        end = max((s.stop for s in slot.values()), default=0)
        slot[name] = range(end, end + width)
    d = sum(widths.values())
    hop_sizes = [m, *sizes]  # of i0 … iL

    # The embedding: forms of each kind, written down once for the row tables and once for the invariants.
    positions: list[Document] = []
    stage0: dict[str, dict[tuple[int, str], Any]] = {}
    start = 0
    for table in range(hops, 0, -1):
        address = [("digit", n[table - 2]), ("index", sizes[table - 2])] if table > 1 else [("index", m)]
        names = ["1"] + [f"{name}.{j}" for name, size in address for j in range(bits_of(size))]
        form: dict[tuple[int, str], Any] = {(slot["one"][0], "1"): 1}
        form |= {(r, "1"): c for r, c in zip(slot["tag"], code(table, widths["tag"]), strict=True)}
        for name in ("digit", "index"):
            for j, r in enumerate(slot[name]):
                form[(r, f"{name}.{j}") if f"{name}.{j}" in names else (r, "1")] = 1 if f"{name}.{j}" in names else -1
        body = matrix(d, len(names), {(r, names.index(symbol)): c for (r, symbol), c in form.items()})
        positions.append({"start": start, "radices": [size for _, size in address], "matrix": body})
        start += prod(size for _, size in address)
        for j, r in enumerate(slot["value"]):
            known = j < bits_of(sizes[table - 1])
            form[(r, f"value.{j}" if known else "1")] = 1 if known else -1
        stage0[f"table {table}"] = form
    for name, tag in (("z0", 0), ("w", hops + 1)):
        form = {(slot["one"][0], "1"): 1}
        form |= {(r, "1"): c for r, c in zip(slot["tag"], code(tag, widths["tag"]), strict=True)}
        if name == "z0":
            form |= {(r, "1"): -1 for r in (*slot["digit"], *slot["index"])}
        body = matrix(d, 1, {(r, 0): c for (r, _), c in form.items()})
        positions.append({"start": start, "radices": [], "matrix": body})
        start += 1
        if name == "z0":
            for j, r in enumerate(slot["value"]):
                form[(r, f"i0.{j}" if j < bits_of(m) else "1")] = 1 if j < bits_of(m) else -1
        else:
            query = [f"w{ell}.{j}" for ell, size in enumerate(n, 1) for j in range(bits_of(size))]
            form |= {(r, symbol): 1 for r, symbol in zip(slot["query"], query, strict=True)}
        stage0[name] = form
    tokens = [
        {"start": 0, "radices": [last], "matrix": matrix(d, 1 + b_value, {(r, 1 + j): 1 for j, r in enumerate(slot["value"])})},
        {"start": last, "radices": n, "matrix": matrix(d, 1 + widths["query"], {(r, 1 + j): 1 for j, r in enumerate(slot["query"])})},
    ]
    answers = [{"start": 0, "radices": [last], "matrix": matrix(d, 1 + b_value, {(r, 1 + j): 1 for j, r in enumerate(slot["pointer"])})}]

    keys = [*slot["tag"], *slot["digit"], *slot["index"]]
    scaled = lambda c: f"{Fraction(tau) * c}"  # noqa: E731
    layers, one = [], slot["one"][0]
    for hop in range(hops + 1):
        rows = [(one, c) for c in code(hop, widths["tag"])]
        offset = slot["query"].start + sum(map(bits_of, n[: max(hop - 2, 0)]))
        spelled = bits_of(n[hop - 2]) if hop >= 2 else 0
        rows += [(offset + j, 1) if j < spelled else (one, -1) for j in range(b_digit)]
        rows += [(slot["pointer"][j], 1) if hop else (one, -1) for j in range(b_index)]
        w_1, b_1, w_2 = {}, {}, {}
        for j, (pointer, found) in enumerate(zip(slot["pointer"], slot["found"], strict=True)):
            u = range(6 * j, 6 * j + 6)
            for unit, source, weight in zip(u, [found, found, pointer, pointer, found, found], [2, 2, 1, -1, 1, -1], strict=True):
                w_1[unit, source] = weight
            b_1 |= {(u[0], 0): 1, (u[1], 0): -1}
            w_2 |= {(pointer, u[0]): 1, (pointer, u[1]): -1, (pointer, u[2]): -1, (pointer, u[3]): 1}
            w_2 |= {(found, u[4]): -1, (found, u[5]): 1}
        head = {
            "W_Q": matrix(len(keys), d, {(r, c): scaled(value) for r, (c, value) in enumerate(rows)}),
            "W_K": matrix(len(keys), d, {(r, c): 1 for r, c in enumerate(keys)}),
            "W_V": matrix(b_value, d, {(j, r): 1 for j, r in enumerate(slot["value"])}),
            "W_O": matrix(d, b_value, {(r, j): 1 for j, r in enumerate(slot["found"])}),
            "shift": scaled(len(keys)),
        }
        mlp = {"W_1": matrix(6 * b_value, d, w_1), "b_1": matrix(6 * b_value, 1, b_1), "W_2": matrix(d, 6 * b_value, w_2)}
        layers.append({"heads": [head], "mlp": mlp | {"b_2": matrix(d, 1, {(r, 0): -1 for r in slot["pointer"]})}})

    invariants: list[Document] = []
    for stage in range(hops + 2):
        entry = {}
        for kind, form in stage0.items():
            forms = [[r, symbol, c] for (r, symbol), c in form.items()]
            noise = []
            for j, r in enumerate(slot["pointer"] if stage else []):
                if kind != "w":
                    noise.append({"radius": 1, "column": [[r, 1]]})
                else:
                    known = j < bits_of(hop_sizes[stage - 1])
                    forms.append([r, f"i{stage - 1}.{j}" if known else "1", 1 if known else -1])
            entry[kind] = {"forms": forms, "noise": noise}
        invariants.append(entry)

    table = (lambda parts, count: {"stored": expand(parts, count, d)}) if stored else (lambda parts, _: {"declared": parts})
    task = {"task": "funccomp", "m": m, "n": n}
    model = {
        "schema": "separation.model/1",
        "task": task,
        "precision": {"P": 8, "p": 8, "fraction": 6},
        "slots": [{"name": name, "width": width} for name, width in widths.items()],
        "positions": table(positions, start),
        "tokens": table(tokens, last + words),
        "unembedding": table(answers, last),
        "layers": layers,
        "invariants": invariants,
    }
    claim = {
        "construction": "by hand",
        "task": copy.deepcopy(task),
        "tokens": start,
        "width": d,
        "heads": 1,
        "layers": hops + 1,
        "precision_bits": {"P": 8, "p": 8},
        "inputs_covered_log2": floor(sum(map(log2, [m, *n])) + sum(N * log2(N) for N in sizes) + 1e-9),
        "margin": 2,
    }
    return {"schema": "separation.certificate/1", "kind": "construction", "tool": "0", "claim": claim, "model": model}


def expand(segments: list[Document], rows: int, width: int) -> Document:
    """The rows of a declared table, one by one."""
    entries: dict[tuple[int, int], str] = {}
    for segment in segments:
        for x, digits in enumerate(itertools.product(*map(range, segment["radices"]))):
            pairs = zip(digits, segment["radices"], strict=True)
            bits = [1, *(bit for digit, radix in pairs for bit in code(digit, bits_of(radix)))]
            row = [Fraction(0)] * width
            for r, c, value in segment["matrix"]["entries"]:
                row[r] += Fraction(value) * bits[c]
            entries |= {(segment["start"] + x, r): str(value) for r, value in enumerate(row) if value}
    return matrix(rows, width, entries)


# --- an independent evaluation: plain sums of fractions, on every input ---


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


# --- what must be accepted ---

SIZES: list[tuple[int, list[int]]] = [
    *((m, []) for m in (2, 3, 4, 5)),
    *((3, [1]), (2, [2]), (3, [5]), (1, [2])),
    *((2, [1, 1]), (3, [2, 4])),
]


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("m", "n"), SIZES)
def test_accepts(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    verdict = check_text(json.dumps(document))
    assert verdict.ok, verdict.message
    assert (verdict.kind, verdict.claim) == ("construction", document["claim"])


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize(("m", "n"), [(2, []), (3, []), (2, [1]), (1, [2])])
def test_accepted_models_answer_all_inputs(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    assert check_certificate(document).ok
    assert holds(document)


def test_nineteen_million_tokens_in_seconds() -> None:
    document = construction(8, [8] * 7)
    begin = time.perf_counter()
    verdict = check_text(json.dumps(document))
    assert verdict.ok, verdict.message
    assert document["claim"]["tokens"] == 19_173_962
    assert time.perf_counter() - begin < 20


@pytest.mark.parametrize("change", ["P", "shift", "stored mix", "larger radix", "noise in two rows"])
def test_accepts_variants(change: str) -> None:
    document = construction(2, [])
    model = document["model"]
    if change == "P":  # the match has weight 1 and all others 0
        model["precision"]["P"] = document["claim"]["precision_bits"]["P"] = 0
    elif change == "shift":  # weights are no powers of two any more: P4 with w
        model["layers"][1]["heads"][0]["shift"] = "25/2"
    elif change == "stored mix":
        model["tokens"] = {"stored": expand(model["tokens"]["declared"], 3, document["claim"]["width"])}
    elif change == "larger radix":  # a position segment may not reach into the next kind, but digits of radix 1 are free
        model["positions"]["declared"][1]["radices"] = [1, 1]
    else:  # the same invariant, its noise written in another basis
        table = construction(3, [])
        document.clear()
        document.update(table)
        slots = [slot["width"] for slot in document["model"]["slots"]]
        pointer = sum(slots[:6])
        for stage in document["model"]["invariants"][1:]:
            stage["z0"]["noise"] = [
                {"radius": 1, "column": [[pointer, 1], [pointer + 1, 1]]},
                {"radius": 1, "column": [[pointer, 1], [pointer + 1, -1]]},
            ]
    verdict = check_certificate(document)
    assert verdict.ok, verdict.message
    if change != "noise in two rows":
        assert holds(document)
