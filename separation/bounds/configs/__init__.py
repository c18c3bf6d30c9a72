"""A model's layers as its config.json says: the word, β and the state bits of each layer; and the bound for them.

| file | what it holds |
|---|---|
| `architecture` | a model as its layers were read |
| `fields` | the fields of a config.json, none of them assumed |
| `written`, `written_states` | a config.json in which every field that matters is written out |
| `config_bound` | the first L beyond a model's depth, with certified sizes |
"""

from separation.bounds.configs.architecture import STATE_BITS, ArchitectureReading, Layer, Mixer
from separation.bounds.configs.config_bound import ConfigBound, bound_config
from separation.bounds.configs.fields import (
    DTYPE_BITS,
    MAX_LAYERS,
    MAX_VALUE,
    config_object,
    precision,
    require_causal,
    text_part,
)
from separation.bounds.configs.written import read_written_config

__all__ = [
    "DTYPE_BITS",
    "MAX_LAYERS",
    "MAX_VALUE",
    "STATE_BITS",
    "ArchitectureReading",
    "ConfigBound",
    "Layer",
    "Mixer",
    "bound_config",
    "config_object",
    "precision",
    "read_written_config",
    "require_causal",
    "text_part",
]
