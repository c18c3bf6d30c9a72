"""At given sizes: is there a theorem, with integers for its proof, that forbids exactly these?"""

from __future__ import annotations

from separation.bounds.budget import Budget
from separation.bounds.shortest import theorems_against
from separation.bounds.theorem import Impossibility, Theorem
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a2 import TheoremA2
from separation.bounds.theorems.theorem_c import theorem_c
from separation.bounds.word import Word
from separation.tasks.funccomp import Sizes


def impossibility_at(word: Word, sizes: Sizes, budget: Budget, *, proved_only: bool = False) -> Impossibility | None:
    """A theorem that is certified at exactly these sizes, or None when none was found to be, which proves nothing.

    Theorems of fewer tables count too: the tables beyond are the identity, whatever their n_ℓ. Theorems A and B, which
    rarely hold where the sharper ones do not, are asked last.
    """
    beta = budget.beta_at(sizes.length)
    against = theorems_against(word, sizes.L, proved_only)
    for theorem in sorted(against, key=lambda theorem: isinstance(theorem, TheoremA)):
        found = _at(theorem, word, sizes, beta, theorem.state_bits(word, sizes.L, budget))
        if found is not None and found.certified:
            return found
    return None


def _at(theorem: Theorem, word: Word, sizes: Sizes, beta: int, state_bits: tuple[int, ...]) -> Impossibility | None:
    tables = theorem.tables(word, sizes.L)
    assert tables is not None
    if word.full == 0:
        return theorem_c(sizes, state_bits[0])
    if isinstance(theorem, TheoremA2):
        from separation.bounds.one_full_layer import most_reached

        return theorem.at(sizes.m, sizes.n, (most_reached(sizes.m, sizes.m, state_bits[0]),), beta, state_bits, tables)
    names = theorem.variables(tables, state_bits)
    ones = theorem.at(sizes.m, sizes.n, (1,) * len(names), beta, state_bits, tables)
    if ones.certified or not names:
        return ones
    if tables == 1:  # Theorem A with one table chooses x_0 = m
        return theorem.at(sizes.m, sizes.n, (sizes.m,), beta, state_bits, tables)
    from separation.bounds.search import with_most_slack

    return with_most_slack(theorem, tables, sizes.m, sizes.n, beta, state_bits)
