"""audit: real models side by side, sentences that say what is certified and nothing else, and pages that are fresh."""

from __future__ import annotations

import dataclasses
import fnmatch
import json
import math
import tomllib
from collections.abc import Callable
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from test_cli import run_cli

import separation
from separation.architectures import ArchitectureReading, building, read_fields, read_modules
from separation.architectures.file_reader import FAMILIES, cached_numbers
from separation.architectures.reading import FOLDER, ShippedConfig, shipped_config, shipped_configs
from separation.bounds import Budget, ceil_log2, shortest_prompt
from separation.bounds.ceilings import ceiling
from separation.bounds.word import Word
from separation.escaping import markdown
from separation.files import InputError
from separation.verbs.audit import read_shipped
from separation.verbs.audit_facts import LENGTHS, Audit, audit_model, largest_table
from separation.verbs.audit_page import certified_table, html_page, layers_table, markdown_page
from separation.verbs.audit_words import buys_text, known_text, needs_text, prompt_text, sentence

ROOT = Path(__file__).parent.parent
SHIPPED = shipped_configs()
WRITTEN = [config for config in SHIPPED if config.document()["model_type"] in FAMILIES]


def named(config: ShippedConfig) -> str:
    return config.path.stem


def rows(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    code, out, _ = run_cli(capfd, "audit", *arguments, "--json")
    assert code == 0
    return list(json.loads(out)["rows"])


# --- the shipped configurations ---


def test_hybrids_and_decoders_ship_with_sources() -> None:
    kinds = [config.kind for config in SHIPPED]
    assert kinds.count("hybrid") >= 12
    assert kinds.count("decoder") >= 3
    assert {config.path for config in SHIPPED} == set(FOLDER.glob("*.json")) - {FOLDER / "manifest.json"}
    assert len({config.name for config in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize("config", SHIPPED, ids=named)
def test_every_field_is_documented_or_explained(config: ShippedConfig) -> None:
    assert config.source
    assert sorted([*config.documented, *config.assumed]) == sorted(config.document())
    assert all(config.assumed.values())


def test_they_are_package_data() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"]["separation"]
    for path in FOLDER.glob("*.json"):
        assert any(fnmatch.fnmatch(str(path.relative_to(ROOT / "separation")), pattern) for pattern in data)


def same_reading(one: ArchitectureReading, other: ArchitectureReading) -> bool:
    return (one.word, one.message, one.states) == (other.word, other.message, other.states)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("config", WRITTEN, ids=named)
def test_the_file_alone_says_what_the_modules_say(config: ShippedConfig) -> None:
    pytest.importorskip("transformers")
    document = config.document()
    assert same_reading(read_fields(document), read_modules(document))


def test_another_number_is_another_reading() -> None:
    document = shipped_config("jamba_v0_1").document()
    original = read_fields(document)
    for field, value in (
        ("mamba_d_state", 17),
        ("attn_layer_offset", 3),
        ("num_attention_heads", 16),
        ("dtype", "float32"),
    ):
        assert not same_reading(original, read_fields(document | {field: value}))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("config", [each for each in SHIPPED if each.source.startswith("defaults of")], ids=named)
def test_what_is_called_a_default_is_one(config: ShippedConfig) -> None:
    transformers = pytest.importorskip("transformers")
    document = config.document()
    config_class = transformers.CONFIG_MAPPING[document["model_type"]]
    assert config.source.split(" ")[2] == config_class.__name__
    defaults = config_class().to_dict()
    wrong = {name: defaults.get(name) for name in config.documented if defaults.get(name) != document[name]}
    assert set(wrong) <= LEFT_TO_THE_MODEL.get(named(config), set()), wrong


LEFT_TO_THE_MODEL = {"ling_3_0_flash": {"head_dim"}, "llama_2_7b": {"head_dim"}}


def test_a_wrong_default_would_be_noticed() -> None:
    transformers = pytest.importorskip("transformers")
    defaults = transformers.CONFIG_MAPPING["jamba"]().to_dict()
    document = shipped_config("jamba_v0_1").document() | {"mamba_d_state": 17}
    assert [name for name in shipped_config("jamba_v0_1").documented if defaults.get(name) != document[name]] == [
        "mamba_d_state"
    ]


EXPECTED = {
    "jamba_v0_1": ("R4FR7FR7FR7FR3", 4, 4 * 2 * 8 * 128 * 2),
    "qwen3_next_80b_a3b": ("R3F" * 12, 12, 12 * 2 * 2 * 256 * 2),
    "falcon_h1_1_5b": ("[FR]24", 23, 24 * 2 * 2 * 128 * 2),
    "recurrentgemma_2b": ("R26", 0, 0),
    "lfm2_1_2b": ("R2F" * 3 + "RF" * 3 + "R", 6, 6 * 2 * 8 * 64 * 2),
    "nemotron_3_nano_30b_a3b": ("R3F" * 5 + "R4FR4", 6, 6 * 2 * 2 * 128 * 2),
    "gpt_oss_20b": ("RF" * 12, 12, 12 * 2 * 8 * 64 * 2),
    "gpt2": ("F12", 11, 12 * 2 * 12 * 64 * 4),
    "qwen3_8b": ("F36", 35, 36 * 2 * 8 * 128 * 2),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_words_depths_and_caches(name: str) -> None:
    config = shipped_config(name)
    reading = read_shipped(config)
    word, depth, cache = EXPECTED[name]
    assert (str(reading.word), reading.word.depth) == (word, depth)
    numbers = cached_numbers(config.document(), reading)
    assert numbers is not None
    assert numbers * reading.message.bits // 8 == cache


def test_keys_and_values_that_are_compressed_together() -> None:
    reading = read_shipped(shipped_config("llama_2_7b"))
    assert cached_numbers({"kv_lora_rank": 512, "qk_rope_head_dim": 64}, reading) == 32 * 576
    assert cached_numbers({"num_attention_heads": 32}, reading) is None


# --- what is said of one model ---


def small(letters: str, *, heads: int = 1, dim: int = 4, bits: int = 8, state: int = 8) -> ArchitectureReading:
    """A model with these letters and small numbers."""
    from separation.architectures import Layer, Mixer
    from separation.bounds import Message

    full = Mixer("full", "test", heads, dim)
    recurrent = Mixer("window", "test", heads, dim, numbers=state)
    layers = tuple(Layer(((full if letter == "F" else recurrent,),)) for letter in letters)
    return ArchitectureReading("test", layers, Message(heads, dim, bits, bits), {"bits": "test"})


def test_the_sentence_of_the_models_that_are_far_from_any_bound() -> None:
    config = shipped_config("qwen3_next_80b_a3b")
    found = separation.audit(["qwen3_next_80b_a3b"]).audits[0]
    assert sentence(found) == (
        "Qwen3-Next-80B-A3B: 48 layers, 12 of them full. At every size some weights of this word follow 12 hops in one"
        " pass; no weights follow 13 at all sizes. The shortest prompt at which that is certified is far beyond any"
        " prompt (Theorem A); at 262,144 tokens nothing is certified at 13 hops."
    )
    assert config.context == 262_144
    assert prompt_text(found.beyond.shortest) == "far beyond any prompt (2^9.7e6 tokens)"
    assert [level.construction for level in found.levels] == ["C1", "C2", None]
    assert [(level.first, level.last) for level in found.levels] == [(1, 11), (12, 12), (13, 13)]


def test_the_sentence_where_something_is_certified() -> None:
    found = audit_model(small("RF"), "Tiny", context=4096)
    shortest = found.beyond.shortest
    assert shortest is not None
    assert shortest.tokens is not None
    assert shortest.tokens < 4096
    assert sentence(found).endswith(f"is certified has {shortest.tokens:,} tokens (Theorem A2).")
    assert "nothing" not in sentence(found)
    assert sentence(audit_model(small("RR"), "None", context=64)).startswith(
        "None: 2 layers, none of them full. No full"
    )


def test_the_first_full_layer_of_lfm2_is_bounded_at_real_lengths() -> None:
    """Theorem A2 by its own two inequalities, in floats: nothing of the search is used."""
    found = separation.audit(["lfm2_1_2b"]).audits[0]
    cut = found.cut[0]
    shortest = cut.level.shortest
    assert (str(cut.word), cut.level.first) == ("R2F", 2)
    assert shortest is not None
    (n1,), m = shortest.sizes["n"], shortest.sizes["m"]
    early = 2 * 2 * 2048 * 16
    beta = 32 * (64 * (16 + 16 + 17 + 1) + 16 + 17)
    assert (shortest.sizes["beta"], shortest.tokens, ceil_log2(m * (n1 + 1) + 2)) == (beta, m * (n1 + 1) + 2, 17)

    def certified(m: int, theta: int) -> bool:
        first = m * math.log2(theta - 1) + early < m * math.log2(m) if theta > 1 else early < m * math.log2(m)
        return first and early + beta * n1 < n1 * theta * math.log2(m * n1)

    assert any(certified(m, theta) for theta in range(1, m))
    assert not any(certified(m * 99 // 100, theta) for theta in range(1, m))
    at_a_million = cut.level.ceilings[-1]
    assert at_a_million is not None
    assert at_a_million.tokens <= LENGTHS[-1]
    assert at_a_million.found.value < Fraction(1, 5)
    assert all(inequality.holds for inequality in at_a_million.found.inequalities())
    assert cut.level.ceilings[:2] == (None, None)  # 4k and 32k are shorter than the shortest certified prompt


def test_one_full_layer_alone_cannot_answer_at_real_lengths() -> None:
    """Theorem B at L = 1, in floats: β < m·log2 m, and m − 1 is not enough."""
    found = separation.audit(["gpt2"]).audits[0]
    shortest = found.cut[0].level.shortest
    assert shortest is not None
    m = shortest.sizes["m"]
    beta = 12 * (64 * (32 + 32 + 13 + 1) + 32 + 13)
    assert beta < m * math.log2(m)
    assert beta >= (m - 1) * math.log2(m - 1)
    assert [found is None for found in found.cut[0].level.ceilings] == [True, False, False, False]


@pytest.mark.parametrize("letters", ["RF", "F", "RR", "FF", "RFF", "FFR"])
def test_ceilings_are_certified_at_their_own_sizes(letters: str) -> None:
    reading = small(letters)
    word, linear = reading.word, reading.linear
    found = audit_model(reading, letters).beyond
    assert found.shortest is not None
    prompt = shortest_prompt(word, word.depth + 1, Budget(message=reading.message, by_block=linear))
    tokens = prompt.tokens()
    assert tokens is not None
    assert found.shortest.tokens == tokens
    assert prompt.certified
    some = [(length, each) for length, each in zip(LENGTHS, found.ceilings, strict=True) if each is not None]
    assert some or tokens > LENGTHS[0]
    for length, each in some:
        assert each.tokens <= length
        assert each.beta == (reading.message.beta(ceil_log2(each.tokens)) if word.full else 0)
        assert each.found.value == ceiling(word, each.m, each.n, each.beta, linear).value < 1
    values = [each.found.value for _, each in some]
    assert values == sorted(values, reverse=True), "longer prompts have more sizes to choose from"


def test_rows_up_to_l() -> None:
    found = audit_model(small("RF"), "Tiny", L=3)
    assert [(level.first, level.construction) for level in found.levels] == [(1, "C2"), (2, None), (3, None)]
    three = found.levels[-1].ceilings[-1]
    assert three is not None
    assert len(three.n) == 2
    with pytest.raises(InputError, match="at most 8 beyond the depth"):
        audit_model(small("RF"), "Tiny", L=10)


def test_a_model_is_cut_behind_a_full_layer() -> None:
    zamba = shipped_config("zamba2_2_7b")  # its hybrid layers are F, then R: cut inside
    reading = read_shipped(zamba)
    cut = reading.first_full_layers(2)
    assert cut is not None
    assert str(cut.word) == "R6FR6F"
    assert cut.linear == (*reading.linear[:2], reading.linear[1])
    assert reading.first_full_layers(10) is None
    falcon = read_shipped(shipped_config("falcon_h1_1_5b")).first_full_layers(1)
    assert falcon is not None
    assert str(falcon.word) == "[FR]"


def test_blocks_carry_what_the_states_have() -> None:
    found = audit_model(small("RRFFRF", state=100), "Tiny")
    assert [(block.index, block.layers, block.bits) for block in found.blocks] == [(0, 2, 1600), (2, 1, 800)]
    for bits in range(0, 3000, 7):
        table = largest_table(bits)
        assert table == 1 or table * ceil_log2(table) <= bits
        assert (table + 1) * ceil_log2(table + 1) > bits
    assert "carry" in needs_text(found)[0]
    assert "do not carry" in needs_text(audit_model(small("RFF", state=1), "Small", context=4096))[0]
    assert "no R layer" in needs_text(audit_model(small("FF"), "Full"))[0]


def hops(letters: str) -> int:
    return Word.parse(letters).depth


@pytest.mark.parametrize(
    ("letters", "more", "front", "move"),
    [("FFR", 1, 1, True), ("RFF", 1, 0, False), ("FF", 1, 1, False), ("RR", 1, 0, False), ("F", 1, 1, False)],
)
def test_what_one_layer_buys(letters: str, more: int, front: int, move: bool) -> None:
    found = audit_model(small(letters), letters)
    assert (found.one_more_full, found.r_in_front, found.can_move_r) == (more, front, move)
    assert hops(letters + "F") - hops(letters) == more
    moved = "R" + letters.replace("R", "", 1)
    if move:
        assert hops(moved) - hops(letters) == front
        assert "moved before the second full layer adds 1 hop" in buys_text(found)[1]


# --- the command line ---


def test_keys_and_sorting(capfd: pytest.CaptureFixture[str]) -> None:
    names = ("falcon_h1_1_5b", "gpt2", "recurrentgemma_2b")
    found = rows(capfd, *names)
    assert [row["name"] for row in found] == ["Falcon-H1-1.5B", "GPT-2", "RecurrentGemma-2B"]
    keys = {
        "name",
        "word",
        "depth",
        "state_bits",
        "kv_bytes_per_token",
        "levels",
        "blocks",
        "first_full_layers",
        "buys",
    }
    assert all(row.keys() >= keys for row in found)
    expected: dict[str, tuple[Callable[[dict[str, Any]], Any], bool]] = {
        "depth": (lambda row: row["depth"], True),
        "state": (lambda row: row["state_bits"], False),
        "kv": (lambda row: row["kv_bytes_per_token"], False),
        "name": (lambda row: row["name"].lower(), False),
    }
    for sort, (key, reverse) in expected.items():
        assert rows(capfd, *names, "--sort", sort) == sorted(found, key=key, reverse=reverse)
    assert len({tuple(row["name"] for row in sorted(found, key=key)) for key, _ in expected.values()}) > 1


def test_one_model_in_words(capfd: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run_cli(capfd, "audit", "lfm2_1_2b")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("LFM2-1.2B: 16 layers, 6 of them full. At every size")
    assert "far beyond any prompt (2^" in lines[-1], "numbers that mean nothing come last"
    for text in ("C5", "125,382 tokens", "C2 hands one index", "C3 stores a whole table", "One more full layer"):
        assert text in out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ((), "give a config.json, the name of a shipped one, or --all"),
        (("jamba_v0_1", "--sort", "size"), "--sort is 'size'; accepted are depth, state, kv, name"),
        (("jamba_v0_1", "--all"), "leave out the files, or leave out --all"),
        (("nowhere",), "'nowhere' is no file, and no shipped config is called so; there are jamba_v0_1"),
        (("nowhere.json",), "cannot read nowhere.json"),
        (("jamba_v0_1", "--figure", "a.txt"), "--figure is 'a.txt'; a file that ends in"),
        (("jamba_v0_1", "--report", "no/such/folder/a.html"), "no such folder"),
        (("jamba_v0_1", "--L", "0"), "L is 0"),
        (("jamba_v0_1", "--L", "99"), "at most 8 beyond the depth, 12 for Jamba-v0.1"),
        (("gpt2",) * 65, "at most 64 are audited together"),
    ],
)
def test_bad_input_is_one_line(capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...], text: str) -> None:
    code, out, err = run_cli(capfd, "audit", *arguments)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert text in err


def test_without_transformers_a_file_written_out_in_full_is_read(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(building, "installed", lambda: False)
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


def test_reading_reports_progress() -> None:
    told: list[tuple[float, str]] = []
    separation.audit(["gpt2", "recurrentgemma_2b"], progress=lambda done, what: told.append((done, what)))
    assert [what for _, what in told][:2] == ["gpt2 is read", "GPT-2 is audited"]
    assert [done for done, _ in told] == sorted(done for done, _ in told)


# --- pages and figures ---


class Tags(HTMLParser):
    """Open tags, and everything that an address could be in."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.addresses: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        if tag != "meta":
            self.open.append(tag)
        self.addresses += [value or "" for name, value in attrs if name.rpartition(":")[2] in ("href", "src")]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags(page: str) -> Tags:
    parser = Tags()
    parser.feed(page)
    return parser


def test_the_page_is_one_file_without_network_and_escapes_names(tmp_path: Path) -> None:
    folder = tmp_path / "<b onload=x>&$x^2$|[a](b)"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(shipped_config("gpt2").document() | {"dtype": "float16"}))
    report = tmp_path / "audit.html"
    found = separation.audit([folder / "config.json", "recurrentgemma_2b"], report=report)
    page = report.read_text()
    parsed = tags(page)
    assert parsed.open == []
    assert "svg" in parsed.names
    assert not {"script", "link", "img", "iframe", "b"} & parsed.names
    assert all(address.startswith("#") for address in parsed.addresses)
    assert "url(http" not in page
    assert "&lt;b onload=x&gt;" in page
    markdown = markdown_page(found.audits)
    assert "<b" not in markdown.replace(r"\<b", "")
    assert r"\|\[a\]" in markdown


def test_a_page_with_an_address_or_a_raw_name_would_be_noticed() -> None:
    page = html_page([audit_model(small("F"), "<b>&")])
    assert "b" not in tags(page).names
    assert "b" in tags(page.replace("&lt;b&gt;", "<b></b>")).names
    assert tags('<img src="https://example.org/a.png">').addresses == ["https://example.org/a.png"]


@pytest.mark.parametrize("kind", ["png", "svg"])
def test_the_figure_is_drawn(tmp_path: Path, kind: str) -> None:
    figure = tmp_path / f"audit.{kind}"
    separation.audit(["gpt2", "recurrentgemma_2b"], figure=figure)
    assert figure.read_bytes().startswith({"png": b"\x89PNG", "svg": b"<?xml"}[kind])


def without_searches(config: ShippedConfig) -> Audit:
    reading = read_shipped(config)
    cached = cached_numbers(config.document(), reading)
    return Audit(config.name, config.source, reading, config.context, cached, (), ())


def lines_of(table: str) -> list[str]:
    return table.splitlines()


@pytest.mark.filterwarnings("ignore")
def test_docs_hybrids_is_fresh() -> None:
    """All that costs no search, and the searches of three models: separation audit --all --out docs/hybrids.md."""
    pytest.importorskip("transformers")
    page = (ROOT / "docs" / "hybrids.md").read_text().splitlines()
    audits = [without_searches(config) for config in SHIPPED]
    expected = lines_of(layers_table(audits))
    searched = separation.audit(["lfm2_1_2b", "gpt2", "recurrentgemma_2b"]).audits
    expected += lines_of(certified_table(searched)) + [
        f"- {markdown(f'{sentence(each)} {known_text(each)}')}" for each in searched
    ]
    expected += [f"- {markdown(config.name)}: {markdown(config.source)}" for config in SHIPPED]
    assert [line for line in expected if line not in page] == []
    assert sum(line.startswith("| ") for line in page) == 2 * (len(SHIPPED) + 2)


def test_a_stale_page_would_be_noticed() -> None:
    config = shipped_config("gpt2")
    changed = dataclasses.replace(config, name="GPT-3")
    page = (ROOT / "docs" / "hybrids.md").read_text().splitlines()
    assert lines_of(layers_table([without_searches(config)]))[-1] in page
    assert lines_of(layers_table([without_searches(changed)]))[-1] not in page
