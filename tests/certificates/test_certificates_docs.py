"""docs/certificates.md: its commands run, its outputs are those that are printed, and its lists are complete."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from math import exp, floor
from pathlib import Path

import pytest

from separation.proving import kernel, kernel_bounds
from separation.proving.schemas import KINDS, NAMES
from separation.verbs.command_line import run

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "certificates.md").read_text()
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """All blocks in order, in one folder; an output is what the block before it printed last."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "separation" / "proving").mkdir(parents=True)
    for file in (kernel, kernel_bounds):
        shutil.copy(file.__file__, tmp_path / "separation" / "proving")
    printed, compared = "", 0
    for language, block in BLOCKS:
        lines = block.splitlines()
        if language == "python":
            capsys.readouterr()
            exec(compile(block, "docs/certificates.md", "exec"), {})
            printed = capsys.readouterr().out
        elif lines[0].startswith("separation "):
            for line in lines:
                printed = execute(line, tmp_path, capsys)
        else:
            assert printed == block
            compared += 1
    assert compared == 2


def execute(line: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    words = shlex.split(line)
    if words[0] == "separation":
        capsys.readouterr()
        assert run(words[1:]) == 0, line
        return capsys.readouterr().out
    words[0] = sys.executable if words[0] == "python3" else words[0]
    assert words[0] in (sys.executable, "cp"), line
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def test_all_kinds_and_schemas_are_named() -> None:
    assert [f"`{kind}`" in TEXT for kind in KINDS] == [True] * 7
    assert re.findall(r"check --schema (\w+)", TEXT) == list(NAMES)


def test_the_worked_example() -> None:
    """The certificate in the page is that of the corpus, and the numbers of its check are what the formulas give."""
    section = TEXT[TEXT.index("## A worked example") : TEXT.index("## Schemas")]
    shown = re.search(r"^    \{\"schema.*?\n\n", section, re.MULTILINE | re.DOTALL)
    assert shown
    document = json.loads(shown.group())
    assert document == json.loads((ROOT / "corpus" / "construction" / "c1-m2.json").read_text())
    assert kernel.check_certificate(document).ok
    table, w, rest = exp(-6 + 0 + 2) * min(1 + exp(-4), 2), exp(-6 + 2), exp(-4)
    leak = table + w
    alone = (exp(-2 + 2) * (1 + exp(-4)) + exp(6 - 2)) * (1 + 1 / floor(2**8 * exp(2 - 6)))
    second = rest + exp(-6 + 2) + exp(-6 - 2)
    assert f"min(1 + e^{{−4}}, 2) = {cut(table, 5)}" in section
    assert f"e^{{−6 + 2}}·1 = {cut(w, 5)}" in section
    assert section.count(f"= {cut(leak, 5)}") == 2
    assert cut(leak, 5) == cut(second, 5)
    assert f"+ 1/64 = {cut(2 * leak / (1 + leak) + 1 / 64, 4)}" in section
    assert f"λ = {cut(alone, 1)}" in section


def cut(x: float, digits: int) -> str:
    """So many digits, rounded down, and dots."""
    return f"{floor(x * 10**digits) / 10**digits:.{digits}f}…"


def test_the_limits_are_those_of_the_kernel() -> None:
    """The numbers in the table of limits, and the precision that the kernel has."""
    limits = TEXT[TEXT.index("## Limits") : TEXT.index("## A worked example")]
    powers = {"2^14": kernel.MAX_WIDTH, "2^16": kernel.MAX_SUBSETS, "2^20": kernel.MAX_STORED}
    powers |= {"2^22": kernel.MAX_CELLS, "2^26": kernel.MAX_BYTES, "2^27": kernel.MAX_WORK}
    powers |= {"2^17": kernel.MAX_BITS}
    assert {name: 2 ** int(name[2:]) for name in powers} == powers
    plain = (kernel.MAX_DIGITS, kernel.MAX_PRECISION, kernel.MAX_LENGTH, kernel_bounds.MAX_LAYERS, kernel.BITS)
    assert all(f"`{limit}`" in limits for limit in (*powers, *plain))
    assert f"`{kernel.DIGITS}` binary digits" in TEXT
    assert kernel_bounds.MAX_POWER == 2**512
    assert f"above `{kernel.MAX_EXPONENT}` the rule does not apply" in " ".join(TEXT.split())
    assert f"the first\n        {kernel.MAX_CHOICES} combinations are tried" in TEXT


def test_hidden_characters_are_those_of_all_three_programs() -> None:
    """The page's list, the patterns of both kernels and the table of the extracted checker."""
    section = TEXT.split("### Hidden characters")[1].split("###")[0]
    listed = points(range_of(part) for line in section.splitlines() if line.startswith("    ") for part in line.split())
    assert {point for point in range(0x110000) if kernel.HIDDEN.search(chr(point))} == listed
    lines = (ROOT / "separation/lesson/kernel.mjs").read_text().split("const HIDDEN")[1].split(";\n")[0]
    pattern = "".join(re.findall(r'"(\[?\\\\[^"]*)"', lines)).strip("[]")
    codes = re.sub(r"\\\\(?:x|u)\{?([0-9a-f]+)\}?", r" \1", pattern).replace("- ", "-").split()
    assert sorted(points(map(range_of, codes))) == sorted(listed)
    table = (ROOT / "proofs_checks/coq/ocaml/numbers.ml").read_text().split("let hidden =")[1].split("]")[0]
    pairs = re.findall(r"\(0x([0-9a-f]+), 0x([0-9a-f]+)\)", table)
    assert sorted(points((int(a, 16), int(b, 16)) for a, b in pairs)) == sorted(listed)


def range_of(text: str) -> tuple[int, int]:
    first, _, last = text.partition("-")
    return int(first, 16), int(last or first, 16)


def points(ranges: Iterable[tuple[int, int]]) -> set[int]:
    return {point for first, last in ranges for point in range(first, last + 1)}
