"""Sparse attention and 2-Sum: compression maps, ambiguous elements, the two inputs, the layer that is right."""

from separation.fooling.sparse.layer import RandomScorer as RandomScorer
from separation.fooling.sparse.layer import ambiguous as ambiguous
from separation.fooling.sparse.layer import right_layer as right_layer
from separation.fooling.sparse.maps import CallableMap as CallableMap
from separation.fooling.sparse.maps import MatrixMap as MatrixMap
from separation.fooling.sparse.maps import SparseShape as SparseShape
from separation.fooling.sparse.maps import SummaryMap as SummaryMap
from separation.fooling.sparse.maps import TableMap as TableMap
from separation.fooling.sparse.maps import TorchMap as TorchMap
from separation.fooling.sparse.maps import random_map as random_map
from separation.fooling.sparse.model import SparseModel as SparseModel
from separation.fooling.sparse.model import find_model_pair as find_model_pair
from separation.fooling.sparse.search import find_sparse_pair as find_sparse_pair
from separation.fooling.sparse.search import map_certificate as map_certificate
