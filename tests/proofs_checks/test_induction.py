"""The induction of theorems A and B on transcripts: what is counted, what is fixed, and what must be noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import networkx as nx
import pytest

from proofs_checks import CheckFailed
from proofs_checks.kit.messages import (
    Accounting,
    Case,
    Charge,
    Family,
    Level,
    Replay,
    Transcripts,
    charges,
    first_levels,
    fixed_graph,
    message_graph,
    most_common,
)
from proofs_checks.statements import t_run
from separation.bounds import Word
from separation.fooling.hybrids import random_hybrid
from separation.protocol import Cut, simulate
from separation.tasks.funccomp import Sizes, enumerate_inputs, samples, token_ids

SMALL, THREE = Sizes(2, (2,)), Sizes(2, (1, 2))
SECOND_A = (
    *(Case("A", "FF", THREE, (2, 2, 5), seed, score_bits=1) for seed in (0, 40, 56)),
    Case("A", "FF", THREE, (2, 2, 5), seed=66, score_bits=3),
    Case("A", "FF", THREE, (2, 2, 5), seed=20, score_bits=1, heads=2),
    Case("A", "RFRFR", THREE, (2, 2, 2), seed=0, score_bits=1),
)
SECOND_B = (
    Case("B", "FFFR", THREE, (2, 2, 10), seed=506, score_bits=1),
    Case("B", "FFFR", THREE, (2, 2, 10), seed=1504, score_bits=1),
    Case("B", "FFFR", THREE, (2, 2, 6), seed=1, score_bits=2),
    Case("B", "FFFR", THREE, (2, 2, 6), seed=21, score_bits=2),
    Case("B", "FFF", THREE, (2, 2, 8), seed=6, score_bits=1, heads=2),
)
REASONS = {
    "an edge of a soft message dropped": "but transcripts depend on",
    "the edges of states dropped": "but transcripts depend on",
    "edges that level ℓ has silenced": "no transcript depends on all of",
    "one layer less for player ℓ": "can be told apart",
    "a message charged that is constant": "no transcript needs: ",
    "the states are not charged": "can be told apart",
    "the states of one block less": "can be told apart",
}


@pytest.mark.parametrize("name", t_run.STATEMENT.twins)
def test_twins_are_rejected_by_transcripts_not_by_the_formula(name: str) -> None:
    with pytest.raises(CheckFailed, match=REASONS[name]):
        t_run.check(t_run.STATEMENT.twins[name])


def replay_of(case: Case, accounting: Accounting | None = None) -> Replay:
    return Replay(case.transcripts, case.letters, case.theorem, case.pools, case.kept, accounting or Accounting())


@pytest.mark.parametrize("word", ["RFR", "[FR]F", "FF"])
def test_players_that_remember_say_what_players_say(word: str) -> None:
    """All messages and sums of many inputs, run one after the other, against plain runs beside the forward pass."""
    model = random_hybrid(Word.parse(word), SMALL, 3, score_bits=2).model
    transcripts, cut = Transcripts(model, SMALL), Cut.of_task(SMALL)
    for instance in [*samples(SMALL, 1, 12), *samples(SMALL, 1, 3)]:
        plain = simulate(model, token_ids(instance), cut, keep=True)
        assert plain.ok
        said = transcripts.of(instance).transcript
        assert said.messages == plain.transcript.messages
        assert said.sums == plain.transcript.sums
        contents = [m.content for m in plain.transcript.messages]
        assert [m.content for m in said.messages] == contents
        assert None not in contents
    assert len(transcripts.instances) == 12


def test_what_is_read_off_a_transcript() -> None:
    """Sums over the players above ℓ, states by block, and all that a player heard before a layer."""
    sizes = THREE
    transcripts = Transcripts(random_hybrid(Word.parse("R[FR]RF"), sizes, 0).model, sizes)
    said = transcripts.of(next(samples(sizes, 0, 1)))
    transcript = said.transcript
    assert said.soft(2, 0, 1) == transcript.summed(4, "z_0", ["z_3", "z_2"])
    assert said.soft(1, -1, 0) == transcript.summed(2, "w", ["z_3", "z_2", "z_1"])
    assert said.soft(1, -1, -1) == next(m.content for m in transcript.sums if (m.layer, m.receiver) == (2, "w"))
    assert said.soft_bits(1, 2) == 2 * transcript.betas[2]
    assert [said.linear_bits(1, before) for before in range(4)] == [
        0,
        transcript.states[1],
        sum(transcript.states.values()),
        sum(transcript.states.values()),
    ]
    assert [len(said.view(1, before)) for before in (1, 2, 3)] == [1, 4, 5]
    assert said.view(3, 3) == ()


@pytest.mark.parametrize("case", t_run.CASES, ids=lambda case: f"{case.theorem}-{case.word}-{case.seed}")
def test_levels_hold_by_a_direct_look(case: Case) -> None:
    """Without `Replay`'s own check: at the end all that is heard of z_L is the same for all of the last 𝒬."""
    replay = replay_of(case)
    steps = list(replay.run())
    assert [level_step.level for level_step in steps] == list(range(1, case.sizes.L))
    cut = Cut.of_task(case.sizes)
    for later in replay.later():
        heard = set()
        for tables in replay.members:
            ids = token_ids(replay.instance(tables, later))
            run = simulate(case.transcripts.model, ids, cut, keep=True)
            assert run.ok
            heard.add(tuple(m.content for m in run.transcript.messages if m.sender == f"z_{case.sizes.L}"))
        assert len(heard) == 1


