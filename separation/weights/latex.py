"""Weights as an article in LaTeX: block matrices, formulas and invariants."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from separation.escaping import latex
from separation.models import Stream
from separation.weights.blocks import CONSTANT, Block, Coefficient, Matrix, is_constant, named
from separation.weights.contents import FORMULA_TEXTS, TAU, Formula, Part, Rows, Sum, Weights, before_name, model_text
from separation.weights.invariant_lines import grouped

TABLE_ROWS = 30
MOST_COLUMNS, MOST_ROWS = 10, 24
LINE_TERMS = 6
_SIGNS = {"−": "-", "±": r"\pm ", "·": r"\cdot ", "≤": r"\le ", "ν": r"\nu "}
# What is set as mathematics in the text of an invariant: codes, noise, bits, sign patterns, numbers, signs.
_MATHS = re.compile(
    r"code\((?P<variable>\w+)\)(?:\[(?P<part>[\d:]+)\])?|ν(?P<noise>\d+)|(?P<bits>[^\W\d_]+\d*)\.(?P<bit>\d+)"
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
# What a head of each type adds to the stream.
_HEADS = {
    "full": r"A head adds $W_O \sum_j e_{ij} W_V x_j / \sum_j e_{ij}$ to $x_i$, with "
    r"$e_{ij} = \lfloor 2^P \exp( \langle W_Q x_i, W_K x_j \rangle - \text{shift}) \rfloor$ %(seen)s, "
    r"the average rounded down to multiples of $2^{-%(f)s}$.",
    "linear": r"Linear attention adds $W_O$ times the mean of the $W_V x_j$, $j \le i$, with the weights "
    r"$\langle \phi_q, \phi_k \rangle$, $\phi_q = \relu(W_Q x_i + b_Q)$, $\phi_k = \relu(W_K x_j + b_K)$, "
    r"rounded down to multiples of $2^{-%(f)s}$; their sum, unrounded, if it is not normalised.",
    "delta": r"The gated delta rule adds $W_O S_i^{\top} W_Q x_i$, with "
    r"$S_i = \alpha (S_{i-1} - \beta k k^{\top} S_{i-1}) + \beta k v^{\top}$, $k = W_K x_i$, $v = W_V x_i$, "
    r"$\alpha = \operatorname{clip}(W_A x_i + b_A)$, $\beta = \operatorname{clip}(W_B x_i + b_B)$ clipped to $[0, 1]$.",
    "product": r"A head of several updates adds $W_O S_i^{\top} W_Q x_i$, where $S_i$ is $S_{i-1}$ after "
    r"$S \leftarrow S - \beta_u k_u k_u^{\top} S + \beta_u k_u v_u^{\top}$ for one $u$ after another; $k_u$, $v_u$, "
    r"$\beta_u$ are parts of $W_K x_i$, $W_V x_i$ and $W_B x_i + b_B$, the last clipped to $[0, 1]$.",
    "sparse": r"A block-sparse head averages, as full attention does, over the summaries of the earlier blocks, with "
    r"the key $C_K (k_1; \dots; k_B)$ and the value $C_V (v_1; \dots; v_B)$, the tokens of the opened ones, whose "
    r"summaries score highest, and those of the own block up to $i$.",
    "recurrent": r"A recurrent head adds $W_O$ times what its family reads off the state after token $i$; the inputs "
    r"of a step are $W_X x_i + b_X$, clipped to their domains, and $b_C$; states and outputs are rounded down to "
    r"multiples of $2^{-%(f)s}$.",
}


def to_latex(weights: Weights, subject: str) -> str:
    """A whole article, for pdflatex with amsmath: each layer's block matrices, formulas and invariants.

    ``subject`` says for which task and which sizes, in LaTeX.
    """
    tables = weights.tables()
    lines = [_PREAMBLE + rf"\section*{{Construction {_text(weights.construction.name)}}}", *_opening(weights, subject)]
    lines += [r"\subsection*{Embedding}", "The stream of a token starts as position $+$ token.", ""]
    lines += _tables([*tables["positions"], *tables["tokens"]])
    for layer in weights.layers():
        before = "" if layer.since is None else f" as after layer {layer.since}."
        lines += [rf"\subsection*{{Layer {layer.number}}}", "", f"Before the layer:{before}", ""]
        lines += _stage(grouped(layer.before)) if layer.since is None else []
        for part in layer.parts:
            lines += _part(part)
        lines += ["After the layer, where it differs:" if layer.changes else "The layer changes nothing.", ""]
        lines += _stage(layer.changes)
    lines += [r"\subsection*{Unembedding}", r"The logit of an answer is its row times $x$.", ""]
    return "\n".join([*lines, *_tables(tables["unembedding"]), r"\end{document}", ""])


def _opening(weights: Weights, subject: str) -> list[str]:
    model = weights.model
    slots = r" \oplus ".join(f"{_name(name)}({width})" for name, width in model.stream.slots if width)
    values = [f"${_scalar(symbol)} = {value}$" for value, symbol in weights.temperatures.items()]
    given = f"The factor of $W_Q$ is {', '.join(values)}. " if values else ""
    types = {head.TYPE for number in weights.numbers for head in model.layers[number - 1].heads}
    seen = r"for $j \le i$" if model.causal else "for all $j$"
    sizes = re.sub(r"\b([Pp] = \d+)", r"$\1$", _text(model_text(model)))
    return [
        f"For {subject}: {sizes}. {given}The stream is",
        "",
        rf"{{\centering $x = {slots}$.\par}}",
        "",
        r"Labels stand outside the rules of a matrix, and rows and columns that are not listed are zero. "
        r"$\textsf{s}_{a:b}$ is coordinates $a, \dots, b-1$ of slot \textsf{s}; $\code(v)$ is the $\pm1$ bits of $v$, "
        r"least significant first; $\mathbf{1}_k$ is a column of $k$ ones, and $+$, $-$ in a column are $\pm 1$.",
        *(text % {"seen": seen, "f": model.precision.fraction_bits} for kind, text in _HEADS.items() if kind in types),
        r"An MLP then adds $W_2 \relu(W_1 x + b_1) + b_2$.",
        "",
    ]


def _tables(tables: Iterable[Rows]) -> list[str]:
    lines = []
    for rows in tables:
        label = rf"\text{{{_text(rows.table)} of {_kinds(rows.kinds)}}}"
        lines += [*_matrix(label, rows.matrix, _bits), ""]
    return lines


def _part(part: Part) -> list[str]:
    title = part.title[0].upper() + part.title[1:]
    shift = "".join(f", {_text(words)}" for words in part.words)
    shift += "" if part.shift is None else f", shift ${_coefficient(part.shift)}$"
    if part.twin is not None:
        return [rf"\textbf{{{title}}}{shift}: as in layer {part.twin}.", ""]
    lines = [rf"\textbf{{{title}}}{shift}.\par\nobreak{{\raggedright\lineskip=6pt\lineskiplimit=3pt"]
    for name, matrix in part.matrices.items():
        if name not in part.earlier:
            lines += _matrix(_matrix_name(name), matrix, _coordinates)
    for number in sorted(set(part.earlier.values())):
        names = [f"${_matrix_name(name)}$" for name, layer in part.earlier.items() if layer == number]
        lines.append(f"{', '.join(names)} as in layer {number}.")
    lines += [r"\par}"]
    return [*lines, *_align([_formula(formula) for formula in part.formulas()], "That is,")]


def _stage(rows: Sequence[tuple[str, str, list[str]]]) -> list[str]:
    """Tables of at most a page each."""
    lines: list[str] = []
    last, height = "", TABLE_ROWS
    for slot, text, kinds in rows:
        who = _kinds(kinds)
        needed = 1 + max(len(text), len(who)) // 45
        if height + needed > TABLE_ROWS:
            lines += [r"\end{tabular}", ""] if lines else []
            lines += [r"\begin{tabular}{l p{7cm} p{6.5cm}}", r"slot & holds & in tokens \\ \hline"]
            last, height = "", 0
        name, bracket, rest = slot.rpartition("[")
        shown = f"{_name(name)}_{{{_text(rest[:-1])}}}" if bracket else _name(rest)
        label = "" if slot == last else f"${shown}$"
        lines.append(rf"{label} & \raggedright {_line(text)} & {who} \\")
        last, height = slot, height + needed
    return [*lines, r"\end{tabular}", ""] if lines else []


def _matrix(label: str, matrix: Matrix, source_name: Callable[[Stream, range], str]) -> list[str]:
    """A bordered array, or a list of blocks where that would be too large for a page."""
    shape = rf"\; ({matrix.target.width} \times {matrix.source.width})"
    if not matrix.blocks:
        return [rf"$\displaystyle {label} = 0 {shape}$\quad"]
    rows, columns, cells = matrix.grid()
    if len(columns) > MOST_COLUMNS or len(rows) > MOST_ROWS:
        listed = [
            rf"{_coordinates(matrix.target, block.rows)} &\leftarrow "
            rf"{_cell(block)} \cdot {source_name(matrix.source, block.columns)}"
            for block in matrix.blocks
        ]
        return [r"\par", *_align(listed, rf"${label}{shape}$ has the blocks")]
    head = " & ".join(["", *(source_name(matrix.source, coordinates) for coordinates in columns)])
    lines = [
        rf"$\displaystyle {label} = \begin{{array}}{{r|{'c' * len(columns)}}}",
        rf"{head} \\ \hline",
    ]
    for coordinates in rows:
        row = [cells.get((coordinates.start, column.start)) for column in columns]
        shown = ["0" if cell is None else _cell(cell) for cell in row]
        lines.append(rf"{_coordinates(matrix.target, coordinates)} & {' & '.join(shown)} \\")
    return [*lines, rf"\end{{array}} {shape}$\quad"]


def _formula(formula: Formula) -> str:
    sums = [_sum(terms, len(formula.left)) for terms in formula.right]
    return FORMULA_TEXTS[formula.role][1].format(*sums, left=_coordinates(formula.target, formula.left))


def _coefficient(coefficient: Coefficient) -> str:
    factor, items = coefficient.factored()
    if not items:
        return _scalar(factor)
    return rf"{'' if factor == '1' else _scalar(factor)}({','.join(items)})^{{\top}}"


def _scalar(text: str) -> str:
    r"""\tau_{2} for τ2, \tfrac{1}{2} for 1/2."""
    text = re.sub(r"(\d+)/(\d+)", r"\\tfrac{\1}{\2}", text)
    return re.sub(rf"{TAU}(\d*)", lambda match: r"\tau" + _index(match[1]), text)


def _align(lines: Sequence[str], opening: str) -> list[str]:
    if not lines:
        return []
    return [opening, r"\begin{alignat*}{2}", " \\\\\n".join(lines), r"\end{alignat*}"]


def _cell(block: Block) -> str:
    r"""\tau I_{4}, -\mathbf{1}_{6}, a column, or a number."""
    count = len(block.rows)
    factor = _coefficient(block.coefficient)
    if len(block.coefficient.numbers) > 1 or count == 1:
        return factor
    return before_name(factor, " ") + (rf"\mathbf{{1}}_{{{count}}}" if block.is_column else f"I_{{{count}}}")


def _sum(terms: Sum, count: int) -> str:
    """A sum of columns of ``count`` rows; a long one goes on in the next line."""
    texts = [
        _cell(Block(range(count), coordinates, coefficient))
        if is_constant(stream, coordinates)
        else before_name(_coefficient(coefficient), r"\,") + _coordinates(stream, coordinates)
        for coefficient, stream, coordinates in terms
    ]
    lines = [" + ".join(texts[start : start + LINE_TERMS]) for start in range(0, len(texts), LINE_TERMS)]
    return r" \\ &\qquad + ".join(lines).replace("+ -", "- ") if lines else "0"


def _text(text: str) -> str:
    """Any text for text mode, in ASCII."""
    return latex("".join(c if c.isascii() and c.isprintable() else f"[U+{ord(c):04X}]" for c in text))


def _line(text: str) -> str:
    """A line of an invariant: words as they are, codes and numbers as mathematics."""
    pieces, last = [], 0
    for match in _MATHS.finditer(text):
        if match["variable"]:
            shown = _code(match["variable"], match["part"])
        elif match["noise"]:
            shown = rf"\nu_{{{match['noise']}}}"
        elif match["bits"]:
            shown = _code(match["bits"], match["bit"])
        else:
            shown = "".join(_SIGNS.get(character, character) for character in match["plain"])
        pieces += [_text(text[last : match.start()]), f"${shown}$"]
        last = match.end()
    return "".join([*pieces, _text(text[last:])])


def _kinds(kinds: Sequence[str]) -> str:
    """table 3, table 2, $z_{0}$, $w$."""
    shown = []
    for kind in kinds:
        match = re.fullmatch(r"([a-z])(\d*)", kind)
        maths = f"${match[1]}{_index(match[2])}$" if match else ""
        shown.append(r"\dots" if kind == "…" else maths or _text(kind))
    return ", ".join(shown)


def _name(name: str) -> str:
    return rf"\textsf{{{_text(name)}}}"


def _coordinates(stream: Stream, coordinates: range) -> str:
    name, part = named(stream, coordinates)
    return _name(name) + _index(part)


def _bits(stream: Stream, coordinates: range) -> str:
    """A column of a table: the constant, bits of a digit, or the number of a stored row."""
    name, part = named(stream, coordinates)
    if name == CONSTANT:
        return "1"
    return r"\text{row}" + _index(part) if name == "row" else _code(name, part)


def _matrix_name(name: str) -> str:
    """W_{Q}, b_{1}."""
    letter, _, index = name.partition("_")
    return letter + _index(index)


def _code(variable: str, part: str | None) -> str:
    return rf"\code({_variable(variable)})" + _index(part)


def _index(text: str | None) -> str:
    return f"_{{{text}}}" if text else ""


def _variable(name: str) -> str:
    """i_{1} for i1, an upright word for others."""
    match = re.fullmatch(r"([a-zA-Z])(\d+)", name)
    if match:
        return f"{match[1]}_{{{match[2]}}}"
    return name if name.isascii() and name.isdigit() else rf"\text{{{_text(name)}}}"
