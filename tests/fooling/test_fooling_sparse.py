"""Sparse attention and 2-Sum: the criterion both ways, for every kind of compression map."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pair_cases import sparse_model

from constructions import build
from separation.bounds import cyclic_summary, theorem_d
from separation.files import InputError
from separation.fooling import Budget
from separation.fooling.sparse import (
    MatrixMap,
    RandomScorer,
    SparseShape,
    ambiguous,
    find_sparse_pair,
    map_certificate,
    random_map,
    right_layer,
)
from separation.fooling.sparse import layer as ambiguity_module
from separation.fooling.sparse.maps import as_map
from separation.fooling.sparse.model import find_model_pair
from separation.models import run
from separation.proving.kernel import check_certificate
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes, enumerate_inputs, outputs

Function = Callable[[tuple[int, ...], int], Any]
TOY = SparseShape(5, 2, 3, 1)


def by_definition(function: Function, shape: SparseShape, place: int) -> set[int]:
    """All x with two sequences of the same summary, one with x and one without."""
    found = set()
    sequences = list(itertools.product(range(1, shape.modulus), repeat=shape.block))
    for left, right in itertools.combinations(sequences, 2):
        if function(left, place) == function(right, place):
            found |= set(left) ^ set(right)
    return found


def last_two_bits(block: tuple[int, ...], place: int) -> int:
    return (sum(block) + place * block[0]) % 4


FUNCTIONS: list[Function] = [
    last_two_bits,
    lambda block, place: tuple(sorted(set(block)))[: 1 + place],
    lambda block, _: frozenset(block),
    lambda _, __: 0,
    lambda block, place: min(block) if place else str(block),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_ambiguous_elements_are_those_of_the_definition(function: Function) -> None:
    for place in range(TOY.blocks):
        found = ambiguous(as_map(function), TOY, place)
        assert found.complete
        assert set(found.witnesses) == by_definition(function, TOY, place)
        for x, (with_x, without) in found.witnesses.items():
            assert x in with_x
            assert x not in without
            assert function(with_x, place) == function(without, place)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_the_criterion_decides(function: Function) -> None:
    """Fooled, and the pair is one for its layer; or right, and the layer built is right on all inputs."""
    for shape in (TOY, SparseShape(3, 2, 2, 1), SparseShape(3, 2, 2, 2), SparseShape(3, 1, 3, 0)):
        doubtful = [by_definition(function, shape, place) for place in range(shape.blocks)]
        most = max(sum(x in part for part in doubtful) for x in range(1, shape.modulus))
        found = find_sparse_pair(function, shape)
        assert found.search.found == (most > shape.opened)
        if found.search.pair is None:
            assert found.right is not None
            assert found.search.exhaustive
            sizes = TwoSumSizes(shape.length, shape.modulus)
            if sizes.count_inputs() <= 20_000:
                assert all(found.right.answer(one.x) == outputs(one)[-1] for one in enumerate_inputs(sizes))
        else:
            assert_fooled(found, function, shape)


def assert_fooled(found: Any, function: Function, shape: SparseShape) -> None:
    pair = found.search.pair
    assert pair.holds
    a, b = pair.a.x, pair.b.x
    assert [outputs(one)[-1] for one in (pair.a, pair.b)] == [0, 1]
    start, size = found.unopened * shape.block, shape.block
    assert a[:start] == b[:start]
    assert a[start + size :] == b[start + size :]
    assert found.unopened not in found.opened
    assert function(a[start : start + size], found.unopened) == function(b[start : start + size], found.unopened)
    assert len(found.swaps) > shape.opened


def test_a_scorer_that_opens_too_much_is_refused() -> None:
    with pytest.raises(InputError, match="the scorer opens 2 blocks; 1 are allowed"):
        find_sparse_pair(last_two_bits, TOY, scorer=lambda _, __: [0, 1])


def test_the_layer_that_is_right_is_wrong_with_another_scorer() -> None:
    """The twin: the same map and read-out, the blocks opened at random."""
    shape = SparseShape(5, 1, 2, 1)
    bound = theorem_d(5, 1, 1, 2)
    summary = as_map(lambda block, place: cyclic_summary(bound, place, block))
    found = find_sparse_pair(summary, shape)
    assert found.right is not None
    inputs = list(enumerate_inputs(TwoSumSizes(3, 5)))
    assert all(found.right.answer(one.x) == outputs(one)[-1] for one in inputs)
    other = type(found.right)(shape, summary, RandomScorer(0, 1))
    assert any(other.answer(one.x) != outputs(one)[-1] for one in inputs)
    with pytest.raises(InputError, match="some x is ambiguous in more blocks than are opened"):
        right_layer(SparseShape(5, 1, 2, 0), summary, found.ambiguities)


def test_matrices_and_torch_modules_are_maps() -> None:
    torch = pytest.importorskip("torch")

    class Mean(torch.nn.Module):
        def forward(self, sequences: Any, place: int) -> Any:
            return (sequences.sum(dim=1, keepdim=True) + place) % 3

    shape = SparseShape(7, 3, 3, 1)
    matrix = find_sparse_pair(np.array([[1, 1, 1]]), shape, modulus=3)
    module = find_sparse_pair(Mean(), shape)
    places = find_sparse_pair(np.array([[[1, 2, 3]], [[1, 1, 1]], [[5, 1, 2]]]), shape, modulus=4)
    for found in (matrix, module, places):
        assert found.search.pair is not None
        assert found.search.pair.holds
    assert set(matrix.ambiguities[0].witnesses) == set(module.ambiguities[0].witnesses)
    assert map_certificate(module, Mean()) is None
    with pytest.raises(InputError, match="a compression matrix has integers"):
        find_sparse_pair(np.array([[0.5]]), shape)
    with pytest.raises(InputError, match="a int is no compression map"):
        find_sparse_pair(3, shape)


def test_many_sequences_are_sampled_and_that_is_said() -> None:
    shape = SparseShape(101, 6, 4, 1)
    found = find_sparse_pair(random_map(shape, 16, 0), shape)
    assert found.search.method == "random sequences of a block"
    assert found.search.pair is not None
    assert found.search.pair.holds
    assert not any(ambiguity.complete for ambiguity in found.ambiguities)
    exact = find_sparse_pair(lambda block, _: block, shape, budget=Budget(samples=5000))
    assert not exact.search.found
    assert exact.right is None
    assert exact.search.note == "nothing was found; that proves nothing"
    assert exact.document()["can_be_right"] is None


def test_equal_hashes_are_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of the hash: one that is always 0 makes all sequences look alike, and changes nothing."""
    monkeypatch.setattr(ambiguity_module, "state_hashes", lambda rows: np.zeros(len(rows), dtype=np.uint64))
    assert not ambiguous(as_map(lambda block, _: block), TOY, 0).witnesses


