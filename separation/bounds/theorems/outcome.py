"""What a theorem says at given integers: the inequalities that it needs, and whether all of them hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.budget import Message
from separation.bounds.inequality import Inequality
from separation.bounds.parameters import task_document
from separation.bounds.powers import exact_json, log2_float
from separation.files import InputError
from separation.tasks.checks import require_integer


@dataclass(frozen=True)
class Impossibility:
    """If all ``inequalities`` hold, no model with these β and Λ_0..Λ_f solves FuncComp(m, n) of all L = len(n)+1
    tables.

    where ``linear`` = (Λ_0, …, Λ_f) for f full layers, and ``parameters`` are the integers of the theorem's proof. The
    theorem itself speaks of the first ``tables`` tables; the others (n_ℓ = 1 is enough for them) are the identity and
    stand in front of the prompt, where they are constants that hear nothing.
    """

    theorem: str
    m: int
    n: tuple[int, ...]
    beta: int
    linear: tuple[int, ...]
    parameters: tuple[tuple[str, int], ...]
    inequalities: tuple[Inequality, ...]
    tables: int

    @property
    def holds(self) -> bool:
        return all(inequality.holds is True for inequality in self.inequalities)

    @property
    def certified(self) -> bool:
        return self.holds

    @property
    def L(self) -> int:
        return len(self.n) + 1

    @property
    def tokens(self) -> int:
        """Σ_ℓ N_{ℓ-1} + 2."""
        return prompt_tokens(self.m, self.n)

    def tokens_log2(self) -> float:
        return log2_float(self.tokens)

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, parameters, tokens, n_log2}; the last tables are the identity if ``tables`` < L."""
        return {
            **sizes_document(self.m, self.n, self.beta, self.linear),
            "x": [number_to_json(value) for name, value in self.parameters if name.startswith("x_")],
            "parameters": {name: number_to_json(value) for name, value in self.parameters},
            "identity_tables": self.L - self.tables,
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        return {
            "theorem": self.theorem,
            "task": task_document(self.m, self.n),
            "tokens": exact_json(self.tokens),
            "beta": exact_json(self.beta),
            "lambda": [exact_json(bits) for bits in self.linear],
            "message": None if message is None else message.document(),
        }

    def certificate_choice(self) -> dict[str, Any]:
        return {name: exact_json(value) for name, value in self.parameters}


def sizes_document(m: int, n: Sequence[int], beta: int, linear: Sequence[int]) -> dict[str, Any]:
    """{beta, lambda, m, n, tokens, n_log2}, as reports write them."""
    tokens = prompt_tokens(m, n)
    return {
        "beta": number_to_json(beta),
        "lambda": [number_to_json(bits) for bits in linear],
        "m": number_to_json(m),
        "n": [number_to_json(size) for size in n],
        "tokens": number_to_json(tokens),
        "n_log2": log2_float(tokens),
    }


def prompt_tokens(m: int, n: Sequence[int]) -> int:
    """m + m·n_1 + m·n_1·n_2 + … + 2."""
    return sum(table_sizes(m, n)) + 2


def table_sizes(m: int, n: Sequence[int]) -> list[int]:
    """N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ."""
    return list(accumulate((m, *n), mul))


def checked_sizes(m: int, n: Sequence[int], least_tables: int) -> tuple[int, ...]:
    """The n_ℓ as a tuple, if m ≥ 2, every n_ℓ ≥ 1 and there are enough tables."""
    require_integer("m", m, 2)
    for level, size in enumerate(n, start=1):
        require_integer(f"n_{level}", size, 1)
    if len(n) + 1 < least_tables:
        raise InputError(f"L is {len(n) + 1}; at least {least_tables} is needed")
    return tuple(n)


def checked_linear(linear: Sequence[int], count: int) -> tuple[int, ...]:
    """Λ_0 ≤ Λ_1 ≤ …, ``count`` of them."""
    for block, bits in enumerate(linear):
        require_integer(f"Lambda_{block}", bits, 0)
    if len(linear) != count:
        raise InputError(f"{count} values of Lambda are needed (one for each block), got {len(linear)}")
    if any(earlier > later for earlier, later in pairwise(linear)):
        raise InputError("Lambda_t counts blocks 0..t, so it never decreases")
    return tuple(linear)


def block_bits(linear: Sequence[int]) -> list[int]:
    """λ_0 = Λ_0, λ_t = Λ_t − Λ_{t-1}."""
    return [linear[0], *(later - earlier for earlier, later in pairwise(linear))]
