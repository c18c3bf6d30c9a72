"""How the integers of theorems A and B are searched for: over real numbers, then over integers, then shorter ones.

| file | what it holds |
|---|---|
| `shortest_prompt` | the whole search; ends in exact arithmetic |
| `given_sizes` | the same when the sizes are given, and only x and Θ are free |
| `fixed_point` | the same when β depends on the length of the prompt |
| `slack` | how far a candidate is from breaking an inequality, in floats |
| `monomials`, `relaxation`, `newton` | the inequalities over real numbers: a convex problem |
| `branch_and_bound` | from real numbers to nearly whole ones |
| `local_search` | from integers that hold to a shorter prompt nearby |
| `two_tables` | the true minimum for two tables |
| `one_full_layer`, `two_full_layers`, `many_tables` | the sharper theorems: A2; B2; A_L, A_W and B_L |
| `three_tables`, `three_tables_no_early_r` | A3 in its two forms |
| `jets`, `interior_point` | these over real numbers: formulas with their derivatives, and the least cost |
| `schedule_start`, `estimated` | where that begins, and how long a prompt it promises |
| `rounding` | from there to integers |
| `accuracy_prompts`, `accuracy_searches`, `tables_in_front` | the shortest prompt for an accuracy |
| `accuracy_by_theorem_e`, `real_accuracy`, `log_numbers` | the same by Theorem E, with numbers of any length |
| `ceilings`, `copies` | the least ceiling at given sizes |

Nothing found here is trusted: `evaluation` certifies it.
"""

from separation.bounds.search.fixed_point import shortest_prompt_of_model, shortest_prompt_within
from separation.bounds.search.given_sizes import find_parameters
from separation.bounds.search.monomials import Sum, unrounded_half
from separation.bounds.search.shortest_prompt import EFFORTS, MAX_SEARCHED, require_effort, shortest_prompt

__all__ = [
    "EFFORTS",
    "MAX_SEARCHED",
    "Sum",
    "find_parameters",
    "require_effort",
    "shortest_prompt",
    "shortest_prompt_of_model",
    "shortest_prompt_within",
    "unrounded_half",
]
