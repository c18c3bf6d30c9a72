"""Constructions that hold, written in other ways: other numbers, more heads and MLPs, other bases; weaker claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from separation.arithmetic import ExactMatrix
from separation.proving import construction_certificate, prove
from tools.corpus.constructions import BUILDS, base
from tools.corpus.entries import TOOL, Document, Entry, edited, matrix, put

Edit = Callable[[Document], None]


def head(document: Document, layer: int, number: int = 0) -> Document:
    found: Document = document["model"]["layers"][layer - 1]["heads"][number]
    return found


def times(value: Document, factor: Fraction | int) -> Document:
    """A matrix times a number."""
    entries = [[r, c, plain(Fraction(x) * factor)] for r, c, x in value["entries"]]
    return {"shape": value["shape"], "entries": entries}


def plain(x: Fraction) -> Any:
    return int(x) if x.denominator == 1 and abs(x) <= 2**53 else str(x)


def rational(document: Document) -> None:
    """Values a third as large, and outputs three times as large; queries 7/8 as large in the last layer."""
    for layer in document["model"]["layers"]:
        for one in layer["heads"]:
            one["W_V"], one["W_O"] = times(one["W_V"], Fraction(1, 3)), times(one["W_O"], 3)
    last = head(document, len(document["model"]["layers"]))
    last["W_Q"], last["shift"] = times(last["W_Q"], Fraction(7, 8)), plain(Fraction(last["shift"]) * Fraction(7, 8))
    document["claim"]["integral"] = False


def two_halves(document: Document) -> None:
    """Each head twice, with half its output."""
    for layer in document["model"]["layers"]:
        for one in layer["heads"]:
            one["W_O"] = times(one["W_O"], Fraction(1, 2))
        layer["heads"] = [json.loads(json.dumps(one)) for one in layer["heads"] for _ in range(2)]
    document["claim"] |= {"integral": False, "heads": 2 * document["claim"]["heads"]}


def idle_head(kind: str, d: int) -> Document:
    """A head whose output goes nowhere."""
    row, one, back = matrix(1, d, {}), matrix(1, 1, {}), matrix(d, 1, {})
    if kind == "sparse":
        copy = matrix(1, 2, {(0, 1): 1})
        return {
            "type": "sparse",
            "W_Q": row,
            "W_K": row,
            "W_V": matrix(1, d, {(0, 0): 1}),
            "C_K": copy,
            "C_V": copy,
            "W_O": back,
            "shift": 0,
            "block": 2,
            "opened": 1,
        }
    return {
        "type": "linear",
        "W_Q": row,
        "b_Q": one,
        "W_K": row,
        "b_K": one,
        "W_V": row,
        "W_O": back,
        "normalised": True,
    }


def with_idle_head(kind: str, document: Document) -> None:
    for layer in document["model"]["layers"]:
        layer["heads"].append(idle_head(kind, document["claim"]["width"]))
    document["claim"] |= {"heads": 2, "word": {"sparse": "[FS]", "linear": "[FR]"}[kind] * 2}


def three_mlps(document: Document) -> None:
    """In front of each MLP one that doubles the coordinate 6 and one that halves it: x + relu(x) − relu(−x) = 2x."""
    d = document["claim"]["width"]
    both, none = matrix(2, d, {(0, 6): 1, (1, 6): -1}), matrix(2, 1, {})
    parts = {"W_1": both, "b_1": none, "b_2": matrix(d, 1, {})}
    double = parts | {"W_2": matrix(d, 2, {(6, 0): 1, (6, 1): -1})}
    halve = parts | {"W_2": matrix(d, 2, {(6, 0): "-1/2", (6, 1): "1/2"})}
    for layer in document["model"]["layers"]:
        layer["mlps"][:0] = [double, halve]
    document["claim"]["integral"] = False


def split_on_a_bit(document: Document) -> None:
    """One more MLP after the last layer: pointer ← relu(2·pointer) − 1, its unit being split on the bit i1.0."""
    d, pointer = document["claim"]["width"], 5
    w_1 = {(0, pointer): 1, (1, pointer): 1, (2, pointer): -1}
    w_2 = {(pointer, 0): 2, (pointer, 1): -1, (pointer, 2): 1}
    mlp = {"W_1": matrix(3, d, w_1), "b_1": matrix(3, 1, {}), "W_2": matrix(d, 3, w_2)}
    document["model"]["layers"][-1]["mlps"].append(mlp | {"b_2": matrix(d, 1, {(pointer, 0): -1})})
    for kind in ("table 1", "z0"):  # junk within ±1 becomes a number from −1 to 1
        document["model"]["invariants"][-1][kind]["noise"] = [{"radius": 1, "column": [[pointer, 1]]}]


def shift_up(document: Document) -> None:
    """The match weighs floor(2^P·e^{-1/2}): P4 with w."""
    head(document, 2)["shift"] = "13/2"


def one_bit_of_weight(document: Document) -> None:
    """P = 0: the match weighs 1, all others 0."""
    document["model"]["precision"]["P"] = document["claim"]["precision_bits"]["P"] = 0


def both_ways(document: Document) -> None:
    document["model"]["attention"] = "both"


def noise_across(document: Document) -> None:
    """The junk of z0, two coordinates within ±1, as sums and differences of two numbers within ±1."""
    noise = document["model"]["invariants"][-1]["z0"]["noise"]
    (one, _), (two, _) = (part["column"][0] for part in noise)
    columns = [[[one, 1], [two, sign]] for sign in (1, -1)]
    document["model"]["invariants"][-1]["z0"]["noise"] = [{"radius": 1, "column": column} for column in columns]


def not_normalised(document: Document) -> None:
    """φ_q·φ_k is 1 at z0 and 0 elsewhere, so that the sum is z0's value; there is no normaliser to hold."""
    head(document, 1)["normalised"] = False
    document["claim"]["state_bits"] -= 1


