"""A recurrent head between two tokens: its state taken out, counted, written in bits, and handed to who goes on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from separation.arithmetic import Precision
from separation.models.attend_delta import DeltaAttention
from separation.models.attend_linear import LinearAttention
from separation.models.attend_recurrent import RecurrentAttention
from separation.models.attention import Reading, Stateful
from separation.models.carried import Carried
from separation.models.heads import DeltaHead, LinearHead, RecurrentHead, StatefulHead
from separation.models.scaled import Scaled
from separation.models.source import Source
from separation.models.transformer import Model


def stateful_attention(head: StatefulHead, reading: Reading) -> Stateful:
    """The head at work, from its initial state."""
    if isinstance(head, LinearHead):
        return LinearAttention(head, reading)
    if isinstance(head, DeltaHead):
        return DeltaAttention(head, reading)
    return RecurrentAttention(head, reading)


def start(head: StatefulHead, batch: int) -> Carried:
    """The state before the first token: zeros."""
    return Carried(np.zeros((batch, head.state_entries), dtype=np.int64))


def advance(
    model: Model, number: int, head: StatefulHead, carried: Carried, first: int, stream: Scaled
) -> tuple[Scaled, Carried]:
    """(out_i of the tokens i = first, first + 1, …, the state after the last of them).

    where ``carried`` is the state before token ``first`` and ``stream``, (batch, tokens, width), what layer
    ``number`` reads at these tokens and at no others. The stream gets out.times(head.w_o).
    """
    batch, count, width = stream.values.shape
    own = Source(batch, first + count, width, lambda begin, end: stream.tokens(begin - first, end - first))
    attention = stateful_attention(head, Reading(model, number, own))
    attention.restore(carried, first)
    return attention.rows(first, stream), attention.carried()


def entry_bits(head: StatefulHead, precision: Precision) -> int:
    """p where a state's entry has −2^(p-1) ≤ a < 2^(p-1); p + 2 where |a| ≤ 2^p, which are 2^(p+1) + 1 numbers."""
    return precision.bits + (0 if isinstance(head, RecurrentHead) else 2)


def state_bits(head: StatefulHead, precision: Precision) -> int:
    """s = (numbers in the state) · (bits of one)."""
    return head.state_entries * entry_bits(head, precision)


def encode(head: StatefulHead, precision: Precision, carried: Carried) -> tuple[int, ...]:
    """For each prompt its state as an integer in [0, 2^s): two's complement, the first entry highest.

    Only multiples of 2^-f can be written: states of linear attention and of the delta rule are never rounded, and
    those of a model that is not integral (`Model.is_integral`) have no fixed number of bits.
    """
    if carried.denominator != 1:
        raise ValueError(f"the state of a {head.TYPE} head is no multiple of 2^-f, so it has no fixed number of bits")
    bits = entry_bits(head, precision)
    if bits == 0:
        return (0,) * carried.batch
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if carried.values.size and not low <= int(carried.values.min()) <= int(carried.values.max()) <= high:
        raise ValueError(f"the state of a {head.TYPE} head has entries beyond {bits} bits")
    mask = (1 << bits) - 1
    texts = ("".join(f"{int(number) & mask:0{bits}b}" for number in row) for row in carried.values)
    return tuple(int(text, 2) for text in texts)


def decode(head: StatefulHead, precision: Precision, numbers: Sequence[int]) -> Carried:
    """The inverse of `encode`."""
    bits, entries = entry_bits(head, precision), head.state_entries
    values = np.zeros((len(numbers), entries), dtype=object)
    for prompt, number in enumerate(numbers):
        if not 0 <= number < 1 << (bits * entries):
            raise ValueError(f"a state of {bits * entries} bits is an integer in 0..2^{bits * entries} - 1")
        text = f"{number:0{bits * entries}b}"
        for place in range(entries if bits else 0):
            entry = int(text[place * bits : (place + 1) * bits], 2)
            values[prompt, place] = entry - (1 << bits) if entry >> (bits - 1) else entry
    return Carried(values)
