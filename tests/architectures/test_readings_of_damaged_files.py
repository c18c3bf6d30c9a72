"""Every key of every shipped config left out, and null: never less β or Λ than the class has, never an F read as R.

What the class has is said by a real small model at work (`measured`), and at the sizes of the shipped files by the
class's own config object (`said`). A file that the class itself refuses must be refused.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from measured import differences, measure
from said import Said, said
from tiny_models import TINY

from separation.architectures import ArchitectureReading, read_fields, read_modules
from separation.files import InputError

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

FOLDER = Path(__file__).parent / "configs"
SHIPPED = sorted(path.stem for path in FOLDER.glob("*.json"))
SAMPLE = ("zamba2", "gemma3", "lfm2")
SMALL = ("zamba2", "lfm2", "nemotron_h", "gemma3_text")
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


def undercounts(reading: ArchitectureReading, truth: Said, p: int) -> list[str]:
    """Where a reading says less than the truth, or R where there is F."""
    wrong = []
    if reading.message.bits < p:
        wrong.append(f"p = {reading.message.bits} read for {p}")
    letters = [letter for layer in reading.layers for letter in layer.letters]
    kinds = [kind for entry in truth.letters for kind in {"H": "FR"}.get(entry, entry)]
    if "FR" in letters:  # side by side
        kinds = list(truth.letters)
        letters = ["H" if letter == "FR" else letter for letter in letters]
    if kinds != ["W" if letter.startswith("W") else letter for letter in letters]:  # with its length behind it
        return [*wrong, f"{''.join(letters)} read for {truth.letters}"]
    heads, dim = truth.heads
    if set(kinds) & {"F", "W", "H"}:
        of = reading.message
        if of.heads * of.dim < heads * dim or of.heads < heads:
            wrong.append(f"{of.heads} heads of {of.dim} read for {truth.heads}")
    exact = [truth.bits["R" if kind == "H" else kind] for kind in kinds if kind in "RWH"]
    wrong += [f"{got} bits read for {bits}" for got, bits in zip(reading.states, exact, strict=True) if got < bits]
    return wrong


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.slow) for name in SHIPPED]
)
def test_no_key_that_is_missing_or_null_makes_a_model_smaller(name: str) -> None:
    document = json.loads((FOLDER / f"{name}.json").read_text())
    compared = refused = alone = 0
    for what, changed in damaged(document):
        config = resolved(changed)
        try:
            reading = read_modules(changed)
        except InputError:
            refused += 1
            continue
        assert config is not None, f"{what}: the class refuses it, and {reading.word} was read"
        p = precision(changed)
        assert undercounts(reading, said(config, p), p) == [], what
        compared += 1
        alone += _alone_is_no_less(changed, said(config, p), p, what)
    print(f"{name}: {compared} compared, {refused} refused, {alone} of them read from the file alone")
    assert compared > len(document) // 2


def _alone_is_no_less(document: dict[str, Any], truth: Said, p: int, what: str) -> bool:
    """The same of the file alone, without transformers; False if it is refused."""
    try:
        reading = read_fields(document)
    except InputError:
        return False
    assert undercounts(reading, truth, p) == [], f"{what}, the file alone"
    return True


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


def test_an_undercount_would_be_noticed() -> None:
    """The false neighbours: a smaller state, an F read as R, fewer heads, fewer bits."""
    document = json.loads((FOLDER / "zamba2.json").read_text())
    config = resolved(document)
    truth = said(config, 16)
    assert undercounts(read_modules(document), truth, 16) == []
    for change in (
        {"mamba_d_state": 63},
        {"layers_block_type": ["mamba"] * 12},
        {"num_attention_heads": 16, "hidden_size": 1280},
        {"torch_dtype": "float8_e5m2"},
    ):
        assert undercounts(read_modules(document | change), truth, 16)
