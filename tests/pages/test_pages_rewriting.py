"""Blocks and sentences are found, written again, and refused where they are not there; the command line says so."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from separation.cli import run
from separation.pages import Block, PageError, Sentence, rewrite_pages

PAGE = "docs/page.md"
TEXT = """# Page

It takes 39 tokens,
and 2^39.95 more: a lot.

<!-- generated: table -->
| 39 |
<!-- /generated -->

The end.
"""
PARTS = (
    Sentence(PAGE, "It takes {} tokens, and 2^{} more", lambda: (40, "39.96")),
    Block(PAGE, "table", lambda: "| 40 |"),
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / PAGE).write_text(TEXT)
    return tmp_path


def test_stale_parts_are_named_and_written(folder: Path) -> None:
    report = rewrite_pages(folder, parts=PARTS)
    assert report.stale == {PAGE: tuple(part.name for part in PARTS)}
    assert report.ok
    assert (folder / PAGE).read_text() == TEXT.replace("39 tokens", "40 tokens").replace("9.95", "9.96").replace(
        "| 39", "| 40"
    )
    again = rewrite_pages(folder, parts=PARTS)
    assert (again.stale, again.ok) == ({}, True)
    assert again.lines() == ["all 2 computed parts say what they said"]
    assert [path.name for path in (folder / "docs").iterdir()] == ["page.md"]


def test_a_check_writes_nothing(folder: Path) -> None:
    report = rewrite_pages(folder, check=True, parts=PARTS)
    assert not report.ok
    assert (folder / PAGE).read_text() == TEXT
    assert report.document()["pages"] == [{"page": PAGE, "stale": [part.name for part in PARTS]}]
    assert report.lines()[-1] == "2 of 2 computed parts are stale"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Sentence(PAGE, "It took {} tokens", lambda: (40,)), "has the sentence 'It took {} tokens' 0 times"),
        (Sentence(PAGE, "{} tokens", lambda: (40,)), "needs a {}, and words before the first and after the last"),
        (Sentence(PAGE, "It takes many tokens", lambda: ()), "needs a {}"),
        (Sentence(PAGE, "takes {} tokens", lambda: (40, 41)), "has 1 places; its values are"),
        (Sentence(PAGE, "takes {} tokens", lambda: ("4 0",)), "has 1 places; its values are"),
        (Block(PAGE, "figure", lambda: ""), "has 0 markers 'generated: figure'"),
    ],
)
def test_a_part_that_is_not_there_is_one_line(part: Block | Sentence, message: str) -> None:
    with pytest.raises(PageError) as error:
        part.rewritten(TEXT)
    assert message in str(error.value)


def test_a_block_without_an_end_is_refused() -> None:
    for text in (TEXT.replace("<!-- /generated -->", ""), TEXT.replace("| 39", "<!-- generated: other -->\n| 39")):
        with pytest.raises(PageError, match="has no end"):
            PARTS[1].rewritten(text)


def test_the_command_line(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("separation.pages.rewrite_pages", partial(rewrite_pages, parts=PARTS))
    command = ["proofs", "--markdown", "--docs", str(folder)]
    assert run([*command, "--check", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["written"] is False
    assert run(command) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 of 2 computed parts were stale and are written again"
    assert run([*command, "--check"]) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--docs", "."], "--docs goes with --markdown, and not with --graph"),
        (["--docs", ".", "--markdown", "--graph", "book.svg"], "--docs goes with --markdown, and not with --graph"),
        (["--check", "--markdown"], "--check goes with --docs"),
        (["--markdown", "--docs", "nowhere"], "nowhere has no README.md, docs/bounds.md"),
    ],
)
def test_bad_input_is_one_line(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["proofs", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("separation: error: ")
    assert captured.err.count("\n") == 1
    assert message in captured.err
