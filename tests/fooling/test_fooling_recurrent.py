"""R layers alone: two tables with one state, on fresh seeds, and models that hold all tables apart."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_models import states_of

import separation
from constructions import build
from separation.bounds import Word, theorem_c
from separation.files import InputError
from separation.fooling import Budget, ExactSubject, Search, find_pair, random_recurrent_model
from separation.fooling.birthday import SeenHashes, TableSource, state_hashes
from separation.fooling.messages import heard, packed_states
from separation.fooling.recurrent import related_tables
from separation.models import Layer, Model, decode, model_to_document
from separation.protocol.random_models import RandomShape, random_model
from separation.tasks.funccomp import Sizes, answer, sizes_to_document, token_ids


def assert_pair(found: Search, model: Model, sizes: Sizes, steps: int) -> None:
    """All that is said of a pair, seen on the model itself."""
    pair = found.pair
    assert pair is not None
    assert pair.holds
    assert pair.expected_a == answer(pair.a) != answer(pair.b) == pair.expected_b
    prompts = np.stack([token_ids(pair.a), token_ids(pair.b)])
    boundary = sizes.length - 2
    assert (prompts[0, boundary:] == prompts[1, boundary:]).all()
    assert (decode(model, prompts, steps) == np.array(pair.output_a)).all()
    for number in range(1, len(model.layers) + 1):
        a, b = (rows[-1] for rows in states_of(model, prompts[:, :boundary].tolist(), number))
        assert a == b


@settings(max_examples=8)
@given(st.integers(0, 10**6))
def test_any_seed_is_fooled_and_has_the_bits_that_are_said(seed: int) -> None:
    """All tables: each entry's values fit its share of the bits."""
    made = random_recurrent_model(1, Sizes(4, ()), 6, seed)
    assert_pair(find_pair(made.model, made.sizes, seed=seed), made.model, made.sizes, 1)
    tables = np.array(list(itertools.product(range(4), repeat=4)))
    for states in heard(made.model, tables, 4):
        spread = states.numbers[:, 0, :, 0].max(axis=0) - states.numbers[:, 0, :, 0].min(axis=0)
        assert sum(int(width).bit_length() for width in spread) <= made.state_bits[states.place[0] - 1] <= 6


@pytest.mark.parametrize(
    ("layers", "m", "n", "bits", "steps"),
    [(1, 16, (), 40, 1), (2, 5, (), 8, 1), (3, 8, (), 6, 4), (2, 3, (2,), 10, 3), (1, 2, (1, 3), 9, 1)],
)
def test_words_levels_and_thoughts(layers: int, m: int, n: tuple[int, ...], bits: int, steps: int) -> None:
    made = random_recurrent_model(layers, Sizes(m, n), bits, 11, steps)
    assert made.model.word == "R" * layers
    assert all(0 < held <= bits for held in made.state_bits)
    found = find_pair(made.model, made.sizes, seed=11, steps=steps)
    assert_pair(found, made.model, made.sizes, steps)
    assert found.pair is not None
    assert len(found.pair.output_a) == steps


def one_head(family: str, sizes: Sizes, seed: int) -> Model:
    """A random model whose one layer has one head of a family."""
    return random_model(RandomShape(Word.parse("R"), sizes.length, sizes.vocabulary, sizes.N[-1], 1, family), seed)


def test_any_recurrent_family_is_searched(tmp_path: Path) -> None:
    """A pair is found and written, though the kernel does not know the family."""
    sizes = Sizes(3, ())
    model = one_head("gla", sizes, 1)
    assert_pair(find_pair(model, sizes), model, sizes, 1)
    file, out = tmp_path / "gated.json", tmp_path / "pair.json"
    document = {"schema": "separation.model/1", "task": sizes_to_document(sizes), **model_to_document(model)}
    file.write_text(json.dumps(document))
    report = separation.fool(model=file, out=out)
    assert report.ok
    assert not report.certified
    assert json.loads(out.read_text())["pair"]["transcripts_equal"] is True


