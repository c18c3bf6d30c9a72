"""`show`: what is printed is the weights that are proved, and the invariants say all and nothing else."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rebuilt_weights import rebuild
from show_cases import SIZES, SMALL, all_blocks, document_of, scrambled, with_every_head

from constructions import build
from constructions.programs import NAMES
from separation.models import Head, Stream
from separation.proving import Invariant, InvariantBuilder, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.shape import Kind, Shape
from separation.verbs.show import show

# The weights come back


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_the_document_rebuilds_the_model_and_its_invariants(sizes: Sizes) -> None:
    construction = build("C1", sizes)
    document = document_of(construction)
    assert rebuild(document) == construction.model
    shape, stream = sizes.shape(), construction.model.stream
    for place, layer in enumerate(document["layers"]):
        for stage, lines in ((place, layer["before"]), (place + 1, layer["after"])):
            for kind in shape.kinds:
                assert read_back(lines[kind.name], stream, shape, kind) == construction.stages[stage][kind.name]


@settings(max_examples=4)
@given(st.integers(0, 10**6))
def test_any_weights_come_back(seed: int) -> None:
    """Rational weights without structure, a stored table, names with brackets, all types of heads, temperatures."""
    every = with_every_head(build("C1", SMALL), seed)
    construction = scrambled(seed)
    first, second, *rest = construction.model.layers
    heads = (*first.heads, replace(first.heads[0], w_q=first.heads[0].w_q.scaled(2), shift=Fraction(-5, 7)))
    model = replace(construction.model, layers=(replace(first, heads=heads), replace(second, heads=()), *rest))
    full = (replace(each, heads=tuple(h for h in each.heads if isinstance(h, Head))) for each in every.model.layers)
    both = replace(every, model=replace(every.model, layers=tuple(full), causal=False))
    for case in (every, both, replace(construction, model=model)):
        assert rebuild(document_of(case)) == case.model


def test_the_rebuilt_model_is_proved_and_one_layer_is_one_layer() -> None:
    construction = build("C1", Sizes(3, (2, 4)))
    assert prove(replace(construction, model=rebuild(document_of(construction)))).ok
    document = document_of(construction, layer=2)
    assert [layer["layer"] for layer in document["layers"]] == [2]
    assert rebuild(document).layers == construction.model.layers[1:2]


def test_a_block_dropped_or_changed_gives_other_weights() -> None:
    construction = build("C1", SMALL)
    document = document_of(construction)
    count = len(list(all_blocks(document)))
    assert count > 60
    for place in range(count):
        broken = copy.deepcopy(document)
        blocks, index = list(all_blocks(broken))[place]
        old = blocks[index]["coefficient"]
        blocks[index]["coefficient"] = "7/2" if "(" not in old else old.translate(str.maketrans("+-", "-+"))
        assert rebuild(broken) != construction.model
        del blocks[index]
        assert rebuild(broken) != construction.model
    for key, value in (("temperature", {"τ": "4"}), ("precision", {"P": 8, "p": 8, "fraction": 5})):
        assert rebuild({**document, key: value}) != construction.model


# Blocks


# Invariants


def read_back(lines: list[str], stream: Stream, shape: Shape, kind: Kind) -> Invariant:
    """The invariant that C1's lines state."""
    bits = {v.name: v.bits for v in (*kind.address, *kind.value, *shape.global_variables)}
    builder = InvariantBuilder(stream.width)
    for line in lines:
        place, _, text = line.partition(" = ")
        name, _, inside = place.partition("[")
        first, _, stop = inside.rstrip("]").partition(":")
        rows = stream[name] if not inside else stream[name][int(first) : int(stop or int(first) + 1)]
        code = re.match(r"code\((\w+)\)( padded with −1)?", text)
        if text == "junk within ±1":
            builder.junk(rows, 1)
        elif code and code[1].isdigit():
            builder.constants(rows, [1 if int(code[1]) >> place & 1 else -1 for place in range(len(rows))])
        elif code:
            assert bool(code[2]) == (bits[code[1]] < len(rows))
            builder.code(rows, code[1], bits[code[1]])
        else:
            builder.constants(rows, [int(text.replace("−", "-"))] * len(rows))
    return builder.build()


# Text and article


def test_the_text_of_every_type_of_head() -> None:
    lines = [line.rstrip() for line in str(show(with_every_head(build("C1", SMALL)))).splitlines()]
    assert max(map(len, lines)) <= 80
    assert {
        *("head 1, linear attention, normalised", "head 2, linear attention, not normalised", "head 3, shift 5τ"),
        *("MLP 2", "head 1, gated delta rule", "head 2, block-sparse, blocks of 4, 1 opened, shift 5/2"),
        *("head 3, Mamba, d_k = 1, d_v = 2, count = 1", "head 4, DeltaProduct, d_k = 2, d_v = 2, count = 2"),
    } <= set(lines)
    text = " ".join(" ".join(lines).split())
    for piece in (" φ_q = relu(", " α = clip(", ", β = clip(", " of a summary = ", " decay[0] = clip(", " skip = ("):
        assert piece in text, piece


def is_balanced(latex: str) -> bool:
    """Braces, environments and dollars are closed in the order in which they are opened."""
    plain = re.sub(r"\\[\\{}$&#_%]", " ", latex)
    opened: list[str] = []
    for token in re.findall(r"\\begin\{\w+\*?\}|\\end\{\w+\*?\}|[{}]|\$", plain):
        closes = {"}": "{", "$": "$"}.get(token, token.replace("end", "begin") if token.startswith(r"\end") else "")
        if closes and opened and opened[-1] == closes:
            opened.pop()
        elif token == "}" or token.startswith(r"\end"):
            return False
        else:
            opened.append(token)
    return not opened


REPORTS: dict[str, Any] = {
    "L=1": lambda: show("C1", L=1),
    "one layer": lambda: show("C1", L=3, layer=2),
    "n=1": lambda: show(build("C1", Sizes(2, (1, 3, 1)))),
    "L=16": lambda: show("C1", L=16, m=2, n=[2] * 15),
    "scrambled": lambda: show(scrambled()),
    "every head": lambda: show(with_every_head(build("C1", SMALL))),
}


@pytest.mark.parametrize("name", REPORTS)
def test_latex_is_ascii_and_balanced_and_compiles(name: str, tmp_path: Path) -> None:
    report = REPORTS[name]()
    assert "digit(0)" not in str(report)
    latex = report.latex()
    assert latex.isascii()
    assert is_balanced(latex)
    assert re.findall(r"\\usepackage\{(\w+)\}", latex) == ["amsmath"]
    for token in ("{", "}", "$", r"\begin{array}", r"\end{document}"):
        assert not is_balanced(latex.replace(token, "", 1))
    if shutil.which("pdflatex") is not None:
        (tmp_path / "show.tex").write_text(latex, encoding="ascii")
        command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "show.tex"]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
        assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
        assert name in ("scrambled", "every head") or b"Overfull \\hbox" not in run.stdout


def test_programs_of_the_gallery_are_shown_as_text_and_as_an_article() -> None:
    for name in NAMES[::3]:
        report = show(name)
        assert "Unembedding" in str(report)
        assert report.latex().rstrip().endswith(r"\end{document}")
    assert "delta updates a token" in str(show("s3_words"))
