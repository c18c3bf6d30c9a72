"""Integer weights of C1 and C2 as Coq data: `BuiltWeights.v`, which Coq runs on every input of tiny sizes.

    python -m proofs_checks.kit.coq.weights > proofs_checks/coq/BuiltWeights.v

Besides the matrices Coq is told which exponents occur on these inputs; it computes their weights itself, checks them
against the series of exp, and refuses a run that meets another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from constructions import build
from proofs_checks.kit.coq import term
from separation.arithmetic import ExactMatrix, IntegerArray
from separation.models import MLP, Head, LinearHead, Model, run, streams
from separation.proving import Construction
from separation.tasks.funccomp import Sizes, enumerate_token_ids

Case = tuple[str, str, Sizes, dict[str, Any]]

CASES: tuple[Case, ...] = (
    ("C1_m2", "C1", Sizes(2, ()), {}),
    ("C1_m3", "C1", Sizes(3, ()), {}),
    ("C1_m2_n1", "C1", Sizes(2, (1,)), {}),
    ("C1_m2_n2", "C1", Sizes(2, (2,)), {}),
    ("C1_m2_n1_1", "C1", Sizes(2, (1, 1)), {}),
    ("C2_RF_m2", "C2", Sizes(2, ()), {"word": "RF"}),
    ("C2_RF_m3", "C2", Sizes(3, ()), {"word": "RF"}),
    ("C2_FR_m2", "C2", Sizes(2, ()), {"word": "FR"}),
    ("C2_RFF_m2_n1", "C2", Sizes(2, (1,)), {"word": "RFF"}),
    ("C2_FRF_m2_n1", "C2", Sizes(2, (1,)), {"word": "FRF"}),
)
"""Label, construction, sizes, options; linear attention, one head a layer."""


def header(about: str, module: str, checked_by: str) -> str:
    return f"""(** The project's own integer weights of {about}

    Written by  python -m proofs_checks.kit.coq.{module};  the matrices are those of  prove … --write-model. *)
From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import Definitions ExactDefinitions {checked_by}.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
"""


HEADER = header("C1 and C2, run on every input of tiny sizes.", "weights", "AllInputs")


def coq_weights(label: str, subject: Construction) -> str:
    """The weights, their exponents and the theorem that they answer every input, as Coq text."""
    sizes, met = subject.sizes, set()
    assert isinstance(sizes, Sizes)
    for ids, answers in enumerate_token_ids(sizes, 4096):
        wrong = int((run(subject.model, ids).answers != answers).sum())
        assert not wrong, f"{label}: {wrong} inputs are answered wrongly"
        for found in exponents(subject.model, ids):
            met |= set(found[np.tri(found.shape[1], dtype=bool)[None].repeat(len(ids), axis=0)].tolist())
    return coq_theorem(label, subject, met, ("right_on_all", "right_on_all_solves"))


def exponents(model: Model, ids: IntegerArray) -> Iterator[IntegerArray]:
    """(prompts, queries, keys): the exponents of every full head, y·4^f for a weight ⌊2^P·exp(−y)⌋."""
    unit = 1 << model.precision.fraction_bits
    for layer, stream in zip(model.layers, streams(model, ids), strict=False):
        (head,) = layer.heads
        if isinstance(head, Head):
            assert stream.denominator == 1
            query, key = (stream.values @ whole(matrix).T for matrix in (head.w_q, head.w_k))
            yield np.maximum(0, int(head.shift) * unit**2 - query @ key.swapaxes(1, 2))


def coq_theorem(label: str, subject: Construction, met: Iterable[int], check: tuple[str, str]) -> str:
    """The weights, the exponents that are met, and what a check of Coq and the theorem about that check give."""
    sizes, model, exponents = subject.sizes, subject.model, sorted(met)
    assert isinstance(sizes, Sizes)
    P, p, f = model.precision.score_bits, model.precision.bits, model.precision.fraction_bits
    # 2y ≤ K + 2 makes K terms decide (FloorExp.v); as many again make the floors certain at these precisions.
    terms = max(40, 3 * -(-exponents[-1] // 4**f))
    n = term(sizes.n)
    tokens = sizes.length
    k = (tokens - 1).bit_length()
    heads = [head for layer in model.layers for head in layer.heads]
    beta = max(head.w_v.shape[0] * (P + p + k + 1) + P + k for head in heads if isinstance(head, Head))
    blocks = ";\n      ".join(_block(head, layer.mlps) for head, layer in zip(heads, model.layers, strict=True))
    tables = (table.rows(np.arange(table.height)) for table in (model.positions, model.tokens, model.unembedding))
    positions, tokens_, unembedding = (term(rows.tolist()) for rows in tables)
    return f"""
(** {subject.name}, {subject.model.word}, m = {sizes.m}, n = {tuple(sizes.n)}: {tokens} tokens. *)
Definition {label} : weights := Weights {P} {p} {f} {2 * f + 2}
  {positions}%Z
  {tokens_}%Z
  {unembedding}%Z
  [:: {blocks}]%Z.
Definition {label}_exponents : seq Z := {term(exponents)}%Z.
Lemma {label}_right : {check[0]} {label} {label}_exponents {terms} {sizes.m} {n}.
Proof. vm_cast_no_check (erefl true). Qed.
Theorem {label}_solves : weights_solve {sizes.m} {n} {label} (among {label}_exponents).
Proof. exact: {check[1]} {label}_right. Qed.
Theorem {label}_message_bits : forall exp_floor,
  all (fun l => soft_bits {k} l <= {beta}) (stack (exact_of_weights {label} exp_floor {n})).
Proof. by []. Qed.
"""


def _block(head: Any, mlps: Sequence[MLP]) -> str:
    parts = [f"Mlp {_matrix(mlp.w_1)} {_column(mlp.b_1)} {_matrix(mlp.w_2)} {_column(mlp.b_2)}" for mlp in mlps]
    if isinstance(head, Head):
        matrices = " ".join(_matrix(matrix) for matrix in (head.w_q, head.w_k, head.w_v, head.w_o))
        return f"FullBlock (FullHead {matrices} {term(int(head.shift))}) {term(parts)}"
    assert isinstance(head, LinearHead)
    assert head.normalised
    features = f"{_matrix(head.w_q)} {_column(head.b_q)} {_matrix(head.w_k)} {_column(head.b_k)}"
    rest = f"{_matrix(head.w_v)} {_matrix(head.w_o)} true {head.w_k.shape[0]} {head.w_v.shape[0]}"
    return f"LinearBlock (LinearHead {features} {rest}) {term(parts)}"


def whole(matrix: ExactMatrix) -> IntegerArray:
    """The entries of a matrix of integers."""
    assert matrix.denominator == 1
    return matrix.numerators


def _matrix(matrix: ExactMatrix) -> str:
    return term(whole(matrix).tolist())


def _column(matrix: ExactMatrix) -> str:
    return term(whole(matrix)[:, 0].tolist())


def main() -> None:
    sys.stdout.write(HEADER)
    for label, name, sizes, options in CASES:
        sys.stdout.write(coq_weights(label, build(name, sizes, **options)))


if __name__ == "__main__":
    main()
