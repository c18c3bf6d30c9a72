"""Programs in floats: what is certified is right on all inputs, and a bound that leaves rounding out is found wrong."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from constructions.programs import gallery
from separation.numeric import float_programs
from separation.numeric.crosscheck import CrossCheck, crosscheck
from separation.numeric.float_errors import Values
from separation.programs import CompiledProgram, Program
from separation.proving import Construction
from separation.proving.kernel_programs import Derivation
from separation.tasks.program import answers
from separation.tasks.program.oracle import all_inputs

CERTIFIED = ["previous_token", "induction", "two_hop_recall", "parity", "s3_words", "state_based_recall"]
LENGTH = 3  # tokens of a kind without end


@functools.cache
def case(name: str) -> tuple[Construction, np.ndarray, np.ndarray]:
    """A small program of the gallery with its first 120 inputs, all of them if they are fewer."""
    program = gallery(name).definitions
    program = program.at_length(LENGTH) if program.is_endless else program
    construction = CompiledProgram.of(program, None).construction
    prompts = [ids for _, ids in zip(range(120), all_inputs(program), strict=False)]
    expected = np.array([answers(program, ids) for ids in prompts])
    return construction, np.array(prompts), expected if construction.task.answers_every_token else expected[:, -1]


def in_floats(name: str, dtype: str, path: str = "rows") -> CrossCheck:
    return crosscheck(*case(name), dtype=dtype, device="cpu", path=path)


@pytest.mark.parametrize("path", ["rows", "full"])
@pytest.mark.parametrize("name", CERTIFIED)
def test_a_certified_program_is_right_on_all_inputs(name: str, path: str) -> None:
    found = in_floats(name, "float32", path)
    assert found.ok, found.reason
    narrow = in_floats(name, "bfloat16", path)
    assert narrow.mismatches == narrow.outside == 0
    assert narrow.ok == (path == "rows" or name == "previous_token")  # elsewhere the bound is too large


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_count_is_compared_with_the_exact_run_of_its_own_precision(dtype: str) -> None:
    """Its temperature goes with its P, so the run that floats are compared with is not the one of 96 bits."""
    found = in_floats("histogram", dtype)
    assert found.ok
    assert 2**-14 < found.max_error < found.bound < 0.01  # the exact run rounds down to multiples of 2^-10


def test_a_program_without_layers_is_compared_too() -> None:
    p = Program("echo")
    text = p.tokens("text", 2, letter=2)
    p.answer(text.letter)
    prompts = np.array([*all_inputs(p.definitions)])
    expected = np.array([answers(p.definitions, ids) for ids in prompts])
    found = crosscheck(p.compile().construction, prompts, expected, dtype="float32", device="cpu")
    assert found.ok
    assert found.compared == len(prompts) == 4


def test_what_is_wrong_in_floats_is_not_certified_and_would_be_if_nothing_were_rounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = in_floats("selective_copying", "bfloat16")
    assert found.mismatches > 0
    assert found.bound is None
    assert found.reason
    for name in ("mapped", "stored"):
        monkeypatch.setattr(float_programs, name, _without_error(getattr(float_programs, name)))
    monkeypatch.setattr(float_programs, "read_error", lambda *a: np.zeros_like(a[4][0]))
    monkeypatch.setattr(float_programs, "any_read_error", lambda *a: np.zeros_like(a[0][0]))
    monkeypatch.setattr(float_programs.FloatDerivation, "rounding", lambda *_: np.zeros(1))
    monkeypatch.setattr(float_programs.FloatDerivation, "count", _exact_count)
    assert in_floats("selective_copying", "bfloat16").bound is not None


def _exact_count(self: float_programs.FloatDerivation, d: Any, *rest: Any) -> Any:
    self.sure.add(d.kind)
    return Derivation.count(self, d, *rest)


def _without_error(step: Callable[..., Values]) -> Callable[..., Values]:
    def blind(*arguments: Any) -> Values:
        values = step(*arguments)
        return values.with_error(np.zeros_like(values.error))

    return blind
