"""Programs as stock models: right on all inputs at small sizes, however they are run; refusals name the equation."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from constructions.programs import gallery
from constructions.stock.kit.programs import TARGETS, words
from separation.files import InputError
from separation.programs import Program, where
from separation.verbs import export_programs
from separation.verbs.export_programs import (
    RUNS,
    compiled_for_export,
    export_known_answers,
    export_program,
)

# Program, its word (None: its own), the class.
EXPORTED = [
    ("induction", None, "gpt2"),
    ("selective_copying", None, "gpt2"),
    ("two_hop_recall", None, "llama"),
    ("histogram", None, "llama"),
    ("two_sum", "R", "olmo_hybrid"),
    ("two_sum", "R", "qwen3_next"),
]


@pytest.mark.parametrize(("name", "word", "to"), EXPORTED)
def test_a_program_is_right_on_all_inputs_in_every_way_of_running_it(
    name: str, word: str | None, to: str, tmp_path: Path
) -> None:
    report = export_program(gallery(name).compile(word), tmp_path / "model", to)
    assert report.ok
    assert report.every_input
    assert [check.attention for check in report.checks] == list(RUNS)
    assert min(check.least_lead or 0 for check in report.checks) > 1.8
    assert json.loads((tmp_path / "model" / "separation.json").read_text())["task"]["task"] == "program"


def test_parity_in_olmo_hybrid_beyond_a_chunk(tmp_path: Path) -> None:
    """β = 2σ(128): S ← 1 − S, for 96 tokens, which is more than the 64 of a chunk."""
    compiled = compiled_for_export("parity", "", None, None)
    assert compiled.program.length == 97
    report = export_program(compiled, tmp_path / "model", "olmo_hybrid")
    assert report.ok
    assert not report.every_input
    assert report.known.startswith("not certified in float32: no bound is known for olmo_hybrid; ")


def counter() -> Program:
    p = Program("counter")
    p.start()
    bits = p.tokens("bits", 4, x=2)
    p.answer(p.scan(lambda c, x: c + x if c + x < 5 else None, bits.x, size=5, name="ones"))
    return p


def scan_of_found() -> Program:
    """Full heads and a scan: no class has both, so no refusal may name a class that refuses it, too."""
    p = Program("scan of what is found")
    p.start()
    table, word = p.tokens("table", 2, flip=2), p.tokens("word", 3, at=2)
    flip = table.find(where(table.position == word.at), read=table.flip, name="flip")
    p.answer(p.scan(lambda odd, flip: odd ^ flip, flip, name="odd"))
    return p


REFUSED = [
    (
        scan_of_found,
        "gpt2",
        "has the word FR, and gpt2 and llama have full attention alone: ask for a word of F, or of R",
    ),
    (
        scan_of_found,
        "olmo_hybrid",
        "normalise queries and keys; ask for a word of R, or, if there is one, of F for gpt2",
    ),
    (lambda: gallery("parity"), "qwen3_next", "odd reflects, S ← c − S: 1 − β = −1, and Qwen3-Next has β = σ(b) < 1"),
    (counter, "olmo_hybrid", "its state adds, S ← S + k vᵀ, and the class replaces"),
    (lambda: gallery("s3_words"), "olmo_hybrid", "several updates a token, and the class makes one"),
    (lambda: gallery("copying"), "llama", "reads the position of source, and this class has no rows for positions"),
    (lambda: gallery("copying"), "qwen3_next", "its full heads are not exported to hybrids"),
    (lambda: gallery("parity"), "gpt2", "gpt2 and llama have full attention alone"),
    (lambda: gallery("copying"), "bert", "allowed are gpt2, llama, olmo_hybrid, qwen3_next"),
]


@pytest.mark.parametrize(("program", "to", "reason"), REFUSED)
def test_what_a_class_cannot_compute_is_said(program: object, to: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        program().compile().export(to, tmp_path / "model")  # type: ignore[operator]
    assert reason in str(refused.value)
    assert not (tmp_path / "model").exists()


@pytest.mark.parametrize("to", ["gpt2", "olmo_hybrid"])
def test_a_program_without_layers_gets_an_idle_one(to: str, tmp_path: Path) -> None:
    """What a token spells is its answer: a class of transformers has layers all the same."""
    p = Program("echo")
    text = p.tokens("text", {"gpt2": 1}.get(to, 2), letter=2)
    p.answer(text.letter)
    compiled = p.compile()
    assert not compiled.model.layers
    report = compiled.export(to, tmp_path / "model")
    assert report.ok
    assert all(not check.mismatches for check in report.checks)


def test_one_wrong_weight_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The twin of every check above: the first head's query without its temperature."""
    compiled = gallery("copying").compile()

    def cold(program: object, model: object, dtype: str) -> object:
        config, tensors = TARGETS["gpt2"](program, model, dtype)  # type: ignore[arg-type]
        tensors["transformer.h.0.attn.c_attn.weight"][:, : config["n_embd"]] /= 64
        return config, tensors

    monkeypatch.setitem(TARGETS, "cold", cold)
    report = export_program(compiled, tmp_path / "model", "cold")
    assert not report.ok
    assert not (tmp_path / "model").exists()
    assert all(check.mismatches for check in report.checks)


def test_words_say_kind_and_values() -> None:
    assert words(gallery("two_hop_recall", pairs=1, V=2).definitions) == [
        *("pair:0,0", "pair:0,1", "pair:1,0", "pair:1,1"),
        *("query:0", "query:1"),
    ]


def test_known_answers_run_by_their_own_script(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ("two_sum", "qwen3_next", "n=4,M=3", "R")
    monkeypatch.setattr(export_programs, "KNOWN", (small, *export_programs.KNOWN[-2:]))
    report = export_known_answers(tmp_path / "known")
    assert report.ok
    assert {path.name for path in (tmp_path / "known").iterdir()} == {
        *("run.py", "separation.json", "qwen3_next-two_sum", "olmo_hybrid-c2", "qwen3_next-c2")
    }
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(tmp_path / "known" / "run.py"))
    assert not ended.value.code
    said = capsys.readouterr().out.splitlines()
    assert "qwen3_next-c2: steps: 16 of 16 right" in said
    file = tmp_path / "known" / "qwen3_next-two_sum" / "known_answers.json"
    known = json.loads(file.read_text())
    known["answers"][0][0] ^= 1
    file.write_text(json.dumps(known))
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(tmp_path / "known" / "run.py"))
    assert ended.value.code
