"""The states of recurrent heads at work: read off after the last token, or set before the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from separation.models.attend_delta import DeltaAttention
from separation.models.attend_linear import LinearAttention
from separation.models.attention import Attention
from separation.models.scaled import Scaled


def states_of(attentions: Sequence[Attention]) -> list[Scaled]:
    """All arrays of the states, head by head, in units of 1."""
    return [getattr(attention, name) for attention in attentions for name in _names(attention)]


def set_states(attentions: Sequence[Attention], states: Sequence[Scaled]) -> None:
    """Heads that go on from these states."""
    left: Iterator[Scaled] = iter(states)
    for attention in attentions:
        for name in _names(attention):
            setattr(attention, name, next(left))


def _names(attention: Attention) -> tuple[str, ...]:
    if isinstance(attention, LinearAttention):
        return ("state", "normaliser") if attention.head.normalised else ("state",)
    assert isinstance(attention, DeltaAttention)
    return ("state",)
