"""An entry of the corpus: a text, what a checker must say of it, and why."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Document = dict[str, Any]
Path = tuple[Any, ...]
Change = tuple[Path, Any]
EXPECTATIONS = ("accept", "reject", "malformed", "decline")
KINDS = ("construction", "bound", "decision", "ceiling", "pair", "text")
TOOL = "corpus"  # what the field `tool` says: the corpus does not change with the version


@dataclass(frozen=True)
class Entry:
    """`why` says what is borderline or false; of a rejected one it starts with "false: " or "not shown: ".
    `otherwise`: of a declined one, what a checker without that limit says."""

    name: str
    kind: str
    expect: str
    why: str
    made_by: str
    make: Callable[[], Document | bytes]
    otherwise: str = ""

    @property
    def file(self) -> str:
        return f"{self.kind}/{self.name}.json"

    def text(self) -> bytes:
        made = self.make()
        return made if isinstance(made, bytes) else written(made)

    def line(self) -> Document:
        """The entry in the manifest."""
        shown = {"file": self.file, "kind": self.kind, "expect": self.expect, "why": self.why, "made_by": self.made_by}
        return shown | ({"otherwise": self.otherwise} if self.otherwise else {})


def written(document: Document) -> bytes:
    """JSON with a line for each member of the outermost object."""
    lines = [f"{json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}" for key, value in document.items()]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def put(document: Document, path: Path, value: Any) -> Document:
    """A copy with another value at a path."""
    result = copy.deepcopy(document)
    place: Any = result
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return result


def changed(document: Document, *changes: Change) -> Document:
    """A copy with several values put."""
    for path, value in changes:
        document = put(document, path, value)
    return document


def edited(document: Document, edit: Callable[[Document], None]) -> Document:
    """A copy after an edit in place."""
    result = copy.deepcopy(document)
    edit(result)
    return result


def certificate(kind: str, claim: Document, **more: Any) -> Document:
    return {"schema": "separation.certificate/1", "kind": kind, "tool": TOOL, "claim": claim, **more}


def matrix(rows: int, columns: int, entries: dict[tuple[int, int], Any]) -> Document:
    return {"shape": [rows, columns], "entries": [[r, c, value] for (r, c), value in entries.items()]}
