"""The theorems, a file each: what they apply to, their inequalities over any kind of number, and nothing of a search.

CONTRIBUTING.md says how to add one.
"""

from separation.bounds.theorem import Theorem
from separation.bounds.theorems.theorem_a import TheoremA
from separation.bounds.theorems.theorem_a2 import TheoremA2
from separation.bounds.theorems.theorem_a2w import TheoremA2W
from separation.bounds.theorems.theorem_a3 import TheoremA3
from separation.bounds.theorems.theorem_a3c import TheoremA3c
from separation.bounds.theorems.theorem_al import TheoremAL
from separation.bounds.theorems.theorem_b import TheoremB, TheoremBOneTable
from separation.bounds.theorems.theorem_b2c import TheoremB2c
from separation.bounds.theorems.theorem_bl import TheoremBL
from separation.bounds.theorems.theorem_c import TheoremC

# At least one of A, B and C applies to every word with L > depth. Of two equally short prompts the earlier one wins.
# The last two are never shorter than another one, but proved in Coq: they are asked for by name, or by --proved-only.
THEOREMS: tuple[Theorem, ...] = (
    TheoremA(),
    TheoremB(),
    TheoremC(),
    TheoremA2(),
    TheoremA2W(),
    TheoremA3(),
    TheoremA3c(),
    TheoremAL(),
    TheoremBOneTable(),
    TheoremB2c(),
    TheoremBL(),
)

__all__ = ["THEOREMS", "Theorem"]
