"""A search for a short prompt that knows in advance about how long the prompt will be."""

from __future__ import annotations

from abc import ABC, abstractmethod

from separation.bounds.theorems.outcome import Impossibility


class EstimatedSearch(ABC):
    """The search for given Λ, as a function of β; what real numbers allow takes a small part of its time."""

    @abstractmethod
    def __call__(self, beta: int) -> Impossibility | None:
        """The shortest prompt found, certified; None if none was found."""

    @abstractmethod
    def real_length(self, beta: int) -> float:
        """log2 of its tokens, nearly."""
