"""Holds any checker of certificates to the corpus. Python's standard library is enough.

    python corpus/run.py [options] COMMAND …

    python corpus/run.py python separation/proving/kernel.py           the file's name is put behind the command
    python corpus/run.py --workers 4 --seconds 10 ./my-checker -q {file}     or in place of {file}

The command is run once for each file of manifest.json. Its exit status must be 0 for "accept", 1 for "reject" and 2 for
"malformed" and "decline"; for "decline" also the status of `otherwise`, what a checker without that limit says. Nothing
else of what the command does is looked at. Exit status: 0 all agree, 1 some do not, 2 bad usage.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
STATUS = {"accept": 0, "reject": 1, "malformed": 2, "decline": 2}


class Result(NamedTuple):
    """What a command made of a file; `status` is None if it was ended for taking too long."""

    entry: dict[str, Any]
    status: int | None
    seconds: float

    @property
    def agrees(self) -> bool:
        allowed = {STATUS[self.entry["expect"]], STATUS[self.entry.get("otherwise", self.entry["expect"])]}
        return self.status in allowed

    def said(self) -> str:
        if self.status is None:
            return f"no answer in {self.seconds:.0f} s"
        if self.status < 0:
            return f"ended by signal {-self.status}"
        known = {0: "accepts", 1: "rejects", 2: "malformed or declined"}
        return f"exit {self.status}" + (f", {known[self.status]}" if self.status in known else "")


def run(command: list[str], entry: dict[str, Any], seconds: float) -> Result:
    """The command on one file, in a session of its own, so that a runaway is ended with its children."""
    file = str(HERE / entry["file"])
    marked = any("{file}" in word for word in command)
    words = [word.replace("{file}", file) for word in command] if marked else [*command, file]
    begin = time.monotonic()
    none = subprocess.DEVNULL
    process = subprocess.Popen(words, start_new_session=True, stdin=none, stdout=none, stderr=none)
    try:
        status: int | None = process.wait(seconds)
    except subprocess.TimeoutExpired:
        status = None
        end(process)
    except BaseException:
        end(process)
        raise
    return Result(entry, status, time.monotonic() - begin)


def end(process: subprocess.Popen[bytes]) -> None:
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def chosen(kind: str | None, expect: str | None) -> list[dict[str, Any]]:
    """The entries of the manifest, or those of one kind and expectation."""
    entries = json.loads((HERE / "manifest.json").read_text(encoding="utf-8"))
    return [e for e in entries if kind in (None, e["kind"]) and expect in (None, e["expect"])]


def table(results: list[Result]) -> list[str]:
    """By kind and expectation: how many files, and how many verdicts agree."""
    files = Counter((result.entry["kind"], result.entry["expect"]) for result in results)
    agreed = Counter((result.entry["kind"], result.entry["expect"]) for result in results if result.agrees)
    lines = [f"{'kind':<14}{'expected':<12}{'files':>6}{'agree':>7}"]
    lines += [f"{kind:<14}{expect:<12}{files[kind, expect]:>6}{agreed[kind, expect]:>7}" for kind, expect in files]
    return [*lines, f"{'all':<26}{len(results):>6}{sum(agreed.values()):>7}"]


def progress(done: int, total: int, begin: float) -> None:
    if time.monotonic() - begin > 2 and (done % 20 == 0 or done == total):
        print(f"{done} of {total} files", file=sys.stderr)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=2, help="files at a time (2)")
    parser.add_argument("--seconds", type=float, default=60, help="for one file, then the command is ended (60)")
    kinds = ("construction", "bound", "decision", "ceiling", "pair", "exhaustive", "wrong", "text")
    parser.add_argument("--kind", choices=kinds, help="this kind alone")
    parser.add_argument("--expect", choices=tuple(STATUS), help="this expectation alone")
    parser.add_argument(
        "command", nargs=argparse.REMAINDER, metavar="COMMAND …", help="the checker, with its arguments"
    )
    options = parser.parse_args(arguments)
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    if not command or options.workers < 1 or not 0 < options.seconds < float("inf"):
        parser.error("a command is needed, at least one worker, and a number of seconds above 0")
    if shutil.which(command[0]) is None:
        parser.error(f"no such command: {command[0]}")
    entries, begin = chosen(options.kind, options.expect), time.monotonic()
    if not entries:
        parser.error("no file of this kind and expectation")
    results = []
    with ThreadPoolExecutor(options.workers) as pool:
        for result in pool.map(lambda entry: run(command, entry, options.seconds), entries):
            results.append(result)
            progress(len(results), len(entries), begin)
    print("\n".join(table(results)))
    wrong = [result for result in results if not result.agrees]
    for result in wrong:
        entry = result.entry
        print(f"\n{entry['file']}: expected {entry['expect']}, {result.said()}\n  {entry['why']}")
    print(f"\n{len(wrong)} of {len(results)} verdicts disagree" if wrong else "\nall verdicts agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
