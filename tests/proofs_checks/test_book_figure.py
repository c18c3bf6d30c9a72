"""The picture of the book: every statement and every arrow of the book is in it, with graphviz and without."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from proofs_checks import Statement, Status, all_statements
from proofs_checks.kit.book import claims, dependency_graph
from proofs_checks.kit.rows import StatementRow
from separation.verbs.book_figure import (
    COLOURS,
    FAILED,
    book_dot,
    picture_bytes,
    write_picture,
)
from separation.verbs.proofs import BookRow, ProofsReport

STARTS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF", "dot": b"digraph book {"}
NODE = re.compile(r'^ {4}("(?:\\.|[^"\\])*") \[label=("(?:\\.|[^"\\])*"), fillcolor="(#\w+)"', flags=re.MULTILINE)
ARROW = re.compile(r'^ {4}"([^"]+)" -> "([^"]+)"$', flags=re.MULTILINE)


def report_of(book: list[Statement], failed: str = "") -> ProofsReport:
    """A report with all statuses in turn; nothing is checked."""
    rows = []
    for index, own in enumerate(book):
        status = "failed" if own.id == failed else list(Status)[index % len(Status)].value
        row = StatementRow(own.id, own.title, status, "m", "s", 0.0, own.id != failed, established=status)
        rows.append(BookRow(own, row, tuple(other.id for other in book if own.id in other.rests_on)))
    return ProofsReport(tuple(rows), dependency_graph(book), {}, None)


@pytest.fixture
def no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)


def test_every_statement_and_every_arrow_is_drawn() -> None:
    book = all_statements()
    text = book_dot(report_of(book))
    boxes = [node.strip('"') for node, *_ in NODE.findall(text) if not node.startswith('"legend: ')]
    assert boxes == [own.id for own in book]
    assert set(ARROW.findall(text)) == set(claims(dependency_graph(book), reduced=True).edges)
    without = book_dot(report_of([replace(own, rests_on=()) for own in book]))
    assert ARROW.findall(without) == [], "arrows come from what the statements rest on"


def test_the_picture_says_how_each_is_known() -> None:
    book = all_statements()[: len(Status) + 2]
    found = {node.strip('"'): fill for node, _, fill in NODE.findall(book_dot(report_of(book, failed=book[-1].id)))}
    assert found[book[-1].id] == found["legend: failed"] == FAILED
    for own, status in zip(book, Status, strict=False):
        assert found[own.id] == found[f"legend: {status.value}"] == COLOURS[status]
    assert len({*COLOURS.values(), FAILED}) == len(Status) + 1
    assert "legend: failed" not in book_dot(report_of(book))


@pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")
@pytest.mark.parametrize("kind", STARTS)
def test_graphviz_draws_it_the_same_each_time(kind: str, tmp_path: Path) -> None:
    own = replace(all_statements()[0], title='a title with "quotes", <b>, a \\ and an é')
    report = report_of([own, *all_statements()[1:]])
    write_picture(report, tmp_path / f"book.{kind}")
    data = (tmp_path / f"book.{kind}").read_bytes()
    assert data.startswith(STARTS[kind])
    assert kind == "pdf" or data == picture_bytes(report, kind), "graphviz writes the date into a PDF"


@pytest.mark.usefixtures("no_graphviz")
def test_it_is_drawn_without_graphviz() -> None:
    assert picture_bytes(report_of(all_statements()), "svg").startswith(STARTS["svg"])
    few = report_of([replace(own, rests_on=()) for own in all_statements()[:5]])
    for kind, start in STARTS.items():
        data = picture_bytes(few, kind)
        assert data.startswith(start)
        assert data == picture_bytes(few, kind)