@pytest.mark.parametrize(("cases", "layers"), [(SECOND_A, 2), (SECOND_B, 3)], ids=["A", "B"])
def test_each_charge_of_the_second_level_is_needed(cases: tuple[Case, ...], layers: int) -> None:
    """Two members of 𝒬 that differ in this message alone: to w, z_0 and z_1 in the last layer, to z_2 in all."""
    tally = t_run.replayed(cases, Accounting())
    tally.require_needed([2])
    messages = {(receiver, layers) for receiver in (-1, 0, 1)} | {(2, layer) for layer in range(1, layers + 1)}
    assert {place[2] for place in tally.needed if place[1] == 2} == messages | {"states"}
    assert tally.pairs > 0


def test_four_tables() -> None:
    """L = 4: three steps, the sets of each level checked on all of their inputs; one of them ends with a pair."""
    sizes = Sizes(2, (1, 1, 2))
    cases = [Case("A", "FFFR", sizes, (2, 2, 2, 3), seed, score_bits=1) for seed in (2, 8)]
    tally = t_run.replayed(cases, Accounting())
    sets = [(step.level_step.before, step.level_step.drawn, step.level_step.kept) for step in tally.steps]
    assert sets == [(24, 12, 12), (12, 6, 6), (6, 3, 3), (24, 12, 8), (8, 4, 4), (4, 2, 1)]
    assert tally.pairs == 1
    with pytest.raises(CheckFailed, match="can be told apart"):
        t_run.replayed(cases, Accounting(lambda *_: [], lambda *_: 0))


def test_draws_are_seen_to_keep_their_share() -> None:
    """A mean below the power is impossible; the check of it sees one that is made up."""

    class Loses(Replay):
        def _extending(self, drawn: tuple[object, ...]) -> list[tuple[object, ...]]:
            return super()._extending(drawn)[1:]

    case = t_run.CASES[1]
    with pytest.raises(CheckFailed, match="on average"):
        list(Loses(case.transcripts, case.letters, case.theorem, case.pools, case.kept, Accounting()).run())


def test_a_set_that_is_not_fixed_is_noticed() -> None:
    """Nothing is charged at all: 𝒬 stays as drawn, and can be told apart."""
    case = t_run.CASES[1]
    with pytest.raises(CheckFailed, match="can be told apart"):
        list(replay_of(case, Accounting(lambda *_: [], lambda *_: 0)).run())


def test_sets_that_run_out_are_said_to() -> None:
    """x_1 tables that nobody in 𝒬 shares: the theorem is silent, and so is the replay."""
    with pytest.raises(CheckFailed, match="no 2 tables are shared"):
        list(replay_of(Case("B", "[FR]F", SMALL, (2, 2), seed=0, score_bits=4, heads=2)).run())


def test_most_common_takes_the_first_of_equally_common_ones() -> None:
    members = [(name,) for name in "abcd"]
    assert most_common(members, dict(zip(members, (1, 0, 0, 1), strict=True))) == [("a",), ("d",)]
    assert most_common(members, dict(zip(members, (1, 0, 0, 0), strict=True))) == members[1:]


