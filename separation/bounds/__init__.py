"""What cannot be: the exact depth of a word of layers, theorems A to D, and the shortest certified prompts.

| file | what it holds |
|---|---|
| `word` | words over F and R, and their depth |
| `ladder`, `inequality`, `evaluation` | the recursion of theorems A and B, its inequalities, both at one point |
| `theorem_a`, `theorem_b`, `theorem_c`, `theorem_d` | the theorems |
| `powers`, `point` | integers too large to write down; a choice of integers |
| `schedules`, `shape` | the golden schedule and CPW's sizes; the best exponents, by a linear program |
| `optimise`, `fixed_point`, `choice` | the shortest prompt; the same when β depends on it; given sizes |
| `monomials`, `relaxation`, `barrier`, `branching`, `trial`, `descent`, `two_tables` | how it is searched for |
| `message`, `budget`, `decide`, `bound` | β of a model; what a model may send; the two questions |
| `papers`, `symbolic` | the papers' regimes and CPW's sizes; expressions and LaTeX |
| `asymptote`, `picture` | how the exponent grows, proved and drawn |
| `configs`, `families`, `config_fields` | models by their config.json |
| `certificate` | what a stranger can check with the kernel |
"""

from separation.bounds.bound import Bound, bound
from separation.bounds.budget import Budget
from separation.bounds.certificate import bound_certificate, decision_certificate, sparse_certificate
from separation.bounds.choice import find_choice
from separation.bounds.configs import ConfigBound, ConfiguredModel, bound_config, load_config, read_config
from separation.bounds.decide import Decision, decide
from separation.bounds.evaluation import Evaluation, evaluate
from separation.bounds.fixed_point import optimise_model
from separation.bounds.inequality import Inequality
from separation.bounds.ladder import Rule
from separation.bounds.message import Message
from separation.bounds.optimise import optimise
from separation.bounds.papers import check_cpw, cpw_prompt, exponents, most_linear_layers, paper_prompt
from separation.bounds.point import Point
from separation.bounds.schedules import Golden, cpw_point, golden_exponent, golden_point, least_golden
from separation.bounds.theorem_a import theorem_a
from separation.bounds.theorem_b import theorem_b
from separation.bounds.theorem_c import RecurrentOnly, shortest_for_recurrent_only, theorem_c
from separation.bounds.theorem_d import SparseBound, theorem_d
from separation.bounds.word import Word

__all__ = [
    "Bound",
    "Budget",
    "ConfigBound",
    "ConfiguredModel",
    "Decision",
    "Evaluation",
    "Golden",
    "Inequality",
    "Message",
    "Point",
    "RecurrentOnly",
    "Rule",
    "SparseBound",
    "Word",
    "bound",
    "bound_certificate",
    "bound_config",
    "check_cpw",
    "cpw_point",
    "cpw_prompt",
    "decide",
    "decision_certificate",
    "evaluate",
    "exponents",
    "find_choice",
    "golden_exponent",
    "golden_point",
    "least_golden",
    "load_config",
    "most_linear_layers",
    "optimise",
    "optimise_model",
    "paper_prompt",
    "read_config",
    "shortest_for_recurrent_only",
    "sparse_certificate",
    "theorem_a",
    "theorem_b",
    "theorem_c",
    "theorem_d",
]
