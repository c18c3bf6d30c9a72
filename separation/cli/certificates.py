"""Certificates, checked again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Json


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate.")],
    replay: Annotated[bool, typer.Option("--replay", help="Run a pair by the project's own model too.")] = False,
    as_json: Json = False,
) -> None:
    """Re-check a certificate with the standard-library kernel alone.

    Example: separation prove C1 --L 3 --out c1.json && separation check c1.json
    """
    from separation.verbs.check import check as verb

    finish(verb(file, replay), as_json, "tables.show_check")
