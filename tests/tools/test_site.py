"""The site: every public name has its place, links of the repository become links of pages, a broken one fails."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import separation
from separation import programs, testing

pytest.importorskip("mkdocs")
from tools.docs.doctests import fenced_examples
from tools.docs.site import CODE, ROOT, _as_text, api_page, public_names, relinked


def test_every_public_name_is_on_the_page_of_the_api() -> None:
    shown = re.findall(r"^::: (.*)$", api_page(), flags=re.MULTILINE)
    assert len(shown) == len(set(shown))
    last = {name.rpartition(".")[2] for name in shown}
    assert last == {*separation.__all__, *programs.__all__, *testing.__all__} - {"__version__"}
    assert all(names for names in public_names().values()), "no room without a name"


def test_links_lead_to_pages_and_other_files_are_named() -> None:
    text = "[a](docs/theory.md#symbols) [b](CONTRIBUTING.md) [c](tools/smoke.py) [d](#here) ![e](docs/figures/task.svg)"
    there = "[a](theory.md#symbols) [b](CONTRIBUTING.md) c (`tools/smoke.py`) [d](#here) ![e](figures/task.svg)"
    assert relinked(text, "README.md", "index.md") == there
    assert relinked("[x](../README.md) [y](../corpus/README.md)", "docs/a.md", "a.md") == "[x](index.md) [y](corpus.md)"


def test_lists_behind_text_are_lists_and_brackets_are_no_links() -> None:
    text = "Two:\n- `x[a][b]`\n- x[a][b]\n\n```\na:\n- b\n```\n"
    shown = CODE.sub(_as_text, text)
    assert shown == "Two:\n\n- `x[a][b]`\n- x[a]\\[b]\n\n```\na:\n- b\n```\n"
    assert CODE.sub(_as_text, shown) == shown.replace("\\[b]", "\\[b]")


def test_examples_are_code() -> None:
    assert fenced_examples("A.\n\n>>> f()\n1\n>>> g()\n\nB.") == "A.\n\n```pycon\n>>> f()\n1\n>>> g()\n```\n\nB."
    assert fenced_examples("No example.") == "No example."


@pytest.mark.slow
@pytest.mark.parametrize("broken", [False, True])
def test_the_site_is_built_and_a_link_that_leads_nowhere_fails(broken: bool, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    for kept in ("separation", "constructions", "proofs_checks", "tools"):
        (tmp_path / kept).symlink_to(ROOT / kept)
    if broken:
        with (tmp_path / "docs" / "glossary.md").open("a") as page:
            page.write("\n[nowhere](theory.md#no-such-heading)\n")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == broken, done.stderr
    assert ("no-such-heading" in done.stderr) == broken
    if not broken:
        site = tmp_path / "site"
        anchors = (site / "api.html").read_text(encoding="utf-8")
        assert all(f'id="{name}"' in anchors for names in public_names().values() for name in names)
        formulas = re.findall(
            r'<div class="math">.*?</div>', (site / "statements.html").read_text(encoding="utf-8"), re.S
        )
        assert len(formulas) > 40
        assert [text for text in formulas if "\\" in text] == [], "all of LaTeX is drawn"
        assert (site / "search" / "search_index.json").is_file()
        assert '<iframe class="lesson" src="lesson_page.html"' in (site / "lesson.html").read_text(encoding="utf-8")
        assert "<script" in (site / "lesson_page.html").read_text(encoding="utf-8")
