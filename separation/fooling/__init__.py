"""Two inputs that a model cannot tell apart: found, and replayed."""
