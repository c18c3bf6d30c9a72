"""`simulate` as a verb and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import separation
from separation.files import InputError
from separation.models import run as run_exactly
from separation.verbs.command_line import run


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("C1", {"L": 2}),
        ("C2", {"L": 2}),
        ("C2", {"L": 2, "word": "FRF", "family": "delta"}),
        ("C3", {"L": 2}),
        ("C6", {"length": 24}),
        ("RRF", {"L": 1}),
    ],
)
def test_constructions_as_players(name: str, options: dict[str, object]) -> None:
    report = separation.simulate(name, seed=3, **options)  # type: ignore[arg-type]
    assert report.ok
    assert report.equal
    assert report.simulation.transcript.agrees
    answers = run_exactly(report.subject.model, report.subject.ids).answers
    assert report.simulation.answers.tolist() == answers.tolist()


@pytest.mark.parametrize("word", ["RF", "FR", "F"])
def test_chains_of_thought(word: str) -> None:
    """Generated tokens belong to w, n counts them, the last player says each itself; the answer is the task's."""
    report = separation.simulate("C5", L=2, word=word, seed=3)
    assert report.ok
    solved = separation.solve("C5", L=2, word=word, seed=3)
    assert report.generated == solved.outputs
    assert report.subject.cut.lengths[-1] == len(report.generated)
    document = report.document()
    assert document["tokens"] == report.subject.prompt + len(report.generated) - 1
    assert document["answer"] == document["expected"] == solved.expected


def test_the_answer_and_the_players_of_funccomp() -> None:
    document = separation.simulate("C1", L=2, m=3, n=(2,), seed=5).document()
    solved = separation.solve("C1", L=2, m=3, n=(2,), seed=5)
    assert (document["answer"], document["expected"]) == (solved.answer, solved.expected)
    assert [(player["name"], player["tokens"]) for player in document["players"]] == [
        *(("z_2", 6), ("z_1", 3), ("z_0", 1), ("w", 1)),
    ]
    assert document["beta"] == document["beta_formula"]
    assert separation.simulate(word="RF", seed=2).document()["expected"] is None


def test_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines, figure = tmp_path / "m.jsonl", tmp_path / "m.svg"
    assert run(["simulate", "--word", "R[FR]F", "--cut", "3,5,2", "--out", str(lines), "--figure", str(figure)]) == 0
    shown = capsys.readouterr().out
    assert "equal to the forward pass" in shown
    assert "equal their formulas" in shown
    messages = [json.loads(line) for line in lines.read_text().splitlines()]
    assert sorted({message["kind"] for message in messages}) == ["linear", "soft", "sum"]
    assert figure.read_text().lstrip().startswith("<?xml")


def test_an_instance_of_other_sizes(tmp_path: Path) -> None:
    report = separation.solve("C1", L=2)
    path = tmp_path / "instance.json"
    path.write_text(json.dumps(report.document()["instance"]))
    assert separation.simulate("C1", instance=path).ok
    with pytest.raises(InputError, match="an instance brings its own sizes: leave out --L"):
        separation.simulate("C1", instance=path, L=2)
    with pytest.raises(InputError, match="a random model reads a random prompt"):
        separation.simulate(word="F", instance=path)


def test_a_difference_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """A protocol that goes wrong: exit 1, and the layer is named."""
    from separation.protocol import Protocol

    monkeypatch.setattr(Protocol, "added", lambda _self, totals, _parts, _first: totals)
    assert run(["simulate", "C1", "--L", "2"]) == 1
    assert "differs from the forward pass after layer" in capsys.readouterr().out
