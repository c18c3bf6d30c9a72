"""The kernel accepts a hand-made construction for all sizes, and none of its broken twins.

The certificates are built here from scratch, and what the kernel accepts is compared with a plain exact evaluation of
the model on all inputs; nothing but the kernel itself is imported from the project.
"""

from __future__ import annotations

import ast
import collections
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
from separation.proving.checker import Malformed, check_certificate, check_text

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
            form |= dict.fromkeys(zip(slot["query"], query, strict=True), 1)
        stage0[name] = form
    tokens = [
        {
            "start": 0,
            "radices": [last],
            "matrix": matrix(d, 1 + b_value, {(r, 1 + j): 1 for j, r in enumerate(slot["value"])}),
        },
        {
            "start": last,
            "radices": n,
            "matrix": matrix(d, 1 + widths["query"], {(r, 1 + j): 1 for j, r in enumerate(slot["query"])}),
        },
    ]
    answers = [
        {
            "start": 0,
            "radices": [last],
            "matrix": matrix(d, 1 + b_value, {(r, 1 + j): 1 for j, r in enumerate(slot["pointer"])}),
        }
    ]

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
            for unit, source, weight in zip(
                u, [found, found, pointer, pointer, found, found], [2, 2, 1, -1, 1, -1], strict=True
            ):
                w_1[unit, source] = weight
            b_1 |= {(u[0], 0): 1, (u[1], 0): -1}
            w_2 |= {(pointer, u[0]): 1, (pointer, u[1]): -1, (pointer, u[2]): -1, (pointer, u[3]): 1}
            w_2 |= {(found, u[4]): -1, (found, u[5]): 1}
        head = {
            "W_Q": matrix(len(keys), d, {(r, c): scaled(value) for r, (c, value) in enumerate(rows)}),
            "W_K": matrix(len(keys), d, dict.fromkeys(enumerate(keys), 1)),
            "W_V": matrix(b_value, d, dict.fromkeys(enumerate(slot["value"]), 1)),
            "W_O": matrix(d, b_value, {(r, j): 1 for j, r in enumerate(slot["found"])}),
            "shift": scaled(len(keys)),
        }
        mlp = {
            "W_1": matrix(6 * b_value, d, w_1),
            "b_1": matrix(6 * b_value, 1, b_1),
            "W_2": matrix(d, 6 * b_value, w_2),
        }
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

    table = (
        (lambda parts, count: {"stored": expand(parts, count, d)}) if stored else (lambda parts, _: {"declared": parts})
    )
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
        "integral": True,
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
    elif (
        change == "larger radix"
    ):  # a position segment may not reach into the next kind, but digits of radix 1 are free
        model["positions"]["declared"][1]["radices"] = [1, 1]
    else:  # the same invariant, its noise written in another basis
        table = construction(3, [])
        document.clear()
        document.update(table)
        slots = [slot["width"] for slot in document["model"]["slots"]]
        pointer = sum(slots[:6])
        document["model"]["invariants"][-1]["z0"]["noise"] = [
            {"radius": 1, "column": [[pointer, 1], [pointer + 1, 1]]},
            {"radius": 1, "column": [[pointer, 1], [pointer + 1, -1]]},
        ]
    verdict = check_certificate(document)
    assert verdict.ok, verdict.message
    if change != "noise in two rows":
        assert holds(document)


# --- broken twins: each must be refused, at the right place ---


def entry(value: Document, row: int, column: int) -> list[Any]:
    """The entry of a matrix at a place."""
    return next(item for item in value["entries"] if item[:2] == [row, column])


def at(document: Document, slot: str, j: int = 0) -> int:
    """The coordinate of a slot."""
    names = [item["name"] for item in document["model"]["slots"]]
    return sum(item["width"] for item in document["model"]["slots"][: names.index(slot)]) + j


def head(document: Document, layer: int) -> Document:
    found: Document = document["model"]["layers"][layer - 1]["heads"][0]
    return found


