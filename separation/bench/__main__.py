"""`python -m separation.bench [NAME ...] [--quick] [--json]`: a table for each benchmark, or one JSON document."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

# In two threads small products of matrices mostly wait for each other: numpy reads this when it is loaded.
os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

from separation.bench import processes, runs
from separation.bench.measuring import Report
from separation.files import json_text
from separation.verbs.commands import print_report

BENCHMARKS: dict[str, Callable[[bool], Report]] = {
    "protocol": runs.protocol,
    "float_runs": runs.float_runs,
    "stress_kit": runs.stress_kit,
    "start_up": processes.start_up,
    "workers": processes.workers,
    "lesson_page": processes.lesson_page,
}


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
    documents = []
    for name in options.names or BENCHMARKS:
        try:
            report = BENCHMARKS[name](options.quick)
        except RuntimeError as error:
            print(f"{name}: error: {error}", file=sys.stderr)
            return 1
        documents.append(report.document())
        if not options.json:
            print_report(report, as_json=False)
    if options.json:
        print(json_text({"benchmarks": documents}, readable=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
