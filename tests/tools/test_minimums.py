"""tools/minimums.txt has the lowest versions that pyproject.toml declares."""

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
