"""Weights as an article in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from separation.display.weights.contents import (
    Matrix,
    Part,
    layers,
    model_text,
    sizes_text,
    stream_of,
    tables,
    task_text,
)
from separation.display.weights.latex_matrices import (
    latex_align,
    latex_coefficient,
    latex_formula,
    latex_matrix,
    latex_scalar,
)
from separation.display.weights.latex_names import (
    latex_bits,
    latex_kinds,
    latex_line,
    latex_matrix_name,
    latex_name,
    latex_place,
    latex_text,
)
from separation.verbs.show import Document, ShowReport

TABLE_ROWS = 30
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
    "sparse": r"A block-sparse head averages, as full attention does, over the summaries of the earlier blocks, with "
    r"the key $C_K (k_1; \dots; k_B)$ and the value $C_V (v_1; \dots; v_B)$, the tokens of the opened ones, whose "
    r"summaries score highest, and those of the own block up to $i$.",
    "recurrent": r"A recurrent head adds $W_O$ times what its family reads off the state after token $i$; the inputs "
    r"of a step are $W_X x_i + b_X$, clipped to their domains, and $b_C$; states and outputs are rounded down to "
    r"multiples of $2^{-%(f)s}$.",
}


def to_latex(report: ShowReport) -> str:
    """A whole article, for pdflatex with amsmath: each layer's block matrices, formulas and invariants."""
    document = report.document()
    stream = stream_of(document)
    lines = [
        _PREAMBLE + rf"\section*{{Construction {latex_text(document['construction'])}}}",
        *_opening(document, model_text(report)),
    ]
    lines += [r"\subsection*{Embedding}", "The stream of a token starts as position $+$ token.", ""]
    lines += _tables(tables(document["embedding"], stream))
    for layer in layers(document, stream):
        before = "" if layer.since is None else f" as after layer {layer.since}."
        lines += [rf"\subsection*{{Layer {layer.number}}}", "", f"Before the layer:{before}", ""]
        lines += _stage(layer.before) if layer.since is None else []
        for part in layer.parts:
            lines += _part(part)
        lines += ["After the layer, where it differs:" if layer.changes else "The layer changes nothing.", ""]
        lines += _stage(layer.changes)
    lines += [r"\subsection*{Unembedding}", r"The logit of an answer is its row times $x$.", ""]
    lines += _tables(tables({"unembedding": document["unembedding"]}, stream))
    return "\n".join([*lines, r"\end{document}", ""])


def _opening(document: Document, model: str) -> list[str]:
    slots = r" \oplus ".join(
        f"{latex_name(slot['name'])}({slot['width']})" for slot in document["slots"] if slot["width"]
    )
    values = [f"${latex_scalar(Fraction(1), symbol)} = {value}$" for symbol, value in document["temperature"].items()]
    given = f"The factor of $W_Q$ is {', '.join(values)}. " if values else ""
    kinds = [kind for kind in _HEADS if any(kind == h["type"] for layer in document["layers"] for h in layer["heads"])]
    seen = r"for $j \le i$" if document["attention"] == "causal" else "for all $j$"
    model = re.sub(r"\b([Pp] = \d+)", r"$\1$", latex_text(model))
    return [
        f"For {task_text(document)} with ${sizes_text(document)}$: {model}. {given}The stream is",
        "",
        rf"{{\centering $x = {slots}$.\par}}",
        "",
        r"Labels stand outside the rules of a matrix, and rows and columns that are not listed are zero. "
        r"$\textsf{s}_{a:b}$ is coordinates $a, \dots, b-1$ of slot \textsf{s}; $\code(v)$ is the $\pm1$ bits of $v$, "
        r"least significant first; $\mathbf{1}_k$ is a column of $k$ ones, and $+$, $-$ in a column are $\pm 1$.",
        *(_HEADS[kind] % {"seen": seen, "f": document["precision"]["fraction"]} for kind in kinds),
        r"An MLP then adds $W_2 \relu(W_1 x + b_1) + b_2$.",
        "",
    ]


def _tables(rows: Iterable[tuple[str, list[str], Matrix]]) -> list[str]:
    lines = []
    for what, kinds, matrix in rows:
        label = rf"\text{{{latex_text(what)} of {latex_kinds(kinds)}}}"
        lines += [*latex_matrix(label, matrix, latex_bits), ""]
    return lines


def _part(part: Part) -> list[str]:
    title = part.title[0].upper() + part.title[1:]
    shift = "".join(f", {words}" for words in part.words)
    shift += "" if part.shift is None else f", shift ${latex_coefficient(part.shift)}$"
    if part.twin is not None:
        return [rf"\textbf{{{title}}}{shift}: as in layer {part.twin}.", ""]
    lines = [rf"\textbf{{{title}}}{shift}.\par\nobreak{{\raggedright\lineskip=6pt\lineskiplimit=3pt"]
    for name, matrix in part.matrices.items():
        if name not in part.earlier:
            lines += latex_matrix(latex_matrix_name(name), matrix, latex_place)
    for number in sorted(set(part.earlier.values())):
        names = [f"${latex_matrix_name(name)}$" for name, layer in part.earlier.items() if layer == number]
        lines.append(f"{', '.join(names)} as in layer {number}.")
    lines += [r"\par}"]
    return [*lines, *latex_align([latex_formula(formula) for formula in part.formulas()], "That is,")]


def _stage(rows: Sequence[tuple[str, str, list[str]]]) -> list[str]:
    """Tables of at most a page each."""
    lines: list[str] = []
    last, height = "", TABLE_ROWS
    for place, text, kinds in rows:
        who = latex_kinds(kinds)
        needed = 1 + max(len(text), len(who)) // 45
        if height + needed > TABLE_ROWS:
            lines += [r"\end{tabular}", ""] if lines else []
            lines += [r"\begin{tabular}{l p{7cm} p{6.5cm}}", r"slot & holds & in tokens \\ \hline"]
            last, height = "", 0
        name, bracket, rest = place.rpartition("[")
        shown = f"{latex_name(name)}_{{{latex_text(rest[:-1])}}}" if bracket else latex_name(rest)
        label = "" if place == last else f"${shown}$"
        lines.append(rf"{label} & \raggedright {latex_line(text)} & {who} \\")
        last, height = place, height + needed
    return [*lines, r"\end{tabular}", ""] if lines else []
