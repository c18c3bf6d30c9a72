"""Who learns what from whom: the bits that each level of theorems A and B must fix.

| file | what it holds |
|---|---|
| `graph` | a word as a graph of messages; what each level must fix; the graphs of all levels at once, for z3 |
| `players` | a model run as players, in symbols |
| `transcripts` | what was sent in runs of the simulator |
| `replay` | the induction on one model with all sets written out, read off transcripts |
| `cases` | small models and sets of inputs for it, and what several replays show together |
"""

from proofs_checks.kit.messages.cases import Case, Step, Tally
from proofs_checks.kit.messages.graph import (
    Charge,
    Family,
    Level,
    charges,
    first_levels,
    fixed_graph,
    linear_blocks,
    message_graph,
)
from proofs_checks.kit.messages.replay import Accounting, LevelStep, ObservedCharge, Replay, most_common
from proofs_checks.kit.messages.transcripts import InputTranscript, Transcripts

__all__ = [
    "Accounting",
    "Case",
    "Charge",
    "Family",
    "InputTranscript",
    "Level",
    "LevelStep",
    "ObservedCharge",
    "Replay",
    "Step",
    "Tally",
    "Transcripts",
    "charges",
    "first_levels",
    "fixed_graph",
    "linear_blocks",
    "message_graph",
    "most_common",
]
