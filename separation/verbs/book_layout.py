"""Where the boxes of a graph stand: columns from what is rested on to what rests on it, few crossings, no overlaps.

Sugiyama's way. Nodes stand in columns; an edge over several columns gets a narrow lane in each of those between; the
order in a column follows the mean place of the neighbours, sweep after sweep, and the best order seen is kept; heights
then come from isotonic regression: as near to the neighbours as the distances between boxes allow.

Reference: K. Sugiyama, S. Tagawa, M. Toda, Methods for visual understanding of hierarchical system structures, 1981.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from proofs_checks.book import Graph

SWEEPS = 40
LANE = 0.10
GAP = 0.14
"""Inches: the height of a lane, and what is left free between neighbours."""

Node = str | tuple[str, str, int]
"""A node, or the lane of an edge in a column."""


@dataclass(frozen=True)
class Layout:
    """``columns``: nodes and lanes from the top down; ``heights``: the middle of each; ``routes``: edges by lanes."""

    columns: tuple[tuple[Node, ...], ...]
    heights: dict[Node, float]
    routes: tuple[tuple[Node, ...], ...]


def layered(graph: Graph, box_heights: Mapping[str, float]) -> Layout:
    """A place for each node of an acyclic graph; edges go from left to right. Parts that are not linked are stacked."""
    columns: list[list[Node]] = []
    heights: dict[Node, float] = {}
    routes: list[tuple[Node, ...]] = []
    reached = 0.0
    # The largest part first; of equal ones the first of the graph.
    for part in sorted(nx.weakly_connected_components(graph), key=len, reverse=True):
        own = nx.DiGraph()
        own.add_nodes_from(node for node in graph if node in part)
        own.add_edges_from(edge for edge in graph.edges if edge[0] in part)
        numbers = _column_numbers(own)
        ways = [_route(start, end, numbers) for start, end in own.edges]
        order = _best_order(_columns(own, numbers, ways), ways)
        sizes = {node: LANE if isinstance(node, tuple) else box_heights[node] for column in order for node in column}
        found = _heights(order, ways, sizes)
        top = min(found[node] - sizes[node] / 2 for node in sizes)
        heights |= {node: height - top + reached for node, height in found.items()}
        reached = max(heights[node] + sizes[node] / 2 for node in sizes) + 2 * GAP
        columns += [[] for _ in range(len(order) - len(columns))]
        for column, nodes in zip(columns, order, strict=False):
            column += nodes
        routes += ways
    return Layout(tuple(map(tuple, columns)), heights, tuple(routes))


def _column_numbers(graph: Graph) -> dict[str, int]:
    """The longest way from the left; then each source moves right, up to what rests on it."""
    numbers = {node: number for number, column in enumerate(nx.topological_generations(graph)) for node in column}
    for node in graph:
        if graph.in_degree(node) == 0 and graph.out_degree(node):
            numbers[node] = min(numbers[other] for other in graph.successors(node)) - 1
    return numbers


def _route(start: str, end: str, numbers: Mapping[str, int]) -> tuple[Node, ...]:
    lanes = ((start, end, column) for column in range(numbers[start] + 1, numbers[end]))
    return (start, *lanes, end)


def _columns(graph: Graph, numbers: Mapping[str, int], routes: Sequence[tuple[Node, ...]]) -> list[list[Node]]:
    columns: list[list[Node]] = [[] for _ in range(max(numbers.values(), default=-1) + 1)]
    for node in graph:
        columns[numbers[node]].append(node)
    for route in routes:
        for lane in route[1:-1]:
            columns[int(lane[2])].append(lane)
    return columns


def _neighbours(routes: Sequence[tuple[Node, ...]]) -> tuple[dict[Node, list[Node]], dict[Node, list[Node]]]:
    """Of each node those in the column before, and those in the column after."""
    before: dict[Node, list[Node]] = {}
    after: dict[Node, list[Node]] = {}
    for route in routes:
        for left, right in pairwise(route):
            before.setdefault(right, []).append(left)
            after.setdefault(left, []).append(right)
    return before, after


def _best_order(columns: list[list[Node]], routes: Sequence[tuple[Node, ...]]) -> list[list[Node]]:
    before, after = _neighbours(routes)
    best, fewest = [list(column) for column in columns], _crossings(columns, after)
    for sweep in range(SWEEPS):
        forwards = sweep % 2 == 0
        for number in range(len(columns))[:: 1 if forwards else -1]:
            other = number - 1 if forwards else number + 1
            if not 0 <= other < len(columns):
                continue
            near, places = (before if forwards else after), {node: i for i, node in enumerate(columns[other])}
            own = {node: i for i, node in enumerate(columns[number])}
            scale = len(columns[other]) / max(1, len(columns[number]))
            means = {
                node: sum(places[n] for n in near[node]) / len(near[node]) if near.get(node) else own[node] * scale
                for node in columns[number]
            }
            columns[number].sort(key=lambda node, means=means: means[node])  # type: ignore[misc]
        count = _crossings(columns, after)
        if count < fewest:
            best, fewest = [list(column) for column in columns], count
    return best


def _crossings(columns: list[list[Node]], after: Mapping[Node, list[Node]]) -> int:
    total = 0
    for left, right in pairwise(columns):
        places = {node: i for i, node in enumerate(right)}
        edges = [(i, places[other]) for i, node in enumerate(left) for other in after.get(node, [])]
        total += sum(a < c and b > d for a, b in edges for c, d in edges)
    return total


def _heights(
    columns: list[list[Node]], routes: Sequence[tuple[Node, ...]], sizes: Mapping[Node, float]
) -> dict[Node, float]:
    """Each column in turn as near as it can be to the mean height of its neighbours, in the given order."""
    from scipy.optimize import isotonic_regression

    before, after = _neighbours(routes)
    offsets: dict[Node, float] = {}
    heights: dict[Node, float] = {}
    for column in columns:
        reached = 0.0
        for node, following in zip(column, [*column[1:], None], strict=True):
            offsets[node] = reached
            reached += (sizes[node] + (sizes[following] if following else 0.0)) / 2 + GAP
        heights |= {node: offsets[node] - reached / 2 for node in column}
    for _ in range(SWEEPS):
        for column in columns:
            wanted = []
            for node in column:
                near = [heights[other] for other in (*before.get(node, []), *after.get(node, []))]
                wanted.append((sum(near) / len(near) if near else heights[node]) - offsets[node])
            weights = [3.0 if isinstance(node, tuple) else 1.0 for node in column]
            moved = isotonic_regression(wanted, weights=weights).x
            heights |= {node: float(place) + offsets[node] for node, place in zip(column, moved, strict=True)}
    return heights
