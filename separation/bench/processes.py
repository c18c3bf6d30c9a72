"""Whole processes: the proof of every construction over that of C1, and the start of the command over an empty Python.

`separation prove …` at 65,536 tokens (FuncComp: powers of two nearest to it; 2-Sum: n = 65,536 and the next odd modulus
above n², blocks of 16; C3, whose state holds whole tables: 4,096). `separation --help` and `separation check` of the
certificate of C1 at L = 3, m = 4, n = (4, 4): without compiled files next to the modules (an installed package has
them) the source is compiled every time, and that is what is measured then.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from separation.bench.closed_form import sizes_near
from separation.bench.measuring import Report, Row, best_process
from separation.tasks.funccomp import Sizes

TOKENS, C3_TOKENS, QUICK_TOKENS = 1 << 16, 1 << 12, 1 << 8
LEVELS = 4
BLOCK = 16
COMMAND = "from separation.verbs.command_line import main; main()"
"""What the installed command runs."""


def every_construction(quick: bool) -> Report:
    tokens, c3_tokens = (QUICK_TOKENS, QUICK_TOKENS) if quick else (TOKENS, C3_TOKENS)
    rows: list[Row] = []
    baseline = 0.0
    for what, arguments, length in _cases(tokens, c3_tokens):
        done = best_process(["-m", "separation", "prove", *arguments, "--json"], repeats=1 if quick else 2)
        baseline = baseline or done.seconds
        rows.append(
            {
                "what": what,
                "tokens": length,
                "seconds": done.seconds,
                "times_C1": done.seconds / baseline,
                "peak_MB": done.megabytes,
            }
        )
    notes = ("process: start to end, rows of declared tables compared one by one",)
    return Report("every_construction", "time of the proof / time of C1's", tuple(rows), notes)


def _cases(tokens: int, c3_tokens: int) -> list[tuple[str, list[str], int]]:
    """(name, arguments of `prove`, tokens of the prompt)."""
    sizes, small = sizes_near(LEVELS, tokens), sizes_near(LEVELS, c3_tokens)
    order = "F" * LEVELS
    variants = {
        "C1": [],
        f"C2 R{order}": [],
        f"C2 F R{order[1:]}, delta": ["--word", f"FR{order[1:]}", "--family", "delta"],
        "C4": [],
        "C5 RF": ["--word", "RF"],
        "C5 FR": ["--word", "FR"],
        "C5 F": ["--word", "F"],
    }
    cases = [(what, [what[:2], *_funccomp(sizes), *options], sizes.length) for what, options in variants.items()]
    cases.append(("C3", ["C3", *_funccomp(small)], small.length))
    cases.append(("C6", ["C6", "--length", str(tokens)], tokens))
    cases.append(("C7", ["C7", "--length", str(tokens), "--block", str(BLOCK)], tokens))
    return cases


def _funccomp(sizes: Sizes) -> list[str]:
    return ["--L", str(sizes.L), "--m", str(sizes.m), "--n", ",".join(map(str, sizes.n))]


def start_up(quick: bool) -> Report:
    from separation.verbs.prove import prove

    with TemporaryDirectory() as folder:
        file = Path(folder) / "c1.json"
        prove("C1", L=3, m=4, n=(4, 4), out=file)
        commands = {
            "python -c pass": ["-c", "pass"],
            "separation --help": ["-m", "separation", "--help"],
            "separation check c1.json": ["-c", COMMAND, "check", str(file)],
        }
        repeats = 2 if quick else 7
        done = {name: best_process(arguments, repeats) for name, arguments in commands.items()}
    baseline = done["python -c pass"]
    rows: list[Row] = [
        {
            "what": name,
            "seconds": process.seconds,
            "times_python": process.seconds / baseline.seconds,
            "peak_MB": process.megabytes,
            "MB_times_python": process.megabytes / baseline.megabytes,
        }
        for name, process in done.items()
    ]
    return Report("start_up", "time and memory of --help and of check / those of an empty Python", tuple(rows))
