"""Layers, heads, width, precision and states of every construction as functions of the sizes, and how these grow.

FuncComp: L tables, m, n_1, …, n_{L-1}; N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ; n = 2 + Σ N_ℓ tokens; max n_ℓ is 1 if L = 1.
2-Sum: n tokens, modulus M; blocks of B tokens, of which k are opened.
"""

from proofs_checks.formulas.evaluating import evaluate
from proofs_checks.formulas.formula import QUANTITIES, Formula, Growth
from proofs_checks.formulas.letters import Expression, without_slots
from proofs_checks.formulas.limits import limit
from proofs_checks.formulas.printing import latex, readable, text
from proofs_checks.formulas.table import FORMULAS

__all__ = [
    "FORMULAS",
    "QUANTITIES",
    "Expression",
    "Formula",
    "Growth",
    "evaluate",
    "latex",
    "limit",
    "readable",
    "text",
    "without_slots",
]
