"""How each theorem of impossibility is known: one table, which a test compares with the proof book and with Coq.

`proved` is what `--proved-only` keeps: a theorem whose statement, for all sizes, is proved in Coq. What is proved by
hand, in whole or in steps, and tested up to a size is left out, however well it was tested.

    >>> how_known("A2"), how_known("E, one table in front"), is_proved("A_L")
    ('proved in Coq', 'proved by hand, tested', True)
"""

from __future__ import annotations

from dataclasses import dataclass

from separation.files import InputError

IN_COQ = "proved in Coq"
BY_HAND = "proved by hand, tested"


@dataclass(frozen=True)
class Known:
    """The statement of the book that a theorem is, and the theorems in Coq that prove the whole of it, if any do."""

    statement: str
    in_coq: tuple[str, ...] = ()

    @property
    def how(self) -> str:
        return IN_COQ if self.in_coq else BY_HAND


KNOWN: dict[str, Known] = {
    "A": Known("T.A", ("T_A", "T_A_free", "E_of_the_docs")),
    "B": Known("T.B", ("T_B", "T_B_one", "E_of_the_docs")),
    "C": Known("T.C", ("T_C", "T_C_thought")),
    "D": Known("T.D", ("T_D_two_sum",)),
    "D2": Known("T.D.several", ("T_D_several",)),
    "A2": Known("T.A2", ("T_A2",)),
    "A2_W": Known("T.A2W", ("T_A2_W", "T_A2_W_exact")),
    "B2c": Known("T.B2c", ("T_B2c",)),
    "A3c": Known("T.A3c", ("T_A3c",)),
    "A3": Known("T.A3", ("T_A3", "T_A3_quiet")),
    "A_L": Known("T.AL", ("T_A_L_rows",)),
    "B_L": Known("T.BL", ("T_B_L_rows",)),
    "A2 nested": Known("T.A2.average", ("T_A2_average_closed", "T_A2_average_early")),
    "A2 average": Known("T.A2.average"),
    "A2 union": Known("T.A2.average", ("T_A2_average",)),
    "B2c average": Known("T.B2c.average"),
    "A3c average": Known("T.B2c.average"),
    "C' average": Known("T.C.average", ("T_C_prime_closed", "T_C_prime_closed_thought", "T_C_prime_closed_one")),
    "C' union": Known("T.C.average", ("T_C_prime", "T_C_prime_thought", "T_C_prime_one")),
    "E delayed": Known("T.E", ("T_E_A", "T_E_A_spread")),
    "E late": Known("T.E", ("T_E_two",)),
    "E": Known("T.E"),
    "D'": Known("T.D.average", ("T_D_average_near",)),
    "memory": Known("T.memory"),
    "look": Known("T.look"),
    "reach": Known("T.reach"),
    "period": Known("T.period"),
}


def how_known(theorem: str) -> str:
    """By the name that a ground, a ceiling or a bound has. What stands behind a comma, a table in front of the prompt
    that is given away, is a step that was proved by hand."""
    name, comma, _ = theorem.partition(",")
    if name not in KNOWN:
        raise InputError(f"theorem is {theorem!r}; known are {', '.join(KNOWN)}")
    return BY_HAND if comma else KNOWN[name].how


def is_proved(theorem: str) -> bool:
    """Whether `--proved-only` keeps it."""
    return how_known(theorem) == IN_COQ


def with_knowledge(theorem: str) -> str:
    """The theorem as a sentence names it: the name alone if it is proved in Coq, else with how it is known.

    >>> with_knowledge("A2"), with_knowledge("E")
    ('Theorem A2', 'Theorem E, proved by hand, tested')
    """
    return f"Theorem {theorem}" if is_proved(theorem) else f"Theorem {theorem}, {how_known(theorem)}"
