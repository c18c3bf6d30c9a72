"""Certificates, checked again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from separation.cli.finish import finish, refuse_given
from separation.cli.options import Json
from separation.files import InputError


def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="A certificate.")] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Run a pair by the project's own model too.")] = False,
    schema: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Instead: print the JSON Schema of construction, bound, decision, pair, model, funccomp or two_sum.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Re-check a certificate with the standard-library kernel alone.

    Example: separation prove C1 --L 3 --out c1.json && separation check c1.json

    Example: separation check --schema bound > bound.schema.json
    """
    if schema is not None:
        refuse_given("--schema", {"replay": replay or None})
        if file is not None:
            raise InputError(f"--schema prints a schema and reads no file, not {file} either")
        _print_schema(schema)
    if file is None:
        raise InputError("FILE is missing: a certificate, as --out of prove, bound, decide and fool writes it")
    from separation.verbs.check import check as verb

    finish(verb(file, replay), as_json, "tables.show_check")


def _print_schema(name: str) -> None:
    """One JSON document, with --json or without."""
    from separation.proving.schemas import schema

    print(json.dumps(schema(name), ensure_ascii=False, indent=2))
    raise typer.Exit
