"""`separation bound`: its options and its tables."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from separation.cli.decide import LONGEST_WORD, add_sizes, log2_text, long_number, prompt_text
from separation.cli.finish import finish, print_text
from separation.cli.options import (
    Certificate,
    Effort,
    Gathered,
    Json,
    ProvedOnly,
    gathers,
    lambda_numbers,
    refuse,
    share,
    two_shares,
)
from separation.cli.progress import progress_bar
from separation.cli.style import MARKS, escape, facts_table, say, say_written, shortened, table_of
from separation.files import InputError
from separation.verbs.options import flags

if TYPE_CHECKING:
    from rich.console import Console

    from separation.verbs.bound import BoundReport
    from separation.verbs.bound_exponents import ExponentsReport
    from separation.verbs.bound_sparse import SparseErrorsReport, SparseReport
    from separation.verbs.bracket import BracketReport


@gathers("budget", "beta linear heads dim bits score_bits linear_layers state_bits full_layers thoughts")
@gathers(
    "sparse_layer",
    "modulus block opened blocks summary_bits",
    modulus="Theorem D: odd modulus M of 2-Sum.",
    block="Theorem D: tokens in a block.",
    opened="Theorem D: blocks opened, over all heads.",
    blocks="Theorem D: complete blocks before the query.",
    summary_bits="Theorem D: ask whether this many bits for a block's summary are too few.",
)
def bound(
    *,
    levels: Annotated[int | None, typer.Option("--L", help="Number of tables, L >= 1.")] = None,
    budget: Gathered,
    config: Annotated[
        Path | None, typer.Option(help="A Hugging Face config.json instead of numbers (see docs/bounds.md).")
    ] = None,
    word: Annotated[
        str | None, typer.Option(help="The layers in their order, e.g. RFF (instead of their numbers).")
    ] = None,
    theorem: Annotated[str | None, typer.Option(help="Ask one theorem alone, e.g. A.")] = None,
    accuracy: Annotated[
        str | None, typer.Option(help="The shortest prompt at which no model is right more often, e.g. 0.5.")
    ] = None,
    effort: Effort = "quick",
    proved_only: ProvedOnly = False,
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Print the inequalities in symbols too.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="Print them in LaTeX, and nothing else.")] = False,
    exponents: Annotated[
        bool, typer.Option("--exponents", help="Instead: exponents for 2..L tables, and the sizes of CPW.")
    ] = False,
    bracket: Annotated[
        bool, typer.Option("--bracket", help="Instead: the least beta for two tables, impossible below, built above.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option(help="Draw the exponents (.png, .svg, .pdf), with their numbers in a .csv.")
    ] = None,
    sparse: Annotated[bool, typer.Option("--sparse", help="Instead: Theorem D, 2-Sum with one sparse layer.")] = False,
    sparse_layer: Gathered,
    errors: Annotated[
        str | None, typer.Option(help="With --sparse: shares of missed matches and of false alarms, e.g. 0.05,0.05.")
    ] = None,
    out: Certificate = None,
    as_json: Json = False,
) -> None:
    """Find the shortest prompt at which an impossibility is certified, and compare it with what the papers ask for.

    Example: separation bound --L 3 --heads 8 --dim 64 --bits 16 --linear-layers 24 --state-bits 1048576

    Example: separation bound --L 2 --word RF --beta 8 --lambda 8 --accuracy 0.5

    Example: separation bound --exponents --figure exponents.png

    Example: separation bound --sparse --modulus 11 --block 3 --open 1 --blocks 4
    """
    from separation.verbs.bound import bound as verb
    from separation.verbs.bound_exponents import exponents_table
    from separation.verbs.bound_sparse import bound_sparse, bound_sparse_errors

    others = {
        **budget,
        "word": word,
        "theorem": theorem,
        "accuracy": accuracy,
        "config": config,
        "symbolic": symbolic,
        "latex": latex,
        "proved_only": proved_only,
    }
    if bracket:
        drawn = {"exponents": exponents, "figure": figure, "L": levels, "sparse": sparse, "errors": errors, "out": out}
        refuse("--bracket", {**others, **sparse_layer, **drawn})
        from separation.verbs.bracket import bracket_table

        finish(bracket_table(), as_json, show_bracket)
    if exponents or figure is not None:
        refuse("--exponents", {**others, **sparse_layer, "sparse": sparse, "errors": errors, "out": out})
        with progress_bar() as progress:
            table = exponents_table(L=levels, figure=figure, progress=progress)
        finish(table, as_json, show_exponents)
    if sparse:
        refuse("--sparse", {**others, "L": levels})
        if errors is not None:
            refuse("--errors", {"modulus": sparse_layer.pop("modulus"), "out": out})
            missed, alarms = two_shares(errors, "--errors")
            for name in ("block", "opened", "blocks"):
                if sparse_layer[name] is None:
                    raise InputError(f"{flags([name])} is missing")
            sparse_report = bound_sparse_errors(**sparse_layer, missed=missed, false_alarms=alarms)
            finish(sparse_report, as_json, show_sparse_errors)
        for name in ("modulus", "block", "opened", "blocks"):
            if sparse_layer[name] is None:
                raise InputError(f"{flags([name])} is missing")
        finish(bound_sparse(**sparse_layer, out=out), as_json, show_sparse)
    refuse("a bound without --sparse", {**sparse_layer, "errors": errors})
    budget["linear"] = lambda_numbers(budget["linear"])
    with progress_bar() as progress:
        options: dict[str, Any] = {"config": config, "symbolic": symbolic or latex, "effort": effort, "out": out}
        options["proved_only"] = proved_only
        wanted = None if accuracy is None else share(accuracy, "--accuracy")
        report = verb(L=levels, word=word, theorem=theorem, accuracy=wanted, **budget, **options, progress=progress)
    if latex and not as_json and report.symbolic is not None:
        print_text(report.symbolic.latex())
    finish(report, as_json, show_bound)


def _regime(length: dict[str, Any]) -> str:
    """log2 n, or 2^log2(log2 n) where that is no float any more."""
    beyond = length.get("tokens_log2_log2")
    return log2_text(length["tokens_log2"]) if beyond is None else f"2^{log2_text(beyond)}"


def show_bound(report: BoundReport, console: Console) -> None:
    """A sentence; ours with its sizes and what the proof chose; then every theorem's prompt, and the papers'."""
    from separation.architectures import ConfigBound
    from separation.bounds.known import with_knowledge

    facts = report.document()
    say(escape(sentence(report, facts)), console)
    table = facts_table()
    if isinstance(report.found, ConfigBound):
        word = escape(shortened(facts["word"], LONGEST_WORD))
        table.add_row("model", f"{escape(facts['model_type'])}: {word}, depth {facts['depth']}")
        table.add_row("precision", f"{facts['heads']} heads of {facts['dim']}, p = {facts['bits']} bits")
        table.add_row("read from", escape(facts["sources"]["word"]))
        table.add_row("p from", escape(facts["sources"]["bits"]))
    table.add_row("L", str(report.L))
    table.add_row("theorem", f"{facts['ours']['theorem']}, {facts['ours']['known']}")
    add_sizes(table, facts["ours"])
    console.print(table)
    golden = facts.get("golden")
    columns = ("prompt length that is certified or asked for", "log2 n")
    lengths = table_of(*columns, *(["shorter than golden by"] if golden else []))
    lengths.add_row(
        f"ours, certified: {with_knowledge(facts['ours']['theorem'])}",
        log2_text(facts["ours"]["tokens_log2"]),
        *_gain(golden),
    )
    if facts["anywhere"]:
        anywhere = log2_text(facts["anywhere"]["tokens_log2"])
        lengths.add_row(f"R layers anywhere, each block: {with_knowledge(facts['anywhere']['theorem'])}", anywhere)
    for name, found in facts["by_theorem"].items():
        if name != facts["ours"]["theorem"]:
            lengths.add_row(f"certified: {with_knowledge(name)}", log2_text(found["tokens_log2"]))
    if golden:
        schedule = f"golden schedule, y = {long_number(golden['y'])} = {golden['c']:.4g}·β"
        lengths.add_row(schedule, log2_text(golden["tokens_log2"]))
    lengths.add_row("the paper's regime, H·d·p ≤ n^(2^(-4L-2))", _regime(facts["paper"]))
    lengths.add_row("CPW's regime, H·d·p ≤ n^(2^(-4L))", _regime(facts["cpw"]))
    console.print(lengths)
    if isinstance(report.found, ConfigBound) and report.found.far_beyond:
        console.print("This is far beyond any real prompt: at real lengths nothing is certified for this model.")
    if facts["symbolic"]:
        _show_symbols(facts["symbolic"], console)
    say_written("certificate", report.out, console)


def sentence(report: BoundReport, facts: dict[str, Any]) -> str:
    """The answer in plain words."""
    from separation.architectures import ConfigBound

    found = report.found
    tables = f"{report.L} table{'s' if report.L > 1 else ''}"
    if isinstance(found, ConfigBound):
        who = f"No {facts['model_type']} with this config"
    elif facts["ours"].get("assumed"):
        who = "An example, as no β was given: no model with β = Λ = 8"
    else:
        who = f"No {found.word} with these β and Λ"
    prompt = prompt_text(facts["ours"])
    if report.accuracy is not None:
        share = f"{100 * float(report.accuracy):.4g} %"
        return f"{who} follows {tables} in one pass on more than {share} of random inputs, at {prompt}."
    return f"{who} follows {tables} in one pass on every input, at {prompt}."


def _gain(found: dict[str, Any] | None) -> list[str]:
    return [] if found is None or found["gain_log2"] is None else [f"2^{found['gain_log2']:,.2f}"]


def _show_symbols(symbolic: dict[str, Any], console: Console) -> None:
    """What the theorem computes, what it asks for, and the golden schedule."""
    lines = [f"{name} = {value}" for name, value in symbolic["quantities"].items()]
    lines += [f"({name})  {relation}" for name, relation in symbolic["inequalities"].items()]
    lines += ["golden schedule with y = c·β, and y when the last table has n entries:"]
    lines += [f"{name} = {value}" for name, value in symbolic["golden"].items()]
    console.print()
    for line in lines:
        console.print(escape(line), soft_wrap=True)


def show_exponents(report: ExponentsReport, console: Console) -> None:
    """The exponents, how ours grows, then CPW's sizes."""
    facts = report.document()
    console.print(
        "Not solvable for some n ≈ (H·d·p)^e, with exponent e (paper 2^(4L+2), CPW 2^(4L), A F(2L+1)−2, B F(2L+2)−2):"
    )
    exponents = ("paper", "CPW", "A", "B", "A2, A_W", "B2, B_L", "paper/A")
    table = table_of("L", *exponents, right_from=0)
    for row in facts["rows"]:
        numbers = (_rounded(row[name]) for name in ("paper", "cpw", "theorem_a", "theorem_b"))
        sharper = (_rounded(row[name]) for name in ("sharper_a", "sharper_b"))
        table.add_row(str(row["L"]), *numbers, *sharper, f"{row['ratio']:,.0f}")
    console.print(table)
    console.print("A_W has 3F(2L−3)−2 and B_L has 3F(2L−1)−2 (T.AL.exponents); A2, with 1, was found numerically.")
    constant, rate = report.asymptote.constant, float(report.asymptote.rate)
    console.print(
        f"Proved in symbols: (F(2L+1)−2)/φ^(2L) → {constant} = {float(constant):.4f};"
        f" each table more changes A/paper by φ²/16 → {rate:.4f}.",
    )
    console.print("\nTheorems A and B at CPW's sizes, certified with up to 2^(6L²) linear layers around each full one:")
    checked = ("prompt, log2 n", "A", "B", "slack, log2", "paper's layers", "A allows")
    sizes = table_of("L", "H·d·p", *checked, right_from=0)
    for row in facts["cpw_sizes"]:
        marks = (MARKS[row["theorem_a"]], MARKS[row["theorem_b"]])
        layers = f"2^{row['paper_linear_layers_log2']}", f"2^{_rounded(row['most_linear_layers_log2'])}"
        slack = f"{row['room_log2']:,.0f}"
        sizes.add_row(str(row["L"]), _power(row["product"]), f"{row['tokens_log2']:.4g}", *marks, slack, *layers)
    console.print(sizes)
    say_written("picture", report.figure, console)
    say_written("its numbers", report.data, console)


