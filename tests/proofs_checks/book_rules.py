"""What every book of statements must keep to; each rule lists the faults of a book, and an honest book has none."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from proofs_checks import FILES, Statement, Status, statements

ROOT = Path(__file__).parent.parent.parent
FOLDER = ROOT / "proofs_checks"
DEFINE_STATUS = ("statement.py", "book.py")


@dataclass(frozen=True)
class Book:
    """The statements in order, the sources of their folder by path, the files that are listed, and the docs."""

    statements: tuple[Statement, ...]
    sources: Mapping[str, str]
    files: tuple[str, ...]
    theory: str


def the_book() -> Book:
    sources = {str(path.relative_to(FOLDER)): path.read_text() for path in sorted(FOLDER.rglob("*.py"))}
    return Book(tuple(statements()), sources, FILES, (ROOT / "docs" / "theory.md").read_text())


def without_a_twin(book: Book) -> list[str]:
    return [own.id for own in book.statements if not own.twins]


def without_a_hypothesis(book: Book) -> list[str]:
    return [own.id for own in book.statements if not own.hypotheses]


def witness_or_outside_at_fault(book: Book) -> list[str]:
    """A hypothesis that the witness does not satisfy, or that excludes nothing."""
    faults = []
    for own in book.statements:
        for each in own.hypotheses:
            faults += [] if each.holds(own.witness) else [f"{own.id}: the witness is not so: {each.text}"]
            faults += [f"{own.id}: nothing is excluded by: {each.text}"] if each.holds(each.outside) else []
    return faults


def one_hypothesis_twice(book: Book) -> list[str]:
    """Two hypotheses, each of which excludes what the other does: what is excluded tells none of them apart."""
    faults = []
    for own in book.statements:
        for place, first in enumerate(own.hypotheses):
            for second in own.hypotheses[place + 1 :]:
                if not first.holds(second.outside) and not second.holds(first.outside):
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


def file_not_listed(book: Book) -> list[str]:
    """Files with a STATEMENT are listed, files that are listed have one."""
    holders = {path.removesuffix(".py") for path, source in book.sources.items() if "STATEMENT" in _assigned(source)}
    twice = [name for name in dict.fromkeys(book.files) if book.files.count(name) > 1]
    return sorted(holders ^ set(book.files)) + twice


def docs_differ(book: Book) -> list[str]:
    """One heading for each statement, in the book's order, with something below it."""
    sections = re.split(r"^## ", book.theory, flags=re.MULTILINE)[1:]
    found = [section.split(" — ")[0] for section in sections if " — " in section.splitlines()[0]]
    wanted = [own.id for own in book.statements]
    faults = [] if found == wanted else [f"{found} is not {wanted}"]
    return faults + [section.strip() for section in sections if not section.partition("\n")[2].strip()]


def rests_on_a_later_one(book: Book) -> list[str]:
    seen: set[str] = set()
    faults = []
    for own in book.statements:
        faults += [f"{own.id} leans on {other}" for other in (*own.rests_on, *own.speaks_of) if other not in seen]
        seen.add(own.id)
    return faults


RULES: dict[str, Callable[[Book], list[str]]] = {
    rule.__name__: rule
    for rule in (
        without_a_twin,
        without_a_hypothesis,
        witness_or_outside_at_fault,
        one_hypothesis_twice,
        text_missing,
        text_repeated,
        more_than_a_line,
        latex_braces_open,
        status_typed_outside_a_check,
        file_not_listed,
        docs_differ,
        rests_on_a_later_one,
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


def _assigned(source: str) -> set[str]:
    """The names that a module gives a value to."""
    targets = [t for node in ast.parse(source).body if isinstance(node, ast.Assign) for t in node.targets]
    return {target.id for target in targets if isinstance(target, ast.Name)}
