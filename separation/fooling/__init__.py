"""Two inputs that a model cannot tell apart: found, and replayed.

| file | what it holds |
|---|---|
| `subject` | whom to fool: what a model must offer |
| `messages` | what later tokens hear of earlier ones, head by head |
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

from separation.fooling.budget import Budget as Budget
from separation.fooling.pair import Interrupted as Interrupted
from separation.fooling.pair import Message as Message
from separation.fooling.pair import Pair as Pair
from separation.fooling.pair import Replay as Replay
from separation.fooling.pair import Search as Search
from separation.fooling.pair import has_certificate as has_certificate
from separation.fooling.pair import load_model as load_model
from separation.fooling.pair import pair_certificate as pair_certificate
from separation.fooling.pair import replay as replay
from separation.fooling.programs import ProgramPair as ProgramPair
from separation.fooling.programs import find_program_pair as find_program_pair
from separation.fooling.random_models import random_recurrent_model as random_recurrent_model
from separation.fooling.random_subjects import random_subject as random_subject
from separation.fooling.random_subjects import too_few_bits as too_few_bits
from separation.fooling.recurrent import find_pair as find_pair
from separation.fooling.recurrent import run_pair as run_pair
from separation.fooling.subject import ExactSubject as ExactSubject
from separation.fooling.subject import Subject as Subject
from separation.fooling.subject import TorchSubject as TorchSubject
