"""A machine with two counters thinks aloud: each thought (line, a, b) says the next one; its code stands in the prompt.

References
----------
Minsky, Recursive unsolvability of Post's problem of tag, 1961.
"""

from __future__ import annotations

from collections.abc import Callable

from separation.programs import Program, where


def program(lines: int = 2, most: int = 2, steps: int = 1) -> Program:
    p = Program("counter machine")
    code = p.tokens("code", lines, register=2, adds=2, jump=lines)
    thought = p.tokens("thought", steps, line=lines, a=most, b=most)
    here = where(code.position == thought.line)
    register, adds, jump = (code.find(here, read=v) for v in (code.register, code.adds, code.jump))

    def counter(own: int) -> Callable[[int, int, int], int]:
        return lambda x, r, plus: x if r != own else min(x + 1, most - 1) if plus else max(x - 1, 0)

    # A line adds 1 to its register and goes on; or takes 1 away, and jumps if there is none.
    tested = p.map(lambda r, a, b: b if r else a, register, thought.a, thought.b, name="tested")
    jumps = p.map(lambda plus, x: not plus and x == 0, adds, tested, size=2, name="jumps")
    line = p.map(lambda at, j, to: to if j else (at + 1) % lines, thought.line, jumps, jump, size=lines, name="then")
    a = p.map(counter(0), thought.a, register, adds, size=most, name="a_then")
    b = p.map(counter(1), thought.b, register, adds, size=most, name="b_then")
    p.next_thought(thought, line=line, a=a, b=b)
    return p


LARGE = {"lines": 8, "most": 8, "steps": 64}
