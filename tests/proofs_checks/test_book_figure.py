"""The picture of the book: nothing overlaps, arrows go from left to right and around boxes, every label is readable."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations, pairwise

import networkx as nx
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from proofs_checks import Statement, Status, statements
from proofs_checks.book import claims, dependency_graph
from separation.figures import figure_bytes
from separation.verbs import book_figure as picture
from separation.verbs.book_figure import book_figure
from separation.verbs.book_layout import layered
from separation.verbs.book_rows import StatementRow
from separation.verbs.proofs import BookRow, ProofsReport


def report_of(book: list[Statement], failed: str = "") -> ProofsReport:
    """A report with all statuses in turn; nothing is checked."""
    rows = []
    for place, own in enumerate(book):
        status = "failed" if own.id == failed else list(Status)[place % len(Status)].value
        row = StatementRow(own.id, own.title, status, "m", "s", 0.0, own.id != failed, established=status)
        rows.append(BookRow(own, row, tuple(other.id for other in book if own.id in other.rests_on)))
    return ProofsReport(tuple(rows), dependency_graph(book), {}, None, 0.0)


def larger_book(size: int) -> list[Statement]:
    """The book, and made-up statements that rest on some that came before."""
    book, source = statements(), random.Random(7)
    for number in range(len(book), size):
        rests = tuple(source.sample([own.id for own in book], source.choice((0, 1, 1, 2, 3))))
        book.append(replace(source.choice(book), id=f"X{number}.more", rests_on=rests))
    return book


BOOKS = {"the book": statements(), "60 statements": larger_book(60), "one statement": statements()[:1]}


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_boxes_stand_apart_and_hold_their_words(book: list[Statement]) -> None:
    figure = book_figure(report_of(book))
    (axes,) = figure.axes
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [patch.get_window_extent() for patch in axes.patches if type(patch).__name__ == "FancyBboxPatch"]
    assert len(boxes) == len(book)
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))
    words = [(text, text.get_window_extent(renderer)) for text in axes.texts]
    inside = {text for text, extent in words for box in boxes if _contains(box, extent)}
    for own in book:
        assert any(text.get_text() == own.id and text in inside for text, _ in words), own.id
    outside = [text.get_text() for text, _ in words if text not in inside]
    allowed = {status.value for status in Status} | {"failed", "holds up what it points to"}
    assert all(text in allowed or text.startswith("On their own") for text in outside), outside
    assert all(_contains(figure.bbox, extent) for _, extent in words)


@pytest.mark.parametrize("size", [36, 60, 100])
def test_arrows_go_to_the_right_and_around_boxes(size: int) -> None:
    graph = claims(dependency_graph(larger_book(max(size, len(statements())))), reduced=True)
    sizes = {node: 0.3 + 0.1 * (place % 4) for place, node in enumerate(graph)}
    layout = layered(graph, sizes)
    column = {node: number for number, nodes in enumerate(layout.columns) for node in nodes}
    assert set(graph) <= set(column)
    assert {(route[0], route[-1]) for route in layout.routes} == set(graph.edges)
    for route in layout.routes:
        steps = [column[node] for node in route]
        assert steps == list(range(steps[0], steps[-1] + 1))
    for nodes in layout.columns:
        spans = sorted(
            (layout.heights[node] - sizes.get(node, 0.0) / 2, layout.heights[node] + sizes.get(node, 0.0) / 2)
            for node in nodes
        )
        assert all(upper[1] < lower[0] for upper, lower in pairwise(spans))


def test_crossings_that_can_be_undone_are_undone() -> None:
    """r holds up a and b, a holds up y and b holds up x, x and y hold up s: drawn in this order, two arrows cross."""
    edges = [("r", "a"), ("r", "b"), ("a", "y"), ("b", "x"), ("x", "s"), ("y", "s")]
    graph = nx.DiGraph()
    graph.add_nodes_from("rabxys")
    graph.add_edges_from(edges)
    _, first, second, _ = layered(graph, dict.fromkeys("rabxys", 0.3)).columns
    assert (first.index("a") < first.index("b")) == (second.index("y") < second.index("x"))


def test_the_picture_says_how_each_is_known() -> None:
    book = statements()[: len(Status) + 2]
    figure = book_figure(report_of(book, failed=book[-1].id))
    texts = {text.get_text() for text in figure.axes[0].texts}
    assert {status.value for status in Status} | {"failed", "holds up what it points to"} <= texts
    colours = [patch.get_facecolor() for patch in figure.axes[0].patches if type(patch).__name__ == "FancyBboxPatch"]
    assert len(set(colours)) == len(Status) + 1
    assert len(set(picture.COLOURS.values()) | {picture.FAILED}) == len(Status) + 1


@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")])
def test_the_same_book_is_the_same_bytes(kind: str, start: bytes) -> None:
    report = report_of(statements())
    data = figure_bytes(book_figure(report), kind)
    assert data.startswith(start)
    assert data == figure_bytes(book_figure(report), kind)


def _contains(box, extent) -> bool:  # type: ignore[no-untyped-def]
    return box.x0 <= extent.x0 and extent.x1 <= box.x1 and box.y0 <= extent.y0 and extent.y1 <= box.y1
