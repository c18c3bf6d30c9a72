"""The command line: one verb, one function, no logic."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from separation.files import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

UPPER = "Upper bounds: constructions"
LOWER = "Lower bounds: what cannot be"
EVERYTHING = "Everything at once"
CERTIFICATES = "Certificates"

# What typer raises for a wrong option; its own class has moved between releases, BadParameter has not.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]

app = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    help="Proves, for all inputs at once, what attention layers can do. Start with: separation verify",
)

Name = Annotated[str | None, typer.Argument(metavar="NAME", help="A construction, C1 to C7, or a word over F and R.")]
Levels = Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1 (default 3).")]
StartSize = Annotated[int | None, typer.Option("--m", help="Size of table 1, m >= 2 (default 4).")]
Digits = Annotated[str | None, typer.Option("--n", help="n_1,...,n_{L-1}, e.g. 8,8.")]
Tokens = Annotated[int | None, typer.Option(help="Instead of --m and --n: equal powers of two that reach this length.")]
Length = Annotated[int | None, typer.Option("--length", help="2-Sum: number of tokens (default 64).")]
Modulus = Annotated[
    int | None, typer.Option("--modulus", help="2-Sum: odd modulus M (default: next odd number above n^2).")
]
WordOption = Annotated[str | None, typer.Option("--word", help="Variant of C2 or C5, e.g. RFF, FRF; RF, FR, F.")]
Family = Annotated[str | None, typer.Option("--family", help="R layer of C2 or C5: linear (default) or delta.")]
Block = Annotated[int | None, typer.Option("--block", help="C7: tokens in a block (default 4).")]
Opened = Annotated[int | None, typer.Option("--open", help="C7: blocks opened, over all heads (default 1).")]
Bits = Annotated[int | None, typer.Option("--bits", help="p, bits of an activation.")]
ScoreBits = Annotated[int | None, typer.Option("--score-bits", help="P, bits of an attention weight (default p).")]
Beta = Annotated[int | None, typer.Option("--beta", help="beta: bits that one full layer brings to a token.")]
Lambda = Annotated[int | None, typer.Option("--lambda", help="Lambda: bits of all recurrent states together.")]
HeadCount = Annotated[int | None, typer.Option("--heads", help="H, heads of a full layer (instead of --beta).")]
Dimension = Annotated[int | None, typer.Option("--dim", help="d, value dimension of a head.")]
StateBits = Annotated[int | None, typer.Option("--state-bits", help="Bits of one R layer's state.")]
ModelFile = Annotated[Path | None, typer.Option("--model", help="A model file (JSON or .safetensors) instead of NAME.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


@app.command(rich_help_panel=EVERYTHING)
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
    _finish(report, as_json, "show_verify")


@app.command(rich_help_panel=UPPER)
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
    from separation.verbs import prove as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": _numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    options |= {"bits": bits, "score_bits": score_bits, "model": model}
    with progress_bar() as progress:
        report = verb(name, **options, path=path, out=out, write_model=write_model, progress=progress)
    _finish(report, as_json, "show_prove")


@app.command(rich_help_panel=UPPER)
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
    from separation.verbs import solve as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": _numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    options |= {"bits": bits, "score_bits": score_bits, "model": model}
    with progress_bar() as progress:
        report = verb(name, **options, instance=instance, seed=seed, progress=progress)
    _finish(report, as_json, "show_solve")


@app.command(rich_help_panel=UPPER)
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
    from separation.verbs import show as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": _numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "word": word, "family": family, "block": block, "opened": opened}
    report = verb(name, **options, layer=layer)
    if latex and not as_json:
        print(to_latex(report), end="")
        raise typer.Exit
    _finish(report, as_json, "show_weights")


@app.command(rich_help_panel=UPPER)
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
    from separation.verbs import constructions_table as verb

    options: dict[str, Any] = {"L": levels, "m": m, "n": _numbers(n), "tokens": tokens, "length": length}
    options |= {"modulus": modulus, "block": block, "opened": opened}
    with progress_bar() as progress:
        report = verb(**options, progress=progress)
    _finish(report, as_json, "show_constructions")


@app.command(rich_help_panel=LOWER)
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
    out: Annotated[Path | None, typer.Option(help="Write the certificate here.")] = None,
    as_json: Json = False,
) -> None:
    """Decide whether a word of layers solves L-FuncComp: by which construction, or by which theorem not.

    Example: separation decide RFFR --L 3
    """
    from separation.verbs import decide as verb

    options: dict[str, Any] = {"beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    options |= {"score_bits": score_bits, "state_bits": state_bits}
    _finish(verb(word, L=levels, m=m, n=_numbers(n), **options, out=out), as_json, "show_decide")


@app.command(rich_help_panel=LOWER)
def bound(
    levels: Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1.")] = None,
    beta: Beta = None,
    linear: Lambda = None,
    heads: HeadCount = None,
    dim: Dimension = None,
    bits: Bits = None,
    score_bits: ScoreBits = None,
    linear_layers: Annotated[int, typer.Option(help="R layers, charged to every Lambda_t.", min=0)] = 0,
    state_bits: StateBits = None,
    full_layers: Annotated[int | None, typer.Option(help="Full layers: L-1 (default), L (Theorem B), 0.")] = None,
    config: Annotated[Path | None, typer.Option(help="A Hugging Face config.json instead of numbers.")] = None,
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Print the inequalities in symbols too.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print them in LaTeX, and nothing else.")] = False,
    out: Annotated[Path | None, typer.Option(help="Write the certificate here.")] = None,
    as_json: Json = False,
) -> None:
    """Find the shortest prompt at which an impossibility is certified, beside what the papers ask for.

    Example: separation bound --L 3 --heads 8 --dim 64 --bits 16 --linear-layers 24 --state-bits 1048576
    """
    from separation.verbs import bound as verb

    options: dict[str, Any] = {"beta": beta, "linear": linear, "heads": heads, "dim": dim, "bits": bits}
    options |= {"score_bits": score_bits, "state_bits": state_bits, "linear_layers": linear_layers}
    report = verb(L=levels, **options, full_layers=full_layers, config=config, symbolic=symbolic or latex, out=out)
    if latex and not as_json and report.symbolic is not None:
        print(report.symbolic.latex())
        raise typer.Exit
    _finish(report, as_json, "show_bound")


@app.command(rich_help_panel=LOWER)
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
    from separation.verbs import recurrences_table as verb

    with progress_bar() as progress:
        report = verb(progress=progress, third_parties=third_parties)
    _finish(report, as_json, "show_recurrences")


@app.command(rich_help_panel=CERTIFICATES)
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A certificate.")],
    as_json: Json = False,
) -> None:
    """Re-check a certificate with the standard-library kernel alone.

    Example: separation prove C1 --L 3 --out c1.json && separation check c1.json
    """
    from separation.verbs import check as verb

    _finish(verb(file), as_json, "show_check")


def _show_version(wanted: bool) -> None:
    if wanted:
        from separation.version import VERSION

        print(f"separation {VERSION}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


def main() -> NoReturn:
    """Run the command line: exit 0 when what was asked holds, 1 when it does not, 2 on bad input with one line."""
    # The proof multiplies many small matrices; BLAS threads mostly wait for each other there. Set before NumPy loads.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(_run(sys.argv[1:]))


def _run(arguments: list[str]) -> int:
    try:
        code = app(args=arguments, prog_name="separation", standalone_mode=False)
        return code if isinstance(code, int) else 0
    except USAGE_ERROR as error:
        return _complain(error.format_message())
    except InputError as error:
        return _complain(str(error))
    except MemoryError:
        return _complain("not enough memory for these sizes")
    except ArithmeticError as error:
        print(f"separation: {error}", file=sys.stderr)
        return 1
    except (KeyboardInterrupt, typer.Abort):
        print("separation: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0


def _complain(message: str) -> int:
    print(f"separation: error: {' '.join(message.split())}", file=sys.stderr)
    return 2


def _numbers(text: str | None) -> list[int] | None:
    """'8,8' → [8, 8]; '' → []."""
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not all(part.isascii() and part.lstrip("-").isdigit() and len(part) <= 4000 for part in parts):
        raise InputError(f"--n is {text[:40]!r}; a list of integers like 8,8 is needed")
    return [int(part) for part in parts]


def _finish(report: Any, as_json: bool, show: str) -> None:
    """Print the report for a program or a person, and exit by whether it holds."""
    if as_json:
        print(json.dumps(report.document(), ensure_ascii=False))
    else:
        from rich.console import Console

        from separation.display import tables

        printer: Callable[[Any, Console], None] = getattr(tables, show)
        printer(report, Console())
    raise typer.Exit(0 if report.ok else 1)
