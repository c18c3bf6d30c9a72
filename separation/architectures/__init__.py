"""What a real model is made of: a config.json read into a word of layers, β and the bits of its states.

| file | what it holds |
|---|---|
| `reading` | the way in, `read_config`: by the file if it says everything, else by the modules; the files of `data/` |
| `architecture` | the result: layers, word, β and states; and the first L beyond a model's depth with certified sizes |
| `file_reader`, `file_states` | a file whose every field is understood, without transformers |
| `fields` | the fields of a config.json, none of them assumed, and those on which no layer depends |
| `module_reader` | the layers that run, and what each of their modules takes from token to token: the truth |
| `building` | the model on the meta device, which layers it runs with which masks; torch and transformers |
| `audit`, `inverse` | what a model can compose; which states and heads would be certified to fail at a length |
| `resolved` | the types that are read, why others are not, and a file through its config class |
"""

from separation.architectures.architecture import ArchitectureReading, ConfigBound, Layer, Mixer, bound_config
from separation.architectures.file_reader import cached_numbers, read_fields
from separation.architectures.module_reader import read_modules
from separation.architectures.reading import (
    ShippedConfig,
    config_document,
    read_config,
    shipped_config,
    shipped_configs,
)

__all__ = [
    "ArchitectureReading",
    "ConfigBound",
    "Layer",
    "Mixer",
    "ShippedConfig",
    "bound_config",
    "cached_numbers",
    "config_document",
    "read_config",
    "read_fields",
    "read_modules",
    "shipped_config",
    "shipped_configs",
]
