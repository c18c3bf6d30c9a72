"""BuiltWeights.v and InvariantWeights.v are what Python writes from the project's weights; others are refused."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from constructions import build, c1_squares
from proofs_checks.kit.coq import term
from proofs_checks.kit.coq import weights as coq_weights
from proofs_checks.kit.coq.compiling import CoqRefused, coqc, library
from proofs_checks.kit.coq.every_table import CASES as EVERY_TABLE
from proofs_checks.kit.coq.every_table import HEADER as EVERY_HEADER
from proofs_checks.kit.coq.every_table import coq_invariant
from proofs_checks.kit.coq.files import FOLDER
from proofs_checks.kit.coq.weights import CASES, HEADER, Case
from proofs_checks.kit.hypotheses import with_layer
from separation.tasks.funccomp import Sizes

WRITTEN = (FOLDER / "BuiltWeights.v").read_text()
INVARIANTS = (FOLDER / "InvariantWeights.v").read_text()


def test_the_committed_weights_are_those_that_are_built_and_no_others() -> None:
    for label, name, sizes, options in CASES:
        assert coq_weights.coq_weights(label, build(name, sizes, **options)) in WRITTEN, label
    for label, sizes in EVERY_TABLE:
        assert coq_invariant(label, build("C1", sizes)) in INVARIANTS, label
    assert WRITTEN.count("\nDefinition") == 2 * len(CASES)
    for text, header, cases in ((WRITTEN, HEADER, CASES), (INVARIANTS, EVERY_HEADER, EVERY_TABLE)):
        assert text.startswith(header)
        lemmas = [line.split()[1] for line in text.splitlines() if line.startswith("Lemma")]
        assert lemmas == [f"{label}_right" for label, *_ in cases]


@pytest.mark.parametrize("case", [case for case in CASES if case[0] in ("C1_m2", "C2_RF_m2", "C2_FR_m2")], ids=str)
def test_one_flipped_weight_is_refused(case: Case) -> None:
    """The sign of one weight changed: the first of the first layer's W_O."""
    label, name, sizes, options = case
    whole = build(name, sizes, **options)
    (head,) = whole.model.layers[0].heads
    (row, column, value), *_ = head.w_o.entries()
    flipped = with_layer(whole, 0, heads=(replace(head, w_o=head.w_o.with_entry(row, column, -value)),))
    with pytest.raises(AssertionError, match="inputs are answered wrongly"):
        coq_weights.coq_weights(label, flipped)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc")
def test_coq_refuses_a_flipped_weight_too(tmp_path: Path) -> None:
    """The unembedding with its sign changed answers every input with the other value."""
    label, name, sizes, options = CASES[0]
    good = HEADER + coq_weights.coq_weights(label, build(name, sizes, **options))
    answers = "[:: [:: 0; 0; 0; 0; 0; (-1); 0]; [:: 0; 0; 0; 0; 0; 1; 0]]%Z"
    assert good.count(answers) == 1
    swapped = "[:: [:: 0; 0; 0; 0; 0; 1; 0]; [:: 0; 0; 0; 0; 0; (-1); 0]]%Z"
    compiled = library("AllInputs.v")
    (tmp_path / "Good.v").write_text(good)
    coqc(tmp_path, "Good.v", compiled)
    (tmp_path / "Bad.v").write_text(good.replace(answers, swapped))
    with pytest.raises(CoqRefused, match=r"Bad\.v"):
        coqc(tmp_path, "Bad.v", compiled)


ZERO, ONE = "[:: 0; 0; 0; 0; 0; 0; 0; 0; (-1); (-1); 0; 0]", "[:: 0; 0; 0; 0; 0; 0; 0; 0; 1; (-1); 0; 0]"
TWINS = {
    "two answers are swapped": (f"{ZERO}; {ONE}; ", f"{ONE}; {ZERO}; "),
    "an exponent is not listed": ("[:: 0; 16384; ", "[:: 0; "),
    "a key that differs in one bit weighs as much as the match": (" 8) [:: Mlp", " 4) [:: Mlp"),
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc")
def test_coq_refuses_a_broken_twin_of_every_table(tmp_path: Path) -> None:
    good = EVERY_HEADER + coq_invariant("Small", build("C1", Sizes(2, (2,))))
    compiled = library("EveryTable.v")
    (tmp_path / "Good.v").write_text(good)
    coqc(tmp_path, "Good.v", compiled)
    for twin, (found, put) in TWINS.items():
        assert found in good, twin
        (tmp_path / "Bad.v").write_text(good.replace(found, put))
        with pytest.raises(CoqRefused, match=r"Bad\.v.*answers_every_table"):
            coqc(tmp_path, "Bad.v", compiled)


def squares_text(sizes: Sizes, score_bits: int) -> str:
    """Coq is asked whether the weights built here are those of Squares.v; rows there end with their last entry."""
    model = c1_squares.weights(sizes, score_bits)
    tables = (
        table.rows(np.arange(table.height)).tolist() for table in (model.positions, model.tokens, model.unembedding)
    )
    heads = [layer.heads[0] for layer in model.layers]
    matrices = [[part.numerators.tolist() for part in (h.w_q, h.w_k, h.w_v, h.w_o)] for h in heads]
    n = "; ".join(map(str, sizes.n))
    return f"""From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect.
From separation Require Import ExactDefinitions Squares.
Definition same (a b : matrix) : bool :=
  all (fun r => all (fun c => Z.eqb (nth 0%Z (nth [::] a r) c) (nth 0%Z (nth [::] b r) c)) (iota 0 80)) (iota 0 80).
Definition w := squares {score_bits} 9 {sizes.m} [:: {n}].
Definition same_head (b : built_layer) (h : seq matrix) : bool :=
  if b is FullBlock f [::] then [&& Z.eqb (shift f) 0, same (W_Q f) (nth [::] h 0), same (W_K f) (nth [::] h 1),
    same (W_V f) (nth [::] h 2) & same (W_O f) (nth [::] h 3)] else false.
Goal [&& same (position_rows w) {term(next(tables))}, same (token_rows w) {term(next(tables))},
  same (unembedding w) {term(next(tables))} & all2 same_head (blocks w) {term(matrices)}]%Z.
Proof. by vm_compute. Qed.
"""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc")
def test_the_weights_by_squares_are_those_that_coq_proves_right(tmp_path: Path) -> None:
    compiled = library("Squares.v")
    for sizes, score_bits in ((Sizes(3, ()), 0), (Sizes(2, (2,)), 3), (Sizes(2, (2, 2)), 1)):
        text = squares_text(sizes, score_bits)
        (tmp_path / "Same.v").write_text(text)
        coqc(tmp_path, "Same.v", compiled)
        (tmp_path / "Other.v").write_text(text.replace(f"squares {score_bits} 9", f"squares {score_bits + 1} 9"))
        with pytest.raises(CoqRefused, match=r"Other\.v"):
            coqc(tmp_path, "Other.v", compiled)
