"""`python -m separation.bench [NAME ...] [--quick] [--json]`: a table for each benchmark, or one JSON document."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from rich.console import Console

from separation.bench import (
    closed_form,
    exact_run,
    float_runs,
    general_path,
    lesson_page,
    processes,
    protocol,
    stress_kit,
    tracr_peer,
    workers,
)
from separation.bench.measuring import Report, show
from separation.files import json_text

BENCHMARKS: dict[str, Callable[[bool], Report]] = {
    "closed_form": closed_form.run,
    "every_construction": processes.every_construction,
    "general_path": general_path.run,
    "exact_run": exact_run.run,
    "protocol": protocol.run,
    "float_runs": float_runs.run,
    "stress_kit": stress_kit.run,
    "start_up": processes.start_up,
    "workers": workers.run,
    "lesson_page": lesson_page.run,
    "tracr_peer": tracr_peer.run,
}
PIPE_WIDTH = 120


def main(arguments: Sequence[str] | None = None) -> int:
    about = "Benchmarks: every figure is a ratio to a baseline measured in the same run."
    parser = argparse.ArgumentParser(prog="python -m separation.bench", description=about)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which ones (default all): {', '.join(BENCHMARKS)}")
    parser.add_argument("--quick", action="store_true", help="smaller sizes, under half a minute")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    options = parser.parse_args(arguments)
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"{name} is no benchmark; there are {', '.join(BENCHMARKS)}")
    # A pipe has no width of its own, and the rich default of 80 breaks words.
    console = Console(width=None if sys.stdout.isatty() else PIPE_WIDTH)
    documents = []
    for name in options.names or BENCHMARKS:
        with Console(stderr=True).status(name):
            try:
                report = BENCHMARKS[name](options.quick)
            except RuntimeError as error:
                print(f"{name}: error: {error}", file=sys.stderr)
                return 1
        documents.append(report.document())
        if not options.json:
            show(report, console)
    if options.json:
        print(json_text({"benchmarks": documents}, readable=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
