"""A construction's weights for people: blocks and formulas in a terminal, block matrices in LaTeX.

Both are made from the report's document alone, which `rebuild` turns back into the weights.
"""

from separation.display.weights.latex import to_latex
from separation.display.weights.text import show_text

__all__ = ["show_text", "to_latex"]
