"""Imports go one way, the kernel knows nobody, and the contract can fail."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
KERNEL = ROOT / "separation" / "proving" / "kernel.py"
KERNEL_FILES = sorted(KERNEL.parent.glob("kernel*.py"))


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


def test_the_kernel_uses_the_standard_library_alone() -> None:
    """And its files each other."""
    for file in KERNEL_FILES:
        own = re.compile(r"from separation\.proving(\.kernel\w*)? import(?= \(| \w)")
        lines = [
            own.sub("from sys import", line) if "kernel" in line else line for line in file.read_text().split("\n")
        ]
        assert imported_modules("\n".join(lines)) <= set(sys.stdlib_module_names), file.name


def test_the_kernel_test_would_notice() -> None:
    for line in ("import numpy", "from separation import files", "from . import forms", "__import__('numpy')"):
        assert not imported_modules(f"def f():\n    {line}\n") <= set(sys.stdlib_module_names)


def test_the_kernel_runs_without_the_project(tmp_path: Path) -> None:
    alone = tmp_path / "kernel.py"
    alone.write_text(KERNEL.read_text())
    done = subprocess.run(
        [sys.executable, "-I", str(alone), str(KERNEL)], capture_output=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2  # its own source is no certificate
    assert b"Traceback" not in done.stderr


def test_proving_imports_nothing_of_constructions() -> None:
    for path in (ROOT / "separation" / "proving").glob("*.py"):
        assert not imported_modules(path.read_text()) & {"constructions", "proofs_checks"}, path


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
