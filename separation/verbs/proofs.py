"""`proofs`: the proof book, every statement checked just now, and what rests on what.

`proofs --coq`: every Coq file compiled from its text, and what each final theorem assumes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from proofs_checks import Statement, Status, all_statements, table_of
from proofs_checks.kit.book import CHAPTERS, Graph, chapter_of, claims_below, dependency_graph
from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, compile_files, coq_version
from proofs_checks.kit.coq.files import FOLDER, FinalTheorem, final_theorems, problems, sources
from proofs_checks.kit.coq.record import NAME, asked_of, record_of, stored_record, text_of
from proofs_checks.kit.coq.statements import statements_of
from proofs_checks.kit.descriptions import describe
from proofs_checks.kit.rows import StatementRow, capped_rows
from separation.files import InputError, write_whole
from separation.progress import Progress
from separation.tasks.checks import shown
from separation.verbs.book_figure import require_picture_path, write_picture
from separation.verbs.verify import Job, run_jobs

FEW = 8
"""Up to this many statements are checked in this process: faster than starting others."""


@dataclass(frozen=True)
class BookRow:
    """A statement, what its check said with what is left of it, and the statements that rest on it."""

    statement: Statement
    checked: StatementRow
    rested_on_by: tuple[str, ...]
    by_hand_below: tuple[str, ...] = ()
    """Statements below it, of all that it rests on, that have steps by hand; a proof in Coq uses none of them."""

    @property
    def ok(self) -> bool:
        """The check holds, and so do those of all that it rests on."""
        return self.checked.ok

    @property
    def status(self) -> Status | None:
        """None if a check failed."""
        return {status.value: status for status in Status}.get(self.checked.status)

    def document(self) -> dict[str, Any]:
        own = self.statement
        return {
            **self.checked.document(),
            "latex": own.latex,
            "english": own.english,
            "rests_on": list(own.rests_on),
            "rested_on_by": list(self.rested_on_by),
            "speaks_of": list(own.speaks_of),
            "by_hand_below": list(self.by_hand_below),
            "hypotheses": [{"text": each.text, "excludes": describe(each.outside)} for each in own.hypotheses],
            "witness": describe(own.witness) if own.hypotheses else None,
        }


@dataclass(frozen=True)
class ProofsReport:
    """All statements, or the one that was asked for; ``graph`` has an edge from what is rested on to what rests.

    ``statuses`` are those of all that was checked, and ``seconds`` the time that all of it took: of one statement, with
    everything that it rests on.
    """

    rows: tuple[BookRow, ...]
    graph: Graph
    statuses: dict[str, str]
    figure: Path | None
    seconds: float

    @property
    def ok(self) -> bool:
        return all(row.ok for row in self.rows)

    def markdown(self) -> str:
        """The table of docs/statements.md."""
        found = [row.checked for row in self.rows]
        return table_of((row.id, row.title, row.status, row.known_for) for row in found)

    def document(self) -> dict[str, Any]:
        figure = None if self.figure is None else str(self.figure)
        return {"ok": self.ok, "rows": [row.document() for row in self.rows], "figure": figure, "seconds": self.seconds}


def proofs(
    id: str | None = None,
    graph: str | Path | None = None,
    chapter: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    dask: str | None = None,
    executor: Executor | None = None,
) -> ProofsReport:
    """Check every statement and its twins; with an ``id`` only that one and what it rests on, which caps its status.

    ``graph`` is a file for a picture of what rests on what; ``chapter`` (the letters with which ids begin, such as T)
    leaves only the statements of that chapter, and in the picture the ids of what they rest on. ``workers`` processes
    share the work, or the Dask cluster at the address ``dask``, or an ``executor``.
    """
    figure = None if graph is None else require_picture_path(graph)
    start = time.perf_counter()
    book = all_statements()
    links = dependency_graph(book)
    asked = _asked(book, id, chapter)
    wanted = {*asked}.union(*(claims_below(links, own) for own in asked))
    chosen = [own for own in book if own.id in wanted]
    if workers is None and dask is None and executor is None and len(chosen) <= FEW:
        workers = 1
    jobs: list[Job] = [("statement", own.id) for own in chosen]
    found = run_jobs(jobs, False, progress, workers=workers, dask=dask, executor=executor)
    checked = capped_rows(links, [found["statement", own.id] for own in chosen])
    by_hand = {row.id for row in checked if row.by_hand and not row.in_coq}
    rows = tuple(
        BookRow(
            own,
            row,
            _resting_on(book, row.id),
            () if row.in_coq else tuple(sorted(by_hand & claims_below(links, row.id))),
        )
        for own, row in zip(chosen, checked, strict=True)
        if row.id in asked
    )
    statuses = {row.id: row.status for row in checked}
    report = ProofsReport(rows, links, statuses, figure, time.perf_counter() - start)
    if figure is not None:
        write_picture(report, figure)
    return report


def _resting_on(book: Sequence[Statement], id: str) -> tuple[str, ...]:
    return tuple(other.id for other in book if id in other.rests_on)


def _asked(book: Sequence[Statement], id: str | None, chapter: str | None) -> list[str]:
    if id is not None:
        return [_known(id, book)]
    if chapter is not None and chapter.upper() not in CHAPTERS:
        known = ", ".join(f"{letters} ({about})" for letters, about in CHAPTERS.items())
        raise InputError(f"the book has no chapter {shown(chapter)}; there are {known}")
    return [own.id for own in book if chapter is None or chapter_of(own.id) == chapter.upper()]


def _known(id: str, book: Sequence[Statement]) -> str:
    ids = {own.id.casefold(): own.id for own in book}
    if id in ids.values():
        return id
    near = [ids[name] for name in get_close_matches(id.casefold(), list(ids), n=5, cutoff=0.4)]
    hint = f"near it are {', '.join(near)}" if near else f"there are {', '.join(ids.values())}"
    raise InputError(f"the book has no statement {shown(id)}; {hint}")


@dataclass(frozen=True)
class CoqRow:
    """A final theorem or a lemma of the book, the file with its proof, the seconds of that file, and what it assumes.

    ``assumes`` is None if it was not asked, because a file did not compile.
    """

    theorem: FinalTheorem
    assumes: tuple[str, ...] | None
    seconds: float | None

    @property
    def ok(self) -> bool:
        return self.assumes == ()

    @property
    def said(self) -> str:
        if self.assumes is None:
            return "not compiled"
        return "closed" if not self.assumes else f"assumes {', '.join(self.assumes)}"

    def document(self) -> dict[str, Any]:
        return {
            "theorem": self.theorem.name,
            "file": self.theorem.file,
            "proved_by": self.theorem.proved_by,
            "stated_in": self.theorem.stated_in,
            "statements": list(statements_of(self.theorem.name)),
            "closed": self.ok,
            "assumptions": None if self.assumes is None else list(self.assumes),
            "seconds": self.seconds,
            "ok": self.ok,
        }


@dataclass(frozen=True)
class CoqReport:
    """``problems``: what coqc refused, what a file must not contain (files.FORBIDDEN), a stale record."""

    rows: tuple[CoqRow, ...]
    version: str
    lines: int
    files: dict[str, float]
    problems: tuple[str, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return not self.problems and all(row.ok for row in self.rows)

    def document(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "rows": [row.document() for row in self.rows],
            "coq": self.version,
            "lines": self.lines,
            "files": self.files,
            "problems": list(self.problems),
            "seconds": self.seconds,
        }


def proofs_coq(workers: int | None = None, progress: Progress | None = None, checkout: Path | None = None) -> CoqReport:
    """Compile proofs_checks/coq from scratch in a temporary folder, and ask what each theorem assumes.

    What was found is compared with the record that the book's statuses are read from; with a ``checkout`` the record
    there is written instead.
    """
    start = time.perf_counter()
    version = coq_version()
    file = FOLDER / NAME if checkout is None else checkout / "proofs_checks" / "coq" / NAME
    if not file.parent.is_dir():
        raise InputError(f"{checkout} is not a checkout of the project: it has no proofs_checks/coq")
    texts, modules = sources(), asked_of()
    final = final_theorems()
    known = {each.name for each in final}
    lemmas = [FinalTheorem(name, name, f"{module}.v", f"{module}.v") for name, module in modules.items()]
    theorems = (*final, *(each for each in lemmas if each.name not in known))
    wrong = [f"{file}: {problem}" for file, text in texts.items() for problem in problems(text)]
    seconds: dict[str, float] = {}
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="separation-coq-") as name:
        folder = Path(name)
        try:
            seconds = compile_files(folder, texts, workers or 2, progress)
            for module in dict.fromkeys(modules.values()):
                names = [name for name, home in modules.items() if home == module]
                found |= assumptions(folder, module, names)
        except CoqRefused as refusal:
            wrong.append(str(refusal))
    if not wrong and checkout is not None:
        write_whole(file, text_of(record_of(found)))
    elif not wrong and stored_record() != record_of(found):
        wrong.append(f"{NAME} is not what Coq says of these files; separation proofs --coq --record . writes it")
    rows = tuple(
        CoqRow(each, tuple(found[each.name]) if each.name in found else None, seconds.get(each.file))
        for each in theorems
    )
    lines = sum(text.count("\n") for text in texts.values())
    return CoqReport(rows, version, lines, seconds, tuple(wrong), time.perf_counter() - start)
