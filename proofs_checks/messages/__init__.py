"""Who learns what from whom: the bits that each level of theorems A and B must fix, counted on a graph of messages."""

from proofs_checks.messages.counting import Charge, charges, linear_blocks
from proofs_checks.messages.graph import Level, first_levels, message_graph

__all__ = ["Charge", "Level", "charges", "first_levels", "linear_blocks", "message_graph"]
