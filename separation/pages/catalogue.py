"""Every computed part of every page."""

from __future__ import annotations

from separation.pages import (
    of_bounds,
    of_certificates,
    of_fooling,
    of_numeric,
    of_protocol,
    of_readme,
    of_recurrences,
    of_stock,
    of_stock_hybrid,
    of_stock_llama,
    of_theory,
    of_theory_sizes,
)
from separation.pages.parts import Part

PARTS: tuple[Part, ...] = (
    *of_readme.PARTS,
    *of_theory.PARTS,
    *of_theory_sizes.PARTS,
    *of_bounds.PARTS,
    *of_certificates.PARTS,
    *of_fooling.PARTS,
    *of_numeric.PARTS,
    *of_protocol.PARTS,
    *of_recurrences.PARTS,
    *of_stock.PARTS,
    *of_stock_hybrid.PARTS,
    *of_stock_llama.PARTS,
)


def parts_of(page: str) -> tuple[Part, ...]:
    """The parts of one page, such as "docs/bounds.md"."""
    return tuple(part for part in PARTS if part.page == page)
