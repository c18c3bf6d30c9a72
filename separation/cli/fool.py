"""`separation fool`: its options; a pair, or what was tried, as a table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.finish import finish
from separation.cli.options import Dask, Gathered, Json, Seed, gathers
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, say_written, table_of
from separation.files import InputError
from separation.verbs.options import flags_given

if TYPE_CHECKING:
    from rich.console import Console

    from separation.fooling import PhaseReport
    from separation.verbs.fool import FoolReport

SHOWN_ENTRIES = 64
SHOWN_NUMBERS = 12


@gathers(
    "random_model",
    "word L m n state_bits bits score_bits family thoughts",
    word="Layers of a random model, over F and R (default R).",
    L="Number of tables, L >= 1 (default: depth + 1).",
    m="Size of table 1 (default: small; R: too large for the state).",
    n="n_1,...,n_{L-1} (default: m,m,...; R: 2,2,...).",
    score_bits="P, bits of an attention weight (default 4).",
    family="Instead of --state-bits: a family listed by recurrences.",
)
@gathers(
    "sparse_layer",
    "block summary_bits opened blocks modulus",
    block="--sparse: tokens in a block (default 3).",
    summary_bits="--sparse: bits of a block's summary (default 4).",
    opened="--sparse: blocks opened by all heads together (default 1).",
    blocks="--sparse: blocks before the query (default 4).",
    modulus="--sparse: odd modulus M (default 11).",
)
def fool(
    *,
    random_model: Gathered,
    sparse: Annotated[bool, typer.Option("--sparse", help="Instead: 2-Sum and one block-sparse layer.")] = False,
    sparse_layer: Gathered,
    model: Annotated[
        Path | None, typer.Option(help="A model file (JSON or .safetensors) instead of a random model.")
    ] = None,
    seed: Seed = 0,
    seconds: Annotated[float, typer.Option(help="Stop after this many seconds.")] = 60.0,
    samples: Annotated[int | None, typer.Option(help="Stop after this many inputs.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write the certificate here, or what was tried if there is none.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes that share the search (words over R alone, and --phase; default 1).")
    ] = None,
    dask: Dask = None,
    phase: Annotated[
        Path | None,
        typer.Option(help="Instead: draw where pairs are found (.png, .svg, .pdf), with the data in .csv files."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Find two inputs that a model cannot tell apart though their answers differ, and run both again.

    Example: separation fool --word R --L 1 --m 4 --state-bits 6 --seed 0 --out pair.json

    Example: separation fool --word RF --L 2 --m 3 --n 3 --seed 0 --out pair.json

    Example: separation fool --phase phase.png --workers 2
    """
    from separation.verbs.fool import fool as verb
    from separation.verbs.fool import fool_sparse

    if sparse:
        _require_none(random_model, "has no meaning with --sparse")
        if phase is None:
            _require_none({"workers": workers, "dask": dask}, "has no meaning with --sparse alone")
    else:
        _require_none(sparse_layer, "needs --sparse")
    if phase is not None:
        summary_bits = sparse_layer.pop("summary_bits")
        others = {**random_model, "summary_bits": summary_bits, "model": model, "samples": samples, "out": out}
        _require_none(others, "has no meaning with --phase")
        _fool_phase(
            phase, as_json, sparse=sparse, **sparse_layer, seed=seed, seconds=seconds, workers=workers, dask=dask
        )
    with progress_bar() as progress:
        options: dict[str, Any] = {"model": model, "seed": seed, "seconds": seconds, "samples": samples, "out": out}
        if sparse:
            report = fool_sparse(**sparse_layer, **options, progress=progress)
        else:
            random_model |= {"thoughts": random_model["thoughts"] or 0}
            report = verb(**random_model, **options, workers=workers, dask=dask, progress=progress)
    finish(report, as_json, show_fool)


def _fool_phase(figure: Path, as_json: bool, **asked: Any) -> None:
    from separation.fooling import fool_phase

    with progress_bar() as progress:
        report = fool_phase(figure, **asked, progress=progress)
    finish(report, as_json, show_phase)


def _require_none(options: Gathered, why: str) -> None:
    if given := flags_given(options):
        raise InputError(f"{given} {why}")


def show_fool(report: FoolReport, console: Console) -> None:
    """The model; both inputs side by side; what both look like; the right answers and the model's."""
    facts = report.document()
    shown = {
        name: value for name, value in facts["subject"].items() if value != [] and (name, value) != ("thoughts", 0)
    }
    console.print(escape(", ".join(_fact(name, _short(value)) for name, value in shown.items())))
    if report.search.pair is not None:
        _show_pair(facts, console)
    tried = facts["tried"]
    console.print(f"{MARKS[report.ok]} {escape(tried['note'])}", soft_wrap=True)
    console.print(f"tried: {tried['method']}, {tried['samples']:,} inputs, {tried['seconds']:.2f} s")
    _show_levels(facts, console)
    if tried["closest"]:
        closest = tried["closest"]
        console.print(f"closest: states that agree in {closest['equal_entries']} of {closest['entries']} numbers")
    what = "certificate" if report.certified else "pair, without a certificate," if report.ok else "what was tried"
    say_written(what, report.out, console)


