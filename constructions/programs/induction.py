"""What followed the latest earlier occurrence of this token; V if there is none.

References
----------
Olsson et al., In-context learning and induction heads, 2022.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, V: int = 2) -> Program:
    p = Program("induction")
    _, seq = p.start(), p.tokens("seq", n, sym=V)
    before = seq.previous(seq.sym, default=V)
    p.answer(seq.latest(where(before == seq.sym), read=seq.sym, default=V))
    return p


LARGE = {"n": 512, "V": 16}
