"""`proofs`: the proof book, every statement checked just now, and what rests on what.

`proofs --coq`: every Coq file compiled from its text, and what each final theorem assumes.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from proofs_checks import Statement, Status, all_statements
from proofs_checks import table_of as markdown_table
from proofs_checks.kit.book import CHAPTERS, Graph, chapter_of, claims_below, dependency_graph
from proofs_checks.kit.coq.compiling import CoqRefused, assumptions, compile_files, coq_version
from proofs_checks.kit.coq.files import FOLDER, FinalTheorem, final_theorems, problems, sources
from proofs_checks.kit.coq.record import NAME, asked_of, record_of, stored_record, text_of
from proofs_checks.kit.coq.statements import statements_of
from proofs_checks.kit.descriptions import describe, describe_difference
from proofs_checks.kit.rows import StatementRow, capped_rows
from separation.figures import require_figure_path
from separation.files import InputError, write_whole
from separation.progress import Progress, silent
from separation.tasks.checks import shown
from separation.verbs.book_figure import PICTURE_SUFFIXES, write_picture
from separation.verbs.options import Argument, Choice, Dask, File, Workers, refuse
from separation.verbs.report import (
    MARKS,
    Parts,
    Report,
    Verbatim,
    as_text,
    count,
    facts_table,
    lines,
    named,
    plain_table,
    shortened,
    styled,
    timed,
    written,
)
from separation.verbs.verify import Job, run_jobs

if TYPE_CHECKING:
    from rich.console import Group
    from rich.tree import Tree

EXAMPLES = ("proofs T.depth", "proofs --chapter T --graph theorems.svg", "proofs --coq")
FEW = 8
"""Up to this many statements are checked in this process: faster than starting others."""
OPEN = styled("yellow", "?")
LONGEST_REASON = 160

Id = Annotated[str | None, Argument(metavar="ID", help="One statement in full, e.g. C1 or T.depth.")]


@timed
def proofs(
    id: Id = None,
    graph: Annotated[File, "Draw what rests on what: a .svg, .png, .pdf or .dot file."] = None,
    chapter: Annotated[
        str | None, "Only one chapter, by the letters of its ids: D, S, R, C, M, L, T, P or CPW."
    ] = None,
    workers: Workers = None,
    progress: Progress = silent,
    *,
    markdown: Annotated[bool, "Print the table of statements in Markdown, and nothing else."] = False,
    dask: Dask = None,
    executor: Executor | None = None,
    announce: Callable[[Report], None] | None = None,
) -> ProofsReport:
    """Check every statement and its twins; with an ``id`` only that one and what it rests on, which caps its status.

    ``chapter`` leaves only the statements of that chapter, and in the picture the ids of what they rest on.
    """
    if id is not None:
        refuse("a statement's ID", {"graph": graph, "chapter": chapter, "markdown": markdown})
        if announce is not None:
            announce(stated_as(id))
    figure = require_figure_path(graph, "--graph", PICTURE_SUFFIXES)
    book = all_statements()
    links = dependency_graph(book)
    asked = _asked(book, id, chapter)
    wanted = {*asked}.union(*(claims_below(links, own) for own in asked))
    chosen = [own for own in book if own.id in wanted]
    if workers is None and dask is None and executor is None and len(chosen) <= FEW:
        workers = 1
    jobs: list[Job] = [("statement", own.id) for own in chosen]
    found = run_jobs(jobs, progress=progress, workers=workers, dask=dask, executor=executor)
    checked = capped_rows(links, [found["statement", own.id] for own in chosen])
    by_hand = {row.id for row in checked if row.by_hand and not row.in_coq}
    below = {row.id: set() if row.in_coq else by_hand & claims_below(links, row.id) for row in checked}
    rows = tuple(
        BookRow(own, row, _resting_on(book, row.id), tuple(sorted(below[row.id])))
        for own, row in zip(chosen, checked, strict=True)
        if row.id in asked
    )
    statuses = {row.id: row.status for row in checked}
    report = ProofsReport(rows, links, statuses, figure, id, markdown, id is not None and announce is not None)
    if figure is not None:
        write_picture(report, figure)
    return report


def stated_as(id: Annotated[str, Argument(metavar="ID", help="A statement.")]) -> StatedReport:
    """What a statement says, without a check of it."""
    book = all_statements()
    own = next(each for each in book if each.id == _known(id, book))
    return StatedReport(own, _resting_on(book, own.id), dependency_graph(book))


class StatedReport(Report):
    """A statement as it is stated: nothing was checked."""

    statement: Statement
    rested_on_by: tuple[str, ...]
    graph: Graph

    def facts(self) -> dict[str, Any]:
        own = self.statement
        return {"id": own.id, "title": own.title, "checked": False, **said_of(own, self.rested_on_by)}

    def parts(self) -> Parts:
        """Its id and title, what it says, what it supposes, and what it leans on."""
        from rich.padding import Padding
        from rich.text import Text

        own = self.statement
        yield styled("bold", own.id) + f"  {own.title}"
        facts: list[tuple[str, str]] = [("in LaTeX", own.latex), ("in English", own.english)]
        leans = (("rests on", own.rests_on), ("rested on by", self.rested_on_by), ("applies to", own.applies_to))
        for name, ids in leans:
            facts.append((name, lines(f"{id}  {self.graph.nodes[id]['title']}" for id in ids) or "–"))
        yield facts_table(facts)
        if own.hypotheses:
            yield "\nWhat it supposes, all of which holds for this witness:"
            yield Padding(Text(describe(own.witness), style="green"), (0, 0, 1, 2), expand=False)
            excluded = [(each.text, describe_difference(own.witness, each.outside)) for each in own.hypotheses]
            yield plain_table("hypothesis", "excludes the witness with", rows=excluded)


def said_of(own: Statement, rested_on_by: tuple[str, ...]) -> dict[str, Any]:
    """What a statement says, for JSON."""
    return {
        "latex": own.latex,
        "english": own.english,
        "rests_on": list(own.rests_on),
        "rested_on_by": list(rested_on_by),
        "applies_to": list(own.applies_to),
        "hypotheses": [{"text": each.text, "excludes": describe(each.outside)} for each in own.hypotheses],
        "witness": describe(own.witness) if own.hypotheses else None,
    }


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
        said = said_of(self.statement, self.rested_on_by)
        return {**self.checked.document(), **said, "by_hand_below": list(self.by_hand_below)}


class ProofsReport(Report):
    """All statements, or the one that was asked for; ``graph`` has an edge from what is rested on to what rests.

    ``statuses`` are those of all that was checked, and ``seconds`` the time that all of it took: of one statement, with
    everything that it rests on.
    """

    rows: tuple[BookRow, ...]
    graph: Graph
    statuses: dict[str, str]
    figure: Path | None
    asked: str | None = None
    as_markdown: bool = False
    announced: bool = False

    def markdown(self) -> str:
        """The table of docs/statements.md."""
        found = [row.checked for row in self.rows]
        return markdown_table((row.id, row.title, row.status, row.known_for) for row in found)

    def facts(self) -> dict[str, Any]:
        return named(self, "rows", "figure")

    def parts(self) -> Parts:
        """The book as a tree; one statement in full; or the table in Markdown."""
        if self.as_markdown:
            yield Verbatim(self.markdown().rstrip("\n"))
        elif self.asked is None:
            yield from self._show_book()
        else:
            yield from self._show_statement(self.rows[0])

    def _show_book(self) -> Parts:
        """Every statement that nothing rests on, and below it what it rests on; what was shown before is only named."""
        rows = {row.statement.id: row for row in self.rows}
        shown: set[str] = set()
        for row in self.rows:
            if not rows.keys() & {*row.rested_on_by}:
                yield _tree(row, rows, shown)
        failed = [row for row in self.rows if not row.ok]
        for row in failed:
            yield f"{MARKS[False]} {row.statement.id}: {row.checked.message}"
        yield written("figure", self.figure)
        counts = Counter(row.checked.status for row in self.rows)
        known = [f"{counts[status.value]} {status.value}" for status in Status if status.value in counts]
        twins = sum(len(row.checked.rejections) for row in self.rows)
        supposed = sum(len(row.statement.hypotheses) for row in self.rows if row.ok)
        yield ", ".join(known)
        yield f"{twins} broken twins rejected; {supposed} hypotheses, each met and each excluding something"
        hold = len(self.rows) - len(failed)
        yield f"{MARKS[self.ok]} {hold} of {len(self.rows)} statements hold ({self.seconds:.1f} s)"

    def _show_statement(self, row: BookRow) -> Parts:
        """One statement: what it says (unless that was announced), how it is known, which neighbours were refused."""
        own, found = row.statement, row.checked
        if not self.announced:
            yield from StatedReport(own, row.rested_on_by, self.graph).parts()
        own_check = f"its own check: {found.established}"
        weaker = f"{own_check}; what it rests on is weaker" if found.established != found.status else None
        below = ", ".join(f"{id} ({self.statuses[id]})" for id in own.rests_on if id in self.statuses)
        by_hand = f"steps by hand below it: {', '.join(row.by_hand_below)}"
        yield ""
        yield facts_table(
            [
                ("status", _mark(row) + f" {found.status}"),
                ("in Coq", ", ".join(found.in_coq) or None),
                ("", own_check if found.in_coq else weaker),
                ("", by_hand if row.by_hand_below else None),
                ("method", None if found.steps else found.method),
                ("scope", found.scope),
                ("rests on", below or None),
            ]
        )
        if found.steps:
            yield "\nWho did which step:\n"
            done = {step.name: f"by {step.worker}" for step in found.steps}
            done |= {step.name: f"by hand: {step.sentence}" for step in found.by_hand}
            yield plain_table("step", "done", rows=done.items())
        if found.rejections:
            yield "\nFalse neighbours, each rejected by the same check:\n"
            twins = [(name, _refusal(found, name)) for name in found.rejections]
            yield plain_table("broken twin", "rejected by, because", rows=twins)
        if found.message:
            yield f"{MARKS[False]} {found.message}"
        spent = f"{found.seconds:.1f} s; {self.seconds:.1f} s with all that it rests on"
        yield f"{MARKS[row.ok]} {'it holds' if row.ok else 'it does not hold'} ({spent})"


def _tree(row: BookRow, rows: dict[str, BookRow], shown: set[str]) -> Tree:
    """A statement, below it those that it rests on and that were not shown yet."""
    from rich.tree import Tree

    shown.add(row.statement.id)
    tree = Tree(_label(row), guide_style="dim")
    for other in row.statement.rests_on:
        if other in rows and other not in shown:
            tree.add(_tree(rows[other], rows, shown))
    return tree


def _label(row: BookRow) -> Group:
    """The title; how it is known; how it was tried, and what it leans on."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    own, found = row.statement, row.checked
    title = as_text(_mark(row) + " " + styled("bold", own.id) + f"  {own.title}")
    status = found.status if row.ok else styled("red", found.status)
    capped = f" (by its own check {found.established})" if row.ok and found.established != found.status else ""
    known = status + capped + ": " + styled("dim", found.scope) if found.scope else status
    parts = [count(len(found.rejections), "twin") + " rejected", count(len(own.hypotheses), "hypothesis")]
    parts += [count(len(found.by_hand), "step") + " by hand"] if found.by_hand else []
    parts += [f"rests on {', '.join(own.rests_on)}"] if own.rests_on else []
    parts += [f"applies to {', '.join(own.applies_to)}"] if own.applies_to else []
    more = Text("; ".join(parts), style="dim italic")
    return Group(title, *(Padding(line, (0, 0, 0, 4), expand=False) for line in (as_text(known), more)))


