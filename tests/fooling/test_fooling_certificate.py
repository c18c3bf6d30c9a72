"""Certificates of pairs: what is false is refused, and a replay runs the model and its players."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable

import pytest
from certificate_cases import certificate as of_the_corpus
from document_mutations import Document, put
from pair_cases import map_case, recurrent_certificate, sparse_certificate

from separation.files import InputError
from separation.fooling.pair import replay
from separation.proving.kernel import Malformed, check_certificate

RECURRENT = {
    "R": (1, 3, (), 4, 1),
    "RR with thoughts": (2, 3, (), 3, 3),
    "two tables": (1, 2, (2,), 5, 1),
}


def certificate(name: str) -> Document:
    if name == "S":
        return sparse_certificate()
    return recurrent_certificate(*RECURRENT[name])


@pytest.mark.parametrize("name", [*RECURRENT, "S"])
def test_an_output_that_is_false_for_both_inputs_is_rejected(name: str) -> None:
    """Outputs are checked, not generated: each one, a thought too, must be what the model says after those before."""
    document = certificate(name)
    said, answers = document["claim"]["output_a"], document["model"]["unembedding"]["stored"]["shape"][0]
    for place, token in itertools.product(range(len(said)), range(answers + 2)):
        other = [*said[:place], token, *said[place + 1 :]]
        both = put(put(document, ("claim", "output_a"), other), ("claim", "output_b"), other)
        verdict = check_certificate(both)
        assert verdict.ok == (other == said)
        assert verdict.ok or "the model says" in verdict.message or "no answers" in verdict.message


@pytest.mark.parametrize("made", [lambda: certificate("R"), lambda: of_the_corpus("pair", "delta")])
def test_a_head_without_keys_says_what_a_head_without_values_says(made: Callable[[], Document]) -> None:
    """A state without rows says 0, one without columns says nothing: the same verdict, and no crash."""
    verdicts = []
    for empty, cut in (("W_Q W_K b_Q b_K", ""), ("W_V", "W_O")):
        document = copy.deepcopy(made())
        (head,) = document["model"]["layers"][0]["heads"]
        head |= {key: {"shape": [0, head[key]["shape"][1]], "entries": []} for key in empty.split() if key in head}
        head |= {key: {"shape": [head[key]["shape"][0], 0], "entries": []} for key in cut.split()}
        document["claim"]["transcript"][0]["numbers"] = []
        verdicts.append(check_certificate(document))
    assert verdicts[0].ok == verdicts[1].ok
    assert verdicts[0].message == verdicts[1].message


@pytest.mark.parametrize("name", [*RECURRENT, "S"])
def test_replay_runs_the_model_and_its_players(name: str) -> None:
    document = certificate(name)
    again = replay(document)
    assert again.ok
    assert again.messages_equal is (None if name == "S" else True)
    wrong = put(document, ("claim", "output_a", 0), document["claim"]["output_a"][0] + 1)
    assert not replay(wrong).ok
    with pytest.raises(InputError, match="there is no model to replay"):
        replay(map_case())


def test_replay_sees_states_that_differ() -> None:
    """The twin of the players' check: two inputs whose states differ."""
    document = copy.deepcopy(certificate("R"))
    verdicts = set()
    for table in itertools.product(range(3), repeat=3):
        document["claim"]["b"]["tables"][0] = list(table)
        verdicts.add(replay(document).messages_equal)
    assert verdicts == {True, False}


def test_other_words_have_no_pairs() -> None:
    """One S layer with a second layer, even an empty one; S with thoughts: no rule, so no verdict."""
    document = sparse_certificate()
    longer = put(document, ("model", "layers"), [*document["model"]["layers"], {"heads": [], "mlps": []}])
    thinking = put(document, ("claim", "output_a"), document["claim"]["output_a"] * 2)
    full = copy.deepcopy(document)
    (head,) = full["model"]["layers"][0]["heads"]
    kept = {key: value for key, value in head.items() if key not in ("C_K", "C_V", "block", "opened")}
    full["model"]["layers"][0]["heads"] = [kept | {"type": "full"}]
    full["claim"]["word"] = "F"
    assert not check_certificate(full).ok  # a full layer sees the tokens themselves
    for other in (longer, thinking):
        with pytest.raises(Malformed, match="pairs are defined for F and R layers, and for one S layer"):
            check_certificate(other)
