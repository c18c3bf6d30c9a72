"""Models with full layers: two tables z_L that sound the same to all later tokens.

| file | what it holds |
|---|---|
| `hearing` | what later tokens hear of the first ones: sums and states |
| `players` | which theorem speaks of a word, what its levels cover, which tables of each player are looked at |
| `decomposition` | the sets of the theorem's proof, level by level |
| `guided` | tables z_L compared by what is heard of them |
| `search` | both, one after the other: `find_hybrid_pair` |
| `random_hybrids` | seeded models of any word |
"""

from separation.fooling.hybrids.decomposition import Decomposition, Level
from separation.fooling.hybrids.guided import pair_of
from separation.fooling.hybrids.random_hybrids import RandomHybrid, random_hybrid
from separation.fooling.hybrids.search import HybridSearch, find_hybrid_pair

__all__ = ["Decomposition", "HybridSearch", "Level", "RandomHybrid", "find_hybrid_pair", "pair_of", "random_hybrid"]
