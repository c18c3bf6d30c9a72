"""What every book of statements must keep to; each rule lists the faults of a book, and an honest book has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from proofs_checks import Statement, Status, Steps, all_statements

FOLDER = Path(__file__).parent.parent.parent / "proofs_checks"
DEFINE_STATUS = (
    "verdict.py",
    "statement.py",
    "book.py",
    "rows.py",
    "coq/certificates.py",
    "coq/words.py",
)
"""The last three give no status: of certificates `open` is a key."""
SAYS_BY_HAND = re.compile(
    r"\bby hand\b|\binduct\w+|\bsymmetr\w+|without loss of generality|\blikewise\b|\bsimilarly\b|\band so on\b", re.I
)
"""Words of an argument that no machine follows; what is explained by them names its steps by hand."""
ONE_MORE = re.compile(r"\bone\b.*\bmore\b")
"""The name of an inductive step."""


@dataclass(frozen=True)
class Book:
    """The statements in order, and the sources of their folders by path."""

    statements: tuple[Statement, ...]
    sources: Mapping[str, str]


def the_book() -> Book:
    rooms = (FOLDER / "kit", FOLDER / "statements")
    sources = {str(path.relative_to(room)): path.read_text() for room in rooms for path in sorted(room.rglob("*.py"))}
    return Book(tuple(all_statements()), sources)


def without_a_twin(book: Book) -> list[str]:
    return [own.id for own in book.statements if not own.twins]


def without_a_hypothesis(book: Book) -> list[str]:
    return [own.id for own in book.statements if not own.hypotheses]


def one_hypothesis_twice(book: Book) -> list[str]:
    """Two hypotheses, each of which excludes what the other does: what is excluded tells none of them apart."""
    faults = []
    for own in book.statements:
        for place, first in enumerate(own.hypotheses):
            for second in own.hypotheses[place + 1 :]:
                if not first.admits(second.outside) and not second.admits(first.outside):
                    faults.append(f"{own.id}: {first.text!r} and {second.text!r}")
    return faults


def text_missing(book: Book) -> list[str]:
    fields = ("id", "title", "latex", "english")
    faults = [f"{own.id}: no {name}" for own in book.statements for name in fields if not getattr(own, name).strip()]
    return faults + [
        f"{own.id}: a hypothesis without words" for own in book.statements for h in own.hypotheses if not h.text.strip()
    ]


def text_repeated(book: Book) -> list[str]:
    faults = []
    for name in ("id", "title", "latex", "english"):
        texts = [getattr(own, name) for own in book.statements]
        faults += [f"{name} {text!r} occurs twice" for text in dict.fromkeys(texts) if texts.count(text) > 1]
    return faults


def more_than_a_line(book: Book) -> list[str]:
    return [own.id for own in book.statements if any("\n" in text for text in (own.title, own.latex, own.english))]


def latex_braces_open(book: Book) -> list[str]:
    """Braces that do not pair up; escaped ones do not count."""
    faults = []
    for own in book.statements:
        depth = lowest = 0
        for brace in re.findall(r"\\.|[{}]", own.latex):
            depth += {"{": 1, "}": -1}.get(brace, 0)
            lowest = min(lowest, depth)
        faults += [own.id] if depth or lowest else []
    return faults


def status_typed_outside_a_check(book: Book) -> list[str]:
    return [
        f"{path}:{line}" for path, source in book.sources.items() for line in lines_that_type_a_status(path, source)
    ]


def hand_not_named(book: Book) -> list[str]:
    """A statement by machine alone whose explanation or own file argues as people do; or one more without induction."""
    faults = []
    for own in book.statements:
        if not isinstance(own.check, Steps):
            continue
        if not any("induction" in name for name in own.check.by_hand):
            faults += [f"{own.id}: {step.name}" for step in own.check.by_machine if ONE_MORE.search(step.name)]
        if not own.check.by_hand:
            said = own.explanation or book.sources.get(f"{own.id.lower().replace('.', '_')}.py", "")
            faults += [f"{own.id}: {found.group()!r}" for found in SAYS_BY_HAND.finditer(said)]
    return faults


def not_explained(book: Book) -> list[str]:
    """Neither an explanation of its own, nor a docstring of its file with more than a first line."""
    faults = []
    for own in book.statements:
        source = book.sources.get(f"{own.id.lower().replace('.', '_')}.py", "")
        text = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")[2]
        faults += [] if (own.explanation or text).strip() else [own.id]
    return faults


RULES: dict[str, Callable[[Book], list[str]]] = {
    rule.__name__: rule
    for rule in (
        without_a_twin,
        without_a_hypothesis,
        one_hypothesis_twice,
        text_missing,
        text_repeated,
        more_than_a_line,
        latex_braces_open,
        status_typed_outside_a_check,
        hand_not_named,
        not_explained,
    )
}


def lines_that_type_a_status(path: str, source: str) -> list[int]:
    """Lines where a status is named outside a function that checks: one called check…, or one that returns Checked.

    A status is named by the class Status, under whatever name it was imported, or by its words.
    """
    if path in DEFINE_STATUS:
        return []
    tree = ast.parse(source)
    words = {status.value for status in Status}
    names = {"Status"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name == "Status" and alias.asname
    }
    return [
        node.lineno
        for node in _outside_checks(tree)
        if (isinstance(node, ast.Name) and node.id in names)
        or (isinstance(node, ast.Attribute) and node.attr == "Status")
        or (isinstance(node, ast.Constant) and node.value in words)
    ]


def _outside_checks(tree: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.FunctionDef) and (child.name.startswith("check") or _returns_checked(child)):
            continue
        if isinstance(child, ast.expr):
            yield child
        yield from _outside_checks(child)


def _returns_checked(function: ast.FunctionDef) -> bool:
    return isinstance(function.returns, ast.Name) and function.returns.id == "Checked"
