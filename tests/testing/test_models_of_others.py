"""Torch modules and Hugging Face folders: ours pass, one weight changed is caught, a random GRU fails."""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

import torch
import transformers
from safetensors.torch import save_file

import separation
from constructions.stock.gpt2 import TARGET
from separation.files import InputError
from separation.numeric.stock_folder import write_checkpoint
from separation.tasks.funccomp import Sizes
from separation.testing import check_solver
from separation.testing.adapters.torch_modules import TorchSolver, load_model, load_weights, torch_solver

SIZES = Sizes(2, (1,))
FACTORY = """
import torch

class Recurrent(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.embedding = torch.nn.Embedding(64, 16)
        self.layer = torch.nn.GRU(16, 16, batch_first=True)
        self.head = torch.nn.Linear(16, 64)

    def forward(self, ids):
        return self.head(self.layer(self.embedding(ids))[0])

def gru():
    return Recurrent()

def not_a_module():
    return 3
"""


@pytest.fixture
def factory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"factory_{tmp_path.name.replace('-', '_')}"
    (tmp_path / f"{name}.py").write_text(FACTORY)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return name


def gpt2(folder: Path, change: tuple[str, tuple[int, ...], float] | None = None) -> Path:
    """C1 in a stock GPT-2, with one number of one tensor changed if that is asked."""
    checkpoint = TARGET.build(SIZES)
    if change is not None:
        name, place, value = change
        tensors = {key: tensor.copy() for key, tensor in checkpoint.tensors.items()}
        tensors[name][place] += value
        checkpoint = replace(checkpoint, tensors=tensors)
    folder.mkdir()
    write_checkpoint(folder, checkpoint, "float32", {"target": "gpt2"})
    return folder


def largest_entry(name: str) -> tuple[int, ...]:
    tensor = np.abs(TARGET.build(SIZES).tensors[name])
    return tuple(int(i) for i in np.unravel_index(int(tensor.argmax()), tensor.shape))


def test_a_stock_gpt2_with_our_weights_passes(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    report = separation.stress(str(gpt2(tmp_path / "ours")), count=4, seconds=120.0, report=page)
    document = report.document()
    assert report.ok, str(report.solver)
    assert (document["kind"], document["reads"], document["depth"]) == ("Hugging Face folder", "tokens", 2)
    assert {row["stage"] for row in document["rows"]} == {
        "exhaustive-small",
        "adversarial-family",
        "metamorphic",
        "random",
    }
    assert "depth 2" in page.read_text()
    with pytest.raises(InputError, match="leave out --L"):
        separation.stress(str(tmp_path / "ours"), L=(2,))


def test_with_one_weight_changed_it_is_caught(tmp_path: Path) -> None:
    name = "transformer.h.2.attn.c_attn.weight"
    place = largest_entry(name)
    value = -2.0 * float(TARGET.build(SIZES).tensors[name][place])
    folder = gpt2(tmp_path / "changed", (name, place, value))
    report = separation.stress(str(folder), count=4, seconds=120.0)
    assert not report.ok
    assert report.solver.reason == "wrong answer"
    assert report.solver.failure is not None
    model = load_model(folder)
    from separation.tasks.funccomp import answer, token_ids

    case: Any = report.solver.failure
    with torch.inference_mode():
        said = int(model(torch.tensor(token_ids(case)[None])).logits[0, -1].argmax())
    assert said == report.solver.answered != answer(case) == report.solver.expected


def test_a_random_gru_fails(factory: str) -> None:
    report = separation.stress(f"{factory}:gru", torch=True, L=(2,), lengths=(8,), count=8, seconds=60.0)
    assert not report.ok
    assert report.solver.accuracy < 0.5


def test_weights_come_from_safetensors_alone(factory: str, tmp_path: Path) -> None:
    solver = torch_solver(f"{factory}:gru")
    other = {name: torch.zeros_like(tensor) for name, tensor in solver.module.state_dict().items()}
    save_file(other, tmp_path / "zeros.safetensors")
    zeros = torch_solver(f"{factory}:gru", tmp_path / "zeros.safetensors")
    assert zeros([[1, 2, 3]], None) == [0]
    (tmp_path / "w.pt").write_bytes(pickle.dumps({}))
    with pytest.raises(InputError, match="unpickled are not read"):
        load_weights(solver.module, tmp_path / "w.pt")
    (tmp_path / "bad.safetensors").write_bytes(pickle.dumps({}))
    with pytest.raises(InputError, match="cannot read"):
        load_weights(solver.module, tmp_path / "bad.safetensors")
    save_file({"x": torch.zeros(1)}, tmp_path / "x.safetensors")
    with pytest.raises(InputError, match="does not fit"):
        load_weights(solver.module, tmp_path / "x.safetensors")
    with pytest.raises(InputError, match=r"a torch\.nn\.Module is needed"):
        torch_solver(f"{factory}:not_a_module")


def test_logits_that_are_no_numbers_are_reported() -> None:
    solver = TorchSolver(lambda ids: torch.full((*ids.shape, 8), torch.nan))
    report = check_solver(lambda ids: solver(ids, None), sizes=Sizes(2, ()), tokens=True, seconds=2.0, instances=4)
    assert report.reason == "not a number: nan is no integer"
    few = TorchSolver(lambda _: torch.zeros(3))
    report = check_solver(lambda ids: few(ids, None), sizes=Sizes(2, ()), tokens=True, seconds=2.0, instances=4)
    assert report.reason is not None
    assert report.reason.startswith("raised: ValueError: logits of shape (3,)")


def test_a_folder_with_pickled_weights_is_refused(tmp_path: Path) -> None:
    """A file that would run code when it is unpickled is not opened."""
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"]}))
    marker = tmp_path / "ran"

    class Bomb:
        def __reduce__(self) -> Any:
            return (Path.touch, (marker,))

    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(InputError, match=r"no \.safetensors file"):
        separation.stress(str(folder), seconds=5.0)
    assert not marker.exists()


def test_code_of_a_folder_is_not_run(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    marker = tmp_path / "ran"
    (folder / "evil.py").write_text(f"import pathlib\npathlib.Path({str(marker)!r}).touch()\nclass M: pass\n")
    config = {"model_type": "evil", "auto_map": {"AutoModelForCausalLM": "evil.M", "AutoConfig": "evil.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    save_file({"x": torch.zeros(1)}, folder / "model.safetensors")
    with pytest.raises(InputError, match="cannot load"):
        separation.stress(str(folder), seconds=5.0)
    assert not marker.exists()


def test_a_language_model_reads_text(tmp_path: Path) -> None:
    """A tiny random Llama with a tokenizer of characters: it writes something, which is no answer."""
    from tokenizers import Tokenizer, models, pre_tokenizers

    letters = {chr(code): number for number, code in enumerate(range(32, 127))} | {"\n": 95, "<unk>": 96}
    tokenizer: Any = Tokenizer(models.WordLevel(letters, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="<unk>")
    config = transformers.LlamaConfig(
        vocab_size=97,
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        max_position_embeddings=1024,
    )
    torch.manual_seed(0)
    folder = tmp_path / "tiny"
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    report = separation.stress(str(folder), L=(1,), lengths=(4,), count=1, seconds=4.0)
    document = report.document()
    assert (document["reads"], document["word"], document["depth"]) == ("text", "F", 0)
    assert not report.ok
    assert document["asked"] > 0
    assert document["unparsed"] > 0