def drop_key_bit(document: Document) -> None:
    keys = head(document, 3)["W_K"]
    keys["entries"].remove(entry(keys, keys["shape"][0] - 1, at(document, "index")))


def ignore_the_digit(document: Document) -> None:
    queries = head(document, 3)["W_Q"]
    item = entry(queries, document["model"]["slots"][1]["width"], at(document, "query"))
    item[1] = at(document, "one")


def weak_tau(document: Document) -> None:
    document["model"] = construction(2, [2], tau=1)["model"]


def shift_the_clip(document: Document) -> None:
    document["model"]["layers"][1]["mlp"]["b_1"]["entries"][0][2] = -1


def narrow_clip(document: Document) -> None:
    document["model"]["layers"][0]["mlp"]["W_1"]["entries"][0][2] = 3


def swap_layers(document: Document) -> None:
    layers = document["model"]["layers"]
    layers[1], layers[2] = layers[2], layers[1]


def wrong_position_code(document: Document) -> None:
    segment = document["model"]["positions"]["declared"][1]  # table 1
    entry(segment["matrix"], at(document, "index"), 1)[2] = -1


def wrong_position_code_and_invariant(document: Document) -> None:
    wrong_position_code(document)
    for stage in document["model"]["invariants"]:
        next(item for item in stage["table 1"]["forms"] if item[1] == "index.0")[2] = -1


def same_tag(document: Document) -> None:
    """Table 2 gets the tag of table 1, 1 = (+, −), in place of (−, +)."""
    for j, c in enumerate(code(1, 2)):
        entry(document["model"]["positions"]["declared"][0]["matrix"], at(document, "tag", j), 0)[2] = c
        for stage in document["model"]["invariants"]:
            next(item for item in stage["table 2"]["forms"] if item[0] == at(document, "tag", j))[2] = c


