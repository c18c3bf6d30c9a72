"""The tables of the experiments: of the runs that the plans name, below their ceilings, and from made-up files."""

from __future__ import annotations

import math
import shutil
from pathlib import Path
from typing import Any

import pytest

from separation.experiments import NAMES, read_csv
from tools.docs import PageError
from tools.docs import experiments as page


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_table_has_runs_of_the_plan_and_no_others(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned, found = page.counted(name)
    assert 0 < found <= planned
    assert {(page.FOLDER / f"{name}.{kind}").is_file() for kind in ("png", "svg")} == {True}
    text = (page.FOLDER / f"{name}.csv").read_text().splitlines()
    seed = text[0].split(",").index("seed")
    cells = text[1].split(",")
    cells[seed] = "0"  # a seed with which the recipe was chosen
    (tmp_path / f"{name}.csv").write_text("\n".join([text[0], ",".join(cells), *text[2:]]) + "\n")
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    with pytest.raises(PageError, match=f"{name}.csv has a run that is in no plan"):
        page.counted(name)


def test_the_shortcuts_that_the_page_speaks_of_have_no_room() -> None:
    rows = [row for row in read_csv(page.FOLDER / "depth.csv") if row["L"] == "2"]
    m, n = int(rows[0]["m"]), int(rows[0]["n"])
    assert {row["lambda"] for row in rows if row["word"] == "RF"} == {"16"}
    assert {row["beta"] for row in rows if row["word"] == "FFR"} == {"18"}
    assert (m * math.log2(m), n * math.log2(n * m)) == (24, 20)
    text = (page.FOLDER.parent / "experiments.md").read_text()
    assert "(16 bits) is smaller than table 1 (24 bits)" in " ".join(text.split())
    assert "(20 bits) are more than its 18 bits" in " ".join(text.split())


def test_a_run_above_its_ceiling_stops_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0.905 (D')" in page.sparse()
    shutil.copy(page.FOLDER / "sparse.csv", tmp_path)
    table = tmp_path / "sparse.csv"
    assert "0.9050382822751999" in table.read_text()
    table.write_text(table.read_text().replace("0.9050382822751999", "0.5"))
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    with pytest.raises(PageError, match="positional, r = 2, k = 0 lies above its ceiling"):
        page.sparse()


def test_the_worst_kind_of_inputs_is_the_lowest_mean() -> None:
    lines = [line for line in page.shift().splitlines() if "| chain |" in line]
    assert len(lines) == 2
    means: dict[str, float] = {}
    runs = [row for row in read_csv(page.FOLDER / "shift.csv") if (row["task"], row["label"]) == ("two_sum", "chain")]
    for row in runs:
        for name, share in (pair.split("=") for pair in row["shifted"].split()):
            means[name] = means.get(name, 0.0) + float(share) / len(runs)
    assert min(means, key=means.__getitem__).replace("_", " ") in lines[1]
    assert max(means, key=means.__getitem__).replace("_", " ") not in lines[1].replace("| chain |", "")


def row(word: str, accuracy: float, **other: Any) -> dict[str, str]:
    usual = {"word": word, "label": word, "L": "1", "m": "4", "n": "", "seed": "0", "ceiling": ""}
    usual |= {"accuracy": str(accuracy), "low": str(accuracy - 0.01)}
    return usual | {name: str(value) for name, value in other.items()}


ROWS = [
    row("FF", 1.0),
    row("FF", 0.5, seed=1, hops="1.0 0.5"),
    row("FF", 0.999, label="AdamW only"),
    row("RR", 0.3, ceiling=0.4),
    row("RR", 0.2, L=2, n="2"),
]


def test_a_line_for_each_word_and_level(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "LEVELS", (1,))
    lines = page.hierarchy(["FF", "RR", "F"], ROWS).splitlines()
    assert lines[2:] == [
        "| FF | 1 | solvable at all sizes | C1, proved at m = 4 "
        "| 1 of 2 at m = 4, 0.500 to 1.000; AdamW only: 1 of 1 at m = 4, 0.999 to 0.999 |",
        "| RR | 1 | impossible at 7 tokens (C); at m = 4 at most 0.400 | C3, proved at m = 4, 10 bits of state "
        "| 0 of 1 at m = 4, 0.300 to 0.300 |",
        "| F | 1 | impossible at 7 tokens (B) | – | not run |",
    ]


def test_the_sentence_counts_what_learned_and_names_the_best_that_could_not() -> None:
    assert page.sentence([*ROWS[:2], row("RR", 0.3, seed=7), row("F", 0.4)]) == (
        "1 of 2 runs of words with depth(word) ≥ L reach accuracy 0.99; of 2 runs of words of smaller depth the best,"
        " F at L = 1, reaches 0.400 (seeds 0 to 7). Not learned: FF at L = 1, seed 1 (hops 1.0 0.5)."
    )


def test_more_tables_take_whatever_was_run() -> None:
    runs = [each for each in ROWS if each["L"] == "2"]
    assert page.trained(runs) == "0 of 1 at m = 4, n = 2, 0.200 to 0.200"
    assert page.built("RR", 2, runs) == "–"
    assert page.built("RRF", 2, runs) == "–"
    assert page.built("RFF", 2, runs) == "C2, proved at m = 4, n = 2"


def test_a_run_above_its_ceiling_stops_the_table_of_theory() -> None:
    with pytest.raises(PageError, match="RR, L = 1, seed 0 lies above its ceiling"):
        page.theory("RR", 1, [row("RR", 0.45, ceiling=0.4)])


def test_pairs_and_models_without_one_are_told_apart() -> None:
    search = {"samples": 256}
    pair = {"a": {"z0": 1, "tables": [[0, 1]]}, "b": {"z0": 1, "tables": [[0, 0]]}}
    pair |= {"expected_a": 1, "expected_b": 0, "output_a": 0, "output_b": 0}
    common = {"word": "RF", "label": "RF", "m": 2, "n": [], "asked": 8, "searches": [search], "pairs_of_one_state": 0}
    exact = common | {"every_input": True, "wrong": 0, "pairs": 0, "some_pairs": []}
    lossy = common | {"label": "1 bit", "every_input": False, "wrong": 3, "pairs": 2, "some_pairs": [pair]}
    lines = page.handed_over([exact, exact, lossy]).splitlines()
    assert lines[2] == "| RF | m = 2 | 2 | all inputs | 0 | 512 | 0 | none |"
    assert lines[3] == (
        "| RF, 1 bit | m = 2 | 1 | 8 | 3 | 256 | 2 | z_0 = 1, tables 0 1 and 0 0: right 1 and 0, said 0 both times |"
    )
