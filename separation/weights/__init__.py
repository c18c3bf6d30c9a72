"""Weights as a paper writes them: named blocks, the temperature as a symbol, invariants in words.

| file | what it holds |
|---|---|
| `blocks` | a matrix as blocks between named slots, with exact coefficients |
| `contents` | all weights of a construction as blocks, their document and their formulas |
| `invariant_lines` | an invariant in words, line by line |
| `latex` | the weights as an article |
"""

from separation.weights.blocks import Block, Coefficient, Matrix
from separation.weights.contents import Weights
from separation.weights.invariant_lines import invariant_lines, stage_lines
from separation.weights.latex import to_latex

__all__ = ["Block", "Coefficient", "Matrix", "Weights", "invariant_lines", "stage_lines", "to_latex"]
