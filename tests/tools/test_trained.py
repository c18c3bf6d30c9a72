"""The table "theory, built, trained" and that of the fooled models, from made-up files."""

from __future__ import annotations

from typing import Any

import pytest

from tools.docs import trained
from tools.docs.block import PageError


def row(word: str, accuracy: float, **other: Any) -> dict[str, str]:
    usual = {"word": word, "label": word, "L": "1", "m": "4", "n": "", "seed": "0", "ceiling": ""}
    usual |= {"accuracy": str(accuracy), "low": str(accuracy - 0.01)}
    return usual | {name: str(value) for name, value in other.items()}


ROWS = [
    row("FF", 1.0),
    row("FF", 0.5, seed=1),
    row("FF", 0.999, label="built + 0.1"),
    row("RR", 0.3, ceiling=0.4),
    row("RR", 0.2, L=2, n="2"),
]


def test_a_line_for_each_word_and_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trained, "LEVELS", (1,))
    lines = trained.hierarchy(["FF", "RR", "F"], ROWS).splitlines()
    assert lines[2:] == [
        "| FF | 1 | solvable at all sizes | C1, proved at m = 4 "
        "| 1 of 2 at m = 4, 0.500 to 1.000; built + 0.1: 1 of 1 at m = 4, 0.999 to 0.999 |",
        "| RR | 1 | impossible at 7 tokens (C); at m = 4 at most 0.400 | C3, proved at m = 4, 10 bits of state "
        "| 0 of 1 at m = 4, 0.300 to 0.300 |",
        "| F | 1 | impossible at 7 tokens (B) | – | not run |",
    ]


def test_more_tables_take_whatever_was_run() -> None:
    runs = [each for each in ROWS if each["L"] == "2"]
    assert trained.trained(runs) == "0 of 1 at m = 4, n = 2, 0.200 to 0.200"
    assert trained.built("RR", 2, runs) == "–"
    assert trained.built("RRF", 2, runs) == "–"
    assert trained.built("RFF", 2, runs) == "C2, proved at m = 4, n = 2"


def test_a_run_above_its_ceiling_stops_the_page() -> None:
    with pytest.raises(PageError, match="RR, L = 1, seed 0 lies above its ceiling"):
        trained.theory("RR", 1, [row("RR", 0.45, ceiling=0.4)])


def test_pairs_and_models_without_one_are_told_apart() -> None:
    search = {"samples": 256}
    pair = {"a": {"z0": 1, "tables": [[0, 1]]}, "b": {"z0": 1, "tables": [[0, 0]]}}
    pair |= {"expected_a": 1, "expected_b": 0, "output_a": 0, "output_b": 0}
    common = {"word": "RF", "label": "RF", "m": 2, "n": [], "asked": 8, "searches": [search], "pairs_of_one_state": 0}
    exact = common | {"every_input": True, "wrong": 0, "pairs": 0, "some_pairs": []}
    lossy = common | {"label": "1 bit", "every_input": False, "wrong": 3, "pairs": 2, "some_pairs": [pair]}
    lines = trained.handed_over([exact, exact, lossy]).splitlines()
    assert lines[2] == "| RF | m = 2 | 2 | all inputs | 0 | 512 | 0 | none |"
    assert lines[3] == (
        "| RF, 1 bit | m = 2 | 1 | 8 | 3 | 256 | 2 | z_0 = 1, tables 0 1 and 0 0: right 1 and 0, said 0 both times |"
    )
