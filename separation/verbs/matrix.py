"""`matrix`: what architectures can do besides composing: tasks down, words of layers or models across."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from separation.figures import Figure, new_figure, require_figure_path, write_figure
from separation.files import InputError, require_writable
from separation.matrix import ROWS, Cell, Column, Recipe, cell, certificate_of, column_of
from separation.progress import Progress, silent
from separation.proving.certificates import write_certificate
from separation.tasks.checks import require_integer, require_one_of
from separation.verbs.budgets import require_few_levels
from separation.verbs.options import Argument, File, Option, refuse
from separation.verbs.programs import sizes_text
from separation.verbs.report import Markup, Parts, Report, count, named, shortened, styled, table_of, timed, written

EXAMPLES = (
    "matrix F R:diagonal RF:diagonal RF:product",
    "matrix jamba_v0_1 olmo_hybrid_7b gpt2 --figure matrix.svg",
    "matrix R24:diagonal --tokens 32768 --lambda 1000000 --why recall",
)
MOST_COLUMNS = 16
LONGEST_NAME = 14
MARKS = {
    "built": styled("green", "built"),
    "impossible": styled("red", "impossible"),
    "conditional": styled("yellow", "not, if TC⁰≠NC¹"),
}
SIGNS = {"built": "✓", "impossible": "✗", "conditional": styled("yellow", "c"), "open": "?"}
WIDE = 4
"""With more columns a table of 80 characters has signs in place of words."""
LEAST_TOKENS = 8


@timed
def matrix(
    architectures: Annotated[
        str | Sequence[str],
        Argument(metavar="WORD|CONFIG...", help="Words like RRF, with a kind of R like RRF:delta; or configs."),
    ],
    *,
    L: Annotated[int, "Tables to compose."] = 2,
    tokens: Annotated[int | None, "Also at prompts of so many tokens, with the model's own bits."] = None,
    symbols: Annotated[int, "Values of a token, for --tokens."] = 1 << 16,
    why: Annotated[str | None, "One task: a sentence for each architecture; what is built is proved."] = None,
    figure: Annotated[File, "Draw the table (.png, .svg, .pdf)."] = None,
    out: Annotated[File, "With --why and one architecture: write the cell's certificate."] = None,
    beta: Annotated[int | None, "beta of words: bits that one full layer brings to a token."] = None,
    state_bits: Annotated[int | None, Option("Lambda of words: bits of all their states.", ("--lambda",))] = None,
    progress: Progress = silent,
) -> MatrixReport:
    """Tasks by architectures: built (by which program), impossible (by which theorem), conditional or open.

    R may have a kind: decay, diagonal, delta, reflections, product, nonlinear, convolution; without one, any. A config
    brings its kind, its states and its messages; words have the ``beta`` and ``state_bits`` that are given.
    """
    texts = (architectures,) if isinstance(architectures, str) else tuple(architectures)
    if not 1 <= len(texts) <= MOST_COLUMNS:
        raise InputError(f"{len(texts)} architectures are given; from 1 to {MOST_COLUMNS} stand side by side")
    require_integer("L", L, 1)
    require_few_levels(L)
    require_integer("symbols", symbols, 2)
    if tokens is not None:
        require_integer("tokens", tokens, LEAST_TOKENS)
    if why is not None:
        require_one_of("--why", why, ROWS)
    if out is not None and (why is None or len(texts) != 1):
        raise InputError("--out writes the certificate of one cell: give one architecture and --why TASK")
    paths = require_writable(require_figure_path(figure), out)
    for option, bits in (("--beta", beta), ("--lambda", state_bits)):
        if bits is not None:
            require_integer(option, bits, 0)
    columns = tuple(column_of(text, beta, state_bits) for text in texts)
    if all(column.message is not None for column in columns):
        refuse("an architecture from a config, which brings its own bits,", {"beta": beta, "lambda": state_bits})
    wanted = ROWS.values() if why is None else (ROWS[why],)
    rows = tuple((row.name, tuple(cell(row, column, L, tokens, symbols) for column in columns)) for row in wanted)
    built = []
    if why is not None:
        recipes = {found.recipe.word: found.recipe for found in rows[0][1] if found.recipe is not None}
        for index, recipe in enumerate(recipes.values()):
            progress(index / len(recipes), f"{recipe.program} is compiled and proved")
            built += [_measured(recipe, large) for large in (False, True)]
    if out is not None and why is not None:
        at = ROWS[why].at
        asked = None if tokens is None or at is None else at(tokens, symbols)
        write_certificate(out, certificate_of(ROWS[why], columns[0], rows[0][1][0], asked, L))
    if figure is not None:
        write_figure(draw_matrix([column.name for column in columns], rows), figure)
    return MatrixReport(columns, rows, L, tokens, why, tuple(built), *paths)


def _measured(recipe: Recipe, large: bool) -> dict[str, Any]:
    """A program on its layers: at its small sizes, proved; or at its large ones, where its weights are only built."""
    from constructions.programs import gallery, sizes_of

    used: dict[str, Any] = {**sizes_of(recipe.program, large), **recipe.sizes}
    compiled = gallery(recipe.program, **used).compile(word=recipe.word)
    return {
        "program": recipe.program,
        "sizes": used,
        "every_length": compiled.program.is_endless,
        "word": compiled.word,
        "width": compiled.width,
        "state_bits": compiled.state_bits,
        "score_bits": compiled.model.precision.score_bits,
        "proved": None if large else compiled.prove().ok,
    }


class MatrixReport(Report):
    """Rows of cells in the order of the columns; ``built``: programs at a small and at a large size."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    L: int
    tokens: int | None
    why: str | None
    built: tuple[dict[str, Any], ...]
    figure: Path | None
    out: Path | None

    @property
    def ok(self) -> bool:
        return all(row["proved"] is not False for row in self.built)

    def facts(self) -> dict[str, Any]:
        columns = [
            {**named(each, "name", "word", "kind", "state_bits"), "depth": each.word.depth} for each in self.columns
        ]
        rows = [{"task": name, "title": ROWS[name].title, "cells": cells} for name, cells in self.rows]
        return {**named(self, "L", "tokens", "built", "figure", "out"), "columns": columns, "rows": rows}

    def parts(self) -> Parts:
        if self.why is not None:
            yield from self._show_why()
        else:
            yield from self._show_table()
        yield written("figure", self.figure)
        yield written("certificate", self.out)

    def _show_table(self) -> Parts:
        solid = [name for name, cells in self.rows if all(found.verdict == "built" for found in cells)]
        yield f"{len(solid)} of {len(self.rows)} tasks are built for every one of these architectures."
        wide = len(self.columns) > WIDE
        table = []
        for name, cells in self.rows:
            title = name if wide else ROWS[name].title if name != "composition" else f"compose {count(self.L, 'table')}"
            table.append((title, *(_cell_text(found, SIGNS if wide else MARKS) for found in cells)))
        yield table_of("task", *(shortened(column.name, LONGEST_NAME) for column in self.columns), rows=table)
        signs = "✓ built, ✗ impossible, c: impossible if TC⁰ ≠ NC¹, ? open; " if wide else ""
        legend = f"{signs}n: each length has weights of its own, where others serve every length"
        yield styled("dim", f"{legend}. separation matrix … --why TASK says why.")
        if self.tokens is not None:
            yield f"\nAt {self.tokens:,} tokens, with their own bits:"
            for _, cells in self.rows:
                for found in cells:
                    if found.at_length is not None and found.at_length["theorem"] is not None:
                        yield f"{found.column}: {found.at_length['sentence']}"

    def _show_why(self) -> Parts:
        for found in self.rows[0][1]:
            known = styled("dim", f" ({found.known})") if found.known else ""
            yield f"{found.column}: " + MARKS.get(found.verdict, Markup(found.verdict)) + f". {found.sentence}" + known
            if found.at_length is not None:
                yield f"  at {self.tokens:,} tokens: {found.at_length['sentence']}"
        if self.built:
            table = []
            for row in self.built:
                mark = {True: "proved", False: "NOT proved", None: "built"}[row["proved"]]
                about = (row["program"], sizes_text(row["sizes"], row["every_length"]), row["word"])
                table.append((*about, row["width"], row["state_bits"], row["score_bits"], mark))
            columns = ("program", "sizes", "word", "width", "state bits", "P", "")
            yield table_of(*columns, right_from=3, rows=table)


