"""The exact accuracy of trained weights: every wrong answer counted once, ties with them, and an input shown."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from safetensors.torch import load_file
from tiny_plans import tiny_plan
from torch import nn

import separation
from separation.experiments import load_plan, read_csv
from separation.experiments.composition import Composition
from separation.experiments.exact import all_inputs_asked, hard_inputs_asked
from separation.experiments.executing import finished_run
from separation.experiments.runs import Run, kept_at
from separation.tasks.funccomp import FuncComp
from separation.verbs.command_line import run as command


class Oracle(nn.Module):
    """Right on all inputs but some, the more the larger ``wrong``; ``tied``: other logits are as large as the right."""

    def __init__(self, problem: Composition, wrong: int = 0, tied: bool = False) -> None:
        super().__init__()
        self.problem, self.wrong, self.tied = problem, wrong, tied

    def forward(self, prompts: torch.Tensor) -> list[torch.Tensor]:
        answers = torch.as_tensor(self.problem.right_hops(prompts.numpy()))[..., -1]
        odd = prompts[:, :1] * 31 + prompts[:, 1:2] * 17 + answers < self.wrong
        values = self.problem.sizes.N[-1]
        logits = nn.functional.one_hot((answers + odd.long()) % values, values).double()
        return [(logits.cumsum(-1) if self.tied else logits)[:, :, None]]

    def logits(self, stream: torch.Tensor, layer: int = -1) -> torch.Tensor:  # noqa: ARG002
        return stream


def answered_by(wrong: int = 0, tied: bool = False, m: int = 4) -> Composition:
    problem = Composition(Run("exact", "funccomp", "RF", m, (), 0, 0))
    problem.network = Oracle(problem, wrong, tied)
    return problem


def test_a_network_that_is_right_on_every_input_has_no_mistake() -> None:
    exact = all_inputs_asked(answered_by())
    assert (exact.inputs, exact.wrong, exact.first) == (4**4 * 4, 0, "")
    assert hard_inputs_asked(answered_by()) == ""


def test_every_wrong_answer_is_counted_once_and_ties_with_them() -> None:
    problem = answered_by(wrong=3)
    prompts = np.concatenate(list(FuncComp(problem.sizes).all_prompts(100)))
    said, right = problem.answers(prompts)[:, -1], FuncComp(problem.sizes).right_answers(prompts)
    exact = all_inputs_asked(problem, kept=4)
    assert (exact.inputs, exact.wrong) == (4**4 * 4, int((said != right).sum()))
    assert 0 < exact.wrong < exact.inputs
    np.testing.assert_array_equal(exact.prompts, prompts[said != right][:4])
    np.testing.assert_array_equal(exact.said[:, 0], said[said != right][:4])
    assert exact.first == f"{' '.join(map(str, exact.prompts[0]))}: right {exact.right[0, 0]}, said {exact.said[0, 0]}"
    tied = answered_by(tied=True)  # argmax takes the first of the largest: it is right, but by luck
    assert (tied.answers(prompts)[:, -1] == right).all()
    assert all_inputs_asked(tied).wrong == int((right < 3).sum())


def test_more_inputs_are_not_all_asked_but_a_hard_one_is_found() -> None:
    problem = answered_by(wrong=3, m=8)
    assert all_inputs_asked(problem) is None
    ids, said = hard_inputs_asked(problem).split(": right ")
    prompt = np.array([list(map(int, ids.split()))])
    right = int(FuncComp(problem.sizes).right_answers(prompt)[0])
    assert said == f"{right}, said {problem.answers(prompt)[0, -1]}" != f"{right}, said {right}"


def test_the_weights_that_were_asked_are_kept(tmp_path: Path) -> None:
    small = {"m": 2, "seeds": [11], "settings": {"bits": 8, "width": 32}}
    plan = tiny_plan(tmp_path, {"words": ["RF"], "steps": 100} | small, {"words": ["R"], "steps": 1} | small)
    report = separation.experiment("exact", plan=plan, out=tmp_path, workers=1)
    assert [row["inputs"] for row in report.rows] == [8, 8]
    assert [row["wrong"] > 0 for row in report.rows] == [bool(row["mistake"]) for row in report.rows] == [False, True]
    for run, row in zip(load_plan("exact", path=plan).runs, report.rows, strict=True):
        again = Composition(run)
        again.network.load_state_dict(
            load_file(kept_at(tmp_path / "runs", run, "weights.safetensors")), strict=False
        )  # codes once
        assert all_inputs_asked(again).wrong == row["wrong"]


BARE = Run("exact", "funccomp", "FF", 2, (), 3, 60, "", (("model", "bare"),), tuple(load_plan("exact").recipe.items()))


def test_the_kernel_and_float64_count_the_same_of_a_bare_transformer(tmp_path: Path) -> None:
    row = finished_run(BARE, tmp_path)
    assert (row["inputs"], row["certified"]) == (8, 8 - row["wrong"])
    path = kept_at(tmp_path, BARE, "certificate.json")
    assert command(["check", str(path)]) == 0


@pytest.mark.parametrize("name", ["F", "FF"])
def test_the_trained_weights_beside_the_page_have_the_count_of_the_table(name: str, tmp_path: Path) -> None:
    folder = Path(__file__).resolve().parents[2] / "docs" / "experiments"
    path = folder / f"trained-{name}.json"
    assert command(["check", str(path)]) == 0
    document = json.loads(path.read_text())
    wanted = {"word": name, "label": "bare", "m": "3", "seed": "11"}
    (row,) = (row for row in read_csv(folder / "exact.csv") if wanted.items() <= row.items())
    assert (str(document["claim"]["inputs"]), str(document["claim"]["right"])) == (row["inputs"], row["certified"])
    document["claim"]["right"] = int(document["claim"]["right"]) - 1
    document["claim"]["margin"] = None
    (tmp_path / "other.json").write_text(json.dumps(document))
    assert command(["check", str(tmp_path / "other.json")]) == 1
