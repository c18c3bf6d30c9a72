"""No page has a number that nobody accounts for: computed, tested, or on the list of those that are no results."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from page_numerals import REASONS, ROOT, Allowed, allowed, pages, untold

TEXTS = {page: (ROOT / page).read_text() for page in pages()}
FRAGMENTS = {page: [entry.fragment for entry in allowed() if entry.page == page] for page in TEXTS}


@pytest.mark.parametrize("page", TEXTS)
def test_every_numeral_is_accounted_for(page: str) -> None:
    found = untold(page, TEXTS[page], FRAGMENTS[page])
    assert not found, "results belong in separation/pages, other numbers in tests/pages/allowed_numerals.txt"


@pytest.mark.parametrize("page", TEXTS)
@pytest.mark.parametrize(
    "planted",
    [
        "It takes 41 tokens.",
        "It is 3.7 times as fast (0.57 of the bandwidth).",
        "| C9 | 41 |",
        "The gain is 2^39.96 now.",
        "So n = 41.",
        "So n=41.",
        "It took 12s and 3GB.",
        "There are seven of them.",
        "<!-- times -->\n| 41 s |\n<!-- end of times -->",
        "- *Errors* of 1.5·10^-9, and 1e-7.",
        "```\nthe answer is 41\n```",
        "```\nseparation prove C1  # takes 41 steps\n```",
    ],
)
def test_a_planted_number_is_caught(page: str, planted: str) -> None:
    assert untold(page, f"{TEXTS[page]}\n{planted}\n", FRAGMENTS[page])


def test_names_formulas_and_code_are_no_results() -> None:
    text = "## 41\n\nN_0 = 2·x of C7 in float32, `41`, b − 41 + bη, [here](page.md#41)\n\n    41 steps\n\n3. third\n"
    assert untold("README.md", TEXTS["README.md"] + text, FRAGMENTS["README.md"]) == []


def test_a_measurement_names_the_command_that_wrote_it() -> None:
    text = "<!-- times, written by python -m separation.bench -->\n| 41 s |\n<!-- end of times -->\n"
    assert untold("docs/new.md", text, []) == []
    assert untold("docs/new.md", text.replace(", written by python -m separation.bench", ""), [])


@pytest.mark.parametrize("entry", allowed(), ids=lambda entry: f"{entry.page}: {entry.fragment[:30]}")
def test_the_list_is_short_and_true(entry: Allowed) -> None:
    page, reason, fragment = entry.page, entry.reason, entry.fragment
    kind, _, where = reason.partition(" ")
    assert kind in REASONS
    assert (kind == "tested") == bool(where)
    assert untold(page, TEXTS[page], [other for other in FRAGMENTS[page] if other != fragment]), "not needed"
    if where:
        file, _, name = where.partition("::")
        assert re.search(rf"^def {name}\(", Path(ROOT / file).read_text(), flags=re.MULTILINE), where
