"""Floats: the same weights in torch."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from separation.cli.finish import finish, numbers
from separation.cli.options import (
    Block,
    Digits,
    Family,
    Json,
    Length,
    Levels,
    ModelFile,
    Modulus,
    Name,
    Opened,
    StartSize,
    Tokens,
    WordOption,
)


def crosscheck(
    name: Name = None,
    levels: Levels = None,
    m: StartSize = None,
    n: Digits = None,
    tokens: Tokens = None,
    length: Length = None,
    modulus: Modulus = None,
    word: WordOption = None,
    family: Family = None,
    block: Block = None,
    opened: Opened = None,
    model: ModelFile = None,
    dtype: Annotated[str, typer.Option(help="float64, float32, float16 or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto (CUDA, else MPS, else CPU), cpu, cuda or mps.")] = "auto",
    path: Annotated[
        str, typer.Option(help="rows: what the answer needs, keys in blocks; full: torch's whole matrices.")
    ] = "rows",
    instances: Annotated[
        int | None,
        typer.Option(
            help="Random instances (default 64, fewer of long prompts); adversarial families on top up to 2^14 tokens",
            min=1,
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the instances.", min=0)] = 0,
    limits: Annotated[
        bool, typer.Option("--limits", help="Instead: the longest certified prompt of every construction and type.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a construction in torch; compare answers and errors with the exact run and with proved bounds.

    Example: separation crosscheck C1 --L 3 --dtype bfloat16
    """
    from separation.display.progress import progress_bar
    from separation.verbs.certified import certified_table
    from separation.verbs.crosscheck import crosscheck as verb

    with progress_bar() as progress:
        if limits:
            finish(certified_table(progress), as_json, "crosscheck.show_certified")
        options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
        options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
        options |= {"model": model, "dtype": dtype, "device": device, "path": path}
        report = verb(name, **options, instances=instances, seed=seed, progress=progress)
    finish(report, as_json, "crosscheck.show_crosscheck")