def _rounded(value: int | str) -> str:
    return f"{int(value):,}" if len(str(value)) <= 8 else f"{float(value):.3g}"


def _power(value: int | str) -> str:
    exact = int(value)
    return str(exact) if exact < 1000 or exact & (exact - 1) else f"2^{exact.bit_length() - 1}"


def show_bracket(report: BracketReport, console: Console) -> None:
    """A sentence, then the rows: messages that are too short, those that are enough, and how far apart they are."""
    widest: dict[str, float] = {}
    for row in report.rows:
        if row.ratio is not None:
            widest[row.word] = max(row.ratio, widest.get(row.word, 1))
    factors = ", ".join(f"{factor:.3g} ({word})" for word, factor in widest.items())
    say(f"One full layer, two tables: the least β is known up to a factor of {factors},", console)
    proved = sum(row.record is not None for row in report.rows)
    say(f"where any is excluded; {proved} of {len(report.rows)} rows are built by weights with a certificate.", console)
    table = table_of("word", "m", "n_1", "Λ", "excluded β", "built β", "ratio", "built, known by", right_from=1)
    for row in report.rows:
        excluded, ratio = ("–", "–") if row.ratio is None else (f"{row.impossible:,}", f"{row.ratio:.2f}")
        numbers = (str(row.m), str(row.n1), f"{row.linear[0]}, {row.linear[1]}", excluded, f"{row.built:,}", ratio)
        table.add_row(row.word, *numbers, row.known)
    console.print(table)


