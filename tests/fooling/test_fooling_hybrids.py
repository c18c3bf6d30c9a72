"""Hybrids: what later tokens hear, the sets of the theorems' proof on real models, and pairs that are replayed."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from constructions import build
from separation.arithmetic import ExactMatrix, Precision
from separation.bounds import Word
from separation.fooling import Budget
from separation.fooling.hybrids import Decomposition, Level, find_hybrid_pair
from separation.fooling.hybrids.guided import GuidedSearch, all_others, pair_of
from separation.fooling.hybrids.players import is_whole, rungs, table_pools
from separation.fooling.messages import Heard, heard, packed, transcript
from separation.fooling.pair import Pair, pair_certificate, replay
from separation.fooling.random_subjects import random_hybrid
from separation.models import Head, Layer, LinearHead, Model, Stored, Stream
from separation.protocol import Cut, simulate
from separation.proving.kernel import check_certificate
from separation.tasks.funccomp import Sizes, asked_addresses, samples, token_ids

SMALL = Sizes(2, (2,))
THREE = Sizes(2, (1, 2))


def model_of(word: str, sizes: Sizes, seed: int) -> Model:
    """Two bits of a score, so that models without R look alike at small sizes too."""
    return random_hybrid(Word.parse(word), sizes, seed, score_bits=2).model


def decomposed(
    word: str, sizes: Sizes, seed: int, kept: int, made: type[Decomposition] = Decomposition
) -> tuple[Decomposition, Pair | None]:
    model, choice = model_of(word, sizes, seed), (min(kept, sizes.m), *[kept] * (sizes.L - 1))
    steps = rungs(model, sizes, choice)
    assert steps is not None
    found = made(model, sizes, steps, choice, seed, Budget(60).start())
    return found, found.run()


CASES = [
    *((word, SMALL) for word in ("F", "RF", "[FR]", "FF", "FFR")),
    *((word, THREE) for word in ("RFR", "FRF", "FF", "R2F", "F3")),
    ("F", Sizes(4, ())),
]


@pytest.mark.parametrize(("word", "sizes"), CASES)
def test_density_and_cover_are_never_worse_than_guaranteed(word: str, sizes: Sizes) -> None:
    for seed, kept in ((0, 1), (1, 2)):
        found, _ = decomposed(word, sizes, seed, kept)
        # With one table of each player the sets never run out; with two they may, as (E) does not hold at such sizes.
        assert [level.level for level in found.levels] == list(range(1, sizes.L + 1))[: len(found.levels)]
        assert kept == 2 or len(found.levels) == sizes.L
        assert not any(level.sampled for level in found.levels)
        assert all(level.holds for level in found.levels), (word, seed, kept)


def test_explicit_sets_are_those_of_the_definition() -> None:
    """All tables, one by one, by the bytes that players send: the last set is a class of equal ones, of those that
    extend the first level; where that is everything, it is a largest class, and all of it."""
    found, _ = decomposed("RF", SMALL, 1, 1)
    assert found.last is not None
    size, tables = SMALL.N[-1], list(itertools.product(range(4), repeat=4))
    held = list(found.instances(SMALL.L))
    classes: dict[tuple[Any, ...], set[tuple[int, ...]]] = {}
    for table in tables:
        said = tuple(_bytes(found.model, [*table, *token_ids(other)[size:]], size) for other in held)
        classes.setdefault(said, set()).add(table)
    kept = {tuple(row) for row in found.last.tolist()}
    (own,) = [members for members in classes.values() if members & kept]
    assert kept <= own
    if found.levels[0].kept == found.levels[0].inputs:
        assert kept == own
        assert len(kept) == max(map(len, classes.values()))


def _bytes(model: Model, ids: list[int], boundary: int) -> tuple[bytes | None, ...]:
    run = simulate(model, np.array(ids), Cut.of((boundary, len(ids) - boundary)), keep=True)
    assert run.ok
    return tuple(message.content for message in run.transcript.messages)


@pytest.mark.parametrize("word", ["F", "RFR", "[FR]F"])
def test_what_is_heard_is_what_players_send(word: str) -> None:
    """Equal numbers here, equal bytes there; and unequal ones too."""
    sizes = Sizes(2, (2,))
    model, size = model_of(word, sizes, 5), sizes.N[-1]
    instance = next(samples(sizes, 3, 1))
    tables = np.array(list(itertools.product(range(2), repeat=4)))
    prompts = [[*table, *token_ids(instance)[size:]] for table in tables.tolist()]
    ours = [transcript(model, np.array(prompt), size) for prompt in prompts]
    theirs = [_bytes(model, prompt, size) for prompt in prompts]
    assert len(set(theirs)) > 1
    for a, b in itertools.combinations(range(len(prompts)), 2):
        assert (ours[a] == ours[b]) == (theirs[a] == theirs[b])
    rows = packed(model, list(heard(model, np.array(prompts), size)))
    for a, b in itertools.combinations(range(len(prompts)), 2):
        assert bool((rows[a] == rows[b]).all()) == (ours[a] == ours[b])


class Forgetful(Decomposition):
    """The false neighbour: it forgets what the query hears in the last layer of each level."""

    def heard_by(self, level: int, ids: np.ndarray) -> list[Heard]:
        messages = super().heard_by(level, ids)
        last = max((message.place[0] for message in messages if message.soft), default=0)
        return [Heard(m.place, True, m.numbers[:, :-1]) if m.soft and m.place[0] == last else m for m in messages]


@pytest.mark.parametrize("word", ["F", "RF"])
def test_a_forgotten_message_is_caught_by_the_replay(word: str) -> None:
    false = itertools.islice(false_pairs(word), 5)
    caught = 0
    for model, pair in false:
        assert not pair.holds
        with pytest.raises(ValueError, match=r"not the claimed transcript|the model says|outputs differ"):
            pair_certificate(pair, model, (0, SMALL.N[-1]))
        caught += 1
    assert caught > 0


def false_pairs(word: str) -> Iterator[tuple[Model, Pair]]:
    """What the forgetful decomposition takes for pairs, and later tokens hear apart."""
    for seed in range(10):
        found, _ = decomposed(word, SMALL, seed, 1, Forgetful)
        assert found.last is not None
        for held in found.instances(SMALL.L):
            asked = found.last[:, asked_addresses(held)[-1]]
            for other in np.flatnonzero(asked != asked[:1]).tolist():
                pair = pair_of(found.model, held, found.last[0], found.last[other])
                if not pair.transcripts_equal:
                    yield found.model, pair


@pytest.mark.parametrize(
    ("word", "sizes"), [("RF", Sizes(3, (3,))), ("F", SMALL), ("RFR", Sizes(2, (2, 2))), ("FR", Sizes(6, ()))]
)
def test_a_fresh_seed_is_fooled_and_certified(word: str, sizes: Sizes) -> None:
    made = random_hybrid(Word.parse(word), sizes, 40)
    assert made.distinct >= 4
    search = find_hybrid_pair(made.model, sizes, seed=40).search
    assert search.pair is not None
    assert search.pair.holds
    certificate = pair_certificate(search.pair, made.model, (0, sizes.N[-1]))
    assert check_certificate(certificate).ok
    again = replay(certificate)
    assert again.ok
    assert again.messages_equal


def test_a_right_model_has_no_pair_and_all_was_compared() -> None:
    """C2 solves L = 1 with one F and one R: no two inputs look the same, and the search says that it saw all."""
    sizes = Sizes(2, ())
    for word in ("RF", "FR"):
        construction = build("C2", sizes, word=word)
        found = find_hybrid_pair(construction.model, sizes)
        assert not found.search.found
        assert found.search.exhaustive
        assert found.levels == ()


def test_the_guided_search_agrees_with_all_pairs_of_inputs() -> None:
    """Every two inputs that differ in z_L alone, by the messages as bytes."""
    outcomes = set()
    for seed in range(6):
        model = random_hybrid(Word.parse("FF"), SMALL, seed).model
        guided = GuidedSearch(model, SMALL, seed, Budget(60).start())
        found = guided.pair() is not None
        alike = False
        others = all_others(SMALL)
        assert others is not None
        for other in others:
            tail = token_ids(other)[4:]
            tables = np.array(list(itertools.product(range(4), repeat=4)))
            prompts = np.concatenate([tables, np.broadcast_to(tail, (256, len(tail)))], axis=1)
            rows, asked = packed(model, list(heard(model, prompts, 4))), tables[:, asked_addresses(other)[-1]]
            classes: dict[bytes, set[int]] = {}
            for row, entry in zip(rows, asked.tolist(), strict=True):
                classes.setdefault(row.tobytes(), set()).add(entry)
            alike |= any(len(entries) > 1 for entries in classes.values())
            if alike:
                break
        assert found == alike
        assert found or guided.exhaustive
        outcomes.add(found)
    assert outcomes == {True, False}


def small_state(seed: int) -> Model:
    """RF whose state is one number of six bits: so few that the first level is guaranteed more than one input."""
    random, width = np.random.default_rng(seed), 4
    zeros, one = ExactMatrix.zeros(1, width), ExactMatrix.from_rows([[1]])

    def row(*columns: int) -> ExactMatrix:
        return ExactMatrix.from_entries((1, width), [(0, column, int(random.choice([-1, 1]))) for column in columns])

    first = ExactMatrix.from_entries((width, 1), [(0, 0, 1)])
    recurrent = LinearHead(zeros, one, zeros, one, row(2), first, normalised=False)
    full = Head(row(1), row(3), row(0), first, Fraction(1))
    placed, spoken = (random.integers(-1, 2, size=(count, width)) for count in (SMALL.length, SMALL.vocabulary))
    placed[:, 2:], spoken[:, :2] = 0, 0
    return Model(
        stream=Stream([("x", width)]),
        positions=Stored(ExactMatrix(placed)),
        tokens=Stored(ExactMatrix(spoken)),
        layers=(Layer((recurrent,), ()), Layer((full,), ())),
        unembedding=Stored(ExactMatrix(random.integers(-3, 4, size=(SMALL.N[-1], width)))),
        precision=Precision(1, 4, 0),
    )


def test_a_guarantee_that_says_something_is_kept() -> None:
    """2^-6 of 1024 inputs are 16: the most common state must have as many."""
    spread = set()
    for seed in range(12):
        model = small_state(seed)
        steps = rungs(model, SMALL, (2, 1))
        assert steps is not None
        assert steps.ladder.D[0] == 6
        found = Decomposition(model, SMALL, steps, (2, 1), seed, Budget(60).start())
        found.run()
        assert found.levels[0].kept >= 1024 >> 6
        assert all(level.holds for level in found.levels)
        spread.add(found.levels[0].kept)
    assert len(spread) > 2
    assert min(spread) < 1024


def test_all_tables_are_looked_at_up_to_ten_million() -> None:
    """Sizes, and how many tables of each player, from player 1 on."""
    looked_at = {
        Sizes(2, (2,)): [4, 256],
        Sizes(3, (2,)): [27, 6**6],
        Sizes(5, (1,)): [5**5, 5**5],
        Sizes(6, (1,)): [2, 6**6],  # 46,656² is too many: all of z_2, some of z_1
        Sizes(2, (1, 2)): [4, 4, 256],
    }
    for sizes, counts in looked_at.items():
        assert [len(pool) for pool in table_pools(sizes, 0)] == counts
    assert [is_whole(pool) for pool in table_pools(Sizes(6, (1,)), 0)] == [False, True]
    pools = table_pools(Sizes(3, (3,)), 0)
    assert [is_whole(pool) for pool in pools] == [True, False]
    assert 100_000 < len(pools[0]) * len(pools[1]) <= 1 << 17


def test_a_level_below_its_guarantee_is_seen() -> None:
    level = Level(level=1, inputs=1024, sampled=False, kept=16, guaranteed_log2=-6, cover=2, guaranteed=2)
    assert level.holds
    assert not replace(level, kept=15).holds
    assert not replace(level, cover=1).holds
