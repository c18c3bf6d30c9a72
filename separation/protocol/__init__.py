"""Who tells whom what: a model run as players that own consecutive tokens, every bit of every message counted."""
