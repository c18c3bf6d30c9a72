"""FuncComp(L; m, n_1..n_{L-1}): follow i_{ℓ+1} = z_{ℓ+1}(w_ℓ, i_ℓ) through L tables and answer i_L.

| file | what it holds |
|---|---|
| `sizes` | the sizes, what follows from them, and the shape that a proof may know |
| `instance` | one input, its hops and its answer |
| `prompt` | how an input is laid out as tokens, and back |
| `batch` | the hops of many prompts at once |
| `sampling` | random inputs, and all inputs |
| `families` | inputs that are hard on purpose |
| `thoughts` | the tokens of a chain of thought |
| `document` | an input as JSON |
"""

from separation.tasks.funccomp.batch import batch_hops
from separation.tasks.funccomp.document import (
    from_document,
    instance_schema,
    load_instance,
    sizes_from_document,
    sizes_to_document,
    to_document,
)
from separation.tasks.funccomp.families import FAMILIES
from separation.tasks.funccomp.instance import Instance, answer, asked_addresses, hops
from separation.tasks.funccomp.prompt import Token, describe, from_token_ids, prompt, token_ids
from separation.tasks.funccomp.sampling import enumerate_inputs, enumerate_token_ids, sample, samples
from separation.tasks.funccomp.sizes import Sizes
from separation.tasks.funccomp.thoughts import STYLES, Thoughts, thought_ids

__all__ = [
    "FAMILIES",
    "STYLES",
    "Instance",
    "Sizes",
    "Thoughts",
    "Token",
    "answer",
    "asked_addresses",
    "batch_hops",
    "describe",
    "enumerate_inputs",
    "enumerate_token_ids",
    "from_document",
    "from_token_ids",
    "hops",
    "instance_schema",
    "load_instance",
    "prompt",
    "sample",
    "samples",
    "sizes_from_document",
    "sizes_to_document",
    "thought_ids",
    "to_document",
    "token_ids",
]
