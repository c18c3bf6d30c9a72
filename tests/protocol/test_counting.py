"""Bits of messages, number by number: against a plain count, and what is needed for it."""

from __future__ import annotations

import pytest

from constructions import c2
from separation.protocol import Cut, Transcript, counted_bits, simulate
from separation.tasks.funccomp import Instance, Sizes, token_ids

SIZES = Sizes(4, ())


def runs(z0: tuple[int, ...], keep: bool = True) -> list[Transcript]:
    model = c2.build(SIZES, "RF").model
    prompts = [token_ids(Instance(SIZES, value, ([0, 1, 2, 3],), ())) for value in z0]
    return [simulate(model, prompt, Cut.of_task(SIZES), keep=keep).transcript for prompt in prompts]


def test_a_state_of_two_bits_is_counted_as_far_as_it_changed() -> None:
    assert counted_bits(runs((2,))).linear == (0, 0)
    assert counted_bits(runs((2, 3))).linear == (1, 1)
    found = counted_bits(runs((0, 1, 2, 3)))
    assert found.linear == (2, 2)
    assert found.values >= 2
    assert found.beta >= 2


def test_contents_must_be_kept() -> None:
    with pytest.raises(ValueError, match="not kept"):
        counted_bits(runs((0, 1), keep=False))
