"""InvariantWeights.v is what Python writes from C1's weights, and Coq refuses weights that are wrong on some table."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from constructions import build
from proofs_checks.kit.coq.compiling import CoqRefused, coqc, library
from proofs_checks.kit.coq.every_table import CASES, HEADER, coq_invariant
from proofs_checks.kit.coq.files import FOLDER
from separation.tasks.funccomp import Sizes

WRITTEN = (FOLDER / "InvariantWeights.v").read_text()


@pytest.mark.parametrize(("label", "sizes"), CASES, ids=[label for label, _ in CASES])
def test_the_committed_weights_are_those_that_are_built(label: str, sizes: Sizes) -> None:
    assert coq_invariant(label, build("C1", sizes)) in WRITTEN


def test_the_file_has_these_cases_and_no_others() -> None:
    assert WRITTEN.startswith(HEADER)
    assert [line.split()[1] for line in WRITTEN.splitlines() if line.startswith("Lemma")] == [
        f"{label}_right" for label, _ in CASES
    ]


ZERO, ONE = "[:: 0; 0; 0; 0; 0; 0; 0; 0; (-1); (-1); 0; 0]", "[:: 0; 0; 0; 0; 0; 0; 0; 0; 1; (-1); 0; 0]"
TWINS = {
    "two answers are swapped": (f"{ZERO}; {ONE}; ", f"{ONE}; {ZERO}; "),
    "an exponent is not listed": ("[:: 0; 16384; ", "[:: 0; "),
    "a key that differs in one bit weighs as much as the match": (" 8) [:: Mlp", " 4) [:: Mlp"),
}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("coqc") is None, reason="no coqc")
def test_coq_refuses_a_broken_twin(tmp_path: Path) -> None:
    good = HEADER + coq_invariant("Small", build("C1", Sizes(2, (2,))))
    compiled = library("EveryTable.v")
    (tmp_path / "Good.v").write_text(good)
    coqc(tmp_path, "Good.v", compiled)
    for twin, (found, put) in TWINS.items():
        assert found in good, twin
        (tmp_path / "Bad.v").write_text(good.replace(found, put))
        with pytest.raises(CoqRefused, match=r"Bad\.v.*answers_every_table"):
            coqc(tmp_path, "Bad.v", compiled)
