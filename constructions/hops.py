"""Which token reads what in which layer: the description that C1, C2 and their builds in stock models share.

i_0 = z_0, and i_k is what table k says at (w_{k-1}, i_{k-1}); table 1 is asked at i_0 alone. A model finds one hop a
layer, in one of three orders:

    F^(L+1)     C1: w reads z_0, then tables 1..L
    RF^L        C2: the state hands z_0 to w; w reads tables 1..L
    FRF^(L-1)   C2: z_0's token reads table 1; the state hands i_1 to w; w reads tables 2..L
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from separation.tasks.funccomp import Sizes
from separation.tasks.shape import bit_count


@dataclass(frozen=True)
class Hop:
    """Hop i_k is what the token at ``start`` + digit·``index_size`` + index says: digit = w_{k-1}, index = i_{k-1}.

    where k is ``number`` and the token is of the kind ``source``. z_0 has neither digit nor index and table 1 no digit:
    their sizes are 1, and their codes have no bits. ``digit_place`` counts the bits of w_1..w_{k-2}, which stand in
    front of those of w_{k-1} in the code of w.
    """

    number: int
    source: str
    start: int
    digit_size: int
    index_size: int
    digit_place: int

    @property
    def digit_bits(self) -> int:
        return bit_count(self.digit_size)

    @property
    def index_bits(self) -> int:
        return bit_count(self.index_size)

    def starts(self) -> NDArray[np.int64]:
        """(digit_size,): for each digit, the position of the token that index 0 asks for."""
        return self.start + self.index_size * np.arange(self.digit_size)


@dataclass(frozen=True)
class Read:
    """One layer: the token ``reader`` finds ``hop`` by full attention (letter F), or is handed it by the state (R).

    where the reader holds the index in its slot ``index_slot``, and what is found stands in ``value_slot`` of the token
    that is read: the source of the hop, or z_0's token for the state.
    """

    letter: str
    hop: Hop
    reader: str = "w"
    index_slot: str = "pointer"
    value_slot: str = "value"


@lru_cache(maxsize=64)
def hops(sizes: Sizes) -> tuple[Hop, ...]:
    """i_0, …, i_L."""
    shape, found, place = sizes.shape(), [], 0
    for number in range(sizes.L + 1):
        source = shape.kind("z0" if number == 0 else f"table {number}")
        address = {variable.name: variable.size for variable in source.address}
        hop = Hop(number, source.name, source.start, address.get("digit", 1), address.get("index", 1), place)
        found.append(hop)
        place += hop.digit_bits
    return tuple(found)


def schedule(sizes: Sizes, word: str) -> tuple[Read, ...]:
    """What each layer of ``word`` reads: F^(L+1), RF^L or FRF^(L-1)."""
    z0, first, *rest = hops(sizes)
    later = tuple(Read("F", hop) for hop in rest)
    orders = {
        "F" * (sizes.L + 1): (Read("F", z0), Read("F", first), *later),
        "R" + "F" * sizes.L: (Read("R", z0), Read("F", first), *later),
        "FR" + "F" * (sizes.L - 1): (
            Read("F", first, reader="z0", index_slot="value"),
            Read("R", first, value_slot="pointer"),
            *later,
        ),
    }
    return orders[word]


def asked_digits(sizes: Sizes, hop: Hop) -> NDArray[np.int64]:
    """(W,): for each query, the digit at which it asks for ``hop``; 0 where there is no digit."""
    return np.arange(sizes.queries) // math.prod(sizes.n[max(hop.number - 1, 0) :]) % hop.digit_size


def address_slots(sizes: Sizes) -> tuple[tuple[str, int], ...]:
    """Slots of the ±1 code that tells all tokens apart: the kind, and the digit and the index of a table's entry."""
    found = hops(sizes)
    return (
        ("tag", bit_count(sizes.L + 2)),
        ("digit", max(hop.digit_bits for hop in found)),
        ("index", max(hop.index_bits for hop in found)),
    )


def tag_numbers(sizes: Sizes) -> dict[str, int]:
    """The number of each kind of token: the source of hop k is k, so z_0 is 0 and table ℓ is ℓ; w is L+1."""
    return {hop.source: hop.number for hop in hops(sizes)} | {"w": sizes.L + 1}
