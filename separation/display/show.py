"""A construction's weights for people: blocks and formulas in a terminal, block matrices in LaTeX.

Both are made from the report's document alone, which `rebuild` turns back into the weights.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.verbs.show import (
    BIAS,
    CONSTANT,
    Block,
    Coefficient,
    Document,
    ShowReport,
    inner_streams,
    place_text,
    scalar_text,
    segment_stream,
)
from separation.models import Stream

MOST_BLOCKS = 60
MOST_COLUMNS, MOST_ROWS = 10, 24
TABLE_ROWS = 34
HEAD_SPACES = {"W_Q": ("key", "x"), "W_K": ("key", "x"), "W_V": ("head", "x"), "W_O": ("x", "head")}
MLP_SPACES = {"W_1": ("unit", "x"), "b_1": ("unit", "1"), "W_2": ("x", "unit"), "b_2": ("x", "1")}


@dataclass(frozen=True)
class Matrix:
    """A matrix target × source as its blocks say."""

    name: str
    target: Stream
    source: Stream
    blocks: tuple[Block, ...]


Sum = list[tuple[Coefficient, Stream, range]]
"""Σ coefficient · places."""


@dataclass(frozen=True)
class Formula:
    """``left`` in the space ``target``: q and k side by side for a head's keys, else one sum."""

    role: str
    target: Stream
    left: range
    right: tuple[Sum, ...]


@dataclass(frozen=True)
class Part:
    """A head or an MLP with its matrices, by name."""

    title: str
    matrices: dict[str, Matrix]
    shift: str = ""

    def formulas(self) -> list[Formula]:
        pairs = (
            [("key", "W_Q", "W_K"), ("head", "W_V", None), ("stream", "W_O", None)]
            if self.shift
            else [("unit", "W_1", "b_1"), ("stream", "W_2", "b_2")]
        )
        found = []
        for role, first, second in pairs:
            matrices = [self.matrices[name] for name in (first, second) if name is not None]
            for rows, cut in row_pieces([matrix.blocks for matrix in matrices]):
                sums = [
                    [(block.coefficient, matrix.source, block.columns) for block in blocks]
                    for matrix, blocks in zip(matrices, cut, strict=True)
                ]
                right = tuple(sums) if role == "key" else ([term for part in sums for term in part],)
                found.append(Formula(role, matrices[0].target, rows, right))
        return found


def parts(layer: Document, stream: Stream, symbols: Iterable[str]) -> list[Part]:
    """The heads of a layer and its MLP."""
    found = []
    titles = [f"head {number}" for number in range(1, len(layer["heads"]) + 1)] if len(layer["heads"]) > 1 else ["head"]
    for title, part in [*zip(titles, layer["heads"], strict=False), ("MLP", layer["mlp"])]:
        spaces = {"x": stream, "1": BIAS, **inner_streams(part)}
        matrices = {
            name: Matrix(name, spaces[to], spaces[origin], _blocks(part[name], spaces[to], spaces[origin], symbols))
            for name, (to, origin) in (HEAD_SPACES if "shift" in part else MLP_SPACES).items()
        }
        found.append(Part(title, matrices, part.get("shift", "")))
    return found


def tables(document: Document, stream: Stream) -> Iterator[tuple[str, list[str], Matrix]]:
    """(what, lines that say for which tokens, matrix) for each segment of the embedding and the unembedding."""
    named = {**document["embedding"], "unembedding": document["unembedding"]}
    for what, table in named.items():
        if "rows" in table:
            source = Stream([("row", table["rows"])])
            yield what, [f"{table['rows']} rows"], Matrix(what, stream, source, _blocks(table["blocks"], stream, source))
            continue
        for segment in table["segments"]:
            source = segment_stream(segment["digits"], [int(radix) for radix in segment["radices"]])
            blocks = _blocks(segment["blocks"], stream, source)
            yield what, segment["kinds"], Matrix(what, stream, source, blocks)


