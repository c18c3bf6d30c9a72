"""`solve`: one instance through the exact run, with the hops and where attention looked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path
from typing import Annotated, Any, Unpack

import numpy as np

from separation.escaping import mathtext
from separation.figures import Figure, new_figure, require_figure_path, write_figure
from separation.files import InputError, csv_text, require_writable
from separation.models import decode, run, weights_seen
from separation.progress import Progress, silent
from separation.proving import EVERY_ROW, Construction
from separation.tasks import Instance, instance_to_document, load_any_instance, prompt_tokens
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Thoughts, hops
from separation.tasks.funccomp import prompt as funccomp_prompt
from separation.tasks.two_sum import TwoSumInstance
from separation.testing.text import write_block
from separation.verbs.options import File, ModelFile, Name, Options, Seed
from separation.verbs.report import MARKS, Parts, Report, listed, named, table_of, written
from separation.verbs.subjects import construction_for

EXAMPLES = ("solve C1 --L 3 --m 4 --n 4,4 --seed 7", "solve C1 --L 2 --m 2 --n 2 --figure attention.png")
MAX_TOKENS = 1 << 22
MAX_LOGITS = 1 << 24
SHOWN_TOKENS = 1 << 12
SHOWN_ENTRIES = 8
UNREAD = ("nothing", "–", "–")
MAX_DRAWN = 128
LABELLED = 48
BAR, HEAVIEST, GRID, INK = "#9db8d2", "#b5442e", "#d9dee4", "#333333"

InstanceFile = Annotated[str | Path | Instance | None, "An instance as JSON."]


def solve(
    construction: Name = None,
    *,
    model: ModelFile = None,
    instance: InstanceFile = None,
    seed: Seed = 0,
    figure: Annotated[File, "Draw where the last token looks, layer by layer (.png, .svg, .pdf; and .csv)."] = None,
    progress: Progress = silent,
    **options: Unpack[Options],
) -> SolveReport:
    """Run one instance (a file, a value, or a seeded sample) through a construction or a model file."""
    if isinstance(instance, (str, Path)):
        instance = load_any_instance(instance)
    subject = construction_for(construction, model, instance, options)
    tokens, answers = prompt_tokens(subject.sizes), subject.model.unembedding.height
    if tokens > MAX_TOKENS:
        raise InputError(f"{tokens} tokens; the exact run takes at most {MAX_TOKENS}")
    if answers > MAX_LOGITS:
        raise InputError(f"{answers} answers; the exact run compares at most {MAX_LOGITS}")
    path = require_figure_path(figure)
    require_writable(path and path.with_suffix(".csv"))
    if path is not None and tokens > MAX_DRAWN:
        raise InputError(f"--figure draws prompts of up to {MAX_DRAWN} tokens, not {tokens}")
    report = solved(subject, subject.task.sample(seed) if instance is None else instance, progress)
    if path is None:
        return report
    write_picture(path, subject, report.instance, report.outputs, report.answer)
    return replace(report, figure=path)


@dataclass(frozen=True)
class HeadLooked:
    """Where one head of the last token looked: a position, the token there, its id, and its share of the weights."""

    layer: int
    head: int
    position: int
    token: str
    value: int
    share: Fraction

    def document(self) -> dict[str, Any]:
        return {**vars(self), "share": float(self.share)}


class SolveReport(Report):
    """The model's answer and the oracle's.

    ``outputs`` and ``expected_outputs``: the answers at every token (2-Sum), or the generated tokens (a chain of
    thought); empty for one answer at the end.
    """

    construction: Construction
    instance: Instance
    answer: int | None
    expected: int
    hops: tuple[int, ...] = ()
    looks: tuple[HeadLooked, ...] = ()
    outputs: tuple[int, ...] = ()
    expected_outputs: tuple[int, ...] = ()
    figure: Path | None = None

    @property
    def spelled(self) -> tuple[str, ...]:
        """What the generated tokens say; empty for other tasks."""
        sizes = self.construction.sizes
        return tuple(map(sizes.spelled, self.outputs)) if isinstance(sizes, Thoughts) else ()

    @property
    def ok(self) -> bool:
        return self.answer == self.expected and self.outputs == self.expected_outputs

    def facts(self) -> dict[str, Any]:
        tokens = prompt_tokens(self.construction.sizes)
        return {
            **named(self, "answer", "expected", "hops", "outputs", "expected_outputs", "spelled"),
            "construction": self.construction.name,
            "word": self.construction.model.word,
            "tokens": tokens,
            "looks": self.looks,
            "instance": instance_to_document(self.instance) if tokens <= SHOWN_TOKENS else None,
            "figure": self.figure,
        }

    def parts(self) -> Parts:
        """Whose run it is, then the run."""
        subject = self.construction
        name = f"{subject.name} ({subject.model.word})"
        yield f"{name} on a prompt of {prompt_tokens(subject.sizes):,} tokens: {subject.task.title}"
        yield from self.run_parts()
        yield written("figure", self.figure)
        if self.figure is not None:
            yield written("its numbers", self.figure.with_suffix(".csv"))

    def run_parts(self) -> Parts:
        """Each layer: where the last token looked and what it found; the oracle's hops; then the answer."""
        if self.looks:
            rows = []
            for look in self.looks:  # of equal weights the first is the heaviest: of weights 0 a token not read
                token, place, value = (look.token, str(look.position), str(look.value)) if look.share else UNREAD
                rows.append((str(look.layer), str(look.head), token, place, f"{float(look.share):.4f}", value))
            yield table_of("layer", "head", "looked at", "position", "share", "found", rows=rows)
        if self.hops:
            yield "hops of the oracle: " + ", ".join(f"i_{index} = {hop}" for index, hop in enumerate(self.hops))
        if self.outputs:
            what = "generated tokens" if self.construction.task.generated_tokens else "outputs"
            yield f"{what}: {listed(self.outputs)}"
            for each, says in zip(self.outputs, self.spelled, strict=False):
                yield f"  {each:4} says {says}"
            if self.outputs != self.expected_outputs:
                yield f"expected: {listed(self.expected_outputs)}"
        wrong = sum(a != b for a, b in zip(self.outputs, self.expected_outputs, strict=False))
        others = f"; {wrong} of {len(self.outputs)} outputs are wrong" if wrong else ""
        yield f"{MARKS[self.ok]} answer {self.answer}, expected {self.expected}{others}"


