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

from separation.testing.dataset import USUAL, dataset_rows
from separation.testing.text import answer_count, parse_answer, read_answer

FOLDERS = {
    "lm-evaluation-harness": Path(__file__).parent / "lm_evaluation_harness",
    "inspect-ai": Path(__file__).parent / "inspect_ai_tasks",
}
SETTINGS: dict[str, Any] = {**USUAL, "sizes": ""}
"""What a harness may set, and what it is otherwise; as in `dataset_rows`."""
STRICT = "strict"
"""One more setting, and a key of every row: replies are read by the grammar alone, as by `stress --strict`."""


def harness_rows(task: str, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a task; ``given`` may have more keys than SETTINGS: harnesses hand over all that they know."""
    settings = {name: given.get(name, usual) for name, usual in SETTINGS.items()}
    strict = bool(given.get(STRICT, False))
    return [{**row, STRICT: strict} for row in dataset_rows(task, **settings)]


def judged(row: Mapping[str, Any], reply: str) -> tuple[bool, bool]:
    """(right, readable), as `stress` reads replies: one that cannot be read is not right, and is counted apart."""
    expected = tuple(row["answer"]) if isinstance(row["answer"], list | tuple) else row["answer"]
    read = parse_answer if row.get(STRICT) else read_answer
    found = read(reply, answer_count(expected))
    return found == expected, found is not None
