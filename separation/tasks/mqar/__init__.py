"""MQAR, multi-query associative recall: D pairs of a key and a value, then queries; each asks for the value of its key.

As in zoology (Arora et al., 2023) keys are different and every query is the key of a pair. There a key and its value
are two neighbouring tokens; here they are one, which is what a short convolution makes of two, so that one look-up is
the whole task. The queries stand behind all pairs, without filler between them.

| file | what it holds |
|---|---|
| `sizes` | the sizes, and the look-ups that the task is |
| `instance` | one input, its answers, its token ids and its document |
| `families` | inputs that are hard on purpose |
| `task` | all that is asked of any task |
"""

from separation.tasks.mqar.families import FAMILIES
from separation.tasks.mqar.instance import (
    MQARInstance,
    from_document,
    from_token_ids,
    outputs,
    to_document,
    token_ids,
)
from separation.tasks.mqar.sizes import MQARSizes, sizes_from_document
from separation.tasks.mqar.task import MQAR, TASKS

__all__ = [
    "FAMILIES",
    "MQAR",
    "TASKS",
    "MQARInstance",
    "MQARSizes",
    "from_document",
    "from_token_ids",
    "outputs",
    "sizes_from_document",
    "to_document",
    "token_ids",
]
