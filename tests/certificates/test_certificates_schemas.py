"""JSON Schemas: all that the project writes is valid, broken twins are not, and the kernel is at least as strict."""

from __future__ import annotations

import json
import random
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from certificate_cases import KINDS, certificate, verdict
from corpus_cases import MANIFEST, text
from document_mutations import Document, nodes, put, some_mutants
from jsonschema import Draft202012Validator

import separation
from separation.proving.schemas import NAMES, schema
from separation.verbs.command_line import run

ROOT = Path(__file__).parents[2]


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(schema(name))


def errors(name: str, document: Any) -> list[str]:
    return [error.message for error in validator(name).iter_errors(document)]


@pytest.mark.parametrize("name", NAMES)
def test_each_schema_is_one_stands_alone_and_its_objects_are_closed(name: str) -> None:
    """Every object that has properties of its own says that it has no others, or only narrows one that does."""
    document = schema(name)
    Draft202012Validator.check_schema(document)
    assert document["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    identities = {value for path, value in nodes(document) if path[-1:] == ("$id",)}
    targets = {value.partition("#")[0] for path, value in nodes(document) if path[-1:] == ("$ref",)}
    assert targets - {""} <= identities
    for path, value in nodes(document):
        if isinstance(value, dict) and value.get("type") == "object" and not {"if", "then"} & set(path):
            assert "properties" not in value or value.get("additionalProperties") is False, path


@pytest.mark.parametrize("kind", KINDS)
def test_small_certificates_are_valid(kind: str) -> None:
    for name in KINDS[kind]:
        document = certificate(kind, name)
        assert errors(kind, document) == []
        assert not any(validator(other).is_valid(document) for other in KINDS if other != kind)


WRITTEN: dict[str, Callable[[Path], Any]] = {
    "C1 of many tokens": lambda out: separation.prove("C1", L=3, tokens=1 << 12, out=out),
    "C5 addresses": lambda out: separation.prove("C5", L=2, m=2, n=(2,), word="FR", family="delta", out=out),
    "a modulus beyond 2^53": lambda out: separation.prove("C6", length=4, modulus=2**60 + 1, out=out),
    "bound A of heads": lambda out: separation.bound(L=2, heads=2, dim=4, bits=8, state_bits=3, out=out),
    "bound A of powers": lambda out: separation.bound(L=20, beta=8, state_bits=8, out=out),
    "bound D": lambda out: separation.bound_sparse(modulus=11, block=3, opened=1, blocks=4, summary_bits=4, out=out),
    "decide C3": lambda out: separation.decide("R4", L=2, m=3, n=(2,), beta=1, layer_state_bits=19, out=out),
    "decide A": lambda out: separation.decide("RF", L=3, beta=2, layer_state_bits=4, out=out),
    "fool RF": lambda out: separation.fool(word="RF", L=2, m=2, n=(2,), out=out),
    "fool a linear map": lambda out: separation.fool_sparse(modulus=101, block=6, blocks=3, opened=1, out=out),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_what_the_verbs_write_is_valid(name: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    WRITTEN[name](path)
    document = json.loads(path.read_text())
    assert document["kind"] in KINDS, "a certificate, not a search that found nothing"
    assert errors(document["kind"], document) == []
    assert verdict(document) == "accepted"


def test_a_model_file_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    separation.prove("C5", L=1, m=2, word="RF", write_model=path)
    document = json.loads(path.read_text())
    assert errors("model", document) == []
    assert errors("model", {key: part for key, part in document.items() if key != "invariants"}) == []
    assert errors("model", put(document, ("layers", 0, "heads", 0, "type"), "dense"))


def of_the_corpus(expect: str) -> list[tuple[str, str, Document]]:
    """(kind, file, certificate); those that are long are alike."""
    chosen = [entry for entry in MANIFEST if entry["expect"] == expect and entry["kind"] != "text"]
    return [(entry["kind"], entry["file"], json.loads(text(entry))) for entry in chosen if len(text(entry)) < 9000]


def test_of_the_corpus_all_that_is_good_is_valid_and_most_that_is_malformed_is_not() -> None:
    """Facts between fields are beyond the schema; the kernel asks for them all the same."""
    assert [file for kind, file, document in of_the_corpus("accept") if errors(kind, document)] == []
    malformed = of_the_corpus("malformed")
    stricter = [file for kind, file, document in malformed if not errors(kind, document)]
    assert {kind for kind, *_ in malformed} == set(KINDS)
    assert len(malformed) - len(stricter) >= 75 < len(stricter)


REJECTED_NOT_MALFORMED = {("decision", ("claim", "construction")), ("decision", ("claim", "theorem"))}
"""The kernel derives both from the word, and says of any other value that it is wrong, not that it is none."""


@pytest.mark.parametrize("count", [2, pytest.param(500, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_what_a_schema_refuses_is_malformed_to_the_kernel(kind: str, count: int) -> None:
    refused = 0
    for name in KINDS[kind]:
        document = certificate(kind, name)
        for path, value in some_mutants(document, random.Random(f"schema {name}"), count):
            mutant = put(document, path, value)
            if not validator(kind).is_valid(mutant):
                found, refused = verdict(mutant), refused + 1
                known = (kind, path) in REJECTED_NOT_MALFORMED and found == "rejected"
                assert found == "malformed" or known, (name, path, value)
    assert refused > 0


def test_the_command_prints_a_schema(capsys: pytest.CaptureFixture[str]) -> None:
    for name in NAMES:
        for more in ([], ["--json"]):
            assert run(["check", "--schema", name, *more]) == 0
            assert json.loads(capsys.readouterr().out) == schema(name)


def test_the_schemas_are_shipped() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["separation"]
    folder = ROOT / "separation"
    shipped = {path for pattern in data for path in folder.glob(pattern)}
    assert shipped >= set(folder.rglob("*.schema.json"))
    assert len(list(folder.rglob("*.schema.json"))) == 11
