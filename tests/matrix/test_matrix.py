"""The matrix: recipes against compiled and proved programs, verdicts against each other, and the verb."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from constructions.programs import gallery
from separation.architectures.kinds import KINDS as KIND_TEXTS
from separation.bounds.capacity import forbids
from separation.matrix import ROWS, cell, column_of
from separation.matrix.columns import CAN
from separation.matrix.rows import Recipe
from separation.models import DeltaHead
from separation.programs import CompiledProgram
from separation.tasks.program import Scan
from separation.verbs.command_line import run

RECIPES = [recipe for row in ROWS.values() for recipe in row.recipes]
KINDS = ("decay", "diagonal", "delta", "reflections", "product", "nonlinear", "convolution", "any")


ASKED = {  # by what the compiler says that a head does
    "finds": "F", "counts": "F", "hands on": "keeps or sets", "keeps the latest": "keeps or sets", "stores": "adds",
    "adds up": "adds", "adds": "adds", "multiplies permutations": "moves", "moves a unit vector": "moves",
}  # fmt: skip


def asked_of_state(scan: Scan) -> str:
    """Of a number that is kept, set or reflected, by the table alone: does some input turn the order around?"""
    for step in scan.over:
        cases = len(step.table) // scan.size
        for case in range(cases):
            to = [step.table[s * cases + case] for s in range(scan.size)]
            if any(a is not None and b is not None and a > b for a, b in pairwise(to)):
                return "reflects"
    return "keeps or sets"


def layers_of(compiled: CompiledProgram) -> tuple[str, ...]:
    """What each layer with heads is asked for, the most of all its heads."""
    scans = {d.name: d for d in compiled.program.definitions if isinstance(d, Scan)}
    layers: dict[int, list[str]] = {}
    for part in compiled.parts:
        asked = ASKED[part.what] if part.what in ASKED else asked_of_state(scans[part.name])
        layers.setdefault(part.layer, []).append(asked)
    return tuple(min(layers[number], key=lambda asked: len(CAN.get(asked, ()))) for number in sorted(layers))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: f"{recipe.program} {recipe.word}")
def test_a_recipe_is_a_program_proved_on_these_layers(recipe: Recipe) -> None:
    compiled = gallery(recipe.program, **recipe.sizes).compile(word=recipe.word)
    assert compiled.word == recipe.word
    assert layers_of(compiled) == recipe.layers
    assert compiled.prove().ok
    assert not (compiled.program.is_endless and recipe.each_length)


def test_a_recipe_that_promises_too_little_of_its_layers_is_found() -> None:
    """Broken twins: parity by a state that only keeps and sets; S3 by reflections; a counter modulo 3 that adds."""
    for name, promised in (("parity", "keeps or sets"), ("s3_words", "reflects"), ("modular_counter", "adds")):
        assert layers_of(gallery(name).compile()) != (promised,)


@pytest.mark.parametrize("name", ROWS)
def test_more_layers_never_do_less(name: str) -> None:
    """What is built stays built with a layer more, and what is impossible stays so with one fewer."""
    row = ROWS[name]
    for kind, letters in product(KINDS, product("FR", repeat=3)):
        word = "".join(letters)
        suffix = f":{kind}" if "R" in word else ""
        if not suffix and kind != "any":
            continue
        longer = cell(row, column_of(word + suffix))
        for place in range(3):
            shorter = word[:place] + word[place + 1 :]
            less = cell(row, column_of(shorter + (suffix if "R" in shorter else "")))
            assert not (less.verdict == "built" and longer.verdict == "impossible"), (word, shorter, kind)
            if less.scope == "every length" and less.verdict == "built":
                assert longer.verdict == "built"
                assert longer.scope == "every length"


def test_what_is_built_with_r_alone_has_the_bits_that_the_memory_theorem_asks_for() -> None:
    checked = 0
    for size in (3, 4, 9, 16):
        bits = gallery("majority", n=size).compile().state_bits
        asked = ROWS["majority"].at(size + 2, 2)  # type: ignore[misc]
        assert asked.sizes == (size,)
        assert not forbids(asked, "memory", {"lambda": bits}).holds
        checked += forbids(asked, "memory", {"lambda": 0}).holds is True
    assert checked == 4


def test_verdicts_of_deeper_words_than_the_page_has() -> None:
    """Those of the page, docs/matrix.md, are generated."""
    expected = {
        ("recall", "R9:product"): "impossible", ("copying", "W(99)24"): "impossible",
        ("parity", "R9:diagonal"): "impossible", ("parity", "R9:delta"): "impossible",
        ("a5_words", "F40"): "conditional", ("a5_words", "R3F:delta"): "open", ("dyck", "R3:diagonal"): "built",
        ("two_sum", "R100"): "impossible", ("state_based_recall", "F9"): "conditional",
        ("state_based_recall", "R9:product"): "impossible",
    }  # fmt: skip
    assert {key: cell(ROWS[key[0]], column_of(key[1])).verdict for key in expected} == expected


def said(arguments: list[str], capsys: pytest.CaptureFixture[str], status: int = 0) -> Any:
    assert run(["matrix", *arguments, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_at_a_length_the_models_own_bits_decide(capsys: pytest.CaptureFixture[str]) -> None:
    for bits, fails in ((262127, True), (262128, False)):  # 16,383 pairs of 2^16 symbols
        facts = said(["R4:diagonal", "--tokens", "32768", "--lambda", str(bits)], capsys)
        cells = {row["task"]: row["cells"][0] for row in facts["rows"]}
        assert cells["recall"]["at_length"]["forbidden"] is fails
    assert cells["recall"]["verdict"] == "impossible"
    assert set(cells["recall"]) >= {"verdict", "by", "sentence"}


def test_a_delta_head_with_long_keys_reflects_and_is_not_of_the_kind_that_rests() -> None:
    """The gallery's parity is a delta head whose β is in [0, 1]: R:delta is about β·|k|², which is 2 here."""
    model = gallery("parity").compile().model
    (head,) = model.layers[0].heads
    assert isinstance(head, DeltaHead)
    places, ids = (np.array(table.stored().matrix.fractions()) for table in (model.positions, model.tokens))
    bits = [places[1] + ids[1 + bit] for bit in (0, 1)]
    betas, keys = ([(np.array(w.fractions()) @ x).tolist() for x in bits] for w in (head.w_b, head.w_k))
    assert betas == [[0], [Fraction(1, 2)]]
    assert [beta * sum(c * c for c in key) for (beta,), key in zip(betas, keys, strict=True)] == [0, 2]
    assert cell(ROWS["parity"], column_of("R:delta")).sentence.startswith(
        f"With {KIND_TEXTS['delta']} and no positions"
    )
    assert "β·|k|² in [0, 1]" in KIND_TEXTS["delta"]
    assert "β·|k|² in [0, 2]" in KIND_TEXTS["reflections"]


def test_steps_up_to_rest_are_counted_where_no_number_is_handed_on(tmp_path: Path) -> None:
    """A Mamba-2 with short convolutions rests later than its word: no certificate at a length."""
    path = tmp_path / "mamba.json"
    sizes = {"hidden_size": 64, "state_size": 8, "num_heads": 4, "head_dim": 32, "conv_kernel": 4, "vocab_size": 99}
    path.write_text(json.dumps({"model_type": "mamba2", "num_hidden_layers": 1, "expand": 2, "n_groups": 1} | sizes))
    tokens = 2**32 + 2  # and a start
    found = [cell(ROWS["parity"], column_of(name, None, 8), tokens=tokens) for name in ("R:diagonal", str(path))]
    assert [it.by for it in found] == ["period", "period"]
    assert [it.at_length and (it.at_length["theorem"], it.at_length["forbidden"]) for it in found] == [
        ("period", True), ("memory", False)
    ]  # fmt: skip
    for kind in ("delta", "convolution"):
        length = cell(ROWS["parity"], column_of(f"R:{kind}", None, 8), tokens=tokens).at_length
        assert length is not None
        assert length["theorem"] == "memory"
