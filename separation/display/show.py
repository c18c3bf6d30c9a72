"""A construction's weights for people: blocks and formulas in a terminal, block matrices in LaTeX.

Both are made from the report's document alone, which `rebuild` turns back into the weights.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from separation.models import Stream
from separation.verbs.show import (
    BIAS,
    CONSTANT,
    Block,
    Coefficient,
    Document,
    ShowReport,
    inner_streams,
    scalar_text,
    segment_stream,
    slot_at,
)

MOST_BLOCKS = 60
MOST_COLUMNS, MOST_ROWS = 10, 24
TABLE_ROWS = 30
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
    shift: Coefficient | None = None

    def formulas(self) -> list[Formula]:
        pairs = (
            [("key", "W_Q", "W_K"), ("head", "W_V", None), ("stream", "W_O", None)]
            if self.shift is not None
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


def parts(layer: Document, stream: Stream, symbols: Collection[str]) -> list[Part]:
    """The heads of a layer and its MLP."""
    found = []
    titles = [f"head {number}" for number in range(1, len(layer["heads"]) + 1)] if len(layer["heads"]) > 1 else ["head"]
    for title, part in [*zip(titles, layer["heads"], strict=False), ("MLP", layer["mlp"])]:
        spaces = {"x": stream, "1": BIAS, **inner_streams(part)}
        matrices = {
            name: Matrix(name, spaces[to], spaces[origin], _blocks(part[name], spaces[to], spaces[origin], symbols))
            for name, (to, origin) in (HEAD_SPACES if "shift" in part else MLP_SPACES).items()
        }
        shift = Coefficient.parse(part["shift"], "shift", symbols) if "shift" in part else None
        found.append(Part(title, matrices, shift))
    return found


def tables(document: Document, stream: Stream) -> Iterator[tuple[str, list[str], Matrix]]:
    """(which table, whose rows, matrix) for each segment of the embedding and the unembedding."""
    named = {**document["embedding"], "unembedding": document["unembedding"]}
    for what, table in named.items():
        if "rows" in table:
            source = Stream([("row", table["rows"])])
            matrix = Matrix(what, stream, source, _blocks(table["blocks"], stream, source))
            yield what, [f"{table['rows']} stored rows"], matrix
            continue
        for segment in table["segments"]:
            source = segment_stream(segment["digits"], [int(radix) for radix in segment["radices"]])
            blocks = _blocks(segment["blocks"], stream, source)
            kinds = segment["kinds"] or (["answers"] if what == "unembedding" else [f"rows from {segment['start']}"])
            yield what, kinds, Matrix(what, stream, source, blocks)


def row_pieces(groups: Sequence[Sequence[Block]]) -> list[tuple[range, list[list[Block]]]]:
    """The coarsest pieces of rows that no block of any group cuts, each with what every group has there."""
    cuts = sorted({end for blocks in groups for block in blocks for end in (block.rows.start, block.rows.stop)})
    pieces: dict[int, list[list[Block]]] = {start: [[] for _ in groups] for start in cuts[:-1]}
    for number, blocks in enumerate(groups):
        for cell in (cell for block in blocks for cell in _cut(block, cuts)):
            pieces[cell.rows.start][number].append(cell)
    found = [(range(start, stop), pieces[start]) for start, stop in pairwise(cuts)]
    return [(piece, cells) for piece, cells in found if any(cells)]


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


def same_as(part: Part, raw: Document, number: int, seen: dict[str, int]) -> dict[str, int]:
    """Matrix → the earlier layer that has the same; ``seen`` remembers all matrices of this layer too."""
    earlier = {}
    for name in part.matrices:
        key = json.dumps([part.title, name, raw["spaces"], raw[name]])
        if seen.setdefault(key, number) != number:
            earlier[name] = seen[key]
    return earlier


def few(kinds: Sequence[str]) -> list[str]:
    """table 8, …, table 1, z0: of four or more names that count up or down, the first and the last."""
    runs: list[list[str]] = []
    for kind in kinds:
        if runs and _counts_on(runs[-1], kind):
            runs[-1].append(kind)
        else:
            runs.append([kind])
    return [name for run in runs for name in ([run[0], "…", run[-1]] if len(run) > 3 else run)]


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
    out("\nx\\[a:b]: coordinates a..b−1 of slot x. code(v): the ±1 bits of v, lowest first.")
    out("A block is coefficient × identity; off a constant, a column (a number fills it).")
    out("\n[bold]Slots[/bold]")
    out("x = " + " ⊕ ".join(f"{escape(name)}({width})" for name, width in stream.slots if width))
    out("\n[bold]Embedding[/bold] x = position + token")
    out(_tables_table([row for row in tables(document, stream) if row[0] != "unembedding"]))
    seen: dict[str, int] = {}
    last = None
    for layer in document["layers"]:
        number = layer["layer"]
        out(f"\n[bold]Layer {number}[/bold]")
        out("before" if last is None else f"before: as after layer {last}")
        if last is None:
            out(_stage_table(grouped(layer["before"]), list(layer["before"])))
        for part, raw in zip(parts(layer, stream, symbols), [*layer["heads"], layer["mlp"]], strict=True):
            _show_part(part, same_as(part, raw, number, seen), out)
        changes = grouped(layer["after"], layer["before"])
        out("\nafter, where it differs from before" if changes else "\nafter: nothing has changed")
        if changes:
            out(_stage_table(changes, list(layer["after"])))
        last = number
    out("\n[bold]Unembedding[/bold] logit of an answer = row · x")
    out(_tables_table([row for row in tables(document, stream) if row[0] == "unembedding"]))


def _show_part(part: Part, earlier: Mapping[str, int], out: Callable[..., None]) -> None:
    """Blocks of a head or an MLP, matrices that an earlier layer has too by its number, then the formulas."""
    title = part.title if part.shift is None else f"{part.title}, shift {_minus(part.shift.text)}"
    if _all_from_one(part, earlier):
        out(f"\n{title}: as in layer {earlier[next(iter(earlier))]}")
        return
    out(f"\n{title}")
    table = _table("matrix", "to", "from", "coefficient")
    for name, matrix in part.matrices.items():
        if name in earlier:
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
    formulas = part.formulas()
    for formula in formulas[:MOST_BLOCKS]:
        out(f"  {escape(_formula_text(formula))}")
    if len(formulas) > MOST_BLOCKS:
        out(f"  … and {len(formulas) - MOST_BLOCKS} more")


def _formula_text(formula: Formula) -> str:
    left = _short(formula.target, formula.left)
    sums = [_sum_text(part) for part in formula.right]
    if formula.role == "key":
        return f"{left}: q = {sums[0]}, k = {sums[1]}"
    if formula.role == "unit":
        return f"{left} = relu({sums[0]})"
    return f"{left}: v = {sums[0]}, averaged" if formula.role == "head" else f"{left} += {sums[0]}"


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
        head = (what, ", ".join(few(kinds)))
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
        who = "all" if len(where) == len(kinds) else ", ".join(few(where))
        table.add_row(*map(escape, ("" if place == last else place, text, who)))
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
_SIGNS = {"−": "-", "±": r"\pm ", "·": r"\cdot ", "≤": r"\le ", "ν": r"\nu "}
# What is set as mathematics in the text of an invariant: codes, noise, bits, sign patterns, numbers, signs.
_MATHS = re.compile(
    r"code\((?P<variable>\w+)\)(?:\[(?P<part>[\d:]+)\])?|ν(?P<noise>\d+)|(?P<bits>[^\W\d_]+\d*)\.(?P<place>\d+)"
    r"|(?P<plain>\([−+\d,/]+\)|[−±]?\d+(?:/\d+)?|[−+·≤|=±])"
)
_PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{amsmath}
\setlength{\textwidth}{17cm}\setlength{\oddsidemargin}{-0.5cm}
\setlength{\textheight}{24cm}\setlength{\topmargin}{-1.5cm}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}
\renewcommand{\arraystretch}{1.25}
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
    lines = [
        _PREAMBLE + rf"\section*{{Construction {latex_text(document['construction'])}}}",
        *_latex_opening(document, _model_text(report)),
    ]
    rows = list(tables(document, stream))
    lines += [r"\subsection*{Embedding}", "The stream of a token starts as position $+$ token.", ""]
    lines += _latex_tables([row for row in rows if row[0] != "unembedding"])
    seen: dict[str, int] = {}
    for place, layer in enumerate(document["layers"]):
        number = layer["layer"]
        lines += [rf"\subsection*{{Layer {number}}}", ""]
        lines += ["Before the layer:" if not place else f"Before the layer: as after layer {number - 1}.", ""]
        lines += [] if place else _latex_stage(grouped(layer["before"]), list(layer["before"]))
        for part, raw in zip(parts(layer, stream, symbols), [*layer["heads"], layer["mlp"]], strict=True):
            lines += _latex_part(part, same_as(part, raw, number, seen))
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


def _latex_opening(document: Document, model: str) -> list[str]:
    slots = r" \oplus ".join(
        f"{_latex_name(slot['name'])}({slot['width']})" for slot in document["slots"] if slot["width"]
    )
    values = [f"${_latex_scalar(Fraction(1), symbol)} = {value}$" for symbol, value in document["temperature"].items()]
    given = f"The factor of $W_Q$ is {', '.join(values)}. " if values else ""
    model = re.sub(r"\b([Pp] = \d+)", r"$\1$", latex_text(model))
    return [
        f"For FuncComp with ${_sizes_text(document)}$: {model}. {given}The stream is",
        "",
        rf"{{\centering $x = {slots}$.\par}}",
        "",
        r"Labels stand outside the rules of a matrix, and rows and columns that are not listed are zero. "
        r"$\textsf{s}_{a:b}$ is coordinates $a, \dots, b-1$ of slot \textsf{s}; $\code(v)$ is the $\pm1$ bits of $v$, "
        r"least significant first; $\mathbf{1}_k$ is a column of $k$ ones, and $+$, $-$ in a column are $\pm 1$. "
        r"A head adds $W_O \sum_j e_{ij} W_V x_j / \sum_j e_{ij}$ to $x_i$, "
        r"with $e_{ij} = \lfloor 2^P \exp( \langle W_Q x_i, W_K x_j \rangle - \text{shift}) \rfloor$ for $j \le i$, "
        rf"the average rounded down to multiples of $2^{{-{document['precision']['fraction']}}}$; "
        r"the MLP then adds $W_2 \relu(W_1 x + b_1) + b_2$.",
        "",
    ]


def _latex_tables(rows: Sequence[tuple[str, list[str], Matrix]]) -> list[str]:
    lines = []
    for what, kinds, matrix in rows:
        label = rf"\text{{{latex_text(what)} of {_latex_kinds(kinds)}}}"
        lines += [*_latex_matrix(label, matrix, _latex_bits), ""]
    return lines


def _latex_part(part: Part, earlier: Mapping[str, int]) -> list[str]:
    title = part.title[0].upper() + part.title[1:]
    shift = "" if part.shift is None else f", shift ${_latex_coefficient(part.shift)}$"
    if _all_from_one(part, earlier):
        return [rf"\textbf{{{title}}}{shift}: as in layer {earlier[next(iter(earlier))]}.", ""]
    lines = [rf"\textbf{{{title}}}{shift}.\par\nobreak{{\raggedright\lineskip=6pt\lineskiplimit=3pt"]
    for name, matrix in part.matrices.items():
        if name not in earlier:
            lines += _latex_matrix(_latex_matrix_name(name), matrix, _latex_place)
    for number in sorted(set(earlier.values())):
        names = [f"${_latex_matrix_name(name)}$" for name, layer in earlier.items() if layer == number]
        lines.append(f"{', '.join(names)} as in layer {number}.")
    lines += [r"\par}"]
    return [*lines, *_latex_align([_latex_formula(formula) for formula in part.formulas()], "That is,")]


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
        return [r"\par", *_latex_align(listed, rf"${label}{shape}$ has the blocks")]
    head = " & ".join(["", *(source_name(matrix.source, places) for places in columns)])
    lines = [
        rf"$\displaystyle {label} = \begin{{array}}{{r|{'c' * len(columns)}}}",
        rf"{head} \\ \hline",
    ]
    for places in rows:
        row = [cells.get((places.start, column.start)) for column in columns]
        shown = ["0" if cell is None else _latex_cell(cell) for cell in row]
        lines.append(rf"{_latex_place(matrix.target, places)} & {' & '.join(shown)} \\")
    return [*lines, rf"\end{{array}} {shape}$\quad"]


def _latex_cell(block: Block) -> str:
    """\tau I_{4}, -\\mathbf{1}_{6}, a column, or a number."""
    count = len(block.rows)
    if len(block.coefficient.numbers) > 1 or count == 1:
        return _latex_coefficient(block.coefficient)
    factor = _latex_scalar(block.coefficient.numbers[0], block.coefficient.symbol)
    factor = {"1": "", "-1": "-"}.get(factor, f"{factor} ")
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
    sums = [_latex_sum(part, len(formula.left)) for part in formula.right]
    if formula.role == "key":
        return rf"{left}:\quad q &= {sums[0]}, &\qquad k &= {sums[1]}"
    if formula.role == "unit":
        return rf"{left} &= \relu({sums[0]})"
    if formula.role == "head":
        return rf"{left}:\quad v &= {sums[0]} \quad\text{{(averaged)}}"
    return rf"{left} &\mathrel{{+}}= {sums[0]}"


def _latex_sum(terms: Sum, count: int) -> str:
    """A sum of columns of ``count`` rows."""
    texts = []
    for coefficient, stream, places in terms:
        if _is_constant(stream, places):
            texts.append(_latex_cell(Block(range(count), places, coefficient)))
            continue
        factor = _latex_coefficient(coefficient)
        texts.append({"1": "", "-1": "-"}.get(factor, rf"{factor}\,") + _latex_place(stream, places))
    # A long sum goes on in the next line after every six terms.
    lines = [" + ".join(texts[start : start + 6]).replace("+ -", "- ") for start in range(0, len(texts), 6)]
    return r" \\ &\qquad + ".join(lines).replace("+ -", "- ") if lines else "0"


def _latex_align(lines: Sequence[str], opening: str) -> list[str]:
    if not lines:
        return []
    return [opening, r"\begin{alignat*}{2}", " \\\\\n".join(lines), r"\end{alignat*}"]


def _latex_stage(rows: Sequence[tuple[str, str, list[str]]], kinds: Sequence[str]) -> list[str]:
    """Tables of at most a page each."""
    lines: list[str] = []
    last, height = "", TABLE_ROWS
    for place, text, where in rows:
        who = "all" if len(where) == len(kinds) else _latex_kinds(where)
        needed = 1 + max(len(text), len(who)) // 45
        if height + needed > TABLE_ROWS:
            lines += [r"\end{tabular}", ""] if lines else []
            lines += [r"\begin{tabular}{l p{7cm} p{6.5cm}}", r"slot & holds & in tokens \\ \hline"]
            last, height = "", 0
        name, bracket, rest = place.rpartition("[")
        shown = f"{_latex_name(name)}_{{{latex_text(rest[:-1])}}}" if bracket else _latex_name(rest)
        label = "" if place == last else f"${shown}$"
        lines.append(rf"{label} & \raggedright {_latex_line(text)} & {who} \\")
        last, height = place, height + needed
    return [*lines, r"\end{tabular}", ""] if lines else []


def _latex_line(text: str) -> str:
    """A line of an invariant: words as they are, codes and numbers as mathematics."""
    pieces, last = [], 0
    for match in _MATHS.finditer(text):
        if match["variable"]:
            part = f"_{{{match['part']}}}" if match["part"] else ""
            shown = rf"\code({_latex_variable(match['variable'])}){part}"
        elif match["noise"]:
            shown = rf"\nu_{{{match['noise']}}}"
        elif match["bits"]:
            shown = rf"\code({_latex_variable(match['bits'])})_{{{match['place']}}}"
        else:
            shown = "".join(_SIGNS.get(character, character) for character in match["plain"])
        pieces += [latex_text(text[last : match.start()]), f"${shown}$"]
        last = match.end()
    return "".join([*pieces, latex_text(text[last:])])


def _latex_variable(name: str) -> str:
    """i_{1} for i1, an upright word for others."""
    match = re.fullmatch(r"([a-zA-Z])(\d+)", name)
    if match:
        return f"{match[1]}_{{{match[2]}}}"
    return name if name.isascii() and name.isdigit() else rf"\text{{{latex_text(name)}}}"


def _latex_kinds(kinds: Sequence[str]) -> str:
    """table 3, table 2, $z_{0}$, $w$."""
    shown = []
    for kind in few(kinds):
        match = re.fullmatch(r"([a-z])(\d*)", kind)
        maths = f"${match[1]}_{{{match[2]}}}$" if match and match[2] else f"${kind}$"
        shown.append(r"\dots" if kind == "…" else maths if match else latex_text(kind))
    return ", ".join(shown)


def _latex_name(name: str) -> str:
    return rf"\textsf{{{latex_text(name)}}}"


def _latex_place(stream: Stream, places: range) -> str:
    name, part = _named(stream, places)
    return _latex_name(name) + (f"_{{{part}}}" if part else "")


def _latex_bits(stream: Stream, places: range) -> str:
    """A column of a table: the constant, bits of a digit, or the number of a stored row."""
    name, part = _named(stream, places)
    if name == CONSTANT:
        return "1"
    inside = r"\text{row}" if name == "row" else rf"\code({_latex_variable(name)})"
    return inside + (f"_{{{part}}}" if part else "")


def _latex_matrix_name(name: str) -> str:
    """W_{Q}, b_{1}."""
    letter, _, index = name.partition("_")
    return f"{letter}_{{{index}}}"


# Pieces that both need


def _stream(document: Document) -> Stream:
    return Stream((slot["name"], slot["width"]) for slot in document["slots"])


def _blocks(listing: Any, target: Stream, source: Stream, symbols: Collection[str] = ()) -> tuple[Block, ...]:
    return tuple(Block.from_document(value, "block", target, source, symbols) for value in listing)


def _cut(block: Block, cuts: Sequence[int]) -> list[Block]:
    """The block in pieces, cut at these rows."""
    first = block.rows.start
    inside = cuts[bisect_right(cuts, first) : bisect_left(cuts, block.rows.stop)]
    found = []
    for start, stop in pairwise([first, *inside, block.rows.stop]):
        columns = block.columns if block.is_column else block.columns[start - first : stop - first]
        found.append(Block(range(start, stop), columns, block.coefficient.cut(start - first, stop - first)))
    return found


def _all_from_one(part: Part, earlier: Mapping[str, int]) -> bool:
    return len(earlier) == len(part.matrices) and len(set(earlier.values())) == 1


def _is_constant(stream: Stream, places: range) -> bool:
    return len(places) == 1 and slot_at(stream, places.start)[:2] == (CONSTANT, 1)


def _named(stream: Stream, places: range) -> tuple[str, str]:
    """(slot, coordinates): the latter empty for a whole slot, else 3 or 0:4."""
    name, width, start = slot_at(stream, places.start)
    if len(places) == width:
        return name, ""
    first = places.start - start
    return name, str(first) if len(places) == 1 else f"{first}:{first + len(places)}"


def _short(stream: Stream, places: range) -> str:
    name, part = _named(stream, places)
    return f"{name}[{part}]" if part else name


def _bits_text(stream: Stream, places: range) -> str:
    """A column of a table: the constant, bits of a digit, or the number of a stored row."""
    name, part = _named(stream, places)
    inside = {CONSTANT: "1", "row": "row"}.get(name, f"code({name})")
    return f"{inside}[{part}]" if part else inside


def _counts_on(run: Sequence[str], kind: str) -> bool:
    """Whether the names are a word and a number that goes up, or down, by one."""
    names = [name.rpartition(" ") for name in (*run[-2:], kind)]
    if len({word for word, _, _ in names}) > 1 or not all(n.isascii() and n.isdigit() for _, _, n in names):
        return False
    steps = {int(right) - int(left) for (_, _, left), (_, _, right) in pairwise(names)}
    return steps in ({1}, {-1})


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _first_coordinate(place: str) -> int:
    match = re.search(r"\[(\d+)[:\d]*\]\Z", place)
    return int(match[1]) if match else 0