def row_pieces(groups: Sequence[Sequence[Block]]) -> list[tuple[range, list[list[Block]]]]:
    """The coarsest pieces of rows that no block of any group cuts, each with what every group has there."""
    cuts = sorted({end for blocks in groups for block in blocks for end in (block.rows.start, block.rows.stop)})
    cut_groups = [_by_rows(_cut(block, cuts) for block in blocks) for blocks in groups]
    pieces = [range(start, stop) for start, stop in pairwise(cuts)]
    found = [(piece, [blocks.get(piece.start, []) for blocks in cut_groups]) for piece in pieces]
    return [(piece, blocks) for piece, blocks in found if any(blocks)]


def grid(blocks: Sequence[Block]) -> tuple[list[range], list[range], dict[tuple[int, int], Block]]:
    """Pieces of rows and of columns such that each block is cut into cells of the grid: (first row, first column)."""
    rows = {end for block in blocks for end in (block.rows.start, block.rows.stop)}
    columns = {end for block in blocks for end in (block.columns.start, block.columns.stop)}
    while True:
        size = len(rows) + len(columns)
        for block in blocks:
            if not block.is_column:
                step = block.columns.start - block.rows.start
                rows |= {cut - step for cut in columns if block.columns.start < cut < block.columns.stop}
                columns |= {cut + step for cut in rows if block.rows.start < cut < block.rows.stop}
        if len(rows) + len(columns) == size:
            break
    cuts = sorted(rows)
    cells = {(cell.rows.start, cell.columns.start): cell for block in blocks for cell in _cut(block, cuts)}
    used_rows, used_columns = {row for row, _ in cells}, {column for _, column in cells}
    return (
        [range(start, stop) for start, stop in pairwise(cuts) if start in used_rows],
        [range(start, stop) for start, stop in pairwise(sorted(columns)) if start in used_columns],
        cells,
    )


def grouped(stage: dict[str, list[str]], since: dict[str, list[str]] | None = None) -> list[tuple[str, str, list[str]]]:
    """(place, what it holds, kinds), the places in order; with ``since`` only what that stage did not say."""
    found: dict[tuple[str, str], list[str]] = {}
    order: dict[str, int] = {}
    for kind, lines in stage.items():
        for number, line in enumerate(lines):
            place, _, text = line.partition(" = ")
            order.setdefault(place.split("[")[0], number)
            if since is None or line not in since[kind]:
                found.setdefault((place, text), []).append(kind)
    rows = [(place, text, kinds) for (place, text), kinds in found.items()]
    return sorted(rows, key=lambda row: (order[row[0].split("[")[0]], _first_coordinate(row[0])))


def kinds_text(kinds: Sequence[str], everything: Sequence[str]) -> str:
    return "all" if len(kinds) == len(everything) else ", ".join(kinds)


# For a terminal


def show_text(report: ShowReport, console: Console) -> None:
    """The slots, the embedding, then each layer: what holds before, its blocks and formulas, what changed after."""
    document = report.document()
    stream = _stream(document)
    symbols = document["temperature"]
    out = partial(console.print, highlight=False)
    out(f"[bold]{escape(document['construction'])}[/bold] for FuncComp, {_sizes_text(document)}")
    out(_model_text(report))
    for symbol, value in symbols.items():
        out(f"{symbol} = {value}, the factor of W_Q")
    out("\nx\\[a:b] is coordinates a, …, b−1 of slot x; code(v) the ±1 bits of v, least significant first.")
    out("A block adds coefficient × from to to; read off a constant, the coefficient is a vector.")
    out("\n[bold]Slots[/bold]")
    out("x = " + " ⊕ ".join(f"{escape(name)}({width})" for name, width in stream.slots if width))
    out("\n[bold]Embedding[/bold] x = position + token")
    out(_tables_table([row for row in tables(document, stream) if row[0] != "unembedding"]))
    first: dict[str, tuple[int, list[dict[str, str]]]] = {}
    last = None
    for layer in document["layers"]:
        number = layer["layer"]
        out(f"\n[bold]Layer {number}[/bold]")
        if last is None:
            out("before")
            out(_stage_table(grouped(layer["before"]), list(layer["before"])))
        for part, raw in zip(parts(layer, stream, symbols), [*layer["heads"], layer["mlp"]], strict=True):
            _show_part(part, raw, number, first, out)
        changes = grouped(layer["after"], layer["before"])
        out("\nafter, where it differs from before" if changes else "\nafter: nothing has changed")
        if changes:
            out(_stage_table(changes, list(layer["after"])))
        last = number
    out("\n[bold]Unembedding[/bold] logit of an answer = row · x")
    out(_tables_table([row for row in tables(document, stream) if row[0] == "unembedding"]))


