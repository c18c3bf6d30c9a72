"""`read_config`: what a Hugging Face config.json says of a model's layers, from the file or from its class.

`data/` has the configurations that ship with the package: real hybrids and plain decoders. Its `manifest.json` says for
every file where its numbers were documented, which fields are documented there, and why the others have the values they
have. A file has every field that matters, so that it needs no transformers where `file_reader` knows its family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from separation.architectures.architecture import ArchitectureReading
from separation.architectures.building import LIBRARIES
from separation.architectures.file_reader import read_fields
from separation.architectures.module_reader import read_modules
from separation.bounds.word import Word
from separation.escaping import terminal
from separation.files import InputError, read_json
from separation.packages import is_installed
from separation.tasks.checks import shown

FOLDER = Path(__file__).parent / "data"


def read_config(source: str | Path | Mapping[str, Any], *, score_bits: int | None = None) -> ArchitectureReading:
    """The word of layers, what each layer mixes tokens with, the parameters of β, and the state bits of each R.

    ``source`` is a path, the name of a shipped config, or a parsed config.json. A file in which every field is
    understood is read alone (`file_reader`); any other goes through its own config class if transformers are installed,
    the model is built on torch's meta device, and everything is read off the modules that are there and run
    (`module_reader`). Both say the same (tests/architectures); ``sources`` of the answer says which it was. Nothing is
    downloaded or run. P, the bits of a score, is p unless ``score_bits`` is given. What is no causal decoder, and any
    module or mask that is not
    known, raises InputError with one line.

    >>> fields = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
    >>> reading = read_config(fields | {"num_key_value_heads": 2, "head_dim": 16, "dtype": "bfloat16"})
    >>> str(reading.word), reading.message.heads, reading.message.dim, reading.message.bits
    ('F2', 4, 16, 16)
    """
    document: object = config_document(source) if isinstance(source, str | Path) else source
    try:
        return read_fields(document, score_bits)
    except InputError:
        if not is_installed(*LIBRARIES):
            raise
    return read_modules(document, score_bits)


def config_document(source: str | Path) -> dict[str, Any]:
    """A parsed config.json: of a file, or of a shipped config by its name."""
    return named_config(source).document()


def word_or_config(text: str, word: str | None = None) -> Word | dict[str, Any]:
    """A word of layers, in capital letters or not (``word``, if it is a part of the text); or else the parsed
    config.json that the text names."""
    try:
        return Word.parse((text if word is None else word).upper())
    except InputError as not_a_word:
        try:
            return config_document(text)
        except InputError as error:
            raise InputError(f"{not_a_word}; {error}") from None


@dataclass(frozen=True)
class ShippedConfig:
    """One config.json of a real model, or a user's, of which nothing more is known.

    ``context``: the tokens that its makers allow, or None; ``kind`` is "hybrid" or "decoder". ``documented`` are the
    fields that the ``source`` states; ``assumed`` says for each of the others why it has its value. ``note``: where the
    defaults of the class, or anything else, differ from the model.
    """

    path: Path
    name: str
    source: str
    context: int | None
    kind: str = ""
    note: str = ""
    documented: Sequence[str] = ()
    assumed: Mapping[str, str] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The parsed config.json."""
        return read_json(self.path)  # type: ignore[no-any-return]


def named_config(source: str | Path) -> ShippedConfig:
    """A shipped config by its name; or a file, called after its folder if its own name is config.json."""
    path = Path(source)
    if not path.exists() and path.suffix == "":
        return shipped_config(str(source))
    document: object = read_json(path)
    context = document.get("max_position_embeddings") if isinstance(document, dict) else None
    name = path.resolve().parent.name if path.name == "config.json" else path.stem
    return ShippedConfig(path, terminal(name), str(path), context if type(context) is int and context > 0 else None)


def shipped_configs(folder: Path = FOLDER) -> tuple[ShippedConfig, ...]:
    """All of them, in the order of the manifest."""
    entries = read_json(folder / "manifest.json")["models"]
    return tuple(ShippedConfig(folder / entry.pop("file"), **entry) for entry in entries)


def shipped_config(name: str) -> ShippedConfig:
    """The one with this name (Jamba-v0.1) or file stem (jamba_v0_1)."""
    found = [config for config in shipped_configs() if name in (config.name, config.path.stem)]
    if not found:
        known = ", ".join(config.path.stem for config in shipped_configs())
        raise InputError(f"{shown(name)} is no file, and no shipped config is called so; there are {known}")
    return found[0]
