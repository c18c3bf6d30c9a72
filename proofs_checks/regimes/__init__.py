"""The papers' regimes H·d·p ≤ n^{1/T}: exactly at their edge, and inside what the golden schedule forbids."""

from proofs_checks.regimes.edge import Threshold, inside, require_edge
from proofs_checks.regimes.inclusion import DEEPEST, Inclusion, check_inclusion, golden_sizes, require_verdicts

__all__ = [
    "DEEPEST",
    "Inclusion",
    "Threshold",
    "check_inclusion",
    "golden_sizes",
    "inside",
    "require_edge",
    "require_verdicts",
]
