"""`show`: a construction's weights as a paper writes them: named blocks, the temperature as a symbol, the invariants.

A block is {"to": "found[0:4]", "from": "value[0:4]", "coefficient": "τ"}; x[a:b] are the coordinates a..b−1 of slot x.
Which matrix it stands for follows from its two widths:

    to k, from k      coefficient · identity
    to k, from 1      a column: k times the coefficient, or the vector "τ·(+,-,+)", "(1,-1/2,3)"

Rows of W_Q and W_K are called key, rows of W_V head, rows of W_1 unit, the row of a gate gate; the key or value of the
token at place 3 of a block of keys is token3; a bias is read off the constant `one`; a stored table's row is row[5].
`rebuild` reads a document's blocks back into the model they were found in.
"""

from separation.verbs.show.blocks import Block, find_blocks
from separation.verbs.show.coefficients import Coefficient, scalar_text
from separation.verbs.show.invariant_lines import invariant_lines
from separation.verbs.show.places import slot_at
from separation.verbs.show.rebuild import rebuild
from separation.verbs.show.report import Document, ShowReport, describe, show
from separation.verbs.show.spaces import CONSTANT, segment_stream

__all__ = [
    "CONSTANT",
    "Block",
    "Coefficient",
    "Document",
    "ShowReport",
    "describe",
    "find_blocks",
    "invariant_lines",
    "rebuild",
    "scalar_text",
    "segment_stream",
    "show",
    "slot_at",
]
