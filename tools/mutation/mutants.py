"""The mutants of a file: mutmut's operators on every node, in decorated functions and at module level as well.

mutmut itself leaves decorated functions out and drops what is not inside a function, because it puts all mutants of a
file into one module. Here a mutant is put in place on its own (inject.py), so both can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from enum import StrEnum
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, ParentNodeProvider, PositionProvider
from mutmut.mutation.file_mutation import NEVER_MUTATE_FUNCTION_NAMES, MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


class Reach(StrEnum):
    """Where a mutant stands: what mutmut makes itself, and the two places that it leaves out."""

    FUNCTION = "function"
    DECORATED = "decorated function"
    MODULE = "module level"


@dataclass(frozen=True)
class Mutant:
    """One change of one file. A test can notice it only if it executes one of the lines first..last."""

    path: str
    ordinal: int  # among the mutants of its file
    reach: Reach
    owner: str  # the class, or "" for a function of the module
    function: str  # "" at module level
    line: int
    first: int
    last: int

    @property
    def key(self) -> str:
        return f"{self.path}#{self.ordinal}"

    @property
    def place(self) -> str:
        return ".".join(part for part in (self.owner, self.function) if part) or "module level"


@dataclass(frozen=True)
class Site:
    """A mutant with the nodes of the syntax tree that it exchanges."""

    mutant: Mutant
    module: cst.Module
    function: cst.FunctionDef | None
    old: cst.CSTNode
    new: cst.CSTNode

    def file(self) -> str:
        """The whole file with the change."""
        return str(deep_replace(self.module, self.old, self.new).code)

    def source(self, changed: bool = True) -> str:
        """The function alone, in its class if it has one, without decorators; at module level the whole file."""
        if self.function is None:
            return self.file() if changed else str(self.module.code)
        body: Any = deep_replace(self.function, self.old, self.new) if changed else self.function
        body = body.with_changes(decorators=(), leading_lines=())
        if self.mutant.owner:  # the class gives the compiler the cell that super() needs, and the private names
            body = cst.ClassDef(name=cst.Name(self.mutant.owner), body=cst.IndentedBlock([body]))
        return str(cst.Module([body]).code)

    def diff(self) -> str:
        """The lines that differ, with one line around them."""
        before, after = (self.source(changed).splitlines() for changed in (False, True))
        return "\n".join(list(unified_diff(before, after, lineterm="", n=1))[2:])


class EveryNode(MutationVisitor):
    """mutmut's visitor, which also goes into decorated functions; their decorators stay as they are."""

    def _skip_node_and_children(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.FunctionDef):
            return node.name.value in NEVER_MUTATE_FUNCTION_NAMES
        return bool(super()._skip_node_and_children(node))


def sites_of(root: Path, path: Path) -> list[Site]:
    """Every mutant of a file, in the order in which mutmut finds them."""
    wrapper = MetadataWrapper(cst.parse_module((root / path).read_text()))
    visitor = EveryNode(mutation_operators, IgnoredCode(set(), set(), set()))  # no pragma excuses a line here
    wrapper.visit(visitor)
    places, parents = wrapper.resolve(PositionProvider), wrapper.resolve(ParentNodeProvider)
    sites = []
    for ordinal, mutation in enumerate(visitor.mutations):
        above = list(_upwards(mutation.original_node, parents))
        function = mutation.contained_by_top_level_function
        if not isinstance(function, cst.FunctionDef):
            function = None
        reach = Reach.MODULE if function is None else Reach.DECORATED if function.decorators else Reach.FUNCTION
        line = next(places[node].start.line for node in above if node in places)
        around = (node.name.value for node in _upwards(function, parents) if isinstance(node, cst.ClassDef))
        owner = next(around, "")
        name = function.name.value if function else ""
        mutant = Mutant(path.as_posix(), ordinal, reach, owner, name, line, *_statement(above, places))
        sites.append(Site(mutant, wrapper.module, function, mutation.original_node, mutation.mutated_node))
    return sites


def _upwards(node: Any, parents: Any) -> Iterator[Any]:
    while node is not None:
        yield node
        node = parents.get(node)


def _statement(above: list[Any], places: Any) -> tuple[int, int]:
    """The lines of the innermost statement; of a compound one its head, of a function (a default) all of it."""
    node = next(
        (node for node in above if isinstance(node, (cst.SimpleStatementLine, cst.BaseCompoundStatement))), None
    )
    if node is None:
        return 1, 1
    first, last = places[node].start.line, places[node].end.line
    if isinstance(node, cst.BaseCompoundStatement) and not isinstance(node, (cst.FunctionDef, cst.Try, cst.Match)):
        last = max(first, places[node.body].start.line - 1)
    return first, last
