"""`show`: for a terminal and for paper."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from rebuilt_weights import rebuild
from rich.console import Console
from show_cases import all_blocks, document_of, scrambled, with_every_head

from constructions import build
from separation.tasks.funccomp import Sizes
from separation.verbs.show import ShowReport, describe, show
from separation.weights.contents import few


def printed(report: ShowReport) -> str:
    out = io.StringIO()
    report.show(Console(file=out, width=80))
    return out.getvalue()


def test_text_for_people_fits_80_columns() -> None:
    text = printed(show("C1", L=3))
    lines = [line.rstrip() for line in text.splitlines()]
    assert max(map(len, lines)) <= 80
    assert "C1 for FuncComp, L = 3, m = 4, n = (4, 4)" in lines
    assert "τ = 3, the factor of W_Q" in lines
    assert "W_Q     key[0:3]       one           τ·(−,+,−)" in lines
    assert "  key[5:7]: q = τ·pointer[0:2], k = index[0:2]" in lines
    assert "  unit[0:6] = relu(2·found + 1)" in lines
    assert "  pointer += unit[0:6] − unit[6:12] − unit[12:18] + unit[18:24] − 1" in lines
    assert "before: as after layer 2" in lines
    assert "MLP: as in layer 1" in lines
    assert "pointer  code(i1) padded with −1  w" in lines


def test_text_of_every_type_of_head() -> None:
    text = printed(describe(with_every_head(build("C1", Sizes(3, (2,))))))
    lines = [line.rstrip() for line in text.splitlines()]
    assert max(map(len, lines)) <= 80
    for title in (
        "head 1, linear attention, normalised",
        "head 2, linear attention, not normalised",
        "head 3, shift 5τ",
        "MLP 2",
        "head 1, gated delta rule",
        "head 2, block-sparse, blocks of 4, 1 opened, shift 5/2",
        "head 3, Mamba, d_k = 1, d_v = 2, count = 1",
        "head 4, DeltaProduct, d_k = 2, d_v = 2, count = 2",
    ):
        assert title in lines, title
    for start in (
        "  key[0]: φ_q = relu(",
        "  α = clip(",
        "  key[0] of a summary = ",
        "  head[0] of a summary = ",
        "  decay[0] = clip(",
        "  skip = (",
        "  x[1] = tag[0]",
    ):
        assert any(line.startswith(start) for line in lines), start
    for end in (", averaged", ", summed", ", stored"):
        assert any(line.endswith(end) for line in lines), end
    assert any("token3[" in line for line in lines)


@pytest.mark.parametrize("sizes", [Sizes(2, ()), Sizes(3, (1,)), Sizes(2, (1, 3, 1))], ids=str)
def test_text_for_people_at_odd_sizes(sizes: Sizes) -> None:
    text = printed(describe(build("C1", sizes)))
    assert "Unembedding" in text
    assert "digit(0)" not in text


def test_many_kinds_are_cut_short() -> None:
    assert few(["table 8", "table 7", "table 6", "table 5", "z0"]) == ["table 8", "…", "table 5", "z0"]
    assert few(["table 3", "table 2", "table 1", "z0"]) == ["table 3", "table 2", "table 1", "z0"]
    assert few(["table 9", "table 7", "table 6", "table 4", "w"]) == ["table 9", "table 7", "table 6", "table 4", "w"]


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


REPORTS = {
    "L=1": lambda: show("C1", L=1),
    "L=3": lambda: show("C1", L=3),
    "one layer": lambda: show("C1", L=3, layer=2),
    "n=1": lambda: describe(build("C1", Sizes(2, (1, 3, 1)))),
    "L=16": lambda: show("C1", L=16, m=2, n=[2] * 15),
    "scrambled": lambda: describe(scrambled()),
    "every head": lambda: describe(with_every_head(build("C1", Sizes(3, (2,))))),
}


@pytest.mark.parametrize("name", REPORTS)
def test_latex_is_ascii_and_balanced(name: str) -> None:
    latex = REPORTS[name]().latex()
    assert latex.isascii()
    assert is_balanced(latex)
    assert re.findall(r"\\usepackage\{(\w+)\}", latex) == ["amsmath"]
    assert latex.rstrip().endswith(r"\end{document}")


def test_the_balance_check_can_fail() -> None:
    latex = show("C1", L=1).latex()
    assert is_balanced(latex)
    for token in ("{", "}", "$", r"\begin{array}", r"\end{tabular}", r"\end{document}"):
        assert not is_balanced(latex.replace(token, "", 1))


def test_latex_shows_the_blocks() -> None:
    latex = show("C1", L=3).latex()
    assert r"\textsf{key}_{0:3} & \tau(-,+,-)^{\top} & 0 & 0 \\" in latex
    assert r"\textsf{key}_{5:7} & 0 & 0 & \tau I_{2} \\" in latex
    assert r"\textsf{key}_{7:9} & -\tau \mathbf{1}_{2} & 0 & 0 \\" in latex
    assert r"\textsf{unit}_{0:6} &= \relu(2\,\textsf{found} + \mathbf{1}_{6})" in latex
    assert r"$\code(i_{1})$ padded with $-1$ & $w$ \\" in latex
    assert r"$\tau = 3$" in latex


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
@pytest.mark.parametrize("name", REPORTS)
def test_latex_compiles(name: str, tmp_path: Path) -> None:
    (tmp_path / "show.tex").write_text(REPORTS[name]().latex(), encoding="ascii")
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "show.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    if name not in ("scrambled", "every head"):
        assert b"Overfull \\hbox" not in run.stdout


def test_thousands_of_blocks_are_quick() -> None:
    construction = scrambled(seed=2, sizes=Sizes(4, (4,)))
    start = time.perf_counter()
    document = document_of(construction)
    assert len(list(all_blocks(document))) > 4000
    assert rebuild(document) == construction.model
    text = printed(describe(construction))
    assert "more" in text
    assert time.perf_counter() - start < 20
