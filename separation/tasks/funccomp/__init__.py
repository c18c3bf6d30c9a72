"""FuncComp(L; m, n_1..n_{L-1}): follow i_{ℓ+1} = z_{ℓ+1}(w_ℓ, i_ℓ) through L tables and answer i_L.

| file | what it holds |
|---|---|
| `sizes` | the sizes, what follows from them, and the shape that a proof may know |
| `instance` | one input, as JSON too, its hops and its answer; the hops of many prompts at once |
| `layout` | how an input is laid out as tokens, and back |
| `families` | random inputs, all inputs, those that are hard on purpose; prompts that ask every address and value |
| `thoughts` | the tokens of a chain of thought |
| `task` | all that is asked of any task |
"""

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.tasks.funccomp.families import FAMILIES as FAMILIES
    from separation.tasks.funccomp.families import aimed_prompts as aimed_prompts
    from separation.tasks.funccomp.families import code_neighbours as code_neighbours
    from separation.tasks.funccomp.families import enumerate_inputs as enumerate_inputs
    from separation.tasks.funccomp.families import enumerate_token_ids as enumerate_token_ids
    from separation.tasks.funccomp.families import random_prompts as random_prompts
    from separation.tasks.funccomp.families import sample as sample
    from separation.tasks.funccomp.families import samples as samples
    from separation.tasks.funccomp.instance import Instance as Instance
    from separation.tasks.funccomp.instance import answer as answer
    from separation.tasks.funccomp.instance import asked_addresses as asked_addresses
    from separation.tasks.funccomp.instance import batch_hops as batch_hops
    from separation.tasks.funccomp.instance import from_document as from_document
    from separation.tasks.funccomp.instance import hops as hops
    from separation.tasks.funccomp.instance import sizes_from_document as sizes_from_document
    from separation.tasks.funccomp.instance import to_document as to_document
    from separation.tasks.funccomp.layout import describe as describe
    from separation.tasks.funccomp.layout import from_token_ids as from_token_ids
    from separation.tasks.funccomp.layout import prompt as prompt
    from separation.tasks.funccomp.layout import token_ids as token_ids
    from separation.tasks.funccomp.sizes import Sizes as Sizes
    from separation.tasks.funccomp.sizes import sizes_to_document as sizes_to_document
    from separation.tasks.funccomp.task import TASKS as TASKS
    from separation.tasks.funccomp.task import FuncComp as FuncComp
    from separation.tasks.funccomp.task import FuncCompWithThoughts as FuncCompWithThoughts
    from separation.tasks.funccomp.thoughts import STYLES as STYLES
    from separation.tasks.funccomp.thoughts import Thoughts as Thoughts
    from separation.tasks.funccomp.thoughts import thought_ids as thought_ids

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
