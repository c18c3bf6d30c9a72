"""Imports go one way, and the contract can fail."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def imported_modules(source: str) -> set[str]:
    """Top-level packages that a source imports, wherever the import stands; a relative import counts as '.'."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else str(node.module).split(".")[0])
        elif isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
            "__import__",
            "import_module",
            "eval",
            "exec",
        ):
            found.add("dynamic")
    return found


def _lint_imports(folder: Path) -> tuple[int, str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as run; run()", "--no-cache"]
    environment = {"PYTHONPATH": str(folder), "COLUMNS": "200"}
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False, env=environment, text=True)
    return done.returncode, done.stdout


def test_the_import_contract_holds_and_can_fail(tmp_path: Path) -> None:
    pytest.importorskip("importlinter")
    for package in ("separation", "constructions", "proofs_checks"):
        for source in (ROOT / package).rglob("*.py"):
            target = tmp_path / source.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(source.read_text())
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    assert _lint_imports(tmp_path)[0] == 0
    wrong = {
        "separation.arithmetic.numbers -> separation.proving.forms": "from separation.proving import forms",
        "separation.numeric.float_errors -> constructions.c1": "from constructions import c1",
        "constructions.c3 -> separation.numeric.arithmetic": "from separation.numeric import arithmetic",
        "constructions.c4 -> constructions.stock": "from constructions import stock",
    }
    for edge, line in wrong.items():
        broken = tmp_path / f"{edge.partition(' -> ')[0].replace('.', '/')}.py"
        broken.write_text(f"{broken.read_text()}\n{line}\n")
    code, told = _lint_imports(tmp_path)
    assert code == 1
    assert [edge for edge in wrong if edge not in told] == []


def test_no_two_files_of_tests_have_one_name() -> None:
    """Folders of tests are no packages: pytest would import the first for both, and collect nothing at all."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name not in ("conftest.py", "__main__.py")]
    assert sorted(names) == sorted(set(names))


def test_the_page_of_the_tests_names_what_is_there() -> None:
    """Every file and folder that it names is there; and every folder of tests is named."""
    here = ROOT / "tests"
    page = (here / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.relative_to(here).as_posix() for path in here.rglob("test_*.py")} - {"."}
    assert [folder for folder in sorted(folders) if f"{folder}/" not in page] == []
    for name in re.findall(r"`([\w/*{},]+(?:\.py|/))`", page):
        before, _, rest = name.partition("{")
        ways, _, behind = rest.partition("}")
        for way in ways.split(","):
            assert list(here.rglob(f"{before}{way}{behind}".rstrip("/"))), name