def solved(subject: Construction, instance: Instance, progress: Progress = silent) -> SolveReport:
    """What a construction makes of an instance of its own sizes, with the hops and where attention looked."""
    ids, due = subject.task.prompt(instance), subject.task.expected(instance)
    expected = (due,) if isinstance(due, int) else due
    found = hops(instance) if isinstance(instance, FuncCompInstance) else ()
    if isinstance(subject.sizes, Thoughts):
        generated = tuple(map(int, decode(subject.model, ids, subject.sizes.steps)))
        answer = subject.sizes.answer_of(generated[-1])
        return SolveReport(subject, instance, answer, found[-1], found, (), generated, expected)
    everywhere = subject.task.answers_every_token and len(ids) <= EVERY_ROW
    result = run(subject.model, ids, every_row=everywhere, progress=progress)
    answers = tuple(int(answer) for answer in result.answers.reshape(-1)[-subject.task.asked_tokens :])
    looks = []
    for look in result.looks:
        position, total = int(look.positions[0]), int(look.totals[0])
        share = Fraction(int(look.weights[0]), total) if total else Fraction(0)
        token, value = subject.task.describe(position), int(ids[position])
        looks.append(HeadLooked(look.layer, look.head, position, token, value, share))
    shown = (answers, expected) if everywhere else ((), ())
    return SolveReport(subject, instance, answers[-1], expected[-1], found, tuple(looks), *shown)


def instance_lines(instance: Any) -> list[str]:
    """z_0 and w, then the tables: in full if they are short, else what is not the commonest value."""
    if isinstance(instance, TwoSumInstance):
        return [f"x: {_entries(instance.x)}"]
    if not isinstance(instance, FuncCompInstance):
        return write_block(instance).split("\n")[1:]
    digits = ", ".join(map(str, instance.w))
    tables = [f"table {level}: {_entries(table)}" for level, table in enumerate(instance.tables, start=1)]
    return [f"z_0 = {instance.z0}" + (f", w = ({digits})" if digits else ""), *tables]


def _entries(table: Sequence[int]) -> str:
    if len(table) <= 2 * SHOWN_ENTRIES:
        return " ".join(map(str, table))
    common = max(set(table), key=table.count)
    others = [f"[{index}] = {value}" for index, value in enumerate(table) if value != common]
    if len(others) > SHOWN_ENTRIES:
        others = [*others[:SHOWN_ENTRIES], f"… ({len(others)} in all; --json has the instance)"]
    return f"{common} everywhere" + (f" but {', '.join(others)}" if others else "")


@dataclass(frozen=True)
class Drawn:
    """One head of one layer (after ``thoughts`` generated tokens): the share of the weight that each token gets."""

    thoughts: int
    layer: int
    head: int
    shares: tuple[Fraction, ...]

    @property
    def heaviest(self) -> int | None:
        """The first of the heaviest; None if no token has weight."""
        return max(range(len(self.shares)), key=self.shares.__getitem__) if any(self.shares) else None


@dataclass(frozen=True)
class Token:
    """``group``: the table it belongs to; ``place``: its address there; ``says``: its value."""

    group: str
    place: str
    says: str


def write_picture(
    path: Path, subject: Construction, instance: Instance, generated: Sequence[int], answer: int | None
) -> None:
    tokens, rows = list(tokens_of(subject, instance, generated)), list(rows_of(subject, instance, generated))
    lines = (
        (row.thoughts, row.layer, row.head, position, token.group, token.place, token.says, share)
        for row in rows
        for position, (token, share) in enumerate(zip(tokens, row.shares, strict=True))
    )
    names = ("thoughts", "layer", "head", "position", "group", "address", "says", "share")
    figure = attention_figure(subject, tokens, rows, answer)
    write_figure(figure, path, {path.with_suffix(".csv"): csv_text(names, lines)})