def _mark(row: BookRow) -> str:
    return OPEN if row.status is Status.OPEN else MARKS[row.ok]


def _refusal(found: StatementRow, twin: str) -> str:
    """The step that refused it first, why, and the steps that were tried on it too and refuse it alone."""
    first, *more = found.refused_by.get(twin, ("",))
    also = f"; also by: {', '.join(more)}" if more else ""
    return (f"{first}: " if first else "") + shortened(found.rejections[twin], LONGEST_REASON) + also


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
            **named(self.theorem, "file", "proved_by", "stated_in"),
            "statements": list(statements_of(self.theorem.name)),
            "closed": self.ok,
            "assumptions": self.assumes,
            **named(self, "seconds", "ok"),
        }


class CoqReport(Report):
    """``problems``: what coqc refused, what a file must not contain (files.FORBIDDEN), a stale record."""

    rows: tuple[CoqRow, ...]
    coq: str
    lines: int
    files: dict[str, float]
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        return not self.problems and all(row.ok for row in self.rows)

    def parts(self) -> Parts:
        """One line for each final theorem: its statements in the book, its file, what it assumes."""
        table = []
        for row in self.rows:
            about = (row.ok, row.theorem.name, ", ".join(statements_of(row.theorem.name)) or None, row.theorem.file)
            table.append((*about, row.said, None if row.seconds is None else f"{row.seconds:.1f}"))
        yield plain_table("", "theorem", "statements", "file", "assumptions", "s", rows=table)
        for problem in self.problems:
            yield f"{MARKS[False]} {problem}"
        closed = sum(row.ok for row in self.rows)
        text = f"{closed} of {len(self.rows)} theorems closed under the global context"
        yield f"{MARKS[self.ok]} {text}"
        yield f"Coq {self.coq}, {len(self.files)} files, {self.lines} lines ({self.seconds:.1f} s)"