# --- the graph ---


def test_heads_beside_a_layer_do_not_carry_what_it_brings() -> None:
    """[FR]F and FRF differ in the graph: an R layer behind the first F tells the query of z_1."""
    found = {
        word: {charge for charge in charges(Word.parse(word), *first_levels("B", 1)) if charge.receiver == -1}
        for word in ("[FR]F", "FRF")
    }
    assert found == {
        "[FR]F": {Charge(-1, 2, frozenset({-1, 0}))},
        "FRF": {Charge(-1, 2, frozenset({-1, 0, 1}))},
    }


def test_a_graph_that_lets_them_is_refuted_by_transcripts() -> None:
    """The coarse graph charges [FR]F as if R stood behind F: no transcript shows it."""

    def coarse(word: Word, here: Level, following: Level) -> Iterator[Charge]:
        layers = tuple(letter for layer in word.layers for letter in (("F", "R") if layer == "FR" else (layer,)))
        return charges(Word(layers), here, following)

    with pytest.raises(CheckFailed, match="no transcript depends on all of"):
        t_run.check(Accounting(coarse))


def test_an_early_r_breaks_theorem_b_at_its_first_level() -> None:
    """FRF: all of 𝒬 says the same to the query in layer 1, and R tells it of z_1(z_0) all the same."""
    for seed in (25, 33, 44):
        case = Case("B", "FRF", SMALL, (3, 4), seed, score_bits=1)
        with pytest.raises(CheckFailed, match="player -1 knows 𝒬 apart at level 1"):
            list(replay_of(case).run())


@pytest.mark.parametrize("theorem", ["A", "B"])
def test_ancestors_for_every_level_are_those_of_the_graph(theorem: str) -> None:
    """`knows`, proved by z3, against networkx' ancestors at every node of the covered layers."""
    family = Family()
    for level in range(2, 8):
        here, following = first_levels(theorem, level)
        word = Word.parse("F" * (following.layers - 1) + "[FR]R")
        graph = fixed_graph(word, here, following)
        for player, layer in product(range(-1, level + 1), range(1, here.layers + 1)):
            inputs = {node[1] for node in nx.ancestors(graph, (player, layer)) if node[0] == "z"}
            assert inputs == {other for other in range(-1, level + 1) if family.knows(player, other, level)}


def test_the_cut_takes_edges_away() -> None:
    here, following = first_levels("A", 3)
    word = Word.parse("RFRFRFR")
    whole, cut = message_graph(word, 3, following.layers), fixed_graph(word, here, following)
    gone = set(whole.edges(keys=True)) - set(cut.edges(keys=True))
    assert {(sender[0], key[0]) for sender, _, key in gone} == {(3, "soft"), (3, "linear")}
    assert {key[1] for _, _, key in gone} == {0, 1, 2}


def test_the_family_needs_all_of_its_edges() -> None:
    """A word without states in block 0: its first step is charged less, and the closed form is not reached."""
    less = replace(Family(), linear=lambda sender, *_: sender != sender)
    with pytest.raises(CheckFailed, match="a state is missing"):
        less.require_none("a state is missing")


# --- slow: all tables ---


@pytest.mark.slow
@pytest.mark.parametrize(("word", "theorem"), [("F", "A"), ("FF", "B")])
def test_all_inputs_of_the_smallest_size(word: str, theorem: str) -> None:
    """Every table z_1 and z_2, every z_0 and w: 4,096 transcripts of each model, and a pair at the end."""
    model = random_hybrid(Word.parse(word), SMALL, 1, score_bits=1).model
    pools = {-1: list(product(range(2))), 0: [0, 1]}
    pools |= {level: list(product(range(size), repeat=size)) for level, size in enumerate(SMALL.N, start=1)}
    replay = Replay(Transcripts(model, SMALL), Word.parse(word), theorem, pools, (2, 2), Accounting())
    (level_step,) = replay.run()
    assert level_step.inputs == 256
    assert level_step.good
    assert level_step.cover == 2
    assert len(replay.members) > 1
    assert len(replay.transcripts.instances) == len(list(enumerate_inputs(SMALL)))
    assert t_run.ends_with_a_pair(replay)
