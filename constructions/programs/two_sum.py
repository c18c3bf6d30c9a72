"""Does −x modulo M occur at or before this token?

References
----------
Sanford, Hsu, Telgarsky, Representational strengths and limitations of transformers, 2023.
"""

from __future__ import annotations

from separation.programs import Program, where


def program(n: int = 3, M: int = 3) -> Program:
    p = Program("2-Sum")
    _, numbers = p.start(), p.tokens("numbers", n, x=M)
    minus = p.map(lambda x: -x % M, numbers.x, name="minus")
    p.answer(numbers.exists(where(numbers.x == minus)))
    return p


LARGE = {"n": 64, "M": 63}
