"""What cannot be: the exact depth of a word of layers, the theorems, and the shortest certified prompts.

| file | what it holds |
|---|---|
| `word`, `budget` | words over F and R, and their depth; what a model may send: β and Λ |
| `powers` | integers too large to write down |
| `condition`, `log_sums` | the one form of every inequality, over any kind of number; exact verdicts |
| `theorem`, `theorems/` | what a theorem is; all of them, a file each, and how to add one |
| `recursion`, `evaluation` | the recursion of theorems A and B; their integers, and its conditions there |
| `known` | how each theorem is known |
| `search`, `quasi_newton` | one search for all theorems: the least real numbers, integers near them |
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

from separation.lazily import names_of

TYPE_CHECKING = False  # a name is imported when it is first used
if TYPE_CHECKING:
    from separation.bounds.budget import Budget as Budget
    from separation.bounds.budget import Message as Message
    from separation.bounds.budget import ceil_log2 as ceil_log2
    from separation.bounds.certificate import bound_certificate as bound_certificate
    from separation.bounds.certificate import decision_certificate as decision_certificate
    from separation.bounds.certificate import sparse_certificate as sparse_certificate
    from separation.bounds.compared import Bound as Bound
    from separation.bounds.compared import bound as bound
    from separation.bounds.condition import Condition as Condition
    from separation.bounds.condition import least_table as least_table
    from separation.bounds.condition import verdict as verdict
    from separation.bounds.decision import Decision as Decision
    from separation.bounds.decision import decide as decide
    from separation.bounds.evaluation import Evaluation as Evaluation
    from separation.bounds.evaluation import Parameters as Parameters
    from separation.bounds.evaluation import evaluate as evaluate
    from separation.bounds.log_sums import Inequality as Inequality
    from separation.bounds.papers import CpwSizes as CpwSizes
    from separation.bounds.papers import Exponents as Exponents
    from separation.bounds.papers import check_cpw as check_cpw
    from separation.bounds.papers import cpw_prompt as cpw_prompt
    from separation.bounds.papers import cpw_sizes as cpw_sizes
    from separation.bounds.papers import exponents as exponents
    from separation.bounds.papers import most_linear_layers as most_linear_layers
    from separation.bounds.papers import paper_linear_layers as paper_linear_layers
    from separation.bounds.papers import paper_prompt as paper_prompt
    from separation.bounds.powers import EXACT_BITS as EXACT_BITS
    from separation.bounds.powers import PowerProduct as PowerProduct
    from separation.bounds.powers import Size as Size
    from separation.bounds.powers import length_to_document as length_to_document
    from separation.bounds.powers import log2_float as log2_float
    from separation.bounds.recursion import Recursion as Recursion
    from separation.bounds.recursion import Rule as Rule
    from separation.bounds.recursion import chosen_cover as chosen_cover
    from separation.bounds.recursion import conditions as conditions
    from separation.bounds.recursion import fibonacci as fibonacci
    from separation.bounds.recursion import half_cover as half_cover
    from separation.bounds.recursion import run_recursion as run_recursion
    from separation.bounds.schedules import Golden as Golden
    from separation.bounds.schedules import cpw_parameters as cpw_parameters
    from separation.bounds.schedules import golden_exponent as golden_exponent
    from separation.bounds.schedules import golden_parameters as golden_parameters
    from separation.bounds.schedules import least_golden as least_golden
    from separation.bounds.shortest import prompts as prompts
    from separation.bounds.shortest import shortest_prompt as shortest_prompt
    from separation.bounds.shortest import theorems_against as theorems_against
    from separation.bounds.theorem import Theorem as Theorem
    from separation.bounds.theorems import THEOREMS as THEOREMS
    from separation.bounds.theorems.ceiling import AccuracyBound as AccuracyBound
    from separation.bounds.theorems.theorem_a import theorem_a as theorem_a
    from separation.bounds.theorems.theorem_b import theorem_b as theorem_b
    from separation.bounds.theorems.theorem_c import shortest_for_recurrent_only as shortest_for_recurrent_only
    from separation.bounds.theorems.theorem_c import theorem_c as theorem_c
    from separation.bounds.theorems.theorem_d import SparseBound as SparseBound
    from separation.bounds.theorems.theorem_d import can_be_right as can_be_right
    from separation.bounds.theorems.theorem_d import cyclic_summary as cyclic_summary
    from separation.bounds.theorems.theorem_d import subsets as subsets
    from separation.bounds.theorems.theorem_d import theorem_d as theorem_d
    from separation.bounds.word import Word as Word

__all__, __getattr__, __dir__ = names_of(__name__, __file__)
