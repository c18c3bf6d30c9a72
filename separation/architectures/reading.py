"""`read_config`, `read_config_soon`: what a Hugging Face config.json says of a model's layers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from separation.architectures import library
from separation.bounds.configs import ArchitectureReading, read_written_config
from separation.files import InputError, read_json


def read_config(source: str | Path | Mapping[str, Any], *, score_bits: int | None = None) -> ArchitectureReading:
    """The word of layers, what each layer mixes tokens with, the parameters of β, and the state bits of each R.

    ``source`` is a path or a parsed config.json. If transformers are installed, the file goes through its own config
    class, the model is built on torch's meta device, and everything is read off the modules that are there and run;
    otherwise off the file alone, which must have every field that matters. ``sources`` of the answer says which.
    Nothing is downloaded or run. P, the bits of a score, is p unless ``score_bits`` is given. What is no causal
    decoder, and any module or mask that is not known, raises InputError with one line.

    >>> fields = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
    >>> reading = read_config(fields | {"num_key_value_heads": 2, "head_dim": 16, "dtype": "bfloat16"})
    >>> str(reading.word), reading.message.heads, reading.message.dim, reading.message.bits
    ('F2', 4, 16, 16)
    """
    document: object = read_json(source) if isinstance(source, str | Path) else source
    if library.installed():
        from separation.architectures.modules import read_modules

        return read_modules(document, score_bits)
    return read_written_config(document, score_bits)


def read_config_soon(source: str | Path | Mapping[str, Any], *, score_bits: int | None = None) -> ArchitectureReading:
    """The file alone, if it says everything; else `read_config`, for which torch and transformers take seconds to load.

    What is read off the file alone is what the modules say (tests/architectures), or never less than they have.
    """
    document: Any = read_json(source) if isinstance(source, str | Path) else source
    try:
        return read_written_config(document, score_bits)
    except InputError:
        return read_config(document, score_bits=score_bits)
