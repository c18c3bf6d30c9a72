"""What a theorem of impossibility is: what it applies to, the integers it may choose, its inequalities, written once.

To add one: a file in `theorems/` with a subclass of `Theorem`, and an instance in `theorems.THEOREMS`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul
from typing import TYPE_CHECKING, Any, ClassVar

from separation.arithmetic import number_to_json
from separation.bounds.budget import Budget, Message
from separation.bounds.condition import Conditions, Number, Order, verdict
from separation.bounds.log_sums import Inequality
from separation.bounds.powers import Size, exact_json, log2_float, precision_for, simplest, size_ball, size_to_json
from separation.bounds.word import Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes, sizes_to_document

if TYPE_CHECKING:
    from flint import arb


class Prompt:
    """Sizes m, n_1, …, n_{L-1}, which may be too long to be written (`powers`), and how long their prompt is."""

    m: Size
    n: tuple[Size, ...]

    @property
    def L(self) -> int:
        """The number of tables."""
        return len(self.n) + 1

    def tokens(self) -> int | None:
        """Σ_ℓ N_{ℓ-1} + 2; None when it is too long to be written."""
        m, *n = map(simplest, (self.m, *self.n))
        pads = getattr(self, "pads", 0)
        return prompt_tokens(m, n) + pads if all(isinstance(size, int) for size in (m, *n)) else None  # type: ignore[arg-type]

    def tokens_ball(self) -> arb:
        """A ball around the length of the prompt."""
        from flint import arb, ctx

        with ctx.workprec(precision_for([self.m, *self.n])):
            return sum(table_sizes(size_ball(self.m), [size_ball(size) for size in self.n]), arb(2))

    def tokens_log2(self) -> float:
        """log2 of the length of the prompt; a float for display."""
        tokens = self.tokens()
        return log2_float(self.tokens_ball() if tokens is None else tokens)

    def tokens_bits(self) -> int:
        """⌈log2⌉ of the length of the prompt, or one more when it is known only to lie in a ball."""
        tokens = self.tokens()
        if tokens is not None:
            return (tokens - 1).bit_length()
        mantissa, exponent = (int(part) for part in self.tokens_ball().upper().man_exp())
        return mantissa.bit_length() + exponent


@dataclass(frozen=True)
class Impossibility(Prompt):
    """A theorem at given integers: if all ``inequalities`` hold, no model that it applies to solves FuncComp(m, n).

    where ``state_bits`` = (Λ_0, …) are those of its inequalities, and ``chosen`` the integers of its proof. The theorem
    itself is about the first ``tables`` tables; the others are the identity and stand in front of the prompt, where
    they are constants that hear nothing. ``beta`` is None if it holds for every β. In place of state bits, ``reaches``
    = (r_0, r_1) say how far the windows before and after the full layer see, where that is what they cost; so many
    ``pads`` stand between z_0 and w.
    """

    theorem: str
    m: Size
    n: tuple[Size, ...]
    beta: int | None
    state_bits: tuple[Size, ...]
    chosen: tuple[tuple[str, Size], ...]
    inequalities: tuple[Inequality, ...]
    tables: int
    reaches: tuple[int, int] | None = None
    pads: int = 0

    @property
    def certified(self) -> bool:
        """All inequalities hold, in exact arithmetic."""
        return all(inequality.holds is True for inequality in self.inequalities)

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, parameters, tokens, tokens_log2}; the last tables are the identity beyond its own."""
        tokens, more = self.tokens(), {} if not self.pads else {"pads": self.pads}
        return {
            "beta": None if self.beta is None else number_to_json(self.beta),
            "lambda": [size_to_json(bits) for bits in self.state_bits],
            "m": size_to_json(self.m),
            "n": [size_to_json(size) for size in self.n],
            "x": [size_to_json(value) for name, value in self.chosen if name.startswith("x_")],
            "parameters": {name: size_to_json(value) for name, value in self.chosen},
            "identity_tables": self.L - self.tables,
            "tokens": None if tokens is None else number_to_json(tokens),
            "tokens_log2": self.tokens_log2(),
            **(more if self.reaches is None else more | {"reaches": list(self.reaches)}),
        }

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        """What the kernel is asked to believe: {theorem, task, tokens, beta, lambda, message, tables}."""
        tokens = self.tokens()
        claim: dict[str, Any] = {
            "theorem": CERTIFICATE_NAMES.get(self.theorem, self.theorem),
            "task": task_document(self.m, self.n),
            "tokens": None if tokens is None else size_to_json(tokens),
            "beta": None if self.beta is None else exact_json(self.beta),
            "lambda": [exact_json(bits) for bits in self.state_bits],
            "message": None if message is None or self.beta is None else message.document(),
        }
        if self.reaches is not None:
            del claim["lambda"]
            claim["reaches"] = [exact_json(reach) for reach in self.reaches]
        return claim if self.beta is None else claim | {"tables": self.tables}

    def certificate_choice(self) -> dict[str, Any] | None:
        """The integers that the proof chose, with which the kernel checks the claim; None if it chose none."""
        return {name: exact_json(value) for name, value in self.chosen} or None