def small_numbers_as_strings(document: Document) -> None:
    """Numbers of matrices may be strings, at any size; integers of the format may not."""
    for one in (head(document, 1), head(document, 2)):
        one["W_Q"]["entries"] = [[r, c, f"{2 * x}/2"] for r, c, x in one["W_Q"]["entries"]]
        one["shift"] = str(one["shift"])


def larger_radix(document: Document) -> None:
    """A digit of radix 1 has no bits; the ids of values may stand in a segment that is read by shorter tables."""
    document["model"]["positions"]["declared"][-1]["radices"] = [1, 1]
    document["model"]["positions"]["declared"].reverse()


def mixed(d: int) -> list[list[Fraction | int]]:
    """A unit triangular matrix with fractions: coordinates mix, and noise has long columns."""
    return [[1 if r == c else Fraction(1, 2 + (r + c) % 3) if c == r - 1 else 0 for c in range(d)] for r in range(d)]


def scaled(d: int) -> list[list[Fraction | int]]:
    """The coordinates in the other order, with signs and fractions."""
    return [[Fraction((-1) ** r * (r + 2), r + 1) if c == d - 1 - r else 0 for c in range(d)] for r in range(d)]


def in_another_basis(name: str, rows: Callable[[int], list[list[Fraction | int]]]) -> Document:
    """y = T x, proved again."""
    one = BUILDS[name][0]()
    turned = one.in_basis(ExactMatrix.from_rows(rows(one.model.width)))
    made: Document = construction_certificate(turned, prove(turned.model, turned.stages, turned.shape), TOOL)
    return made


VARIANTS: list[tuple[str, str, Edit, str]] = [
    ("c1-m3-rational", "c1-m3", rational, "rational weights: not integral"),
    ("c1-m3-two-heads", "c1-m3", two_halves, "two heads that say the same, half each"),
    ("c1-m2-idle-linear-head", "c1-m2", partial(with_idle_head, "linear"), "idle linear heads: the word is [FR][FR]"),
    ("c1-m2-idle-sparse-head", "c1-m2", partial(with_idle_head, "sparse"), "idle sparse heads: the word is [FS][FS]"),
    ("c1-m2-three-mlps", "c1-m2", three_mlps, "three MLPs a layer, two of which undo each other: bent units"),
    ("c1-m2-split", "c1-m2", split_on_a_bit, "an MLP whose unit is split on a bit"),
    ("c1-m2-shift-above", "c1-m2", shift_up, "a shift above the largest score: the match weighs less than 2^P"),
    ("c1-m2-p0", "c1-m2", one_bit_of_weight, "P = 0: weights are 0 and 1"),
    ("c1-m2-both", "c1-m2", both_ways, "the weights of C1 with attention both ways"),
    ("c1-m3-noise-across", "c1-m3", noise_across, "noise columns in two rows each"),
    ("c2-rf-not-normalised", "c2-rf-linear", not_normalised, "linear attention without normaliser"),
    ("c1-m2-strings", "c1-m2", small_numbers_as_strings, "weights written as strings and as fractions that are whole"),
    ("c1-m2-radix-1", "c1-m2", larger_radix, "digits of radix 1, and segments in another order"),
]
CLAIMS: list[tuple[str, str, tuple[Any, ...], Any, str]] = [
    ("c1-m2-margin-less", "c1-m2", ("margin",), "1/1000", "a weaker claim: a smaller margin"),
    ("c1-m2-inputs-less", "c1-m2", ("inputs_covered_log2",), 2, "a weaker claim: fewer inputs"),
    ("c1-m2-state-bits-null", "c1-m2", ("state_bits",), None, "a weaker claim: none about states"),
    ("c3-m3-state-bits-more", "c3-m3", ("state_bits",), 9, "a weaker claim: one bit of state more"),
    ("c1-m2-integral-false", "c1-m2", ("integral",), False, "a weaker claim: nothing about multiples of 2^-f"),
    ("c1-m2-label", "c1-m2", ("construction",), "any label", "the field construction is a label: nothing is claimed"),
]


def entries() -> Iterator[Entry]:
    for name, of, edit, why in VARIANTS:
        by = f"{of}, {edit.func.__name__ if isinstance(edit, partial) else edit.__name__}"
        yield Entry(name, "construction", "accept", why, by, partial(_edited, of, edit))
    for name, of, path, value, why in CLAIMS:
        yield Entry(name, "construction", "accept", why, f"{of}, claim", partial(_put, of, path, value))
    for of, rows in (("c1-m3", scaled), ("c2-rf-linear", scaled), ("c6-n3-m5", mixed)):
        why = f"the same in another basis, y = T x with rational T ({rows.__name__})"
        made = partial(in_another_basis, of, rows)
        yield Entry(f"{of}-basis", "construction", "accept", why, f"{of}, {rows.__name__}, prove", made)


def _edited(of: str, edit: Edit) -> Document:
    return edited(base(of), edit)


def _put(of: str, path: tuple[Any, ...], value: Any) -> Document:
    return put(base(of), ("claim", *path), value)
