"""Generated blocks say what is computed now, a false one is found, and a block that is not there is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.docs import BLOCKS, Block, PageError
from tools.docs import __main__ as command
from tools.docs.__main__ import ROOT, main, stale_blocks

pytestmark = pytest.mark.usefixtures("remembered_searches")

TEXT = """# Page

<!-- generated: table -->
| 39 |
<!-- /generated -->

The end.
"""
TABLE = Block("docs/page.md", "table", lambda: "| 40 |")


def case(block: Block) -> object:
    """Slow blocks have quick tests of some of their rows elsewhere."""
    marks = [pytest.mark.slow] if block.slow else []
    return pytest.param(block, marks=marks, id=f"{block.page}: {block.name}")


@pytest.mark.parametrize("block", [case(block) for block in BLOCKS])
def test_a_block_says_what_is_computed_and_a_false_one_is_put_right(block: Block) -> None:
    text = (ROOT / block.page).read_text(encoding="utf-8")
    start, end = block.span(text)
    false = f"{text[:start]}41\n{text[end:]}"
    assert false != text
    assert block.rewritten(false) == text, "stale: python -m tools.docs"


def test_every_marker_has_a_block() -> None:
    for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md")):
        page, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        marked = [line for line in text.splitlines() if line.startswith("<!-- generated:")]
        assert sorted(marked) == sorted(f"<!-- generated: {each.name} -->" for each in BLOCKS if each.page == page), (
            page
        )
        assert text.count("<!-- /generated -->") == len(marked), page


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / TABLE.page).write_text(TEXT)
    return tmp_path


def test_a_check_finds_a_stale_block_and_writes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "BLOCKS", [TABLE])
    assert main(["--check", "--root", str(folder)]) == 1
    assert (folder / TABLE.page).read_text() == TEXT
    assert capsys.readouterr().out == "stale: docs/page.md: table\n1 of 1 blocks stale\n"
    assert main(["--root", str(folder)]) == 0
    assert (folder / TABLE.page).read_text() == TEXT.replace("39", "40")
    assert main(["--check", "--root", str(folder)]) == 0


def test_a_falsified_copy_of_the_docs_is_found(tmp_path: Path) -> None:
    (block,) = (each for each in BLOCKS if (each.page, each.name) == ("docs/bounds.md", "delayed"))
    (tmp_path / "docs").mkdir()
    copy = tmp_path / block.page
    text = (ROOT / block.page).read_text(encoding="utf-8")
    copy.write_text(text, encoding="utf-8")
    assert stale_blocks(tmp_path, [block]) == []
    copy.write_text(text.replace("| 2 | – | 4 |", "| 2 | – | 5 |"), encoding="utf-8")
    assert stale_blocks(tmp_path, [block]) == ["docs/bounds.md: delayed"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TEXT.replace("table", "figure"), "has 0 markers 'generated: table'"),
        (TEXT + TEXT, "has 2 markers 'generated: table'"),
        (TEXT.replace("<!-- /generated -->", ""), "the block 'table' does not end"),
        (TEXT.replace("| 39", "<!-- generated: other -->\n| 39"), "the block 'table' does not end"),
    ],
)
def test_a_block_that_is_not_there_is_named(text: str, message: str) -> None:
    with pytest.raises(PageError, match=message):
        TABLE.rewritten(text)


def test_a_missing_page_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check", "--root", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("docs: error: ")
