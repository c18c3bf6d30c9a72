"""Certificates as Coq theorems: the texts, quickly; what coqc says of them, behind the slow marker."""

from __future__ import annotations

import copy
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest

from proofs_checks.kit.coq import compiling as coq_compile
from proofs_checks.kit.coq.certificates import IMPORTED, LONGEST_BITS, certificate_in_coq
from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, coqc, library
from proofs_checks.kit.coq.words import in_words
from separation.bounds import (
    Budget,
    Parameters,
    Word,
    bound_certificate,
    least_golden,
    shortest_prompt,
    theorem_a,
)
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_b import TheoremB
from separation.files import InputError
from separation.proving import kernel
from separation.verbs.command_line import run

CORPUS = Path(__file__).resolve().parents[2] / "corpus" / "bound"
needs_coq = pytest.mark.skipif(shutil.which("coqc") is None, reason=f"no coqc; {coq_compile.INSTALL}")


def bound(theorem: str, L: int, beta: int, linear: tuple[int, ...], cover: str = "half") -> dict[str, Any]:
    """With half of the draws: the golden schedule; with Θ chosen: what the search finds."""
    if (theorem, L, beta, linear) == ("A", 2, 8, (0, 0)):  # 40 tokens
        return bound_certificate(theorem_a(Parameters(2, (18,), (1, 2)), 8, [0, 0]))
    if cover == "half":
        rule = {"A": TheoremA(), "B": TheoremB()}[theorem]
        return bound_certificate(least_golden(rule.rule(linear), L, beta, linear).evaluation)
    word = Word.parse("[FR]" * (L if theorem == "B" else L - 1))
    budget = Budget(beta=beta, by_block=linear)
    return bound_certificate(shortest_prompt(word, L, budget, theorem=theorem))


def decided(*arguments: str) -> dict[str, Any]:
    """The certificate that `decide` writes."""
    return written("decide", *arguments)


def bounded(*arguments: str) -> dict[str, Any]:
    """The certificate that `bound` writes."""
    return written("bound", *arguments)


