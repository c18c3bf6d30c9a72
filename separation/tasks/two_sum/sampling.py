"""Random inputs, and all inputs one after the other."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError
from separation.tasks.checks import draws, generator, require_integer, shown
from separation.tasks.two_sum.instance import TwoSumInstance, batch_outputs, require_buildable
from separation.tasks.two_sum.sizes import TwoSumSizes


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
    require_integer("block", block, 1)
    bits = sizes.inputs_log2_floor() + 1
    if bits > 62:
        raise InputError(f"the number of inputs has {shown(bits)} bits; at most 62 are enumerated in blocks")
    count = sizes.count_inputs()
    for start in range(0, count, block):
        rest = np.arange(start, min(start + block, count), dtype=np.int64)
        xs = np.empty((len(rest), sizes.length), dtype=np.int64)
        for position in reversed(range(sizes.length)):
            rest, xs[:, position] = np.divmod(rest, sizes.values)
        xs += 1
        yield xs, batch_outputs(sizes, xs)


def _first_success(random: np.random.Generator, chance: float, trials: int) -> int:
    """Which of ``trials`` independent trials, from 0, is the first success, given that there is one.

    P(k or earlier) = (1 − (1−chance)^{k+1}) / (1 − (1−chance)^trials), solved for k at a uniform number.
    """
    log_miss = math.log1p(-chance)
    reached = random.random() * math.expm1(trials * log_miss)
    return min(int(math.log1p(reached) / log_miss), trials - 1)
