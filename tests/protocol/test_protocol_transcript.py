"""Transcripts: every message, the totals, β and Λ beside their formulas, and what is exported."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest
from protocol_cases import RECURRENT, model_of, prompt

from separation.bounds import Message, ceil_log2
from separation.files import InputError
from separation.models import state_bits
from separation.protocol import Cut, Simulation, simulate
from separation.recurrences import FAMILIES
from separation.tasks.funccomp import Sizes, Thoughts

CUT = Cut.of([3, 2, 1, 3])


def run(word: str, seed: int = 0, family: str = "linear", cut: Cut = CUT) -> Simulation:
    return simulate(model_of(word, seed, family), prompt(seed), cut, keep=True)


def test_who_sends_what_to_whom() -> None:
    transcript = run("RF").transcript
    pairs = [(m.layer, m.kind, m.sender, m.receiver, m.tokens) for m in transcript.messages]
    names, lengths = CUT.names, CUT.lengths
    linear = [(1, "linear", names[i], names[i + 1], lengths[i + 1]) for i in range(3)]
    soft = [(2, "soft", names[j], names[i], lengths[i]) for j in range(4) for i in range(j + 1, 4)]
    assert pairs == linear + soft
    assert [(m.layer, m.receiver) for m in transcript.sums] == [(2, name) for name in names[1:]]
    for message in (*transcript.messages, *transcript.sums):
        assert message.content is not None
        assert message.digest == sha256(message.content).hexdigest()
        assert len(message.content) == (message.bits + 7) // 8


@pytest.mark.parametrize("heads", [1, 2, 3])
def test_beta_is_the_formula_of_the_bounds(heads: int) -> None:
    model, ids = model_of("FRF", 1, heads=heads), prompt(1)
    transcript = simulate(model, ids, CUT).transcript
    formula = Message(heads, 2, model.precision.bits, model.precision.score_bits).beta(ceil_log2(9))
    assert transcript.beta == transcript.formula_beta == formula
    assert transcript.betas == transcript.formula_betas == {1: formula, 3: formula}
    assert transcript.soft_bits == 2 * formula * (9 - 3)
    assert transcript.soft_bits_apart == 2 * formula * (2 * 1 + 1 * 2 + 3 * 3)


@pytest.mark.parametrize("family", RECURRENT)
def test_lambda_is_the_formula_of_the_bounds(family: str) -> None:
    """Also counted in another way: entries of the family's own state times the bits of an entry."""
    model = model_of("RFRR[FR]", 2, family)
    transcript = simulate(model, prompt(2), CUT).transcript
    heads = model.layers[0].heads
    s = sum(state_bits(head, model.precision) for head in heads)  # type: ignore[arg-type]
    if family in FAMILIES and family != "linear":
        sizes = {"d_k": 2, "d_v": 2, "d": 2, "w": 3, "n_h": 2}
        assert s == 2 * FAMILIES[family].entries(sizes) * model.precision.bits
    assert transcript.states == {1: s, 3: s, 4: s, 5: s}
    assert transcript.state_bits == transcript.formula_state_bits == (s, 3 * s, 4 * s)
    assert transcript.linear_bits == 4 * s * 3


def test_the_sum_over_any_group_of_senders() -> None:
    transcript = run("F", 3).transcript
    names = CUT.names
    heard = {message.receiver: message.content for message in transcript.sums}
    assert transcript.summed(1, names[3], names[:3]) == heard[names[3]]
    part = transcript.summed(1, names[3], names[1:3])
    code = transcript.public.sum_code(1)
    own = transcript.summed(1, names[3], names[:1])
    whole = [a.plus(b) for a, b in zip(code.decode([part], [0, 3]), code.decode([own], [0, 3]), strict=True)]
    assert code.encode(whole, [0, 3])[0] == heard[names[3]]
    assert len(part) == len(own) == len(heard[names[3]] or b"")
    with pytest.raises(ValueError, match="no soft messages with contents"):
        transcript.summed(1, names[0], names)
    with pytest.raises(ValueError, match="no soft messages with contents"):
        simulate(model_of("F", 3), prompt(3), CUT).transcript.summed(1, names[3], names)


def test_json_lines_and_graph() -> None:
    transcript = run("RF").transcript
    documents = [json.loads(line) for line in transcript.lines()]
    assert len(documents) == len(transcript.messages) + len(transcript.sums)
    assert set(documents[0]) == {"layer", "kind", "sender", "receiver", "tokens", "bits", "sha256"}
    graph = transcript.graph()
    assert graph.is_multigraph()
    assert graph.is_directed()
    assert list(graph.nodes) == list(CUT.names)
    assert sum(bits for _, _, bits in graph.edges(data="bits")) == transcript.soft_bits_apart + transcript.linear_bits
    assert graph.number_of_edges() == len(transcript.messages)
    assert graph.nodes["player 3"] == {"first": 5, "tokens": 1}


def test_the_players_of_funccomp() -> None:
    cut = Cut.of_task(Sizes(2, (3, 2)))
    assert cut.names == ("z_3", "z_2", "z_1", "z_0", "w")
    assert cut.lengths == (12, 6, 2, 1, 1)
    thoughts = Thoughts(Sizes(2, (3, 2)), "hops")
    assert Cut.of_task(thoughts).lengths == (12, 6, 2, 1, 3)
    assert Cut.of_task(thoughts).tokens == thoughts.length


@pytest.mark.parametrize(
    ("lengths", "text"),
    [
        ([], r"the cut is \[\]; a list of lengths, each at least 1, is needed"),
        ([3, 0, 6], r"the cut is \[3, 0, 6\]; a list of lengths"),
        ([10, -1], r"a list of lengths, each at least 1"),
        ([4, 4], "the cut covers 8 tokens, the prompt has 9; lengths of at least 1 that add up to 9 are accepted"),
        ([1] * 1025, "the cut has 1025 players; at most 1024 are accepted"),
    ],
)
def test_cuts_that_are_none(lengths: list[int], text: str) -> None:
    with pytest.raises(InputError, match=text):
        Cut.of(lengths, 9)
    with pytest.raises(ValueError, match="players read one prompt, got 2"):
        simulate(model_of("F", 0), np.zeros((2, 9), dtype=np.int64), CUT)


@pytest.mark.parametrize("more", [1, 4])
def test_a_message_with_a_bit_too_many_is_seen(more: int) -> None:
    """Twins: one bit, which is no whole number for each of 4 tokens, and one bit for each of them."""
    transcript = run("F", cut=Cut.of([3, 4, 2])).transcript
    assert transcript.agrees
    first, *others = transcript.messages
    assert first.tokens == 4
    longer = replace(transcript, messages=(replace(first, bits=first.bits + more), *others))
    assert longer.agrees is False
    with pytest.raises(ValueError, match="layer 1: messages of"):
        _ = longer.betas