def _cell_text(found: Cell, marks: Mapping[str, str]) -> str:
    mark = marks.get(found.verdict, found.verdict)
    return mark + " n" if found.scope == "each length" else mark


COLOURS = {"built": "#bfe3c6", "impossible": "#f4b8ae", "conditional": "#f7dfa6", "open": "#ececec"}
SHORT = {"each length": "each length", "every length": "every length", "each size": ""}


def draw_matrix(names: Sequence[str], rows: Sequence[tuple[str, Sequence[Cell]]]) -> Figure:
    """One row of cells for each task, in the order of the columns ``names``."""
    from matplotlib.patches import Patch, Rectangle

    figure = new_figure(3.4 + 1.35 * len(names), 1.2 + 0.48 * len(rows))
    axes = figure.add_subplot()
    for y, (_, cells) in enumerate(rows):
        for x, found in enumerate(cells):
            axes.add_patch(Rectangle((x, y), 1, 1, facecolor=COLOURS[found.verdict], edgecolor="white", linewidth=2))
            words = [found.by or "open", SHORT.get(found.scope or "", "")]
            text = "\n".join(word.replace("_", " ") for word in words if word)
            axes.text(x + 0.5, y + 0.5, text, ha="center", va="center", fontsize=6.5, color="#222222")
    axes.set(xlim=(0, len(names)), ylim=(len(rows), 0))
    axes.set_xticks([x + 0.5 for x in range(len(names))], names, rotation=25, ha="left", fontsize=8)
    axes.xaxis.tick_top()
    axes.set_yticks([y + 0.5 for y in range(len(rows))], [ROWS[name].title for name, _ in rows], fontsize=8)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    patches = [Patch(facecolor=COLOURS[verdict], label=verdict) for verdict in COLOURS]
    axes.legend(handles=patches, loc="upper center", bbox_to_anchor=(0.5, -0.01), ncol=4, frameon=False, fontsize=8)
    return figure
