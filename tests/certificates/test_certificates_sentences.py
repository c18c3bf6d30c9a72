"""What `check` says of a certificate that it accepts: a sentence and a claim, of which every field was checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from certificate_cases import KINDS, certificate
from document_mutations import put

import separation
from separation.proving.kernel import Declined, Malformed, check_certificate
from separation.verbs.command_line import run

Document = dict[str, Any]
EVERY = [(kind, name) for kind in KINDS for name in KINDS[kind]]
LABEL = "Theorem A: not solvable at these sizes, L = 9"

SENTENCES = {
    ("construction", "by hand, two tables"): "These weights answer every input of L-FuncComp with L = 2, m = 2, "
    "n = (1) correctly, by a margin of 2 (word F3, causal).",
    ("construction", "C5 F"): "These weights answer every input of L-FuncComp with L = 2, m = 2, n = (1) and thoughts "
    "(records) correctly, by a margin of 2 (word F, causal).",
    ("construction", "C6"): "These weights answer every input of 2-Sum with n = 3 tokens modulo M = 5 correctly, by a "
    "margin of 4 (word F, causal).",
    (
        "bound",
        "A one table",
    ): "No causal model of 0 full layers and recurrent ones, with messages of at most 1 bits "
    "and at most (8) linear bits, solves L-FuncComp with L = 1, m = 5, n = () in one pass (Theorem A).",
    ("bound", "B one table"): "No causal model of 1 full layer and no recurrent one, with messages of at most 8 bits "
    "and at most (0, 2) linear bits, solves L-FuncComp with L = 1, m = 5, n = () in one pass (Theorem B).",
    ("bound", "C"): "No causal model of recurrent layers alone, with states of at most 12 bits, solves L-FuncComp with "
    "L = 2, m = 3, n = (2) in one pass (Theorem C).",
    ("bound", "D"): "No single block-sparse layer with 4 blocks of 3 tokens, 1 of them opened, and summaries of 6 bits "
    "solves 2-Sum modulo 11 (Theorem D, proved, with steps by hand).",
    ("decision", "by C1"): "The word F3 has depth 2, so construction C1 solves L-FuncComp with L = 2 at all sizes.",
    ("decision", "by C3"): "With 4 recurrent layers whose states of 19 bits hold a table, construction C3 solves "
    "L-FuncComp with L = 2, m = 3, n = (2).",
}


def outcome(document: Document) -> str:
    try:
        return "accepted" if check_certificate(document).ok else "rejected"
    except Declined:
        return "declined"
    except Malformed:
        return "malformed"


@pytest.mark.parametrize(("kind", "name"), SENTENCES)
def test_the_sentence(kind: str, name: str) -> None:
    assert check_certificate(certificate(kind, name)).message == SENTENCES[kind, name]


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_a_sentence_is_short_and_has_no_brackets_of_python(kind: str, name: str) -> None:
    verdict = check_certificate(certificate(kind, name))
    assert verdict.ok
    assert verdict.message.endswith(".")
    assert len(verdict.message) < 400
    plain = verdict.message.replace("(Theorem C'", "(Theorem C").replace("(Theorem D'", "(Theorem D")
    assert not set("{}'\"\n") & set(plain)  # but for the prime of C' and D'


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_free_text_is_never_repeated(kind: str, name: str) -> None:
    """The version of the tool and the label of a construction may be anything; neither is said."""
    document = certificate(kind, name)
    document["tool"] = LABEL
    if kind == "construction":
        document["claim"]["construction"] = LABEL
    verdict = check_certificate(document)
    assert verdict.ok
    assert "not solvable" not in json.dumps([verdict.message, verdict.claim])
    found = {"attention", "message", "summary"} if kind == "construction" else set()  # by the kernel, of the model
    assert set(verdict.claim) - found <= set(document["claim"]) - {*({"construction"} if found else ())}


def forgeries(value: Any) -> list[Any]:
    """Another value of the same type, as near as it can be."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1]
    if isinstance(value, str):
        return [f"{value}F", f"F{value}"] if not value.lstrip("-").isdigit() else [str(int(value) + 1)]
    return []


EXACT = {  # fields that have one right value
    "construction": ("tokens", "word", "width", "heads", "layers"),
    "pair": ("word", "expected_a", "expected_b"),
}


@pytest.mark.parametrize(("kind", "name"), [pair for pair in EVERY if pair[0] in EXACT])
def test_a_forged_field_is_not_accepted(kind: str, name: str) -> None:
    document = certificate(kind, name)
    for key in EXACT[kind]:
        for other in forgeries(document["claim"].get(key)):
            assert outcome(put(document, ("claim", key), other)) != "accepted", (key, other)
    if kind == "construction":
        claim = document["claim"]
        margin = put(document, ("claim", "margin"), int(claim["margin"]) + 1)
        inputs = put(document, ("claim", "inputs_covered_log2"), int(claim["inputs_covered_log2"]) + 1)
        for key in ("P", "p"):
            bits = put(document, ("claim", "precision_bits", key), claim["precision_bits"][key] + 1)
            assert outcome(bits) == "rejected"
        task = put(document, ("claim", "task", "m" if "m" in claim["task"] else "length"), 7)
        states = put(document, ("claim", "state_bits"), int(claim["state_bits"]) - 1)
        assert [outcome(forged) for forged in (margin, inputs, task)] == ["rejected"] * 3
        assert outcome(states) in ("rejected", "malformed")


