"""audit: real models side by side, sentences that say what is certified and nothing else, and pages that are fresh."""

from __future__ import annotations

import fnmatch
import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
from read_pages import ReadPage
from test_cli import run_cli
from test_cli_bounds import answered

import separation
from separation.architectures import ArchitectureReading, read_fields, read_modules
from separation.architectures.audit import LENGTHS, Audit, audit_model
from separation.architectures.file_reader import FAMILIES, cached_numbers
from separation.architectures.kinds import recurrence_kind
from separation.architectures.reading import FOLDER, ShippedConfig, shipped_config, shipped_configs
from separation.bounds import ceil_log2
from separation.bounds.ceilings import ceiling
from separation.bounds.word import Word
from separation.escaping import markdown
from separation.proving.kernel import check_certificate
from separation.verbs.audit import read_shipped
from separation.verbs.audit_page import (
    CERTIFIED,
    LAYERS,
    SHORT,
    besides_table,
    markdown_page,
    models_table,
    short_table,
)
from separation.verbs.audit_words import buys_text, known_text, sentence

pytestmark = pytest.mark.usefixtures("remembered_searches")
ROOT = Path(__file__).parent.parent
SHIPPED = shipped_configs()


def rows(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    return list(answered(capfd, "audit", *arguments)["rows"])  # type: ignore[call-overload]


# --- the shipped configurations ---


def test_hybrids_and_decoders_ship_with_sources() -> None:
    kinds = [config.kind for config in SHIPPED]
    assert kinds.count("hybrid") >= 12
    assert kinds.count("decoder") >= 3
    assert {config.path for config in SHIPPED} == set(FOLDER.glob("*.json")) - {FOLDER / "manifest.json"}
    assert len({config.name for config in SHIPPED}) == len(SHIPPED)


def test_every_field_is_documented_or_explained() -> None:
    """And the file is package data."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["separation"]
    for config in SHIPPED:
        assert config.source
        assert sorted([*config.documented, *config.assumed]) == sorted(config.document())
        assert all(config.assumed.values())
        assert any(fnmatch.fnmatch(str(config.path.relative_to(ROOT / "separation")), pattern) for pattern in data)


def same_reading(one: ArchitectureReading, other: ArchitectureReading) -> bool:
    return (one.word, one.message, one.states) == (other.word, other.message, other.states)


@pytest.mark.filterwarnings("ignore")
def test_the_file_alone_says_what_the_modules_say() -> None:
    pytest.importorskip("transformers")
    documents = {config.name: config.document() for config in SHIPPED}
    written = {name: document for name, document in documents.items() if document["model_type"] in FAMILIES}
    assert written
    wrong = [name for name, each in written.items() if not same_reading(read_fields(each), read_modules(each))]
    assert wrong == []


LEFT_TO_THE_MODEL = {"ling_3_0_flash": {"head_dim"}, "llama_2_7b": {"head_dim"}}


@pytest.mark.filterwarnings("ignore")
def test_what_is_called_a_default_is_one() -> None:
    transformers = pytest.importorskip("transformers")

    def other_than_the_default(config: ShippedConfig, document: dict[str, Any]) -> set[str]:
        config_class = transformers.CONFIG_MAPPING[document["model_type"]]
        assert config.source.split(" ")[2] == config_class.__name__
        defaults = config_class().to_dict()
        found = {name for name in config.documented if defaults.get(name) != document[name]}
        return found - LEFT_TO_THE_MODEL.get(config.path.stem, set())

    for config in SHIPPED:
        if config.source.startswith("defaults of"):
            assert other_than_the_default(config, config.document()) == set(), config.name
    jamba = shipped_config("jamba_v0_1")
    assert other_than_the_default(jamba, jamba.document() | {"mamba_d_state": 17}) == {"mamba_d_state"}, "the twin"


CACHES = {"jamba_v0_1": 4 * 2 * 8 * 128 * 2, "falcon_h1_1_5b": 24 * 2 * 2 * 128 * 2, "recurrentgemma_2b": 0,
          "gpt_oss_20b": 12 * 2 * 8 * 64 * 2, "gpt2": 12 * 2 * 12 * 64 * 4}  # fmt: skip
"""Bytes a token; words and depths of all models are on the page."""


def test_caches() -> None:
    for name, cache in CACHES.items():
        config = shipped_config(name)
        reading = read_shipped(config)
        numbers = cached_numbers(config.document(), reading)
        assert numbers is not None
        assert numbers * reading.message.bits // 8 == cache


# --- what is said of one model ---


def small(letters: str, *, heads: int = 1, dim: int = 4, bits: int = 8, state: int = 8) -> ArchitectureReading:
    """A model with these letters and small numbers."""
    from separation.architectures import Layer, Mixer
    from separation.bounds import Message

    full = Mixer("full", "test", heads, dim)
    recurrent = Mixer("convolution", "test", heads, dim, buffer=state)
    layers = tuple(Layer(((full if letter == "F" else recurrent,),)) for letter in letters)
    return ArchitectureReading("test", layers, Message(heads, dim, bits, bits), {"bits": "test"})


def unsearched(letters: str, context: int | None = None, state: int = 8) -> Audit:
    """What is known of such a model before anything is searched for."""
    return Audit(letters, "test", small(letters, state=state), context, None, (), ())


def kernel_accepts(letters: str, sizes: dict[str, Any], theorem: str, smaller: int = 0) -> bool:
    """What is said of a `small` model, judged by the kernel; β and Λ are counted here, by hand."""
    m, n, k = sizes["m"] - smaller, sizes["n"], ceil_log2(sizes["tokens"])
    tokens = 2 + sum(m * math.prod(n[:level]) for level in range(len(n) + 1))
    ends = [place for place, letter in enumerate(letters) if letter == "F"]
    claim = {
        "theorem": theorem,
        "task": {"task": "funccomp", "m": m, "n": n},
        "tokens": tokens,
        "beta": 4 * (8 + 8 + k + 1) + 8 + k if ends else None,
        "lambda": [64 * letters[:end].count("R") for end in (*ends, len(letters))],
        "message": None,
    }
    assert smaller or (tokens, claim["beta"], claim["lambda"]) == (sizes["tokens"], sizes["beta"], sizes["lambda"])
    document = {"schema": "separation.certificate/1", "kind": "bound", "tool": "test", "claim": claim}
    choice = sizes["parameters"] or None
    return check_certificate(
        document | {"claim": claim | ({"tables": len(n) + 1} if ends else {}), "choice": choice}
    ).ok


@pytest.mark.parametrize("letters", ["RF", "F", "RR", "FF", "RFF", "FFR"])
def test_the_shortest_prompt_is_accepted_by_the_kernel_and_ceilings_are_certified(letters: str) -> None:
    reading = small(letters)
    word, linear = reading.word, reading.state_bits
    found = audit_model(reading, letters).beyond
    assert found.shortest is not None
    assert kernel_accepts(letters, found.shortest.hard_sizes(), found.shortest.theorem)
    assert not kernel_accepts(letters, found.shortest.hard_sizes(), found.shortest.theorem, smaller=1)
    some = [(length, each) for length, each in zip(LENGTHS, found.ceilings, strict=True) if each is not None]
    assert some or (found.shortest.tokens() or 0) > LENGTHS[0]
    for length, each in some:
        assert each.tokens() <= length
        assert each.message_bits == (reading.message.beta(ceil_log2(each.tokens())) if word.full else 0)
        assert each.ceiling.value == ceiling(word, each.m, each.n, each.message_bits, linear).value < 1
    values = [each.ceiling.value for _, each in some]
    assert values == sorted(values, reverse=True), "longer prompts have more sizes to choose from"


def test_a_model_is_cut_behind_a_full_layer() -> None:
    zamba = shipped_config("zamba2_2_7b")  # its hybrid layers are F, then R: cut inside
    reading = read_shipped(zamba)
    cut = reading.first_full_layers(2)
    assert cut is not None
    assert str(cut.word) == "R6FR6F"
    assert cut.state_bits == (*reading.state_bits[:2], reading.state_bits[1])
    assert reading.first_full_layers(10) is None
    falcon = read_shipped(shipped_config("falcon_h1_1_5b")).first_full_layers(1)
    assert falcon is not None
    assert str(falcon.word) == "[FR]"


def hops(letters: str) -> int:
    return Word.parse(letters).depth


@pytest.mark.parametrize(
    ("letters", "more", "front", "move"),
    [("FFR", 1, 1, True), ("RFF", 1, 0, False), ("FF", 1, 1, False), ("RR", 1, 0, False), ("F", 1, 1, False)],
)
def test_what_one_layer_buys(letters: str, more: int, front: int, move: bool) -> None:
    found = unsearched(letters)
    assert (found.one_more_full, found.r_in_front, found.can_move_r) == (more, front, move)
    assert hops(letters + "F") - hops(letters) == more
    moved = "R" + letters.replace("R", "", 1)
    if move:
        assert hops(moved) - hops(letters) == front
        assert "moved before the second full layer adds 1 hop" in buys_text(found)[1]


# --- the command line ---


def test_rows_are_sorted(capfd: pytest.CaptureFixture[str]) -> None:
    names = ("falcon_h1_1_5b", "gpt2", "recurrentgemma_2b")
    found = rows(capfd, *names)
    assert [row["name"] for row in found] == ["Falcon-H1-1.5B", "GPT-2", "RecurrentGemma-2B"]
    by_kv = sorted(found, key=lambda row: row["kv_bytes_per_token"])
    assert by_kv != found
    assert rows(capfd, *names, "--sort", "kv") == by_kv


def test_without_transformers_a_file_written_out_in_full_is_read(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("separation.architectures.reading.is_installed", lambda *_names: False)
    folder = tmp_path / "MyModel"
    folder.mkdir()
    path = folder / "config.json"
    path.write_text(json.dumps(shipped_config("jamba_v0_1").document()))
    (row,) = rows(capfd, str(path))
    assert (row["name"], row["depth"], row["sources"]["word"]) == ("MyModel", 4, "the file alone")
    path.write_text(json.dumps({"model_type": "deepseek_v3", "num_hidden_layers": 2}))
    code, _, err = run_cli(capfd, "audit", str(path))
    assert code == 2
    assert "deepseek_v3" in err


# --- pages and figures ---


def test_the_page_is_one_file_without_network_and_escapes_names(tmp_path: Path) -> None:
    folder = tmp_path / "<b onload=x>&$x^2$|[a](b)"
    folder.mkdir()
    (folder / "config.json").write_text(
        json.dumps(shipped_config("gpt2").document() | {"dtype": "float16", "n_layer": 2})
    )
    report = tmp_path / "audit.html"
    figure = tmp_path / "audit.png"
    found = separation.audit([folder / "config.json", "recurrentgemma_2b"], report=report, figure=figure)
    assert figure.read_bytes().startswith(b"\x89PNG")
    page = report.read_text()
    parsed = ReadPage(page)
    assert parsed.stands_alone()
    assert "svg" in parsed.tags
    assert "b" not in parsed.tags
    assert "url(http" not in page
    assert "&lt;b onload=x&gt;" in page
    markdown = markdown_page(found.audits)
    assert "<b" not in markdown.replace(r"\<b", "")
    assert r"\|\[a\]" in markdown


def without_searches(config: ShippedConfig) -> Audit:
    reading = read_shipped(config)
    cached = cached_numbers(config.document(), reading)
    kind = recurrence_kind(config.document(), reading)
    return Audit(config.name, config.source, reading, config.context, cached, (), (), kind=kind)


@pytest.mark.filterwarnings("ignore")
def test_docs_hybrids_is_fresh() -> None:
    """All that costs no search, and the searches of three models: separation audit --all --out docs/hybrids.md."""
    pytest.importorskip("transformers")
    page = (ROOT / "docs" / "hybrids.md").read_text().splitlines()
    audits = [without_searches(config) for config in SHIPPED]
    expected = models_table(LAYERS, audits).splitlines()
    expected += besides_table(audits).splitlines()
    searched = separation.audit(["lfm2_1_2b", "gpt2", "recurrentgemma_2b"]).audits
    expected += (
        short_table(searched).splitlines()
        + models_table(CERTIFIED, searched).splitlines()
        + [f"- {markdown(f'{sentence(each)} {known_text(each)}')}" for each in searched]
    )
    expected += [f"- {markdown(config.name)}: {markdown(config.source)}" for config in SHIPPED]
    assert [line for line in expected if line not in page] == []
    certified = page[page.index(models_table(CERTIFIED, []).splitlines()[0]) + 2 :][: len(SHIPPED)]
    cells = [line.split(" | ")[column] for line in certified for column in (2, 4, 5)]  # the first full layers
    prompts = [int(cell.removesuffix(" tokens").replace(",", "")) for cell in cells if cell.endswith(" tokens")]
    short = sum(tokens <= SHORT for tokens in prompts)
    assert short > 0
    assert sum(line.startswith("| ") for line in page) == 3 * (len(SHIPPED) + 2) + short + 2


@pytest.mark.parametrize(
    ("name", "holds"), [("lfm2_1_2b", False), ("recurrentgemma_2b", False), ("olmo_hybrid_7b", True)]
)
def test_no_window_and_no_convolution_is_said_to_hold_a_table(
    name: str, holds: bool, capfd: pytest.CaptureFixture[str]
) -> None:
    """C3 writes to a state; what keeps the last tokens holds no table of more entries, however many bits it has."""
    out = run_cli(capfd, "audit", name)[1]
    assert ("every state here holds" in out) == holds
    assert ("every state here would hold" in out) != holds
