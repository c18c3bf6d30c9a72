"""A short command of every kind, in an empty folder: does what is installed work with the packages around it?

Run by path (`python tools/smoke.py`), so that the installed package is what is tried, and not the checkout. Everything
that only some versions of a package have shows here: help texts, tables, figures, linear programs, symbols, tensors.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile

COMMANDS: tuple[tuple[int, str], ...] = (
    (0, "--version"),
    (0, "--help"),
    (0, "prove --help"),
    (0, "prove C1 --L 2 --out c1.json --write-model c1.safetensors"),
    (0, "check c1.json --json"),
    (0, "prove --model c1.safetensors"),
    (0, "prove C2 --L 2 --word RFF"),
    (0, "solve C1 --L 2 --seed 3"),
    (0, "show C1 --L 1 --latex"),
    (0, "constructions --L 2 --m 2 --n 2"),
    (0, "decide RFFR --L 4"),
    (0, "bound --L 2 --beta 8 --lambda 0 --out bound.json"),
    (0, "check bound.json"),
    (0, "bound --L 2 --symbolic"),
    (0, "ceiling F --L 2 --m 64 --n 8 --beta 8 --lambda 8"),
    (0, "recurrences"),
    (0, "fool --word R --L 1 --m 4 --state-bits 6 --seed 0 --workers 1"),
    (0, "simulate C1 --L 2 --m 2 --n 2 --figure who.svg --out who.jsonl"),
    (0, "proofs D1"),
    (1, "prove C1 --L 2 --m 2 --n 2 --bits 2"),
    (2, "prove C1 --L 0"),
    (2, "prove C1 --L x"),
    (2, "prove --nonsense"),
    (2, "nonsense"),
    (2, "check missing.json"),
)


def main() -> int:
    """0 if every command ends with its status."""
    from separation.verbs.command_line import run

    wrong = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder), open(os.devnull, "w") as nowhere:
        for status, line in COMMANDS:
            with contextlib.redirect_stdout(nowhere):
                found = run(line.split())
            wrong += found != status
            print(f"{'ok  ' if found == status else 'FAIL'} exit {found}: separation {line}", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
