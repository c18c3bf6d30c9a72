"""Stock builds as ONNX graphs: what two programs that nobody here wrote answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("onnx", reason="onnx is not installed")
pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")

import separation
from constructions.stock import target
from separation.numeric.onnx.graph import RUNNERS, check_graph
from separation.numeric.onnx.networks import stock_graph
from separation.numeric.stock_models import every_look_up, questions
from separation.tasks.funccomp import Sizes, enumerate_token_ids
from separation.verbs import export as export_onnx
from separation.verbs.command_line import run

STOCK = ("gpt2", "llama")
TINY = Sizes(2, (2,))


def graph_of(to: str, sizes: Sizes, style: str = "standard", change: str | None = None, by: float = 0.0) -> Any:
    checkpoint = target(to).build(sizes)
    tensors = dict(checkpoint.tensors)
    if change is not None:
        place = np.unravel_index(np.abs(tensors[change]).argmax(), tensors[change].shape)
        tensors[change] = tensors[change].copy()
        tensors[change][place] += by
    return stock_graph(checkpoint.config, tensors, sizes.length, style=style)


@pytest.mark.parametrize("to", STOCK)
@pytest.mark.parametrize("runner", RUNNERS)
@pytest.mark.parametrize(("sizes", "style"), [(Sizes(3, ()), "standard"), (Sizes(3, (2, 2)), "plain")], ids=str)
def test_answers_are_right_and_logits_stay_within_the_bound(to: str, style: str, runner: str, sizes: Sizes) -> None:
    """All inputs of one table; every look-up and hard inputs of three."""
    prompts, expected, every = questions(sizes, seed=3)
    if sizes.L == 1:
        prompts, expected = next(enumerate_token_ids(sizes, 1000))
        assert len(prompts) == sizes.count_inputs()
    assert every
    plan = target(to).plan(sizes)
    check = check_graph(graph_of(to, sizes, style), runner, prompts, expected, target(to).ideal_logits(plan, expected))
    bound = target(to).certify(target(to).checkpoint(plan)).bound
    assert check.ok
    assert check.max_error <= bound


@pytest.mark.parametrize(
    ("to", "tensor", "by"),
    [
        ("gpt2", "transformer.h.1.attn.c_proj.weight", -2.0),
        ("llama", "model.layers.1.self_attn.o_proj.weight", -2.0),
        ("gpt2", "transformer.h.2.attn.c_attn.bias", 400.0),
    ],
)
def test_one_changed_number_is_seen_by_both_programs(to: str, tensor: str, by: float) -> None:
    found = every_look_up(TINY, 100)
    for runner in RUNNERS:
        assert check_graph(graph_of(to, TINY), runner, *found).ok
        assert not check_graph(graph_of(to, TINY, change=tensor, by=by), runner, *found).ok


@pytest.mark.parametrize("to", STOCK)
def test_the_graph_is_that_of_the_stock_class(to: str) -> None:
    """On weights that mean nothing and use every part, the graph and the class give the same logits."""
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    checkpoint = target(to).build(TINY)
    rng = np.random.default_rng(5)
    tensors = {name: rng.normal(0, 0.3, tensor.shape).astype(np.float32) for name, tensor in checkpoint.tensors.items()}
    config = transformers.AutoConfig.for_model(**checkpoint.config)
    model = getattr(transformers, checkpoint.config["architectures"][0])(config).eval()
    told = model.load_state_dict({name: torch.tensor(tensor) for name, tensor in tensors.items()}, strict=False)
    assert set(told.missing_keys) <= {"lm_head.weight"}
    assert not told.unexpected_keys
    model.tie_weights()
    prompts = rng.integers(0, TINY.vocabulary, (16, TINY.length))
    with torch.inference_mode():
        wanted = model(torch.tensor(prompts)).logits[:, -1].numpy()
    for style in ("standard", "plain"):
        for runner in RUNNERS.values():
            found = runner(stock_graph(checkpoint.config, tensors, TINY.length, style=style))(prompts)
            np.testing.assert_allclose(found, wanted, rtol=2e-4, atol=2e-4)


def test_the_file_is_written_and_runs_alone(tmp_path: Path) -> None:
    import onnxruntime

    report = separation.export_onnx("C1", tmp_path / "small.onnx", to="gpt2", L=2, m=2, n=(2,))
    assert report.ok
    assert report.document()["bytes"] == (tmp_path / "small.onnx").stat().st_size
    session = onnxruntime.InferenceSession(tmp_path / "small.onnx", providers=["CPUExecutionProvider"])
    prompt = np.array([[3, 0, 1, 2, 1, 0, 1, 5]])  # i1 = z1(1) = 0, then z2 at w·2 + i1 = 2
    (logits,) = session.run(None, {"ids": prompt})
    assert logits.argmax() == 1


def test_wrong_weights_write_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = target("gpt2")
    broken = right.build(TINY)
    name = "transformer.h.2.attn.c_proj.weight"
    broken = replace(broken, tensors={**broken.tensors, name: -broken.tensors[name]})
    monkeypatch.setattr(type(right), "checkpoint", lambda _self, _plan: broken)
    report = export_onnx.export_onnx("C1", tmp_path / "x.onnx", to="gpt2", L=2, m=2, n=(2,))
    assert not report.ok
    assert report.path is None
    assert list(tmp_path.iterdir()) == []


def test_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small = ["export", "C1", "--L", "1", "--m", "2", "--to", "llama", "--onnx", str(tmp_path / "a.onnx")]
    assert run([*small, "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [check["run"] for check in facts["checks"]] == list(RUNNERS)
    assert facts["certificate"]["certified"] is True
