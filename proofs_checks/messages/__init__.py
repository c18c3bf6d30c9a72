"""Who learns what from whom: the bits that each level of theorems A and B must fix.

| file | what it holds |
|---|---|
| `graph` | a word of layers as a graph of messages, and the levels of the induction |
| `counting` | what must become constant from one level to the next, read off the graph |
| `family` | the graphs of all levels at once, as conditions on integers |
| `players` | a model run as players, in symbols |
| `transcripts` | what was said in runs of the simulator |
| `replay` | the induction on one model with all sets written out, read off transcripts |
| `tally` | what several replays show together |
| `cases` | small models and sets of inputs for it |
"""

from proofs_checks.messages.cases import Case
from proofs_checks.messages.counting import Charge, charges, fixed_graph, linear_blocks
from proofs_checks.messages.family import Family
from proofs_checks.messages.graph import Level, first_levels, message_graph
from proofs_checks.messages.replay import Accounting, Replay, Rung, Shown, most_common
from proofs_checks.messages.tally import Step, Tally
from proofs_checks.messages.transcripts import Hall, Said

__all__ = [
    "Accounting",
    "Case",
    "Charge",
    "Family",
    "Hall",
    "Level",
    "Replay",
    "Rung",
    "Said",
    "Shown",
    "Step",
    "Tally",
    "charges",
    "first_levels",
    "fixed_graph",
    "linear_blocks",
    "message_graph",
    "most_common",
]