def flip_answer_bit(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"][1][2] = -1


def swap_answer_bits(document: Document) -> None:
    first, second = document["model"]["unembedding"]["declared"][0]["matrix"]["entries"]
    first[1], second[1] = second[1], first[1]


def constant_in_answer(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"].append([0, 1, 1])


def small_shift(document: Document) -> None:
    head(document, 2)["shift"] = 11


def large_shift(document: Document) -> None:
    head(document, 2)["shift"] = 21


def no_output(document: Document) -> None:
    head(document, 3)["W_O"]["entries"].pop()


def coarse_rounding(document: Document) -> None:
    document["model"]["precision"] |= {"p": 3, "fraction": 1}
    document["claim"]["precision_bits"]["p"] = 3


def few_bits(document: Document) -> None:
    document["model"]["precision"]["p"] = document["claim"]["precision_bits"]["p"] = 7


def third(document: Document) -> None:
    """An exact number with no p-bit notation, where it does no harm to the answer."""
    document["model"]["layers"][2]["mlp"]["W_1"]["entries"][-1][2] = "-1/3"
    document["model"]["layers"][2]["mlp"]["W_2"]["entries"][-1][2] = 3


def small_radius(document: Document) -> None:
    document["model"]["invariants"][2]["z0"]["noise"][1]["radius"] = "63/64"


def see_the_future(document: Document) -> None:
    invariant = document["model"]["invariants"][1]["table 1"]
    invariant["noise"].pop(0)
    invariant["forms"].append([at(document, "pointer"), "i0.0", 1])


def dependent_noise(document: Document) -> None:
    noise = document["model"]["invariants"][3]["z0"]["noise"]
    noise.append({"radius": 5, "column": [*noise[0]["column"], *noise[1]["column"]]})


def wrong_hop(document: Document) -> None:
    for item in document["model"]["invariants"][3]["w"]["forms"]:
        item[1] = item[1].replace("i2.", "i1.") if item[1] == "i2.0" else item[1]


def missing_noise(document: Document) -> None:
    document["model"]["invariants"][1]["table 2"]["noise"].pop()


TWINS: list[tuple[Callable[[Document], None], str]] = [
    (drop_key_bit, "layer 3, kind w, slot pointer[0]: P7"),
    (ignore_the_digit, "layer 3, kind w, slot pointer[0]: P7"),
    (weak_tau, "layer 1, kind w, slot mlp[0]: P8"),
    (shift_the_clip, "layer 2, kind w, slot pointer[0]: P7"),
    (narrow_clip, "layer 1, kind table 2, slot pointer[0]: P7: up to 2"),
    (swap_layers, "layer 2, kind w, slot pointer[0]: P7"),
    (wrong_position_code, "layer 0, kind table 1, slot index[0]: P7"),
    (wrong_position_code_and_invariant, "layer 2, kind w, slot pointer[0]: P7"),
    (same_tag, "layer 2, kind w, slot mlp[0]: P8"),
    (flip_answer_bit, "layer 3, kind w, slot unembedding: answer: the margin -2"),
    (swap_answer_bits, "layer 3, kind w, slot unembedding: answer: i2.1"),
    (constant_in_answer, "layer 3, kind w, slot unembedding: answer: i2.0"),
    (small_shift, "layer 2, kind table 1, slot head 1: P3: score up to 12, shift 11"),
    (large_shift, "layer 2, kind w, slot pointer[0]: P7"),
    (no_output, "layer 3, kind w, slot pointer[1]: P7"),
    (coarse_rounding, "layer 1, kind w, slot mlp[0]: P8"),
    (few_bits, "layer 1, kind table 2, slot head 1 q[0]: P8: up to 3"),
    (third, "layer 3, kind every, slot mlp[11]: integral"),
    (small_radius, "layer 2, kind z0, slot pointer[1]: P7: up to 1 off the claimed form, allowed 63/64"),
    (see_the_future, "layer 1, kind table 1, slot pointer[0]: P7"),
    (dependent_noise, "layer 3, kind z0, slot invariant: P7"),
    (wrong_hop, "layer 3, kind w, slot pointer[0]: P7"),
    (missing_noise, "layer 1, kind table 2, slot pointer[1]: P7"),
]


@pytest.mark.parametrize(("breaks", "place"), TWINS, ids=lambda item: getattr(item, "__name__", ""))
def test_refuses(breaks: Callable[[Document], None], place: str) -> None:
    document = construction(2, [2])
    breaks(document)
    verdict = check_certificate(document)
    assert not verdict.ok
    assert verdict.message.startswith(place)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("tokens", 9), ("width", 13), ("heads", 2), ("layers", 2), ("inputs_covered_log2", 13)),
        *(("margin", "201/100"), ("margin", 0), ("margin", -1), ("task", {"task": "funccomp", "m": 2, "n": [3]})),
        *(("precision_bits", {"P": 7, "p": 8}), ("precision_bits", {"P": 8, "p": 9})),
    ],
)
def test_refuses_claims(field: str, value: Any) -> None:
    document = construction(2, [2])
    document["claim"][field] = value
    verdict = check_certificate(document)
    assert not verdict.ok
    assert verdict.message.startswith("claim, ")


def test_a_model_off_the_grid_is_accepted_only_without_the_claim() -> None:
    document = construction(2, [2])
    third(document)
    assert not check_certificate(document).ok
    document["claim"]["integral"] = False
    assert check_certificate(document).ok
    document["claim"]["integral"] = "no"
    with pytest.raises(Malformed):
        check_certificate(document)


def test_noise_lowers_the_margin() -> None:
    document = construction(2, [2])
    columns = [[[at(document, "pointer", j), 1]] for j in range(2)]
    document["model"]["invariants"][-1]["w"]["noise"] = [{"radius": "1/4", "column": column} for column in columns]
    assert check_certificate(document).message == "claim, margin: 2 is claimed, 1 is proved"
    document["claim"]["margin"] = 1
    assert check_certificate(document).ok