def _show_part(
    part: Part,
    raw: Document,
    number: int,
    first: dict[str, tuple[int, list[dict[str, str]]]],
    out: Callable[..., None],
) -> None:
    """Blocks of a head or an MLP, matrices that an earlier layer has too by its number, then the formulas."""
    earlier = {name: _seen_before(f"{part.title} {name}", raw[name], number, first) for name in part.matrices}
    title = f"{part.title}, shift {_minus(part.shift)}" if part.shift else part.title
    if set(earlier.values()) <= {earlier[next(iter(earlier))]} - {None}:
        out(f"\n{title}: as in layer {next(iter(earlier.values()))}")
        return
    out(f"\n{title}")
    table = _table("matrix", "to", "from", "coefficient")
    for name, matrix in part.matrices.items():
        if earlier[name] is not None:
            table.add_row(name, f"as in layer {earlier[name]}", "", "")
            continue
        rows = [
            (_short(matrix.target, block.rows), _short(matrix.source, block.columns), _minus(block.coefficient.text))
            for block in matrix.blocks
        ]
        for place, row in enumerate(rows[:MOST_BLOCKS]):
            table.add_row("" if place else name, *map(escape, row))
        if len(rows) > MOST_BLOCKS:
            table.add_row("", f"… and {len(rows) - MOST_BLOCKS} more", "", "")
        if not rows:
            table.add_row(name, "0", "", "")
    out(table)
    out("in formulas")
    for line in [_formula_text(formula) for formula in part.formulas()[:MOST_BLOCKS]]:
        out(f"  {escape(line)}")


def _formula_text(formula: Formula) -> str:
    left = _short(formula.target, formula.left)
    sums = [_sum_text(part) for part in formula.right]
    if formula.role == "key":
        return f"{left}: q = {sums[0]}, k = {sums[1]}"
    if formula.role == "unit":
        return f"{left} = relu({sums[0]})"
    return f"{left} = {sums[0]}" if formula.role == "head" else f"{left} += {sums[0]}"


def _sum_text(terms: Sum) -> str:
    texts = [_minus(_term(coefficient, stream, places, _short)) for coefficient, stream, places in terms]
    return " + ".join(texts).replace("+ −", "− ") if texts else "0"


def _term(coefficient: Coefficient, stream: Stream, places: range, name: Callable[[Stream, range], str]) -> str:
    if _is_constant(stream, places):
        return coefficient.text
    text = coefficient.text
    return {"1": "", "-1": "-"}.get(text, f"{text}·") + name(stream, places)


def _tables_table(rows: Sequence[tuple[str, list[str], Matrix]]) -> Table:
    table = _table("table", "tokens", "to", "from", "coefficient")
    for what, kinds, matrix in rows:
        head = (what, _few(kinds))
        if not matrix.blocks:
            table.add_row(*map(escape, head), "0", "", "")
        for place, block in enumerate(matrix.blocks[:MOST_BLOCKS]):
            to, origin = _short(matrix.target, block.rows), _bits_text(matrix.source, block.columns)
            cells = (*(("", "") if place else head), to, origin, _minus(block.coefficient.text))
            table.add_row(*map(escape, cells))
        if len(matrix.blocks) > MOST_BLOCKS:
            table.add_row("", "", f"… and {len(matrix.blocks) - MOST_BLOCKS} more", "", "")
    return table


