"""Look-ups: a task that is defined by its document, so that prover and kernel need not be taught it.

| file | what it holds |
|---|---|
| `description` | kinds of tokens, what they spell and find; the shape and the document |
| `oracle` | rows of token ids: what they spell, the right answers, random and all inputs |
| `task` | all that is asked of any task |
"""

from separation.tasks.look_ups.description import TASK, Find, LookUps, TokenKind
from separation.tasks.look_ups.task import TASKS, LookUpInstance, LookUpTask, from_document, sizes_from_document

__all__ = [
    "TASK",
    "TASKS",
    "Find",
    "LookUpInstance",
    "LookUpTask",
    "LookUps",
    "TokenKind",
    "from_document",
    "sizes_from_document",
]
