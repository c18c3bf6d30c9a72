"""The protocol: models run as players."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from separation.cli.finish import finish, numbers
from separation.cli.options import (
    Bits,
    Digits,
    Json,
    Length,
    Levels,
    ModelFile,
    Modulus,
    Name,
    ScoreBits,
    StartSize,
    Tokens,
)
from separation.files import InputError


def simulate(
    name: Name = None,
    levels: Levels = None,
    m: StartSize = None,
    n: Digits = None,
    tokens: Tokens = None,
    length: Length = None,
    modulus: Modulus = None,
    word: Annotated[
        str | None,
        typer.Option("--word", help="Without NAME: a random model, e.g. RFR; else the variant."),
    ] = None,
    family: Annotated[
        str | None, typer.Option("--family", help="R layers: linear (default), delta; of a random model any family.")
    ] = None,
    heads: Annotated[int | None, typer.Option("--heads", help="Random model: heads of each kind in a layer.")] = None,
    bits: Bits = None,
    score_bits: ScoreBits = None,
    model: ModelFile = None,
    instance: Annotated[Path | None, typer.Option(help="An instance as JSON.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a random instance and of a random model.", min=0)] = 0,
    cut: Annotated[
        str | None, typer.Option("--cut", help="Tokens of each player, e.g. 3,5,2 (default: z_L, ..., z_1, z_0, w).")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="A small Hugging Face config.json: its stock model, counted."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write all messages here, as JSON Lines.")] = None,
    figure: Annotated[Path | None, typer.Option(help="Write a picture here, .svg, .png or .pdf.")] = None,
    as_json: Json = False,
) -> None:
    """Run a model as players who own parts of the prompt; count the bits of all messages.

    Example: separation simulate C2 --L 3, or: separation simulate --word RFR --seed 0 --cut 3,5,2
    """
    from separation.display.progress import progress_bar
    from separation.verbs.simulate import simulate as verb
    from separation.verbs.simulate_stock import simulate_stock

    options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "bits": bits, "score_bits": score_bits}
    options |= {"model": model, "instance": instance, "seed": seed, "cut": numbers(cut, "--cut"), "heads": heads}
    if config is not None:
        others = {**options, "name": name, "out": out, "figure": figure, "seed": None}
        given = [option for option, value in others.items() if value is not None]
        if given:
            raise InputError(f"a config brings its own model: leave out {', '.join(given)}")
        finish(simulate_stock(config, seed=seed), as_json, "simulate.show_stock")
    with progress_bar() as progress:
        report = verb(name, **options, out=out, figure=figure, progress=progress)
    finish(report, as_json, "simulate.show_simulate")
