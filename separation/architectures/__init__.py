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

from separation.architectures.architecture import ArchitectureReading as ArchitectureReading
from separation.architectures.architecture import ConfigBound as ConfigBound
from separation.architectures.architecture import Layer as Layer
from separation.architectures.architecture import Mixer as Mixer
from separation.architectures.architecture import bound_config as bound_config
from separation.architectures.file_reader import cached_numbers as cached_numbers
from separation.architectures.file_reader import read_fields as read_fields
from separation.architectures.module_reader import read_modules as read_modules
from separation.architectures.reading import ShippedConfig as ShippedConfig
from separation.architectures.reading import config_document as config_document
from separation.architectures.reading import named_config as named_config
from separation.architectures.reading import read_config as read_config
from separation.architectures.reading import shipped_config as shipped_config
from separation.architectures.reading import shipped_configs as shipped_configs
from separation.architectures.reading import word_or_config as word_or_config
