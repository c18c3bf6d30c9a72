"""Everything at once."""

from __future__ import annotations

from typing import Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import (
    Json,
)


def verify(
    full: Annotated[bool, typer.Option("--full", help="Larger sizes, and every proof by both paths.")] = False,
    workers: Annotated[
        int | None, typer.Option(help="Processes that share the work (default: processors).", min=1)
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove all constructions and check all statements (under a minute).

    Example: separation verify
    """
    from separation.display.progress import progress_bar
    from separation.verbs import verify as verb

    with progress_bar() as progress:
        report = verb(full=full, workers=workers, progress=progress)
    finish(report, as_json, "tables.show_verify")