def _stage_table(rows: Sequence[tuple[str, str, list[str]]], kinds: Sequence[str]) -> Table:
    table = _table("slot", "holds", "in tokens")
    last = ""
    for place, text, where in rows:
        table.add_row(*map(escape, ("" if place == last else place, text, kinds_text(where, kinds))))
        last = place
    return table


def _table(*columns: str) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="dim", box=None, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _sizes_text(document: Document) -> str:
    return f"L = {document['L']}, m = {document['m']}, n = ({', '.join(map(str, document['n']))})"


def _model_text(report: ShowReport) -> str:
    model = report.construction.model
    precision = model.precision
    heads = "1 head" if model.heads == 1 else f"{model.heads} heads"
    return (
        f"{len(model.layers)} layers, {heads}, width {model.width}; "
        f"P = {precision.score_bits}, p = {precision.bits}, {precision.fraction_bits} bits after the point"
    )


# LaTeX

_ESCAPES = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
_ESCAPES |= {character: f"\\{character}" for character in "{}$&#_%"}
_WORDS = {"−": "-", "±": r"\pm ", "·": r"\cdot ", "≤": r"\le ", "ν": r"\nu", "τ": r"\tau"}
_MATHS = re.compile(r"[−±·≤ντ()|+\d,/]|code\(")
_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{amsmath}
\setlength{\textwidth}{17cm}\setlength{\oddsidemargin}{-0.5cm}
\setlength{\textheight}{24cm}\setlength{\topmargin}{-1.5cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}
\renewcommand{\arraystretch}{1.15}
\allowdisplaybreaks
\DeclareMathOperator{\code}{code}
\DeclareMathOperator{\relu}{relu}
\begin{document}
"""


def to_latex(report: ShowReport) -> str:
    """A whole article, for pdflatex with amsmath: each layer's block matrices, formulas and invariants."""
    document = report.document()
    stream = _stream(document)
    symbols = document["temperature"]
    lines = [_PREAMBLE + rf"\section*{{Construction {latex_text(document['construction'])}}}", *_latex_opening(report)]
    rows = list(tables(document, stream))
    lines += [r"\subsection*{Embedding}", "The stream of a token starts as position $+$ token.", ""]
    lines += _latex_tables([row for row in rows if row[0] != "unembedding"])
    first: dict[str, tuple[int, list[dict[str, str]]]] = {}
    for place, layer in enumerate(document["layers"]):
        number = layer["layer"]
        lines += [rf"\subsection*{{Layer {number}}}", ""]
        if not place:
            lines += ["Before the layer:", "", *_latex_stage(grouped(layer["before"]), list(layer["before"]))]
        for part, raw in zip(parts(layer, stream, symbols), [*layer["heads"], layer["mlp"]], strict=True):
            lines += _latex_part(part, raw, number, first)
        changes = grouped(layer["after"], layer["before"])
        lines += ["After the layer, where it differs:" if changes else "The layer changes nothing.", ""]
        lines += _latex_stage(changes, list(layer["after"]))
    lines += [r"\subsection*{Unembedding}", r"The logit of an answer is its row times $x$.", ""]
    lines += _latex_tables([row for row in rows if row[0] == "unembedding"])
    return "\n".join([*lines, r"\end{document}", ""])


def latex_text(text: str) -> str:
    """Any text for text mode, in ASCII."""
    plain = "".join(_ESCAPES.get(character, character) for character in text)
    return "".join(c if c.isascii() and c.isprintable() else f"[U+{ord(c):04X}]" for c in plain)


