"""A recurrent head between two tokens: its state taken out, counted, written in bits, and handed to who goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from separation.arithmetic import Precision
from separation.models.head_state import HeadState
from separation.models.heads import StatefulHead
from separation.models.reading import Reading, StreamReader
from separation.models.scaled import Scaled
from separation.models.transformer import Model


def initial_state(head: StatefulHead, batch: int) -> HeadState:
    """The state before the first token: zeros."""
    return HeadState(np.zeros((batch, head.state_entries), dtype=np.int64))


def advance(
    model: Model, number: int, head: StatefulHead, state: HeadState, first: int, stream: Scaled
) -> tuple[Scaled, HeadState]:
    """(out_i of the tokens i = first, first + 1, …, the state after the last of them).

    where ``state`` is the state before token ``first`` and ``stream``, (batch, tokens, width), what layer
    ``number`` reads at these tokens and at no others. The stream gets out.times(head.w_o).
    """
    batch, count, width = stream.values.shape
    own = StreamReader(batch, first + count, width, lambda begin, end: stream.tokens(begin - first, end - first))
    attention = head.attend(Reading(model, number, own))
    attention.restore(state, first)
    return attention.rows(first, stream), attention.head_state()


def state_bits(head: StatefulHead, precision: Precision) -> int:
    """s = (numbers in the state) · (bits of one)."""
    return head.state_entries * head.entry_bits(precision)


def encode_state(head: StatefulHead, precision: Precision, state: HeadState) -> tuple[int, ...]:
    """For each prompt its state as an integer in [0, 2^s): two's complement, the first entry highest.

    Only multiples of 2^-f can be written: states of linear attention and of the delta rule are never rounded, and
    those of a model that is not integral (`Model.is_integral`) have no fixed number of bits.
    """
    if state.denominator != 1:
        raise ValueError(f"the state of a {head.TYPE} head is no multiple of 2^-f, so it has no fixed number of bits")
    bits = head.entry_bits(precision)
    if bits == 0:
        return (0,) * state.batch
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if state.values.size and not low <= int(state.values.min()) <= int(state.values.max()) <= high:
        raise ValueError(f"the state of a {head.TYPE} head has entries beyond {bits} bits")
    mask = (1 << bits) - 1
    texts = ("".join(f"{int(number) & mask:0{bits}b}" for number in row) for row in state.values)
    return tuple(int(text, 2) for text in texts)


def decode_state(head: StatefulHead, precision: Precision, numbers: Sequence[int]) -> HeadState:
    """The inverse of `encode_state`."""
    bits, entries = head.entry_bits(precision), head.state_entries
    values = np.zeros((len(numbers), entries), dtype=object)
    for prompt, number in enumerate(numbers):
        if not 0 <= number < 1 << (bits * entries):
            raise ValueError(f"a state of {bits * entries} bits is an integer in 0..2^{bits * entries} - 1")
        text = f"{number:0{bits * entries}b}"
        for index in range(entries if bits else 0):
            entry = int(text[index * bits : (index + 1) * bits], 2)
            values[prompt, index] = entry - (1 << bits) if entry >> (bits - 1) else entry
    return HeadState(values)
