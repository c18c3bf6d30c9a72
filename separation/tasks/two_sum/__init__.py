"""2-Sum(n, M): at each i say whether some j ≤ i has x_i + x_j ≡ 0 (mod M).

| file | what it holds |
|---|---|
| `instance` | the sizes and what follows from them; one input, as JSON too, and its outputs; those of many at once |
| `families` | random inputs, all inputs, those that are hard on purpose; prompts with frequent near misses |
| `task` | all that is asked of any task |
"""

from separation.tasks.two_sum.families import FAMILIES as FAMILIES
from separation.tasks.two_sum.families import balanced_sample as balanced_sample
from separation.tasks.two_sum.families import balanced_samples as balanced_samples
from separation.tasks.two_sum.families import code_neighbours as code_neighbours
from separation.tasks.two_sum.families import enumerate_inputs as enumerate_inputs
from separation.tasks.two_sum.families import enumerate_tokens as enumerate_tokens
from separation.tasks.two_sum.families import sample as sample
from separation.tasks.two_sum.families import samples as samples
from separation.tasks.two_sum.instance import TwoSumInstance as TwoSumInstance
from separation.tasks.two_sum.instance import TwoSumSizes as TwoSumSizes
from separation.tasks.two_sum.instance import batch_outputs as batch_outputs
from separation.tasks.two_sum.instance import from_document as from_document
from separation.tasks.two_sum.instance import outputs as outputs
from separation.tasks.two_sum.instance import sizes_from_document as sizes_from_document
from separation.tasks.two_sum.instance import to_document as to_document
from separation.tasks.two_sum.task import TASKS as TASKS
from separation.tasks.two_sum.task import TwoSum as TwoSum
