"""Certificates as Coq theorems: the texts, quickly; what coqc says of them, behind the slow marker."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from proofs_checks.kit.coq import compiling as coq_compile
from proofs_checks.kit.coq.certificates import IMPORTED, LONGEST_BITS, certificate_in_coq
from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, coqc, library
from proofs_checks.kit.coq.words import in_words
from separation.bounds import Parameters, bound_certificate, theorem_a
from separation.files import InputError
from separation.proving import kernel
from separation.verbs.command_line import run

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"no coqc; {coq_compile.INSTALL}")


def of_corpus(name: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((CORPUS / f"{name}.json").read_text())
    return document


def forty_tokens() -> dict[str, Any]:
    return bound_certificate(theorem_a(Parameters(2, (18,), (1, 2)), 8, [0, 0]))


def said_by_coq(document: dict[str, Any], room: Path) -> list[str]:
    """What the theorem of a certificate assumes; CoqRefused if coqc does not accept it."""
    theorem = certificate_in_coq(document)
    (room / "Certificate.v").write_text(theorem.text)
    compiled = library(IMPORTED)
    coqc(room, "Certificate.v", compiled)
    return assumptions(room, "Certificate", ["certificate"], compiled)["certificate"]


# --- the texts ---


def claimed(document: dict[str, Any]) -> str:
    """The claim in the theorem, on one line."""
    text = certificate_in_coq(document).text
    return " ".join(text.partition("says (")[2].partition(").\nProof")[0].split())


def test_a_bound_is_a_claim_with_its_task_its_budget_and_the_integers_of_its_proof() -> None:
    document = forty_tokens()
    assert claimed(document) == (
        "Cannot (Task [:: (2, 1)]%num [:: [:: (18, 1)]%num] (Some 40%num)) "
        "(Budget 8%num [:: [:: (0, 1)]%num; [:: (0, 1)]%num] None) "
        "(ByA (Choice [:: [:: (1, 1)]%num; [:: (2, 1)]%num] None true))"
    )
    assert certificate_in_coq(document).applied == "T_checker"


def test_a_decision_names_its_word_and_may_have_tables_behind_those_of_the_theorem() -> None:
    said = claimed(of_corpus("decision/not-a2-front"))
    assert said.startswith("WordCannot [:: false; true] 4%num (Task [:: (6, 1)]%num [:: [:: (1, 1)]%num; ")
    assert "(BySharper 2%nat (ByA2 [:: (" in said


def test_what_has_no_coq_form_is_refused() -> None:
    with pytest.raises(InputError, match="the kind construction has no Coq form"):
        certificate_in_coq({"kind": "construction", "claim": {}})


def test_bounds_and_decisions_have_a_coq_form_or_are_refused_and_words_tell_the_theorems_apart() -> None:
    """D2 and the theorems about other tasks are refused in one line, whatever their claims look like; two claims of the
    corpus with the same words have the same theorem, but for the integers of its proof."""
    refused, found = set(), dict[str, set[str]]()
    for row in json.loads((CORPUS / "manifest.json").read_text()):
        if row["expect"] != "accept" or row["kind"] not in ("bound", "decision"):
            continue
        document = of_corpus(row["file"].removesuffix(".json"))
        try:
            claim = certificate_in_coq(document).claim
        except InputError as error:
            theorem = document["claim"]["theorem"]
            refused |= {theorem} if str(error) == f"a certificate by Theorem {theorem} has no Coq form" else set()
            continue
        found.setdefault(in_words(document), set()).add(claim.partition("(By")[0])
    assert {"D2", "memory", "look", "reach", "period"} <= refused
    assert not {"A", "B", "C", "D", "A2", "AL", "A2W"} & refused
    assert len(found) > 40
    assert [words for words, claims in found.items() if len(claims) > 1] == []


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (
            "bound/sharper-b2.json",
            "No model with at most 2 full layers and no R layer before the second, with messages of at most 8 bits and "
            "R blocks of at most (0, 0, 0) bits, answers every input of L-FuncComp with L = 2, m = 140, n = (3), a "
            "prompt of 562 tokens.",
        ),
        (
            "decision/a2w-w128-f.json",
            "No model of the word W(128) F, with messages of at most 198592 bits and no states, answers every input of "
            "L-FuncComp with L = 2, m = 14379, n = (1), a prompt of 28760 tokens; nor does such a model in exact "
            "arithmetic with at most 64 heads a layer of 64 values, weights of 16 bits and values of 16 bits.",
        ),
        (
            "bound/c-exact.json",
            "No model without a full layer, with any chain of thought or none, with states of at most 23 bits, answers "
            "every input of L-FuncComp with L = 2, m = 2, n = (4), a prompt of 12 tokens.",
        ),
        (
            "bound/d-large.json",
            "No sparse layer that opens 8 of 1024 blocks of 64 numbers and is told 978 bits of each answers 2-Sum "
            "modulo 1000001 on all lists.",
        ),
        (
            "decision/c3-more-layers.json",
            "Some model of the word R4, with states of at most 18 bits a layer, answers every input of L-FuncComp with "
            "L = 2, m = 3, n = (2).",
        ),
    ],
)
def test_what_a_theorem_says_is_said_in_words(file: str, words: str) -> None:
    assert in_words(json.loads((CORPUS / file).read_text())) == words


@pytest.mark.parametrize("huge", [{"powers": [[3, 10**9]]}, {"powers": [[2, LONGEST_BITS]]}])
def test_a_number_too_long_for_coq_is_refused_before_it_is_computed(huge: object) -> None:
    document = forty_tokens()
    document["claim"]["task"]["m"] = huge
    with pytest.raises(InputError, match="too long for Coq"):
        certificate_in_coq(document)


# --- what coqc says ---

ACCEPTED = (
    *("bound/a-free", "bound/a-lambda-exact", "bound/a-one-table", "bound/a-reached", "bound/a2w", "bound/b"),
    *("bound/b-lambda-exact", "bound/b-one-table", "bound/c", "bound/c-exact", "bound/d", "bound/d-none-opened"),
    *("bound/sharper-a2", "bound/sharper-a3-free", "bound/sharper-a3c", "bound/sharper-b2", "bound/sharper-b2c-groups"),
    *("bound/sharper-al-rows", "bound/sharper-bl-rows", "decision/a2w-w128-f", "decision/b2c-ff", "decision/c1-fff"),
    *("decision/c1-beside", "decision/c2-frf", "decision/c3", "decision/not-a", "decision/not-a-heads"),
    *("decision/not-a2", "decision/not-a2-front", "decision/not-b-late-r", "decision/not-b-one", "decision/not-b2"),
    "decision/not-c",
)
REJECTED = (
    *("bound/a-beta-over", "bound/a-lambda-over", "bound/a2w-beta-over"),
    *("bound/b-beta-over", "bound/b-lambda-over", "bound/b-one-table-over", "bound/c-over"),
    *("bound/d-over", "bound/sharper-a2-beta-over", "bound/sharper-b2-beta-over", "bound/sharper-al-rows-beta-over"),
    *("decision/not-a-beta-over", "decision/not-a2-beta-over", "decision/not-b-beta-over", "decision/c1-fff-deeper"),
    *("decision/c2-rff-deeper", "decision/c3-bits-under"),
)
"""Of the corpus, for each theorem what Coq is asked, and a neighbour that is false."""


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", [*ACCEPTED, *REJECTED])
def test_coq_says_of_the_corpus_what_the_kernel_says(name: str, tmp_path: Path) -> None:
    document = of_corpus(name)
    assert kernel.check_certificate(document).ok == (name in ACCEPTED)
    if name in ACCEPTED:
        assert said_by_coq(document, tmp_path) == []
    else:
        with pytest.raises(CoqRefused, match=r"Certificate\.v"):
            said_by_coq(document, tmp_path)


@needs_coq
@pytest.mark.slow
def test_the_verb_prints_one_document_and_the_theorem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bound.json"
    path.write_text(json.dumps(forty_tokens()))
    assert run(["check", str(path), "--coq", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["ok"]
    assert report["coq"]["assumptions"] == []
    assert run(["check", str(path), "--coq"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Theorem certificate :" in lines  # on its own line, and nothing of the imports before it
    said = " ".join(" ".join(lines).split())
    assert "Coq accepts, closed under the global context" in said
    assert "In words: No model with at most 1 full layer, with messages of" in said


@needs_coq
def test_what_the_kernel_rejects_never_reaches_coq(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bound.json"
    path.write_text(json.dumps(of_corpus("bound/a-beta-over")))
    assert run(["check", str(path), "--coq", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["coq"] is None


def test_a_claim_of_windows_has_their_reaches() -> None:
    document = of_corpus("bound/a2w")
    assert claimed(document).startswith("WindowsCannot None (Task [:: (14, 1)]%num [:: [:: (2, 1)]%num] ")
    assert claimed(document).endswith("(Budget 33%num [::] None) 3%num 2%num")


@needs_coq
@pytest.mark.slow
def test_what_the_checker_leaves_open_is_refused_and_not_called_false(capsys: pytest.CaptureFixture[str]) -> None:
    """It holds only with the root of a long binomial, which is not proved."""
    path = CORPUS / "bound" / "sharper-a3.json"
    assert run(["check", str(path), "--coq"]) == 2
    assert "does not decide it" in capsys.readouterr().err
