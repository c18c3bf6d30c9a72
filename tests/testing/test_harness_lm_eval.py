"""lm-evaluation-harness runs the tasks: on a tiny random model, on right replies and on wrong ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lm_eval", reason="lm-evaluation-harness is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("HF_DATASETS_OFFLINE", "1")

from harness_models import save_random_model

from separation.testing.harnesses import FOLDERS, harness_rows

FEW = {"hops": [1, 2], "lengths": [8], "count": 2}
pytestmark = pytest.mark.filterwarnings("ignore")  # what the harness and its packages warn of is not ours


def results(model: Any, task: str = "separation_funccomp", **further: Any) -> dict[str, float]:
    import lm_eval
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(FOLDERS["lm-evaluation-harness"]), metadata=FEW)
    found = lm_eval.simple_evaluate(
        model=model, tasks=[task], task_manager=manager, metadata=FEW, bootstrap_iters=0, **further
    )
    assert found is not None
    told: dict[str, float] = found["results"][task]
    return {name.removesuffix(",none"): value for name, value in told.items()}


def replying(task: str, reply: Any) -> Any:
    """A model of the harness that replies what it is told to, row by row."""
    from lm_eval.api.model import LM

    by_text = {row["text"]: row for row in harness_rows(task, FEW)}

    class Told(LM):
        def loglikelihood(self, _requests: Any) -> Any:
            raise NotImplementedError

        def loglikelihood_rolling(self, _requests: Any) -> Any:
            raise NotImplementedError

        def generate_until(self, requests: Any) -> list[str]:
            return [reply(by_text[request.args[0]]) for request in requests]

    return Told()


@pytest.mark.parametrize("task", ["funccomp", "two_sum", "induction"])
def test_right_replies_score_one_and_others_score_nothing(task: str) -> None:
    name = f"separation_{task}" if task != "induction" else "separation_program"
    right = results(replying(task, lambda row: f" {row['target']}"), name)
    assert (right["accuracy"], right["readable"]) == (1.0, 1.0)
    talk = results(replying(task, lambda row: f"I think {row['target']}"), name)
    assert (talk["accuracy"], talk["readable"]) == (0.0, 0.0)
    if task == "funccomp":
        half = results(replying(task, lambda row: row["target"] if row["hops"] == 1 else "999"), name)
        assert (half["hops_1"], half["hops_2"], half["hops_3"]) == (1.0, 0.0, -1.0)
        assert 0 < half["accuracy"] < half["readable"] == 1.0


def test_a_tiny_random_model_is_asked(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    pytest.importorskip("accelerate", reason="the harness loads models with accelerate")
    save_random_model(tmp_path)
    found = results("hf", model_args={"pretrained": str(tmp_path), "device": "cpu"}, limit=3, batch_size=1)
    assert 0.0 <= found["accuracy"] <= found["readable"] <= 1.0
