"""`separation export`: its options and its table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Gathered, Json, Seed, gathers, refuse
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, count, escape, facts_table, table_of
from separation.files import InputError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from constructions.stock import Certificate
    from separation.numeric.stock_models import StockCheck
    from separation.verbs.export import ExportReport
    from separation.verbs.export_benchmark import BenchmarkReport
    from separation.verbs.export_onnx import OnnxReport


@gathers("sizes", "L m n tokens")
def export(
    *,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="A construction that the target takes.")] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A new folder, or that of an earlier export.")
    ] = None,
    to: Annotated[
        str | None, typer.Option("--to", help="The stock model: gpt2, llama, olmo_hybrid or qwen3_next.")
    ] = None,
    onnx: Annotated[
        Path | None, typer.Option("--onnx", help="Write an ONNX graph too, or alone if there is no DIR (gpt2, llama).")
    ] = None,
    benchmark: Annotated[
        Path | None, typer.Option("--benchmark", help="Instead: a new folder of questions for verifiers of networks.")
    ] = None,
    sizes: Gathered,
    dtype: Annotated[str, typer.Option(help="float32, float64, bfloat16 or float16.")] = "float32",
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Write a checkpoint that a stock class of transformers loads, and test it with that class (needs torch).

    --onnx writes the same weights as an ONNX graph, and tests it with two programs that run such graphs.
    --benchmark writes right and broken networks with questions whose answers are known, in the layout of VNN-COMP.

    Example: separation export C1 --L 3 --to gpt2 model-folder
    """
    from separation.verbs.export import export as verb
    from separation.verbs.export_benchmark import export_benchmark
    from separation.verbs.export_onnx import export_onnx

    if benchmark is not None:
        refuse("--benchmark", sizes)
        if name is not None or folder is not None or to is not None or onnx is not None:
            raise InputError("--benchmark takes a folder and nothing else: not NAME, DIR, --to or --onnx")
        with progress_bar() as progress:
            written = export_benchmark(benchmark, seed=seed, progress=progress)
        finish(written, as_json, show_benchmark)
    if name is None or to is None or (folder is None and onnx is None):
        raise InputError("export needs NAME, --to TARGET, and DIR or --onnx FILE; or --benchmark DIR alone")
    with progress_bar() as progress:
        if folder is not None:
            report = verb(name, folder, to=to, **sizes, dtype=dtype, seed=seed, onnx=onnx, progress=progress)
        else:
            if dtype != "float32":
                raise InputError(f"--onnx writes float32, not {dtype[:20]}")
            assert onnx is not None
            alone = export_onnx(name, onnx, to=to, **sizes, seed=seed, progress=progress)
    if folder is None:
        finish(alone, as_json, show_onnx)
    finish(report, as_json, show_export)


def show_onnx(report: OnnxReport, console: Console) -> None:
    """The graph, what is certified of its weights, and what each program answered."""
    facts, sizes = report.document(), report.checkpoint.sizes
    table = facts_table()
    table.add_row("graph", f"{facts['construction']} as {facts['class']}, float32, {facts['bytes']:,} bytes")
    table.add_row("task", f"L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})")
    table.add_row("input", f"ids, {sizes.length:,} of them, vocabulary {sizes.vocabulary:,}; output: the last logits")
    table.add_row("all inputs", _certified(report.certificate, "float32", None))
    _add_checks(table, report.checks, report.every_look_up)
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    written = "nothing written" if report.path is None else f"written to {escape(report.path)}"
    console.print(f"{MARKS[report.ok]} {written}", soft_wrap=True)


def show_benchmark(report: BenchmarkReport, console: Console) -> None:
    """A row for each family of networks: how many questions have which answer."""
    table = table_of("family", "tokens", "networks", "wrong ones", "unsat", "sat", "left out", "", right_from=1)
    for row in report.rows():
        counts = [str(row[name]) for name in ("tokens", "networks", "wrong_networks", "unsat", "sat", "undecided")]
        table.add_row(row["family"], *counts, MARKS[row["ok"]])
    console.print(table)
    console.print("unsat: proved for every real input of the box; sat: shown at a prompt; left out: not settled")
    console.print(f"{MARKS[report.ok]} written to {escape(report.path)} in {report.seconds:.1f} s", soft_wrap=True)


def show_export(report: ExportReport, console: Console) -> None:
    """What was written, what is certified of it, and what the stock class answered."""
    facts = report.document()
    sizes = report.checkpoint.sizes
    table = facts_table()
    table.add_row("model", f"{facts['construction']} as {facts['class']}, {facts['dtype']}")
    table.add_row("task", f"L = {sizes.L}, m = {sizes.m}, n = ({', '.join(map(str, sizes.n))})")
    table.add_row("prompt", f"{sizes.length:,} tokens, vocabulary {sizes.vocabulary:,}")
    table.add_row("sizes", f"{facts['layers']} layers, width {facts['width']}, {count(facts['heads'], 'head')}")
    table.add_row("parameters", f"{facts['parameters']:,}")
    table.add_row("all inputs", _certified(report.certificate, report.dtype, report.certified_tokens))
    _add_checks(table, report.checks, report.every_look_up)
    if report.onnx is not None:
        table.add_row("ONNX", f"{MARKS[report.onnx.ok]} {escape(report.onnx.path or 'nothing written')}")
        _add_checks(table, report.onnx.checks, report.onnx.every_look_up)
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    example = report.example()
    if example is not None:
        console.print(f"a text that its tokenizer reads: {example['text']}", soft_wrap=True, highlight=False)
        console.print(f"its answer: {example['answer']}")
    written = "nothing written" if report.path is None else f"written to {escape(report.path)}"
    console.print(f"{MARKS[report.ok]} {written}", soft_wrap=True)


def _add_checks(table: Table, checks: Sequence[StockCheck], every_look_up: bool) -> None:
    """A row for each run: how many answers were right, and by how much."""
    for check in checks:
        lead = "" if check.least_lead is None else f", least lead of a logit {check.least_lead:.4g}"
        lead += "" if check.max_error is None else f", logits off by up to {check.max_error:.2g}"
        right = check.instances - check.mismatches
        every = ", every look-up among them" if every_look_up and check.instances == checks[0].instances else ""
        table.add_row(check.attention, f"{MARKS[check.ok]} {right} of {check.instances} inputs right{every}{lead}")
        for complaint in check.complaints:
            table.add_row("", f"{MARKS[False]} {escape(complaint)}")


def _certified(found: Certificate, dtype: str, longest: int | None) -> str:
    if not found.ok:
        return f"{MARKS[False]} not certified in {dtype}: {escape(found.reason or 'the bound is too large')}"
    further = f"; at this L up to {longest:,} tokens" if longest else ""
    bound = f"{found.bound:.2g}{found.up_to}"
    return f"{MARKS[True]} certified: logits off by at most {bound}, margin {found.margin:.4g}{further}"
