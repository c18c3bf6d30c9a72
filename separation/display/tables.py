"""Reports as tables that a person can read."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.numeric import CrossCheck, torch_is_installed
from separation.proving import Proof
from separation.tasks.catalogue import Task, prompt_tokens
from separation.tasks.funccomp import Thoughts
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.check import CheckReport
from separation.verbs.prove import ProveReport
from separation.verbs.solve import SolveReport
from separation.verbs.verify import VerifyReport

MAX_ROWS = 40
SHOWN_NUMBERS = 64
_MARKS = {True: "[green]✓[/green]", False: "[red]✗[/red]"}


def show_prove(report: ProveReport, console: Console) -> None:
    """The claim, then one line for each look-up of the answer's token, then what failed."""
    facts = report.document()
    task = report.construction.sizes
    table = _facts_table()
    table.add_row("construction", escape(str(facts["construction"])))
    table.add_row("task", _task_text(task))
    table.add_row("prompt", f"{prompt_tokens(task):,} tokens")
    layers = f"{facts['layers']} layer(s) {escape(facts['word'])}"
    table.add_row("model", f"{layers}, {facts['heads']} head(s), width {facts['width']}")
    numbers = "integer weights" if facts["integral"] else "rational weights"
    table.add_row("numbers", f"{numbers}, P = {facts['precision_bits']['P']}, p = {facts['precision_bits']['p']}")
    if report.proof.states:
        table.add_row("recurrent states", _states_text(report.proof))
    table.add_row("inputs covered", _power_of_two(facts["inputs_covered_log2"]))
    if report.ok:
        table.add_row("margin of the logit", str(report.margin))
        table.add_row("path", f"{facts['path']}; other keys weigh at most {float(report.proof.leak):.3g} × the match")
    table.add_row("time", f"{report.seconds:.2f} s")
    console.print(table)
    _show_look_ups(report, console)
    for failure in report.proof.failures[:10]:
        console.print(f"{_MARKS[False]} {escape(str(failure))}", soft_wrap=True)
    if len(report.proof.failures) > 10:
        console.print(f"… and {len(report.proof.failures) - 10} more")
    verdict = "proved for all inputs at these sizes" if report.ok else "not proved"
    console.print(f"{_MARKS[report.ok]} {verdict}")
    if report.out is not None:
        console.print(f"certificate written to {escape(str(report.out))}", soft_wrap=True)


def show_solve(report: SolveReport, console: Console) -> None:
    """Each layer: where the last token looked and what it found, beside the oracle's hop."""
    task = report.construction.sizes
    name = f"{escape(report.construction.name)} ({escape(report.construction.model.word)})"
    console.print(f"{name} on a prompt of {prompt_tokens(task):,} tokens: {_task_text(task)}")
    if report.looks:
        table = _table("layer", "head", "looked at", "position", "share of the weights", "found there")
        for look in report.looks:
            place = (str(look.layer), str(look.head), look.token, str(look.position))
            table.add_row(*place, f"{float(look.share):.4f}", str(look.token_id))
        console.print(table)
    if report.hops:
        console.print("hops of the oracle: " + ", ".join(f"i_{place} = {hop}" for place, hop in enumerate(report.hops)))
    if report.outputs:
        what = "outputs" if isinstance(task, TwoSumSizes) else "generated tokens"
        console.print(f"{what}: {_numbers(report.outputs)}", soft_wrap=True)
        if report.outputs != report.expected_outputs:
            console.print(f"expected: {_numbers(report.expected_outputs)}", soft_wrap=True)
    console.print(f"{_MARKS[report.ok]} answer {report.answer}, expected {report.expected}")


def show_check(report: CheckReport, console: Console) -> None:
    table = _facts_table()
    table.add_row("kind", escape(report.kind))
    for key, value in report.claim.items():
        table.add_row(key, escape(_short(value)))
    console.print(table)
    verdict = "the kernel accepts the certificate" if report.verdict else f"the kernel rejects it: {report.message}"
    console.print(f"{_MARKS[report.verdict]} {escape(verdict)}", soft_wrap=True)
    if report.replayed is not None:
        again, players = report.replayed, {True: "; its players send the same", False: "; its players do not", None: ""}
        said = f"says {list(again.output_a)} and {list(again.output_b)}, {'' if again.as_claimed else 'not '}as claimed"
        text = f"the project's model {said}{players[again.messages_equal]}"
        console.print(f"{_MARKS[again.ok]} {escape(text)}", soft_wrap=True)


