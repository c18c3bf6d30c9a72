"""Certificates for the tests of the kernel.

`construction` is built by hand: one head a layer, layer k + 1 reads hop k; nothing of it comes from the project. `real`
takes the weights and invariants of the project's own constructions, at tiny sizes; the claim is written here.
"""

from __future__ import annotations

import copy
import itertools
import json
from fractions import Fraction
from functools import lru_cache
from math import floor, log2, prod
from typing import Any

from plain_evaluator import word
from plain_tables import Document, bits_of, code, expand, matrix

from constructions import bracket, c2, c3, c4, c5, c6, c7
from separation.proving import Construction, construction_to_document, kernel
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

SIZES: list[tuple[int, list[int]]] = [
    *((m, []) for m in (2, 3, 4, 5)),
    *((3, [1]), (2, [2]), (3, [5]), (1, [2])),
    *((2, [1, 1]), (3, [2, 4])),
]


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
            "type": "full",
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
        layers.append({"heads": [head], "mlps": [mlp | {"b_2": matrix(d, 1, {(r, 0): -1 for r in slot["pointer"]})}]})

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
        "attention": "causal",
        "precision": {"P": 8, "p": 8, "fraction": 6},
        "slots": [{"name": name, "width": width} for name, width in widths.items()],
        "positions": table(positions, start),
        "tokens": table(tokens, last + words),
        "unembedding": table(answers, last),
        "layers": layers,
        "invariants": invariants,
    }
    inputs = floor(sum(map(log2, [m, *n])) + sum(N * log2(N) for N in sizes) + 1e-9)
    return claimed(model, construction="by hand", integral=True, state_bits=0, inputs_covered_log2=inputs, margin=2)


def claimed(model: Document, **claim: Any) -> Document:
    """The certificate of a model with invariants; what is not claimed of it here is read off. Nobody asks whether it
    holds."""
    task = model["task"]
    if task["task"] == "two_sum":
        tokens = task["length"]
    else:
        tokens = sum(itertools.accumulate([task["m"], *task["n"]], lambda a, b: a * b)) + 2
    read = {
        "construction": "",
        "task": copy.deepcopy(task),
        "tokens": tokens,
        "word": word(model),
        "width": sum(slot["width"] for slot in model["slots"]),
        "heads": max((len(layer["heads"]) for layer in model["layers"]), default=0),
        "layers": len(model["layers"]),
        "precision_bits": {key: model["precision"][key] for key in ("P", "p")},
        "integral": False,
        "state_bits": None,
        "inputs_covered_log2": 0,
        "margin": 1,
    }
    schema = {"schema": "separation.certificate/1", "kind": "construction", "tool": "0"}
    return {**schema, "claim": read | claim, "model": model}


REAL = {
    "C2 RF linear": lambda: c2.build(Sizes(2, ()), word="RF", family="linear"),
    "C2 FR linear": lambda: c2.build(Sizes(2, ()), word="FR", family="linear"),
    "C2 RFF delta": lambda: c2.build(Sizes(2, (1,)), word="RFF", family="delta"),
    "C2 FRF delta": lambda: c2.build(Sizes(2, (1,)), word="FRF", family="delta"),
    "C3": lambda: c3.build(Sizes(3, ())),
    "C3 of two tables": lambda: c3.build(Sizes(2, (1,))),
    "C4": lambda: c4.build(Sizes(2, (1,))),
    "C5 RF linear": lambda: c5.build(Sizes(2, (1,)), word="RF", family="linear"),
    "C5 RF delta": lambda: c5.build(Sizes(2, (1,)), word="RF", family="delta"),
    "C5 FR linear": lambda: c5.build(Sizes(2, (1,)), word="FR", family="linear"),
    "C5 FR delta": lambda: c5.build(Sizes(2, (1,)), word="FR", family="delta"),
    "C5 F": lambda: c5.build(Sizes(2, (1,)), word="F"),
    "C6": lambda: c6.build(TwoSumSizes(3, 5)),
    "C7": lambda: c7.build(TwoSumSizes(5, 3), block=2, opened=1),
    "C7 block 1": lambda: c7.build(TwoSumSizes(3, 5), block=1, opened=0),
    "C7 one block": lambda: c7.build(TwoSumSizes(2, 3), block=3, opened=7),
    "bracket FR": lambda: bracket.build(Sizes(2, (1,)), "FR"),
    "bracket RF": lambda: bracket.build(Sizes(2, (1,)), "RF"),
}
STATE_BITS = {  # counted by hand: entries of −1, 0 and 1 have two bits, entries of 0 and 1 have one
    "C2 RF linear": 2 + 1,
    "C2 FR linear": 2 + 1,
    "bracket FR": 2 + 1,
    "bracket RF": 2 + 1,
    "C2 RFF delta": 2,
    "C2 FRF delta": 2,
    "C3": 2 + 3 * 2,
    "C3 of two tables": 1 + 2 + 2,
    "C5 RF linear": 1,
    "C5 RF delta": 1,
    "C5 FR linear": 1,
    "C5 FR delta": 1,
}


def certificate(one: Construction, name: str = "", state_bits: int = 0) -> Document:
    """The certificate of one of the project's constructions; the claim is written here."""
    model: Document = json.loads(json.dumps(construction_to_document(one)))
    margin, inputs = 4 if model["task"]["task"] == "two_sum" else 2, one.sizes.inputs_log2_floor()
    made = {"construction": name or one.name, "integral": True, "inputs_covered_log2": inputs, "margin": margin}
    return claimed(model, state_bits=state_bits, **made)


@lru_cache
def built(name: str) -> Document:
    return certificate(REAL[name](), name, STATE_BITS.get(name, 0))


def real(name: str) -> Document:
    """A certificate of `REAL`; a copy, to be changed at will."""
    return copy.deepcopy(built(name))


def mlp_of(*matrices: Any) -> dict[str, Any]:
    """An MLP as the kernel has it."""
    return dict(zip(("W_1", "b_1", "W_2", "b_2"), matrices, strict=True))


def at(document: Document, slot: str, j: int = 0) -> int:
    """The coordinate of a slot."""
    names = [item["name"] for item in document["model"]["slots"]]
    return int(sum(item["width"] for item in document["model"]["slots"][: names.index(slot)]) + j)


def put(document: Any, path: tuple[Any, ...], value: Any) -> None:
    """Another value at a place of a document."""
    for key in path[:-1]:
        document = document[key]
    document[path[-1]] = value


def said(document: Document) -> str:
    """The kernel's text, whatever the verdict."""
    try:
        return kernel.check_certificate(document).message
    except kernel.Declined as error:
        return str(error)
    except kernel.Malformed as error:
        return f"malformed: {error}"


def head(document: Document, layer: int, number: int = 0) -> Document:
    found: Document = document["model"]["layers"][layer - 1]["heads"][number]
    return found


def change(value: Document, row: int, column: int, x: Any) -> None:
    """Another number at a place of a matrix."""
    value["entries"] = [item for item in value["entries"] if item[:2] != [row, column]] + [[row, column, x]]
