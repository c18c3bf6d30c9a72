"""Counts and comparisons: how many, the largest, and what follows from them."""

from __future__ import annotations

from itertools import permutations

from separation.programs import Program, where


def histogram(n: int = 4, V: int = 2) -> Program:
    """How often this token has occurred so far.

    Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
    """
    p = Program("histogram")
    _, text = p.start(), p.tokens("text", n, letter=V)
    p.answer(text.count(where(text.letter == text.letter)))
    return p


def majority(n: int = 4) -> Program:
    """Are more than half of the bits ones? A scan counts, a map compares.

    Merrill, Sabharwal, Smith, Saturated transformers are constant-depth threshold circuits, 2022.
    """
    p = Program("majority, by a scan")
    _, bits, end = p.start(), p.tokens("bits", n, x=2), p.tokens("end", 1)
    p.scan(lambda c, x: c + x if c + x <= n else None, bits.x, size=n + 1, hold=end, name="ones")
    p.answer(p.map(lambda c: 2 * c > n, end.ones, size=2, name="more"))
    return p


def majority_by_attention(n: int = 4) -> Program:
    """Are more than half of the bits ones? One head weighs all ones alike.

    Merrill, Sabharwal, Smith, Saturated transformers are constant-depth threshold circuits, 2022.
    """
    p = Program("majority, by attention")
    _, bits, end = p.start(), p.tokens("bits", n, x=2), p.tokens("end", 1)
    ones = bits.count(where(bits.x == 1), at=end, name="ones")
    p.answer(p.map(lambda c: 2 * c > n, ones, size=2, name="more"))
    return p


def parity_by_counting(n: int = 4, m: int = 2) -> Program:
    """The number of ones so far, modulo m: one head counts them, and a table has the rest of every number up to n.

    Chiang, Cholak, Overcoming a theoretical limitation of self-attention, 2022.
    """
    p = Program(f"counter modulo {m}, by counting")
    _, bits = p.start(), p.tokens("bits", n, x=2)
    ones = bits.count(where(bits.x == 1), name="ones")
    p.answer(p.map(lambda c: c % m, ones, size=m, name="rest"))
    return p


S3 = sorted(permutations(range(3)))


def _swap(g: int) -> int:
    return int(S3[g][1] != (S3[g][0] + 1) % 3)


def _element(shift: int, odd: int) -> int:
    return S3.index(tuple(((-x if odd else x) + shift) % 3 for x in range(3)))


def s3_by_counting(n: int = 3) -> Program:
    """The product of permutations of three things so far: swaps are counted, then rotations with the sign of the swaps.

    A permutation is x -> ±x + a modulo 3, a minus sign being a swap. After t of them the shift is ± Σ ±a_i, the signs
    those of the number of swaps up to i and up to t: three counts, each by one head.

    Barrington, Thérien, Finite monoids and the fine structure of NC¹, 1988.
    """
    p = Program("words of S3, by counting")
    _, word = p.start(), p.tokens("word", n, g=6)
    swaps = p.map(_swap, word.g, size=2, name="swaps")
    odd = p.map(lambda c: c % 2, word.count(where(swaps == 1), name="swapped"), size=2, name="odd")
    turn = p.map(lambda g, odd: (-S3[g][0] if odd else S3[g][0]) % 3, word.g, odd, size=3, name="turn")
    once = p.map(lambda c: c % 3, word.count(where(turn == 1), name="turned1"), size=3, name="once")
    twice = p.map(lambda c: 2 * c % 3, word.count(where(turn == 2), name="turned2"), size=3, name="twice")
    p.answer(
        p.map(lambda a, b, odd: _element(-(a + b) if odd else a + b, odd), once, twice, odd, size=6, name="product")
    )
    return p


def maximum(n: int = 3, V: int = 4) -> Program:
    """The largest number so far.

    Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
    """
    p = Program("maximum")
    _, numbers = p.start(), p.tokens("numbers", n, x=V)
    p.answer(numbers.largest(numbers.x, name="top"))
    return p


def argmax(n: int = 3, V: int = 3) -> Program:
    """Where the largest number so far stands first.

    Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
    """
    p = Program("argmax")
    _, numbers = p.start(), p.tokens("numbers", n, x=V)
    top = numbers.largest(numbers.x, name="top")
    p.answer(numbers.first(where(numbers.x == top), read=numbers.position))
    return p


def sorting(n: int = 3, V: int = 2) -> Program:
    """A list, given twice: its numbers in order. The second time every number learns its rank.

    Weiss, Goldberg, Yahav, Thinking like transformers, 2021.
    """
    p = Program("sorting")
    _, once, again = p.start(), p.tokens("once", n, x=V), p.tokens("again", n, x=V)
    there = once.find(where(once.position == again.position), read=once.x)
    p.promise(lambda a, b: a == b, there, again.x)
    smaller = once.count(where(once.x < again.x), name="smaller")
    ties = once.count(where(once.x == again.x, once.position < again.position), name="ties")
    rank = p.map(lambda a, b: a + b if a + b < n else None, smaller, ties, size=n, name="rank")
    place = p.tokens("place", n)
    p.answer(again.find(where(rank == place.position), read=again.x, once=True))
    return p


def two_sum(n: int = 3, M: int = 3) -> Program:
    """Does −x modulo M occur at or before this token?

    Sanford, Hsu, Telgarsky, Representational strengths and limitations of transformers, 2023.
    """
    p = Program("2-Sum")
    _, numbers = p.start(), p.tokens("numbers", n, x=M)
    minus = p.map(lambda x: -x % M, numbers.x, name="minus")
    p.answer(numbers.exists(where(numbers.x == minus)))
    return p


LARGE = {
    "histogram": {"n": 64, "V": 16},
    "majority": {"n": 1024},
    "majority_by_attention": {"n": 256},
    "parity_by_counting": {"n": 128},
    "s3_by_counting": {"n": 32},
    "maximum": {"n": 256, "V": 256},
    "argmax": {"n": 256, "V": 64},
    "sorting": {"n": 16, "V": 16},
    "two_sum": {"n": 64, "M": 63},
}
