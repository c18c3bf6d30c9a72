"""Constructions that look up several entries and select one (P4 with constants, P6), and their false neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from constructions import bracket
from separation.proving import Construction, construction_certificate, prove
from separation.tasks.funccomp import Sizes
from tools.corpus.entries import TOOL, Document, Entry, edited
from tools.corpus.variants import Edit


def certificate(construction: Construction) -> Document:
    one = construction
    return construction_certificate(one, prove(one.model, one.stages, one.shape), TOOL)


BUILDS: dict[str, tuple[Construction, str]] = {
    "bracket-fr-m2-n1": (bracket.build(Sizes(2, (1,)), "FR"), "one F: w reads both entries, and R hands i1 to it"),
    "bracket-fr-m2-n2": (bracket.build(Sizes(2, (2,)), "FR"), "the same, where w has a digit"),
    "bracket-rf-m2-n1": (bracket.build(Sizes(2, (1,)), "RF"), "R hands z0 to w, which reads both entries and i1"),
    "bracket-rf-m3-n1": (bracket.build(Sizes(3, (1,)), "RF"), "three candidates, of two bits each"),
    "bracket-rrf-m4-n1": (bracket.build(Sizes(4, (1,)), "RRF", 1), "a state has the top bit of all of table 1"),
    "bracket-rrf-m2-n2": (bracket.build(Sizes(2, (2,)), "RRF"), "a state has all of table 1, nothing is selected"),
}


def slot(document: Document, name: str) -> int:
    """The first coordinate of a slot."""
    names = [one["name"] for one in document["model"]["slots"]]
    return sum(one["width"] for one in document["model"]["slots"][: names.index(name)])


def candidates(document: Document) -> list[Document]:
    """The heads of the full layer; the last one reads i1."""
    heads: list[Document] = next(
        layer["heads"] for layer in document["model"]["layers"] if layer["heads"][0]["type"] == "full"
    )
    return heads


def selector(document: Document) -> Document:
    """The MLP that selects; its first units are those of row 0, as many as the pointer is wide, then those of row 1."""
    found: Document = document["model"]["layers"][-1]["mlps"][-1]
    return found


def pointer_width(document: Document) -> int:
    return next(int(one["width"]) for one in document["model"]["slots"] if one["name"] == "pointer")


def entries_of(matrix: Document, keep: Any) -> None:
    matrix["entries"] = [entry for entry in matrix["entries"] if keep(*entry)]


def rows_swapped(document: Document) -> None:
    first, second = candidates(document)[:2]
    first["W_O"], second["W_O"] = second["W_O"], first["W_O"]


def a_row_is_missing(document: Document) -> None:
    candidates(document)[1]["W_V"]["entries"] = []


def one_entry_twice(document: Document) -> None:
    first, second = candidates(document)[:2]
    first["W_Q"] = second["W_Q"]


def first_hop_is_missing(document: Document) -> None:
    candidates(document)[-1]["W_V"]["entries"] = []


def unit_missing(document: Document) -> None:
    """Nothing is left of the units of row 1."""
    width, mlp = pointer_width(document), selector(document)
    entries_of(mlp["W_1"], lambda unit, _c, _x: not width <= unit < 2 * width)
    entries_of(mlp["b_1"], lambda unit, _c, _x: not width <= unit < 2 * width)


def other_bit(document: Document) -> None:
    """All units that select look at w1 as well."""
    units, query = pointer_width(document) * (len(candidates(document)) - 1), slot(document, "query")
    selector(document)["W_1"]["entries"] += [[unit, query, 1] for unit in range(units)]


def unit_doubled(document: Document) -> None:
    """Row 1 counts twice."""
    width = pointer_width(document)
    w_2 = selector(document)["W_2"]
    w_2["entries"] = [[r, unit, 2 * x if width <= unit < 2 * width else x] for r, unit, x in w_2["entries"]]


def moved(by: int, document: Document) -> None:
    """All units that select have a constant that is larger, or smaller, and b_2 takes it back."""
    mlp, width, rows = selector(document), pointer_width(document), len(candidates(document)) - 1
    units = width * rows
    constants = {unit: x for unit, _, x in mlp["b_1"]["entries"]}
    mlp["b_1"]["entries"] = [[unit, 0, constants.get(unit, 0) + by * (unit < units)] for unit in range(units)]
    mlp["b_2"]["entries"] = [[r, 0, x - by] for r, _, x in mlp["b_2"]["entries"]]


def wrong_code(document: Document) -> None:
    """The units of rows 0 and 1 have each other's signs."""
    width, pointer = pointer_width(document), slot(document, "pointer")
    w_1 = selector(document)["W_1"]
    w_1["entries"] = [
        [unit, c, -x if c == pointer and unit < 2 * width else x] for unit, c, x in w_1["entries"]
    ]  # the bits of 0 and 1 differ in the last one


def a_bit_is_ignored(document: Document) -> None:
    """The units of row 0 do not look at the last bit of i1, and have as large a maximum as before."""
    width, pointer, mlp = pointer_width(document), slot(document, "pointer"), selector(document)
    entries_of(mlp["W_1"], lambda unit, c, _x: not (c == pointer and unit < width))
    mlp["b_1"]["entries"] = [[unit, r, x + (unit < width)] for unit, r, x in mlp["b_1"]["entries"]]


