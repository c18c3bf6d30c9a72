"""The description of hops, followed on prompts token by token, ends at the oracle's answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from constructions.hops import Hop, asked_digits, hops
from separation.tasks import funccomp
from separation.tasks.funccomp import Instance, Sizes, samples, token_ids

SIZES = [Sizes(2, ()), Sizes(5, ()), Sizes(3, (2,)), Sizes(3, (1, 3)), Sizes(4, (4, 4)), Sizes(5, (3, 1, 2))]


def followed(instance: Instance, described: tuple[Hop, ...]) -> list[int]:
    """What stands at start + digit·index_size + index, hop by hop; each index is the hop before."""
    ids, found = token_ids(instance), [0]
    query = list(product(*map(range, instance.sizes.n))).index(tuple(instance.w))
    for hop in described:
        digit = int(asked_digits(instance.sizes, hop)[query])
        found.append(int(ids[hop.starts()[digit] + (found[-1] if hop.number else 0)]))
    return found[1:]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_hops_lead_to_the_answer(sizes: Sizes) -> None:
    for instance in samples(sizes, 0, 40):
        assert followed(instance, hops(sizes)) == list(funccomp.hops(instance))


@pytest.mark.parametrize("change", [{"start": 1}, {"index_size": 2}, {"digit_size": 1}])
def test_a_wrong_description_does_not(change: dict[str, int]) -> None:
    sizes = Sizes(4, (4, 4))
    *rest, last = hops(sizes)
    wrong = (*rest, replace(last, **change))  # type: ignore[arg-type]
    assert any(followed(instance, wrong) != list(funccomp.hops(instance)) for instance in samples(sizes, 0, 40))
