"""Upper bounds: constructions, proved, run and shown."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from separation.cli.finish import finish, numbers
from separation.cli.options import (
    Bits,
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
    ScoreBits,
    StartSize,
    Tokens,
    WordOption,
)


def prove(
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
    bits: Bits = None,
    score_bits: ScoreBits = None,
    model: ModelFile = None,
    path: Annotated[str, typer.Option(help="How look-ups are proved: closed, general or both.")] = "closed",
    out: Annotated[Path | None, typer.Option(help="Write the certificate here.")] = None,
    write_model: Annotated[
        Path | None, typer.Option(help="Write weights and invariants here, as --model reads.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove a construction, or a model file, for all inputs at given sizes.

    Example: separation prove C1 --L 8 --tokens 1048576
    """
    from separation.display.progress import progress_bar
    from separation.verbs.prove import prove as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    options |= {"bits": bits, "score_bits": score_bits, "model": model}
    with progress_bar() as progress:
        report = verb(name, **options, path=path, out=out, write_model=write_model, progress=progress)
    finish(report, as_json, "tables.show_prove")


def solve(
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
    bits: Bits = None,
    score_bits: ScoreBits = None,
    model: ModelFile = None,
    instance: Annotated[Path | None, typer.Option(help="An instance as JSON.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of a random instance.", min=0)] = 0,
    as_json: Json = False,
) -> None:
    """Run one instance exactly; show the hops and where attention looked.

    Example: separation solve C1 --L 3 --m 4 --n 4,4 --seed 7
    """
    from separation.display.progress import progress_bar
    from separation.verbs.solve import solve as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    options |= {"bits": bits, "score_bits": score_bits, "model": model}
    with progress_bar() as progress:
        report = verb(name, **options, instance=instance, seed=seed, progress=progress)
    finish(report, as_json, "tables.show_solve")


def show(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A construction, C1 to C7, or a word over F and R.")],
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
    layer: Annotated[int | None, typer.Option(help="Only this layer.")] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Print a LaTeX document.")] = False,
    as_json: Json = False,
) -> None:
    """Print the weights as named blocks, and the invariants, as in a paper.

    Example: separation show C1 --L 3 --layer 2
    """
    from separation.display.weights import to_latex
    from separation.verbs.show import show as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    report = verb(name, **options, layer=layer)
    if latex and not as_json:
        print(to_latex(report), end="")
        raise typer.Exit
    finish(report, as_json, "weights.show_text")


def constructions(
    levels: Levels = None,
    m: StartSize = None,
    n: Digits = None,
    tokens: Tokens = None,
    length: Length = None,
    modulus: Modulus = None,
    block: Block = None,
    opened: Opened = None,
    as_json: Json = False,
) -> None:
    """List what is built: layers, heads, width, precision and state bits, measured and as formulas.

    Example: separation constructions --L 4
    """
    from separation.display.progress import progress_bar
    from separation.verbs.constructions import constructions_table as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "block": block, "opened": opened}
    with progress_bar() as progress:
        report = verb(**options, progress=progress)
    finish(report, as_json, "constructions.show_constructions")
