"""`export`: files that stock classes load, whole or not at all; the tokenizer; one line for what is refused."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("transformers", reason="transformers is not installed")

import safetensors.torch
import torch
from gpt2_models import changed, without_the_cancelling_head
from transformers import AutoModelForCausalLM, AutoTokenizer

import separation
from constructions import stock
from constructions.stock.gpt2 import TARGET, Gpt2
from constructions.stock.gpt2.plan import Gpt2Plan
from separation.numeric.stock_folder import instance_text, tokenizer_files, words, write_checkpoint
from separation.numeric.stock_models import StockCheck, check_stock, every_look_up
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, answer, asked_addresses, from_token_ids, sample, token_ids
from separation.verbs.command_line import run

SMALL = ["--L", "2", "--m", "2", "--n", "2"]
DOCS = Path(__file__).parents[3] / "docs" / "stock.md"
FOLDER = Path(stock.__file__).parent


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exports") / "small"
    assert separation.export("C1", folder, to="gpt2", L=2, m=2, n=(2,)).ok
    return folder


def test_the_report_says_what_was_written_and_how_it_is_known(small: Path) -> None:
    again = separation.export("C1", small, to="gpt2", L=2, m=2, n=(2,))  # an earlier export may be replaced
    facts = again.document()
    assert facts["ok"] is True
    assert facts["path"] == str(small)
    stored = safetensors.torch.load_file(small / "model.safetensors")
    assert facts["parameters"] == sum(tensor.numel() for tensor in stored.values())
    assert (facts["target"], facts["class"], facts["layers"]) == ("gpt2", "GPT2LMHeadModel", 3)
    assert {check["attention"]: check["ok"] for check in facts["checks"]} == {"sdpa": True, "eager": True}
    assert all(check["instances"] == len(hard_inputs(Sizes(2, (2,)))[0]) + 4 for check in facts["checks"])
    assert facts["every_look_up_asked"] is True
    assert facts["certificate"]["certified"] is True
    manifest = json.loads((small / "separation.json").read_text())
    assert manifest["certificate"] == facts["certificate"]
    names = {"config.json", "model.safetensors", "separation.json", "tokenizer.json", "tokenizer_config.json"}
    assert {path.name for path in small.iterdir()} == names
    assert [path.name for path in small.parent.iterdir()] == ["small"]  # nothing left beside it


def test_the_outline_of_the_docs_is_that_of_the_shortest_target() -> None:
    (outline,) = re.findall(r"^```py\n(.*?)^```", DOCS.read_text(), flags=re.MULTILINE | re.DOTALL)
    source = (FOLDER / "olmo_hybrid.py").read_text().splitlines()
    assert [line for line in outline.splitlines() if line.strip() != "…" and line not in source] == []
    lengths = {path.name: len(path.read_text().splitlines()) for path in FOLDER.glob("[!_]*.py")}
    assert min(lengths, key=lambda name: lengths[name]) == "olmo_hybrid.py"


def test_a_batch_is_answered_by_generating_one_token(small: Path) -> None:
    cases = [sample(Sizes(2, (2,)), seed) for seed in range(8)]
    tokenizer, model = AutoTokenizer.from_pretrained(small), AutoModelForCausalLM.from_pretrained(small)
    inputs = tokenizer([instance_text(case) for case in cases], return_tensors="pt")
    generated = model.generate(**inputs, max_new_tokens=1, do_sample=False)
    assert generated[:, -1].tolist() == [answer(case) for case in cases]


@pytest.mark.parametrize("sizes", [Sizes(3, ()), Sizes(2, (2,)), Sizes(3, (2, 4))], ids=str)
def test_the_tokenizer_turns_text_into_token_ids(sizes: Sizes, tmp_path: Path) -> None:
    for name, text in tokenizer_files(sizes).items():
        (tmp_path / name).write_text(text)
    tokenizer = AutoTokenizer.from_pretrained(tmp_path)
    cases = [sample(sizes, seed) for seed in range(10)]
    texts = [instance_text(case) for case in cases]
    found = tokenizer([*texts, texts[0].replace(",", " , ").replace(";", " ;\n")])
    assert found["input_ids"] == [token_ids(case).tolist() for case in (*cases, cases[0])]
    assert set(found) == {"input_ids", "attention_mask"}  # token types would be added to GPT-2's embedding
    assert [tokenizer.decode([number]) for number in range(sizes.vocabulary)] == words(sizes)
    with pytest.raises(Exception, match="Missing"):
        tokenizer(f"z1: {sizes.N[-1]}")


@pytest.mark.parametrize("sizes", [Sizes(3, ()), Sizes(2, (3,)), Sizes(2, (2, 3))], ids=str)
def test_every_look_up_asks_for_every_entry(sizes: Sizes) -> None:
    every = every_look_up(sizes, 100)
    cases = [from_token_ids(sizes, ids) for ids in every[0]]
    asked = [{asked_addresses(case)[level] for case in cases} for level in range(sizes.L)]
    assert asked == [set(range(size)) for size in sizes.N]
    assert every[1].tolist() == [answer(case) for case in cases]
    assert every_look_up(sizes, len(cases) - 1) is None


@pytest.mark.parametrize(("gone", "complaint"), [(True, "missing_keys"), (False, "unexpected_keys")])
def test_missing_and_unexpected_tensors_are_complaints(gone: bool, complaint: str, tmp_path: Path) -> None:
    sizes, file = Sizes(2, (2,)), tmp_path / "model.safetensors"
    write_checkpoint(tmp_path, TARGET.build(sizes), "float32", {})
    prompts, expected = hard_inputs(sizes)
    assert check_stock(tmp_path, "eager", prompts, expected).ok
    tensors = safetensors.torch.load_file(file)
    if gone:
        del tensors["transformer.h.1.attn.c_proj.weight"]
    else:
        tensors["transformer.h.1.attn.extra"] = torch.zeros(1)
    safetensors.torch.save_file(tensors, file, metadata={"format": "pt"})
    found = check_stock(tmp_path, "eager", prompts, expected)
    assert not found.ok
    assert any(text.startswith(complaint) for text in found.complaints)


def test_a_logit_that_leaves_the_bound_is_not_ok(small: Path) -> None:
    report = separation.export("C1", small, to="gpt2", L=2, m=2, n=(2,))
    (first, *rest) = report.checks
    assert 0 <= first.max_error <= report.certificate.bound
    outside = replace(first, max_error=2 * report.certificate.bound)
    assert outside.ok  # the answers are right
    assert not replace(report, checks=(outside, *rest)).ok
    assert not replace(report, certificate=replace(report.certificate, bound=None)).ok


def test_no_prompts_are_no_check() -> None:
    assert not StockCheck("sdpa", (), 0, 0, None).ok


def test_a_wrong_model_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "model"
    assert run(["export", "C1", *SMALL, "--to", "gpt2", str(folder)]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    monkeypatch.setattr(Gpt2, "build", lambda _, sizes: changed(Gpt2Plan(sizes), without_the_cancelling_head))
    capsys.readouterr()
    assert run(["export", "C1", *SMALL, "--to", "gpt2", str(folder), "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["ok"] is False
    assert facts["path"] is None
    assert all(check["mismatches"] > 0 for check in facts["checks"])
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert run(["export", "C1", *SMALL, "--to", "gpt2", str(tmp_path / "other")]) == 1
    assert "nothing written" in capsys.readouterr().out
    assert not (tmp_path / "other").exists()


def test_another_dtype(tmp_path: Path) -> None:
    dtype = "bfloat16"
    report = separation.export("C1", tmp_path / "model", to="gpt2", L=1, m=3, dtype=dtype)
    assert report.ok
    assert report.certificate.dtype == dtype
    stored = safetensors.torch.load_file(tmp_path / "model" / "model.safetensors")
    assert {tensor.dtype for tensor in stored.values()} == {getattr(torch, dtype)}