@pytest.mark.parametrize("seed", range(2))
def test_random_maps_below_the_bound_are_fooled_and_certified(seed: int) -> None:
    shape = SparseShape(11, 3, 4, 1)
    assert theorem_d(11, 3, 1, 4).forbids(4)
    summary = random_map(shape, 4, seed)
    found = find_sparse_pair(summary, shape, seed=seed)
    certificate = map_certificate(found, summary)
    assert certificate is not None
    assert check_certificate(certificate).ok
    large = random_map(SparseShape(1001, 4, 3, 1), 12, seed)
    assert isinstance(large, MatrixMap)


@pytest.mark.parametrize("seed", range(2))
def test_a_given_sparse_model_is_fooled(seed: int) -> None:
    model, sizes = sparse_model(seed)
    found, place = find_model_pair(model, sizes, seed=seed)
    pair = found.pair
    assert pair is not None
    assert place is not None
    assert pair.holds
    assert isinstance(pair.a, TwoSumInstance)
    assert isinstance(pair.b, TwoSumInstance)
    answers = run(model, np.array([pair.a.x, pair.b.x])).answers
    assert answers[0] == answers[1] == pair.output_a[0]
    assert outputs(pair.a)[-1] != outputs(pair.b)[-1]


def test_the_model_that_sees_every_token_is_not_fooled() -> None:
    """C7: its B heads show the whole block."""
    subject = build("C7", TwoSumSizes(9, 5), block=2, opened=1)
    found, place = find_model_pair(subject.model, TwoSumSizes(9, 5))
    assert place is None
    assert not found.found
    assert found.exhaustive
    assert found.note == "no element is ambiguous in any block: summaries tell all"
    with pytest.raises(InputError, match="the model is F; one S layer"):
        find_model_pair(build("C6", TwoSumSizes(9, 5)).model, TwoSumSizes(9, 5))


def test_large_matrices_do_not_wrap() -> None:
    """2^62 · 4 is 0 in 64 bits, and is not 0."""
    shape = SparseShape(modulus=9, block=1, blocks=2, opened=1)
    assert find_sparse_pair([[1 << 62]], shape).right is not None
    assert find_sparse_pair([[1 << 62]], shape, modulus=1 << 63).search.found


def test_a_summary_without_a_hash_is_refused() -> None:
    with pytest.raises(InputError, match="a summary is a list"):
        find_sparse_pair(lambda block, _: list(block), SparseShape(modulus=3, block=1, blocks=2, opened=1))
