"""Pictures of the docs have their numbers beside them, fresh; what docs/theory.md says of the example is so."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from separation.bounds import golden_exponent
from separation.bounds.recursion import Rule
from separation.tasks import load_any_instance
from separation.tasks.funccomp import hops
from separation.verbs.simulate import simulate
from separation.verbs.solve import solve
from tools.docs.figures import COMMANDS, FOLDER, ROOT, RUNNING, budget_rows, write_budget

THEORY = (ROOT / "docs" / "theory.md").read_text(encoding="utf-8")
WORDS = ("task", "matrix")
"""They show an input that is a file, and verdicts: words, no numbers."""
NAMES = (*COMMANDS, "budget", "task")


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_there_with_its_numbers_and_on_a_page(name: str) -> None:
    picture = ROOT / FOLDER / f"{name}.svg"
    assert picture.read_bytes().startswith(b"<?xml")
    assert any(picture.with_suffix(suffix).is_file() for suffix in (".csv", ".jsonl")) or name in WORDS
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    assert any(f"figures/{name}.svg" in page.read_text(encoding="utf-8") for page in pages)


@pytest.mark.parametrize("name", ["attention", "hops"])
def test_numbers_of_attention_are_those_of_the_run(name: str, tmp_path: Path) -> None:
    chosen = {"instance": ROOT / RUNNING} if name == "attention" else {"L": 3, "m": 2, "n": (2, 2), "seed": 7}
    solve("C1", **chosen, figure=tmp_path / "now.svg")  # type: ignore[arg-type]
    kept = (ROOT / FOLDER / f"{name}.csv").read_text()
    assert (tmp_path / "now.csv").read_text() == kept
    solve("C1", L=2, m=2, n=(2,), seed=0, figure=tmp_path / "other.svg")
    assert (tmp_path / "other.csv").read_text() != kept, "another input has other numbers"


def test_numbers_of_the_budget_are_computed(tmp_path: Path) -> None:
    write_budget(tmp_path)
    assert (tmp_path / "budget.csv").read_text() == (ROOT / FOLDER / "budget.csv").read_text()
    for n, told, asked, certified in budget_rows():
        assert certified == (told < asked), n


def test_messages_of_the_picture_are_those_of_the_players() -> None:
    report = simulate("C1", instance=ROOT / RUNNING)
    assert report.ok
    kept = [json.loads(line) for line in (ROOT / FOLDER / "players.jsonl").read_text().splitlines()]
    assert len(kept) >= len(report.document()["messages"])


def test_exponents_of_the_picture_are_the_golden_ones() -> None:
    rows = list(csv.DictReader((ROOT / FOLDER / "exponents.csv").read_text().splitlines()))
    found = {int(row["L"]): int(row["theorem_a"]) for row in rows}
    assert found == {L: golden_exponent(Rule.A, L) for L in found}
    said = ", ".join(f"n^{{1/{golden_exponent(Rule.A, L)}}}" for L in (2, 3, 4))
    assert f"that is {said} for L = 2, 3, 4" in " ".join(THEORY.split())


def test_what_the_story_says_of_the_example() -> None:
    instance = load_any_instance(ROOT / RUNNING)
    found, text = hops(instance), " ".join(THEORY.split())  # type: ignore[arg-type]
    z1, z2 = instance.tables  # type: ignore[union-attr]
    start, digit, m = instance.z0, instance.w[0], instance.sizes.m  # type: ignore[union-attr]
    address = digit * m + found[1]
    assert f"leads to entry {start} of table 1, which says {z1[start]}" in text
    assert f"table 2 is asked at {digit}·{m} + {found[1]} = {address}; there it says {z2[address]}." in text
    assert f"players 2, 1, 0 and −1 have {len(z2)}, {len(z1)}, 1 and 1 tokens" in text
    assert found[-1] == z2[address]
