"""What stood just before; V at the first token.

References
----------
Olsson et al., In-context learning and induction heads, 2022.
"""

from __future__ import annotations

from separation.programs import Program


def program(n: int = 4, V: int = 3) -> Program:
    p = Program("previous token")
    _, text = p.start(), p.tokens("text", n, letter=V)
    p.answer(text.previous(text.letter, default=V))
    return p


LARGE = {"n": 4096, "V": 16}
