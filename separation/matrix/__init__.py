"""What an architecture can do besides composing: tasks by words, each cell built, impossible, conditional or open.

| file | what it holds |
|---|---|
| `columns` | an architecture: a word with the kind of its recurrences, its state bits and messages |
| `rows` | the tasks: which programs build them on which layers, and what they ask of states, looks and windows |
| `cells` | the verdict on a task and an architecture, at all sizes and at a length; its certificate |
"""

from separation.matrix.cells import Cell, cell, certificate_of
from separation.matrix.columns import Column, column_of
from separation.matrix.rows import ROWS, Recipe, Row

__all__ = ["ROWS", "Cell", "Column", "Recipe", "Row", "cell", "certificate_of", "column_of"]
