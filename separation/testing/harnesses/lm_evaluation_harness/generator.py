"""What the YAML files name: datasets made on the spot, and how a reply is scored.

Settings come from `--metadata '{"hops": [1, 2], "lengths": [64], "count": 8, "seed": 1}'`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from separation.testing.harnesses import harness_rows, judged

HOPS = (1, 2, 3, 4)
UNKNOWN = -1.0
"""A score that does not count: the harness wants every metric of every row."""


def funccomp(**given: Any) -> dict[str, Any]:
    return _dataset("funccomp", given)


def two_sum(**given: Any) -> dict[str, Any]:
    return _dataset("two_sum", given)


def mqar(**given: Any) -> dict[str, Any]:
    return _dataset("mqar", given)


def program(**given: Any) -> dict[str, Any]:
    """Any program: --metadata '{"program": "induction", "sizes": "n=8,V=4"}', or FILE.py:program."""
    return _dataset(str(given.get("program", "induction")), given)


def _dataset(task: str, given: Mapping[str, Any]) -> dict[str, Any]:
    from datasets import Dataset

    kept = ("id", "text", "target", "answer", "hops", "length", "family", "seed", "canary", "strict")
    rows = [{name: row[name] for name in kept} for row in harness_rows(task, given)]
    return {"test": Dataset.from_list(rows)}


def process_results(row: Mapping[str, Any], replies: Sequence[str]) -> dict[str, float]:
    """Right or not, readable or not, and right or not once more under the number of hops."""
    right, readable = judged(row, replies[0])
    by_hops = {f"hops_{hops}": float(right) if row["hops"] == hops else UNKNOWN for hops in HOPS}
    return {"accuracy": float(right), "readable": float(readable), **by_hops}


def mean_of_known(scores: Sequence[float]) -> float:
    """Of the rows that a metric is about; −1 if there is none."""
    known = [score for score in scores if score != UNKNOWN]
    return sum(known) / len(known) if known else UNKNOWN
