"""Prints the time of `separation --help` over that of `python -c pass`, each a whole process."""

from __future__ import annotations

from separation.bench.measuring import best_process
from separation.bench.report import Report, Row

COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "separation --help": ["-m", "separation", "--help"],
}


def run(quick: bool) -> Report:
    done = {name: best_process(arguments, repeats=2 if quick else 7) for name, arguments in COMMANDS.items()}
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
    return Report("start_up", "time and memory of --help / those of an empty Python", tuple(rows))
