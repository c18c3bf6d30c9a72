"""The numbers of docs/mutation.md outside its block are those of tools/mutation, and a false one is noticed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from separation.pages import Sentence
from tools.mutation.report import LEAST
from tools.mutation.running import AT_LEAST, SLOWER
from tools.mutation.state import digest
from tools.mutation.targets import TARGETS

ROOT = Path(__file__).parent.parent.parent
PAGE = "docs/mutation.md"
TEXT = (ROOT / PAGE).read_text()
RECORD = ROOT / "tests" / "proving" / "test_checker_verdicts.json"
WORDS = {10: "ten"}


def pinned() -> tuple[str]:
    """The minor version of mutmut that pyproject.toml asks for."""
    found = re.search(r"mutmut==(\d+\.\d+)\.", (ROOT / "pyproject.toml").read_text())
    assert found
    return (found[1],)


SENTENCES = (
    Sentence(PAGE, "| `separation/bounds/*.py` | {}, drawn with seed 0 |", lambda: (TARGETS["bounds"].sample,)),
    Sentence(PAGE, "without the kernel | {}, drawn with seed 0 |", lambda: (TARGETS["proving"].sample,)),
    Sentence(PAGE, "over names and contents, {} digits)", lambda: (len(digest(ROOT, [])),)),
    Sentence(PAGE, "The exit status is 0 if at least {} % are killed", lambda: (f"{LEAST:g}",)),
    Sentence(PAGE, "and that they are at least {} %. They do", lambda: (f"{LEAST:g}",)),
    Sentence(PAGE, "- **mutmut** ({}) makes the changes", pinned),
    Sentence(PAGE, "({} s and {} times what it took)", lambda: (f"{AT_LEAST:g}", WORDS[round(SLOWER)])),
)


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda sentence: sentence.template)
def test_a_number_is_that_of_the_script(sentence: Sentence) -> None:
    false = TEXT
    for start, stop in reversed(sentence.spans(TEXT)):
        false = f"{false[:start]}41{false[stop:]}"
    assert false != TEXT
    assert sentence.rewritten(false) == TEXT


def test_every_mutant_of_the_kernel_is_run() -> None:
    assert TARGETS["kernel"].sample == 0


def test_the_record_has_a_few_thousand_changes() -> None:
    changes = sum(len(case["changes"]) for case in json.loads(RECORD.read_text()).values())
    assert "a few thousand single changes" in TEXT
    assert 2000 <= changes < 6000
