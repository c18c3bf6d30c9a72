"""MQAR, multi-query associative recall: D pairs of a key and a value, then queries; each asks for the value of its key.

As in zoology (Arora et al., 2023) keys are different and every query is the key of a pair. There a key and its value
are two neighbouring tokens; here they are one, which is what a short convolution makes of two, so that one look-up is
the whole task. The queries stand behind all pairs, without filler between them.
"""

from separation.tasks.mqar.task import (
    FAMILIES,
    MQAR,
    TASKS,
    MQARInstance,
    MQARSizes,
    from_document,
    from_token_ids,
    outputs,
    sizes_from_document,
    to_document,
    token_ids,
)

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