@pytest.mark.parametrize(("m", "n"), [(2, ()), (3, ()), (2, (2,))])
def test_a_model_that_holds_the_table_is_not_fooled(m: int, n: tuple[int, ...]) -> None:
    """C3 has a state for every table: all tables are compared, and no two agree."""
    subject = build("C3", Sizes(m, n))
    found = find_pair(subject.model, Sizes(m, n))
    assert not found.found
    assert found.exhaustive
    size = Sizes(m, n).N[-1]
    assert found.samples == size**size
    assert "all were compared" in found.note
    stopped = find_pair(subject.model, Sizes(m, n), budget=Budget(samples=size**size - 1))
    assert not stopped.exhaustive
    assert "proves nothing" in stopped.note
    assert found.closest is not None
    assert 0 < found.closest.equal < found.closest.entries


def test_states_that_differ_in_one_bit_are_no_pair() -> None:
    """The twin: a model whose state tells one more bit of the table than the one that was fooled."""
    made = random_recurrent_model(1, Sizes(4, ()), 6, 0)
    found = find_pair(made.model, made.sizes)
    assert found.pair is not None
    assert found.pair.transcript_a is not None
    message = found.pair.transcript_a[0]
    other = replace(message, numbers=(message.numbers[0] + 1, *message.numbers[1:]))
    assert not replace(found.pair, transcript_b=(other,)).holds
    assert not replace(found.pair, output_b=(found.pair.output_a[0] + 1,)).holds
    assert not replace(found.pair, expected_b=found.pair.expected_a).holds


def test_all_tables_in_order_and_random_ones_by_number() -> None:
    source = TableSource.of(Sizes(3, ()), 0, 100)
    assert source.count == 27
    rows = np.concatenate([source.tables(number) for number in range(-(-27 // source.batch))])
    assert len(np.unique(rows, axis=0)) == 27
    random = TableSource.of(Sizes(9, ()), 5, 100)
    assert random.count is None
    assert (random.table(random.batch + 3) == random.tables(1)[3]).all()
    assert (random.tables(0) != TableSource.of(Sizes(9, ()), 6, 100).tables(0)).any()


def test_equal_hashes_are_found_once_across_runs() -> None:
    random = np.random.default_rng(0)
    values = random.integers(300, size=400)
    hashes, seen, found = state_hashes(values[:, None]), SeenHashes(), []
    for start in range(0, 400, 25):
        found += list(seen.add(hashes[start : start + 25], start))
    assert all(values[a] == values[b] and a != b for a, b in found)
    repeated = {value for value in values.tolist() if (values == value).sum() > 1}
    assert {int(values[a]) for a, _ in found} == repeated


def test_workers_find_the_same() -> None:
    made = random_recurrent_model(1, Sizes(4, ()), 6, 2)
    alone, together = (find_pair(made.model, made.sizes, seed=2, workers=workers) for workers in (1, 2))
    assert alone.pair == together.pair
    assert alone.pair is not None


def test_full_layers_and_strangers_are_refused() -> None:
    subject = build("C1", Sizes(2, ()))
    with pytest.raises(InputError, match="layer 1 is F; states alone cross a boundary of R layers only"):
        find_pair(subject.model, Sizes(2, ()))
    with pytest.raises(InputError, match="a str has no forward"):
        find_pair("model", Sizes(2, ()))
    with pytest.raises(InputError, match="state-bits is 0; allowed are 1"):
        random_recurrent_model(1, Sizes(4, ()), 0, 0)
    silent = replace(subject.model, layers=(Layer((), ()),))
    assert packed_states(silent, np.zeros((3, 2), dtype=np.int64)).shape == (3, 0)
    assert ExactSubject(subject.model).forward(np.zeros((1, 4), dtype=np.int64)).shape == (1, 1)


@settings(max_examples=3)
@given(st.integers(0, 10**6))
def test_a_state_of_512_bits_is_fooled(seed: int) -> None:
    made = random_recurrent_model(1, Sizes(81, ()), 512, seed)
    assert sum(made.state_bits) > 440
    assert theorem_c(made.sizes, 512).certified
    found = find_pair(made.model, made.sizes, seed=seed)
    assert found.method == "linear algebra"
    assert found.pair is not None
    assert found.pair.holds


def test_what_is_no_sum_is_left_to_birthdays() -> None:
    """The check that states are sums can fail: then nothing is reduced, after one pair of values."""
    sizes = Sizes(6, ())
    ends = []
    for seed in range(6):
        clock = Budget(samples=60).start()
        found = list(
            related_tables(ExactSubject(one_head("delta", sizes, seed)), TableSource.of(sizes, seed, 10), clock)
        )
        ends.append((bool(found), clock.samples))
    assert (False, 7) in ends
