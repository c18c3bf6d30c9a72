"""tools/minimums.txt has the lowest versions that pyproject.toml declares, and .ci/run installs them."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def lowest(requirements: list[str]) -> dict[str, str]:
    """{package: its lower bound}; one without a bound is an error."""
    found = {}
    for requirement in requirements:
        match = re.fullmatch(r"([a-z0-9-]+)>=([\d.]+)(?:,.*)?", requirement)
        assert match is not None, requirement
        found[match[1]] = match[2]
    return found


def pinned(text: str) -> dict[str, str]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return dict(line.split("==") for line in lines)


def test_the_constraints_are_the_declared_minimums() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert pinned((ROOT / "tools" / "minimums.txt").read_text()) == lowest(declared)


def test_versions_that_failed_are_not_allowed() -> None:
    """Measured: a statement failed with sympy 1.13, z3 before 4.12.4 has no `&`, typer 0.15.0 no help text."""
    declared = lowest(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"])
    least = {"sympy": (1, 14), "z3-solver": (4, 12, 4), "typer": (0, 15, 4)}
    for package, version in least.items():
        assert tuple(map(int, declared[package].split("."))) >= version


def test_ci_installs_them_and_tries_a_newer_python() -> None:
    text = (ROOT / ".ci" / "run").read_text()
    assert 'pip" install -q -c tools/minimums.txt' in text
    assert text.count("tools/smoke.py") == 2
    assert 'lowest/bin/separation" verify --json' in text
