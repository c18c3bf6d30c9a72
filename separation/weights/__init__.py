"""Weights as a paper writes them: named blocks, the temperature as a symbol, invariants in words.

| file | what it holds |
|---|---|
| `blocks` | a matrix as blocks between named slots, with exact coefficients |
| `document` | a construction's weights and invariants as one document of blocks |
| `invariant_lines` | an invariant in words, line by line |
| `contents` | what a document says: matrices, formulas, what each layer changes |
| `latex` | the document as an article |
"""

from separation.weights.blocks import Block, Coefficient, find_blocks
from separation.weights.document import Document, weights_to_document
from separation.weights.invariant_lines import invariant_lines, stage_lines
from separation.weights.latex import to_latex

__all__ = [
    "Block",
    "Coefficient",
    "Document",
    "find_blocks",
    "invariant_lines",
    "stage_lines",
    "to_latex",
    "weights_to_document",
]