def low_bit_in_the_cell(document: Document) -> None:
    """The state has the last bit of every entry of table 1 in place of the top one: cells of the wrong width."""
    head = next(
        head for layer in document["model"]["layers"] for head in layer["heads"] if head.get("normalised") is False
    )
    value = slot(document, "value")
    head["W_V"]["entries"] = [[r, value, x] for r, _, x in head["W_V"]["entries"]]


def renamed(old: str, new: str, document: Document) -> None:
    """Another symbol in all invariants."""
    for stage in document["model"]["invariants"]:
        for invariant in stage.values():
            invariant["forms"] = [[r, s.replace(old, new), x] for r, s, x in invariant["forms"]]


FALSE: list[tuple[str, str, Edit, str]] = [
    ("bracket-fr-rows-swapped", "bracket-fr-m2-n1", rows_swapped, "rows 0 and 1 have each other's place"),
    ("bracket-fr-no-row", "bracket-fr-m2-n2", a_row_is_missing, "a look-up is missing: row 1 stays 0"),
    ("bracket-rf-one-entry-twice", "bracket-rf-m2-n1", one_entry_twice, "both rows are entry 1 (P4)"),
    ("bracket-rf-no-first-hop", "bracket-rf-m2-n1", first_hop_is_missing, "nothing is known by which to select"),
    ("bracket-fr-other-bit", "bracket-fr-m2-n2", other_bit, "what is selected depends on w1 (P6)"),
    ("bracket-fr-unit-missing", "bracket-fr-m2-n1", unit_missing, "row 1 is never selected (P6)"),
    ("bracket-fr-units-high", "bracket-fr-m2-n1", partial(moved, 1), "units of other rows may be above 0 (P6)"),
    ("bracket-fr-units-low", "bracket-fr-m2-n1", partial(moved, -1), "units of the right row may be below 0 (P6)"),
    ("bracket-rf-wrong-code", "bracket-rf-m3-n1", wrong_code, "of rows 0 and 1 the other one is selected (P6)"),
    ("bracket-rf-bit-ignored", "bracket-rf-m3-n1", a_bit_is_ignored, "row 0 is selected where i1 is 1, too (P6)"),
    ("bracket-rrf-low-cell", "bracket-rrf-m4-n1", low_bit_in_the_cell, "the state has the wrong bit of table 1"),
]
NOT_SHOWN: list[tuple[str, str, Edit, str]] = [
    ("bracket-fr-unit-doubled", "bracket-fr-m2-n1", unit_doubled, "row 1 counts twice; the signs are right (P6)"),
    (
        "bracket-fr-other-row-claimed",
        "bracket-fr-m2-n1",
        partial(renamed, "i2 at 0 mod 2", "i2 at 1 mod 2"),
        "row 0 is claimed to be entry 1; the model is right (P7)",
    ),
]
MALFORMED: list[tuple[str, str, str, str]] = [
    ("bracket-fr-index-too-large", "bracket-fr-m2-n1", "i2 at 2 mod 2", "j is not below q"),
    ("bracket-fr-no-power", "bracket-fr-m2-n1", "i2 at 0 mod 3", "q is no power of two"),
    ("bracket-fr-zeros", "bracket-fr-m2-n1", "i2 at 00 mod 2", "a number with a needless 0"),
    ("bracket-fr-mod-4", "bracket-fr-m2-n1", "i2 at 0 mod 4", "q is more than the next power of two of m"),
    ("bracket-fr-first-table", "bracket-fr-m2-n1", "i1 at 0 mod 2", "ℓ is 1"),
    ("bracket-fr-third-table", "bracket-fr-m2-n1", "i3 at 0 mod 2", "ℓ is more than L"),
    ("bracket-fr-mod-1", "bracket-fr-m2-n1", "i2 at 0 mod 1", "q is 1"),
]
ODD: list[tuple[str, str, str]] = [
    ("bracket-rf-odd-size", "i2 at 0 mod 2", "2 does not divide m = 3: i1 = 2 would become 3"),
    ("bracket-rf-no-such-index", "i2 at 3 mod 4", "there is no index 3 below m = 3"),
]


def base(name: str) -> Document:
    return certificate(BUILDS[name][0])


def entries() -> Iterator[Entry]:
    for name, (_, why) in BUILDS.items():
        yield Entry(name, "construction", "accept", why, "bracket.build", partial(base, name))
    for prefix, lines in (("false", FALSE), ("not shown", NOT_SHOWN)):
        for name, of, edit, why in lines:
            yield _edited(name, of, edit, "reject", f"{prefix}: {why}")
    for name, of, symbol, why in MALFORMED:
        yield _edited(name, of, partial(renamed, "i2 at 0 mod 2", symbol), "malformed", f"{symbol}: {why}")
    for name, symbol, why in ODD:
        edit = partial(renamed, "i2 at 0 mod 4", symbol)
        yield _edited(name, "bracket-rf-m3-n1", edit, "malformed", f"{symbol}: {why}")


def _edited(name: str, of: str, edit: Edit, expect: str, why: str) -> Entry:
    return Entry(name, "construction", expect, why, f"{of}, edited", lambda: edited(base(of), edit))
