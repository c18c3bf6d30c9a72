"""Programs as stock models, certified for all inputs: real runs stay within the bound, and leave one without the norm;
one other number loses it."""

from __future__ import annotations

import functools
import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch

from constructions.programs import gallery
from constructions.stock import Certificate
from constructions.stock.kit import program_bound
from constructions.stock.kit.program_bound import StockDerivation, certify_program, stock_program
from constructions.stock.kit.program_models import sharpened
from constructions.stock.kit.programs import TARGETS, program_questions
from separation.numeric.stock_models import compared, load_stock
from separation.programs import CompiledProgram
from separation.verbs.export_programs import export_program, program_checkpoint

DTYPES = ("float32", "float64")


@functools.cache
def compiled(name: str) -> CompiledProgram:
    return CompiledProgram.of(gallery(name).definitions)


def certified(name: str, to: str, dtype: str = "float32") -> Certificate:
    subject = compiled(name)
    return certify_program(subject, to, dtype, TARGETS[to](subject.program, subject.model, dtype))


@pytest.mark.parametrize(
    ("name", "to", "dtype"),
    [
        *((name, "gpt2", dtype) for name in ("induction", "argmax", "two_hop_recall") for dtype in DTYPES),
        *(("two_hop_recall", "llama", dtype) for dtype in DTYPES),
        *(("k_hop_induction", "gpt2", dtype) for dtype in DTYPES),
        *((name, "gpt2", "float64") for name in ("histogram", "sorting", "selective_copying", "majority_by_attention")),
        ("histogram", "llama", "float32"),
    ],
)
def test_what_is_certified_is_said_and_no_run_leaves_it(name: str, to: str, dtype: str, tmp_path: Path) -> None:
    report = export_program(compiled(name), tmp_path / "model", to, dtype)
    found = report.certificate
    assert report.ok
    assert found.ok
    assert report.known.startswith(f"certified for all inputs in {dtype}: logits off by at most ")
    leads = [check.least_lead for check in report.checks]
    assert min(lead for lead in leads if lead is not None) >= found.margin - found.lead
    written = json.loads((tmp_path / "model" / "separation.json").read_text())["certificate"]
    assert written == found.document() == report.document()["certificate"]
    assert written["certified"]


UNBOUND = [
    ("histogram", "a coordinate may be off by [0-9.]+; certified with --dtype float64"),
    ("sorting", "may be off by more than 1000; certified with --dtype float64"),
]


@pytest.mark.parametrize(("name", "reason"), UNBOUND)
def test_what_has_no_bound_says_what_was_run_and_which_number_is_too_large(
    name: str, reason: str, tmp_path: Path
) -> None:
    report = export_program(compiled(name), tmp_path / "model", "gpt2")
    assert report.ok  # as all inputs were run; of some, this would be an export with a bound that failed
    assert not replace(report, every_input=False).ok
    found = report.certificate
    assert not found.ok
    assert found.bound is None
    assert re.search(f"{reason}$", found.reason)
    assert report.known.startswith("not certified in float32: ")
    assert re.search("; all [0-9,]+ inputs run$", report.known)
    assert reason.rpartition("; ")[2] in report.known


def test_longer_queries_certify_what_others_outweigh() -> None:
    """Induction over 16 letters: what others weigh, squared, is little; no run is nearer than that."""
    subject = CompiledProgram.of(gallery("induction", n=16, V=4).definitions, bit_by_bit=False)
    found = [certify_program(subject, "gpt2", "float32", _scaled(subject, k), k) for k in (1, 2)]
    assert [each.ok for each in found] == [False, True]
    assert "others weigh" in found[0].reason
    built = stock_program(subject, "gpt2")
    assert built.certificate == found[1]
    assert built.factor == 2
    assert not certify_program(subject, "gpt2", "float32", _scaled(subject, 2), 1).ok


def test_the_form_that_is_certified_is_exported() -> None:
    """Bit by bit, induction over 16 letters is cheaper to prove, and in float32 its noise is too large."""
    subject = CompiledProgram.of(gallery("induction", n=16, V=4).definitions)
    one_head = subject.other
    assert not stock_program(subject, "gpt2").certificate.ok
    compiled, checkpoint, built = program_checkpoint(subject, "gpt2")
    assert (compiled.model, built.factor) == (one_head.model, 2)
    assert built.certificate.ok
    assert checkpoint.config["n_layer"] == len(one_head.model.layers)


