"""What cannot be: the exact depth of a word of layers, the theorems, and the shortest certified prompts.

| file | what it holds |
|---|---|
| `word`, `budget` | words over F and R, and their depth; what a model may send: β and Λ |
| `powers` | integers too large to write down |
| `condition`, `log_sums` | the one form of every inequality, over any kind of number; exact verdicts |
| `theorem`, `theorems/` | what a theorem is; all of them, a file each, and how to add one |
| `recursion`, `evaluation` | the recursion of theorems A and B; their integers, and its conditions there |
| `known` | how each theorem is known |
| `posynomials`, `interior_point`, `search` | one search for all theorems: a geometric program, integers near it |
| `one_full_layer` | the shortest prompt of Theorem A2, by exhaustion |
| `average`, `accuracy`, `ceilings` | Theorem E for that search; prompts for an accuracy; ceilings at given sizes |
| `shortest` | one question, one answer: `shortest_prompt` |
| `decision`, `compared` | can this word solve it, at given sizes too; how short a prompt is out of reach |
| `schedules`, `papers` | the golden schedule, CPW's and those of the sharper theorems; the papers |
| `certificate` | what a stranger can check with the kernel |
| `symbolic`, `asymptote` | theorems A and B as formulas; how the exponent grows, proved and drawn |

Everything that other rooms use is imported from here; from `ceilings` what bounds the accuracy at given sizes, which
needs numpy; from `symbolic` and `asymptote` what needs sympy; from `theorems` a theorem at integers of one's own.
"""

from separation.lazily import found_in

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.bounds.budget import Budget, Message, ceil_log2
    from separation.bounds.certificate import bound_certificate, decision_certificate, sparse_certificate
    from separation.bounds.compared import Bound, bound
    from separation.bounds.condition import Condition, least_table, verdict
    from separation.bounds.decision import Decision, decide
    from separation.bounds.evaluation import Evaluation, Parameters, evaluate
    from separation.bounds.log_sums import Inequality
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
    from separation.bounds.powers import EXACT_BITS, PowerProduct, Size, length_to_document, log2_float
    from separation.bounds.recursion import (
        Recursion,
        Rule,
        chosen_cover,
        conditions,
        fibonacci,
        half_cover,
        run_recursion,
    )
    from separation.bounds.schedules import (
        Golden,
        cpw_parameters,
        golden_exponent,
        golden_parameters,
        least_golden,
        rule_for,
    )
    from separation.bounds.shortest import AccuracyBound, prompts, shortest_prompt, theorems_against
    from separation.bounds.theorem import Theorem
    from separation.bounds.theorems import THEOREMS
    from separation.bounds.theorems.theorem_a import theorem_a
    from separation.bounds.theorems.theorem_b import theorem_b
    from separation.bounds.theorems.theorem_c import shortest_for_recurrent_only, theorem_c
    from separation.bounds.theorems.theorem_d import SparseBound, can_be_right, cyclic_summary, subsets, theorem_d
    from separation.bounds.word import Word

__all__ = [
    "EXACT_BITS",
    "THEOREMS",
    "AccuracyBound",
    "Bound",
    "Budget",
    "Condition",
    "CpwSizes",
    "Decision",
    "Evaluation",
    "Exponents",
    "Golden",
    "Inequality",
    "Message",
    "Parameters",
    "PowerProduct",
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
    "exponents",
    "fibonacci",
    "golden_exponent",
    "golden_parameters",
    "half_cover",
    "least_golden",
    "least_table",
    "length_to_document",
    "log2_float",
    "most_linear_layers",
    "paper_linear_layers",
    "paper_prompt",
    "prompts",
    "rule_for",
    "run_recursion",
    "shortest_for_recurrent_only",
    "shortest_prompt",
    "sparse_certificate",
    "subsets",
    "theorem_a",
    "theorem_b",
    "theorem_c",
    "theorem_d",
    "theorems_against",
    "verdict",
]

__getattr__ = found_in(
    __name__,
    __all__,
    "word",
    "budget",
    "powers",
    "theorem",
    "condition",
    "log_sums",
    "shortest",
    "theorems",
    "decision",
    "recursion",
    "evaluation",
    "papers",
    "schedules",
    "compared",
    "certificate",
    "theorems.theorem_a",
    "theorems.theorem_b",
    "theorems.theorem_c",
    "theorems.theorem_d",
)
