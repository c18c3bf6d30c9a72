"""Results that outlive a run: one JSON line each, written at once, used again only while what they rest on is the same.

A mutant is *killed* by one test: that holds while the mutated file, the helpers of the tests and that test's file (with
the data files named after it) are unchanged. It has *survived* all tests: that holds while no test file has changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tools.mutation.targets import Target

COPIED = ("separation", "constructions", "proofs_checks", "tests", "tools", "docs", "README.md", "pyproject.toml")
OUTCOMES = ("killed", "timed out", "survived", "not covered", "invalid")


def digest(root: Path, paths: Iterable[Path]) -> str:
    """Twelve hexadecimal digits of SHA-256 over names and contents."""
    total = hashlib.sha256()
    for path in sorted(paths):
        total.update(f"{path.as_posix()}\0".encode())
        total.update((root / path).read_bytes())
    return total.hexdigest()[:12]


@dataclass(frozen=True)
class Workshop:
    """The folder of one target: its scratch copy of the project, its measurements, its results."""

    home: Path  # of the project
    target: Target

    @property
    def folder(self) -> Path:
        return self.home / ".mutation" / self.target.name

    @property
    def copy(self) -> Path:
        return self.folder / "copy"

    @property
    def results(self) -> Path:
        return self.folder / "results.jsonl"

    def prepare(self) -> None:
        """A fresh copy: edits made while mutants run do not reach them."""
        shutil.rmtree(self.copy, ignore_errors=True)
        self.copy.mkdir(parents=True)
        (self.folder / "measured").mkdir(exist_ok=True)
        for name in COPIED:
            source = self.home / name
            if source.is_dir():
                shutil.copytree(source, self.copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, self.copy / name)

    @cached_property
    def sources(self) -> str:
        return digest(self.home, self.target.files(self.home))

    @cached_property
    def helpers(self) -> str:
        """Of the modules beside the tests that are no tests."""
        folders = {path.parent for path in self.target.test_files(self.home)}
        beside = [path for folder in folders for path in (self.home / folder).glob("*.py")]
        return digest(self.home, [path.relative_to(self.home) for path in beside if not path.name.startswith("test_")])

    @cached_property
    def evidence(self) -> dict[str, str]:
        """By test file: of itself, the data files named after it, and the helpers."""
        found = {}
        for path in self.target.test_files(self.home):
            beside = [item.relative_to(self.home) for item in (self.home / path.parent).glob(f"{path.stem}*")]
            found[path.as_posix()] = f"{digest(self.home, beside)}.{self.helpers}"
        return found

    @cached_property
    def all_evidence(self) -> str:
        settings = f"{self.target.slowest} {self.target.budget}"
        return hashlib.sha256(f"{settings} {sorted(self.evidence.items())}".encode()).hexdigest()[:12]

    @cached_property
    def project(self) -> str:
        """Of everything that a test may execute: a measurement holds while this is the same."""
        folders = ("separation", "constructions", "proofs_checks")
        return digest(
            self.home, [p.relative_to(self.home) for name in folders for p in (self.home / name).rglob("*.py")]
        )

    def measurement(self, test: str) -> Path:
        """Where the measurement of a test file is, or will be."""
        name = hashlib.sha256(f"{self.project} {self.evidence[test]}".encode()).hexdigest()[:16]
        return self.folder / "measured" / f"{Path(test).stem}-{name}.json"

    def stamp(self, key: str, outcome: str, by: str) -> dict[str, str]:
        """What a result rests on."""
        path = Path(key.partition("#")[0])
        test = by.partition("::")[0]
        kept = outcome in ("killed", "timed out") and test in self.evidence
        return {"file": digest(self.home, [path]), "tests": self.evidence[test] if kept else self.all_evidence}

    def store(self, key: str, outcome: str, by: str) -> None:
        line = json.dumps({"key": key, "outcome": outcome, "by": by, **self.stamp(key, outcome, by)})
        with self.results.open("a") as file:
            file.write(line + "\n")
            file.flush()
            os.fsync(file.fileno())

    def load(self) -> dict[str, dict[str, Any]]:
        """The results that still hold, by mutant."""
        if not self.results.exists():
            return {}
        files = {path.as_posix(): digest(self.home, [path]) for path in self.target.files(self.home)}
        found = {}
        for line in self.results.read_text().splitlines():
            try:
                record = json.loads(line)
                path, test = record["key"].partition("#")[0], record["by"].partition("::")[0]
                stamps = {self.all_evidence, self.evidence.get(test, "")}
            except (ValueError, KeyError):  # the last line of a run that was cut off
                continue
            if record["outcome"] in OUTCOMES and record["file"] == files.get(path) and record["tests"] in stamps:
                found[record["key"]] = record
        return found
