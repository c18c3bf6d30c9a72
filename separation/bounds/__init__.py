"""What cannot be: the exact depth of a word of layers, theorems A to D, and the shortest certified prompts.

| file | what it holds |
|---|---|
| `word` | words over F and R, and their depth |
| `budget` | β of a model from its heads; what a model may send |
| `powers`, `parameters` | integers too large to write down; the integers that a proof may choose |
| `recursion`, `inequality` | the recursion of theorems A and B and its conditions; a condition with a verdict |
| `evaluation` | the conditions of theorems A and B, all checked |
| `theorems/` | the theorems at given integers, one file each, and how to add one |
| `schedules`, `papers` | the golden schedule and CPW's sizes; the papers' regimes |
| `search/` | the shortest prompt of theorems A and B |
| `theorem`, `catalogue` | what every theorem has in common; all of them as objects, and the shortest prompt of any |
| `decide`, `bound` | the two questions: can this word solve it; how short a prompt is out of reach |
| `certificate` | what a stranger can check with the kernel |
| `symbolic`, `asymptote` | theorems A and B as formulas; how the exponent grows, proved and drawn |

Everything that other rooms use is imported from here; from `symbolic` and `asymptote` what needs sympy.
"""

from separation.bounds.bound import Bound, bound
from separation.bounds.budget import Budget, Message, ceil_log2
from separation.bounds.catalogue import THEOREMS, shortest_impossibility, theorems_against
from separation.bounds.certificate import bound_certificate, decision_certificate, sparse_certificate
from separation.bounds.decide import Decision, decide
from separation.bounds.evaluation import Evaluation, evaluate
from separation.bounds.inequality import Inequality, check_condition, least_table
from separation.bounds.papers import (
    CpwSizes,
    Exponents,
    check_cpw,
    cpw_prompt,
    cpw_sizes,
    exponents,
    most_linear_layers,
    paper_linear_layers,
    paper_prompt,
)
from separation.bounds.parameters import Parameters
from separation.bounds.powers import (
    BALL_BITS,
    EXACT_BITS,
    PowerProduct,
    Size,
    length_to_document,
    log2_ball,
    log2_float,
    simplest,
)
from separation.bounds.recursion import Condition, Recursion, Rule, chosen_cover, conditions, half_cover, run_recursion
from separation.bounds.schedules import (
    Golden,
    cpw_parameters,
    fibonacci,
    golden_exponent,
    golden_parameters,
    least_golden,
    rule_for,
)
from separation.bounds.search import (
    EFFORTS,
    MAX_SEARCHED,
    find_parameters,
    require_effort,
    shortest_prompt,
    shortest_prompt_of_model,
)
from separation.bounds.theorem import FuncCompTheorem, Ground, Theorem
from separation.bounds.theorems.theorem_a import theorem_a
from separation.bounds.theorems.theorem_b import evaluate_theorem, theorem_b
from separation.bounds.theorems.theorem_c import RecurrentOnly, shortest_for_recurrent_only, theorem_c
from separation.bounds.theorems.theorem_d import SparseBound, can_be_right, cyclic_summary, subsets, theorem_d
from separation.bounds.word import Word

__all__ = [
    "BALL_BITS",
    "EFFORTS",
    "EXACT_BITS",
    "MAX_SEARCHED",
    "THEOREMS",
    "Bound",
    "Budget",
    "Condition",
    "CpwSizes",
    "Decision",
    "Evaluation",
    "Exponents",
    "FuncCompTheorem",
    "Golden",
    "Ground",
    "Inequality",
    "Message",
    "Parameters",
    "PowerProduct",
    "RecurrentOnly",
    "Recursion",
    "Rule",
    "Size",
    "SparseBound",
    "Theorem",
    "Word",
    "bound",
    "bound_certificate",
    "can_be_right",
    "ceil_log2",
    "check_condition",
    "check_cpw",
    "chosen_cover",
    "conditions",
    "cpw_parameters",
    "cpw_prompt",
    "cpw_sizes",
    "cyclic_summary",
    "decide",
    "decision_certificate",
    "evaluate",
    "evaluate_theorem",
    "exponents",
    "fibonacci",
    "find_parameters",
    "golden_exponent",
    "golden_parameters",
    "half_cover",
    "least_golden",
    "least_table",
    "length_to_document",
    "log2_ball",
    "log2_float",
    "most_linear_layers",
    "paper_linear_layers",
    "paper_prompt",
    "require_effort",
    "rule_for",
    "run_recursion",
    "shortest_for_recurrent_only",
    "shortest_impossibility",
    "shortest_prompt",
    "shortest_prompt_of_model",
    "simplest",
    "sparse_certificate",
    "subsets",
    "theorem_a",
    "theorem_b",
    "theorem_c",
    "theorem_d",
    "theorems_against",
]
