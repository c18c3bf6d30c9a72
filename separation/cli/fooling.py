"""Two inputs that a model cannot tell apart."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from separation.cli.finish import finish, numbers
from separation.cli.options import Bits, Json, StateBits
from separation.files import InputError


def fool(
    word: Annotated[
        str | None, typer.Option("--word", help="Layers of a random model, over F and R (default R).")
    ] = None,
    levels: Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1 (default: depth + 1).")] = None,
    m: Annotated[
        int | None, typer.Option("--m", help="Size of table 1 (default: small; R: too large for the state).")
    ] = None,
    n: Annotated[str | None, typer.Option("--n", help="n_1,...,n_{L-1} (default: m,m,...; R: 2,2,...).")] = None,
    state_bits: StateBits = None,
    bits: Bits = None,
    score_bits: Annotated[int | None, typer.Option(help="P, bits of an attention weight (default 4).")] = None,
    family: Annotated[str | None, typer.Option(help="A recurrent family, as in recurrences, not --state-bits.")] = None,
    thoughts: Annotated[int | None, typer.Option(help="Tokens of a chain of thought before the answer.")] = None,
    sparse: Annotated[bool, typer.Option("--sparse", help="2-Sum and one block-sparse layer instead.")] = False,
    block: Annotated[int | None, typer.Option(help="--sparse: tokens in a block (default 3).")] = None,
    summary_bits: Annotated[int | None, typer.Option(help="--sparse: bits of a block's summary (default 4).")] = None,
    opened: Annotated[int | None, typer.Option("--open", help="--sparse: blocks opened in all (default 1).")] = None,
    blocks: Annotated[int | None, typer.Option(help="--sparse: blocks before the query (default 4).")] = None,
    modulus: Annotated[int | None, typer.Option(help="--sparse: odd modulus M (default 11).")] = None,
    model: Annotated[Path | None, typer.Option(help="A model file (JSON or .safetensors) instead.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random model and of the search.", min=0)] = 0,
    seconds: Annotated[float, typer.Option(help="Stop after so many seconds.")] = 60.0,
    samples: Annotated[int | None, typer.Option(help="Stop after so many inputs.")] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that share the search (words in R alone; default 1).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write the certificate here, or what was tried.")] = None,
    phase: Annotated[
        Path | None, typer.Option(help="Instead: draw where pairs are found (.png, .svg, .pdf; data as CSV beside).")
    ] = None,
    as_json: Json = False,
) -> None:
    """Find two inputs that a model cannot tell apart, though their answers differ, and run them again.

    Example: separation fool --word R --L 1 --m 4 --state-bits 6 --seed 0 --out pair.json

    Example: separation fool --word RF --L 2 --m 3 --n 3 --seed 0 --out pair.json

    Example: separation fool --phase phase.png
    """
    from separation.display.progress import progress_bar
    from separation.verbs.fool import fool as by_states
    from separation.verbs.fool_sparse import fool_sparse as by_summaries

    plain: dict[str, Any] = {"word": word, "L": levels, "m": m, "n": numbers(n), "state_bits": state_bits}
    plain |= {"family": family, "thoughts": thoughts, "bits": bits, "score_bits": score_bits, "workers": workers}
    summarised: dict[str, Any] = {"block": block, "summary_bits": summary_bits, "opened": opened, "blocks": blocks}
    summarised |= {"modulus": modulus}
    _refuse(summarised if not sparse else plain, sparse)
    common: dict[str, Any] = {"model": model, "seed": seed, "seconds": seconds, "samples": samples, "out": out}
    if phase is not None:
        _phase(phase, sparse, plain, summarised, common, as_json)
        return
    with progress_bar() as progress:
        if sparse:
            report = by_summaries(**summarised, **common, progress=progress)
        else:
            plain |= {"thoughts": thoughts or 0, "workers": 1 if workers is None else workers}
            report = by_states(**plain, **common, progress=progress)
    finish(report, as_json, "fool.show_fool")


def _phase(
    figure: Path, sparse: bool, plain: dict[str, Any], summarised: dict[str, Any], common: dict[str, Any], as_json: bool
) -> None:
    """A phase diagram; of all options only those of a sparse layer's shape, the seed and the seconds have a meaning."""
    from separation.display.progress import progress_bar
    from separation.verbs.fool_phase import fool_phase

    shape = {name: value for name, value in summarised.items() if name != "summary_bits"}
    others = {**plain, "summary_bits": summarised["summary_bits"]}
    others |= {name: common[name] for name in ("model", "samples", "out")}
    given = [f"--{name.replace('_', '-')}" for name, value in others.items() if value is not None]
    if given:
        raise InputError(f"{', '.join(given)} has no meaning with --phase")
    with progress_bar() as progress:
        options = {"seed": common["seed"], "seconds": common["seconds"], "progress": progress}
        report = fool_phase(figure, sparse=sparse, **shape, **options)
    finish(report, as_json, "fool.show_phase")


def _refuse(options: dict[str, Any], sparse: bool) -> None:
    """Options of the other kind of search."""
    names = {"opened": "open"}
    given = [f"--{names.get(name, name).replace('_', '-')}" for name, value in options.items() if value is not None]
    if given:
        raise InputError(f"{', '.join(given)} {'has no meaning with' if sparse else 'needs'} --sparse")
