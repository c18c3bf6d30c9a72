"""Any program and a model with R layers alone: two inputs with one state and two right answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from constructions.programs import gallery
from separation import fool
from separation.files import InputError
from separation.fooling import Budget, find_program_pair
from separation.programs import Program
from separation.proving import Construction, save_construction
from separation.proving.kernel import check_certificate
from separation.tasks.program import answers


def parity(tokens: int = 6) -> Program:
    p = Program("parity")
    _, bits = p.start(), p.tokens("bits", tokens, x=2)
    p.answer(p.scan(lambda odd, x: odd ^ x, bits.x, name="odd"))
    return p


def two_in_a_row(tokens: int = 6) -> Program:
    p = Program("two ones in a row")
    _, bits = p.start(), p.tokens("bits", tokens, x=2)
    state = p.automaton([[0, 1], [0, 2], [2, 2]], bits.x, name="state")
    p.answer(p.map(lambda s: s == 2, state, size=2, name="seen"))
    return p


def test_the_weights_of_parity_are_fooled_about_another_program(tmp_path: Path) -> None:
    wrong = Construction("parity", two_in_a_row().definitions, parity().compile().model)
    report: Any = fool(wrong, seconds=20, out=tmp_path / "wrong.json")
    pair = report.search.pair
    assert report.ok
    assert pair.first[pair.cut :] == pair.second[pair.cut :]
    assert pair.first[: pair.cut] != pair.second[: pair.cut]
    dues = [answers(pair.program, ids)[pair.place - 1] for ids in (pair.first, pair.second)]
    assert tuple(dues) == pair.due
    assert dues[0] != dues[1]
    assert check_certificate(json.loads((tmp_path / "wrong.json").read_text())).ok
    save_construction(tmp_path / "model.json", wrong)
    again: Any = fool(model=tmp_path / "model.json", seconds=20)
    assert again.search.pair.document() == pair.document()
    with pytest.raises(InputError, match="a program does not go with --thoughts, --workers"):
        fool(model=tmp_path / "model.json", thoughts=2, workers=2)


@pytest.mark.parametrize("program", [parity(), two_in_a_row()], ids=lambda p: str(p.name))
def test_right_weights_are_not_fooled(program: Program) -> None:
    """The twin: states are shared here, too, but no continuation has two answers."""
    found = find_program_pair(program.compile(), program, budget=Budget(seconds=3, samples=256))
    assert found.pair is None
    assert found.states < found.beginnings


def test_full_attention_has_no_state() -> None:
    with pytest.raises(InputError, match="states alone cross a boundary of R layers only"):
        find_program_pair(gallery("induction").compile(), gallery("induction"))


def test_a_model_of_ones_own_tells_its_state() -> None:
    class Counts:
        """Knows how many ones there were, and not where."""

        def forward(self, prompts: Any) -> Any:
            return (self.state(prompts)[:, 0] >= 2).astype(np.int64)

        def state(self, prefixes: Any) -> Any:
            return (np.atleast_2d(prefixes)[:, 1:] == 2).sum(axis=1, keepdims=True)

    pair = find_program_pair(Counts(), two_in_a_row()).pair
    assert pair is not None
    assert sum(pair.first[: pair.cut]) == sum(pair.second[: pair.cut])
