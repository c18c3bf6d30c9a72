"""Phase diagrams: the same seed is the same figure and data, and a row that contradicts a theorem is seen."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from separation.files import InputError
from separation.fooling import phase_rows
from separation.fooling.budget import Budget
from separation.fooling.phase import PhaseReport, fool_phase
from separation.fooling.phase_rows import (
    SparseRow,
    StateRow,
    WordRow,
    best_accuracy,
    bound_share,
    sparse_rows,
    state_rows,
    word_rows,
)
from separation.fooling.sparse import SparseShape

SHAPE = SparseShape(modulus=7, block=2, blocks=3, opened=1)


def report(*rows: WordRow | StateRow | SparseRow) -> PhaseReport:
    return PhaseReport(rows, (Path("x.png"),), 0, True, 0.0)


def test_a_seed_is_one_figure_and_its_data_stand_beside(tmp_path: Path) -> None:
    made = [
        fool_phase(tmp_path / f"{name}.png", sparse=True, block=2, modulus=7, blocks=3, seed=4) for name in ("a", "b")
    ]
    assert all(one.ok and one.complete for one in made)
    for suffix in (".png", ".sparse.csv"):
        assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()
    with (tmp_path / "a.sparse.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(made[0].rows)
    assert [float(row["accuracy"]) for row in rows] == [row.accuracy for row in made[0].rows]  # type: ignore[union-attr]


def test_the_bound_is_where_the_best_map_becomes_right() -> None:
    rows = [row for row in sparse_rows(SHAPE, 0, Budget(60).start()) if row is not None]
    best = [row for row in rows if row.kind == "best"]
    assert all(row.found for row in rows if row.guaranteed)
    assert all(row.right != row.guaranteed for row in best)
    assert all((row.share >= round(bound_share(SHAPE), 4)) == row.right for row in best)
    assert all(row.accuracy == 1 for row in rows if row.right)
    assert all(row.accuracy < 1 for row in best if not row.right)


def test_accuracy_without_any_summary_is_that_of_opening_alone() -> None:
    """A map of one value: P(x in the opened block), else the likelier answer for the others."""
    table = np.zeros((SHAPE.blocks, SHAPE.sequences), dtype=np.int64)
    absent = (1 - 1 / SHAPE.values) ** SHAPE.block
    others = absent ** (SHAPE.blocks - 1)
    assert best_accuracy(SHAPE, table, 0) == pytest.approx(1 - absent + absent * max(others, 1 - others), abs=1e-12)


def test_rows_that_contradict_a_theorem_are_seen() -> None:
    word = WordRow("RF", 1, 4, "", 1, 3, 3, 0, "C2", "", "RF", False)
    state = StateRow("random", 3, 4, 4, True, False, 4.7549, 6)
    summary = SparseRow("best", 8, 0.5, 0.9, True, False, True)
    assert report(word, state, summary).ok
    broken = [
        replace(word, built_pair=True),
        replace(state, found=False, compared=True),
        replace(state, kind="C3", bits=6),
        replace(summary, found=False, right=True, accuracy=1.0),
        replace(summary, right=True),
    ]
    for row in broken:
        assert report(word, row).broken == [row]
        assert not report(word, row).ok


def test_words_and_states_at_their_smallest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phase_rows, "LONGEST", 2)
    monkeypatch.setattr(phase_rows, "MODELS", 1)
    monkeypatch.setattr(phase_rows, "TABLES", (2, 3))
    monkeypatch.setattr(phase_rows, "BITS", (1, 4))
    made = fool_phase(tmp_path / "phase.svg", seed=1)
    assert made.ok
    drawn = {row.word: row for row in made.rows if isinstance(row, WordRow) and row.L == 1}
    assert [drawn[word].solves for word in ("F", "FF", "RF", "FR", "RR")] == ["", "C1", "C2", "C2", ""]
    assert [drawn[word].theorem for word in ("F", "R", "RR")] == ["B", "C", "C"]
    assert all(drawn[word].built_pair is False for word in ("FF", "RF", "FR"))
    held = [row for row in made.rows if isinstance(row, StateRow)]
    assert all(row.compared and not row.found for row in held if row.kind == "C3")
    assert all(row.found for row in held if row.bits < row.least_bits)
    assert [path.name for path in made.files] == ["phase.svg", "phase.words.csv", "phase.states.csv"]
    assert all(path.is_file() for path in made.files)


@pytest.mark.slow
def test_all_cells_of_the_default_run() -> None:
    clock = Budget(300).start()
    rows = [*word_rows(0, clock), *state_rows(0, clock)]
    assert report(*(row for row in rows if row is not None)).ok


def test_when_the_time_is_up_the_rest_is_left_out_and_that_is_said(tmp_path: Path) -> None:
    made = fool_phase(tmp_path / "phase.png", seconds=0.3)
    assert not made.complete
    assert not made.ok
    assert made.seconds < 10
    assert (tmp_path / "phase.words.csv").is_file()


def test_what_is_too_large_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sequences in each of 4 blocks"):
        fool_phase(tmp_path / "x.png", sparse=True, block=6)
    with pytest.raises(InputError, match="--phase is"):
        fool_phase(tmp_path / "x.txt")
