"""`python -m tools.fuzz --seconds 60 [--seed 0] [--workers 2]`: a count by outcome; exit 1 if anything was found."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import math
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from separation.files import TEMPORARY, InputError
from separation.verbs.command_line import run
from tools.fuzz import add_options, limited, pieces
from tools.fuzz.commands import Commands
from tools.fuzz.files import Files, write_good_files

SECONDS_EACH = 5.0
PIECE_RUNS = 50
SEEDS = 1_000_000
"""Pieces of one seed have no seed in common with those of another."""
OUTCOMES = {0: "0, holds", 1: "1, does not hold", 2: "2, refused", 130: "stopped after 5 s"}


@dataclass
class Campaign:
    """Counts by kind and outcome, and the command lines that did what must never be."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def note(self, kind: str, words: list[str]) -> None:
        status, out, err = outcome(words)
        self.counts[kind, OUTCOMES.get(status, f"{status}, never")] += 1
        why = wrong(words, status, out, err)
        if why:
            self.findings.append(f"{why}: separation {json.dumps(words)}")

    def document(self) -> dict[str, Any]:
        return {"counts": [[*what, count] for what, count in sorted(self.counts.items())], "findings": self.findings}

    def add(self, document: dict[str, Any]) -> None:
        """What another process has counted and found."""
        self.counts.update({(kind, outcome): count for kind, outcome, count in document["counts"]})
        self.findings += document["findings"]

    @property
    def answered(self) -> float:
        """The share of command lines that were taken: answered, or at work until they were stopped."""
        lines = {outcome: count for (kind, outcome), count in self.counts.items() if kind == "command line"}
        for_of = sum(count for outcome, count in lines.items() if not outcome.startswith("2"))
        return for_of / max(1, sum(lines.values()))


def outcome(words: list[str]) -> tuple[int, str, str]:
    """(exit status, standard output, standard error) of a command in this process; 130 if it takes too long."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), limited(SECONDS_EACH, KeyboardInterrupt):
        try:
            status = run(words)
        except KeyboardInterrupt:  # between two steps of the end
            status = 130
        except BaseException as error:
            return 99, out.getvalue(), f"{type(error).__name__}: {error}"
    return status, out.getvalue(), err.getvalue()


def wrong(words: list[str], status: int, out: str, err: str) -> str:
    """What must never be, of one command; empty if all is well."""
    said = [line for line in err.splitlines() if not line.startswith("separation:  ") and "% " not in line[:18]]
    if status not in OUTCOMES:
        return f"exit {status}: {err[-200:]}"
    if status == 2 and not (len(said) == 1 and said[0].startswith("separation: error: ")):
        return f"not one line: {err[:200]!r}"
    if any(not (letter.isprintable() or letter == "\n") for letter in err):
        return "a control character on standard error"
    if status in (0, 1) and "--json" in words and "--help" not in words:
        try:
            json.loads(out, parse_constant=_no_constant)
        except ValueError as error:
            return f"not JSON ({error})"
    if any(name.startswith(TEMPORARY) for name in os.listdir()):
        return "a temporary file is left"
    return ""


def _no_constant(text: str) -> Any:
    raise ValueError(f"{text} in JSON")


def campaign(seconds: float, seed: int, runs: float = math.inf) -> Campaign:
    """Command lines and files in turns, for this many seconds and runs, in the folder that is current."""
    found, rng, end = Campaign(), Random(seed), time.monotonic() + seconds
    write_good_files(Path())
    commands, files = Commands(rng), Files(Path(), rng)
    while time.monotonic() < end and sum(found.counts.values()) < runs:
        draw = rng.random()
        if draw < 0.25:
            found.note("file", files.command())
        elif draw < 0.6:
            found.note("command line", commands.valid())
        elif draw < 0.8:
            found.note("huge number", commands.huge())
        else:
            found.note("command line", commands.changed() if draw < 0.92 else commands.nonsense())
    return found


def in_a_folder_of_its_own(seconds: float, seed: int, runs: float) -> Campaign:
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), contextlib.redirect_stdout(io.StringIO()):
        return campaign(seconds, seed, runs)


def shared_campaign(seconds: float, seed: int, runs: float, workers: int | None, dask: str | None) -> Campaign:
    """The same command lines and files for any number of workers, if ``runs`` and not ``seconds`` end it."""
    found = Campaign()

    def piece(number: int) -> list[str]:
        own = str(min(PIECE_RUNS, runs - PIECE_RUNS * number))
        return ["-m", "tools.fuzz", "--seconds", "inf", "--seed", str(SEEDS * seed + number), "--runs", own]

    most = math.ceil(runs / PIECE_RUNS) if runs < math.inf else runs
    for document in pieces(piece, seconds, most, workers=workers, dask=dask):
        found.add(document)
        done = sum(found.counts.values())
        print(f"\r{done} runs, {len(found.findings)} findings ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--runs", type=float, default=math.inf, help="stop after this many runs")
    add_options(parser)
    asked = parser.parse_args(arguments)
    if asked.workers is None and asked.dask is None:
        found = in_a_folder_of_its_own(asked.seconds, asked.seed, asked.runs)
    else:
        try:
            found = shared_campaign(asked.seconds, asked.seed, asked.runs, asked.workers, asked.dask)
        except InputError as error:
            parser.error(str(error))
    if asked.json:
        print(json.dumps(found.document()))
        return 1 if found.findings else 0
    for (kind, name), count in sorted(found.counts.items()):
        print(f"{kind:13} {name:20} {count:6}")
    print(f"seed {asked.seed}: {sum(found.counts.values())} runs; {found.answered:.0%} of the command lines were taken")
    for finding in found.findings:
        print(f"FOUND {finding}")
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())
