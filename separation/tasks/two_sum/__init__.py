"""2-Sum(n, M): at each i say whether some j ≤ i has x_i + x_j ≡ 0 (mod M).

| file | what it holds |
|---|---|
| `instance` | the sizes and what follows from them; one input, as JSON too, and its outputs; those of many at once |
| `families` | random inputs, all inputs, those that are hard on purpose; prompts with frequent near misses |
| `task` | all that is asked of any task |
"""

from separation.tasks.two_sum.families import (
    FAMILIES,
    aimed_prompts,
    balanced_sample,
    balanced_samples,
    code_neighbours,
    enumerate_inputs,
    enumerate_tokens,
    random_prompts,
    sample,
    samples,
)
from separation.tasks.two_sum.instance import (
    MAX_ARRAY_MODULUS,
    TwoSumInstance,
    TwoSumSizes,
    batch_outputs,
    first_match,
    from_document,
    instance_schema,
    load_instance,
    outputs,
    sizes_from_document,
    to_document,
)
from separation.tasks.two_sum.task import TASKS, TwoSum

__all__ = [
    "FAMILIES",
    "MAX_ARRAY_MODULUS",
    "TASKS",
    "TwoSum",
    "TwoSumInstance",
    "TwoSumSizes",
    "aimed_prompts",
    "balanced_sample",
    "balanced_samples",
    "batch_outputs",
    "code_neighbours",
    "enumerate_inputs",
    "enumerate_tokens",
    "first_match",
    "from_document",
    "instance_schema",
    "load_instance",
    "outputs",
    "random_prompts",
    "sample",
    "samples",
    "sizes_from_document",
    "to_document",
]
