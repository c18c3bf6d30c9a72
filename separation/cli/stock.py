"""Constructions inside models that nobody here wrote."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from separation.cli.finish import finish, numbers
from separation.cli.options import Digits, Json, Levels, StartSize, Tokens


def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A construction that the target takes.")],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder, or that of an earlier export.")],
    to: Annotated[str, typer.Option("--to", help="The stock model: gpt2, llama, olmo_hybrid or qwen3_next.")],
    levels: Levels = None,
    m: StartSize = None,
    n: Digits = None,
    tokens: Tokens = None,
    dtype: Annotated[str, typer.Option(help="float32, float64, bfloat16 or float16.")] = "float32",
    seed: Annotated[int, typer.Option(help="Seed of the inputs that it is asked.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """Write a checkpoint that a stock class of transformers loads, and ask that class.

    Example: separation export C1 --L 3 --to gpt2 model-folder
    """
    from separation.display.progress import progress_bar
    from separation.verbs.export import export as verb

    sizes = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens}
    with progress_bar() as progress:
        report = verb(name, folder, to=to, **sizes, dtype=dtype, seed=seed, progress=progress)  # type: ignore[arg-type]
    finish(report, as_json, "export.show_export")
