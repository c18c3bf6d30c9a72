"""The constructions at tiny sizes, as documents, and changes of a document: single ones and correlated ones."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

from fuzzed_models import HUGE, SMALL, shown
from kernel_cases import REAL, construction
from plain_evaluator import FuncComp, TwoSum
from plain_tables import Document, expand

from constructions import c1
from constructions.words import build_word
from separation.proving import construction_to_document
from separation.tasks.funccomp import Sizes

TABLES = ("positions", "tokens", "unembedding")
BASES: dict[str, Callable[[], Document]] = {
    **{name: lambda build=build: construction_to_document(build()) for name, build in REAL.items()},
    "by hand": lambda: construction(3, [])["model"],
    "by hand, two tables": lambda: construction(2, [1])["model"],
    "by hand, three tables": lambda: construction(1, [2, 1])["model"],
    "C1": lambda: construction_to_document(c1.build(Sizes(2, ()))),
    "C1 of two tables": lambda: construction_to_document(c1.build(Sizes(2, (2,)))),
    "RFRF": lambda: construction_to_document(build_word("RFRF", Sizes(2, ()))),
    "FRRF": lambda: construction_to_document(build_word("FRRF", Sizes(2, ()), family="delta")),
}


@cache
def _base(name: str) -> str:
    return json.dumps(BASES[name]())


def base_model(name: str) -> Document:
    """A fresh copy, with its invariants."""
    document: Document = json.loads(_base(name))
    return document


def mutated_model(rng: random.Random, most: int = 3) -> tuple[str, Document]:
    """A construction with up to `most` changes, and what they are."""
    name = rng.choice(list(BASES))
    model, said = base_model(name), [name]
    for _ in range(rng.choice([0, 1, 1, 1, *range(1, most + 1)])):
        said.append(mutate(rng, model))
    return "; ".join(said), model


def mutate(rng: random.Random, model: Document) -> str:
    """One change, in place; its name."""
    change = rng.choices(list(CHANGES), weights=CHANGES.values())[0]
    change(rng, model)
    return change.__name__


def matrices(model: Document) -> list[Document]:
    """All matrices of the layers."""
    parts = [part for layer in model["layers"] for part in (*layer["heads"], *layer["mlps"])]
    return [value for part in parts for value in part.values() if isinstance(value, dict) and "entries" in value]


def heads(model: Document, *types: str) -> list[Document]:
    return [h for layer in model["layers"] for h in layer["heads"] if not types or h["type"] in types]


def scale(body: Document, factor: Fraction | int, *, row: int | None = None, column: int | None = None) -> None:
    """Entries of a matrix (of one row or column) times a factor, which is not 0."""
    for entry in body["entries"]:
        if row in (None, entry[0]) and column in (None, entry[1]):
            entry[2] = shown(Fraction(entry[2]) * factor)


def one_entry(rng: random.Random, model: Document) -> None:
    """Another number in one place of a matrix, of the layers or of a row table."""
    found = matrices(model)
    if rng.random() < 0.15 or not found:
        table = model[rng.choice(TABLES)]
        found = [table["stored"]] if "stored" in table else [part["matrix"] for part in table["declared"]]
    change_entry(rng, rng.choice(found))


def change_entry(rng: random.Random, body: Document) -> None:
    rows, columns = body["shape"]
    if not rows or not columns:
        return
    if body["entries"] and rng.random() < 0.6:
        entry = rng.choice(body["entries"])
    else:
        place = [rng.randrange(rows), rng.randrange(columns)]
        entry = next((e for e in body["entries"] if e[:2] == place), None)
        if entry is None:
            entry = [*place, 0]
            body["entries"].append(entry)
    old = Fraction(entry[2])
    steps = [old + rng.choice(SMALL), old + rng.choice(SMALL), -old, 2 * old, old / 2, 0]
    steps.append(old + rng.choice(HUGE) if rng.random() < 0.3 else old)
    entry[2] = shown(rng.choice(steps))
    body["entries"] = [e for e in body["entries"] if Fraction(e[2])]


def query_and_key(rng: random.Random, model: Document) -> None:
    """A row of W_Q times c and the same row of W_K over c: the scores stay."""
    if found := heads(model, "full", "sparse"):
        head, c = rng.choice(found), rng.choice([2, -1, Fraction(1, 2), 3, *HUGE])
        row = rng.randrange(max(1, head["W_Q"]["shape"][0]))
        scale(head["W_Q"], c, row=row)
        scale(head["W_K"], 1 / Fraction(c), row=row)


def temperature(rng: random.Random, model: Document) -> None:
    """All scores times c, and the shift."""
    if found := heads(model, "full", "sparse"):
        head, c = rng.choice(found), rng.choice([2, Fraction(1, 2), Fraction(1, 4), 3, 100, 2**53 + 1])
        scale(head["W_Q"], c)
        if head["shift"] != "auto":
            head["shift"] = shown(Fraction(head["shift"]) * c)


def swapped_rows(rng: random.Random, model: Document) -> None:
    """Two rows of W_Q change places, and half of the time the rows of W_K too."""
    if found := heads(model, "full", "sparse", "linear"):
        head = rng.choice(found)
        rows = head["W_Q"]["shape"][0]
        a, b = rng.randrange(max(rows, 1)), rng.randrange(max(rows, 1))
        for name in ("W_Q", "W_K") if rng.random() < 0.5 else ("W_Q",):
            for entry in head[name]["entries"]:
                entry[0] = {a: b, b: a}.get(entry[0], entry[0])


def value_and_output(rng: random.Random, model: Document) -> None:
    """A row of W_V times c and the column of W_O over c: only the rounding changes."""
    if found := heads(model):
        head, c = rng.choice(found), rng.choice([2, -1, Fraction(1, 2), 3, 64])
        row = rng.randrange(max(1, head["W_V"]["shape"][0]))
        scale(head["W_V"], c, row=row)
        scale(head["W_O"], 1 / Fraction(c), column=row)


def output_and_mlp(rng: random.Random, model: Document) -> None:
    """What heads write to a coordinate times c, and what the MLPs read from it over c."""
    layers = [layer for layer in model["layers"] if layer["heads"] and layer["mlps"]]
    if layers:
        layer, c = rng.choice(layers), rng.choice([2, -1, Fraction(1, 2), 3])
        written = [entry[0] for head in layer["heads"] for entry in head["W_O"]["entries"]]
        row = rng.choice(written or [0])
        for head in layer["heads"]:
            scale(head["W_O"], c, row=row)
        scale(layer["mlps"][0]["W_1"], 1 / Fraction(c), column=row)


def repeated_layer(rng: random.Random, model: Document) -> None:
    place = rng.randrange(len(model["layers"]) + 1)
    if not model["layers"]:
        return
    layer = copy.deepcopy(rng.choice(model["layers"]))
    insert(model, place, layer)


def idle_layer(rng: random.Random, model: Document) -> None:
    insert(model, rng.randrange(len(model["layers"]) + 1), {"heads": [], "mlps": []})


def insert(model: Document, place: int, layer: Document) -> None:
    """A layer more; the invariant before it is stated again after it."""
    model["layers"].insert(place, layer)
    if "invariants" in model:
        model["invariants"].insert(place, copy.deepcopy(model["invariants"][place]))


def dropped_layer(rng: random.Random, model: Document) -> None:
    if model["layers"]:
        place = rng.randrange(len(model["layers"]))
        del model["layers"][place]
        if "invariants" in model:
            del model["invariants"][place + rng.randrange(2)]


def another_head(rng: random.Random, model: Document) -> None:
    """A copy of a head beside it, with its output halved, negated or unchanged."""
    layers = [layer for layer in model["layers"] if layer["heads"]]
    if layers:
        layer = rng.choice(layers)
        head = copy.deepcopy(rng.choice(layer["heads"]))
        scale(head["W_O"], rng.choice([1, -1, Fraction(1, 2)]))
        layer["heads"].insert(rng.randrange(len(layer["heads"]) + 1), head)


def another_mlp(rng: random.Random, model: Document) -> None:
    """An MLP from anywhere in the model, once more."""
    found = [mlp for layer in model["layers"] for mlp in layer["mlps"]]
    if found:
        layer = rng.choice(model["layers"])
        layer["mlps"].insert(rng.randrange(len(layer["mlps"]) + 1), copy.deepcopy(rng.choice(found)))


def precision(rng: random.Random, model: Document) -> None:
    bits = model["precision"]
    name = rng.choice(["P", "p", "fraction", "both"])
    if name == "P":
        bits["P"] = rng.choice([0, 1, 2, bits["P"] + 1, max(0, bits["P"] - 1), 70])
    elif name == "p":
        bits["p"] = max(bits["fraction"], bits["p"] + rng.choice([-3, -2, -1, 1, 60, 200]))
    elif name == "fraction":  # the range of activations stays
        fraction = rng.choice([0, 0, 1, 2, bits["fraction"] + 1, 30])
        bits["p"], bits["fraction"] = bits["p"] - bits["fraction"] + fraction, fraction
    else:
        bits |= {"P": 80, "p": bits["fraction"] + 300}


def other_shift(rng: random.Random, model: Document) -> None:
    if found := heads(model, "full", "sparse"):
        head = rng.choice(found)
        steps = [1, -1, Fraction(1, 2), 5]
        head["shift"] = "auto" if head["shift"] == "auto" else shown(Fraction(head["shift"]) + rng.choice(steps))


def stored_tables(rng: random.Random, model: Document) -> None:
    name = rng.choice(TABLES)
    shape = TwoSum(model["task"]) if model["task"]["task"] == "two_sum" else None
    found = shape or FuncComp(model["task"], model["attention"] == "both")
    heights = dict(zip(TABLES, (found.length, found.ids, found.answers), strict=True))
    if "declared" in model[name]:
        width = sum(slot["width"] for slot in model["slots"])
        model[name] = {"stored": expand(model[name]["declared"], heights[name], width)}


def moved_output(rng: random.Random, model: Document) -> None:
    """An entry of W_O or W_2 goes to another coordinate."""
    mlps = [mlp for layer in model["layers"] for mlp in layer["mlps"]]
    found = [*(head["W_O"] for head in heads(model)), *(mlp["W_2"] for mlp in mlps)]
    full = [body for body in found if body["entries"]]
    if full:
        body = rng.choice(full)
        entry, row = rng.choice(body["entries"]), rng.randrange(body["shape"][0])
        if [row, entry[1]] not in [e[:2] for e in body["entries"]]:
            entry[0] = row


def other_normaliser(rng: random.Random, model: Document) -> None:
    if found := heads(model, "linear"):
        head = rng.choice(found)
        head["normalised"] = not head["normalised"]


def opened_blocks(rng: random.Random, model: Document) -> None:
    if found := heads(model, "sparse"):
        rng.choice(found)["opened"] = rng.randint(0, 3)


CHANGES: dict[Callable[[random.Random, Document], Any], int] = {
    one_entry: 12,
    query_and_key: 2,
    temperature: 2,
    swapped_rows: 1,
    value_and_output: 2,
    output_and_mlp: 2,
    repeated_layer: 1,
    idle_layer: 1,
    dropped_layer: 1,
    another_head: 2,
    another_mlp: 1,
    precision: 4,
    other_shift: 1,
    stored_tables: 2,
    moved_output: 2,
    other_normaliser: 1,
    opened_blocks: 1,
}
