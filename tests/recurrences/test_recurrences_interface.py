"""One interface, any number type: initial state, step, read-out, and the bits of the state."""

from __future__ import annotations

from pathlib import Path

import pytest

from separation.recurrences import FAMILIES, REFERENCES, TWINS, Recurrence

DOCUMENT = Path(__file__).parents[2] / "docs" / "recurrences.md"


every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def test_every_family_is_here_with_a_twin_and_a_reference() -> None:
    assert list(FAMILIES) == list(TWINS) == list(REFERENCES)
    for name, twin in TWINS.items():
        assert isinstance(twin, type(FAMILIES[name]))
        assert type(twin).__doc__.startswith("Broken: ")


@every_family
def test_the_document_says_what_the_code_says(family: Recurrence) -> None:
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
