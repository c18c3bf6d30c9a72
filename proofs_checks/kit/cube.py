"""The cube lemma by enumeration, and random protocols of full layers without R."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any


def expected_survivors(alpha: dict[tuple[int, ...], int], v: int, g: int) -> Fraction:
    """E|R| over all z^0, z^1, Y and e, where R are the values at e of tables that α does not tell from Z."""
    total = count = 0
    for zero in product(range(v), repeat=g):
        others = [[value for value in range(v) if value != own] for own in zero]
        for one in product(*others):
            for choice in product((0, 1), repeat=g):
                Z = tuple((zero, one)[bit][place] for place, bit in enumerate(choice))
                for e in range(g):
                    total += len(survivors(alpha, Z, e, v, [(zero[k], one[k]) for k in range(g)]))
                    count += 1
    return Fraction(total, count)


def survivors(alpha: dict[tuple[int, ...], int], Z: tuple[int, ...], e: int, v: int, pairs: list[Any]) -> set[int]:
    """R: tables equal to Z before e, any value at e, one of two behind it, with the same α as Z."""
    behind = product(*pairs[e + 1 :])
    kept = ((*Z[:e], value, *rest) for rest in behind for value in range(v))
    return {table[e] for table in kept if alpha[table] == alpha[Z]}


class Protocol:
    """Full layers without R: what a token hears is a sum of random functions of sender and receiver, modulo 2^β."""

    def __init__(self, seed: int, beta: int) -> None:
        self.seed, self.beta = seed, beta

    def function(self, layer: int, sender: Any, receiver: Any) -> int:
        text = repr((self.seed, layer, sender, receiver)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % (1 << self.beta)

    def heard(self, layer: int, senders: Iterable[Any], receiver: Any) -> int:
        return sum(self.function(layer, sender, receiver) for sender in senders) % (1 << self.beta)
