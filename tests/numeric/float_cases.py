"""Small constructions of every kind, and ways to change one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch

from constructions import build
from separation.models import Head
from separation.proving import Construction
from separation.tasks import hard_inputs
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

CASES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "C1": ("C1", Sizes(3, (2,)), {}),
    "C2 linear": ("C2", Sizes(4, (3,)), {"word": "RFF"}),
    "C2 delta": ("C2", Sizes(4, (3,)), {"word": "FRF", "family": "delta"}),
    "word": ("RRFRF", Sizes(3, (2,)), {}),
    "C3": ("C3", Sizes(3, (2,)), {}),
    "C4": ("C4", Sizes(2, (2, 2)), {}),
    "C5 RF": ("C5", Sizes(3, (2,)), {"word": "RF"}),
    "C5 FR": ("C5", Sizes(3, (2,)), {"word": "FR", "family": "delta"}),
    "C5 F": ("C5", Sizes(3, (2,)), {"word": "F"}),
    "C6": ("C6", TwoSumSizes(9, 13), {}),
    "C6 of 32": ("C6", TwoSumSizes(32, 1025), {}),
    "C7": ("C7", TwoSumSizes(9, 13), {"block": 3, "opened": 2}),
    "C7 of 32": ("C7", TwoSumSizes(32, 1025), {"block": 4, "opened": 1}),
}

NO_CUDA = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
DEVICES = ["cpu", pytest.param("cuda", marks=[pytest.mark.gpu, NO_CUDA])]


def construction(name: str) -> Construction:
    kind, sizes, options = CASES[name]
    return build(kind, sizes, **options)


def inputs(subject: Construction) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    return hard_inputs(subject.sizes, 1)


def with_heads(subject: Construction, change: Any) -> Construction:
    """The same construction, every full head replaced by ``change(head)``."""
    layers = tuple(
        replace(layer, heads=tuple(change(head) if isinstance(head, Head) else head for head in layer.heads))
        for layer in subject.model.layers
    )
    return replace(subject, model=replace(subject.model, layers=layers))


def warmed(subject: Construction, factor: Fraction) -> Construction:
    """The temperature, and the shift with it, times ``factor``."""
    return with_heads(subject, lambda head: replace(head, w_q=head.w_q.scaled(factor), shift=head.shift * factor))