CERTIFICATE_NAMES = {  # where they differ
    "A2_W": "A2W",
    "A_L": "AL",
    "B_L": "BL",
    "E delayed": "E",
    "E late": "E",
    "A2 nested": "A2 average",
}


class Theorem(ABC):
    """If all its inequalities hold at some integers, no model of the shape solves the task at those sizes."""

    name: str
    shape: ClassVar[str]
    """The words of layers that it applies to, in a sentence; `tables` decides."""

    def is_superseded(self, word: Word) -> bool:  # noqa: ARG002 (A3 is by A3c, without an early R)
        """Whether another theorem has always a prompt at least as short: then it is asked for by name alone."""
        return False

    @abstractmethod
    def tables(self, word: Word, L: int) -> int | None:
        """Of how many tables its inequalities are, for this word and L tables; None if it does not apply."""

    def applies_to(self, word: Word, L: int) -> bool:
        return self.tables(word, L) is not None

    def state_bits(self, word: Word, L: int, budget: Budget) -> tuple[int, ...]:  # noqa: ARG002 (A pads to L)
        """The Λ_t that its inequalities contain."""
        return budget.separate_state_bits(word)

    def variables(self, tables: int, state_bits: Sequence[int]) -> tuple[str, ...]:  # noqa: ARG002 (A with Λ_0 = 0)
        """The names of the integers that its proof chooses, next to m and n_1..n_{tables-1}."""
        return ()

    def exponents(self, tables: int) -> dict[str, int]:  # noqa: ARG002
        """A schedule: which powers of β the sizes and the integers chosen are, without R layers; 0 if left out."""
        return {}

    @abstractmethod
    def conditions(
        self, m: Number, n: Sequence[Number], chosen: Sequence[Number], beta: Number, state_bits: Sequence[Number]
    ) -> Conditions:
        """All its inequalities, over any kind of number. An `Order` that fails ends the list for integers."""

    def reason(self, word: Word, L: int) -> str:
        """Why the word cannot, in a sentence for the reader."""
        return f"L = {L} > depth {word.depth}: {self.shape} cannot, at hard sizes"

    def at(
        self, m: int, n: Sequence[int], chosen: Sequence[int], beta: int, state_bits: Sequence[int], tables: int
    ) -> Impossibility:
        """Its inequalities at integers, each with a verdict; tables beyond its own are the identity, whatever n_ℓ."""
        n, names = checked_sizes(m, n, tables), self.variables(tables, state_bits)
        require_integer("beta", beta, 0)
        if len(chosen) != len(names):
            raise InputError(f"Theorem {self.name} with {tables} tables needs {', '.join(names)}, got {len(chosen)}")
        for name, value in zip(names, chosen, strict=True):
            require_integer(name, value, 1)
        asked = self.conditions(m, n[: tables - 1], chosen, beta, checked_state_bits(state_bits))
        verdicts = verdicts_until_a_guard_fails(asked)
        named = tuple(zip(names, chosen, strict=True))
        return Impossibility(self.name, m, n, beta, tuple(state_bits), named, verdicts, tables)


