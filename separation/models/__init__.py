"""What answers: a residual stream with named slots, attention heads and ReLU MLPs made of exact matrices."""

from separation.models.blocks import Blocks
from separation.models.decode import decode
from separation.models.document import model_from_document, model_to_document
from separation.models.heads import HEAD_TYPES, AnyHead, DeltaHead, Head, LinearHead, RecurrentHead, SparseHead
from separation.models.layer_run import Looks
from separation.models.run import Run, run
from separation.models.stream import Stream
from separation.models.tables import Declared, RowTable, Segment, Stored
from separation.models.transformer import MLP, Layer, Model, change_basis

__all__ = [
    "HEAD_TYPES",
    "MLP",
    "AnyHead",
    "Blocks",
    "Declared",
    "DeltaHead",
    "Head",
    "Layer",
    "LinearHead",
    "Looks",
    "Model",
    "RecurrentHead",
    "RowTable",
    "Run",
    "Segment",
    "SparseHead",
    "Stored",
    "Stream",
    "change_basis",
    "decode",
    "model_from_document",
    "model_to_document",
    "run",
]
