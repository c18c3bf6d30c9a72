"""The papers' regimes H·d·p ≤ n^{1/T}: exactly at their edge, and inside what the golden schedule forbids."""

from proofs_checks.regimes.edge import Threshold, inside, require_edge
from proofs_checks.regimes.inclusion import Inclusion, check_inclusion, check_regime, golden_sizes

__all__ = [
    "Inclusion",
    "Threshold",
    "check_inclusion",
    "check_regime",
    "golden_sizes",
    "inside",
    "require_edge",
]
