"""What followed what followed … this token, k times over; V as soon as there is none.

References
----------
Sanford, Hsu, Telgarsky, Transformers, parallel computation, and logarithmic depth, 2024.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 4, V: int = 2, k: int = 3) -> Program:
    p = Program(f"{k}-hop induction")
    _, seq = p.start(), p.tokens("seq", n, sym=V)
    before = seq.previous(seq.sym, default=V)
    hop = seq.sym
    for _ in range(k):
        hop = seq.latest(where(before == seq.sym), read=hop, default=V)
    p.answer(hop)
    return p


LARGE = {"n": 512, "V": 16}
