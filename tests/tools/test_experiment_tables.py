"""The tables of the experiments: of the runs that the plans name, below their ceilings, and from made-up files."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from separation.experiments import load_plan, read_csv
from tools.docs import PageError
from tools.docs import experiments as page

NAMES = ("sparse", "recurrence", "shift")


def runs_in(folder: Path, name: str) -> list[tuple[str, str, int, int]]:
    return [
        (row["word"], row["label"], int(row["seed"]), int(row["steps"])) for row in read_csv(folder / f"{name}.csv")
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_table_has_every_run_of_the_full_plan(name: str) -> None:
    planned = [(run.word, run.label or run.word, run.seed, run.steps) for run in load_plan(name).runs]
    assert runs_in(page.FOLDER, name) == planned
    assert planned != [(run.word, run.label, run.seed, run.steps) for run in load_plan(name, quick=True).runs]
    assert {(page.FOLDER / f"{name}.{kind}").is_file() for kind in ("png", "svg")} == {True}


def test_a_run_above_its_ceiling_stops_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "0.905 (D')" in page.sparse()
    shutil.copy(page.FOLDER / "sparse.csv", tmp_path)
    table = tmp_path / "sparse.csv"
    table.write_text(table.read_text().replace("0.9050382822751999", "0.55"))
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


def test_a_run_above_its_ceiling_stops_the_table_of_theory() -> None:
    with pytest.raises(PageError, match="RR, L = 1, seed 0 lies above its ceiling"):
        page.theory("RR", 1, [row("RR", 0.45, ceiling=0.4)])
