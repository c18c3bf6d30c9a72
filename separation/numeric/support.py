"""Which models run in floating point."""

from __future__ import annotations

from separation.files import InputError
from separation.models import Head, Model


class Unsupported(InputError):
    """A model that has no floating-point run."""


def supports(model: Model) -> bool:
    """Causal full attention with one MLP a layer: what the run computes, and what its error bound is derived for."""
    full = all(isinstance(head, Head) for layer in model.layers for head in layer.heads)
    return model.causal and full and all(len(layer.mlps) == 1 for layer in model.layers)


def require_support(model: Model) -> None:
    if not supports(model):
        ways = "" if model.causal else " with attention both ways"
        raise Unsupported(
            f"floating-point runs are for causal full attention with one MLP a layer, not for {model.word}{ways}"
        )
