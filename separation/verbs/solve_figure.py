"""`solve --figure`: where the last token looks in every layer, as a picture, and its numbers as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from separation.escaping import mathtext
from separation.figures import Figure, new_figure, require_figure_path, write_figure
from separation.files import InputError, csv_text, require_writable, write_whole
from separation.models import weights_seen
from separation.proving import Construction
from separation.tasks import Instance, prompt_tokens
from separation.tasks.funccomp import Instance as FuncCompInstance
from separation.tasks.funccomp import Thoughts, token_ids
from separation.tasks.funccomp import prompt as funccomp_prompt
from separation.tasks.two_sum import TwoSumInstance

MAX_DRAWN = 128
LABELLED = 48
BAR, HEAVIEST, GRID, INK = "#9db8d2", "#b5442e", "#d9dee4", "#333333"


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


def require_picture(path: str | Path, subject: Construction) -> Path:
    """Refuse, before any work is done, a file that cannot be written or a prompt too long to be looked at."""
    path = require_figure_path(path)
    require_writable(path.with_suffix(".csv"))
    if prompt_tokens(subject.sizes) > MAX_DRAWN:
        raise InputError(f"--figure draws prompts of up to {MAX_DRAWN} tokens, not {prompt_tokens(subject.sizes)}")
    return path


def write_picture(
    path: Path, subject: Construction, instance: Instance, generated: Sequence[int], answer: int | None
) -> None:
    tokens, rows = list(tokens_of(subject, instance, generated)), list(rows_of(subject, instance, generated))
    write_figure(attention_figure(subject, tokens, rows, answer), path)
    write_whole(path.with_suffix(".csv"), _csv(tokens, rows))


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
    thoughts = isinstance(subject.sizes, Thoughts)
    prompt = token_ids(instance) if isinstance(instance, FuncCompInstance) else subject.task.prompt(instance)
    ids: NDArray[np.int64] = np.asarray([*prompt, *(generated[:-1] if thoughts else ())], dtype=np.int64)
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


def _csv(tokens: Sequence[Token], rows: Sequence[Drawn]) -> str:
    names = ("thoughts", "layer", "head", "position", "group", "address", "says", "share")
    return csv_text(
        names,
        (
            (row.thoughts, row.layer, row.head, position, token.group, token.place, token.says, share)
            for row in rows
            for position, (token, share) in enumerate(zip(tokens, row.shares, strict=True))
        ),
    )
