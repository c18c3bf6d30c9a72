"""The description of hops, followed on prompts token by token, ends at the oracle's answer."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from constructions import c1, c2
from constructions.hops import Hop, address_slots, asked_digits, hops, schedule, tag_numbers
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


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_addresses_have_room_for_every_hop_and_bits_of_digits_do_not_overlap(sizes: Sizes) -> None:
    slots, places = dict(address_slots(sizes)), []
    for hop in hops(sizes):
        assert hop.digit_bits <= slots["digit"]
        assert hop.index_bits <= slots["index"]
        places += range(hop.digit_place, hop.digit_place + hop.digit_bits)
    assert places == list(range(len(c1.Plan(sizes).stream["query"])))
    assert sorted(tag_numbers(sizes).values()) == list(range(sizes.L + 2))
    assert max(tag_numbers(sizes).values()) < 1 << slots["tag"]


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_a_schedule_is_its_word_and_ends_with_every_hop_at_w(sizes: Sizes) -> None:
    words = ["F" * (sizes.L + 1), "R" + "F" * sizes.L, "FR" + "F" * (sizes.L - 1)]
    for word in words:
        reads = schedule(sizes, word)
        assert "".join(read.letter for read in reads) == word
        at_w = [read.hop.number for read in reads if read.reader == "w"]
        assert at_w == list(range(sizes.L + 1))[-len(at_w) :]
        others = [read for read in reads if read.reader != "w"]
        assert [(read.reader, read.hop.number) for read in others] == ([("z0", 1)] if word == words[2] else [])
    assert c1.build(sizes).model.word == words[0]
    assert [c2.build(sizes, word).model.word for word in words[1:]] == words[1:]
    with pytest.raises(KeyError):
        schedule(sizes, "RR")
