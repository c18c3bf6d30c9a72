"""A run as players: who told whom how many bits, and whether it equals the forward pass."""

from __future__ import annotations

from collections import defaultdict

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.protocol import Transcript
from separation.protocol.stock import StockLayer
from separation.verbs.simulate import SimulateReport
from separation.verbs.simulate_stock import StockReport

MAX_PLAYERS = 12
_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_simulate(report: SimulateReport, console: Console) -> None:
    """The players, the bits of each layer, measured and as formulas, and the verdict."""
    transcript, subject = report.simulation.transcript, report.subject
    precision = subject.model.precision
    console.print(
        f"{escape(subject.name)}: {escape(str(transcript.public.word))} on {subject.cut.tokens:,} tokens, "
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
    for path, what in ((report.out, "messages"), (report.figure, "picture")):
        if path is not None:
            console.print(f"{what} written to {escape(str(path))}", soft_wrap=True)


def show_stock(report: StockReport, console: Console) -> None:
    """Each layer as found, then the word, β and Λ beside those of the config, and the verdict."""
    run = report.run
    console.print(f"{escape(run.config.model_type)}, random weights, {run.tokens} tokens one by one\n")
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column, justify in (("layer", "left"), ("heads × d", "right"), ("carries", "left"), ("bits", "right")):
        table.add_column(column, justify="right" if justify == "right" else "left", overflow="fold")
    for number, layer in enumerate(run.layers, start=1):
        heads = "–" if layer.heads is None else f"{layer.heads[0]} × {layer.heads[1]}"
        table.add_row(f"{number} {_letters(layer)}", heads, _carried(layer), _number(layer.bits or None))
    console.print(table)
    console.print()
    both = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in ("", "module", "config"):
        both.add_column(column, overflow="fold")
    both.add_row("word", escape(str(run.word)), escape(str(run.config.word)))
    both.add_row("β", _number(run.beta), _number(run.config_beta))
    both.add_row("s", _list(run.states), _list(run.config.states))
    both.add_row("Λ", "–" if run.linear is None else _list(run.linear), _list(run.config.linear))
    console.print(both)
    console.print()
    if run.agrees:
        console.print(f"{_MARKS[True]} β and Λ of the module and of its config agree")
    elif run.covered:
        console.print(f"{_MARKS[True]} β and Λ of the module are less than the config says; its bounds hold")
    else:
        console.print(f"{_MARKS[False]} β and Λ of the module are not those of its config")
    resumed = "says the same from the cache alone" if run.resumed else "needs more than the cache"
    console.print(f"{_MARKS[run.resumed]} a second copy of the model {resumed}, bit for bit")


def _letters(layer: StockLayer) -> str:
    return ("F" if layer.full else "") + ("R" if layer.carries else "")


def _carried(layer: StockLayer) -> str:
    return ", ".join(f"{carry.what} {carry.numbers:,} × {carry.bits_each}" for carry in layer.carries) or "–"


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"{number:,}" for number in numbers) or "–"


def _players(transcript: Transcript) -> str:
    cut = transcript.cut
    named = [f"{escape(name)} ({length})" for name, length in zip(cut.names, cut.lengths, strict=True)]
    more = len(named) - MAX_PLAYERS
    return ", ".join(named[:MAX_PLAYERS]) + (f" … and {more} more" if more > 0 else "")


def _layers(transcript: Transcript) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("layer")
    for column in ("messages", "soft bits", "β", "β, formula", "linear bits", "s", "s, formula"):
        table.add_column(column, justify="right")
    for number, layer in enumerate(transcript.public.model.layers, start=1):
        own = [message for message in transcript.messages if message.layer == number]
        soft = sum(message.bits for message in transcript.sums if message.layer == number)
        linear = sum(message.bits for message in own if message.kind == "linear")
        numbers = (
            len(own),
            soft or None,
            transcript.betas.get(number) if transcript.public.on_grid else None,
            transcript.formula_betas.get(number),
            linear or None,
            transcript.states.get(number) if transcript.public.on_grid else None,
            transcript.public.state_bits(number),
        )
        table.add_row(f"{number} {escape(layer.letter or '–')}", *map(_number, numbers))
    return table


def _pairs(transcript: Transcript) -> Table:
    """Bits of all layers from each sender to each receiver."""
    names = transcript.cut.names
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("from, to")
    for name in names[1:]:
        table.add_column(escape(name), justify="right")
    bits: dict[tuple[str, str], int] = defaultdict(int)
    for message in transcript.messages:
        bits[message.sender, message.receiver] += message.bits
    for sender in names[:-1]:
        table.add_row(escape(sender), *(_number(bits.get((sender, name))) for name in names[1:]))
    return table


def _totals(transcript: Transcript) -> Table:
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row(
        "soft bits", _number(transcript.soft_bits), "the sum over all senders, β for each token that hears one"
    )
    table.add_row("… apart", _number(transcript.soft_bits_apart), "if every sender were charged alone")
    table.add_row("linear bits", _number(transcript.linear_bits), "states that crossed from a player to the next")
    if transcript.linear is not None:
        crossing = ", ".join(f"Λ_{t} = {bits:,}" for t, bits in enumerate(transcript.linear))
        table.add_row("Λ", "", f"{crossing} across one boundary")
    return table


def _verdict(report: SimulateReport, console: Console) -> None:
    if report.equal:
        console.print(f"{_MARKS[True]} equal to the forward pass: all streams after every layer, and the logits")
    elif report.simulation.differs is None:
        console.print(f"{_MARKS[False]} the generated tokens are not those of the forward pass")
    else:
        console.print(f"{_MARKS[False]} differs from the forward pass after layer {report.simulation.differs}")
    agrees = report.simulation.transcript.agrees
    if agrees is not None:
        what = "equal their formulas" if agrees else "do not equal their formulas"
        console.print(f"{_MARKS[agrees]} β and Λ, counted in the messages, {what}")
    elif not report.simulation.transcript.public.on_grid:
        console.print("– numbers are no multiples of 2^-f: messages are as long as they are, and β says nothing")
    else:
        console.print("– one player alone: no messages to count")
    expected = report.subject.expected
    if expected is not None and report.answer == expected:
        console.print(f"{_MARKS[True]} the answer is {expected}, as the oracle says")
    elif expected is not None:
        answer = "gives no answer" if report.answer is None else f"answers {report.answer}"
        console.print(f"– the model {answer}; the oracle says {expected}")


def _number(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"