def tokens_of(subject: Construction, instance: Instance, generated: Sequence[int]) -> Iterator[Token]:
    """The prompt, and the generated tokens but the last."""
    if isinstance(instance, TwoSumInstance):
        yield from (Token("x", str(index), str(value)) for index, value in enumerate(instance.x, start=1))
        return
    if not isinstance(instance, FuncCompInstance):
        ids = subject.task.prompt(instance)
        yield from (Token("prompt", str(place), str(token_id)) for place, token_id in enumerate(ids))
        return
    for token in funccomp_prompt(instance):
        says = "(" + ",".join(map(str, token.value)) + ")" if token.kind == "w" else str(token.value[0])
        yield Token(token.kind.replace("z0", "z_0"), ",".join(map(str, token.address)), says)
    if isinstance(subject.sizes, Thoughts):
        for token_id in generated[:-1]:
            yield Token("thoughts", "", subject.sizes.spelled(token_id).split(" = ")[-1])


def rows_of(subject: Construction, instance: Instance, generated: Sequence[int]) -> Iterator[Drawn]:
    """A row for each head of each layer, of a chain of thought once for each generated token."""
    prompt = subject.task.prompt(instance)
    ids = np.append(prompt, generated[:-1] if isinstance(subject.sizes, Thoughts) else []).astype(np.int64)
    for count in range(len(prompt), len(ids) + 1):
        for layer, head, weights, total in weights_seen(subject.model, ids[:count]):
            shares = [Fraction(int(weight), total) if total else Fraction(0) for weight in weights]
            yield Drawn(count - len(prompt), layer, head, (*shares, *[Fraction(0)] * (len(ids) - count)))


def attention_figure(
    subject: Construction, tokens: Sequence[Token], rows: Sequence[Drawn], answer: int | None
) -> Figure:
    """Tokens from left to right, layers from top to bottom; a bar is as high as its share of the weight."""
    figure = new_figure(max(6.5, 0.34 * len(tokens) + 2.6), 0.62 * len(rows) + 1.5)
    axes = figure.add_subplot()
    axes.set(xlim=(-0.6, len(tokens) - 0.4), ylim=(len(rows) + 0.05, -0.1))
    for place, row in enumerate(rows):
        axes.axhline(place + 0.92, color=GRID, lw=0.8, zorder=0)
        heights = [0.8 * float(share) for share in row.shares]
        colours = [HEAVIEST if index == row.heaviest else BAR for index in range(len(tokens))]
        axes.bar(range(len(tokens)), [-height for height in heights], 0.8, [place + 0.92] * len(tokens), color=colours)
        found = "no weight" if row.heaviest is None else f"finds {tokens[row.heaviest].says}"
        axes.text(1.01, place + 0.55, found, transform=axes.get_yaxis_transform(), va="center", fontsize=9)
    looked = [(place, row.heaviest) for place, row in enumerate(rows) if row.heaviest is not None]
    for (above, first), (below, second) in pairwise(looked):
        style = {"arrowstyle": "-|>", "color": INK, "lw": 0.9, "shrinkA": 2, "shrinkB": 2}
        ends = (second, below + 0.12), (first, above + 0.94)
        axes.annotate("", *ends, arrowprops={**style, "connectionstyle": "arc3,rad=0.12"})
    start = 0
    for group, members in groupby(tokens, key=lambda token: token.group):
        size = len(list(members))
        axes.text(start + (size - 1) / 2, -0.2, group, ha="center", va="bottom", fontsize=9, fontweight="bold")
        if start:
            axes.axvline(start - 0.5, color=INK, lw=0.8, ls=":")
        start += size
    labels = [f"{token.says}\n{f'[{token.place}]' if token.place else ''}" for token in tokens]
    if len(tokens) <= LABELLED:
        axes.set_xticks(range(len(tokens)), labels, fontsize=7)
    else:
        axes.set_xticks([])
    axes.set_yticks([place + 0.55 for place in range(len(rows))], [_row_name(row, rows) for row in rows], fontsize=9)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xlabel("tokens of the prompt: what each says, [its address in its table]", fontsize=9)
    axes.set_title(f"{mathtext(subject.name)}: where the last token looks; its answer is {answer}", fontsize=11, pad=24)
    return figure


def _row_name(row: Drawn, rows: Sequence[Drawn]) -> str:
    """layer 2; with its head if there are several, and with the step if there are thoughts."""
    several = any(other.head for other in rows if other.layer == row.layer)
    step = f"token {row.thoughts + 1}, " if any(other.thoughts for other in rows) else ""
    return f"{step}layer {row.layer}" + (f", head {row.head}" if several else "")