def show_sparse(report: SparseReport, console: Console) -> None:
    """The layer, how many summaries it needs, and whether those given are too few."""
    facts = report.document()
    table = facts_table()
    table.add_row("task", f"2-Sum modulo {facts['modulus']}")
    layer = f"blocks of {facts['block']} tokens, {facts['open']} of {facts['blocks']} opened"
    table.add_row("layer", f"one sparse layer: {layer}")
    table.add_row("theorem", f"D, {facts['known']}")
    needed = f"2^{facts['values_log2']:.2f} summaries, {facts['bits_needed']} bits; that many suffice"
    table.add_row("a block needs", needed)
    if report.summary_bits is not None:
        verdict = "[red]too few[/red]" if report.ok else "[yellow]not forbidden[/yellow]"
        table.add_row(f"{report.summary_bits} bits", verdict)
    console.print(table)
    say_written("certificate", report.out, console)


def show_sparse_errors(report: SparseErrorsReport, console: Console) -> None:
    facts = report.document()
    missed, alarms = facts["errors"]
    errors = f"misses at most {missed} of the matches and raises at most {alarms} false alarms"
    say(f"A sparse layer that {errors} needs {facts['bits_needed']} summary bits a block, at least.", console)
    table = facts_table()
    table.add_row("layer", f"blocks of {facts['block']} tokens, {facts['open']} of {facts['blocks']} opened")
    table.add_row("theorem", f"D', {facts['known']}")
    if report.summary_bits is not None:
        verdict = "[red]too few[/red]" if report.forbidden else "[yellow]not forbidden[/yellow]"
        table.add_row(f"{report.summary_bits} bits", verdict)
    console.print(table)
