"""What the statements share: verdicts, steps, hypotheses, formulas, messages, the book as a graph."""
