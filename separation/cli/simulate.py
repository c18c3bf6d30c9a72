"""`separation simulate`: its options; who told whom how many bits, and whether it equals the forward pass."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.finish import finish
from separation.cli.options import Gathered, InstanceFile, Json, ModelFile, Name, Seed, gathers, numbers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, number, say_written, table_of
from separation.files import InputError
from separation.verbs.options import flags_given

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from separation.protocol import Transcript
    from separation.verbs.simulate import SimulateReport, StockReport

MAX_PLAYERS = 12


@gathers(
    "sizes",
    "L m n tokens length modulus sizes word family heads bits score_bits force",
    word="Without NAME: a random model, e.g. RFR; with it, the variant.",
    family="R layers: linear (default) or delta; a random model takes any family.",
    heads="Random model: heads of each kind in a layer.",
)
def simulate(
    *,
    name: Name = None,
    sizes: Gathered,
    model: ModelFile = None,
    instance: InstanceFile = None,
    seed: Seed = 0,
    cut: Annotated[
        str | None, typer.Option("--cut", help="Tokens of each player, e.g. 3,5,2 (default: z_L, ..., z_1, z_0, w).")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option("--config", help="A small Hugging Face config.json: run its stock model and count (needs torch)."),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write all messages here, as JSON Lines.")] = None,
    figure: Annotated[
        Path | None, typer.Option(help="Draw who told whom how many bits: a .svg, .png or .pdf file.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Run a model as players who own parts of the prompt; count the bits of all messages.

    Example: separation simulate C2 --L 3

    Example: separation simulate --word RFR --seed 0 --cut 3,5,2
    """
    from separation.verbs.simulate import simulate as verb
    from separation.verbs.simulate import simulate_stock

    options: dict[str, Any] = {"model": model, "instance": instance, "cut": numbers(cut, "--cut")}
    options |= {"out": out, "figure": figure}
    if config is not None:
        given = ", ".join(filter(None, ["NAME" if name else "", flags_given({**sizes, **options})]))
        if given:
            raise InputError(f"a config brings its own model: leave out {given}")
        finish(simulate_stock(config, seed=seed), as_json, show_stock)
    with progress_bar() as progress:
        report = verb(name, **options, seed=seed, **sizes, progress=progress)
    finish(report, as_json, show_simulate)


def show_simulate(report: SimulateReport, console: Console) -> None:
    """The players, the bits of each layer, measured and as formulas, and the verdict."""
    transcript, subject = report.simulation.transcript, report.subject
    precision = subject.model.precision
    console.print(
        f"{escape(subject.name)}: {escape(transcript.public.word)} on {subject.cut.tokens:,} tokens, "
        f"P = {precision.score_bits}, p = {precision.bits}"
    )
    console.print(f"players: {_players(transcript)}\n", soft_wrap=True)
    console.print(_layers(transcript))
    console.print()
    if 2 <= len(subject.cut.names) <= MAX_PLAYERS:
        console.print(_pairs(transcript))
        console.print()
    console.print(_totals(transcript))
    console.print()
    _verdict(report, console)
    say_written("messages", report.out, console)
    say_written("picture", report.figure, console)


def show_stock(report: StockReport, console: Console) -> None:
    """Each layer as found, then the word, β and Λ next to those of the config, and the verdict."""
    run = report.run
    console.print(f"{escape(run.config.model_type)}, random weights, {run.tokens} tokens, one at a time\n")
    table = table_of("layer", "heads × d", "carries", "bits")
    for index in (1, 3):
        table.columns[index].justify = "right"
    for index, layer in enumerate(run.layers, start=1):
        heads = "–" if layer.heads is None else f"{layer.heads[0]} × {layer.heads[1]}"
        letters = ("F" if layer.full else "") + ("R" if layer.carries else "")
        carried = ", ".join(f"{carry.what} {carry.numbers:,} × {carry.bits_each}" for carry in layer.carries)
        table.add_row(f"{index} {letters}", heads, carried or "–", number(layer.bits or None))
    console.print(table)
    console.print()
    both = table_of("", "module", "config")
    both.add_row("word", escape(run.word), escape(run.config.word))
    both.add_row("β", number(run.beta), number(run.config_beta))
    both.add_row("s", _list(run.states), _list(run.config.states))
    both.add_row("Λ", "–" if run.linear is None else _list(run.linear), _list(run.config.linear))
    console.print(both)
    console.print()
    if run.agrees:
        console.print(f"{MARKS[True]} β and Λ of the module and of its config agree")
    elif run.covered:
        console.print(f"{MARKS[True]} β and Λ of the module are smaller than the config says; its bounds hold")
    else:
        console.print(f"{MARKS[False]} β and Λ of the module differ from those of its config")
    resumed = "gives the same output from the cache alone" if run.resumed else "needs more than the cache"
    console.print(f"{MARKS[run.resumed]} a second copy of the model {resumed}, bit for bit")


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"{number:,}" for number in numbers) or "–"


