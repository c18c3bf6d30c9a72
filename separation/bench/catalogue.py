"""The benchmarks by name."""

from __future__ import annotations

from collections.abc import Callable

from separation.bench import (
    closed_form,
    every_construction,
    exact_run,
    float_runs,
    general_path,
    protocol,
    start_up,
    tracr_peer,
)
from separation.bench.report import Report

BENCHMARKS: dict[str, Callable[[bool], Report]] = {
    "closed_form": closed_form.run,
    "every_construction": every_construction.run,
    "general_path": general_path.run,
    "exact_run": exact_run.run,
    "protocol": protocol.run,
    "float_runs": float_runs.run,
    "start_up": start_up.run,
    "tracr_peer": tracr_peer.run,
}
