"""The book as a whole: its files, its order, and how the weakest claim below a statement caps its status."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from inspect import cleandoc, getdoc
from pathlib import Path
from typing import Any

import networkx as nx

from proofs_checks.kit.statement import CheckFailed, Statement, Status

Graph = Any  # networkx has no types of its own

STATEMENTS = Path(__file__).parent.parent / "statements"
CHAPTERS = {
    "D": "definitions",
    "S": "softmax",
    "R": "recurrences",
    "C": "constructions",
    "M": "messages",
    "L": "lemmas",
    "T": "theorems",
    "P": "the paper",
    "CPW": "Chen, Peng and Wu",
}
"""How the ids of a chapter begin, and what it is about."""


def explanation(own: Statement) -> str:
    """What is said of a statement below its sentence: in its own text, or in the docstring of its file.

    docs/statements.md is written from it.
    """
    if own.explanation:
        return cleandoc(own.explanation)
    (file,) = (file for file in statement_files() if own.id in {each.id for each in statements_in(file)})
    return (getdoc(_module(file)) or "").partition("\n\n")[2]


def statement_files(folder: Path = STATEMENTS) -> tuple[str, ...]:
    """The modules in the folder, except `__init__`."""
    return tuple(sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__"))


def statements_in(file: str) -> tuple[Statement, ...]:
    """The one statement of a file, or all of a file of several, each of which is explained in a text of its own."""
    module = _module(file)
    found: tuple[Statement, ...] = getattr(module, "STATEMENTS", ()) or (module.STATEMENT,)
    return found


def _module(file: str) -> Any:
    return import_module(f"{STATEMENTS.parent.name}.{STATEMENTS.name}.{file}")


def in_order(statements: Iterable[Statement]) -> list[Statement]:
    """After everything that a statement rests on or mentions; otherwise by chapter, number and name."""
    known = {statement.id: statement for statement in statements}
    order = nx.lexicographical_topological_sort(dependency_graph(known.values()), key=_chapter_and_number)
    return [known[id] for id in order]


def chapter_of(id: str) -> str:
    """The chapter of C2.words is C."""
    return _chapter_and_rest(id)[1]


def _chapter_and_rest(id: str) -> re.Match[str]:
    found = re.fullmatch(r"([A-Z]+)(\d*)(.*)", id)
    if found is None or found[1] not in CHAPTERS:
        raise CheckFailed(f"the id {id!r} begins with no chapter of the book: {', '.join(CHAPTERS)}")
    return found


def _chapter_and_number(id: str) -> tuple[int, float, str]:
    """C2.words is (chapter C, 2, ".words"); ids without a number, such as C.keys, come last."""
    found = _chapter_and_rest(id)
    return list(CHAPTERS).index(found[1]), int(found[2]) if found[2] else float("inf"), found[3]


def dependency_graph(statements: Iterable[Statement]) -> Graph:
    """Edges to a statement from what it rests on (``claim``) or mentions (``definition``); acyclic, all ids known."""
    graph = nx.DiGraph()
    for statement in statements:
        graph.add_node(statement.id, title=statement.title)
        for kind, ids in (("claim", statement.rests_on), ("definition", statement.applies_to)):
            graph.add_edges_from(((other, statement.id) for other in ids), kind=kind)
    unknown = sorted(node for node in graph if "title" not in graph.nodes[node])
    if unknown:
        raise CheckFailed(f"statements rest on {', '.join(unknown)}, which the book does not have")
    if not nx.is_directed_acyclic_graph(graph):
        raise CheckFailed(f"statements rest on each other: {nx.find_cycle(graph)}")
    return graph


def claims(graph: Graph, reduced: bool = False) -> Graph:
    """Only the edges of claims and the nodes that they join; if ``reduced``, without those that others imply.

    Nodes and edges keep the order of the book, so a drawing of them is the same each time.
    """
    edges = [(start, end) for start, end, kind in graph.edges(data="kind") if kind == "claim"]
    joined = {node for edge in edges for node in edge}
    kept = nx.DiGraph()
    kept.add_nodes_from(node for node in graph if node in joined)
    kept.add_edges_from(edges)
    if reduced:
        needed = set(nx.transitive_reduction(kept).edges)
        kept.remove_edges_from([edge for edge in edges if edge not in needed])
    return kept


def claims_below(graph: Graph, node: str) -> set[str]:
    """Everything that a statement rests on, directly or through others."""
    kept = claims(graph)
    return set(nx.ancestors(kept, node)) if node in kept else set()


def capped(graph: Graph, established: Mapping[str, Status]) -> dict[str, Status]:
    """Each status as its check gave it, or that of the weakest claim below it if that is weaker.

    So what rests on a cited result is at best cited, whatever its own check proves, and what rests on an open question
    is open. What is proved in Coq rests on nothing but Coq: its proof there uses no other statement of the book.
    """
    statuses: dict[str, Status] = {}
    for node in nx.topological_sort(graph):
        below = [statuses[other] for other, _, kind in graph.in_edges(node, data="kind") if kind == "claim"]
        if established[node] is Status.COQ:
            below = []
        statuses[node] = max([established[node], *below], key=lambda status: status.rank)
    return statuses
