"""Every key of every shipped config left out, and null: never less β or Λ than the class has, never an F read as R.

What the class takes for a missing key is what its own config object writes; what that means is said by a real small
model at work (`measured`). A file that the class itself refuses must be refused.
"""

from __future__ import annotations

import contextlib
import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from measured import differences, measure
from tiny_models import TINY

from separation.architectures import ArchitectureReading, read_fields, read_modules
from separation.files import InputError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FOLDER = Path(__file__).parent / "configs"
SHIPPED = sorted(path.stem for path in FOLDER.glob("*.json") if path.stem != "bailing_hybrid")
"""Bailing's class writes another head_dim than it reads: it is measured."""
SAMPLE = ("zamba2", "gemma3", "lfm2")
SMALL = ("zamba2", "lfm2", "nemotron_h", "gemma3_text", "bailing_hybrid")
P = {"float32": 32, "bfloat16": 16}


def damaged(document: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The document, and each of its keys left out and null, those of the text model too; the types stay."""
    yield "whole", document
    for key in [name for name in document if name not in ("model_type", "text_config")]:
        yield f"without {key}", {name: value for name, value in document.items() if name != key}
        yield f"null {key}", document | {key: None}
    if "text_config" in document:
        yield "without text_config", {name: value for name, value in document.items() if name != "text_config"}
        for what, inner in damaged(document["text_config"]):
            yield f"text: {what}", document | {"text_config": inner}


def precision(document: dict[str, Any]) -> int:
    """The bits of the dtype that the file names, torch's default without one."""
    inner = document.get("text_config") or {}
    named = [part[name] for part in (document, inner) for name in ("dtype", "torch_dtype") if part.get(name)]
    return max((P[name] for name in named), default=32)


def resolved(document: dict[str, Any]) -> Any:
    """The text model's config object by its class, or None if the class does not take the file."""
    fields = {name: value for name, value in copy.deepcopy(document).items() if name != "model_type"}
    try:
        config = transformers.CONFIG_MAPPING[document["model_type"]](**fields).get_text_config()
        with torch.device("meta"):
            transformers.MODEL_FOR_CAUSAL_LM_MAPPING[type(config)](config)
    except Exception:
        return None
    return config


def written_out(config: Any, document: dict[str, Any]) -> dict[str, Any]:
    """Every field of a config object, as its class writes it, in the document's dtype."""
    fields = json.loads(json.dumps(config.to_dict(), default=str))
    dtype = next(name for name, bits in P.items() if bits == precision(document))
    return {name: value for name, value in fields.items() if name[0] != "_" and name != "torch_dtype"} | {
        "dtype": dtype
    }


def same(one: ArchitectureReading, other: ArchitectureReading) -> bool:
    return (one.word, one.message, one.states) == (other.word, other.message, other.states)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in SHIPPED]
)
def test_a_key_that_is_missing_or_null_is_read_as_its_class_takes_it(name: str) -> None:
    """The same of the file alone, where it is not refused."""
    document = json.loads((FOLDER / f"{name}.json").read_text())
    compared = 0
    for what, changed in damaged(document):
        config = resolved(changed)
        try:
            reading = read_modules(changed)
        except InputError:
            continue
        assert config is not None, f"{what}: the class refuses it, and {reading.word} was read"
        assert same(reading, read_modules(written_out(config, changed))), what
        with contextlib.suppress(InputError):
            assert same(reading, read_fields(changed)), f"{what}, the file alone"
        compared += 1
    assert compared > len(document) // 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", SMALL)
def test_small_models_that_lose_a_key_do_what_is_read(name: str) -> None:
    """The same on models that are small enough to run, each run."""
    compared = 0
    for what, changed in damaged(TINY[name]):
        try:
            reading = read_modules(changed | {"dtype": "bfloat16"})
        except InputError:
            continue
        try:
            found = measure(changed, "bfloat16")
        except Exception:  # what the class builds it need not be able to run
            continue
        if found is not None:
            assert differences(reading, found, 16) == [], what
            compared += 1
    print(f"{name}: {compared} models ran")
    assert compared > len(TINY[name]) // 2


def test_another_reading_would_be_noticed() -> None:
    """The false neighbours: a smaller state, an F read as R, fewer heads, fewer bits."""
    document = json.loads((FOLDER / "zamba2.json").read_text())
    whole = read_modules(written_out(resolved(document), document))
    assert same(read_modules(document), whole)
    for change in (
        {"mamba_d_state": 63},
        {"layers_block_type": ["mamba"] * 12},
        {"num_attention_heads": 16, "hidden_size": 1280},
        {"torch_dtype": "float8_e5m2"},
    ):
        assert not same(read_modules(document | change), whole)
