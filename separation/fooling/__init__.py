"""Two inputs that a model cannot tell apart: found, and replayed.

| file | what it holds |
|---|---|
| `subject` | whom to fool: what a model must offer |
| `pair`, `search` | what is found, and what is said of a search |
| `budget` | seconds and samples |
| `boundary` | the states that cross a token boundary |
| `tables` | the tables that a search goes through |
| `birthday`, `linear_algebra` | two tables with one state |
| `recurrent` | R layers alone: `find_pair`, `run_pair` |
| `random_models` | seeded models of a word and a number of state bits |
| `model_file` | a model to fool, from a file |
| `certificate`, `replay` | a pair as a certificate, and run again from it |
| `hybrids/` | words with full layers: `find_hybrid_pair` |
| `sparse/` | block-sparse layers and 2-Sum: `find_sparse_pair` |
"""

from separation.fooling.budget import Budget
from separation.fooling.pair import Message, Pair
from separation.fooling.random_models import RandomModel, random_recurrent_model
from separation.fooling.recurrent import find_pair, run_pair
from separation.fooling.search import Interrupted, Search
from separation.fooling.subject import ExactSubject, Subject, TorchSubject

__all__ = [
    "Budget",
    "ExactSubject",
    "Interrupted",
    "Message",
    "Pair",
    "RandomModel",
    "Search",
    "Subject",
    "TorchSubject",
    "find_pair",
    "random_recurrent_model",
    "run_pair",
]
