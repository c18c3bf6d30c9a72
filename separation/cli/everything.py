"""Everything at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, NoReturn

import typer

from separation.cli.finish import finish, refuse_given
from separation.cli.options import Json, Workers
from separation.files import InputError


def verify(
    full: Annotated[bool, typer.Option("--full", help="Larger sizes, and every proof by both paths.")] = False,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Prove all constructions and check all statements (under a minute).

    Example: separation verify
    """
    from separation.display.progress import progress_bar
    from separation.verbs.verify import verify as verb

    with progress_bar() as progress:
        report = verb(full=full, workers=workers, progress=progress)
    finish(report, as_json, "tables.show_verify")


def proofs(
    id: Annotated[str | None, typer.Argument(metavar="ID", help="One statement in full, e.g. C1 or T.depth.")] = None,
    graph: Annotated[Path | None, typer.Option(help="Draw what rests on what: a file .svg, .png or .pdf.")] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the table of the README, and nothing else.")
    ] = False,
    docs: Annotated[
        Path | None,
        typer.Option(help="With --markdown: write the computed parts of README.md and docs/*.md in this folder again."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="With --docs: write nothing, and exit with 1 if a part is stale.")
    ] = False,
    workers: Workers = None,
    as_json: Json = False,
) -> None:
    """Check the proof book: every statement, its broken twins, what it supposes, and what rests on what.

    Examples: separation proofs --graph book.svg; separation proofs T.depth; separation proofs --markdown --docs .
    """
    from separation.display.progress import progress_bar
    from separation.verbs.proofs import proofs as verb

    if id is not None:
        refuse_given("a statement's ID", {"graph": graph, "markdown": markdown or None, "docs": docs})
    if docs is not None:
        _write_pages(docs, check, markdown, graph, as_json)
    if check:
        raise InputError("--check goes with --docs")
    with progress_bar() as progress:
        report = verb(id, graph=graph, workers=workers, progress=progress)
    if markdown and not as_json:
        print(report.markdown(), end="")
        raise typer.Exit(0 if report.ok else 1)
    finish(report, as_json, "proofs.show_proofs" if id is None else "proofs.show_statement")


def _write_pages(docs: Path, check: bool, markdown: bool, graph: Path | None, as_json: bool) -> NoReturn:
    """The pages in place of the table of statements."""
    import json

    from separation.display.progress import progress_bar
    from separation.pages import rewrite_pages

    if not markdown or graph is not None:
        raise InputError("--docs goes with --markdown, and not with --graph")
    with progress_bar() as progress:
        report = rewrite_pages(docs, check=check, progress=progress)
    print(json.dumps(report.document(), ensure_ascii=False) if as_json else "\n".join(report.lines()))
    raise typer.Exit(0 if report.ok else 1)
