"""What every theorem of impossibility has in common: its name, the words it speaks of, its inequalities, its search."""

# ruff: noqa: ARG002 (a theorem ignores what it need not know)

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from separation.bounds.budget import Budget, Message
from separation.bounds.inequality import Inequality
from separation.bounds.word import Word
from separation.tasks.funccomp import Sizes

# All integers that the inequalities of a theorem contain: the sizes of the task, what the model may send, and what the
# proof may choose.
Integers = TypeVar("Integers")


class Ground(Protocol):
    """What a certificate rests on: a theorem at given integers. If ``certified``, no model that the theorem
    speaks of solves FuncComp at exactly these sizes."""

    @property
    def theorem(self) -> str:
        """The name of the theorem."""

    @property
    def certified(self) -> bool:
        """All inequalities hold, in exact arithmetic."""

    @property
    def beta(self) -> int | None:
        """β, or None if the theorem speaks of every β."""

    def tokens_log2(self) -> float:
        """log2 of the length of the prompt."""

    def hard_sizes(self) -> dict[str, Any]:
        """{beta, lambda, m, n, x, tokens, n_log2}, and what else the proof chose."""

    def certificate_claim(self, message: Message | None) -> dict[str, Any]:
        """{theorem, task, tokens, beta, lambda, message}: what the kernel is asked to believe."""

    def certificate_choice(self) -> dict[str, Any] | None:
        """The integers that the proof chose, with which the kernel checks the claim; None if it chose none."""


class Theorem(ABC, Generic[Integers]):
    """A theorem says: if all its inequalities hold at these integers, no model of the shape solves the task."""

    name: ClassVar[str]
    shape: ClassVar[str]
    """The words of layers that the theorem speaks of, in a sentence; `applies_to` decides."""

    @abstractmethod
    def applies_to(self, word: Word, L: int) -> bool:
        """Whether the theorem speaks of this word and L-FuncComp."""

    @abstractmethod
    def inequalities(self, integers: Integers) -> list[Inequality]:
        """All inequalities, with both sides exact."""


class FuncCompTheorem(Theorem[Integers]):
    """A theorem about words over F and R and about L-FuncComp, with its search for sizes."""

    has_covers: ClassVar[bool] = False
    """Whether Θ may be half of the draws, or chosen (`cover` of `shortest`)."""
    charges_blocks: ClassVar[bool] = False
    """Whether it charges λ_t = Λ_t − Λ_{t-1}: then Λ_t must be those of `Word.separate_linear_bits`."""
    rarely_shortest: bool = False
    """Whether a quick search asks it last, and only where `may_be_shorter`."""

    def may_be_shorter(self, word: Word, L: int, budget: Budget, linear: Sequence[int], tokens_log2: float) -> bool:
        """Whether real numbers allow a prompt of at most so many tokens."""
        return True

    @abstractmethod
    def reason(self, word: Word, L: int) -> str:
        """Why the word cannot, in a sentence for the reader."""

    @abstractmethod
    def linear_bits(self, word: Word, L: int, linear: Sequence[int]) -> tuple[int, ...]:
        """The Λ_t that the inequalities contain, from Λ_0..Λ_{#F} of the word."""

    @abstractmethod
    def shortest(
        self, word: Word, L: int, budget: Budget, linear: Sequence[int], *, cover: str = "half", effort: str = "quick"
    ) -> Ground | None:
        """The shortest prompt found at which the theorem is certified; None if the search gave up.

        where ``linear`` comes from `linear_bits`; ``cover`` and ``effort`` are those of `search.shortest_prompt`, and a
        theorem that has no use for them ignores them.
        """

    def at_sizes(self, sizes: Sizes, beta: int, linear: Sequence[int]) -> Ground | None:
        """A certified evaluation at exactly these sizes, or None if none was found (which proves nothing).

        The sharper theorems are asked together, by `search.sharper_at_sizes`.
        """
        return None
