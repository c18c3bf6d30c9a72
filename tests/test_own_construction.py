"""A construction of one's own: as an object, as a file, with or without invariants; and the names to build it with."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

import separation
from separation.proving import Construction, save_construction
from separation.verbs.commands import application

BUILDERS = [
    *("Stream", "Blocks", "Head", "LinearHead", "DeltaHead", "SparseHead", "MLP", "Layer", "Model", "Segment"),
    *("InvariantBuilder", "Construction", "Sizes", "FuncComp", "TwoSum", "TwoSumSizes", "infer"),
]
SIZES = separation.Sizes(3, (2,))


@pytest.fixture
def built() -> Construction:
    return replace(separation.build("C1", SIZES), name="mine")


@pytest.fixture
def broken(built: Construction) -> Construction:
    """The last layer reads the wrong table."""
    layers = built.model.layers
    return replace(built, model=replace(built.model, layers=(*layers[:2], layers[1])), stages=())


@pytest.mark.parametrize("name", BUILDERS)
def test_builders_have_examples(name: str) -> None:
    """Which are run with all others."""
    assert ">>> " in getattr(separation, name).__doc__


def test_builders_are_public_and_load_nothing_before_they_are_used() -> None:
    assert set(BUILDERS) <= set(separation.__all__)
    told = "import sys, separation; print(*(name for name in sys.modules if name.startswith('separation.')))"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout
    assert found == "separation.lazily\n"


def test_every_verb_takes_the_object(built: Construction) -> None:
    assert separation.prove(built).verdict == "proved"
    assert separation.solve(built, seed=3).ok
    assert separation.simulate(built, seed=3).ok
    assert separation.check(built).ok
    assert separation.show(built, layer=2).document()["construction"] == "mine"
    found = separation.fool(built, seconds=2.0, samples=50)
    assert found.document()["subject"]["construction"] == "mine"
    assert not found.ok  # C1 is right: there is no pair


def test_crosscheck_takes_the_object_and_the_file(built: Construction, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    bare = replace(built, stages=())
    for given in (built, bare):
        report = separation.crosscheck(given, instances=4, device="cpu", dtype="float64")
        assert report.ok
        assert report.result.bound is not None
    save_construction(tmp_path / "bare.json", bare)
    report = separation.crosscheck(model=tmp_path / "bare.json", instances=4, device="cpu", dtype="float64")
    assert report.ok


def test_a_wrong_object_is_told_as_wrong_by_every_verb(broken: Construction) -> None:
    assert separation.prove(broken).verdict == "refuted"
    checked = separation.check(broken)
    assert not checked.ok
    assert checked.claim == {}
    assert any(not separation.solve(broken, seed=seed).ok for seed in range(10))


def test_an_object_brings_its_own_sizes(built: Construction) -> None:
    for verb in (separation.prove, separation.solve, separation.show, separation.simulate, separation.fool):
        with pytest.raises(separation.InputError, match="brings its own sizes"):
            verb(built, m=4)
    with pytest.raises(separation.InputError, match="only a pair can be replayed"):
        separation.check(built, replay=True)


def test_show_and_infer_read_files_that_state_nothing(built: Construction, tmp_path: Path) -> None:
    path = tmp_path / "bare.json"
    save_construction(path, replace(built, stages=()))
    assert "invariants" not in json.loads(path.read_text())
    shown = CliRunner().invoke(application(["show", "infer"]), ["show", "--model", str(path), "--json"])
    document = json.loads(shown.output)
    assert document["inferred"] is True
    assert "pointer = code(i2)" in document["layers"][-1]["after"]["w"]
    inferred = separation.infer(path)
    assert inferred.stages[-1]["w"] == document["layers"][-1]["after"]["w"]
    text = CliRunner().invoke(application(["show", "infer"]), ["infer", "--model", str(path)])
    assert text.exit_code == 0
    assert "the right answer follows" in text.output
