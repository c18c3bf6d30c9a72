"""What is no certificate at all: the kernel refuses to read it, and reads with nothing but itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest
from kernel_cases import construction, matrix

from separation.proving import kernel
from separation.proving.kernel import Malformed, check_certificate, check_text


def test_malformed_texts() -> None:
    text = json.dumps(construction(2, []))
    broken = [
        *("", "[]", "null", "1", "{}", text[:-1], "[" * 10**5, b"\xff\xfe", '{"schema": "separation.certificate/1"}'),
        *(
            text.replace('"margin": 2', f'"margin": {x}')
            for x in ("2.0", "1e1", "NaN", "true", "null", '"0x2"', '" 2"')
        ),
        *(
            text.replace('"margin": 2', f'"margin": {x}')
            for x in ("9" * 17, '"' + "9" * 4001 + '"', '"1/0"', "9" * 5000)
        ),
        *(text.replace('"margin": 2', x) for x in ('"margin": 2, "more": 1', '"margin": 2, "margin": 2')),
        text.replace("construction", "decision"),
        text.replace("certificate/1", "certificate/2"),
        text.replace("model/1", "model/2"),
        text.replace('"m": 2', '"m": 0'),
        text.replace('"fraction": 6', '"fraction": 9'),
        text.replace('"P": 8', '"P": -1'),
        text.replace('"P": 8', '"P": 99999'),
        text.replace('"width": 2', '"width": 9999999'),
        text.replace('"radius": 1', '"radius": -1'),
    ]
    for broken_text in broken:
        assert broken_text != text
        with pytest.raises(Malformed):
            check_text(broken_text)


def test_size_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MAX_BYTES", 100)
    with pytest.raises(Malformed, match="at most 100 bytes"):
        check_text(" " * 101)
    monkeypatch.setattr(kernel, "MAX_WORK", 1000)
    with pytest.raises(Malformed, match=r"^declined: the check takes more work than 1000 units$"):
        check_certificate(construction(3, []))


@pytest.mark.parametrize(
    "segments",
    [
        [(0, [2]), (2, [])],  # one row too few
        [(0, [2]), (2, []), (2, [])],  # two rows at one place
        [(0, [2]), (2, []), (3, []), (4, [])],
        [(0, [2]), (3, [])],
        [(0, [2]), (1, []), (3, [])],
    ],
)
def test_segments_cover_each_row_once(segments: list[tuple[int, list[int]]]) -> None:
    document = construction(2, [])
    width = document["claim"]["width"]
    parts = [{"start": s, "radices": r, "matrix": matrix(width, 1 + len(r), {})} for s, r in segments]
    document["model"]["positions"]["declared"] = parts
    with pytest.raises(Malformed, match="segments"):
        check_certificate(document)


def test_command_line(tmp_path: Path) -> None:
    good, bad, none = tmp_path / "good.json", tmp_path / "bad.json", tmp_path / "none.json"
    document = construction(2, [])
    good.write_text(json.dumps(document))
    document["claim"]["margin"] = 3
    bad.write_text(json.dumps(document))
    none.write_text("{}")
    long = tmp_path / "long.json"
    long.write_text(
        json.dumps({**document, "model": {**document["model"], "layers": [{"heads": [], "mlps": []}] * 257}})
    )
    expected = [(good, 0, "These weights answer every input of L-FuncComp with L = 1, m = 2, n = () correctly")]
    expected += [(bad, 1, "rejected: claim, margin"), (long, 2, "declined: too many layers")]
    for file, status, line in [
        *expected,
        (none, 2, "malformed: "),
        (tmp_path / "absent", 2, "malformed: no such file"),
    ]:
        command = [sys.executable, "-I", str(Path(kernel.__file__)), str(file)]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (status, "")
        assert run.stdout.startswith(line)
        assert run.stdout.splitlines()[1:] == (["accepted"] if status == 0 else [])
        assert kernel.main(str(file)) == status


def test_kernel_stands_alone() -> None:
    """Only the standard library, no float, no true division, nothing evaluated."""
    tree = ast.parse(Path(kernel.__file__).read_text())
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            own = names == ["separation.proving"] and node.names[0].name == "kernel_bounds"
            assert own or all(name.split(".")[0] in sys.stdlib_module_names for name in names)
            assert not isinstance(node, ast.ImportFrom) or node.level == 0
        assert not isinstance(node, ast.Div)
        assert not isinstance(node, ast.Constant) or not isinstance(node.value, float)
        assert not isinstance(node, ast.Name) or node.id not in {"eval", "exec", "float", "compile", "__import__"}