def verdicts_until_a_guard_fails(asked: Conditions) -> tuple[Inequality, ...]:
    """A condition behind a broken order may make no sense (C(N, k) with k > N); the verdict is no in any case."""
    found: list[Inequality] = []
    broken = False
    for condition in asked:
        if isinstance(condition, Order):
            found.append(verdict(condition))
            broken = broken or not found[-1].holds
        elif not broken:
            found.append(verdict(condition))
    return tuple(found)


def prompt_tokens(m: int, n: Sequence[int]) -> int:
    """m + m·n_1 + m·n_1·n_2 + … + 2."""
    return int(sum(table_sizes(m, n))) + 2


def table_sizes(m: Any, n: Sequence[Any]) -> list[Any]:
    """N_0 = m, N_ℓ = N_{ℓ-1}·n_ℓ, over any kind of number."""
    return list(accumulate((m, *n), mul))


def task_document(m: Size, n: Sequence[Size]) -> dict[str, Any]:
    """FuncComp at these sizes, as certificates write it: sizes beyond 4,000 digits are products of powers."""
    if isinstance(m, int) and all(isinstance(size, int) for size in n):
        document = sizes_to_document(Sizes(m, tuple(int(size) for size in n)))  # type: ignore[arg-type]
        if None not in (document["m"], *document["n"]):
            return document
    return {"task": "funccomp", "m": exact_json(m), "n": [exact_json(size) for size in n]}


def checked_sizes(m: int, n: Sequence[int], least_tables: int) -> tuple[int, ...]:
    """The n_ℓ as a tuple, if m ≥ 2, every n_ℓ ≥ 1 and there are enough tables."""
    require_integer("m", m, 2)
    for level, size in enumerate(n, start=1):
        require_integer(f"n_{level}", size, 1)
    if len(n) + 1 < least_tables:
        raise InputError(f"L is {len(n) + 1}; at least {least_tables} is needed")
    return tuple(n)


def checked_state_bits(state_bits: Sequence[int], count: int | None = None) -> tuple[int, ...]:
    """Λ_0 ≤ Λ_1 ≤ …, ``count`` of them if that is given."""
    for block, bits in enumerate(state_bits):
        require_integer(f"Lambda_{block}", bits, 0)
    if count is not None and len(state_bits) != count:
        raise InputError(f"{count} values of Lambda are needed (one for each block), got {len(state_bits)}")
    if any(earlier > later for earlier, later in pairwise(state_bits)):
        raise InputError("Lambda_t counts blocks 0..t, so it never decreases")
    return tuple(state_bits)


def block_bits(state_bits: Sequence[int]) -> list[int]:
    """λ_0 = Λ_0, λ_t = Λ_t − Λ_{t-1}."""
    return [state_bits[0], *(later - earlier for earlier, later in pairwise(state_bits))]


def named(name: str, first: int, last: int) -> tuple[str, ...]:
    """(name_first, …, name_last)."""
    return tuple(f"{name}_{index}" for index in range(first, last + 1))


def one_table_more(word: Word, L: int, least: int, most: float = math.inf) -> int | None:
    """#F + 1 tables, for words with ``least`` to ``most`` full layers; as L = 1 is the theorem C or B, L ≥ 2."""
    return word.full + 1 if least <= word.full <= most and word.full < L else None


def one_table_each(word: Word, L: int, least: int, most: float = math.inf) -> int | None:
    """#F tables, for words with ``least`` to ``most`` full layers and no R layer before the second."""
    return word.full if least <= word.full <= min(most, L) and not word.early else None
