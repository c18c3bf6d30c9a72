"""Experiments: plans, what is kept of a run, any device, ceilings that are checked, figures from the table alone."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from inline_executor import Inline
from tiny_plans import GROUP, tiny_plan

import separation
from separation.experiments import load_plan, read_csv
from separation.experiments.proved import state_of_c3
from separation.experiments.runs import NAMES, Run, kept_at
from separation.files import InputError
from separation.verbs.experiment import ExperimentReport

pytest.importorskip("torch", reason="training needs torch")

import torch
from safetensors import safe_open

from separation.experiments.composition import Composition
from separation.experiments.training import Recipe, train
from separation.numeric.devices import available_devices


def without_times(path: Path) -> list[dict[str, str]]:
    return [{name: value for name, value in row.items() if name != "cpu_seconds"} for row in read_csv(path)]


def test_every_shipped_plan_can_be_read_and_gives_every_point_enough_seeds() -> None:
    """Three in full plans, five in depth; words of one size are trained for as many steps."""
    for name, quick in product(NAMES, (True, False)):
        runs = load_plan(name, quick).runs
        assert len({run.key for run in runs}) == len(runs)
        steps: dict[tuple[object, ...], set[int]] = {}
        seeds: dict[tuple[object, ...], set[int]] = {}
        for run in runs:
            steps.setdefault((run.m, run.n, run.task, run.setting("model", "")), set()).add(run.steps)
            seeds.setdefault((run.word, run.label, run.m, run.n, run.settings, run.recipe), set()).add(run.seed)
            assert run.seed > 3  # those to 3 were used to choose the recipe
        assert all(len(each) == 1 for each in steps.values())
        for found in seeds.values() if not quick else ():
            assert len(found) >= 3
        if name == "depth" and not quick:
            assert all(len(found) >= 5 for (_, label, *_), found in seeds.items() if not label)


@pytest.mark.parametrize(
    "shared", [{"executor": Inline(sends=True)}, pytest.param({"workers": 2}, marks=pytest.mark.slow)]
)
def test_the_same_table_whoever_trains(shared: dict[str, Any], tmp_path: Path) -> None:
    plan = tiny_plan(tmp_path)
    one = separation.experiment("depth", plan=plan, out=tmp_path / "one", workers=1)
    two = separation.experiment("depth", plan=plan, out=tmp_path / "two", **shared)
    assert without_times(one.csv) == without_times(two.csv)
    assert [row["word"] for row in one.rows] == ["RF", "RF", "R", "R"]
    assert (tmp_path / "one" / "depth.svg").is_file()
    assert len(one.csv.read_text().splitlines()) == 1 + len(one.rows)


def test_a_killed_run_goes_on_and_ends_in_the_same_table(tmp_path: Path) -> None:
    plan = tiny_plan(tmp_path, {"steps": 40})
    command = f"-m separation experiment depth --plan {plan} --workers 1 --out {tmp_path / 'killed'}".split()
    quiet = subprocess.DEVNULL
    killed = subprocess.Popen([sys.executable, *command], stdout=quiet, stderr=quiet)
    runs = tmp_path / "killed" / "runs"
    while not (runs.is_dir() and list(runs.glob("*.safetensors"))):
        assert killed.poll() is None
        time.sleep(0.05)
    os.kill(killed.pid, signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / "killed" / "depth.csv").exists()
    assert list(runs.glob("*.safetensors"))
    tiny_plan(tmp_path, {"steps": 40, "seeds": [0], "words": ["RF"]})
    went_on = separation.experiment("depth", plan=plan, out=tmp_path / "killed", workers=1)
    undisturbed = separation.experiment("depth", plan=plan, out=tmp_path / "whole", workers=1)
    assert without_times(went_on.csv) == without_times(undisturbed.csv)


def test_what_is_in_the_table_is_not_trained_again_but_with_another_recipe(tmp_path: Path) -> None:
    plan = tiny_plan(tmp_path)
    first = separation.experiment("depth", plan=plan, out=tmp_path / "a", workers=1)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "depth.csv").write_bytes(first.csv.read_bytes())
    second = separation.experiment("depth", plan=plan, out=tmp_path / "b", workers=1, finished=True)
    assert (first.rows, first.csv.read_bytes()) == (second.rows, second.csv.read_bytes())
    assert not (tmp_path / "b" / "runs").exists()
    tiny_plan(tmp_path, queries=2)
    with pytest.raises(InputError, match="no run of depth is finished"):
        separation.experiment("depth", plan=plan, out=tmp_path / "b", workers=1, finished=True)
    third = separation.experiment("depth", plan=plan, out=tmp_path / "b", workers=1)
    assert len(list((tmp_path / "b" / "runs").glob("*.json"))) == len(third.rows) == 4
    assert not {row["key"] for row in third.rows} & {row["key"] for row in first.rows}


def test_a_checkpoint_that_is_no_checkpoint_starts_again(tmp_path: Path) -> None:
    plan = tiny_plan(tmp_path)
    first = separation.experiment("depth", plan=plan, out=tmp_path / "a", workers=1)
    (tmp_path / "b" / "runs").mkdir(parents=True)
    for run in load_plan("depth", path=plan).runs:
        (tmp_path / "b" / "runs" / f"{run.key}.safetensors").write_bytes(b"not a checkpoint")
    second = separation.experiment("depth", plan=plan, out=tmp_path / "b", workers=1)
    assert without_times(first.csv) == without_times(second.csv)


def test_a_run_above_its_ceiling_is_an_alarm(tmp_path: Path) -> None:
    row = {"low": 0.5, "ceiling": 0.4}
    report = ExperimentReport("depth", "", [row], tmp_path, tmp_path)
    assert not report.ok
    assert ExperimentReport("depth", "", [{"low": 0.4, "ceiling": 0.4}], tmp_path, tmp_path).ok


def test_a_state_of_few_bits_has_a_ceiling_below_one(tmp_path: Path) -> None:
    settings = {"bits": 1, "keys": 1, "values": 1, "width": 16, "head": 4, "inner": 16}
    plan = tiny_plan(tmp_path, {"words": ["RR"], "steps": 2, "settings": settings})
    report = separation.experiment("capacity", plan=plan, out=tmp_path, workers=1)
    row = report.rows[0]
    assert row["lambda"] == 2
    assert row["theorem"]
    assert 1 / 4 < row["ceiling"] < 1
    expected = separation.ceiling("RR", m=4, beta=1, state_bits=2).document()["ceiling_float"]
    assert row["ceiling"] == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = [", "not TOML"),
        ('title = "t"', "no groups of runs called full"),
        ("[[full]]\nwords = ['F']\nm = 2\nseeds = [0]\nstep = 3", "unknown key 'step'"),
        ("[[full]]\nwords = ['F']\nm = 2", "not all of words, m, seeds and steps"),
        ("[recipe]\nbatch = 3\n[[full]]\nwords = ['F']", "the recipe has the unknown key 'batch'"),
    ],
)
def test_a_plan_that_cannot_be_meant_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        load_plan("depth", path=path)


def test_the_built_point_of_the_capacity_figure_is_what_the_proof_counts() -> None:
    for m in (4, 5):
        assert separation.prove("C3", L=1, m=m, n=()).proof.state_bits == state_of_c3(m)


def test_a_checkpoint_holds_float32_tensors_of_every_weight(tmp_path: Path) -> None:
    run = Run("depth", "funccomp", "RF", 4, (), 0, 4, "", tuple(GROUP["settings"].items()))
    problem = Composition(run)
    train(problem, run, Recipe(**load_plan("depth").recipe | {"tables": 2, "queries": 4, "interval": 2}), tmp_path)
    with safe_open(kept_at(tmp_path, run, "safetensors"), "pt") as file:
        assert file.metadata()["step"] == "2"
        found = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    assert {name for name in found if name.startswith("weight.")} == {
        f"weight.{name}" for name, _ in problem.network.named_parameters()
    }
    assert {value.dtype for value in found.values()} == {torch.float32}


@pytest.mark.gpu
@pytest.mark.skipif("cuda" not in available_devices(), reason="needs CUDA")
def test_a_gpu_gives_the_accuracy_of_the_cpu_within_the_interval(tmp_path: Path) -> None:
    settings = {"bits": 8, "width": 32, "inner": 32}
    group = {"words": ["FF"], "seeds": [0], "steps": 60, "settings": settings}
    plan = tiny_plan(tmp_path, group, tables=8, queries=8)
    cpu, gpu = (
        separation.experiment("depth", plan=plan, out=tmp_path / device, device=device, workers=1).rows[0]
        for device in ("cpu", "cuda")
    )
    assert cpu["low"] <= gpu["high"]
    assert gpu["low"] <= cpu["high"]