DECISIONS = {  # an impossible or solvable word: key, and a value that is not so
    "by C1": [("construction", "C2"), ("L", 3), ("layers", ["F", "F"])],
    "by C2": [("construction", "C1"), ("L", 3), ("layers", ["F", "F"])],
    "by C3": [("state_bits", 3), ("layers", ["R", "R"]), ("L", 1)],
    "not by A": [("theorem", "B"), ("L", 2), ("layers", ["F", "F", "F", "F"])],
    "not by B": [("theorem", "A"), ("L", 1), ("layers", ["R", "F", "F"])],
    "not by C": [("theorem", "A"), ("L", 1), ("layers", ["F", "R"])],
}


@pytest.mark.parametrize("name", DECISIONS)
def test_a_forged_decision_is_not_accepted(name: str) -> None:
    for key, value in DECISIONS[name]:
        assert outcome(put(certificate("decision", name), ("claim", key), value)) != "accepted", (key, value)


@pytest.mark.parametrize("name", ["A", "A chosen", "B", "C", "heads"])
def test_a_bound_is_said_of_the_numbers_for_which_it_was_checked(name: str) -> None:
    document = certificate("bound", name)
    claim = document["claim"]
    tokens = put(document, ("claim", "tokens"), 10**6 + 1)
    linear = put(document, ("claim", "lambda"), [10**9 for _ in claim["lambda"]])
    assert outcome(tokens) == outcome(linear) == "rejected"
    if claim["beta"] is not None:
        assert outcome(put(document, ("claim", "beta"), 10**9)) == "rejected"
    if claim["message"] is not None:
        assert outcome(put(document, ("claim", "message", "heads"), 10**6)) == "rejected"


def test_what_claims_nothing_is_not_said() -> None:
    document = certificate("construction", "C3")
    document["claim"] |= {"state_bits": None, "integral": False}
    verdict = check_certificate(document)
    assert verdict.ok
    assert not {"state_bits", "integral", "construction"} & set(verdict.claim)
    bound = check_certificate(put(certificate("bound", "A"), ("claim", "tokens"), None))
    assert bound.ok
    assert "tokens" not in bound.claim


def test_a_rejected_certificate_has_no_claim(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "forged.json"
    file.write_text(json.dumps(put(certificate("construction", "C6"), ("claim", "margin"), 5)))
    report = separation.check(file)
    assert (report.ok, report.claim) == (False, {})
    assert run(["check", str(file)]) == 1
    assert capsys.readouterr().out == "✗ the kernel rejects it: claim, margin: 5 is claimed, 4 is proved\n"


def test_the_four_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 accepted, 1 rejected, 2 malformed or declined, each in words; alike in the verb and in the kernel by itself."""
    good = certificate("decision", "by C1")
    documents = {
        "accepted": good,
        "rejected": put(good, ("claim", "L"), 3),
        "malformed": {**good, "more": 1},
        "declined": put(good, ("claim", "layers"), ["F"] * 5000),
    }
    kernel = Path(separation.__file__).parent / "proving" / "kernel.py"
    for word, document in documents.items():
        file = tmp_path / f"{word}.json"
        file.write_text(json.dumps(document))
        status = {"accepted": 0, "rejected": 1}.get(word, 2)
        assert run(["check", str(file)]) == status
        out, err = capsys.readouterr()
        done = subprocess.run(
            [sys.executable, "-I", str(kernel), str(file)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (status, "")
        assert done.stdout.splitlines()[-1].startswith(word)
        if word == "accepted":
            assert out.splitlines() == [done.stdout.splitlines()[0], "✓ the kernel accepts the certificate"]
        elif word == "rejected":
            assert out.startswith("✗ the kernel rejects it: L = 3 is not at most the depth 2")
        else:
            assert (out, err.count("\n")) == ("", 1)
            texts = {"malformed": " is not a certificate: not an object", "declined": ": declined: too many layers"}
            assert err.startswith(f"separation: error: {file}{texts[word]}")


ALONE = {
    "separation",
    "separation.verbs",
    "separation.verbs.command_line",
    "separation.verbs.check_alone",
    "separation.proving",
    "separation.proving.kernel",
}
WATCH = """
import sys
started = set(sys.modules)
from separation.proving import kernel
check, seen = kernel.check_file, []
def watched(file):
    try:
        return check(file)
    finally:
        seen.append(set(sys.modules) - started)
kernel.check_file = watched
from separation.verbs.command_line import run
status = run(sys.argv[1:])
(modules,) = seen
found = {name for name in modules if name.partition(".")[0] not in sys.stdlib_module_names}
print(status, *sorted(found))
print(*sorted({name for name in set(sys.modules) - started if name.partition(".")[0] not in sys.stdlib_module_names}))
"""


@pytest.mark.parametrize("options", [[], ["--json"], ["--replay"], ["--json", "--replay"]])
@pytest.mark.parametrize("change", [0, 1, 2])
def test_the_kernel_alone_is_imported_before_the_verdict(options: list[str], change: int, tmp_path: Path) -> None:
    """Accepted, rejected or malformed: nothing else of the project is there, and no other package."""
    good = certificate("pair", next(iter(KINDS["pair"])))
    document = [good, put(good, ("claim", "expected_a"), 99), {**good, "more": 1}][change]
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(document))
    command = [sys.executable, "-c", WATCH, "check", *options, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(separation.__file__).parents[1])
    *_, verdict, after = done.stdout.splitlines()
    assert verdict.split() == [str(change), *sorted(ALONE)]
    if not options and change < 2:
        assert set(after.split()) == ALONE  # nor is anything needed to print it
