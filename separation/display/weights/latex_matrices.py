"""Block matrices, coefficients and formulas in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from separation.display.weights.contents import Formula, Matrix, Sum
from separation.display.weights.grid import grid
from separation.display.weights.latex_names import latex_place
from separation.display.weights.names import before_name, is_constant
from separation.models import Stream
from separation.verbs.show import Block, Coefficient, scalar_text

MOST_COLUMNS, MOST_ROWS = 10, 24
LINE_TERMS = 6


def latex_matrix(label: str, matrix: Matrix, source_name: Callable[[Stream, range], str]) -> list[str]:
    """A bordered array, or a list of blocks where that would be too large for a page."""
    shape = rf"\; ({matrix.target.width} \times {matrix.source.width})"
    if not matrix.blocks:
        return [rf"$\displaystyle {label} = 0 {shape}$\quad"]
    rows, columns, cells = grid(matrix.blocks)
    if len(columns) > MOST_COLUMNS or len(rows) > MOST_ROWS:
        listed = [
            rf"{latex_place(matrix.target, block.rows)} &\leftarrow "
            rf"{_cell(block)} \cdot {source_name(matrix.source, block.columns)}"
            for block in matrix.blocks
        ]
        return [r"\par", *latex_align(listed, rf"${label}{shape}$ has the blocks")]
    head = " & ".join(["", *(source_name(matrix.source, places) for places in columns)])
    lines = [
        rf"$\displaystyle {label} = \begin{{array}}{{r|{'c' * len(columns)}}}",
        rf"{head} \\ \hline",
    ]
    for places in rows:
        row = [cells.get((places.start, column.start)) for column in columns]
        shown = ["0" if cell is None else _cell(cell) for cell in row]
        lines.append(rf"{latex_place(matrix.target, places)} & {' & '.join(shown)} \\")
    return [*lines, rf"\end{{array}} {shape}$\quad"]


def latex_formula(formula: Formula) -> str:
    left = latex_place(formula.target, formula.left)
    sums = [_sum(part, len(formula.left)) for part in formula.right]
    if len(sums) == 2:
        first, second = sums
        return {
            "key": rf"{left}:\quad q &= {first}, &\qquad k &= {second}",
            "feature": rf"{left}:\quad \phi_q &= \relu({first}) \\ \phi_k &= \relu({second})",
            "gate": rf"\alpha &= \operatorname{{clip}}({first}), &\qquad \beta &= \operatorname{{clip}}({second})",
        }[formula.role]
    (only,) = sums
    return {
        "unit": rf"{left} &= \relu({only})",
        "stream": rf"{left} &\mathrel{{+}}= {only}",
        "summary": rf"{left} \text{{ of a summary}} &= {only}",
        "input": rf"{left} &= \operatorname{{clip}}({only})",
        "given": rf"{left} &= {only}",
    }.get(formula.role, rf"{left}:\quad v &= {only} \quad\text{{({formula.role})}}")


def latex_coefficient(coefficient: Coefficient) -> str:
    if len(coefficient.numbers) == 1:
        return latex_scalar(coefficient.numbers[0], coefficient.symbol)
    common, items = coefficient.factored()
    factor = latex_scalar(common, coefficient.symbol)
    return rf"{'' if factor == '1' else factor}({','.join(items)})^{{\top}}"


def latex_scalar(number: Fraction, symbol: str) -> str:
    text = scalar_text(number, symbol)
    name = rf"\tau_{{{symbol[1:]}}}" if symbol[1:] else r"\tau"
    text = text.replace(symbol, name) if symbol else text
    return re.sub(r"(\d+)/(\d+)", r"\\tfrac{\1}{\2}", text)


def latex_align(lines: Sequence[str], opening: str) -> list[str]:
    if not lines:
        return []
    return [opening, r"\begin{alignat*}{2}", " \\\\\n".join(lines), r"\end{alignat*}"]


def _cell(block: Block) -> str:
    r"""\tau I_{4}, -\mathbf{1}_{6}, a column, or a number."""
    count = len(block.rows)
    factor = latex_coefficient(block.coefficient)
    if len(block.coefficient.numbers) > 1 or count == 1:
        return factor
    return before_name(factor, " ") + (rf"\mathbf{{1}}_{{{count}}}" if block.is_column else f"I_{{{count}}}")


def _sum(terms: Sum, count: int) -> str:
    """A sum of columns of ``count`` rows; a long one goes on in the next line."""
    texts = [
        _cell(Block(range(count), places, coefficient))
        if is_constant(stream, places)
        else before_name(latex_coefficient(coefficient), r"\,") + latex_place(stream, places)
        for coefficient, stream, places in terms
    ]
    lines = [" + ".join(texts[start : start + LINE_TERMS]) for start in range(0, len(texts), LINE_TERMS)]
    return r" \\ &\qquad + ".join(lines).replace("+ -", "- ") if lines else "0"
