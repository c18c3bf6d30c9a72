"""Sparse attention and 2-Sum: compression maps, ambiguous elements, the two inputs, the layer that is right."""

from separation.fooling.sparse.layer import RandomScorer, ambiguous, right_layer
from separation.fooling.sparse.maps import (
    CallableMap,
    MatrixMap,
    SparseShape,
    SummaryMap,
    TableMap,
    TorchMap,
    random_map,
)
from separation.fooling.sparse.model import SparseModel, find_model_pair
from separation.fooling.sparse.search import find_sparse_pair, map_certificate

__all__ = [
    "CallableMap",
    "MatrixMap",
    "RandomScorer",
    "SparseModel",
    "SparseShape",
    "SummaryMap",
    "TableMap",
    "TorchMap",
    "ambiguous",
    "find_model_pair",
    "find_sparse_pair",
    "map_certificate",
    "random_map",
    "right_layer",
]