def _fact(name: str, value: str) -> str:
    """m = 4, 6 tokens, seed 0."""
    words = {"tokens": f"{value} tokens", "distinct": f"distinct: {value}", "precision_bits": value}
    names = {"beta": "β", "lambda": "Λ"}
    equal = f"{names.get(name, name)} = {value}" if name in ("m", "n", *names) else f"{name.replace('_', ' ')} {value}"
    return words.get(name, equal)


def show_phase(report: PhaseReport, console: Console) -> None:
    """What was searched, what was found, and where it is written."""
    facts = report.document()
    rows = facts["rows"]
    found = sum(row["pairs"] if "pairs" in row else row["found"] for row in rows)
    models = sum(row.get("models", 1) for row in rows)
    console.print(f"{models} models and maps searched, {found} have a pair, {facts['seconds']:.1f} s")
    if not report.complete:
        console.print("time ran out: the rest was not searched")
    broken = f"{len(report.broken)} rows contradict a theorem" if report.broken else "no row contradicts what is proved"
    console.print(f"{MARKS[report.ok]} {broken}", soft_wrap=True)
    say_written("figure", facts["figure"], console)
    for path in facts["data"]:
        say_written("data", path, console)


def _show_pair(facts: dict[str, Any], console: Console) -> None:
    table = table_of("", "input a", "input b")
    for name, left, right in _rows(facts["a"], facts["b"]):
        table.add_row(name, left, right)
    table.add_row("right", str(facts["expected_a"]), str(facts["expected_b"]))
    table.add_row("the model says", _short(facts["output_a"]), _short(facts["output_b"]))
    for message in facts["transcript"] or []:
        where = f"layer {message['layer']}, head {message['head']}" if message["layer"] else "state"
        text = escape(_short(message["numbers"]))
        table.add_row(where, text, text if facts["transcripts_equal"] else "different")
    console.print(table)
    if facts.get("unopened") is not None:
        console.print(f"block {facts['unopened']}, where they differ, is not opened", soft_wrap=True)


def _show_levels(facts: dict[str, Any], console: Console) -> None:
    """The theorem's sets, level by level, with what it guarantees; and whether other weights could be right."""
    if facts.get("trial"):
        last = facts["trial"]
        console.print(f"last attempt: {last['tables']:,} tables z_L, {last['distinct']:,} different transcripts")
    if facts.get("solvable"):
        console.print(f"this word can solve the task, with other weights: {facts['construction']}", soft_wrap=True)
    if facts.get("theorem") and not facts["levels_complete"]:
        console.print(f"the decomposition of Theorem {facts['theorem']} ended before level {len(facts['levels']) + 1}")
    if not facts.get("levels"):
        return
    table = table_of("level", "inputs", "look the same", "density", "guaranteed", "cover", "guaranteed", right_from=0)
    for level in facts["levels"]:
        density, promised = f"2^{level['density_log2']:.1f}", f"2^{level['guaranteed_log2']}"
        inputs = f"{level['inputs']:,}{' sampled' if level['sampled'] else ''}"
        row = (str(level["level"]), inputs, f"{level['kept']:,}", density, promised)
        table.add_row(*row, str(level["cover"]), str(level["guaranteed"]))
    console.print(f"decomposition of Theorem {facts['theorem']}:")
    console.print(table)


def _rows(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Tables in the order of the prompt; entries that differ in bold."""
    if a["task"] == "two_sum":
        return [("x", *_both(a["x"], b["x"]))]
    count = len(a["tables"])
    rows = [(f"z_{ell}", *_both(a["tables"][ell - 1], b["tables"][ell - 1])) for ell in range(count, 0, -1)]
    return [*rows, ("z_0", str(a["z0"]), str(b["z0"])), ("w", _short(a["w"]), _short(b["w"]))]


def _both(left: list[int], right: list[int]) -> tuple[str, str]:
    """Both lists; of long ones only the entries that differ."""
    differ = [index for index in range(len(left)) if left[index] != right[index]]
    texts = []
    for row in (left, right):
        if len(left) > SHOWN_ENTRIES:
            shown = ", ".join(f"[bold]{index}↦{row[index]}[/bold]" for index in differ[:SHOWN_ENTRIES])
        else:
            shown = " ".join(f"[bold]{x}[/bold]" if index in differ else str(x) for index, x in enumerate(row))
        texts.append(shown or "the same")
    return texts[0], texts[1]


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name} = {part}" for name, part in value.items())
    if not isinstance(value, list):
        return str(value)
    text = ", ".join(str(part)[:24] for part in value[:SHOWN_NUMBERS])
    return f"({text}{', …' if len(value) > SHOWN_NUMBERS else ''})"
