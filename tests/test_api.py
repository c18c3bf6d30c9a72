"""The Python API: the verbs by their names, lazily."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inline_executor import Inline

import separation
from proofs_checks.statements.c1 import last_two_layers_swapped
from proofs_checks.statements.s3 import CLIPPED


def test_all_names_exist() -> None:
    for name in separation.__all__:
        assert getattr(separation, name) is not None
    assert dir(separation) == separation.__all__
    with pytest.raises(AttributeError, match="no attribute 'frobnicate'"):
        _ = separation.frobnicate


def test_a_verb_that_is_called_as_a_room_is_stays_the_verb() -> None:
    """separation.matrix is also a package, which the verb imports."""
    told = "import separation; separation.matrix; print(callable(separation.matrix))"
    assert subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True).stdout == "True\n"


def test_wrong_weights_turn_verify_red(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("separation.verbs.verify")
    monkeypatch.setattr(module, "CASES", (("C1", separation.Sizes(2, (2,)), {}),))
    monkeypatch.setattr(module, "all_statements", list)
    assert separation.verify(workers=1).ok
    monkeypatch.setattr(module, "build", lambda _name, sizes: last_two_layers_swapped(sizes))
    report = separation.verify(workers=1)
    assert not report.ok
    assert report.constructions[0].mismatches > 0
    assert "layer" in report.constructions[0].message


def test_a_failing_statement_turns_verify_red(monkeypatch: pytest.MonkeyPatch) -> None:
    module = importlib.import_module("separation.verbs.verify")
    monkeypatch.setattr(module, "CASES", ())
    false = replace(CLIPPED, subject=next(iter(CLIPPED.twins.values())))
    monkeypatch.setattr(module, "all_statements", lambda: [false])
    monkeypatch.setattr(module, "statement", lambda _id: false)
    report = separation.verify(workers=1)
    assert not report.ok
    assert report.document()["statements"][0]["status"] == "failed"


@pytest.mark.parametrize(
    "shared", [{"executor": Inline(sends=True)}, pytest.param({"workers": 2}, marks=pytest.mark.slow)]
)
def test_workers_give_the_rows_of_one_process(shared: dict[str, Any]) -> None:
    module = importlib.import_module("separation.verbs.verify")
    alone = {job: module._row(job, False) for job in (("statement", "S1"), ("construction", 3), ("construction", 7))}
    told: list[float] = []
    found = module.run_jobs(list(alone), False, lambda done, _what: told.append(done), **shared)
    assert told[-1] == 1.0
    for job, row in alone.items():
        assert replace(found[job], seconds=0.0) == replace(row, seconds=0.0)


@pytest.mark.parametrize("package", ["arithmetic", "bounds", "tasks", "tasks.funccomp"])
def test_names_imported_when_they_are_used_are_those_a_reader_sees(package: str) -> None:
    """The imports of a package's `__init__` are for type checkers; each name found later is that one."""
    module = importlib.import_module(f"separation.{package}")
    tree = ast.parse(Path(str(module.__file__)).read_text("utf-8"))
    imports = [
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module != "separation.lazily"
    ]
    homes = {alias.name: str(node.module) for node in imports for alias in node.names}
    assert set(homes) == set(module.__all__)
    for name, home in homes.items():
        assert getattr(module, name) is getattr(importlib.import_module(home), name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        module.nothing  # noqa: B018
