"""Models with full layers: two tables z_L that sound the same to all later tokens.

| file | what it holds |
|---|---|
| `players` | which theorem applies to a word, and the tables of each player |
| `decomposition` | the sets of the theorem's proof, level by level; then the guided search: `find_hybrid_pair` |
| `guided` | tables z_L compared by what is heard of them |
"""

from separation.fooling.hybrids.decomposition import Decomposition, Level, find_hybrid_pair

__all__ = ["Decomposition", "Level", "find_hybrid_pair"]