def show_verify(report: VerifyReport, console: Console) -> None:
    """Statements, then constructions, then one line."""
    table = _table("", "id", "statement", "status", "scope", "s")
    for row in report.statements:
        text = row.status if row.ok else f"[red]{escape(row.message)}[/red]"
        table.add_row(_MARKS[row.ok], row.id, escape(row.title), text, row.scope, f"{row.seconds:.1f}")
    console.print(table)
    proofs = _table("", "id", "word", "L", "tokens", "proved", "margin", "kernel", "exact runs", "float64 error", "s")
    for proof in report.constructions:
        runs = f"{proof.runs - proof.mismatches}/{proof.runs}" if proof.runs else "–"
        proofs.add_row(
            _MARKS[proof.ok],
            escape(proof.id) if proof.id != proof.word else "–",
            escape(proof.word),
            "–" if proof.L is None else str(proof.L),
            f"{proof.n:,}",
            _MARKS[proof.proved],
            "–" if proof.margin is None else str(proof.margin),
            _MARKS[proof.certified],
            runs,
            "–" if proof.numeric is None else _float_error(proof.numeric),
            f"{proof.seconds:.1f}",
        )
    console.print(proofs)
    for proof in report.constructions:
        if proof.message:
            name = f"{proof.id} ({proof.word}) at {proof.n:,} tokens"
            console.print(f"{_MARKS[False]} {escape(f'{name}: {proof.message}')}", soft_wrap=True)
    if not torch_is_installed():
        console.print(escape("float64 runs left out: torch is not installed (pip install -e '.[torch]')"))
    verdict = "everything holds" if report.ok else "something does not hold"
    console.print(f"{_MARKS[report.ok]} {verdict} ({report.seconds:.1f} s)")


def _show_look_ups(report: ProveReport, console: Console) -> None:
    """What the answering tokens read, layer by layer; for 2-Sum, what the heads search."""
    readers = {emission.reader for emission in report.construction.shape.emissions}
    steps = [step for step in report.proof.look_ups if step.kind in readers]
    if steps:
        looks = _table("layer", "token", "reads", "at", "other keys / match")
        for step in steps[:MAX_ROWS]:
            at = ", ".join(step.match.fact.address) or "its only token"
            leak = "0 (exact)" if step.match.path == "exact" else f"≤ {float(step.match.leak):.3g}"
            looks.add_row(str(step.layer), step.kind, step.match.fact.kind, at, leak)
        console.print(looks)
    if report.proof.searches:
        looks = _table("layer", "head", "searches for M − x in", "other keys / match")
        for found in report.proof.searches[:MAX_ROWS]:
            where = "all tokens up to its own"
            if found.offset is not None:
                where = f"summaries (token {found.offset} of each block), opened blocks, its own block"
            looks.add_row(str(found.layer), str(found.head), where, f"≤ {float(found.leak):.3g}")
        console.print(looks)
    hidden = max(0, len(steps) - MAX_ROWS) + max(0, len(report.proof.searches) - MAX_ROWS)
    if hidden:
        console.print(f"… and {hidden} more (--json lists all)")


def _task_text(task: Task) -> str:
    if isinstance(task, TwoSumSizes):
        return f"2-Sum, n = {task.length:,}, M = {task.modulus:,}"
    text = f"FuncComp, L = {task.L}, m = {task.m}, n = ({', '.join(map(str, task.n))})"
    return f"{text}; {task.steps} generated tokens" if isinstance(task, Thoughts) else text


def _states_text(proof: Proof) -> str:
    entries = sum(state.entries for state in proof.states)
    bits = "not on a grid" if proof.state_bits is None else f"{proof.state_bits:,} bits"
    return f"{entries:,} entries in {len(proof.states)} head(s), {bits}"


def _numbers(numbers: Sequence[int]) -> str:
    shown = " ".join(map(str, numbers[:SHOWN_NUMBERS]))
    return shown if len(numbers) <= SHOWN_NUMBERS else f"{shown} … ({len(numbers)} in all)"


def _float_error(numeric: CrossCheck) -> str:
    bound = "no bound" if numeric.bound is None else f"≤ {numeric.bound:.1g}"
    return f"{numeric.max_error:.1g} {bound}" if numeric.ok else f"[red]{numeric.max_error:.1g}, {bound}[/red]"


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _facts_table() -> Table:
    table = Table(show_header=False, show_edge=False, pad_edge=False, box=None)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    return table


def _power_of_two(log2: float | int | str) -> str:
    return f"2^{log2:,.1f} (every input)" if isinstance(log2, float) else f"2^{log2}"


def _short(value: Any) -> str:
    text = str(value) if not isinstance(value, Fraction) else f"{float(value):g}"
    return text if len(text) <= 100 else text[:97] + "…"
