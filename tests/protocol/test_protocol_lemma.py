"""The simulation lemma: players who hear sums and states say, bit for bit, what the forward pass says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_cases import (
    MIXED,
    RECURRENT,
    VOCABULARY,
    WORDS,
    extreme,
    fractional,
    model_of,
    prompt,
    some_cut,
)

from separation.arithmetic import ExactMatrix, Precision
from separation.models import Head, Layer
from separation.protocol import Cut, simulate


@pytest.mark.parametrize("family", RECURRENT)
@settings(max_examples=3)
@given(
    word=st.sampled_from([word for word in (*WORDS, *MIXED) if "R" in word]),
    seed=st.integers(0, 10**6),
    ids=st.lists(st.integers(0, VOCABULARY - 1), min_size=2, max_size=9),
    heads=st.integers(2, 3),
)
def test_every_family_and_fractions_too(family: str, word: str, seed: int, ids: list[int], heads: int) -> None:
    """Weights that are no integers: partial sums have denominators, and still add up to the same quotients."""
    cut, model = some_cut(seed, len(ids)), model_of(word, seed, family, tokens=len(ids), heads=heads)
    found = simulate(model, np.array(ids), cut)
    assert found.ok
    assert found.transcript.agrees
    found = simulate(fractional(model, seed), np.array(ids), cut)
    assert found.ok
    assert not found.transcript.public.on_grid
    assert found.transcript.agrees is None
    assert found.transcript.beta is None


@pytest.mark.parametrize("tokens", [1, 2, 3, 8, 9, 33])
@pytest.mark.parametrize("precision", [Precision(0, 1, 0), Precision(8, 8, 3), Precision(40, 40, 4)])
def test_sums_at_the_ends_of_their_range(tokens: int, precision: Precision) -> None:
    """The last token hears (n−1)·2^P·(±2^p) and (n−1)·2^P, the largest sums that there are."""
    model, ids = extreme(tokens, precision), np.zeros(tokens, dtype=np.int64)
    cut = Cut.of([tokens - 1, 1]) if tokens > 1 else Cut.of([1])
    found = simulate(model, ids, cut, keep=True)
    assert found.ok
    assert found.transcript.agrees is (None if tokens == 1 else True)
    if tokens > 1:
        (heard,) = found.transcript.sums
        sums = found.transcript.public.sum_code(1).decode([heard.content or b""], [0, 1])
        most = (tokens - 1) << precision.score_bits
        assert [int(part.totals[0, 0]) for part in sums] == [most, most]
        ends = [-most << precision.bits, most << precision.bits]
        assert [part.numerators[0, 0].tolist() for part in sums] == [ends, ends]


def test_nothing_over_nothing() -> None:
    """Scores so far below the shift that every weight is 0: 0/0 = 0 for players too."""
    model = extreme(6, Precision(4, 4, 0), shift=100)
    found = simulate(model, np.zeros(6, dtype=np.int64), Cut.of([2, 2, 2]), keep=True)
    assert found.ok
    assert not any(any(message.content or b"") for message in found.transcript.sums)


def test_layers_with_little_in_them() -> None:
    """A full head without values, which sends nothing; a layer without heads; a layer without anything."""
    model = model_of("FRF", 2)
    first, second, third = model.layers
    head = first.heads[0]
    assert isinstance(head, Head)
    empty = replace(head, w_v=ExactMatrix.zeros(0, 8), w_o=ExactMatrix.zeros(8, 0))
    layers = (Layer((empty, *first.heads[1:]), first.mlps), Layer((), ()), second, Layer((), third.mlps), third)
    for changed in (layers, (Layer((empty,), ()), *layers)):
        found = simulate(replace(model, layers=changed), prompt(2), Cut.of([4, 2, 3]))
        assert found.ok
        assert found.transcript.agrees
