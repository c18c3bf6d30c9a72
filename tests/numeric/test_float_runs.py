"""Every construction answers right in every type, on both paths and on every device that is there."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch
from float_cases import CASES, DEVICES, construction, inputs

from constructions import build
from separation.numeric import DTYPES, PATHS, arithmetic_of
from separation.numeric.session import Session, decode
from separation.proving import Construction
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes, Thoughts
from separation.tasks.two_sum import TwoSumSizes


def answers(subject: Construction, prompts: Any, dtype: str, path: str, device: str = "cpu") -> Any:
    arithmetic = arithmetic_of(dtype, path)
    if isinstance(subject.sizes, Thoughts):
        return decode(subject.model, prompts, subject.sizes.steps, arithmetic, device)
    every_row = isinstance(subject.sizes, TwoSumSizes)
    session = Session(subject.model, len(prompts), arithmetic, device, every_row=every_row)
    session.read(prompts)
    return session.answers()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", CASES)
def test_answers_are_those_of_the_oracle(name: str, device: str) -> None:
    subject = construction(name)
    prompts, expected = inputs(subject)
    assert len(prompts) > 10
    for dtype, path in product(DTYPES, PATHS):
        np.testing.assert_array_equal(answers(subject, prompts, dtype, path, device), expected, f"{dtype}, {path}")


@pytest.mark.parametrize("name", [name for name in CASES if name != "C4"])
def test_reading_token_by_token_is_reading_at_once(name: str) -> None:
    """Keys and states that are kept are those that a whole read makes."""
    subject = construction(name)
    ids = inputs(subject)[0][:2]
    arithmetic = arithmetic_of("float64")
    whole = Session(subject.model, len(ids), arithmetic)
    whole.read(ids)
    steps = Session(subject.model, len(ids), arithmetic)
    for place in range(ids.shape[1]):
        steps.read(ids[:, place : place + 1])
    assert torch.allclose(whole.logits(), steps.logits(), rtol=0, atol=1e-12)


def test_whole_matrices_are_read_once() -> None:
    subject = construction("C4")
    ids = inputs(subject)[0][:1]
    session = Session(subject.model, 1, arithmetic_of("float32"))
    session.read(ids)
    with pytest.raises(ValueError, match="a whole prompt at once"):
        session.read(ids)


@pytest.mark.parametrize("quick", [False, True])
def test_blocks_of_keys_do_not_change_the_answer(quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of 8 keys, pieces of a few tokens, quick sums of one query: all that long prompts go through."""
    monkeypatch.setattr("separation.numeric.arithmetic.ENTRIES_AT_ONCE", 8)
    monkeypatch.setattr("separation.numeric.session.PIECE_ENTRIES", 500)
    monkeypatch.setattr("separation.numeric.session.ANSWERS_AT_ONCE", 100)
    if quick:
        monkeypatch.setattr("separation.numeric.readers.LONGEST_BLOCK", 7)
    for name, dtype in product(CASES, DTYPES if quick else ("float32",)):
        subject = construction(name)
        prompts, expected = (part[-3:] for part in inputs(subject))
        batches = [one[None] for one in prompts] if quick else [prompts]
        found = np.concatenate([answers(subject, batch, dtype, "rows") for batch in batches])
        np.testing.assert_array_equal(found, expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["C1", "C2", "C4", "C5", "C6"])
def test_a_million_tokens(name: str) -> None:
    """Only the rows that the answer needs: 2^20 keys of a prompt on a small machine."""
    sizes: Any = TwoSumSizes(1 << 20, (1 << 40) + 1) if name == "C6" else Sizes(64, (128, 128))
    if name == "C4":  # every row of it is needed
        sizes = Sizes(32, (32, 16))
    subject = build(name, sizes)
    prompts, expected = hard_inputs(subject.sizes, 0, 1, families=False)
    if isinstance(subject.sizes, Thoughts):
        found: Any = decode(subject.model, prompts, subject.sizes.steps, arithmetic_of("bfloat16"))
    else:
        session = Session(subject.model, len(prompts), arithmetic_of("bfloat16"), capacity=prompts.shape[1])
        session.read(prompts)
        found, expected = session.answers(), expected if expected.ndim == 1 else expected[:, -1]
    np.testing.assert_array_equal(found, expected)