def _latex_opening(report: ShowReport) -> list[str]:
    document = report.document()
    slots = r" \oplus ".join(
        f"{_latex_name(slot['name'])}({slot['width']})" for slot in document["slots"] if slot["width"]
    )
    values = [f"${_latex_scalar(Fraction(1), symbol)} = {value}$" for symbol, value in document["temperature"].items()]
    given = f"Here {', '.join(values)}. " if values else ""
    return [
        f"For FuncComp with ${_sizes_text(document)}$: {latex_text(_model_text(report))}. {given}The stream is",
        rf"\[ x = {slots}. \]",
        r"Labels stand outside the rules of a matrix, and rows and columns that are not listed are zero. "
        r"$\textsf{s}_{a:b}$ is coordinates $a, \dots, b-1$ of slot \textsf{s}; $\code(v)$ is the $\pm1$ bits of $v$, "
        r"least significant first; $\mathbf{1}_k$ is a column of $k$ ones, and $+$, $-$ in a column are $\pm 1$. "
        r"A head adds $W_O \sum_j e_{ij} W_V x_j / \sum_j e_{ij}$ to $x_i$, "
        r"with $e_{ij} = \lfloor 2^P \exp( \langle W_Q x_i, W_K x_j \rangle - \text{shift}) \rfloor$ for $j \le i$; "
        r"the MLP then adds $W_2 \relu(W_1 x + b_1) + b_2$.",
        "",
    ]


def _latex_tables(rows: Sequence[tuple[str, list[str], Matrix]]) -> list[str]:
    lines = []
    for what, kinds, matrix in rows:
        of = f" of {latex_text(_few(kinds))}" if kinds else ""
        label = rf"\text{{{latex_text(what)}{of}}}"
        lines += _latex_matrix(label, matrix, _latex_bits)
    return lines


def _latex_part(
    part: Part, raw: Document, number: int, first: dict[str, tuple[int, list[dict[str, str]]]]
) -> list[str]:
    earlier = {name: _seen_before(f"{part.title} {name}", raw[name], number, first) for name in part.matrices}
    title = part.title.capitalize() if part.shift else part.title
    shift = ""
    if part.shift:
        shift = f", shift ${_latex_coefficient(Coefficient.parse(part.shift, 'shift', _AnySymbol()))}$"
    if set(earlier.values()) <= {earlier[next(iter(earlier))]} - {None}:
        return [f"{title}{shift}: as in layer {next(iter(earlier.values()))}.", ""]
    lines = [rf"\textbf{{{title}}}{shift}.", ""]
    same = [(name, layer) for name, layer in earlier.items() if layer is not None]
    for name, matrix in part.matrices.items():
        if earlier[name] is None:
            lines += _latex_matrix(_latex_matrix_name(name), matrix, _latex_place)
    if same:
        names = [f"${_latex_matrix_name(name)}$ as in layer {layer}" for name, layer in same]
        lines += [f"{', '.join(names)}.", ""]
    formulas = [_latex_formula(formula) for formula in part.formulas()]
    return [*lines, *_latex_align(formulas, "That is,")]


def _latex_matrix(label: str, matrix: Matrix, source_name: Callable[[Stream, range], str]) -> list[str]:
    """A bordered array, or a list of blocks where that would be too large for a page."""
    shape = rf"\; ({matrix.target.width} \times {matrix.source.width})"
    if not matrix.blocks:
        return [rf"$\displaystyle {label} = 0 {shape}$\quad"]
    rows, columns, cells = grid(matrix.blocks)
    if len(columns) > MOST_COLUMNS or len(rows) > MOST_ROWS:
        listed = [
            rf"{_latex_place(matrix.target, block.rows)} &\leftarrow "
            rf"{_latex_cell(block)} \cdot {source_name(matrix.source, block.columns)}"
            for block in matrix.blocks
        ]
        return ["", *_latex_align(listed, rf"${label}{shape}$ has the blocks")]
    head = " & ".join(["", *(source_name(matrix.source, places) for places in columns)])
    lines = [
        rf"$\displaystyle {label} = \begin{{array}}{{r|{'c' * len(columns)}}}",
        rf"{head} \\ \hline",
    ]
    for places in rows:
        row = [cells.get((places.start, column.start)) for column in columns]
        shown = ["0" if cell is None else _latex_cell(cell) for cell in row]
        lines.append(rf"{_latex_place(matrix.target, places)} & {' & '.join(shown)} \\")
    return [*lines, rf"\end{{array}} {shape}$\quad", ""]


