"""`separation crosscheck`: its options and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import SIZES, Gathered, Json, ModelFile, Name, Seed, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.crosscheck import CertifiedReport, CrossCheckReport


@gathers("sizes", SIZES)
def crosscheck(
    *,
    name: Name = None,
    sizes: Gathered,
    model: ModelFile = None,
    dtype: Annotated[str, typer.Option(help="float64, float32, float16 or bfloat16.")] = "float32",
    device: Annotated[str, typer.Option(help="auto (CUDA, else MPS, else CPU), cpu, cuda or mps.")] = "auto",
    path: Annotated[
        str, typer.Option(help="rows: only what the answer needs, keys in blocks; full: whole matrices.")
    ] = "rows",
    instances: Annotated[
        int | None,
        typer.Option(
            help="Random instances (default 64, fewer of long prompts); up to 2^14 tokens adversarial ones are added.",
            min=1,
        ),
    ] = None,
    seed: Seed = 0,
    limits: Annotated[
        bool, typer.Option("--limits", help="Instead: the longest certified prompt of every construction, by dtype.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Run a construction in torch; compare answers with the exact run and errors with proved bounds (needs torch).

    Example: separation crosscheck C1 --L 3 --dtype bfloat16

    Example: separation crosscheck --limits
    """
    from separation.verbs.crosscheck import certified_table
    from separation.verbs.crosscheck import crosscheck as verb

    with progress_bar() as progress:
        if limits:
            finish(certified_table(progress), as_json, show_certified)
        how: Gathered = {"dtype": dtype, "device": device, "path": path, "instances": instances, "seed": seed}
        report = verb(name, model=model, **how, **sizes, progress=progress)
    finish(report, as_json, show_crosscheck)


def show_crosscheck(report: CrossCheckReport, console: Console) -> None:
    """What ran, the errors with their bounds, and the verdict."""
    result = report.result
    table = facts_table()
    table.add_row("construction", escape(f"{report.construction.name} ({report.construction.model.word})"))
    table.add_row("prompts", f"{result.instances} of {result.tokens:,} tokens, {result.mismatches} wrong answers")
    table.add_row("run", f"{result.dtype} on {result.device}, path {result.path}")
    table.add_row("reference", f"{result.reference}; read-outs of {result.compared} prompts compared")
    table.add_row("error of read-outs", _against(result.max_error, result.bound))
    table.add_row("error of logits", _against(result.logit_error, result.logit_bound))
    if result.ratio is not None:
        table.add_row("bound / error", f"{result.ratio:.1f}")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    if result.bound is None:
        console.print(f"{MARKS[False]} not certified in {result.dtype}: {escape(result.reason)}", soft_wrap=True)
        found = report.certified_tokens
        longest = "no certified size was found" if found is None else f"certified up to {found:,} tokens"
        console.print(f"  {longest}", soft_wrap=True)
    if result.outside:
        console.print(f"{MARKS[False]} {result.outside} numbers left their bounds")
    verdict = "answers agree, errors stay within proved bounds" if report.ok else "not certified, or outside its bounds"
    console.print(f"{MARKS[report.ok]} {verdict}")


def _against(error: float, bound: float | None) -> str:
    return f"{error:.2e}" + (", no bound" if bound is None else f", proved ≤ {bound:.2e}")


def show_certified(report: CertifiedReport, console: Console) -> None:
    """Every construction at L = 3 on both paths: the longest prompt for each type."""
    from separation.numeric import DTYPES
    from separation.verbs.crosscheck import count_text

    table = table_of("construction", "path", *DTYPES)
    for row in report.rows:
        cells = [count_text(row.tokens[dtype], row.most) for dtype in DTYPES]
        table.add_row(f"{row.construction} {row.variant}".strip(), row.path, *cells)
    console.print(table)
    console.print(
        f"longest prompts, in tokens, all answers proved right ({report.seconds:.0f} s); ≥: nothing longer was tried"
    )