def written(*arguments: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as room:
        out = Path(room) / "certificate.json"
        assert run([*arguments, "--out", str(out), "--json"]) == 0
        document: dict[str, Any] = json.loads(out.read_text())
    return document


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
    document = bound("A", 2, 8, (0, 0))
    assert claimed(document) == (
        "Cannot (Task [:: (2, 1)]%num [:: [:: (18, 1)]%num] (Some 40%num)) "
        "(Budget 8%num [:: [:: (0, 1)]%num; [:: (0, 1)]%num] None) "
        "(ByA (Choice [:: [:: (1, 1)]%num; [:: (2, 1)]%num] None true))"
    )
    assert certificate_in_coq(document).applied == "T_checker"


def test_a_decision_names_its_word_and_may_have_tables_behind_those_of_the_theorem() -> None:
    said = claimed(decided("RFR", "--L", "3", "--beta", "8", "--lambda", "8"))
    assert said.startswith("WordCannot [:: false; true; false] 3%num (Task [:: (7, 1)]%num [:: [:: (4, 1)]%num; ")
    assert "(BySharper 2%nat (ByA2 [:: (" in said


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"kind": "construction", "claim": {}}, "the kind construction has no Coq form"),
        (
            {"kind": "decision", "claim": {"solvable": False, "theorem": "D2"}},
            "a certificate by Theorem D2 has no Coq form",
        ),
    ],
)
def test_what_has_no_coq_form_is_refused(document: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        certificate_in_coq(document)


def test_every_bound_and_decision_of_the_corpus_has_a_coq_form_or_is_refused() -> None:
    """D2 and the theorems about other tasks are refused in one line, whatever their claims look like."""
    root = Path(__file__).parents[2] / "corpus"
    refused = set()
    for row in json.loads((root / "manifest.json").read_text()):
        if row["expect"] != "accept" or row["kind"] not in ("bound", "decision"):
            continue
        document = json.loads((root / row["file"]).read_text())
        try:
            certificate_in_coq(document)
        except InputError as error:
            if "no Coq form" in str(error):
                refused.add(document["claim"]["theorem"])
    assert {"D2", "memory", "look", "reach", "period"} <= refused
    assert not {"A", "B", "C", "D", "A2", "AL", "A2W"} & refused


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
    assert in_words(json.loads((CORPUS.parent / file).read_text())) == words


def test_words_tell_theorems_apart_that_coq_tells_apart() -> None:
    """Two claims of the corpus with the same words have the same theorem, but for the integers of its proof."""
    found: dict[str, set[str]] = {}
    for row in json.loads((CORPUS.parent / "manifest.json").read_text()):
        if row["expect"] != "accept" or row["kind"] not in ("bound", "decision"):
            continue
        document = json.loads((CORPUS.parent / row["file"]).read_text())
        try:
            claim = certificate_in_coq(document).claim
        except InputError:
            continue
        found.setdefault(in_words(document), set()).add(claim.partition("(By")[0])
    assert len(found) > 40
    assert [words for words, claims in found.items() if len(claims) > 1] == []


@pytest.mark.parametrize("huge", [{"powers": [[3, 10**9]]}, {"powers": [[2, LONGEST_BITS]]}])
def test_a_number_too_long_for_coq_is_refused_before_it_is_computed(huge: object) -> None:
    document = bound("A", 2, 8, (0, 0))
    document["claim"]["task"]["m"] = huge
    with pytest.raises(InputError, match="too long for Coq"):
        certificate_in_coq(document)


# --- what coqc says ---

CASES = {
    "A L=1": lambda: bound("A", 1, 1, (5,)),
    "A L=2 free": lambda: bound("A", 2, 8, (0, 0)),
    "A L=2": lambda: bound("A", 2, 2, (2, 2)),
    "A L=2 chosen": lambda: bound("A", 2, 8, (8, 8), "chosen"),
    "A L=2 β=64": lambda: bound("A", 2, 64, (64, 64)),
    "A L=2 β=64 free": lambda: bound("A", 2, 64, (0, 0)),
    "A L=3": lambda: bound("A", 3, 8, (8, 8, 8)),
    "A L=3 free": lambda: bound("A", 3, 2, (0, 0, 0)),
    "A L=3 chosen": lambda: bound("A", 3, 8, (8, 8, 8), "chosen"),
    "A L=4": lambda: bound("A", 4, 1, (1, 1, 1, 1)),
    "A L=4 free": lambda: bound("A", 4, 8, (0, 0, 0, 0)),
    "A L=4 chosen": lambda: bound("A", 4, 2, (2, 2, 2, 2), "chosen"),
    "B L=1": lambda: bound("B", 1, 8, (0, 3)),
    "B L=2": lambda: bound("B", 2, 8, (0, 0, 0)),
    "B L=2 chosen": lambda: bound("B", 2, 2, (0, 1, 1), "chosen"),
    "B L=2 β=64": lambda: bound("B", 2, 64, (0, 0, 0)),
    "B L=3": lambda: bound("B", 3, 8, (0, 0, 8, 8)),
    "B L=3 chosen": lambda: bound("B", 3, 1, (0, 0, 0, 0), "chosen"),
    "C": lambda: decided("R3", "--L", "2", "--beta", "8", "--lambda", "100"),
    "word A": lambda: decided("RFR", "--L", "2", "--beta", "8", "--lambda", "8", "--theorem", "A"),
    "word A padded": lambda: decided("R2F", "--L", "4", "--beta", "1", "--lambda", "1", "--theorem", "A"),
    "word B beside": lambda: decided("[FR]F", "--L", "2", "--beta", "2", "--lambda", "3", "--theorem", "B"),
    "word B one": lambda: decided("[FR]", "--L", "1", "--beta", "2", "--lambda", "3"),
    "A2": lambda: bounded("--L", "2", "--beta", "8", "--lambda", "8"),
    "A2 β=64": lambda: bounded("--L", "2", "--beta", "64", "--lambda", "64"),
    "B2": lambda: bounded("--L", "2", "--beta", "8", "--lambda", "0", "--full-layers", "2"),
    "A3": lambda: bounded("--L", "3", "--beta", "1", "--lambda", "1,2,3"),
    "word A2": lambda: decided("RFR", "--L", "2", "--beta", "8", "--lambda", "8"),
    "word A2 and an identity": lambda: decided("RFR", "--L", "3", "--beta", "8", "--lambda", "8"),
    "word B2": lambda: decided("F[FR]", "--L", "2", "--beta", "2", "--lambda", "3"),
    "D": lambda: bounded(
        "--sparse", "--modulus", "11", "--block", "3", "--open", "1", "--blocks", "4", "--summary-bits", "2"
    ),
    "A_L": lambda: json.loads((CORPUS / "sharper-al-rows.json").read_text()),
    "word C1": lambda: decided("RF3R", "--L", "2"),
    "word C2": lambda: decided("FRF", "--L", "2"),
    "word C3": lambda: decided("R4", "--L", "2", "--m", "4", "--n", "2", "--beta", "8", "--state-bits", "24"),
}


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_coq_accepts_what_the_kernel_accepts(name: str, tmp_path: Path) -> None:
    document = CASES[name]()
    assert kernel.check_certificate(document).ok
    assert said_by_coq(document, tmp_path) == []


def one_too_many(document: dict[str, Any], key: str) -> dict[str, Any]:
    """The same claim with so many more bits that its inequalities are false, whatever is gained by exact counts."""
    false = copy.deepcopy(document)
    if key == "beta":
        false["claim"]["beta"] = 3 * int(false["claim"]["beta"]) + 1
    elif key == "lambda":
        false["claim"]["lambda"] = [str(10**60) if t else 0 for t, _ in enumerate(false["claim"]["lambda"])]
    elif key == "solvable":
        false["claim"]["L"] += 5
    elif key == "state_bits":
        false["claim"]["state_bits"] -= 1
    else:
        more = int(false["claim"]["task"]["m"]) + 1
        false["choice"]["x"][0] = more if more < 2**53 else str(more)
    return false


@needs_coq
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("A L=2 free", "beta"),
        ("A L=2", "x"),
        ("A L=3", "beta"),
        ("A L=3", "lambda"),
        ("A L=4 free", "x"),
        ("B L=2", "beta"),
        ("B L=3", "lambda"),
        ("B L=1", "lambda"),
        ("A2", "beta"),
        ("B2", "beta"),
        ("word A2", "beta"),
        ("word A2 and an identity", "beta"),
        ("word A padded", "beta"),
        ("word C1", "solvable"),
        ("word C2", "solvable"),
        ("word C3", "state_bits"),
    ],
)
def test_coq_rejects_a_false_neighbour(name: str, key: str, tmp_path: Path) -> None:
    false = one_too_many(CASES[name](), key)
    assert not kernel.check_certificate(false).ok
    with pytest.raises(CoqRefused, match=r"Certificate\.v"):
        said_by_coq(false, tmp_path)


@needs_coq
@pytest.mark.slow
def test_the_verb_prints_one_document_and_the_theorem(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bound.json"
    path.write_text(json.dumps(bound("A", 2, 8, (0, 0))))
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
    path.write_text(json.dumps(one_too_many(bound("A", 2, 8, (0, 0)), "beta")))
    assert run(["check", str(path), "--coq", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["coq"] is None


def test_a_claim_of_windows_has_their_reaches() -> None:
    document = json.loads((CORPUS / "a2w.json").read_text())
    assert claimed(document).startswith("WindowsCannot None (Task [:: (14, 1)]%num [:: [:: (2, 1)]%num] ")
    assert claimed(document).endswith("(Budget 33%num [::] None) 3%num 2%num")


@needs_coq
@pytest.mark.slow
def test_what_the_checker_leaves_open_is_refused_and_not_called_false(capsys: pytest.CaptureFixture[str]) -> None:
    """It holds only with the root of a long binomial, which is not proved."""
    path = CORPUS / "sharper-a3.json"
    assert run(["check", str(path), "--coq"]) == 2
    assert "does not decide it" in capsys.readouterr().err
