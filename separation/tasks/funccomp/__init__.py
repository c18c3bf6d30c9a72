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

from separation.lazily import found_in

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.tasks.funccomp.families import (
        BACKGROUNDS,
        FAMILIES,
        aimed_prompts,
        code_neighbours,
        enumerate_inputs,
        enumerate_token_ids,
        on_background,
        random_prompts,
        sample,
        samples,
    )
    from separation.tasks.funccomp.instance import (
        Instance,
        answer,
        asked_addresses,
        batch_hops,
        from_document,
        hops,
        instance_schema,
        load_instance,
        sizes_from_document,
        to_document,
    )
    from separation.tasks.funccomp.layout import Token, describe, from_token_ids, prompt, token_ids
    from separation.tasks.funccomp.sizes import Sizes, sizes_to_document
    from separation.tasks.funccomp.task import TASKS, FuncComp, FuncCompWithThoughts
    from separation.tasks.funccomp.thoughts import STYLES, Thoughts, thought_ids

__all__ = [
    "BACKGROUNDS",
    "FAMILIES",
    "STYLES",
    "TASKS",
    "FuncComp",
    "FuncCompWithThoughts",
    "Instance",
    "Sizes",
    "Thoughts",
    "Token",
    "aimed_prompts",
    "answer",
    "asked_addresses",
    "batch_hops",
    "code_neighbours",
    "describe",
    "enumerate_inputs",
    "enumerate_token_ids",
    "from_document",
    "from_token_ids",
    "hops",
    "instance_schema",
    "load_instance",
    "on_background",
    "prompt",
    "random_prompts",
    "sample",
    "samples",
    "sizes_from_document",
    "sizes_to_document",
    "thought_ids",
    "to_document",
    "token_ids",
]

__getattr__ = found_in(__name__, __all__, "sizes", "instance", "layout", "families", "thoughts", "task")
