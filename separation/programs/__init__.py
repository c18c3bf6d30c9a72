"""Programs: an algorithm in ten lines, exact weights for it, and a proof for all inputs.

| file | what it holds |
|---|---|
| `language` | `Program`: the prompt, maps, scans, the answer |
| `tokens` | kinds of tokens, variables, conditions; what is found and counted |
| `best` | the best of several matches, by one head or bit by bit |
| `grounding` | maps of maps as maps of what those read |
| `compiler` | from definitions to exact weights: layers by dependency, or those of a word |
| `circuits` | slots of the stream, and MLPs that compute with them |
| `attention` | finds and counts by F |
| `memory` | finds and counts by R |
| `scans` | a scan as one recurrent head |
| `slots` | coordinates of the stream, used again once nobody reads them |
| `weights` | rows over named slots |
| `compiled` | the weights: proved, run, shown, exported |
| `rasp` | RASP programs as oracles, Tracr's weights for them, on every input (extra `peer`) |

What a program *is*, its document and its oracle, is `separation.tasks.program`; what is proved of it, the kernel.
"""

from separation.programs.compiled import CompiledProgram
from separation.programs.language import Program
from separation.programs.tokens import Condition, Tokens, Variable, where

__all__ = ["CompiledProgram", "Condition", "Program", "Tokens", "Variable", "where"]
