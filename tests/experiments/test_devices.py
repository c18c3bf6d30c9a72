"""Training is in float32 on any device, and what it keeps of a run is tensors and nothing that can run."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from safetensors import safe_open
from tiny_plans import tiny_plan

import separation
from separation.experiments import load_plan
from separation.experiments.composition import Composition
from separation.experiments.runs import Run, kept_at
from separation.experiments.training import Recipe, train
from separation.numeric.devices import available_devices

SETTINGS = (("bits", 2), ("head", 4), ("inner", 16), ("width", 16))


def test_a_checkpoint_holds_float32_tensors_of_every_weight(tmp_path: Path) -> None:
    run = Run("depth", "funccomp", "RF", 4, (), 0, 4, "", SETTINGS)
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
