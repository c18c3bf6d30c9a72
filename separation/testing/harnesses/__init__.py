"""The dataset as a task of other people's harnesses; what they share is here, and needs neither of them.

| folder | for | used as |
|---|---|---|
| `lm_evaluation_harness/` | lm-evaluation-harness | `lm_eval --include_path FOLDER --tasks separation_funccomp …` |
| `inspect_ai_tasks/` | inspect-ai | `inspect eval FOLDER/separation_tasks.py@separation_funccomp …` |

`python -m separation.testing.harnesses` prints the folders.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from separation.testing.dataset import COUNT, HOPS, LENGTHS, dataset_rows
from separation.testing.text import answer_count, parse_answer

FOLDERS = {
    "lm-evaluation-harness": Path(__file__).parent / "lm_evaluation_harness",
    "inspect-ai": Path(__file__).parent / "inspect_ai_tasks",
}
SETTINGS: dict[str, Any] = {"hops": HOPS, "lengths": LENGTHS, "count": COUNT, "seed": 0, "shots": 0, "families": True}
"""What a harness may set, and what it is otherwise; as in `dataset_rows`."""


def harness_rows(task: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a task; ``given`` may have more keys than SETTINGS: harnesses hand over all that they know."""
    settings = {name: given.get(name, usual) for name, usual in SETTINGS.items()}
    return list(dataset_rows(task, **settings))


def judged(row: Mapping[str, Any], reply: str) -> tuple[bool, bool]:
    """(right, readable): a reply that cannot be read is not right, and is counted apart."""
    expected = tuple(row["answer"]) if isinstance(row["answer"], list | tuple) else row["answer"]
    found = parse_answer(reply, answer_count(expected))
    return found == expected, found is not None
