"""The long form: python tests/fuzzing --seconds 900 --seed 1 --only soundness --workers 2"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # before tests/, where a folder is called constructions too
sys.path.append(str(Path(__file__).parents[1]))
import conftest  # noqa: F401  (makes helpers of other folders importable, as under pytest)
from campaign import PARTS, total
from comparison import Violation

from separation.files import InputError
from tools.fuzz import add_options, pieces

SEEDS, PIECE_CASES = 1_000_000, 20
Found = tuple[dict[str, Counter[str]], list[str]]
"""Counts by part, and the violations."""


def tried(names: list[str], first: int, cases: float, seconds: float) -> Found:
    """Cases first, first + 1, … of each part, in this process."""
    counts, violations = {name: Counter[str]() for name in names}, []
    end, number, told = time.monotonic() + seconds, first, time.monotonic()
    while time.monotonic() < end and number < first + cases:
        for name in names:
            try:
                counts[name] += PARTS[name](number)
            except Violation as error:
                counts[name]["violations"] += 1
                violations.append(f"{name}: VIOLATION {error}")
                print(f"\n{violations[-1]}", file=sys.stderr, flush=True)
        number += 1
        if time.monotonic() - told > 2:
            told = time.monotonic()
            print(f"\r{number - first} cases, {end - told:.0f} s left ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return counts, violations


def shared(names: list[str], first: int, cases: float, seconds: float, **who: Any) -> Found:
    """The same cases in pieces, each in a process of its own."""
    counts, violations = {name: Counter[str]() for name in names}, []

    def piece(number: int) -> list[str]:
        own = min(PIECE_CASES, cases - PIECE_CASES * number)
        numbers = ["--first", str(first + PIECE_CASES * number), "--cases", str(own), "--seconds", "inf"]
        return ["tests/fuzzing", *numbers, *(["--only", names[0]] if len(names) == 1 else [])]

    most = math.ceil(cases / PIECE_CASES) if cases < math.inf else cases
    for done, document in enumerate(pieces(piece, seconds, most, **who), 1):
        for name in names:
            counts[name].update(document["counts"][name])
        violations += document["violations"]
        print(f"\r{done} pieces, {len(violations)} violations ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return counts, violations


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/fuzzing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=0, help="runs of different seeds have no case in common")
    parser.add_argument("--first", type=int, help=f"the first case (default: {SEEDS:,} times the seed)")
    parser.add_argument("--cases", type=float, default=math.inf, help="stop after this many cases of each part")
    parser.add_argument("--only", choices=PARTS, help="one part; else all in turn")
    add_options(parser)
    options = parser.parse_args()
    names = [name for name in PARTS if options.only in (None, name)]
    asked = (names, SEEDS * options.seed if options.first is None else options.first, options.cases, options.seconds)
    if options.workers is None and options.dask is None:
        counts, violations = tried(*asked)
    else:
        try:
            counts, violations = shared(*asked, workers=options.workers, dask=options.dask)
        except InputError as error:
            parser.error(str(error))
    if options.json:
        print(json.dumps({"counts": counts, "violations": violations}))
    else:
        for line in (*violations, *(f"{name}: {total(counts[name])}" for name in names)):
            print(line)
    return int(bool(violations))


if __name__ == "__main__":
    sys.exit(main())
