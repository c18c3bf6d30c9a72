"""The proof book as a picture: an arrow from what is rested on to what rests on it, coloured by how it is known.

The picture is DOT. Graphviz lays it out where `dot` is installed; otherwise networkx does, in plainer columns.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

import networkx as nx

from proofs_checks.kit.book import Graph, claims
from proofs_checks.kit.verdict import Status
from separation.figures import SUFFIXES, Figure, figure_bytes, new_figure
from separation.files import InputError, write_whole

if TYPE_CHECKING:
    from separation.verbs.proofs import ProofsReport

PICTURE_SUFFIXES = (*SUFFIXES, ".dot")
# Dark is strong; from a scale that is told apart in grey as well.
SCALE = ("#00204d", "#233e6c", "#575d6d", "#7c7b78", "#a59c74", "#d3c164", "#f6edbd", "#ffffff")
COLOURS = dict(zip(Status, SCALE, strict=True))
FAILED = "#d1495b"
LETTERS = 28
"""Letters of a title in a line of a box."""
ALONE_IN_A_ROW = 8
"""Statements without any arrow stand in rows, not in one tall column."""
GRAPH_STYLE = """\
    graph [rankdir=LR, ranksep=0.5, nodesep=0.12, fontname="Helvetica"]
    node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=9, margin="0.08,0.05", color="#31446b"]
    edge [color="#7d8896", arrowsize=0.6]"""


def write_picture(report: ProofsReport, path: Path) -> None:
    """The picture as a file, whole or not at all; the same book is the same bytes, but for the date in a PDF."""
    kind = path.suffix.lower()[1:]
    write_whole(path, picture_bytes(report, kind))


def picture_bytes(report: ProofsReport, kind: str) -> bytes:
    """svg, png or pdf by graphviz, or by networkx and matplotlib without it; dot is the text itself."""
    text = book_dot(report).encode()
    if kind == "dot":
        return text
    program = shutil.which("dot")
    if program is None:
        return figure_bytes(_plain_figure(book_graph(report), _statuses(report)), kind)
    done = subprocess.run([program, f"-T{kind}"], input=text, capture_output=True, check=False)
    if done.returncode:
        raise InputError(f"dot cannot draw the book: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def book_graph(report: ProofsReport) -> Graph:
    """All statements with `label`, `fill` and `ink`; the arrows are the claims that do not follow from others.

    What they rest on outside the report's chapter is there by its id alone.
    """
    graph = nx.DiGraph()
    own_ids = {row.statement.id for row in report.rows}
    arrows = [(start, end) for start, end in claims(report.graph, reduced=True).edges if end in own_ids]
    known = {status.value: status for status in Status}
    for start in dict.fromkeys(start for start, _ in arrows if start not in own_ids):
        status = known.get(report.statuses.get(start, ""))
        graph.add_node(start, label=start, fill=_colour(status), ink=_ink(status))
    for row in report.rows:
        own = row.statement
        spoken = wrap(f"applies to {', '.join(own.applies_to)}", LETTERS) if own.applies_to else []
        label = "\n".join([own.id, *wrap(own.title, LETTERS), *spoken])
        graph.add_node(own.id, label=label, fill=_colour(row.status), ink=_ink(row.status))
    graph.add_edges_from(arrows)
    return graph


def book_dot(report: ProofsReport) -> str:
    """The graph in DOT, with a legend of the statuses that occur."""
    graph = book_graph(report)
    lines = ["digraph book {", GRAPH_STYLE]
    for node, given in graph.nodes(data=True):
        lines.append(_box(node, given["label"], given["fill"], given["ink"]))
    lines += [f"    {_quoted(start)} -> {_quoted(end)}" for start, end in graph.edges]
    alone = [node for node in graph if not graph.degree(node)]
    for first in range(0, len(alone), ALONE_IN_A_ROW):
        lines += _in_a_row(alone[first : first + ALONE_IN_A_ROW])
    known = _statuses(report)
    lines += ["    subgraph cluster_legend {", '    label="how each is known; an arrow goes to what rests on it"']
    for label, status in known.items():
        lines.append(_box(f"legend: {label}", "\n".join(wrap(label, LETTERS)), _colour(status), _ink(status)))
    return "\n".join([*lines, *_in_a_row([f"legend: {label}" for label in known]), "    }", "}", ""])


def _statuses(report: ProofsReport) -> dict[str, Status | None]:
    """Those that occur by their names, strongest first."""
    found = {row.status for row in report.rows}
    known: dict[str, Status | None] = {status.value: status for status in Status if status in found}
    return known | ({"failed": None} if None in found else {})


def _box(node: str, label: str, fill: str, ink: str) -> str:
    return f"    {_quoted(node)} [label={_quoted(label)}, fillcolor={_quoted(fill)}, fontcolor={_quoted(ink)}]"


def _in_a_row(nodes: list[str]) -> list[str]:
    """Unseen arrows keep a row in its order."""
    return [f"    {' -> '.join(map(_quoted, nodes))} [style=invis]"] if len(nodes) > 1 else []


def _quoted(text: str) -> str:
    r"""A string of DOT: quotes and backslashes are escaped, a line break is \n.

    >>> print(_quoted('F^(L+1) solves "it"'))
    "F^(L+1) solves \"it\""
    """
    return json.dumps(text, ensure_ascii=False)


def _plain_figure(graph: Graph, known: dict[str, Status | None]) -> Figure:
    """Columns by the longest chain below, what stands alone last; matplotlib draws boxes over the arrows."""
    from matplotlib.patches import Patch

    linked = graph.subgraph([node for node in graph if graph.degree(node)])
    columns = [[node for node in graph if node in column] for column in map(set, nx.topological_generations(linked))]
    alone = [node for node in graph if not graph.degree(node)]
    tallest = max(map(len, columns), default=1)
    columns += [alone[first : first + tallest] for first in range(0, len(alone), tallest)]
    places = nx.multipartite_layout(graph, subset_key=dict(enumerate(columns)))
    figure = new_figure(2.6 * len(columns), 1.0 * max(tallest, 3))
    axes = figure.add_subplot()
    axes.axis("off")
    nx.draw_networkx_edges(graph, places, ax=axes, edge_color="#7d8896", node_size=1500, arrowsize=8)
    for node, given in graph.nodes(data=True):
        box = {"boxstyle": "round", "fc": given["fill"], "ec": "#31446b"}
        x, y = places[node]
        axes.text(x, y, given["label"], ha="center", va="center", fontsize=7, color=given["ink"], bbox=box)
    colours = [Patch(fc=_colour(status), ec="#31446b", label=label) for label, status in known.items()]
    axes.legend(handles=colours, loc="lower center", ncols=len(colours))
    return figure


def _colour(status: Status | None) -> str:
    return FAILED if status is None else COLOURS[status]


def _ink(status: Status | None) -> str:
    return "white" if status is None or status.rank < 3 else "black"
