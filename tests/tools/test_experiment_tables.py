"""The tables of the experiments: of the runs that the plans name, below their ceilings, and from made-up files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from separation.experiments import NAMES, load_plan, read_csv, write_csv
from separation.experiments.figures import LEARNED, grouped, solvable
from tools.docs import PageError
from tools.docs import experiments as page


def strays(name: str, folder: Path) -> list[str]:
    """Rows of no run of the plan; the key of a run has its recipe in it, so rows of another recipe are of no plan."""
    planned = {run.key for run in load_plan(name).runs}
    return [row["key"] for row in read_csv(folder / f"{name}.csv") if row["key"] not in planned]


@pytest.mark.parametrize("name", NAMES)
def test_the_committed_table_has_runs_of_the_plan_and_no_others(name: str, tmp_path: Path) -> None:
    assert strays(name, page.FOLDER) == []
    assert {(page.FOLDER / f"{name}.{kind}").is_file() for kind in ("png", "svg")} == {True}
    run, rows = load_plan(name).runs[0], read_csv(page.FOLDER / f"{name}.csv")
    assert rows
    others = [replace(run, seed=0), replace(run, recipe=(*run.recipe[1:], ("clip", 2.0)))]  # not shown; another recipe
    for other in others:
        write_csv(tmp_path / f"{name}.csv", [*rows, rows[0] | {"key": other.key}])
        assert strays(name, tmp_path) == [other.key]


def test_every_column_of_a_table_is_explained() -> None:
    text = (page.FOLDER.parent / "experiments.md").read_text(encoding="utf-8")
    assert [name for name in read_csv(page.FOLDER / "depth.csv")[0] if f"\n| `{name}` |" not in text] == []


def test_the_shortcuts_that_the_page_speaks_of_have_no_room() -> None:
    rows = [row for row in read_csv(page.FOLDER / "depth.csv") if row["L"] == "2"]
    m, n = int(rows[0]["m"]), int(rows[0]["n"])
    assert {row["lambda"] for row in rows if row["word"] == "RF"} == {"16"}
    assert {row["lambda"] for row in rows if row["word"] == row["label"] == "RRRF"} == {"12"}
    assert {row["beta"] for row in rows if row["word"] == "FFR"} == {"18"}
    assert (m * math.log2(m), n * math.log2(n * m)) == (24, 20)
    deep = next(row for row in read_csv(page.FOLDER / "depth.csv") if row["L"] == "3")
    assert (deep["m"], math.prod(map(int, deep["n"].split()))) == (str(m), n)  # so table 3 has the same count
    text = (page.FOLDER.parent / "experiments.md").read_text()
    assert "(16 bits) is smaller than table 1 (24 bits)" in " ".join(text.split())
    assert "(20 bits) are more than its 18 bits" in " ".join(text.split())


def test_the_words_below_the_figure_name_what_was_not_learned() -> None:
    able = [row for row in read_csv(page.FOLDER / "depth.csv") if solvable(row)]
    shares = {
        place: [float(row["accuracy"]) >= LEARNED for row in runs]
        for place, runs in grouped(able, lambda row: (row["word"], row["L"])).items()
    }
    failed = {place: sum(found) / len(found) for place, found in shares.items() if not all(found)}
    assert set(failed) == {("FFFR", "2"), ("FFFF", "3")}
    assert failed["FFFR", "2"] < 1 / 2 < failed["FFFF", "3"]
    readme = (page.FOLDER.parents[1] / "README.md").read_text()
    assert "all seeds learn, but for most of FFFR at two tables and some of FFFF at three" in readme


def test_a_run_above_its_ceiling_stops_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = read_csv(page.FOLDER / "capacity.csv")
    bounded = next(each for each in rows if each["ceiling"])
    assert f"{float(bounded['ceiling']):.3f} (" in page.summary("capacity")
    bounded["ceiling"] = str(float(bounded["low"]) - 0.01)
    write_csv(tmp_path / "capacity.csv", rows)
    monkeypatch.setattr(page, "FOLDER", tmp_path)
    with pytest.raises(PageError, match=f"RR, {bounded['label']} lies above its ceiling"):
        page.summary("capacity")


def test_the_worst_kind_of_inputs_is_the_lowest_mean() -> None:
    (line,) = [line for line in page.shift().splitlines() if line.startswith("| 2-Sum | uniform |")]
    means: dict[str, float] = {}
    runs = [row for row in read_csv(page.FOLDER / "shift.csv") if (row["task"], row["label"]) == ("two_sum", "uniform")]
    for row in runs:
        for name, share in (pair.split("=") for pair in row["shifted"].split()):
            means[name] = means.get(name, 0.0) + float(share) / len(runs)
    assert min(means.values()) < 1
    assert f"({min(means, key=means.__getitem__).replace('_', ' ')})" in line


def row(word: str, accuracy: float, **other: Any) -> dict[str, str]:
    usual = {"word": word, "label": word, "L": "1", "m": "4", "n": "", "seed": "0", "ceiling": "", "lambda": "0"}
    usual |= {"accuracy": str(accuracy), "low": str(accuracy - 0.01)}
    return usual | {name: str(value) for name, value in other.items()}


def test_the_sentence_counts_what_learned_and_names_the_best_that_could_not() -> None:
    rows = [row("FF", 1.0), row("FF", 0.5, seed=1), row("RR", 0.3, seed=7), row("F", 0.4)]
    rows.append(row("RR", 0.9, **{"lambda": 8}))  # as many bits as a table of 4
    assert page.sentence(rows) == (
        "1 of 2 runs of words with depth(word) ≥ L reach accuracy 0.99; of 2 runs of words of smaller depth the best,"
        " F at L = 1, reaches 0.400 (seeds 0 to 7). Not learned: FF at L = 1, seed 1 (0.500)."
        " Not counted: RR at L = 1 with 8 bits of state, room for table 1: 0.900."
    )
