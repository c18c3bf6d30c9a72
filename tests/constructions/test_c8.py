"""C8 and C9: weights with exact scores, every input run by the kernel; a changed weight is caught."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import separation
from constructions import c8, c9
from separation.arithmetic import ExactMatrix
from separation.files import InputError, json_text, write_whole
from separation.models.forward import run, streams
from separation.proving import Construction, kernel
from separation.proving.by_running import accuracy, exhaustive_certificate
from separation.tasks.funccomp import Sizes, answer, enumerate_token_ids, sample, token_ids


@pytest.mark.parametrize("sizes", [(4, 3, 2, 1, 2), (3, 5, 1, 2, 2), (6, 3, 2, 1, 3)])
def test_every_input_of_c8_is_answered(sizes: tuple[int, ...], tmp_path) -> None:  # type: ignore[no-untyped-def]
    certificate = exhaustive_certificate(c8.build(c8.Workspace(*sizes)))
    assert certificate["claim"]["inputs"] == (sizes[1] - 1) ** (sizes[0] + 1)
    assert accuracy(certificate) == 1
    write_whole(tmp_path / "c8.json", json_text(certificate))
    assert separation.check(tmp_path / "c8.json").ok


@pytest.mark.parametrize(
    ("name", "options", "inputs"),
    [
        ("C8", {"sizes": "length=3"}, 16),
        ("C9", {"L": 2, "m": 2, "n": (1,)}, 32),
        ("C1.squares", {"L": 2, "m": 2, "n": (1,)}, 32),
    ],
)
def test_they_are_known_by_their_names(name: str, options: dict[str, Any], inputs: int) -> None:
    proved = separation.prove(name, **options)
    assert (proved.ok, proved.verdict, proved.facts()["inputs"]) == (True, "right on every input", inputs)
    assert separation.solve(name, seed=3, **options).ok
    assert name in str(separation.show(name, **options))
    with pytest.raises(InputError, match="running every input does not go with --path"):
        separation.prove(name, path="both", **options)


def test_what_is_too_much_or_missing_is_said_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "MAX_WORK", 1 << 20)
    with pytest.raises(InputError, match=r"more work than .* smaller sizes have fewer"):
        separation.prove("C8", sizes="length=16,modulus=5,block=2,opened=2")
    with pytest.raises(InputError, match=r"more work than .*; that these weights are right at every size .* in Coq"):
        separation.prove("C1.squares", L=3, m=4, n=(4, 4))
    with pytest.raises(InputError, match="C8 has no --length"):
        separation.prove("C8", length=4)
    with pytest.raises(InputError, match=r"would take about .* GB"):
        separation.prove("C8", sizes="length=100000000000000,block=10000000")


@pytest.mark.parametrize("part", ["w_q", "w_k", "w_v", "c_k", "w_o"])
@pytest.mark.parametrize("place", [0, 1])
def test_a_changed_head_of_c8_is_caught(part: str, place: int) -> None:
    built = c8.build(c8.Workspace(4, 3, 2, 1, 2))
    (head,) = built.model.layers[place].heads
    matrix = getattr(head, part)
    other: Any = {part: ExactMatrix.from_rows([[-entry for entry in row] for row in matrix.fractions()])}
    changed = replace(built.model.layers[place], heads=(replace(head, **other),))
    layers = tuple(changed if k == place else layer for k, layer in enumerate(built.model.layers))
    assert _share_right(Construction("C8", built.sizes, replace(built.model, layers=layers))) < 1


def _share_right(construction: Construction) -> Fraction:
    """0 if the exact run refuses an input, as a score is above the shift."""
    try:
        return accuracy(exhaustive_certificate(construction))
    except InputError as refused:
        return Fraction(int("refuses an input" not in str(refused)))


@pytest.mark.parametrize("sizes", [(5, 3, 2, 1, 2), (4, 4, 2, 1, 2), (4, 3, 2, 1, 1), (0, 3, 1, 1, 2)])
def test_what_c8_does_not_solve_is_refused(sizes: tuple[int, ...]) -> None:
    with pytest.raises(InputError):
        c8.Workspace(*sizes)


@pytest.mark.parametrize("sizes", [Sizes(2, (2,)), Sizes(3, (1,)), Sizes(2, (1, 1))])
def test_every_input_of_c9_is_answered(sizes: Sizes) -> None:
    assert accuracy(exhaustive_certificate(c9.build(sizes))) == 1


@pytest.mark.parametrize("sizes", [Sizes(5, (3,)), Sizes(4, (3, 2)), Sizes(16, (8,)), Sizes(8, (1, 4))])
def test_c9_at_larger_sizes(sizes: Sizes) -> None:
    inputs = [sample(sizes, seed) for seed in range(4)]
    found = run(c9.weights(sizes), np.array([token_ids(each) for each in inputs])).answers
    assert list(found) == [answer(each) for each in inputs]


def test_the_messages_of_c9_are_no_more_than_counted() -> None:
    """All inputs of a tiny size: how many different things each head of layer 1 brings to any token."""
    sizes = Sizes(2, (2,))
    model = c9.weights(sizes)
    ids = np.concatenate([block for block, _ in enumerate_token_ids(sizes, 512)])
    after = list(streams(model, ids))[1].values
    heads = [(f"ahead {digit}", sizes.N[-1]) for digit in range(2)] + [("start", sizes.m)]
    for slot, most in heads:
        assert len(np.unique(after[..., model.stream[slot][0]])) <= most + 1
    assert c9.beta(sizes) == max(2 * 3 + 2, 5)


def test_the_bracket_of_two_full_layers() -> None:
    """Excluded below, weights above, at every row; a β that is excluded is never enough."""
    rows = c9.two_layer_rows()
    assert all(row.impossible is None or row.impossible < row.built for row in rows)
    assert sum(row.impossible is not None for row in rows) >= 6
