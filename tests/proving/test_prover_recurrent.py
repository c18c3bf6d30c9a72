"""Recurrent heads of any family have no proof rule: the prover says so in one line, the kernel knows no such head."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import DeltaHead, RecurrentHead, run
from separation.proving import (
    Construction,
    construction_certificate,
    construction_to_document,
    prove,
    save_construction,
)
from separation.proving.kernel import Malformed, check_certificate
from separation.tasks.funccomp import Sizes, enumerate_token_ids
from separation.verbs.prove import prove as prove_verb

SIZES = Sizes(2, (2,))


def with_recurrent_head() -> tuple[Construction, Construction]:
    """C2 with the gated delta rule, and the same with a recurrent head that does the same."""
    delta = build("C2", SIZES, family="delta")
    layer = delta.model.layers[0]
    (head,) = layer.heads
    assert isinstance(head, DeltaHead)
    stacked = [head.w_q, head.w_k, head.w_v, head.w_a, head.w_b]
    rows = [row for matrix in stacked for row in matrix.fractions()]
    keys, values = head.w_k.shape[0], head.w_v.shape[0]
    zeros = [[0]] * (2 * keys + values)
    same = RecurrentHead(
        w_x=ExactMatrix.from_rows(rows),
        b_x=ExactMatrix.from_rows([*zeros, *head.b_a.fractions(), *head.b_b.fractions()]),
        b_c=ExactMatrix.zeros(0, 1),
        w_o=head.w_o,
        family="gated-delta-net",
        d_k=keys,
        d_v=values,
    )
    layers = (replace(layer, heads=(same,)), *delta.model.layers[1:])
    return delta, replace(delta, model=replace(delta.model, layers=layers))


def test_it_runs_as_the_delta_rule_does() -> None:
    delta, recurrent = with_recurrent_head()
    assert recurrent.model.is_integral
    assert recurrent.model.word == delta.model.word == "RFF"
    ids = np.concatenate([block for block, _ in enumerate_token_ids(SIZES, 500)])[::7]
    wanted = run(delta.model, ids)
    found = run(recurrent.model, ids)
    assert found.answers.tolist() == wanted.answers.tolist()
    assert found.logits.tolist() == wanted.logits.tolist()


def test_prover_and_kernel_have_no_rule_for_it(tmp_path: Path) -> None:
    delta, recurrent = with_recurrent_head()
    certificate = construction_certificate(delta, prove(delta.model, delta.stages, delta.shape), "test")
    certificate = json.loads(json.dumps(certificate))
    assert check_certificate(certificate).ok
    with pytest.raises(Malformed, match="unknown type of head"):
        check_certificate(json.loads(json.dumps({**certificate, "model": construction_to_document(recurrent)})))
    for ending in ("json", "safetensors"):
        path, out = tmp_path / f"model.{ending}", tmp_path / "certificate.json"
        save_construction(path, recurrent)
        report = prove_verb(model=path, out=out)
        assert report.construction.model == recurrent.model
        (failure,) = report.proof.failures
        text = "no rule proves anything of a recurrent head of the family gated-delta-net (no rule)"
        assert str(failure) == f"layer 1, kind w, slot head 0: {text}"
        assert not report.ok
        assert not out.exists()
