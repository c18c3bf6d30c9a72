"""Lower bounds: what cannot be."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from separation.cli.finish import finish, numbers, refuse_given, required
from separation.cli.options import (
    Beta,
    Bits,
    Dimension,
    Effort,
    HeadCount,
    Json,
    Lambda,
    Modulus,
    ScoreBits,
    StateBits,
)


def decide(
    word: Annotated[str, typer.Argument(metavar="WORD", help="Layers, e.g. RFFR, F3, (RRF)4, [FR]F.")],
    levels: Annotated[int, typer.Option("--L", help="Number of tables, L >= 1.")],
    m: Annotated[int | None, typer.Option("--m", help="Ask about exactly these sizes: m ...")] = None,
    n: Annotated[str | None, typer.Option("--n", help="... and n_1,...,n_{L-1}.")] = None,
    beta: Beta = None,
    linear: Lambda = None,
    heads: HeadCount = None,
    dim: Dimension = None,
    bits: Bits = None,
    score_bits: ScoreBits = None,
    state_bits: StateBits = None,
    effort: Effort = "quick",
    out: Annotated[Path | None, typer.Option(help="Write the certificate here.")] = None,
    as_json: Json = False,
) -> None:
    """Decide whether a word of layers solves L-FuncComp: by which construction, or by which theorem not.

    Example: separation decide RFFR --L 3
    """
    from separation.verbs.decide import decide as verb

    options: dict[str, Any] = {"beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    options |= {"score_bits": score_bits, "state_bits": state_bits, "effort": effort}
    finish(verb(word, L=levels, m=m, n=numbers(n), **options, out=out), as_json, "bounds.show_decide")


def bound(
    levels: Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1.")] = None,
    beta: Beta = None,
    linear: Lambda = None,
    heads: HeadCount = None,
    dim: Dimension = None,
    bits: Bits = None,
    score_bits: ScoreBits = None,
    linear_layers: Annotated[int | None, typer.Option(help="R layers, charged to every Lambda_t.")] = None,
    state_bits: StateBits = None,
    full_layers: Annotated[int | None, typer.Option(help="Full layers: L-1 (default), L (Theorem B), 0.")] = None,
    config: Annotated[Path | None, typer.Option(help="A Hugging Face config.json instead of numbers.")] = None,
    effort: Effort = "quick",
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Print the inequalities in symbols too.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print them in LaTeX, and nothing else.")] = False,
    exponents: Annotated[
        bool, typer.Option("--exponents", help="Instead: exponents for 2..L tables, and the sizes of CPW.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option(help="Draw the exponents (.png, .svg, .pdf), with a .csv beside.")
    ] = None,
    sparse: Annotated[bool, typer.Option("--sparse", help="Instead: Theorem D, 2-Sum with one sparse layer.")] = False,
    modulus: Modulus = None,
    block: Annotated[int | None, typer.Option(help="Theorem D: tokens in a block.")] = None,
    opened: Annotated[int | None, typer.Option("--open", help="Theorem D: blocks opened, over all heads.")] = None,
    blocks: Annotated[int | None, typer.Option(help="Theorem D: complete blocks before the query.")] = None,
    summary_bits: Annotated[int | None, typer.Option(help="Theorem D: are so many bits of a block too few?")] = None,
    out: Annotated[Path | None, typer.Option(help="Write the certificate here.")] = None,
    as_json: Json = False,
) -> None:
    """Find the shortest prompt at which an impossibility is certified, beside what the papers ask for.

    Example: separation bound --L 3 --heads 8 --dim 64 --bits 16 --linear-layers 24 --state-bits 1048576

    Example: separation bound --exponents --figure exponents.png

    Example: separation bound --sparse --modulus 11 --block 3 --open 1 --blocks 4
    """
    from separation.verbs.bound import bound as verb

    layers = {"modulus": modulus, "block": block, "open": opened, "blocks": blocks, "summary-bits": summary_bits}
    numbers_given = {"beta": beta, "lambda": linear, "heads": heads, "dim": dim, "bits": bits, "config": config}
    numbers_given |= {"score-bits": score_bits, "state-bits": state_bits, "full-layers": full_layers}
    numbers_given |= {"linear-layers": linear_layers, "symbolic": symbolic or None, "latex": latex or None}
    if exponents or figure is not None:
        refuse_given("--exponents", numbers_given | layers | {"sparse": sparse or None, "out": out})
        _exponents(levels, figure, as_json)
    if sparse:
        refuse_given("--sparse", numbers_given | {"L": levels})
        _sparse(layers, out, as_json)
    refuse_given("a bound without --sparse", layers)
    options: dict[str, Any] = {"beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    options |= {"score_bits": score_bits, "state_bits": state_bits, "linear_layers": linear_layers, "effort": effort}
    report = verb(L=levels, **options, full_layers=full_layers, config=config, symbolic=symbolic or latex, out=out)
    if latex and not as_json and report.symbolic is not None:
        print(report.symbolic.latex())
        raise typer.Exit
    finish(report, as_json, "bounds.show_bound")


def _exponents(levels: int | None, figure: Path | None, as_json: bool) -> None:
    from separation.display.progress import progress_bar
    from separation.verbs.exponents import exponents_table as verb

    with progress_bar() as progress:
        report = verb(L=levels, figure=figure, progress=progress)
    finish(report, as_json, "exponents.show_exponents")


def _sparse(layers: dict[str, int | None], out: Path | None, as_json: bool) -> None:
    from separation.verbs.sparse import bound_sparse as verb

    modulus, block, opened, blocks = (required(name, layers[name]) for name in ("modulus", "block", "open", "blocks"))
    given = {"modulus": modulus, "block": block, "opened": opened, "blocks": blocks}
    finish(verb(**given, summary_bits=layers["summary-bits"], out=out), as_json, "exponents.show_sparse")


def recurrences(
    third_parties: Annotated[
        bool, typer.Option(help="Compare with other people's implementations where they are installed.")
    ] = True,
    as_json: Json = False,
) -> None:
    """List the recurrent families: state, bits, and that each equals its parallel form.

    Example: separation recurrences --no-third-parties
    """
    from separation.display.progress import progress_bar
    from separation.verbs.recurrences import recurrences_table as verb

    with progress_bar() as progress:
        report = verb(progress=progress, third_parties=third_parties)
    finish(report, as_json, "recurrences.show_recurrences")
