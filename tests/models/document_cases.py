"""Documents that the tests of model files share."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from random_models import document_of, unfitted_model

from separation.files import write_whole
from separation.models import Declared, Stored, model_from_document, read_model_file


@cache
def sample_text(kind: str) -> str:
    for seed in range(500):
        model, _ = unfitted_model(seed, kinds=(kind,))
        if (
            model.layers[0].heads
            and isinstance(model.positions, Declared)
            and isinstance(model.tokens, Stored)
            and model.layers[0].mlps
            and model.layers[0].mlps[0].w_1.shape[0]
            and all(part.mirror is None for part in model.positions.segments)
        ):
            return json.dumps(document_of(model))
    raise AssertionError


def sample(kind: str = "full") -> dict[str, Any]:
    """A document with a head and an MLP in its first layer, declared positions and stored tokens."""
    result: dict[str, Any] = json.loads(sample_text(kind))
    return result


def read_back(path: Path, data: str | bytes) -> Any:
    write_whole(path, data)
    return model_from_document(read_model_file(path))
