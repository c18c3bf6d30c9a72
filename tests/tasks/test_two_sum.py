"""2-Sum: outputs against an oracle (of all inputs of small sizes: statement D3), balanced samples, and families."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from task_cases import (
    oracle_outputs,
    quick,
    refused,
    seeds,
    small_two_sums,
    two_sum_instances,
)

from separation.files import InputError
from separation.tasks.two_sum import (
    FAMILIES,
    TwoSumInstance,
    TwoSumSizes,
    balanced_sample,
    balanced_samples,
    batch_outputs,
    code_neighbours,
    enumerate_inputs,
    outputs,
    samples,
)

# One of each sort: one value, two values, M = 3, M − 1 a power of two, M + 1 one, M no prime, M far above n.
SIZES = [
    TwoSumSizes(n, M)
    for n, M in ((1, 3), (1, 11), (2, 3), (7, 3), (2, 5), (6, 7), (12, 15), (16, 17), (40, 1001), (5, 2**63 - 1))
]


@quick
@given(two_sum_instances(), st.randoms(use_true_random=False))
def test_outputs_equal_the_oracle(instance: TwoSumInstance, random: Any) -> None:
    """One by one, and as rows that do not disturb each other; what is given is left alone."""
    rows = [list(instance.x), *(random.sample(instance.x, instance.sizes.length) for _ in range(4))]
    expected = [oracle_outputs(row, instance.sizes.modulus) for row in rows]
    assert [list(outputs(TwoSumInstance(instance.sizes, row))) for row in rows] == expected
    xs = np.array(rows)
    assert batch_outputs(instance.sizes, xs).tolist() == expected
    assert xs.tolist() == rows


@pytest.mark.parametrize(
    ("xs", "text"),
    [
        (np.ones(4, dtype=np.int64), "xs has shape (4,); (inputs, 4) is needed"),
        (np.ones((3, 5), dtype=np.int64), "xs has shape (3, 5); (inputs, 4) is needed"),
        (np.ones((3, 4)), "xs has the type float64; int64 is needed"),
        (np.array([[1, 1, 1, 1], [1, 2, 0, 5]]), "xs[1, 2] is 0; allowed are 1..4"),
        (np.array([[1, 1, 1, 1], [1, 2, 3, 5]]), "xs[1, 3] is 5; allowed are 1..4"),
    ],
)
def test_arrays_that_are_no_inputs(xs: Any, text: str) -> None:
    refused(lambda: batch_outputs(TwoSumSizes(4, 5), xs), text)
    with pytest.raises(InputError, match=r"modulus is 9223372036854775809; allowed are 3\.\."):
        batch_outputs(TwoSumSizes(1, 2**63 + 1), np.ones((1, 1), dtype=np.int64))


def last_output(instance: TwoSumInstance) -> int:
    return oracle_outputs(instance.x, instance.sizes.modulus)[-1]


def is_uniform(seen: Counter[TwoSumInstance], inputs: list[TwoSumInstance]) -> bool:
    """χ² within 5 deviations of its mean, over these inputs alone."""
    expected = sum(seen[instance] for instance in inputs) / len(inputs)
    degrees = len(inputs) - 1
    chi_square = sum((seen[instance] - expected) ** 2 / expected for instance in inputs)
    return chi_square < degrees + 5 * (2 * degrees) ** 0.5


@pytest.mark.parametrize("sizes", [TwoSumSizes(4, 5), TwoSumSizes(6, 3), TwoSumSizes(2, 9)], ids=str)
def test_samples_are_uniform_and_balanced_ones_given_the_last_output(sizes: TwoSumSizes) -> None:
    inputs = list(enumerate_inputs(sizes))
    assert is_uniform(Counter(samples(sizes, 7, 50 * len(inputs))), inputs)
    seen = Counter(balanced_samples(sizes, 7, 50 * len(inputs)))
    for output in (0, 1):
        assert is_uniform(seen, [instance for instance in inputs if last_output(instance) == output])
    # The broken twin: over all inputs together they are not uniform, and the test sees it.
    assert not is_uniform(seen, inputs)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_half_of_the_last_outputs_are_one(sizes: TwoSumSizes) -> None:
    """1000 fair coins: 5 deviations are 79. One value cannot be balanced, and plain samples are not."""
    ones = sum(map(last_output, balanced_samples(sizes, 3, 1000)))
    assert 421 <= ones <= 579 or (sizes.length == 1 and ones == 0)
    if sizes == TwoSumSizes(40, 1001):
        assert sum(map(last_output, samples(sizes, 3, 1000))) < 100


@quick
@given(small_two_sums, seeds)
def test_a_seed_fixes_the_balanced_sample(sizes: TwoSumSizes, seed: int) -> None:
    assert list(balanced_samples(sizes, seed, 3)) == list(balanced_samples(sizes, seed, 5))[:3]
    assert next(balanced_samples(sizes, seed, 1)) == balanced_sample(sizes, seed)


# --- families: each has a checker of its property, written afresh here, which says no to other inputs ---


def matches(instance: TwoSumInstance) -> list[tuple[int, int]]:
    """All pairs j < i of positions that match."""
    pairs = combinations(range(len(instance.x)), 2)
    return [(j, i) for j, i in pairs if (instance.x[j] + instance.x[i]) % instance.sizes.modulus == 0]


def matches_of_the_last(instance: TwoSumInstance) -> list[int]:
    return [j for j, i in matches(instance) if i == len(instance.x) - 1]


def distances_from_the_target(instance: TwoSumInstance) -> list[int]:
    """How many of the b binary digits of each earlier value differ from those of −x_n."""
    bits = next(b for b in range(100) if 2**b >= instance.sizes.modulus)
    target = f"{-instance.x[-1] % instance.sizes.modulus:0{bits}b}"
    codes = [f"{value:0{bits}b}" for value in instance.x[:-1]]
    return [sum(a != b for a, b in zip(code, target, strict=True)) for code in codes]


def is_constant(instance: TwoSumInstance) -> bool:
    return len(set(instance.x)) == 1


def matches_the_neighbour_only(instance: TwoSumInstance) -> bool:
    n = len(instance.x)
    return matches_of_the_last(instance) == ([n - 2] if n > 1 else [])


def matches_the_first_only(instance: TwoSumInstance) -> bool:
    return matches_of_the_last(instance) == ([0] if len(instance.x) > 1 else [])


def all_are_near_misses(instance: TwoSumInstance) -> bool:
    """With M = 3 no code has a neighbour, and all values are two bits away."""
    distance = 2 if instance.sizes.modulus == 3 else 1
    return set(distances_from_the_target(instance)) <= {distance} and not matches(instance)


def has_no_match(instance: TwoSumInstance) -> bool:
    return not matches(instance)


def neighbours_match(instance: TwoSumInstance) -> bool:
    x = instance.x
    return set(x) == {*x[:1], *x[1:2]} and all((a + b) % instance.sizes.modulus == 0 for a, b in pairwise(x))


def one_match_and_near_misses(instance: TwoSumInstance) -> bool:
    """With M = 3 no code has a neighbour, and the values behind the match have one too."""
    n, distances = len(instance.x), distances_from_the_target(instance)
    if n == 1:
        return True
    if instance.sizes.modulus == 3:
        return sorted(distances) == [0] + [2] * (n - 2)
    return sorted(distances) == [0] + [1] * (n - 2) and matches(instance) == [(distances.index(0), n - 1)]


def one_match_and_equal_near_misses(instance: TwoSumInstance) -> bool:
    """Beside the match, at distance 0, at most one other value."""
    distances = distances_from_the_target(instance)
    others = {value for value, distance in zip(instance.x[:-1], distances, strict=True) if distance}
    return one_match_and_near_misses(instance) and len(others) <= 1


CHECKERS: dict[str, Callable[[TwoSumInstance], bool]] = {
    "all_equal": is_constant,
    "match_at_distance_one_only": matches_the_neighbour_only,
    "match_at_full_distance_only": matches_the_first_only,
    "near_misses": all_are_near_misses,
    "no_match_at_all": has_no_match,
    "every_pair_matches": neighbours_match,
    "one_match_among_near_misses": one_match_and_near_misses,
    "one_match_among_equal_near_misses": one_match_and_equal_near_misses,
}
# Families that are part of another one.
CONTAINED = {
    ("all_equal", "no_match_at_all"),
    ("near_misses", "no_match_at_all"),
    ("one_match_among_equal_near_misses", "one_match_among_near_misses"),
}
each_family = pytest.mark.parametrize("name", FAMILIES)


@each_family
@quick
@given(sizes=st.one_of(small_two_sums, st.sampled_from(SIZES)), seed=st.integers(0, 10**6))
def test_families_have_their_property(name: str, sizes: TwoSumSizes, seed: int) -> None:
    found = list(FAMILIES[name](sizes, seed))
    assert found == list(FAMILIES[name](sizes, seed)) != []
    assert all(instance.sizes == sizes and CHECKERS[name](instance) for instance in found)
    if name.startswith("match_at") and sizes.length > 1 and (sizes.modulus > 3 or sizes.length == 2):
        assert len(matches(found[0])) == 1  # the second may have more


@each_family
def test_checkers_can_fail(name: str) -> None:
    """Broken twins: a checker says yes to all of its own family and of those contained in it, and to no other."""
    assert not all(CHECKERS[name](instance) for instance in samples(TwoSumSizes(12, 7), 0, 20))
    for other, family in FAMILIES.items():
        says_yes = all(CHECKERS[name](instance) for instance in family(TwoSumSizes(12, 17), 0))
        assert says_yes == (name == other or (other, name) in CONTAINED)


@each_family
def test_families_refuse_what_cannot_be_built(name: str) -> None:
    family = FAMILIES[name]
    refused(lambda: next(family(TwoSumSizes(3, 5), -1)), "seed is -1; allowed are 0 and above")
    for sizes in (TwoSumSizes(2**40, 5), TwoSumSizes(3, 2**300 + 1)):
        with pytest.raises(InputError, match=r"inputs of at most 16777216 are built|modulus is an integer of 301 bits"):
            next(family(sizes, 0))


def test_families_are_as_varied_as_they_say() -> None:
    mixed, same = FAMILIES["near_misses"](TwoSumSizes(60, 1001), 1)
    assert len(set(mixed.x[:-1])) > 2
    assert len(set(same.x[:-1])) == 1
    for name in ("one_match_among_near_misses", "one_match_among_equal_near_misses"):
        places = [
            [matches_of_the_last(each) for each in FAMILIES[name](TwoSumSizes(9, 17), seed)] for seed in range(99)
        ]
        assert all(first == [0] and last == [7] for first, last, _ in places)
        assert {place for *_, (place,) in places} == set(range(8))
    for name in ("match_at_distance_one_only", "match_at_full_distance_only"):
        _, noisy = FAMILIES[name](TwoSumSizes(30, 7), 0)
        assert len(matches(noisy)) > 1
    random, lower, upper = FAMILIES["no_match_at_all"](TwoSumSizes(60, 17), 0)
    assert 10 < sum(value <= 8 for value in random.x) < 50
    assert set(lower.x) == {*range(1, 9)}
    assert set(upper.x) == {*range(9, 17)}


@pytest.mark.parametrize("modulus", range(3, 70, 2))
def test_code_neighbours(modulus: int) -> None:
    without = set()
    for value in range(1, modulus):
        near = [other for other in range(1, modulus) if (other ^ value).bit_count() == 1]
        assert sorted(code_neighbours(TwoSumSizes(1, modulus), value)) == near
        without |= set() if near else {value}
    power = (modulus - 1).bit_count() == 1
    assert without == ({1, 2} if modulus == 3 else {modulus - 1} if power else set())
