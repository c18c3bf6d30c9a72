"""The command line: one verb, one function, no logic."""

from separation.cli.main import main, run

__all__ = ["main", "run"]
