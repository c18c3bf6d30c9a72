"""The long form: python tests/fuzzing --seconds 900 --seed 1 --only soundness"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))
import conftest  # noqa: F401  (makes helpers of other folders importable, as under pytest)
from campaign import PARTS, total
from comparison import Violation


def main() -> int:
    parser = argparse.ArgumentParser(prog="python tests/fuzzing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long")
    parser.add_argument("--seed", type=int, default=0, help="runs of different seeds have no case in common")
    parser.add_argument("--only", choices=PARTS, help="one part; else all in turn")
    options = parser.parse_args()
    parts = {name: part for name, part in PARTS.items() if options.only in (None, name)}
    counts = {name: Counter[str]() for name in parts}
    end, number, told = time.monotonic() + options.seconds, 1_000_000 * options.seed, time.monotonic()
    while time.monotonic() < end:
        for name, part in parts.items():
            try:
                counts[name] += part(number)
            except Violation as error:
                counts[name]["violations"] += 1
                print(f"\n{name}: VIOLATION {error}", flush=True)
        number += 1
        if time.monotonic() - told > 2:
            told = time.monotonic()
            print(f"\r{number % 1_000_000} cases, {end - told:.0f} s left ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for name in parts:
        print(f"{name}: {total(counts[name])}")
    return int(any(part["violations"] for part in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
