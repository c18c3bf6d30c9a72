"""`separation design`: its options and its table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from separation.cli.finish import finish
from separation.cli.options import Gathered, Json, gathers
from separation.cli.style import escape, say, shortened, table_of

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.design import DesignReport

LONGEST_WORD = 28
LARGEST_COUNT = 10**9


@gathers(
    "budget",
    "heads dim bits state_bits",
    heads="KV heads of a full layer.",
    dim="Dimension of a KV head.",
    bits="Bits of a cached number (default 16).",
    state_bits="Bits that all R states together may have.",
)
def design(
    *,
    layers: Annotated[int, typer.Option("--layers", help="Layers in all.")],
    full: Annotated[int | None, typer.Option("--full", help="How many of them are full.")] = None,
    levels: Annotated[int | None, typer.Option("--L", help="Hops that the model should follow.")] = None,
    kv_bytes: Annotated[int | None, typer.Option("--kv-bytes", help="Bytes of the KV cache ...")] = None,
    length: Annotated[int | None, typer.Option("--length", help="... for a prompt of this many tokens.")] = None,
    budget: Gathered,
    as_json: Json = False,
) -> None:
    """Find the order of layers with the greatest depth for a budget, and how many orders reach it.

    Example: separation design --layers 48 --full 6 --L 5

    Example: separation design --layers 48 --kv-bytes 4000000000 --length 262144 --heads 8 --dim 128
    """
    from separation.verbs.design import design as verb

    finish(verb(layers=layers, full=full, L=levels, kv_bytes=kv_bytes, length=length, **budget), as_json, show_design)


def show_design(report: DesignReport, console: Console) -> None:
    """What the budget reaches, by which orders, and why the others fall short."""
    say(_sentence(report), console)
    for limit in report.limits:
        say(f"  {limit}", console)
    console.print()
    table = table_of("orders that begin with", "an example", "depth", "how many")
    for entry in (*report.best, *report.others):
        row = entry.document()
        example = escape(shortened(row["word"], LONGEST_WORD))
        table.add_row(entry.pattern, example, str(row["depth"]), _count(entry.orders))
    console.print(table)
    console.print()
    for entry in (*report.best, *report.others):
        say(f"{entry.name}: {entry.why}.", console)


def _sentence(report: DesignReport) -> str:
    text = f"With {report.full} full and {report.recurrent} R layers the greatest depth is {report.depth}"
    text += f", reached by {_count(sum(entry.orders for entry in report.best))} orders."
    if report.L is None:
        return text
    if not report.ok:
        return f"{text} L = {report.L} is out of reach: it needs {report.fewest_full} full layers."
    spare = report.full - (report.fewest_full or 0)
    return f"{text} L = {report.L} needs {report.fewest_full} full layers" + (
        f": {spare} of these could be R." if spare else "."
    )


def _count(orders: int) -> str:
    return (
        f"{orders:,}" if orders < LARGEST_COUNT else f"{float(orders):.4g}" if orders < 10**300 else "more than 1e300"
    )