def _scaled(subject: CompiledProgram, factor: int) -> Any:
    return TARGETS["gpt2"](subject.program, sharpened(subject.model, factor), "float32")


def test_a_count_rounded_as_in_the_exact_run_is_left_by_a_real_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All answers are right, but a lead is less than is then allowed, and nothing is written."""

    def rounded(self: StockDerivation, mean: Fraction) -> Fraction:
        return Fraction(mean * self.model.scale // 1, self.model.scale)

    monkeypatch.setattr(StockDerivation, "share", rounded)
    report = export_program(compiled("histogram"), tmp_path / "model", "gpt2", "float64")
    assert report.certificate.ok
    assert all(not check.mismatches for check in report.checks)
    assert not report.ok


@pytest.mark.parametrize("to", ["gpt2", "llama"])
def test_one_other_number_anywhere_loses_the_certificate(to: str) -> None:
    subject = compiled("two_hop_recall")
    config, tensors = TARGETS[to](subject.program, subject.model, "float32")
    for name, tensor in tensors.items():
        changed = tensor.copy()
        changed.flat[-1] += 1e-3
        found = certify_program(subject, to, "float32", (config, {**tensors, name: changed}))
        assert not found.ok
        assert found.reason == f"{name} is not that of the program"
    found = certify_program(subject, to, "float32", ({**config, "vocab_size": 1 + config["vocab_size"]}, tensors))
    assert not found.ok


def test_a_bound_without_the_norm_is_left_by_a_real_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One term dropped: all answers are right, but a lead is less than what is then allowed, and nothing is written."""
    monkeypatch.setattr(StockDerivation, "norm_error", lambda _self, _kind, x: np.zeros(len(x)))
    report = export_program(compiled("two_hop_recall"), tmp_path / "model", "gpt2")
    assert report.certificate.ok
    assert all(not check.mismatches for check in report.checks)
    assert not report.ok
    assert not (tmp_path / "model").exists()


def test_norms_as_bad_as_is_assumed_stay_within_the_bound_and_worse_ones_leave_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each LayerNorm is made off by the least (σ, ν) of the derivation, both with the worst sign that is tried."""
    seen, exact = list[tuple[float, float]](), StockDerivation.scale

    def noted(self: StockDerivation, kind: str, size: Any) -> tuple[float, float]:
        seen.append(exact(self, kind, size))
        return seen[-1]

    monkeypatch.setattr(StockDerivation, "scale", noted)
    subject = compiled("induction")
    lead = certified("induction", "gpt2").lead
    assert export_program(subject, tmp_path / "model", "gpt2").ok
    prompts, expected, _ = program_questions(subject.program, 0)
    (shared, mean), (model, _) = map(min, zip(*seen, strict=True)), load_stock(tmp_path / "model", "eager")
    lost = {}
    for worse in (1, 50):
        for sign in (1, -1):
            hooks = [
                norm.register_forward_hook(lambda _m, _i, y, k=sign * worse: y * (1 + k * shared) + k * mean)
                for norm in model.modules()
                if isinstance(norm, torch.nn.LayerNorm)
            ]
            with torch.inference_mode():
                logits = model(torch.tensor(prompts)).logits[:, subject.program.asked[0] :].double().numpy()
            for hook in hooks:
                hook.remove()
            flat = logits.reshape(-1, logits.shape[-1])
            found = compared("", (), flat, expected.reshape(-1), None).least_lead
            lost[worse, sign] = 2 - found
    assert 0 < max(lost[1, 1], lost[1, -1]) <= lead < max(lost[50, 1], lost[50, -1])


RECALL, COUNT = ("two_hop_recall", "gpt2", "float32"), ("histogram", "gpt2", "float64")
TERMS: list[tuple[tuple[str, str, str], Any, str, Any]] = [
    (RECALL, StockDerivation, "unit_errors", lambda _self, _kind, units, _x: np.zeros(units.w_1.shape[0])),
    (RECALL, StockDerivation, "weighing", lambda _self, _score: 0.0),
    (RECALL, StockDerivation, "rounding", lambda _self, _form: np.zeros(1)),
    (COUNT, program_bound, "exp", lambda _x: 0.0),
]


@pytest.mark.parametrize(("subject", "where", "term", "without"), TERMS, ids=[each[2] for each in TERMS])
def test_each_term_counts(
    subject: tuple[str, str, str], where: Any, term: str, without: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = certified(*subject).lead
    monkeypatch.setattr(where, term, without)
    part = certified(*subject).lead
    assert part < whole
