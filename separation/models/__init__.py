"""What answers: a residual stream with named slots, attention heads and ReLU MLPs made of exact matrices."""

from separation.models.blocks import Blocks
from separation.models.document import model_from_document, model_to_document
from separation.models.run import Looks, Run, run
from separation.models.stream import Stream
from separation.models.tables import Declared, RowTable, Segment, Stored
from separation.models.transformer import MLP, Head, Layer, Model, change_basis

__all__ = [
    "MLP",
    "Blocks",
    "Declared",
    "Head",
    "Layer",
    "Looks",
    "Model",
    "RowTable",
    "Run",
    "Segment",
    "Stored",
    "Stream",
    "change_basis",
    "model_from_document",
    "model_to_document",
    "run",
]
