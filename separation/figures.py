"""Figures as files: which kinds can be written, and writing whole ones or none."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from separation.files import InputError, require_writable, write_together

SUFFIXES = (".svg", ".png", ".pdf")
DOTS_PER_INCH = 150

Figure = Any  # matplotlib is imported where a figure is drawn


def require_figure_path(
    path: str | Path | None, option: str = "--figure", suffixes: Sequence[str] = SUFFIXES
) -> Path | None:
    """Refuse, before any work is done, a path that no figure could be written to."""
    if path is None:
        return None
    path = Path(path)
    if path.suffix.lower() not in suffixes:
        raise InputError(f"{option} is {str(path)!r}; a file that ends in {', '.join(suffixes)} is needed")
    require_writable(path)
    return path


def new_figure(width: float, height: float) -> Figure:
    """An empty figure, in inches, that needs no screen."""
    from matplotlib.figure import Figure as Empty

    return Empty(figsize=(width, height), layout="constrained")


def figure_bytes(figure: Figure, kind: str) -> bytes:
    """A figure as SVG, PNG or PDF; the same figure is the same bytes (no dates, fixed names inside SVG)."""
    import matplotlib

    data = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})
    with matplotlib.rc_context({"svg.hashsalt": "separation"}):
        figure.savefig(data, format=kind, dpi=DOTS_PER_INCH, metadata=dates)
    return data.getvalue()


def write_figure(figure: Figure | None, path: str | Path | None, beside: Mapping[Path, str] | None = None) -> None:
    """A figure, if there is one, and the files that belong to it (its numbers): all of them appear together."""
    contents: dict[Any, bytes | str] = {**(beside or {})}
    path = require_figure_path(path)
    if path is not None:
        contents[path] = figure_bytes(figure, path.suffix.lower()[1:])
    write_together(contents)
