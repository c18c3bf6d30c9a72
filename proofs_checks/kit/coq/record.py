"""What Coq said of which texts: `coq/record.json`, written by `separation proofs --coq --record .`, and who trusts it.

A statement of the book is proved in Coq if it is the same statement (`coq_statements.InCoq.same`), the record is of the
Coq files as they are now, and there each of its theorems assumes nothing. Compiling again is what makes a record true:
`separation proofs --coq` does so, and fails if the record says something else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from proofs_checks.kit.coq.files import FOLDER, final_theorems, home_of, sources
from proofs_checks.kit.coq.statements import IN_COQ
from separation.files import InputError

NAME = "record.json"


def asked_of() -> dict[str, str]:
    """Every theorem that is asked what it assumes, and its module: final theorems, then lemmas that IN_COQ names."""
    final = {each.name: each.stated_in.removesuffix(".v") for each in final_theorems()}
    texts, named = sources(), [name for link in IN_COQ for name in link.theorems if name not in final]
    return final | {name: home_of(name, texts).removesuffix(".v") for name in named}


def digest(folder: Path = FOLDER) -> str:
    """Of _CoqProject and of every file's name and text."""
    texts = {"_CoqProject": (folder / "_CoqProject").read_text(), **sources(folder)}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()


def record_of(assumed: Mapping[str, list[str]], folder: Path = FOLDER) -> dict[str, Any]:
    """The record: of which texts, and what each theorem assumes."""
    return {"digest": digest(folder), "assumptions": dict(sorted(assumed.items()))}


def text_of(record: Mapping[str, Any]) -> str:
    return json.dumps(record, indent=1, ensure_ascii=False) + "\n"


def stored_record(folder: Path = FOLDER) -> dict[str, Any]:
    """The record next to the Coq files; empty if there is none, or none that can be read."""
    try:
        found = json.loads((folder / NAME).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def closed_theorems(folder: Path = FOLDER) -> frozenset[str]:
    """The theorems that assume nothing, by a record of these very texts; none by another record."""
    record = stored_record(folder)
    try:
        if record.get("digest") != digest(folder):
            return frozenset()
    except (OSError, InputError):
        return frozenset()
    assumed = record.get("assumptions")
    return frozenset(name for name, what in assumed.items() if what == []) if isinstance(assumed, dict) else frozenset()


def proved_in_coq(id: str, folder: Path = FOLDER) -> tuple[str, ...]:
    """The theorems, each with its file, by which a statement is proved in Coq; () if it is not."""
    return _proved(folder).get(id, ())


@cache
def _proved(folder: Path) -> dict[str, tuple[str, ...]]:
    closed = closed_theorems(folder)
    if not closed:
        return {}
    modules = asked_of()
    return {
        link.id: tuple(f"{name} ({modules[name]}.v)" for name in link.theorems)
        for link in IN_COQ
        if link.same and link.whole and closed.issuperset(link.theorems)
    }
