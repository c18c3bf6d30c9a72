"""The Coq development from Python: its files, its compilation, its record, certificates and weights as Coq terms."""

from __future__ import annotations

from collections.abc import Iterable


def term(value: str | int | Iterable[object]) -> str:
    """An integer, a list of lists of them, or what is a term already, as Coq writes it.

    >>> term([1, -2]), term([]), term(["a", "b c"])
    ('[:: 1; (-2)]', '[::]', '[:: a; b c]')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, int):
        return str(value) if value >= 0 else f"({value})"
    listed = "; ".join(map(term, value))  # type: ignore[arg-type]
    return f"[:: {listed}]" if listed else "[::]"
