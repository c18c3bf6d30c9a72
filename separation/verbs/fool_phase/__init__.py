"""`fool --phase`: where pairs were found, where a construction solves, and what the theorems guarantee.

| file | what it holds |
|---|---|
| `report` | the rows, the figure and the CSV beside it: `fool_phase` |
| `words` | words of layers against L |
| `states` | one R layer: bits of the state against the size of the table |
| `sparse` | one sparse layer: bits of a summary against accuracy |
| `drawing` | the figures |
"""

from separation.verbs.fool_phase.report import PhaseReport, fool_phase

__all__ = ["PhaseReport", "fool_phase"]
