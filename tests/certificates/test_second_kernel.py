"""The JavaScript kernel, written from docs/certificates.md alone, says of each file of the corpus what it should."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from corpus_cases import CORPUS, MANIFEST, ROOT, SLOW

KERNEL = ROOT / "separation" / "lesson" / "kernel.mjs"
NODE = shutil.which("node")
STATUS = {"accept": 0, "reject": 1, "malformed": 2, "decline": 2}

pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed: the JavaScript kernel cannot be run")


def node(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(NODE), *words], capture_output=True, text=True, encoding="utf-8", timeout=120)


def statuses(kernel: Path, names: list[str], folder: Path) -> dict[str, int]:
    """What the kernel says of files of the corpus, all in one process; a defect of the kernel is no verdict."""
    listed = folder / "list"
    listed.write_text("\n".join(str(CORPUS / name) for name in names))
    lines = node("--max-old-space-size=200", str(kernel), "--batch", str(listed)).stdout.splitlines()
    assert len(lines) == len(names)
    assert not any("internal error" in line for line in lines)
    return {name: int(line.split("\t")[0]) for name, line in zip(names, lines, strict=True)}


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_it_agrees_with_the_whole_corpus(slow: bool, tmp_path: Path) -> None:
    entries = [entry for entry in MANIFEST if slow or entry["file"] not in SLOW]
    found = statuses(KERNEL, [entry["file"] for entry in entries], tmp_path)
    for entry in entries:
        allowed = {STATUS[entry["expect"]], STATUS[entry.get("otherwise", entry["expect"])]}
        assert found[entry["file"]] in allowed, entry["file"]


# Where JavaScript's numbers and ways differ (other rules: test_corpus.py): lines of the kernel, what stands in their
# place in a broken twin, and a file of which the twin says something else.
TWINS = {
    "P11": (
        "const lost = roundedUp(lambda.mul(TWO).div(ONE.add(lambda)), context);",
        "const lost = ZERO;",
        "construction/c6-temperature-under.json",
    ),
    "ties": ("largest.lt(logit)", "largest.le(logit)", "pair/no-layers-tie.json"),
    "columns": (
        "([, column, coefficient]) => [asIndex(column % width), coefficient, column / width]",
        "([row, column, coefficient]) => [Number(row), coefficient, BigInt((Number(column) - Number(row)) / size)]",
        "construction/c7-block-2-54-mixed.json",
    ),
    "digits of a weight": (
        "exponential(x, model.P + 256n).map((bound) => bound.mul(scale)",
        "exponential(x, 256n).map((bound) => bound.mul(scale)",
        "pair/f-p-400.json",
    ),
    "digits of inputs": (
        "LOG_DIGITS + BigInt(bitlength(task.tokens))",
        "LOG_DIGITS",
        "construction/c6-length-2-300.json",
    ),
    "Q3, laws": ("on.push(valid[cell] && value > 0n);", "on.push(false);", "construction/program-dyck1.json"),
    "Q5, rounding": (
        "div(new Q(all, 1n)).floorTo(grain)",
        "div(new Q(all, 1n))",
        "construction/program-majority-by-attention.json",
    ),
    "one by one": ("const JOINED = 262144;", "const JOINED = 4;", "construction/program-second-largest-66.json"),
}


@pytest.mark.parametrize("rule", TWINS)
def test_a_twin_without_a_rule_disagrees(rule: str, tmp_path: Path) -> None:
    old, new, name = TWINS[rule]
    files = {path.name: path.read_text(encoding="utf-8") for path in KERNEL.parent.glob("kernel*.mjs")}
    assert sum(source.count(old) for source in files.values()) == 1
    for file, source in files.items():
        (tmp_path / file).write_text(source.replace(old, new), encoding="utf-8")
    broken = tmp_path / "kernel.mjs"
    (expect,) = (entry["expect"] for entry in MANIFEST if entry["file"] == name)
    assert statuses(broken, [name], tmp_path) != {name: STATUS[expect]}


@pytest.mark.parametrize(
    ("name", "status", "word"),
    [
        ("construction/c1-m2.json", 0, "accepted"),
        ("bound/a-beta-over.json", 1, "rejected"),
        ("text/byte-order-mark.json", 2, "malformed"),
        ("bound/declined-powers.json", 2, "declined"),
        ("no such file", 2, "malformed"),
    ],
)
def test_one_file_gets_one_sentence_and_its_exit_status(name: str, status: int, word: str) -> None:
    done = node(str(KERNEL), str(CORPUS / name))
    assert (done.returncode, done.stderr) == (status, "")
    (line,) = done.stdout.splitlines()
    assert line.startswith(f"{word}: ")


def test_other_words_are_bad_usage() -> None:
    for words in ([], ["--batch"], ["a", "b"]):
        done = node(str(KERNEL), *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("usage: ")


def test_a_page_can_import_it_where_there_is_no_process(tmp_path: Path) -> None:
    certificate = (CORPUS / "bound/a.json").read_text()
    page = tmp_path / "page.mjs"
    page.write_text(
        f"const said = console.log;\nglobalThis.process = undefined;\n"
        f"const {{ checkText }} = await import({json.dumps(KERNEL.as_uri())});\n"
        f'said(checkText({json.dumps(certificate)}).verdict, checkText("[]").verdict);\n'
    )
    assert node(str(page)).stdout == "accepted malformed\n"
