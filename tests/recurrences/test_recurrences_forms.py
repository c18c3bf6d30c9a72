"""Recurrence and parallel form, whole and in chunks of any size from any state, are one function: symbolically,
exactly, in floating point; and no broken twin is. The table of the page says what the code says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from separation.recurrences import (
    FAMILIES,
    REFERENCES,
    TWINS,
    Inputs,
    Recurrence,
    check_chunked,
    check_exact,
    check_float,
    check_symbolic,
    fractions,
)
from separation.recurrences.recurrence import State

SIZES = {"d_k": 3, "d_v": 2, "d": 4, "w": 3, "n_h": 2}
SHORT: dict[str, Any] = {"tokens": 48, "sizes": {"d_k": 8, "d_v": 4, "d": 8, "w": 9, "n_h": 2}, "chunk": 7}

DOCUMENT = Path(__file__).parents[2] / "docs" / "recurrences.md"

every_name = pytest.mark.parametrize("name", FAMILIES)


@every_name
def test_chunks_that_are_shorter_than_a_window(name: str) -> None:
    """Of the length of a window, and whole: the checks of the statement R.families."""
    xs = fractions(FAMILIES[name], 7, SIZES, seed=5)
    for size in (1, 2):
        assert (FAMILIES[name].chunked(xs, size) == FAMILIES[name].run(xs)).all(), size


def forgetful(family: Recurrence) -> Recurrence:
    """Broken: every chunk starts from the initial state."""

    class Forgetful(type(family)):  # type: ignore[misc]
        def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:  # noqa: ARG002
            return super().chunk(self.initial(xs.sizes), xs)

    return Forgetful()


def stale(family: Recurrence) -> Recurrence:
    """Broken: the state that is handed on is the one before the chunk's last token."""

    class Stale(type(family)):  # type: ignore[misc]
        def chunk(self, state: State, xs: Inputs) -> tuple[Any, State]:
            outputs, after = super().chunk(state, xs)
            kept = super().chunk(state, xs.part(0, xs.tokens - 1))[1] if xs.tokens > 1 else after
            return outputs, kept

    return Stale()


@every_name
@pytest.mark.parametrize("twin", [forgetful, stale])
def test_a_chunk_that_forgets_is_rejected(name: str, twin: Any) -> None:
    broken = twin(FAMILIES[name])
    assert (broken.parallel(fractions(broken, 5, SIZES, 0)) == FAMILIES[name].run(fractions(broken, 5, SIZES, 0))).all()
    assert check_exact(broken).holds is False
    assert check_chunked(broken, **SHORT).holds is False
    assert check_symbolic(broken).holds is False


@pytest.mark.slow
@every_name
def test_real_sizes(name: str) -> None:
    for seed in (1, 2):
        assert check_chunked(FAMILIES[name], seed=seed).holds
        assert check_float(FAMILIES[name], seed=seed).holds


def test_every_family_is_here_with_a_twin_and_a_reference() -> None:
    assert list(FAMILIES) == list(TWINS) == list(REFERENCES)
    for name, twin in TWINS.items():
        assert isinstance(twin, type(FAMILIES[name]))
        assert type(twin).__doc__.startswith("Broken: ")


@every_name
def test_the_document_says_what_the_code_says(name: str) -> None:
    family = FAMILIES[name]
    row = next(
        line
        for line in DOCUMENT.read_text().splitlines()
        if line.startswith((f"| [{family.name}]", f"| {family.name} |"))
    )
    row = row.replace("\\|", "|")
    assert f"`{family.formula}`" in row
    assert f"`{family.parallel_formula}`" in row
    assert f"| {str(family.bits()).replace('*', '·')} |" in row
    assert f"arxiv.org/abs/{family.arxiv})" in row or not family.arxiv
    reference = REFERENCES[family.id]
    assert f"| {family.name} | `{reference.module}.{reference.function}` |" in DOCUMENT.read_text()
