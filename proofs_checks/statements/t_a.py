"""T.A: the bits of each level of theorem A, recomputed from who sends what to whom.

At level ℓ the players below ℓ hear the same from the players ℓ, …, L on all of 𝒬, in full layers 1..ℓ−1 and in the R
blocks 0..ℓ−1. To reach level ℓ+1 three things must become constant: the linear messages into player ℓ (a new boundary,
Λ_ℓ bits); what player ℓ hears in layers 1..ℓ, for each of its x_ℓ tables; and what the players i < ℓ hear in layer ℓ,
for each (z_i, …, z_{ℓ-1}). What they hear in earlier layers is constant already: the sum over the players from ℓ on
was, and player ℓ's own part now is. That is the bracket of D_{ℓ+1} in [bounds.md](bounds.md). The averaging and the
cover are L1 and L2, the fixing L3.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import sympy as sp

from proofs_checks.kit.messages import charges, first_levels, linear_blocks
from proofs_checks.kit.statement import Checked, Hypothesis, Statement, Status, require
from proofs_checks.kit.theorems import TheoremCase, inequality, recursion_symbols
from separation.bounds import Parameters, Rule, Word, run_recursion
from separation.bounds.symbolic import BETA, M, linear_symbol

Recursion = Callable[[Rule, int], list[Any]]
"""(rule, L) ↦ D_1..D_L in symbols."""

LEVELS = 9
SUPPOSED = TheoremCase("RFR", Rule.A, Parameters(108, (81,), (2, 9)), 8, (1, 1))


def recursion(rule: Rule, L: int, layers: int = 0, query: int = 1, linear: int = 0) -> list[Any]:
    """D_1..D_L of the theorem, as the calculator has it; the other arguments make broken twins.

    ``layers`` more layers are charged for each table kept, W + ``query`` in place of W + 1, Λ moved by ``linear``.
    """
    n, x, bits = recursion_symbols(rule, L)
    moved = bits[linear:] + bits[:linear] if linear else bits
    D = list(run_recursion(rule, BETA, moved, M, n, x, lambda _level, product: (product, product), sp.Min).D)
    for level in range(1, L):
        size = M * sp.prod(n[: level - 1])
        D[level] += BETA * (layers * x[level] * size + (query - 1) * sp.prod(x[:level]))
    return D


def counted(rule: Rule, word: Word, L: int, level: int) -> tuple[Any, Any]:
    """(β times the tokens and inputs of all soft messages to fix, the linear bits) from level ℓ to ℓ+1."""
    n, x, linear = recursion_symbols(rule, L)
    inputs: dict[int, Any] = {-1: sp.prod(n), **dict(enumerate(x))}
    here, following = first_levels(rule.theorem, level)
    soft = sp.Integer(0)
    for charge in charges(word, here, following):
        tokens = 1 if charge.receiver < 1 else M * sp.prod(n[: charge.receiver - 1])
        soft += BETA * tokens * sp.prod(inputs[player] for player in charge.depends_on)
    return soft, linear[linear_blocks(word, following)]


def require_levels(rule: Rule, words: Sequence[Word], D: list[Any]) -> None:
    """D_{ℓ+1} − x_ℓ·D_ℓ − 1 is what is counted, for the first word; for words with fewer states it is no less."""
    L = len(D)
    _, x, _ = recursion_symbols(rule, L)
    for level in range(1, L):
        said = sp.expand(D[level] - x[level] * D[level - 1] - 1)
        for word in words:
            soft, linear = counted(rule, word, L, level)
            where = f"L = {L}, level {level}, {word}"
            if word is words[0]:
                rest = sp.expand(said - soft - linear)
                require(rest == 0, f"{where}: the theorem charges {rest} more than what is sent")
            require(_is_smaller(soft, said), f"{where}: too little is charged")


def _is_smaller(counted: Any, said: Any) -> bool:
    """Each monomial of what is counted divides one of what is claimed: all letters are integers ≥ 1."""
    said_terms = [term for term in sp.Add.make_args(sp.expand(said)) if term.has(BETA)]
    for term in sp.Add.make_args(sp.expand(counted)):
        above = next((other for other in said_terms if sp.fraction(sp.cancel(other / term))[1] == 1), None)
        if above is None:
            return False
        said_terms.remove(above)
    return True


def check(theorem: Recursion) -> Checked:
    """For L = 2..9, all letters symbolic: a word with states in every block charges exactly what the theorem says.

    The graph of messages is built from the word (networkx); level ℓ's constants are cut out of it; each message that
    level ℓ+1 needs constant is charged β·tokens once for each input that its receiver's knowledge depends on, found as
    ancestors in the graph. By hand, and as statements of their own: averaging (L1), cover (L2), fixing (L3). A word
    without some of the states, or with R heads in full layers in their place, is charged no more. That the count is
    the same for every L is T.levels; that it is what transcripts show, T.run.
    """
    for L in range(2, LEVELS + 1):
        full = "F" * (L - 1)
        words = ["RF" * (L - 1) + "R", full, full + "R", "R" + "[FR]" * (L - 1), "[FR]" * (L - 1)]
        require_levels(Rule.A, [Word.parse(word) for word in words], theorem(Rule.A, L))
        first = theorem(Rule.A, L)[0]
        require(first == linear_symbol(0), f"L = {L}: D_1 is {first}, the base fixes Λ_0 bits")
    return Checked(
        Status.EXHAUSTIVE, "messages counted on a graph (networkx), all sizes symbolic", f"L up to {LEVELS}, every size"
    )


STATEMENT = Statement(
    id="T.A",
    title="what theorem A fixes at each level, L up to 9",
    latex=r"D_{\ell+1}=x_\ell D_\ell+1+\Lambda_\ell+\beta\Bigl[\ell x_\ell N_{\ell-1}+(W+1)x_0\cdots x_{\ell-1}"
    r"+\sum_{i=1}^{\ell-1}x_i\cdots x_{\ell-1}N_{i-1}\Bigr]",
    english="With L−1 full layers and any R layers, level ℓ+1 of the induction has density at least 2^{-D}.",
    subject=recursion,
    check=check,
    twins={
        "one layer less for each table kept": lambda rule, L: recursion(rule, L, layers=-1),
        "the query's messages counted once": lambda rule, L: recursion(rule, L, query=0),
        "the states of one block less": lambda rule, L: recursion(rule, L, linear=-1),
    },
    rests_on=("M1", "M1.group", "M2", "L1", "L2", "L3", "L4", "L6", "L7", "T.levels", "T.run"),
    hypotheses=(
        Hypothesis(
            "the word has L−1 full layers",
            lambda case: case.letters.full == case.point.L - 1,
            outside=replace(SUPPOSED, word="RFRF"),
        ),
        inequality("x_0 ≤ m", "x_0", outside=replace(SUPPOSED, point=Parameters(2, (81,), (3, 9)))),
        inequality("𝖾·t_ℓ < 2N_{ℓ-1}", "C_", outside=replace(SUPPOSED, point=Parameters(24, (81,), (2, 9)))),
        inequality("(E_ℓ)", "E_", outside=replace(SUPPOSED, linear=(3, 3))),
        inequality("(F)", "F", outside=replace(SUPPOSED, beta=9)),
    ),
    witness=SUPPOSED,
)
