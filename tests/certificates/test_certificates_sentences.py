"""What `check` says of a certificate that it accepts: a sentence and a claim, of which every field was checked."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from certificate_cases import KINDS, certificate
from document_mutations import put

import separation
from separation.proving.kernel import check_certificate
from separation.verbs.command_line import run

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
        "a-one-table",
    ): "No causal model of 0 full layers and recurrent ones, with messages of at most 1 bits "
    "and at most (8) linear bits, solves L-FuncComp with L = 1, m = 5, n = () in one pass (Theorem A).",
    ("bound", "b-one-table"): "No causal model of 1 full layer and no recurrent one, with messages of at most 8 bits "
    "and at most (0, 2) linear bits, solves L-FuncComp with L = 1, m = 5, n = () in one pass (Theorem B).",
    ("bound", "c"): "No causal model of recurrent layers alone, with states of at most 15 bits, solves L-FuncComp with "
    "L = 2, m = 3, n = (2) in one pass (Theorem C).",
    ("bound", "d"): "No single block-sparse layer with 4 blocks of 3 tokens, 1 of them opened, and summaries of 6 bits "
    "solves 2-Sum modulo 11 (Theorem D).",
    ("decision", "c1-fff"): "The word F3 has depth 2, so construction C1 solves L-FuncComp with L = 2 at all sizes.",
    ("decision", "c3"): "With 3 recurrent layers whose states of 18 bits hold a table, construction C3 solves "
    "L-FuncComp with L = 2, m = 3, n = (2).",
}


def test_the_sentence() -> None:
    for (kind, name), sentence in SENTENCES.items():
        assert check_certificate(certificate(kind, name)).message == sentence


@pytest.mark.parametrize("kind", KINDS)
def test_a_sentence_is_short_and_repeats_no_free_text(kind: str) -> None:
    """The version of the tool and the label of a construction may be anything; neither is said."""
    for name in KINDS[kind]:
        document = certificate(kind, name)
        document["tool"] = LABEL
        if kind == "construction":
            document["claim"]["construction"] = LABEL
        verdict = check_certificate(document)
        assert verdict.ok
        assert verdict.message.endswith(".")
        assert len(verdict.message) < 400
        plain = verdict.message.replace("(Theorem C'", "(Theorem C").replace("(Theorem D'", "(Theorem D")
        assert not set("{}'\"\n") & set(plain)  # but for the prime of C' and D'
        assert "not solvable" not in json.dumps([verdict.message, verdict.claim])
        found = {"attention", "message", "summary"} if kind == "construction" else set()  # by the kernel, of the model
        assert set(verdict.claim) - found <= set(document["claim"]) - {*({"construction"} if found else ())}


def test_what_claims_nothing_is_not_said() -> None:
    document = certificate("construction", "C3")
    document["claim"] |= {"state_bits": None, "integral": False}
    verdict = check_certificate(document)
    assert verdict.ok
    assert not {"state_bits", "integral", "construction"} & set(verdict.claim)
    bound = check_certificate(put(certificate("bound", "a"), ("claim", "tokens"), None))
    assert bound.ok
    assert "tokens" not in bound.claim


def test_the_four_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0 accepted, 1 rejected, 2 malformed or declined, each in words; alike in the verb and in the kernel by itself."""
    good = certificate("decision", "c1-fff")
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
    "separation.lazily",
    "separation.verbs",
    "separation.verbs.command_line",
    "separation.verbs.check_alone",
    "separation.proving",
    "separation.proving.kernel",
    "separation.proving.kernel_runs",
    "separation.proving.kernel_tasks",
}
WATCH = """
import sys
started = set(sys.modules)
from separation.proving import kernel
check, seen = kernel.check_file, []
def loaded():
    names = set(sys.modules) - started
    return sorted(name for name in names if name.partition(".")[0] not in sys.stdlib_module_names)
def watched(*file):
    try:
        return check(*file)
    finally:
        seen.append(loaded())
kernel.check_file = watched
from separation.verbs.command_line import run
status = run(sys.argv[1:])
(modules,) = seen
print(status, *modules)
print(*loaded())
"""


@pytest.mark.parametrize(
    ("options", "change"), [([], 0), (["--json"], 1), (["--replay"], 2), (["--json", "--replay"], 0)]
)
def test_the_kernel_alone_is_imported_before_the_verdict(options: list[str], change: int, tmp_path: Path) -> None:
    """Accepted, rejected or malformed: nothing else of the project is there, and no other package."""
    good = certificate("pair", next(iter(KINDS["pair"])))
    document = [good, put(good, ("claim", "expected_a"), 99), {**good, "more": 1}][change]
    file = tmp_path / "pair.json"
    file.write_text(json.dumps(document))
    command = [sys.executable, "-c", WATCH, "check", *options, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(separation.__file__).parents[1])
    *_, verdict, after = done.stdout.splitlines()
    asked = ALONE if change < 2 else ALONE - {"separation.proving.kernel_tasks"}  # with a key too many no task is read
    assert verdict.split() == [str(change), *sorted(asked)]
    if not options:
        assert set(after.split()) == ALONE  # nor is anything needed to print it