@timed
def proofs_coq(
    workers: Workers = None,
    progress: Progress = silent,
    record: Annotated[
        Path | None, "With --coq: record what Coq said in this checkout; statuses are read from there."
    ] = None,
) -> CoqReport:
    """Compile proofs_checks/coq from scratch in a temporary folder, and ask what each theorem assumes.

    What was found is compared with the record that the book's statuses are read from; with a checkout
    to ``record`` it in, the record there is written instead.
    """
    version = coq_version()
    file = FOLDER / NAME if record is None else record / "proofs_checks" / "coq" / NAME
    if not file.parent.is_dir():
        raise InputError(f"{record} is not a checkout of the project: it has no proofs_checks/coq")
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
    if not wrong and record is not None:
        write_whole(file, text_of(record_of(found)))
    elif not wrong and stored_record() != record_of(found):
        wrong.append(f"{NAME} is not what Coq says of these files; separation proofs --coq --record . writes it")
    rows = tuple(
        CoqRow(each, tuple(found[each.name]) if each.name in found else None, seconds.get(each.file))
        for each in theorems
    )
    lines = sum(text.count("\n") for text in texts.values())
    return CoqReport(rows, version, lines, seconds, tuple(wrong))


command = Choice(
    proofs,
    no_check=("With an ID: show the statement, and check nothing.", stated_as),
    coq=("Instead: compile the proofs in Coq, and show what each theorem assumes.", proofs_coq),
)
