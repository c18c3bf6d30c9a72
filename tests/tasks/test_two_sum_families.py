"""Each family has a checker of its property, written afresh here; each checker must also say no to another family."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from two_sum_cases import SIZES, oracle_outputs, quick, small_sizes

from separation.files import InputError
from separation.tasks.two_sum import FAMILIES, TwoSumInstance, TwoSumSizes, samples
from separation.tasks.two_sum.families import code_neighbours


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


def test_every_family_has_a_checker() -> None:
    assert set(FAMILIES) == set(CHECKERS)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("sizes", SIZES)
def test_never_empty_and_fixed_by_the_seed(name: str, sizes: TwoSumSizes) -> None:
    family = FAMILIES[name]
    assert len(list(family(sizes, 0))) >= 1
    assert list(family(sizes, 3)) == list(family(sizes, 3))
    assert all(instance.sizes == sizes for instance in family(sizes, 0))
    assert all(CHECKERS[name](instance) for instance in family(sizes, 0))


@pytest.mark.parametrize("name", FAMILIES)
@quick
@given(sizes=small_sizes, seed=st.integers(0, 10**6))
def test_families_have_their_property(name: str, sizes: TwoSumSizes, seed: int) -> None:
    given_ones = list(FAMILIES[name](sizes, seed))
    assert given_ones
    assert all(CHECKERS[name](instance) for instance in given_ones)


@pytest.mark.parametrize("name", FAMILIES)
def test_checkers_can_fail_on_random_inputs(name: str) -> None:
    """The broken twin: random inputs do not have the property."""
    assert not all(CHECKERS[name](instance) for instance in samples(TwoSumSizes(12, 7), 0, 20))


@pytest.mark.parametrize("checked", FAMILIES)
@pytest.mark.parametrize("name", FAMILIES)
def test_checkers_can_fail_on_other_families(name: str, checked: str) -> None:
    """Broken twins: a checker says yes to all of its own family and of those contained in it, and to no other."""
    says_yes = all(CHECKERS[checked](instance) for instance in FAMILIES[name](TwoSumSizes(12, 17), 0))
    assert says_yes == (name == checked or (name, checked) in CONTAINED)


def last_output_alone(instance: TwoSumInstance) -> list[int]:
    return [0] * (len(instance.x) - 1) + [1]


@pytest.mark.parametrize("name", ["match_at_distance_one_only", "match_at_full_distance_only"])
@quick
@given(sizes=small_sizes, seed=st.integers(0, 10**6))
def test_the_first_of_a_match_family_has_one_match(name: str, sizes: TwoSumSizes, seed: int) -> None:
    instance = next(FAMILIES[name](sizes, seed))
    if sizes.length > 1 and (sizes.modulus > 3 or sizes.length == 2):
        assert len(matches(instance)) == 1
        assert oracle_outputs(instance.x, sizes.modulus) == last_output_alone(instance)


@pytest.mark.parametrize("name", ["match_at_distance_one_only", "match_at_full_distance_only"])
def test_the_second_of_a_match_family_has_more(name: str) -> None:
    _, noisy = FAMILIES[name](TwoSumSizes(30, 7), 0)
    assert len(matches(noisy)) > 1


@pytest.mark.parametrize("name", FAMILIES)
def test_with_modulus_three_more_cannot_be_asked(name: str) -> None:
    """All inputs of length 3 over {1, 2}: none has one single match, none has a near miss."""
    inputs = [TwoSumInstance(TwoSumSizes(3, 3), x) for x in _all_inputs(3, 3)]
    assert not any(len(matches(instance)) == 1 for instance in inputs)
    assert not any(1 in distances_from_the_target(instance) for instance in inputs)
    assert any(CHECKERS[name](instance) for instance in inputs)


def _all_inputs(length: int, modulus: int) -> list[list[int]]:
    if length == 0:
        return [[]]
    return [[*x, value] for x in _all_inputs(length - 1, modulus) for value in range(1, modulus)]


def test_near_misses_are_mixed_and_then_the_same() -> None:
    mixed, same = FAMILIES["near_misses"](TwoSumSizes(60, 1001), 1)
    assert len(set(mixed.x[:-1])) > 2
    assert len(set(same.x[:-1])) == 1


@pytest.mark.parametrize("name", ["one_match_among_near_misses", "one_match_among_equal_near_misses"])
def test_the_one_match_stands_first_then_last_then_anywhere(name: str) -> None:
    places = [
        [matches_of_the_last(instance) for instance in FAMILIES[name](TwoSumSizes(9, 17), seed)] for seed in range(100)
    ]
    assert all(first == [0] and last == [7] for first, last, _ in places)
    assert {place for *_, (place,) in places} == set(range(8))


def test_each_pair_has_a_side_of_its_own() -> None:
    random = next(FAMILIES["no_match_at_all"](TwoSumSizes(60, 101), 0))
    assert 10 < sum(value <= 50 for value in random.x) < 50


def test_all_pairs_can_be_there_without_a_match() -> None:
    _, lower, upper = FAMILIES["no_match_at_all"](TwoSumSizes(10, 17), 0)
    assert lower.x == (1, 2, 3, 4, 5, 6, 7, 8, 1, 2)
    assert upper.x == (16, 15, 14, 13, 12, 11, 10, 9, 16, 15)


@pytest.mark.parametrize("modulus", range(3, 70, 2))
def test_code_neighbours(modulus: int) -> None:
    sizes = TwoSumSizes(1, modulus)
    without = set()
    for value in range(1, modulus):
        near = [other for other in range(1, modulus) if (other ^ value).bit_count() == 1]
        assert sorted(code_neighbours(sizes, value)) == near
        if not near:
            without.add(value)
    power = (modulus - 1).bit_count() == 1
    assert without == ({1, 2} if modulus == 3 else {modulus - 1} if power else set())


@pytest.mark.parametrize("name", FAMILIES)
def test_refusals(name: str) -> None:
    family = FAMILIES[name]
    with pytest.raises(InputError, match="seed is -1; allowed are 0 and above"):
        next(family(TwoSumSizes(3, 5), -1))
    with pytest.raises(InputError, match="inputs of at most 16777216 are built"):
        next(family(TwoSumSizes(2**40, 5), 0))
    with pytest.raises(InputError, match="modulus is an integer of 301 bits; allowed are 3"):
        next(family(TwoSumSizes(3, 2**300 + 1), 0))