def test_refuses_a_stored_table_that_is_not_affine() -> None:
    document = construction(3, [2], stored=True)
    row = 0 + 3 + 2  # table 2, digit 1, index 2
    entry(document["model"]["positions"]["stored"], row, at(document, "index", 1))[2] = "3"
    assert check_certificate(document).message.startswith("layer 0, kind table 2, slot positions: P1: row 5")


def test_refuses_a_declared_table_with_other_digits() -> None:
    document = construction(3, [2])
    document["model"]["positions"]["declared"][0]["radices"] = [3, 2]  # the same rows and bits, in another order
    shape = document["model"]["positions"]["declared"][0]["matrix"]["shape"]
    assert shape[1] == 1 + bits_of(3) + bits_of(2)
    assert check_certificate(document).message.startswith("layer 0, kind table 2, slot positions: P1: no segment")


@pytest.mark.parametrize(("m", "n"), [*SIZES, (4, [2]), (4, [4, 2]), (7, [3]), (2, [2, 2, 2]), (97, [])])
def test_counts_inputs_exactly(m: int, n: list[int]) -> None:
    task = checker.Task({"task": "funccomp", "m": m, "n": n})
    count = m * prod(n) * prod(size**size for size in task.sizes)
    assert floor(task.inputs_log2()) == count.bit_length() - 1


# --- what is no certificate at all ---


def test_malformed_texts() -> None:
    text = json.dumps(construction(2, []))
    broken = [
        *("", "[]", "null", "1", "{}", text[:-1], "[" * 10**5, b"\xff\xfe", '{"schema": "separation.certificate/1"}'),
        *(
            text.replace('"margin": 2', f'"margin": {x}')
            for x in ("2.0", "1e1", "NaN", "true", "null", '"0x2"', '" 2"')
        ),
        *(
            text.replace('"margin": 2', f'"margin": {x}')
            for x in ("9" * 17, '"' + "9" * 4001 + '"', '"1/0"', "9" * 5000)
        ),
        *(text.replace('"margin": 2', x) for x in ('"margin": 2, "more": 1', '"margin": 2, "margin": 2')),
        text.replace("construction", "decision"),
        text.replace("certificate/1", "certificate/2"),
        text.replace("model/1", "model/2"),
        text.replace('"m": 2', '"m": 0'),
        text.replace('"fraction": 6', '"fraction": 9'),
        text.replace('"P": 8', '"P": -1'),
        text.replace('"P": 8', '"P": 99999'),
        text.replace('"width": 2', '"width": 9999999'),
        text.replace('"radius": 1', '"radius": -1'),
    ]
    for broken_text in broken:
        assert broken_text != text
        with pytest.raises(Malformed):
            check_text(broken_text)


def test_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "MAX_BYTES", 100)
    with pytest.raises(Malformed, match="more than 100 bytes"):
        check_text(" " * 101)
    monkeypatch.setattr(checker, "MAX_WORK", 1000)
    with pytest.raises(Malformed, match="MAX_WORK"):
        check_certificate(construction(3, []))


@pytest.mark.parametrize(
    "segments",
    [
        [(0, [2]), (2, [])],  # one row too few
        [(0, [2]), (2, []), (2, [])],  # two rows at one place
        [(0, [2]), (2, []), (3, []), (4, [])],
        [(0, [2]), (3, [])],
        [(0, [2]), (1, []), (3, [])],
    ],
)
def test_segments_cover_each_row_once(segments: list[tuple[int, list[int]]]) -> None:
    document = construction(2, [])
    width = document["claim"]["width"]
    parts = [{"start": s, "radices": r, "matrix": matrix(width, 1 + len(r), {})} for s, r in segments]
    document["model"]["positions"]["declared"] = parts
    with pytest.raises(Malformed, match="segments"):
        check_certificate(document)


