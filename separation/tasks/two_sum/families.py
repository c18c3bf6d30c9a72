"""Inputs that are hard on purpose: families of single ones, and blocks of prompts full of matches and near misses.

A family is a function of the sizes and a seed, and never empty. Where it names a match it means one of the last
value: x_j + x_n ≡ 0 (mod M). With n = 1 there is no earlier value; a family then yields inputs of one
value, whose output is 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from separation.tasks.checks import draws, generator, rows_in_blocks
from separation.tasks.two_sum.instance import TwoSumInstance, TwoSumSizes, batch_outputs, require_buildable


def draw(sizes: TwoSumSizes, random: np.random.Generator) -> TwoSumInstance:
    """One uniform input from a random source."""
    require_buildable(sizes)
    return TwoSumInstance(sizes, random.integers(1, sizes.modulus, size=sizes.length))


def draw_balanced(sizes: TwoSumSizes, random: np.random.Generator) -> TwoSumInstance:
    """One input from a random source: the last output is a fair coin, the input uniform among those that have it.

    With n = 1 the only output is 0, whatever the coin says.
    """
    require_buildable(sizes)
    last = int(random.integers(1, sizes.modulus))
    wanted = sizes.modulus - last
    x = values_without(sizes, random, sizes.length, wanted)
    x[-1] = last
    if sizes.length > 1 and random.integers(2):
        first = _first_success(random, 1 / sizes.values, sizes.length - 1)
        x[first] = wanted
        x[first + 1 : -1] = random.integers(1, sizes.modulus, size=sizes.length - 2 - first)
    return TwoSumInstance(sizes, x)


def values_without(sizes: TwoSumSizes, random: np.random.Generator, count: int, value: int) -> NDArray[np.int64]:
    """``count`` values, independent and uniform in {1..M−1} without ``value``."""
    values = random.integers(1, sizes.modulus - 1, size=count)
    return values + (values >= value)


def sample(sizes: TwoSumSizes, seed: int) -> TwoSumInstance:
    """One uniform input: every x_i independent."""
    return draw(sizes, generator(seed))


def samples(sizes: TwoSumSizes, seed: int, count: int) -> Iterator[TwoSumInstance]:
    """``count`` independent uniform inputs; a larger count only adds to the end, and the first is ``sample``'s."""
    return draws(draw, sizes, seed, count)


def balanced_sample(sizes: TwoSumSizes, seed: int) -> TwoSumInstance:
    """One input whose last output is 1 with probability 1/2 (if n ≥ 2), uniform among those with that output."""
    return draw_balanced(sizes, generator(seed))


def balanced_samples(sizes: TwoSumSizes, seed: int, count: int) -> Iterator[TwoSumInstance]:
    """``count`` independent inputs like ``balanced_sample``'s, which is the first of them."""
    return draws(draw_balanced, sizes, seed, count)


def enumerate_inputs(sizes: TwoSumSizes) -> Iterator[TwoSumInstance]:
    """All (M−1)^n inputs, each once, in lexicographic order."""
    require_buildable(sizes)
    x = [1] * sizes.length
    while True:
        yield TwoSumInstance(sizes, x)
        place = sizes.length - 1
        while place >= 0 and x[place] == sizes.values:
            x[place] = 1
            place -= 1
        if place < 0:
            return
        x[place] += 1


def enumerate_tokens(sizes: TwoSumSizes, block: int) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """The inputs of ``enumerate_inputs``, in its order and in blocks: values and outputs, both block × length.

    The last block holds what is left.
    """
    for rows in rows_in_blocks(sizes, (sizes.values for _ in range(sizes.length)), block):
        xs = rows + 1
        yield xs, batch_outputs(sizes, xs)


def _first_success(random: np.random.Generator, chance: float, trials: int) -> int:
    """Which of ``trials`` independent trials, from 0, is the first success, given that there is one.

    P(k or earlier) = (1 − (1−chance)^{k+1}) / (1 − (1−chance)^trials), solved for k at a uniform number.
    """
    log_miss = math.log1p(-chance)
    reached = random.random() * math.expm1(trials * log_miss)
    return min(int(math.log1p(reached) / log_miss), trials - 1)


Values = NDArray[np.int64]
Array = NDArray[np.int64]

MOST_IN_TURN = 1 << 16
SINGLE_BIT_TURNS = 16


