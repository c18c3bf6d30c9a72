"""docs/gallery.md: every program is there, its numbers are those of the compiler, its picture that of the exact run."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from constructions.programs import NAMES, gallery
from tools.docs.gallery import FOLDER, NUMBERS, ROOT, drawn
from tools.docs.peer import RECORDED

ROWS = {row["name"]: row for row in json.loads((ROOT / NUMBERS).read_text())}


def test_every_program_has_a_row_and_a_picture() -> None:
    assert set(ROWS) == set(NAMES)
    assert {path.stem for path in (ROOT / FOLDER).glob("*.svg")} == set(NAMES)
    assert all(row["proved"] for row in ROWS.values())
    for name in NAMES:
        ElementTree.parse(ROOT / FOLDER / f"{name}.svg")


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_are_those_of_the_compiler(name: str) -> None:
    model, row = gallery(name, True).compile().model, ROWS[name]
    found = (model.word, len(model.layers), model.width, model.precision.score_bits, model.precision.bits)
    assert found == (row["word"], row["layers"], row["width"], *row["precision_bits"].values())


@pytest.mark.parametrize("name", ["induction", "parity", "state_based_recall", "histogram", "dyck1"])
def test_the_picture_is_what_is_drawn_now(name: str) -> None:
    assert (ROOT / FOLDER / f"{name}.svg").read_text() == drawn(name)


def test_recorded_runs_of_tracr_are_of_every_sequence() -> None:
    rows = json.loads(Path(ROOT / RECORDED).read_text())["rows"]
    assert {"frac_prevs", "hist", "sort", "reverse", "count"} <= {row["name"] for row in rows}
    for row in rows:
        assert row["inputs"] == sum(row["letters"] ** n for n in range(1, row["length"] + 1))
        assert (row["wrong"] is None) == (row["right"] == row["inputs"])