def test_command_line(tmp_path: Path) -> None:
    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    document = construction(2, [])
    good.write_text(json.dumps(document))
    document["claim"]["margin"] = 3
    bad.write_text(json.dumps(document))
    none.write_text("{}")
    expected = [(good, 0, "proved: by hand"), (bad, 1, "not proved: claim, margin"), (none, 2, "no certificate: ")]
    for file, status, line in [*expected, (tmp_path / "absent", 2, "no certificate: ")]:
        command = [sys.executable, "-I", str(Path(checker.__file__)), str(file)]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (status, "")
        assert run.stdout.startswith(line)
        assert run.stdout.count("\n") == 1
        assert checker.main(str(file)) == status


def test_kernel_stands_alone() -> None:
    """Only the standard library, no float, no true division, nothing evaluated."""
    tree = ast.parse(Path(checker.__file__).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            assert all(name.split(".")[0] in sys.stdlib_module_names for name in names)
            assert not isinstance(node, ast.ImportFrom) or node.level == 0
        assert not isinstance(node, ast.Div)
        assert not isinstance(node, ast.Constant) or not isinstance(node.value, float)
        assert not isinstance(node, ast.Name) or node.id not in {"eval", "exec", "float", "compile", "__import__"}


# --- the rules, against direct evaluation at random points ---


@pytest.mark.parametrize("seed", range(40))
def test_exp(seed: int) -> None:
    rng = random.Random(seed)
    x = Fraction(rng.randint(-(10**6), 10**6), rng.choice([1, 7, 10**3, 10**5, 10**9]))
    x = max(min(x, Fraction(5000)), Fraction(-5000))
    low, high = checker.exp(x)
    with localcontext() as context:
        context.prec = 100
        value = (Decimal(x.numerator) / Decimal(x.denominator)).exp()
        exact = Fraction(*value.as_integer_ratio())
    assert low <= exact * (1 + Fraction(1, 10**90))
    assert high >= exact * (1 - Fraction(1, 10**90))
    assert high - low <= exact * Fraction(1, 10**60)


def test_exp_at_the_ends() -> None:
    assert checker.exp(Fraction(0)) == (1, 1)
    low, high = checker.exp(Fraction(-(10**30)))
    assert low == 0 < high < Fraction(1, 10**2000)


def test_log2() -> None:
    for n in [*range(1, 300), 2**61 - 1, 10**18, 2**63 + 1]:
        low = checker.log2_lower(n)
        power = n ** (2**12)
        assert power.bit_length() - 1 - 1 <= low * 2**12 < power.bit_length()
        assert low == n.bit_length() - 1 or n & (n - 1)


def value_of(form: checker.Form, point: dict[checker.Symbol, Fraction]) -> Fraction:
    def symbol(s: checker.Symbol) -> Fraction:
        if isinstance(s, checker.Noise) and s.of is not None:
            return abs(value_of(s.of, point))
        return point[s]

    return sum((c * symbol(s) for s, c in form.items()), Fraction(0))


def small(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(-8, 8), 4)


@pytest.mark.parametrize("seed", range(60))
def test_extremes_of_moduli(seed: int) -> None:
    """P7's range is an upper bound everywhere, and attained if each |g| mentions one symbol."""
    rng = random.Random(seed)
    nu, mu = checker.Noise(abs(small(rng))), checker.Noise(Fraction(1))
    form: checker.Form = {checker.ONE: small(rng), nu: small(rng)}
    alone = rng.random() < 0.7
    for _ in range(rng.randint(1, 3)):
        g: checker.Form = {checker.ONE: small(rng), nu: small(rng) or Fraction(1)} | (
            {} if alone else {mu: Fraction(1)}
        )
        form[checker.Noise(checker.upper(g), g)] = small(rng)
    form = {s: c for s, c in form.items() if c}
    bound, best = checker.extreme(form), Fraction(0)
    zeros = [-s.of[checker.ONE] / s.of[nu] for s in form if isinstance(s, checker.Noise) and s.of]
    grid = [nu.radius * Fraction(i, 20) for i in range(-20, 21)] + [z for z in zeros if abs(z) <= nu.radius]
    for x in grid:
        for y in (-1, 0, 1) if not alone else (0,):
            best = max(best, abs(value_of(form, {checker.ONE: Fraction(1), nu: x, mu: Fraction(y)})))
    assert best <= bound
    assert best == bound or not alone


def random_form(rng: random.Random, symbols: list[checker.Symbol]) -> checker.Form:
    chosen = rng.sample(symbols, rng.randint(0, min(3, len(symbols))))
    return {s: c for s in chosen if (c := small(rng))}


@pytest.mark.parametrize("seed", range(300))
def test_attention_is_described_truly(seed: int) -> None:
    """P3, P4, P5: random queries, keys and values of the kinds table 1, z0 and w; the true output of a token of a kind
    is in range of every description, at random tables and noise. (Most queries are near a look-up in table 1.)"""
    rng = random.Random(seed)
    m, place = rng.choice([2, 3, 4]), rng.choice([0, 2, 2, 2])
    document = construction(m, [])
    document["model"]["precision"] = {"P": rng.choice([0, 2, 8, 40]), "p": 20, "fraction": rng.choice([0, 1, 3, 8])}
    proof = checker.Proof(checker.Model(document["model"]))
    bits, one, tau = bits_of(m), checker.ONE, Fraction(rng.randint(2, 10), 2)
    hop: list[checker.Symbol] = [one, *(f"i{i}.{j}" for i in (0, 1) for j in range(bits))]
    noise = [checker.Noise(Fraction(rng.randint(1, 4), 4)) for _ in range(4)]
    local: list[checker.Symbol] = [f"{name}.{j}" for name in ("index", "value") for j in range(bits)]

    # Rows of q and k: one for each address bit, a constant one, and one that only z0 and w have.
    free = random_form(rng, hop) if rng.random() < 0.3 else {}
    q: checker.Forms = [*({f"i0.{j}": tau} for j in range(bits)), {one: tau}, free]
    if rng.random() < 0.5:
        q[bits][noise[3]] = Fraction(rng.choice([1, 4, 20]), 4)
    if rng.random() < 0.2:
        q[rng.randrange(bits)][rng.choice(noise)] = Fraction(rng.randint(1, 10))
    if rng.random() < 0.2:
        q[bits][rng.choice(hop[1:])] = Fraction(rng.randint(1, 10))
    keys: list[checker.Forms] = [[{f"index.{j}": Fraction(1)} for j in range(bits)] + [{one: Fraction(1)}, {}]]
    for kind in (1, 2):
        rest = [random_form(rng, [*hop, noise[kind]]) if rng.random() < 0.1 else {} for _ in range(bits)]
        keys.append([*rest, {one: Fraction(rng.randint(-4, 1), 2)}, random_form(rng, hop)])
    values: list[checker.Forms] = [
        [random_form(rng, [one, *local, noise[0]]), {f"value.{j}": Fraction(1) for j in range(bits)}],
        *([random_form(rng, [*hop, noise[kind]]), {one: 1 + abs(small(rng))}] for kind in (1, 2)),
    ]
    if rng.random() < 0.3:
        values[0][1] = {one: Fraction(rng.randint(4, 8), 3)}
    tables = [proof.scores(q, k) for k in keys[: place + 1]]
    bounds = [sum(checker.upper(c, b == one) * checker.radius(b) for b, c in table.items()) for table in tables]
    shift = Fraction(max(bounds)) + rng.choice([Fraction(0)] * 4 + [Fraction(-1), Fraction(1, 2), Fraction(9)])

    blank = checker.Matrix(0, [])
    try:
        options = proof.attend(place, 1, checker.Head(blank, blank, blank, blank, shift), [q] * 3, keys, values)
    except checker.Rejected:
        options = []
    assert options or max(bounds) > shift
    f, weight_bits = proof.model.fraction, proof.model.weight_bits
    for _ in range(30 if options else 0):
        table, i0, here = (
            [rng.randrange(m) for _ in range(m)],
            rng.randrange(m),
            rng.randrange(m) if place == 0 else m + 1,
        )
        common: dict[checker.Symbol, Fraction] = {one: Fraction(1)}
        for name, number in (("i0", i0), ("i1", table[i0])):
            common |= {f"{name}.{j}": Fraction(bit) for j, bit in enumerate(code(number, bits))}
        points: list[tuple[int, dict[checker.Symbol, Fraction]]] = []
        for kind, x in [*((0, x) for x in range(m)), (1, 0), (2, 0)][: here + 1]:
            own: dict[checker.Symbol, Fraction] = {n: n.radius * rng.choice([-1, 1]) for n in noise}
            for name, number in (("index", x), ("value", table[x])):
                own |= {f"{name}.{j}": Fraction(bit) for j, bit in enumerate(code(number, bits))}
            points.append((kind, common | own))
        query = [value_of(form, points[-1][1]) for form in q]
        scores = [sum(a * value_of(b, x) for a, b in zip(query, keys[kind], strict=True)) for kind, x in points]
        weights = [weight(Fraction(score) - shift, weight_bits) for score in scores]
        assert max(weights) <= 2**weight_bits
        for r, option in itertools.product(range(2), options):
            total = sum(w * value_of(values[kind][r], x) for w, (kind, x) in zip(weights, points, strict=True))
            output = Fraction(floor(Fraction(total, max(1, sum(weights))) * 2**f), 2**f)
            known = value_of({s: c for s, c in option[r].items() if isinstance(s, str)}, common)
            assert abs(output - known) <= checker.upper({s: c for s, c in option[r].items() if not isinstance(s, str)})


@pytest.mark.parametrize("seed", range(60))
def test_relu_is_described_truly(seed: int) -> None:
    """P6: a random MLP on random forms; its true output is in range of the derived forms, at random points."""
    rng = random.Random(seed)
    proof = checker.Proof(checker.Model(construction(3, [])["model"]))
    proof.model.bound = 10**6
    width, hidden = 4, 6
    noise = [checker.Noise(Fraction(rng.randint(0, 4), 4)) for _ in range(2)]
    bits: list[checker.Symbol] = ["i0.0", "i0.1", "i1.0"]
    x = [random_form(rng, [checker.ONE, *bits, *noise]) for _ in range(width)]

    def weights(rows: int, columns: int) -> checker.Matrix:
        entries = [(r, c, small(rng)) for r in range(rows) for c in range(columns) if rng.random() < 0.5]
        return checker.Matrix(rows, [item for item in entries if item[2]])

    layer = checker.Layer([], weights(hidden, width), weights(hidden, 1), weights(width, hidden), weights(width, 1))
    derived = proof.mlp(layer, [dict(form) for form in x])
    for _ in range(20):
        point: dict[checker.Symbol, Fraction] = {checker.ONE: Fraction(1)}
        point |= {bit: Fraction(rng.choice([-1, 1])) for bit in bits}
        point |= {n: n.radius * Fraction(rng.randint(-4, 4), 4) for n in noise}
        stream = [value_of(form, point) for form in x]
        h = [Fraction(0)] * hidden
        for r, c, value in layer.w_1.entries:
            h[r] += value * stream[c]
        for r, _, value in layer.b_1.entries:
            h[r] += value
        result = list(stream)
        for r, c, value in layer.w_2.entries:
            result[r] += value * max(h[c], Fraction(0))
        for r, _, value in layer.b_2.entries:
            result[r] += value
        for form, true in zip(derived, result, strict=True):
            low, high = checker.span(form)
            assert low <= true <= high
            assert abs(true) <= checker.extreme(form)
            # What is left when the known symbols are filled in: fresh products s·σ, and moduli of known forms.
            known = [s for s in form if s in point or (isinstance(s, checker.Noise) and s.of is not None)]
            rest = true - value_of({s: form[s] for s in known}, point)
            assert abs(rest) <= checker.upper({s: c for s, c in form.items() if s not in known})


# --- every leaf of the document, changed: refused, or harmless ---


def nodes(document: Document) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All values in a document, with their paths."""
    stack: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while stack:
        path, value = stack.pop()
        yield path, value
        pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        stack += [((*path, key), child) for key, child in pairs]


def mutations(value: Any) -> Iterator[Any]:
    """Other values for a leaf; for an object or a list, the same with one member less or more."""
    if isinstance(value, dict):
        yield from ({k: v for k, v in value.items() if k != key} for key in value)
        yield value | {"unknown": 0}
    elif isinstance(value, list):
        yield from (value[:i] + value[i + 1 :] for i in range(len(value)))
        yield from (value[: i + 1] + value[i:] for i in range(len(value)))
        yield from ([*value[:i], value[i + 1], value[i], *value[i + 2 :]] for i in range(len(value) - 1))
    elif isinstance(value, str) and value.lstrip("-").isdigit():
        yield from (str(other) for other in mutations(int(value)))
    elif isinstance(value, str):
        yield from ("", value + "x", None, "1", "i0.0", "i1.0", "index.0", "value.0")
    else:
        yield from (value + 1, value - 1, -value, 0, 2 * value, f"{2 * value + 1}/2", f"{2 * value - 1}/2", 100)
        yield from (None, True, float(value), [value], "1.0", "1/0")


def put(document: Document, path: tuple[Any, ...], value: Any) -> Document:
    """The document with another value at a path; all else is shared."""
    if not path:
        return dict(value)
    copied: Any = copy.copy(document)
    copied[path[0]] = put(copied[path[0]], path[1:], value) if path[1:] else value
    return dict(copied) if isinstance(copied, dict) else copied


def mutants(document: Document) -> list[tuple[tuple[Any, ...], Any]]:
    return [(path, other) for path, value in nodes(document) for other in mutations(value) if other != value]


def outcome(document: Document, path: tuple[Any, ...], value: Any) -> str:
    """The verdict on a mutant; if accepted, it must hold by running its model on all inputs."""
    mutant = put(document, path, value)
    try:
        verdict = check_certificate(mutant)
    except Malformed:
        return "malformed"
    if verdict.ok and path not in {("tool",), ("claim", "construction")}:
        assert holds(mutant), (path, value)
    return "accepted" if verdict.ok else "rejected"


@pytest.mark.parametrize("stored", [False, True])
def test_mutants_are_refused_or_harmless(stored: bool) -> None:
    document = construction(2, [], stored=stored)
    sample = random.Random(1).sample(mutants(document), 1200)
    counts = collections.Counter(outcome(document, path, value) for path, value in sample)
    assert counts["rejected"] > 100
    assert counts["malformed"] > 100


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "stored"), [(2, [], False), (2, [], True), (2, [1], False), (1, [2], False)])
def test_all_mutants_are_refused_or_harmless(m: int, n: list[int], stored: bool) -> None:
    document = construction(m, n, stored=stored)
    counts = collections.Counter(outcome(document, path, value) for path, value in mutants(document))
    assert counts["rejected"] > 1000


@pytest.mark.slow
def test_changed_weights_are_refused_or_harmless() -> None:
    """Weights of the model only, two at a time: the two changes may compensate each other."""
    rng = random.Random(7)
    document = construction(2, [1])
    places = [(path, value) for path, value in mutants(document) if path[:2] == ("model", "layers")]
    for _ in range(4000):
        (first, a), (second, b) = rng.sample(places, 2)
        if first[: len(second)] != second and second[: len(first)] != first:
            outcome(put(document, first, a), second, b)
