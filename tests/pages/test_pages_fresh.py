"""What the pages say is what is computed now."""

from __future__ import annotations

from pathlib import Path

import pytest

from separation.pages import PARTS, Part

ROOT = Path(__file__).parents[2]


def case(part: Part) -> object:
    """One part of one page; those that take long have their quick tests elsewhere, as said in the catalogue."""
    marks = [pytest.mark.slow] if part.slow else []
    return pytest.param(part, marks=marks, id=f"{part.page}: {part.name[:40]}")


@pytest.mark.parametrize("part", [case(part) for part in PARTS])
def test_a_part_says_what_is_computed(part: Part) -> None:
    text = (ROOT / part.page).read_text(encoding="utf-8")
    false = text
    for start, stop in reversed(part.spans(text)):
        false = f"{false[:start]}41{false[stop:]}"
    assert false != text, "a number that is changed is seen"
    assert part.rewritten(false) == text, "stale: separation proofs --markdown --docs ."


def test_few_parts_are_slow() -> None:
    assert [part.name for part in PARTS if part.slow] == ["statements", "certified"]


def test_every_marker_has_a_part() -> None:
    for page in ("README.md", *(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))):
        text = (ROOT / page).read_text(encoding="utf-8")
        marked = [line for line in text.splitlines() if line.startswith("<!-- generated:")]
        known = {f"<!-- generated: {part.name} -->" for part in PARTS if part.page == page}
        assert set(marked) <= known, page
        assert text.count("<!-- /generated -->") == len(marked), page
