"""The sizes of 2-Sum and everything that follows from them alone."""

from __future__ import annotations

from dataclasses import dataclass

from separation.files import InputError
from separation.tasks.checks import CountedInputs, require_integer, shown
from separation.tasks.shape import Kind, Shape, Variable, bit_count

# The largest modulus whose values are numbers of 64 bits, and so can stand in an array.
MAX_ARRAY_MODULUS = 2**63 - 1


@dataclass(frozen=True)
class TwoSumSizes(CountedInputs):
    """x_1, …, x_n ∈ {1..M−1}, where n ≥ 1 is the ``length`` and the ``modulus`` M ≥ 3 is odd.

    M is odd, so 2x ≡ 0 (mod M) has no solution among the values: nothing matches itself.

    >>> from separation import TwoSumSizes
    >>> TwoSumSizes(5, 9).values
    8
    """

    length: int
    modulus: int

    def __post_init__(self) -> None:
        require_integer("length", self.length, 1)
        require_integer("modulus", self.modulus, 3)
        if self.modulus % 2 == 0:
            raise InputError(f"modulus is {shown(self.modulus)}; an odd integer is needed")

    @property
    def values(self) -> int:
        """M − 1: how many values one x_i can take."""
        return self.modulus - 1

    @property
    def code_bits(self) -> int:
        """b = ⌈log2 M⌉: the bits of a value's binary code."""
        return bit_count(self.modulus)

    def shape(self) -> Shape:
        """n tokens x, each with its number y = M − x; the id of a token is x. Asked everywhere: did y come before?"""
        value, mirror = Variable("x", self.modulus), Variable("y", self.modulus)
        token = Kind("x", 0, (Variable("position", self.length),), (value,), first_id=0, mirror=mirror)
        answers = Kind("answer", 0, (Variable("answer", 2),), (), 0)
        return Shape((token,), (), (), (answers,), (), self.modulus, search=True)

    @property
    def input_powers(self) -> tuple[tuple[int, int], ...]:
        """(M−1)^n."""
        return ((self.values, self.length),)
