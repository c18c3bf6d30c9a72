"""Programs: a task that is written down as definitions (map, find, count, scan) over kinds of tokens.

| file | what it holds |
|---|---|
| `definitions` | kinds, definitions, what is well-formed; the document |
| `document` | the document, read |
| `oracle` | what a program means, executed; random and all inputs |
| `task` | all that is asked of any task |
"""

from separation.tasks.program.definitions import (
    TASK,
    Count,
    Definition,
    Definitions,
    Find,
    Kind,
    Map,
    Scan,
    Step,
)
from separation.tasks.program.oracle import BrokenPromise, answers, execute, ids_of, spelled
from separation.tasks.program.task import TASKS, ProgramInstance, ProgramTask, from_document, sizes_from_document

__all__ = [
    "TASK",
    "TASKS",
    "BrokenPromise",
    "Count",
    "Definition",
    "Definitions",
    "Find",
    "Kind",
    "Map",
    "ProgramInstance",
    "ProgramTask",
    "Scan",
    "Step",
    "answers",
    "execute",
    "from_document",
    "ids_of",
    "sizes_from_document",
    "spelled",
]
