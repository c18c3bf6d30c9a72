"""Recurrent heads of any family have no proof rule: the prover says so in one line, the kernel knows no such head."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from construction_changes import with_layer

from constructions import build
from separation.arithmetic import ExactMatrix
from separation.models import RecurrentHead
from separation.proving import (
    Construction,
    construction_to_document,
    prove,
    save_construction,
)
from separation.proving.certificates import certified
from separation.proving.kernel import Malformed, check_certificate
from separation.tasks.funccomp import Sizes
from separation.verbs.prove import prove as prove_verb

SIZES = Sizes(2, (2,))


def with_recurrent_head() -> tuple[Construction, Construction]:
    """C2 with the gated delta rule, and with a recurrent head without weights in its place."""
    delta = build("C2", SIZES, family="delta")
    d_k, d_v = delta.model.layers[0].heads[0].w_k.shape[0], delta.model.layers[0].heads[0].w_v.shape[0]
    rows, width = 2 * d_k + d_v + 2, delta.model.width
    empty = [ExactMatrix.zeros(*shape) for shape in ((rows, width), (rows, 1), (0, 1), (width, d_v))]
    head = RecurrentHead(*empty, family="gated-delta-net", d_k=d_k, d_v=d_v)
    return delta, with_layer(delta, 0, heads=(head,))


def test_prover_and_kernel_have_no_rule_for_it(tmp_path: Path) -> None:
    delta, recurrent = with_recurrent_head()
    certificate = json.loads(json.dumps(certified(delta, prove(delta)).certificate))
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
