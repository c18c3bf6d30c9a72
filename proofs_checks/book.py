"""The book as a whole: which statement rests on which, and the status that is left when what it rests on is weaker."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import networkx as nx

from proofs_checks.statement import CheckFailed, Statement, Status

Graph = Any  # networkx has no types of its own


def dependency_graph(statements: Iterable[Statement]) -> Graph:
    """An edge from what is rested on (``claim``) or spoken of (``definition``) to the statement; acyclic, all known."""
    graph = nx.DiGraph()
    for statement in statements:
        graph.add_node(statement.id, title=statement.title)
        for kind, ids in (("claim", statement.rests_on), ("definition", statement.speaks_of)):
            graph.add_edges_from(((other, statement.id) for other in ids), kind=kind)
    unknown = sorted(node for node in graph if "title" not in graph.nodes[node])
    if unknown:
        raise CheckFailed(f"statements rest on {', '.join(unknown)}, which the book does not have")
    if not nx.is_directed_acyclic_graph(graph):
        raise CheckFailed(f"statements rest on each other: {nx.find_cycle(graph)}")
    return graph


def claims(graph: Graph, reduced: bool = False) -> Graph:
    """The edges of claims alone, with the nodes that they join; if ``reduced``, none that follows from others.

    Nodes and edges keep the order of the book, so that what is drawn from them is the same each time.
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
    """All that a statement rests on, directly or through others."""
    kept = claims(graph)
    return set(nx.ancestors(kept, node)) if node in kept else set()


def capped(graph: Graph, established: Mapping[str, Status]) -> dict[str, Status]:
    """Each status as its check gave it, or that of the weakest claim below it if that is weaker.

    So what rests on a cited result is at best cited, whatever its own check proves, and what rests on an open question
    is open.
    """
    statuses: dict[str, Status] = {}
    for node in nx.topological_sort(graph):
        below = [statuses[other] for other, _, kind in graph.in_edges(node, data="kind") if kind == "claim"]
        statuses[node] = max([established[node], *below], key=lambda status: status.rank)
    return statuses


def require_not_stronger(graph: Graph, established: Mapping[str, Status]) -> None:
    """No statement claims more than what it rests on."""
    for node, status in capped(graph, established).items():
        if status is not established[node]:
            raise CheckFailed(f"{node} says {established[node].value!r}, what it rests on is {status.value!r}")
