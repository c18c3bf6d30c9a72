"""inspect-ai runs the tasks: on a tiny random model, on replies that are right, and on replies that are not."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="inspect-ai is not installed")

from harness_models import save_random_model

from separation.testing.harnesses import FOLDERS, harness_rows

FEW = {"hops": [1, 2], "lengths": [8], "count": 2}
pytestmark = pytest.mark.filterwarnings("ignore")  # what the harness and its packages warn of is not ours


@pytest.fixture(scope="module")
def tasks() -> ModuleType:
    place = importlib.util.spec_from_file_location("separation_tasks", FOLDERS["inspect-ai"] / "separation_tasks.py")
    assert place is not None
    assert place.loader is not None
    module = importlib.util.module_from_spec(place)
    place.loader.exec_module(module)
    return module


def metrics(task: Any, model: Any, logs: Path, **further: Any) -> dict[str, float]:
    import inspect_ai

    (log,) = inspect_ai.eval(task, model=model, display="none", log_dir=str(logs), **further)
    assert log.status == "success", log.error
    assert log.results is not None
    return {name: each.value for score in log.results.scores for name, each in score.metrics.items()}


def replying(task: str, replies: Any) -> Any:
    """A model of the harness that replies what it is told to, row by row."""
    from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi

    rows = {row["text"]: row for row in harness_rows(task, FEW)}

    @modelapi(name="told")
    class Told(ModelAPI):
        async def generate(self, input: Any, *_rest: Any, **_further: Any) -> ModelOutput:
            return ModelOutput.from_content("told", replies(rows[input[-1].text]))

        async def count_text_tokens(self, text: str) -> int:  # the harness's own way asks the network
            return len(text)

    return get_model("told/model", memoize=False)


def test_right_replies_score_one_and_others_score_nothing(tasks: ModuleType, tmp_path: Path) -> None:
    task = tasks.separation_funccomp(**FEW)
    assert all(sample.metadata["canary"] in sample.input for sample in task.dataset)
    right = metrics(task, replying("funccomp", lambda row: row["target"]), tmp_path)
    assert (right["accuracy"], right["readable"]) == (1.0, 1.0)
    talk = metrics(task, replying("funccomp", lambda row: f"I think {row['target']}"), tmp_path)
    assert (talk["accuracy"], talk["readable"]) == (0.0, 0.0)
    half = metrics(
        task, replying("funccomp", lambda row: f"Answer: {row['target'] if row['hops'] == 1 else 999}"), tmp_path
    )
    assert 0 < half["accuracy"] < half["readable"] == 1.0
    assert (half["1"], half["2"]) == (1.0, 0.0)
    other = tasks.separation_two_sum(lengths=[8], count=2)
    assert metrics(other, replying("two_sum", lambda row: row["target"]), tmp_path)["accuracy"] == 1.0
    own = tasks.separation_program(program="induction", lengths=[8], count=2)
    assert metrics(own, replying("induction", lambda row: f"Answer: {row['target']}"), tmp_path)["accuracy"] == 1.0


def test_settings_are_typed_and_unknown_ones_refused(tasks: ModuleType, tmp_path: Path) -> None:
    import inspect_ai

    file = str(FOLDERS["inspect-ai"] / "separation_tasks.py")
    typed = {"lengths": 8, "count": 1, "program": "copying", "sizes": "n=4;V=2", "families": False}
    model = replying("funccomp", lambda _row: "")
    (log,) = inspect_ai.eval(
        f"{file}@separation_program", model=model, task_args=typed, limit=0, display="none", log_dir=str(tmp_path)
    )
    assert log.eval.task_args["sizes"] == "n=4;V=2"
    assert len(tasks.separation_program(**typed).dataset) == 1
    with pytest.raises(ValueError, match="cuont: no such setting"):
        tasks.separation_mqar(cuont=2)


def test_a_tiny_random_model_is_asked(tasks: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    pytest.importorskip("accelerate", reason="the harness loads models with accelerate")
    save_random_model(tmp_path / "model")
    told = {"model_path": str(tmp_path / "model"), "tokenizer_path": str(tmp_path / "model"), "device": "cpu"}
    found = metrics(tasks.separation_funccomp(**FEW), "hf/local", tmp_path, model_args=told, limit=3)
    assert 0.0 <= found["accuracy"] <= found["readable"] <= 1.0
