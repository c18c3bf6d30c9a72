"""Slots and whole-number weights of C1 inside stock GPT-2, before they become tensors."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from flint import arb

from constructions import c1
from constructions.hops import schedule
from separation.models import Stream
from separation.tasks.funccomp import Sizes

LAYER_NORM_EPSILON = 1e-5
"""The default of the stock class."""
LEAK_BITS = 24
"""Every softmax leaves at most 2^-24 of the weight of its match to all other keys together."""
SIGNIFICANT_BITS = 8
"""Weights are whole numbers of at most this many significant bits, so that bfloat16 holds them exactly."""
SCORE_ROUNDINGS = 3
"""A score is rounded as a product, when it is scaled (or both its factors are), and once more to spare."""


class Gpt2Plan:
    """The residual stream is (x, −x) for a vector x of S slots that are all ±1: mean 0 and variance 1 in every row.

        tag, digit, index         the address, as in C1
        first    1                +1 in the first row, −1 in all others
        last     1                +1 in the last row, −1 in all others
        query    Σ ⌈log2 n_ℓ⌉     the digits of w in the last row, as in C1; −1 in all others
        value    ⌈log2 N_{L-1}⌉   what a table row or z_0 says; in the last row the current hop, −1 at first

    where an address is a code of b bits that no two rows share. Both heads have S dimensions.
    """

    def __init__(self, sizes: Sizes, epsilon: float = LAYER_NORM_EPSILON, leak_bits: int = LEAK_BITS) -> None:
        self.sizes, self.epsilon, self.leak_bits = sizes, epsilon, leak_bits
        self.reads = schedule(sizes, "F" * (sizes.L + 1))
        self.c1 = c1.Plan(sizes, temperature=1)
        self.address = self.c1.address
        self.keys = Stream([*self.address.slots, ("first", 1), ("last", 1)])
        self.value_bits = len(self.c1.stream["value"])
        self.stream = Stream([*self.keys.slots, ("query", len(self.c1.stream["query"])), ("value", self.value_bits)])

    @property
    def slots(self) -> int:
        """S: half the width, and the dimensions of each of the two heads."""
        return self.stream.width

    @property
    def width(self) -> int:
        return 2 * self.slots

    @property
    def root(self) -> arb:
        """√S: the stock class divides scores by it."""
        return arb(self.slots).sqrt()

    @cached_property
    def look_up(self) -> int:
        """The least weight w of a bit of the query such that e^{2s}·((1 + e^{-2w/√S})^b − 1) ≤ 2^-24.

        where s is how far bfloat16 moves a score of b bits.
        """
        bits = self.address.width
        return self._least(
            lambda weight: self._moved(bits * weight) * ((1 + (-2 * weight / self.root).exp()) ** bits - 1)
        )

    @cached_property
    def stay(self) -> int:
        """The least weight c such that e^{2s}·(n−1)·e^{-2c/√S} ≤ 2^-24: a key with a flag against all others."""
        return self._least(lambda weight: self._moved(weight) * self._others(2 * weight))

    @cached_property
    def half_sink(self) -> int:
        """Half the weight with which other rows look at the first row, enough to drown what they look up, ±b·w."""
        junk = self.address.width * self.look_up
        return self._least(lambda half: self._moved(2 * half + junk) * self._others(4 * half - 2 * junk))

    @cached_property
    def half_stay(self) -> int:
        """Half the weight with which other rows look at the first row in the head that looks nothing up."""
        return self._least(lambda half: self._moved(2 * half + self.stay) * self._others(4 * half))

    def _moved(self, magnitude: int) -> arb:
        """e^{2s}: what a score of this magnitude, before it is divided by √S, may gain on another in bfloat16."""
        return (2 * SCORE_ROUNDINGS * arb(2) ** -SIGNIFICANT_BITS * magnitude / self.root).exp()

    def _others(self, gap: int) -> arb:
        """(n−1)·e^{-gap/√S}."""
        return (self.sizes.length - 1) * (-gap / self.root).exp()

    def _least(self, leak: Callable[[int], arb]) -> int:
        """The least short whole number whose leak is small enough."""
        weight = 1
        while not leak(weight) <= arb(2) ** -self.leak_bits:
            weight = _short(weight + 1)
        return weight


def _short(number: int) -> int:
    """The least whole number ≥ ``number`` of at most SIGNIFICANT_BITS significant bits."""
    step = 1 << max(0, number.bit_length() - SIGNIFICANT_BITS)
    return -(-number // step) * step
