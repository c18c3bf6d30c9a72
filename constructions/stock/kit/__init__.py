"""What the stock targets share: the type of a target, numbers as rotations, and the hybrids' plan and bound."""
