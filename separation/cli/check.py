"""`separation check`: its options, and what Coq said. What the kernel says is printed by `check_alone`."""

from __future__ import annotations

import io
from contextlib import nullcontext, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish, print_text
from separation.cli.options import Json, refuse
from separation.cli.progress import progress_bar
from separation.cli.quiet import is_quiet
from separation.cli.style import MARKS, escape
from separation.files import InputError, json_text

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.check import CoqCheckReport


def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A certificate.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Also run a pair through the project's own model.")] = False,
    coq: Annotated[bool, typer.Option("--coq", help="Also let Coq check a bound or a decision.")] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Print a JSON Schema: construction, bound, decision, ceiling, pair, model, funccomp, two_sum.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Check a certificate with the standard-library kernel alone: exit 0 accepted, 1 rejected, 2 no verdict.

    Example: separation prove C1 --L 3 --out c1.json && separation check c1.json

    Example: separation check --schema bound > bound.schema.json

    Example: separation bound --L 2 --beta 8 --lambda 0 --out bound.json && separation check bound.json --coq
    """
    if schema is not None:
        from separation.proving.schemas import schema as schema_of

        refuse("--schema", {"replay": replay, "coq": coq})
        if file is not None:
            raise InputError(f"--schema prints a schema and reads no file: leave out {file}")
        print_text(json_text(schema_of(schema), readable=True, indent=2))
    if file is None:
        raise InputError("FILE is missing: a certificate written by --out of prove, bound, decide or fool")
    if coq:
        from separation.verbs.check import check_coq

        refuse("--coq", {"replay": replay})
        with progress_bar() as progress:
            report = check_coq(file, progress)
        finish(report, as_json, show_check_coq)
    from separation.cli.check_alone import check_alone  # the kernel takes as long to load as a short verb takes to run

    with redirect_stdout(io.StringIO()) if is_quiet() and not as_json else nullcontext():
        code = check_alone(str(file), replay, as_json)
    raise typer.Exit(code)


def show_check_coq(report: CoqCheckReport, console: Console) -> None:
    """What the kernel said, the theorem, and what Coq said of it."""
    kernel, coq = report.kernel, report.coq
    accepted = f"the kernel accepts: {kernel.message}" if kernel.ok else f"the kernel rejects it: {kernel.message}"
    console.print(f"{MARKS[kernel.ok]} {escape(accepted)}", soft_wrap=True)
    if coq is None:
        return
    text = coq.theorem.text
    statement = text[text.index("Theorem") : text.index("Proof.")].strip()
    console.print(f"\n{escape(statement)}\n", highlight=False)
    said = "Coq accepts, closed under the global context"
    if coq.refusal:
        said = f"Coq rejects it: {coq.refusal}"
    elif coq.assumes:
        said = f"Coq accepts, but it assumes {', '.join(coq.assumes)}"
    how = f"({coq.theorem.applied}, {coq.theorem.arithmetic}, {coq.seconds:.1f} s)"
    console.print(f"{MARKS[coq.ok]} {escape(said)} {how}", soft_wrap=True)
