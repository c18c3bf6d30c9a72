"""What somebody's model is made of: a config.json read into a word of layers, β and the bits of its states.

| file | what it holds |
|---|---|
| `reading` | the ways in: `read_config`, by the modules if transformers are there; `read_config_soon`, by the file |
| `modules`, `mixers` | the layers that run, and what each of their modules takes from token to token |
| `building`, `masks` | the model on the meta device, which layers it runs, and which masks they are given |
| `resolved`, `families` | a file through its config class; the types that are read, and why others are not |
| `caches` | what full layers keep of every token |
| `shipped` | the configurations of `data/`, real models with their sources |
| `library` | torch and transformers, imported when they are needed |
"""

from separation.architectures.reading import read_config, read_config_soon
from separation.bounds.configs import ArchitectureReading, Layer, Mixer

__all__ = ["ArchitectureReading", "Layer", "Mixer", "read_config", "read_config_soon"]
