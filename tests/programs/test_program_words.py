"""A program in a given order of layers: proved by both kernels, right on all inputs; or one line that says why not."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import attack
import numpy as np
import pytest

from constructions import build
from constructions.programs import gallery
from separation.files import InputError
from separation.programs import Program, where
from separation.proving.certificates import write_certificate
from separation.tasks.funccomp import Sizes
from separation.tasks.program import answers
from separation.tasks.program.oracle import random_input
from separation.verbs.infer import infer

KERNEL = Path(__file__).parents[2] / "separation" / "lesson" / "kernel.mjs"
# The word asked for; what the recurrent heads do in it.
BUILT = [
    ("copying", "FF", ""),
    ("copying", "R", "stores"),
    ("recall", "RF", "hands on"),
    ("recall", "RR", "hands on, stores"),
    ("selective_copying", "RF", "adds up"),
    ("selective_copying", "FF", ""),
    ("majority_by_attention", "R", "adds up"),
    ("majority_by_attention", "F", ""),
    ("parity", "RR", "keeps, sets or reflects"),
    ("state_based_recall", "RF", "multiplies permutations"),
    ("two_sum", "R", "keeps the latest"),
    ("composition", "RFF", "stores"),
    ("composition", "FRF", "stores"),
    ("composition", "R3", "stores"),
    ("induction", "RF", "hands on"),
    ("induction", "RR", "hands on, keeps the latest"),
    ("sorting", "RR", "adds up, stores"),
    ("boolean_formula", "[FR]2", ""),
    ("dyck1", "RR", "adds, keeps the latest"),
]


@pytest.mark.parametrize(("name", "word", "does"), BUILT, ids=lambda part: str(part).replace(" ", "_"))
def test_a_word_is_built_proved_and_right(name: str, word: str, does: str, tmp_path: Path) -> None:
    compiled = gallery(name).compile(word=word)
    proof = compiled.prove()
    assert proof.ok, proof.failure
    assert proof.certificate is not None
    assert compiled.word == {"R3": "RRR", "[FR]2": "[FR][FR]"}.get(word, word)
    recurrent = {part.what for part in compiled.parts} - {"finds", "counts"}
    assert ", ".join(sorted(recurrent, key=does.find)) == does
    assert (compiled.state_bits > 0) == ("R" in word)
    assert infer(compiled.construction).ok  # also where the last layer has no MLP
    if name == "composition":  # all 4,096 inputs take half a minute
        for seed in range(20):
            ids = random_input(compiled.program, np.random.default_rng(seed))
            assert compiled.run(ids) == answers(compiled.program, ids)
    else:
        assert attack.wrong_input(proof.certificate) is None
    if shutil.which("node") is not None:
        write_certificate(tmp_path / "it.json", proof.certificate)
        said = subprocess.run(["node", KERNEL, tmp_path / "it.json"], capture_output=True, encoding="utf-8")
        assert said.returncode == 0, said.stdout


def test_composition_has_the_layers_of_c1_and_c2_and_no_more_width() -> None:
    page = (KERNEL.parents[2] / "docs" / "programs.md").read_text()
    shown = ((2, 4, 4), (2, 16, 16), (3, 8, 4), (4, 4, 4))
    for L, m, n in (*shown, (1, 2, 2), (1, 5, 2), (2, 2, 2), (2, 3, 5), (3, 2, 2), (3, 3, 3), (5, 2, 2), (6, 2, 2)):
        program, sizes = gallery("composition", m=m, n=n, L=L), Sizes(m, (n,) * (L - 1))
        ours, theirs = (
            [program.compile(), program.compile("R" + "F" * L)],
            [build(name, sizes) for name in ("C1", "C2")],
        )
        (layers,) = {*(c.layers for c in ours), *(len(c.model.layers) for c in theirs)}
        width, (most,) = max(c.width for c in ours), {c.model.width for c in theirs}
        assert width <= most
        assert (L, m, n) not in shown or f"| {L}, {m}, {n} | {layers} | {width} | {most} |" in page


def first_is_not_latest() -> Program:
    p = Program("mine")
    p.start()
    text = p.tokens("text", 8, letter=3)  # of four, two layers find the two bits of the place
    p.answer(text.first(where(text.letter == text.letter), read=text.position))
    return p


REFUSED = [
    (lambda: gallery("parity"), "F", "bits.odd fits no layer: by F it is a scan, and attention keeps no state"),
    (lambda: gallery("composition"), "FF", "w.hop2 reads what layer 2, the last, says"),
    (lambda: gallery("composition"), "W(4)F", "programs are built of F, R and [FR]"),
    (lambda: gallery("maximum"), "R", "numbers.top fits no layer: by R it would keep the latest, not the largest x"),
    (first_is_not_latest, "RR", "by R it would keep the latest, not the smallest position"),
    (lambda: gallery("copying", n=1024), "R", "by R it would need a row for each of 1,024 names"),
    (lambda: gallery("copying"), "FX", "a word is made of F, R, W(128), K(8192) and [FR]"),
]


@pytest.mark.parametrize(("program", "word", "line"), REFUSED)
def test_a_word_that_does_not_fit_gets_one_line(program: object, word: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        program().compile(word=word)  # type: ignore[operator]
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)
