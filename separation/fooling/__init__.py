"""Two inputs that a model cannot tell apart: found, and replayed.

| file | what it holds |
|---|---|
| `subject` | whom to fool: what a model must offer, and the states that cross a token boundary |
| `pair` | what is found, and how a search ended; a model from a file, a pair as a certificate and run again from it |
| `budget` | seconds and samples |
| `birthday` | the tables that a search goes through, and two of them with one state |
| `recurrent` | R layers alone: `find_pair`, `run_pair`; small integer relations |
| `random_models` | seeded models of a word and a number of state bits |
| `random_subjects` | seeded models of any word, with default sizes |
| `programs` | R layers alone and any program: `find_program_pair` |
| `hybrids/` | words with full layers: `find_hybrid_pair` |
| `sparse/` | block-sparse layers and 2-Sum: `find_sparse_pair` |
"""

from separation.fooling.budget import Budget
from separation.fooling.pair import (
    Interrupted,
    Message,
    Pair,
    Replay,
    Search,
    has_certificate,
    load_model,
    pair_certificate,
    replay,
)
from separation.fooling.programs import ProgramPair, find_program_pair
from separation.fooling.random_models import random_recurrent_model
from separation.fooling.random_subjects import random_subject, too_few_bits
from separation.fooling.recurrent import find_pair, run_pair
from separation.fooling.subject import ExactSubject, Subject, TorchSubject

__all__ = [
    "Budget",
    "ExactSubject",
    "Interrupted",
    "Message",
    "Pair",
    "ProgramPair",
    "Replay",
    "Search",
    "Subject",
    "TorchSubject",
    "find_pair",
    "find_program_pair",
    "has_certificate",
    "load_model",
    "pair_certificate",
    "random_recurrent_model",
    "random_subject",
    "replay",
    "run_pair",
    "too_few_bits",
]
