"""Is the number of ones so far odd?

References
----------
Grazzi et al., Unlocking state-tracking in linear RNNs through negative eigenvalues, 2024.
"""

from __future__ import annotations

from separation.programs import Program


def program() -> Program:
    p = Program("parity")
    _, bits = p.start(), p.tokens("bits", any, x=2)
    p.answer(p.scan(lambda odd, x: odd ^ x, bits.x, name="odd"))
    return p


LARGE: dict[str, int] = {}
