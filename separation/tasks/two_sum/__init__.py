"""2-Sum(n, M): at each i say whether some j ≤ i has x_i + x_j ≡ 0 (mod M).

| file | what it holds |
|---|---|
| `sizes` | the sizes, and what follows from them |
| `instance` | one input, its outputs and its matches |
| `batch` | the outputs of many inputs at once |
| `sampling` | random inputs, and all inputs |
| `families` | inputs that are hard on purpose |
| `document` | an input as JSON |
"""

from separation.tasks.two_sum.batch import batch_outputs
from separation.tasks.two_sum.document import from_document, instance_schema, load_instance, to_document
from separation.tasks.two_sum.families import FAMILIES
from separation.tasks.two_sum.instance import TwoSumInstance, first_match, outputs
from separation.tasks.two_sum.sampling import (
    balanced_sample,
    balanced_samples,
    enumerate_inputs,
    enumerate_tokens,
    sample,
    samples,
)
from separation.tasks.two_sum.sizes import TwoSumSizes

__all__ = [
    "FAMILIES",
    "TwoSumInstance",
    "TwoSumSizes",
    "balanced_sample",
    "balanced_samples",
    "batch_outputs",
    "enumerate_inputs",
    "enumerate_tokens",
    "first_match",
    "from_document",
    "instance_schema",
    "load_instance",
    "outputs",
    "sample",
    "samples",
    "to_document",
]
