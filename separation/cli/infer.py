"""`separation infer`: its options, and what each kind of token holds after each layer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from separation.cli.finish import finish
from separation.cli.options import SIZES, Gathered, Json, ModelFile, Name, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, plain_table

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.infer import InferReport


@gathers("sizes", SIZES + " bits score_bits")
def infer(*, name: Name = None, sizes: Gathered, model: ModelFile = None, as_json: Json = False) -> None:
    """Infer the strongest invariants that the rules give to weights, whatever is stated of them.

    Example: separation infer --model model.json
    """
    from separation.verbs.infer import infer as verb
    from separation.verbs.options import chosen_construction

    with progress_bar() as progress:
        report = verb(chosen_construction(name, model, sizes), progress=progress)  # type: ignore[arg-type]
    finish(report, as_json, show_inferred)


def show_inferred(report: InferReport, console: Console) -> None:
    """A table for the embedding and one for what each layer changes; then whether the answer follows."""
    from separation.weights.contents import grouped

    console.print(f"[bold]{escape(report.construction.name)}[/bold], {escape(report.construction.task.title)}")
    earlier: dict[str, list[str]] = {}
    for number, stage in enumerate(report.stages):
        rows = grouped(stage, earlier or None)
        console.print(f"\n[bold]{'Embedding' if number == 0 else f'After layer {number}, where it differs'}[/bold]")
        table, last = plain_table("slot", "holds", "in tokens"), ""
        for slot, text, kinds in rows:
            table.add_row(*map(escape, ("" if slot == last else slot, text, ", ".join(kinds))))
            last = slot
        console.print(table)
        earlier = stage
    console.print(f"\n{MARKS[report.answers]} {escape(report.sentence)}", soft_wrap=True)