def all_equal(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """x_i = c for c = 1, M − 1 and a random c: many equal keys and no match."""
    for value in _first_last_and_random(sizes, seed):
        yield TwoSumInstance(sizes, np.full(sizes.length, value))


def match_at_distance_one_only(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """x_{n-1} is the only match of x_n: once no other two values match, once the others may match each other.

    With M = 3 the others can only equal x_n, so all of them match x_{n-1}; both inputs are of that form.
    """
    yield from _with_one_match(sizes, seed, max(sizes.length - 2, 0))


def match_at_full_distance_only(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """x_1 is the only match of x_n: once no other two values match, once the others may match each other.

    With M = 3 the others can only equal x_n, so all of them match x_1; both inputs are of that form.
    """
    yield from _with_one_match(sizes, seed, 0)


def near_misses(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """Every earlier code is one bit from the code of −x_n, and no two values match: first mixed, then all the same.

    The code of a value is its b = ⌈log2 M⌉ binary digits. With M = 3 neither value has a neighbour; there all are
    equal, two bits from −x_n.
    """
    random = _source(sizes, seed)
    target, near = _target_and_neighbours(sizes, random)
    for values in (near, near[:1]):
        yield _ending_in(sizes, random.choice(values, size=sizes.length - 1), target)


def no_match_at_all(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """No two values match: random ones, then 1, 2, …, (M−1)/2 in turn, then their negatives.

    The last two hold as many different values as can be without a match; with M = 3 all values are equal.
    """
    random = _source(sizes, seed)
    lower_half = np.arange(sizes.length) % (sizes.values // 2) + 1
    for x in (_without_matches(sizes, random, sizes.length), lower_half, sizes.modulus - lower_half):
        yield TwoSumInstance(sizes, x)


def every_pair_matches(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """x, −x, x, −x, … for x = 1, M − 1 and a random x: neighbours match, and every output but the first is 1."""
    for value in _first_last_and_random(sizes, seed):
        negated = np.arange(sizes.length) % 2 == 1
        yield TwoSumInstance(sizes, np.where(negated, sizes.modulus - value, value))


def one_match_among_near_misses(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """One earlier value is −x_n, the first, the last, then a random one; the others are one bit away as in near_misses.

    No other two values match, so the last output alone is 1. With M = 3 neither value has a neighbour; there the others
    equal x_n, and those behind the match have output 1 as well.
    """
    yield from _match_among_neighbours(sizes, seed, different=None)


def one_match_among_equal_near_misses(sizes: TwoSumSizes, seed: int) -> Iterator[TwoSumInstance]:
    """As one_match_among_near_misses, but the others are all the same: what leaks past the match falls on one bit.

    No input lets more through: of the n − 1 other keys each is as near as a key can be, and all pull alike.
    """
    yield from _match_among_neighbours(sizes, seed, different=1)


FAMILIES: dict[str, Callable[[TwoSumSizes, int], Iterator[TwoSumInstance]]] = {
    family.__name__: family
    for family in (
        all_equal,
        match_at_distance_one_only,
        match_at_full_distance_only,
        near_misses,
        no_match_at_all,
        every_pair_matches,
        one_match_among_near_misses,
        one_match_among_equal_near_misses,
    )
}


def code_neighbours(sizes: TwoSumSizes, value: int) -> list[int]:
    """The values whose binary code differs in one bit from that of ``value``.

    There is one unless ``value`` = M − 1 is a power of two, or M = 3: two binary ones can lose one of them, 1 has 3 (if
    M ≥ 5), and any other 2^k has 2^k + 1, which is a value unless it is M.
    """
    flipped = (value ^ 1 << bit for bit in range(sizes.code_bits))
    return [other for other in flipped if 1 <= other < sizes.modulus]


def _source(sizes: TwoSumSizes, seed: int) -> np.random.Generator:
    require_buildable(sizes)
    return generator(seed)


def _first_last_and_random(sizes: TwoSumSizes, seed: int) -> tuple[int, int, int]:
    return 1, sizes.values, int(_source(sizes, seed).integers(1, sizes.modulus))


def _ending_in(sizes: TwoSumSizes, earlier: Values, target: int) -> TwoSumInstance:
    """The earlier values, then x_n = −target."""
    return TwoSumInstance(sizes, np.append(earlier, sizes.modulus - target))


def _with_one_match(sizes: TwoSumSizes, seed: int, place: int) -> Iterator[TwoSumInstance]:
    """−x_n stands at ``place`` alone, among values that match nothing and then among any others."""
    random = _source(sizes, seed)
    target = int(random.integers(1, sizes.modulus))
    quiet = _without_matches(sizes, random, sizes.length - 1, apart_from=target)
    for x in (quiet, values_without(sizes, random, sizes.length - 1, target)):
        x[place : place + 1] = target
        yield _ending_in(sizes, x, target)


def _match_among_neighbours(sizes: TwoSumSizes, seed: int, different: int | None) -> Iterator[TwoSumInstance]:
    """−x_n stands first, last, then anywhere, among at most ``different`` (None: all) neighbours of its code."""
    random = _source(sizes, seed)
    earlier = sizes.length - 1
    for place in (0, earlier - 1, int(random.integers(max(earlier, 1)))):
        target, near = _target_and_neighbours(sizes, random)
        x = random.choice(near[:different], size=earlier)
        x[place : place + 1] = target
        yield _ending_in(sizes, x, target)


def _without_matches(
    sizes: TwoSumSizes, random: np.random.Generator, count: int, apart_from: int | None = None
) -> Values:
    """``count`` random values of which no two match, from pairs {v, M−v} other than that of ``apart_from``.

    With M = 3 there is no other pair; then every value is −``apart_from``.
    """
    pairs = sizes.values // 2
    if apart_from is None:
        low = random.integers(1, pairs + 1, size=count)
    elif pairs == 1:
        return np.full(count, sizes.modulus - apart_from)
    else:
        low = random.integers(1, pairs, size=count)
        low += low >= min(apart_from, sizes.modulus - apart_from)
    # One side for each pair: which of v and M − v is used throughout.
    different, which = np.unique(low, return_inverse=True)
    side = random.integers(2, size=len(different))[which]
    return np.where(side == 1, sizes.modulus - low, low)


def _target_and_neighbours(sizes: TwoSumSizes, random: np.random.Generator) -> tuple[int, Values]:
    """A target −x_n, and neighbours of its code in random order, no two of which match, nor any of them the target.

    Some targets have no such neighbour; 1 has 3 if M ≥ 5. With M = 3 the one "neighbour" is −target, two bits away.
    """
    for target in (int(random.integers(1, sizes.modulus)), 1):
        taken = {target}
        near: list[int] = []
        for value in random.permutation(np.array(code_neighbours(sizes, target), dtype=np.int64)).tolist():
            if sizes.modulus - value not in taken:
                taken.add(value)
                near.append(value)
        if near:
            return target, np.array(near, dtype=np.int64)
    return 1, np.array([sizes.modulus - 1], dtype=np.int64)


def random_prompts(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Array:
    """Uniform inputs, (count, length)."""
    return random.integers(1, sizes.modulus, size=(count, sizes.length))


def aimed_prompts(sizes: TwoSumSizes, random: np.random.Generator, count: int) -> Iterator[Array]:
    """Blocks of ``count`` prompts without end, each of few values: x and M − x, and codes one bit from either.

    Powers of two come first, as a bit that is wrong may show in one pair of values alone: then every value x has its
    turn, if there are not too many. Of the two, one may be rare, so that a single match stands
    among many that come close.
    """
    while True:
        few = sizes.values <= MOST_IN_TURN
        turns = random.permutation(sizes.values) + 1 if few else random.integers(1, sizes.modulus, size=MOST_IN_TURN)
        turns = np.concatenate([np.repeat(_single_bits(sizes), SINGLE_BIT_TURNS), turns])
        for first in range(0, len(turns), count):
            yield np.stack([_around(sizes, random, int(x)) for x in turns[first : first + count]])


def _single_bits(sizes: TwoSumSizes) -> Array:
    """The largest powers of two below M, at most two: the bits that the fewest values have."""
    powers = [1 << bit for bit in range(min(sizes.modulus.bit_length(), 62)) if 1 << bit < sizes.modulus]
    return np.array(powers[-2:], dtype=np.int64)


def _around(sizes: TwoSumSizes, random: np.random.Generator, x: int) -> Array:
    """One prompt of x, M − x and their neighbours; how often the two occur is random."""
    near = [*code_neighbours(sizes, x), *code_neighbours(sizes, sizes.modulus - x)] or [x]
    pool = np.array([x, sizes.modulus - x, *random.choice(near, size=min(3, len(near)), replace=False)])
    weights = random.random(len(pool)) ** 3 + 1e-3
    prompt: Array = random.choice(pool, size=sizes.length, p=weights / weights.sum())
    prompt[-1] = pool[random.integers(2)]
    return prompt
