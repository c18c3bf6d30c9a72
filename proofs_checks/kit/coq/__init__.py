"""The Coq development from Python: its files, its compilation, its record, certificates and weights as Coq terms."""
