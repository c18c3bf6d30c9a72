"""What a run would cost is estimated first: too much is refused with the estimate, unless --force."""

from __future__ import annotations

from pathlib import Path

import pytest

from separation.files import InputError
from separation.verbs import subjects as cost
from separation.verbs.command_line import run
from separation.verbs.subjects import chosen_construction, chosen_search, chosen_sizes

GIGABYTE = 1 << 30


@pytest.fixture(autouse=True)
def eight_gigabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "free_memory", lambda: 8 * GIGABYTE)


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("constructions --L 100", "the table at these sizes would take about"),
        (f"constructions --tokens {10**300}", "the table at these sizes would take about"),
        ("prove C1 --L 100", "C1 at these sizes, with about 4e+08 weights, would take about"),
        ("solve C1 --L 128 --tokens 16", "C1 at these sizes"),
        ("show C2 --L 100", "C2 at these sizes"),
        ("prove C3 --L 12", "C3 at these sizes"),
    ],
)
def test_too_much_is_refused_with_the_estimate(line: str, part: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 2
    captured = capfd.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("separation: error: ")
    assert part in captured.err
    if "would take" in captured.err:
        assert "GB of memory (8.0 GB are free)" in captured.err
        assert captured.err.endswith("or --force\n")


def test_force_starts_it_all_the_same(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(cost, "free_memory", lambda: 1000)
    assert run(["prove", "C1", "--L", "1"]) == 2
    assert run(["prove", "C1", "--L", "1", "--force"]) == 0
    assert run(["show", "C1", "--L", "1", "--force"]) == 0
    capfd.readouterr()


def test_without_a_word_of_the_system_only_time_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost, "free_memory", lambda: None)
    cost.require_affordable("it", 1e18, 1e5)
    with pytest.raises(InputError, match=r"^it would take about 0\.0 GB of memory and 2\.0 hours; take smaller sizes"):
        cost.require_affordable("it", 1.0, 2.4e8)


def test_the_estimate_is_near_what_is_built() -> None:
    """Above a quarter of the weights that are there: nothing that is refused is cheap, nothing dear is let through."""
    names = ("C1", "C2", "C3", "C4", "C5")
    small = [(name, chosen_sizes(L=L)) for name in names for L in (2, 4)]
    large = [(name, chosen_sizes(L=3, tokens=500 if name == "C3" else 10**5)) for name in names]
    searches = [(name, chosen_search(64, None)) for name in ("C6", "C7")]
    for name, sizes in small + large + searches:
        found = chosen_construction(name, None, {"force": True}, sizes).model.parameters
        assert found / 4 <= cost.weights_of(name, sizes) <= 40 * found, name


def test_a_model_file_of_thousands_of_layers_is_refused_with_the_estimate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "model.json"
    assert run(["prove", "C1", "--L", "1", "--m", "2", "--write-model", str(file)]) == 0
    assert chosen_construction(None, file, {}).model.word == "FF"
    monkeypatch.setattr(cost, "HOUR", 1e-3)  # as if each of its weights were millions
    with pytest.raises(InputError, match=r"model\.json, with 2 layers and about \S+ weights, would take about"):
        chosen_construction(None, file, {})
    assert chosen_construction(None, file, {"force": True}).model.word == "FF"
