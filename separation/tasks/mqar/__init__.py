"""MQAR, multi-query associative recall: D pairs of a key and a value, then queries; each asks for the value of its key.

As in zoology (Arora et al., 2023) keys are different and every query is the key of a pair. There a key and its value
are two neighbouring tokens; here they are one, which is what a short convolution makes of two, so that one look-up is
the whole task. The queries stand behind all pairs, without filler between them.

| file | what it holds |
|---|---|
| `instance` | the sizes; one input, its answers, its token ids and its document; inputs that are hard on purpose |
| `task` | all that is asked of any task |
"""

from separation.tasks.mqar.instance import (
    FAMILIES,
    MQARInstance,
    MQARSizes,
    from_document,
    from_token_ids,
    outputs,
    sizes_from_document,
    to_document,
    token_ids,
)
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
