"""`python -m tools.fuzz.kernels --seconds 60 [--seed 0] [--slow]`: changed certificates through both kernels.

A finding: one kernel accepts what the other rejects or calls malformed; an exception; more than 10 s of CPU time.
(Declined against accepted is none: limits may differ. Nor is malformed against rejected, for what is both.)
With `--slow` it climbs: what took longest for its bytes, in either kernel, is changed further. Exit 1 if something is
found; the certificates are written to the folder `--out`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from types import TracebackType
from typing import NamedTuple

from separation.files import InputError, write_whole
from separation.proving import kernel
from tools.fuzz import limited
from tools.fuzz.mutations import Document, Mutations, corpus

CPU_SECONDS = 10.0
POOL = 12
"""Of the slowest for their bytes, so many are changed further."""
SMALL = 2000
"""Bytes up to which all files count alike: a file of 200 bytes that takes 1 ms is no better start than one of 2 KB."""
SCRIPT = Path(kernel.__file__).parents[1] / "lesson" / "kernel.mjs"
LOOP = """
import {{ createInterface }} from "node:readline";
const {{ checkText }} = await import({url});
for await (const line of createInterface({{ input: process.stdin }})) {{
  const before = process.cpuUsage();
  let verdict;
  try {{ ({{ verdict }} = checkText(JSON.parse(line))); }} catch (error) {{ verdict = `exception ${{error}}`; }}
  const {{ user, system }} = process.cpuUsage(before);
  console.log(JSON.stringify([verdict, (user + system) / 1e6]));
}}
"""


class Outcome(NamedTuple):
    """accepted, rejected, malformed or declined; or what must not be."""

    verdict: str
    seconds: float


class Slow(BaseException):
    """More CPU time than a check may take. No kernel catches it."""


def first(text: str) -> Outcome:
    """The kernel in Python, in this process."""
    begin = time.process_time()
    try:
        with limited(2 * CPU_SECONDS, Slow, cpu=True):
            verdict = "accepted" if kernel.check_text(text).ok else "rejected"
    except kernel.Declined:
        verdict = "declined"
    except kernel.Malformed:
        verdict = "malformed"
    except Slow:
        verdict = "no answer"
    except Exception as error:
        verdict = f"exception {type(error).__name__}: {error}"
    return Outcome(verdict, time.process_time() - begin)


class Second:
    """The kernel in JavaScript, in a process that answers one text after the other."""

    def __init__(self) -> None:
        node = shutil.which("node")
        if node is None:
            raise InputError("node is not installed: the second kernel cannot be asked")
        words = [node, "--input-type=module", "-e", LOOP.format(url=json.dumps(SCRIPT.as_uri()))]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, encoding="utf-8")

    def __enter__(self) -> Second:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.communicate()  # closes what it was asked and told by

    def __call__(self, text: str) -> Outcome:
        asked, told = self.process.stdin, self.process.stdout
        assert asked is not None
        assert told is not None
        asked.write(json.dumps(text) + "\n")
        asked.flush()
        line = told.readline()
        return Outcome(*json.loads(line)) if line else Outcome("exception: it ended", 0.0)


def finding(one: Outcome, other: Outcome) -> str:
    """What must not be, of what the two said of one text; empty if all is well."""
    said = f"Python says {one.verdict} ({one.seconds:.1f} s), JavaScript {other.verdict} ({other.seconds:.1f} s)"
    wrong = {one.verdict, other.verdict} in ({"accepted", "rejected"}, {"accepted", "malformed"})
    known = {"accepted", "rejected", "malformed", "declined"}
    slow = max(one.seconds, other.seconds) > CPU_SECONDS
    return said if wrong or slow or not {one.verdict, other.verdict} <= known else ""


class Campaign:
    """Counts by rule and verdict, and what was found."""

    def __init__(self, seed: int, second: Second) -> None:
        self.rng, self.second = Random(seed), second
        self.mutations = Mutations(self.rng, corpus())
        self.counts: Counter[tuple[str, str]] = Counter()
        self.findings: list[tuple[str, str]] = []
        self.slowest = (0.0, "", 0)
        self.pool: list[tuple[float, Document]] = []

    def try_one(self, rule: str, document: Document) -> float:
        """Asks both, and says how many seconds the slower one took for a byte."""
        text = json.dumps(document)
        one, other = first(text), self.second(text)
        self.counts[rule, one.verdict.split(" ")[0]] += 1
        if why := finding(one, other):
            self.findings.append((why, text))
        seconds = max(one.seconds, other.seconds)
        self.slowest = max(self.slowest, (seconds, rule, len(text)))
        return seconds / max(len(text), SMALL)

    def compare(self) -> None:
        self.try_one(*self.mutations.fresh())

    def climb(self) -> None:
        """A change to one of the slowest so far, or now and then a fresh start; the slowest stay."""
        if len(self.pool) < POOL or self.rng.random() < 0.1:
            rule, document = self.mutations.fresh()
        else:
            rule, document = "slow", self.mutations.changed(self.rng.choice(self.pool)[1])
        self.pool.append((self.try_one(rule, document), document))
        self.pool = sorted(self.pool, key=lambda pair: -pair[0])[:POOL]


def campaign(seconds: float, seed: int, slow: bool = False, runs: float = float("inf")) -> Campaign:
    """For this long, or so many certificates."""
    with Second() as second:
        found, end = Campaign(seed, second), time.monotonic() + seconds
        while time.monotonic() < end and sum(found.counts.values()) < runs:
            found.climb() if slow else found.compare()
        return found


def report(found: Campaign, seed: int, out: Path | None) -> None:
    verdicts: Counter[str] = Counter()
    for (_, verdict), count in found.counts.items():
        verdicts[verdict] += count
    rules = sorted({rule for rule, _ in found.counts})
    print(f"seed {seed}: {sum(verdicts.values())} certificates of {', '.join(rules)}")
    print(", ".join(f"{verdict} {count}" for verdict, count in sorted(verdicts.items())))
    seconds, rule, size = found.slowest
    print(f"slowest: {seconds:.2f} s of CPU time for {size} bytes ({rule})")
    for number, (why, text) in enumerate(found.findings):
        print(f"FOUND {why}: {text[:300]}")
        if out is not None:
            write_whole(out / f"found-{seed}-{number}.json", text)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.fuzz.kernels", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--slow", action="store_true", help="climb to what takes longest")
    parser.add_argument("--out", type=Path, help="a folder for what is found")
    asked = parser.parse_args(arguments)
    try:
        found = campaign(asked.seconds, asked.seed, asked.slow)
        report(found, asked.seed, asked.out)
    except InputError as error:
        parser.error(str(error))
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())