def _players(transcript: Transcript) -> str:
    cut = transcript.cut
    named = [f"{escape(name)} ({length})" for name, length in zip(cut.names, cut.lengths, strict=True)]
    more = len(named) - MAX_PLAYERS
    return ", ".join(named[:MAX_PLAYERS]) + (f" … and {more} more" if more > 0 else "")


def _layers(transcript: Transcript) -> Table:
    columns = ("layer", "messages", "soft bits", "β", "β, formula", "linear bits", "s", "s, formula")
    table = table_of(*columns, right_from=1)
    for index, layer in enumerate(transcript.public.model.layers, start=1):
        own = [message for message in transcript.messages if message.layer == index]
        soft = sum(message.bits for message in transcript.sums if message.layer == index)
        linear = sum(message.bits for message in own if message.kind == "linear")
        numbers = (
            len(own),
            soft or None,
            transcript.betas.get(index) if transcript.public.on_grid else None,
            transcript.formula_betas.get(index),
            linear or None,
            transcript.states.get(index) if transcript.public.on_grid else None,
            transcript.public.state_bits(index),
        )
        table.add_row(f"{index} {escape(layer.letter or '–')}", *map(number, numbers))
    return table


def _pairs(transcript: Transcript) -> Table:
    """Bits of all layers from each sender to each receiver."""
    names = transcript.cut.names
    table = table_of("from, to", *map(escape, names[1:]), right_from=1)
    bits: dict[tuple[str, str], int] = defaultdict(int)
    for message in transcript.messages:
        bits[message.sender, message.receiver] += message.bits
    for sender in names[:-1]:
        table.add_row(escape(sender), *(number(bits.get((sender, name))) for name in names[1:]))
    return table


def _totals(transcript: Transcript) -> Table:
    table = facts_table()
    table.columns[1].justify, table.columns[1].no_wrap = "right", True
    table.add_column(overflow="fold")
    table.add_row(
        "soft bits", number(transcript.soft_bits), "the sum over all senders, β for each token that hears one"
    )
    table.add_row("… apart", number(transcript.soft_bits_apart), "if every sender were charged separately")
    table.add_row("linear bits", number(transcript.linear_bits), "states passed from one player to the next")
    if transcript.linear is not None:
        crossing = ", ".join(f"Λ_{t} = {bits:,}" for t, bits in enumerate(transcript.linear))
        table.add_row("Λ", "", f"{crossing} across one boundary")
    return table


def _verdict(report: SimulateReport, console: Console) -> None:
    if report.equal:
        console.print(f"{MARKS[True]} equal to the forward pass: all streams after every layer, and the logits")
    elif report.simulation.differs is None:
        console.print(f"{MARKS[False]} the generated tokens are not those of the forward pass")
    else:
        console.print(f"{MARKS[False]} differs from the forward pass after layer {report.simulation.differs}")
    agrees = report.simulation.transcript.agrees
    if agrees is not None:
        what = "equal their formulas" if agrees else "do not equal their formulas"
        console.print(f"{MARKS[agrees]} β and Λ, counted in the messages, {what}")
    elif not report.simulation.transcript.public.on_grid:
        console.print("– numbers are not multiples of 2^-f: messages have no fixed length, and β has no meaning")
    else:
        console.print("– one player alone: no messages to count")
    expected = report.subject.expected
    if expected is not None and report.answer == expected:
        console.print(f"{MARKS[True]} the answer is {expected}, as the oracle says")
    elif expected is not None:
        answer = "gives no answer" if report.answer is None else f"answers {report.answer}"
        console.print(f"– the model {answer}; the oracle says {expected}")