def _latex_cell(block: Block) -> str:
    """\tau I_{4}, -\\mathbf{1}_{6}, a column, or a number."""
    count = len(block.rows)
    if len(block.coefficient.numbers) > 1 or count == 1:
        return _latex_coefficient(block.coefficient)
    factor = _latex_scalar(block.coefficient.numbers[0], block.coefficient.symbol)
    factor = {"1": "", "-1": "-"}.get(factor, factor)
    return factor + (rf"\mathbf{{1}}_{{{count}}}" if block.is_column else f"I_{{{count}}}")


def _latex_coefficient(coefficient: Coefficient) -> str:
    if len(coefficient.numbers) == 1:
        return _latex_scalar(coefficient.numbers[0], coefficient.symbol)
    factor, _, items = coefficient.text.rpartition("(")
    sizes = {abs(number) for number in coefficient.numbers}
    head = _latex_scalar(sizes.pop() if len(sizes) == 1 else Fraction(1), coefficient.symbol) if factor else ""
    return rf"{head}({items.removesuffix(')')})^{{\top}}"


def _latex_scalar(number: Fraction, symbol: str) -> str:
    text = scalar_text(number, symbol)
    name = rf"\tau_{{{symbol[1:]}}}" if symbol[1:] else r"\tau"
    text = text.replace(symbol, name) if symbol else text
    return re.sub(r"(\d+)/(\d+)", r"\\tfrac{\1}{\2}", text)


def _latex_formula(formula: Formula) -> str:
    left = _latex_place(formula.target, formula.left)
    sums = [_latex_sum(part) for part in formula.right]
    if formula.role == "key":
        return rf"{left}:\quad q &= {sums[0]}, & k &= {sums[1]}"
    if formula.role == "unit":
        return rf"{left} &= \relu({sums[0]})"
    return rf"{left} &= {sums[0]}" if formula.role == "head" else rf"{left} &\mathrel{{+}}= {sums[0]}"


def _latex_sum(terms: Sum) -> str:
    texts = []
    for coefficient, stream, places in terms:
        if _is_constant(stream, places):
            texts.append(_latex_cell(Block(range(1), places, coefficient)))
            continue
        factor = _latex_coefficient(coefficient)
        texts.append({"1": "", "-1": "-"}.get(factor, rf"{factor}\,") + _latex_place(stream, places))
    # A long sum goes on in the next line after every six terms.
    lines = [" + ".join(texts[start : start + 6]).replace("+ -", "- ") for start in range(0, len(texts), 6)]
    return r" \\ &\qquad + ".join(lines).replace("+ -", "- ") if lines else "0"


def _latex_align(lines: Sequence[str], opening: str) -> list[str]:
    if not lines:
        return []
    return [opening, r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}"]


def _latex_stage(rows: Sequence[tuple[str, str, list[str]]], kinds: Sequence[str]) -> list[str]:
    """Tables of at most a page each."""
    lines = []
    for start in range(0, len(rows), TABLE_ROWS):
        lines += [
            r"\begin{tabular}{l p{7cm} p{6.5cm}}",
            r"slot & holds & in tokens \\ \hline",
        ]
        last = ""
        for place, text, where in rows[start : start + TABLE_ROWS]:
            name, bracket, rest = place.partition("[")
            coordinates = f"_{{{rest[:-1]}}}" if bracket else ""
            label = "" if place == last else f"${_latex_name(name)}{coordinates}$"
            who = latex_text(kinds_text(where, kinds))
            lines.append(rf"{label} & \raggedright {_latex_line(text)} & {who} \\")
            last = place
        lines += [r"\end{tabular}", ""]
    return lines
