"""`show`: the weights of a construction as named blocks, and its invariants, as a paper writes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.proving import Construction
from separation.tasks.catalogue import prompt_tokens
from separation.verbs.options import Options, chosen_construction, sizes_to_document
from separation.weights import Document, to_latex, weights_to_document


@dataclass(frozen=True)
class ShowReport:
    """A construction to be shown: all of its layers, or one."""

    construction: Construction
    layer: int | None = None

    @property
    def ok(self) -> bool:
        return True

    def document(self) -> Document:
        sizes = self.construction.sizes
        return {
            "ok": self.ok,
            "construction": self.construction.name,
            **sizes_to_document(sizes),
            "tokens": number_to_json(prompt_tokens(sizes)),
            **weights_to_document(self.construction, self.layer),
        }

    def latex(self) -> str:
        """A whole article for pdflatex."""
        return to_latex(self.construction.model, self.document())


def show(
    construction: str | None = None,
    *,
    model: str | Path | None = None,
    layer: int | None = None,
    **options: Unpack[Options],
) -> ShowReport:
    """The weights and invariants of a construction, or of a model file: of one layer (counted from 1) or of all."""
    return describe(chosen_construction(construction, model, options), layer)


def describe(construction: Construction, layer: int | None = None) -> ShowReport:
    """The report on a construction that is already built, for instance one read from a model file."""
    last = len(construction.model.layers)
    if layer is not None and not 1 <= layer <= last:
        raise InputError(f"layer is {layer}; allowed are 1..{last}")
    return ShowReport(construction, layer)
