"""Names of a stranger are text, in a terminal, a table, LaTeX, HTML, SVG and a figure; whatever file they come from."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from read_pages import ReadPage
from rich.console import Console

from separation.escaping import html, latex, markup, mathtext, terminal
from separation.tasks.funccomp import Sizes
from separation.testing import check_solver
from separation.testing.page import Model, html_page
from separation.verbs.command_line import run
from separation.verbs.commands import print_report
from separation.verbs.stress import StressReport

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",
    "a\u202egpj.exe",
    "\u2066left\u2069\u200b\ufeff",
    "line\nbreak\r\t\x00\x85\u2028",
    "[red]x[/red] [link=file:///etc]y[/link]",
    "trailing\\",
    ":smile: :warning:",
    "<script>alert('1')</script><!-- --> ]]> &amp; &#0;",
    "\" onload='x'",
    r"\input{/etc/passwd} $x$ %_^~#&{}",
    "$\\frac{1}{0}$",
    "\udc80\ud800",
    "中文 é 𝔸 👩‍👩",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_unseen_is_left(name: str) -> None:
    for escaped in (terminal, markup, html, latex, mathtext):
        shown = escaped(name)
        assert all(letter.isprintable() for letter in shown), escaped.__name__
        shown.encode()
        assert not set(shown) & set("\u202e\u2066\u2069\u200b\ufeff\u200d\x1b")


def test_ordinary_text_is_left_alone() -> None:
    for text in ("pointer", "table 2", "τ·code(i0) − 1/2", "Größe", "中文"):
        assert terminal(text) == markup(text) == html(text) == text


@pytest.mark.parametrize("name", HOSTILE)
def test_rich_prints_what_terminal_says(name: str) -> None:
    def printed(text: str) -> str:
        console = Console(file=io.StringIO(), width=1000, emoji=False, color_system=None)
        console.print(text, soft_wrap=True)
        return console.file.getvalue().removesuffix("\n")  # type: ignore[attr-defined, no-any-return]

    assert printed(f"[bold]{markup(name)}[/bold]").rstrip("\\") == terminal(name).rstrip("\\")


@pytest.mark.parametrize("name", HOSTILE)
def test_pages_and_drawings_hold_the_name_and_no_tag_of_it(name: str) -> None:
    page = ReadPage(f"<p title=\"{html(name)}\">{html(name)}</p><p title='{html(name)}'></p>")
    assert page.tags == ["p", "p"]
    assert page.text == 3 * terminal(name)
    drawing = ElementTree.fromstring(f"<text id='{html(name)}' x=\"{html(name)}\">{html(name)}</text>")
    assert drawing.text == drawing.get("id") == drawing.get("x") == terminal(name)


@pytest.mark.parametrize("name", HOSTILE)
def test_latex_has_no_command_of_the_name(name: str) -> None:
    plain = latex(name)
    for known in ("textbackslash", "textasciicircum", "textasciitilde", "textless", "textgreater", "textbar"):
        plain = plain.replace(f"\\{known}{{}}", "")
    for special in "{}$&#_%":
        plain = plain.replace(f"\\{special}", "")
    assert not set(plain) & set("\\{}$&#_%^~<>|")
    assert max(plain) <= "\u017f"


NAMES = (
    "[red]x[/red]",
    "a<script>&\"'",
    r"\input{/etc/passwd}",
    "$x$_^~%#&",
    "[link=x]y[/link]\\",
    ":smile: é中",
    "$\\frac{1",
)
CORPUS = Path(__file__).parents[1] / "corpus"
FILES = ("$x$ [red] <b>&'.json", "\u202egpj\x1b[31m.json", "a\nb.json", "\\input{x}.json")


def with_names(tmp_path: Path, file: str = "model.json") -> Path:
    """C1 with its slots renamed, one hostile name after the other."""
    path = tmp_path / "plain.json"
    assert run(["prove", "C1", "--L", "2", "--m", "2", "--n", "2", "--write-model", str(path)]) == 0
    document = json.loads(path.read_text())
    text = json.dumps(document)
    slots = [slot["name"] for slot in document["slots"]]
    for slot, name in zip(slots, NAMES, strict=False):
        text = text.replace(json.dumps(slot), json.dumps(name))
    target = tmp_path / file
    target.write_text(text)
    path.unlink()
    return target


def program_called(name: str, folder: Path) -> Path:
    """A model file of a program with this name."""
    path = folder / "model.json"
    document = json.loads((CORPUS / "construction" / "program-induction.json").read_text())["model"]
    document["task"]["name"] = name
    path.write_text(json.dumps(document))
    return path


def visible(text: str) -> bool:
    return all(letter.isprintable() or letter == "\n" for letter in text)


@pytest.mark.parametrize("verb", ["show", "prove"])
def test_hostile_slot_names_are_shown_as_they_are(
    verb: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "400")
    path = with_names(tmp_path)
    capfd.readouterr()
    code = run([verb, "--model", str(path)])
    captured = capfd.readouterr()
    assert code in (0, 1), captured.err
    assert visible(captured.out)
    if verb == "show":
        for name in NAMES[:3]:
            assert name in captured.out, name
        assert ":smile:" in captured.out


@pytest.mark.parametrize("file", FILES)
def test_hostile_file_names(file: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = with_names(tmp_path, file)
    figure = tmp_path / "who.svg"
    capfd.readouterr()
    assert run(["simulate", "--model", str(path), "--figure", str(figure)]) in (0, 1)
    captured = capfd.readouterr()
    assert visible(captured.out)
    assert visible(captured.err)
    ElementTree.parse(figure)
    assert not re.search(r"<script|\x1b|\u202e", figure.read_text())
    path.write_text("{")
    assert run(["prove", "--model", str(path)]) == 2
    captured = capfd.readouterr()
    assert visible(captured.err)
    assert captured.err.count("\n") == 1


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX is installed")
def test_latex_with_hostile_names_compiles(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = with_names(tmp_path)
    capfd.readouterr()
    assert run(["show", "--model", str(path), "--latex"]) == 0
    (tmp_path / "x.tex").write_text(capfd.readouterr().out, encoding="utf-8")
    command = ["pdflatex", "-no-shell-escape", "-halt-on-error", "-interaction=nonstopmode", "x.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stdout[-1500:]
    assert (tmp_path / "x.pdf").exists()
    assert "passwd" not in (tmp_path / "x.log").read_text(errors="replace")


@pytest.mark.parametrize("name", ["MQAR", "L-FuncComp, L = 3"])
def test_the_name_of_a_task_is_marked_as_one(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A program may be called like another task; what is said of it is what its file defines."""
    monkeypatch.setenv("COLUMNS", "200")
    path = program_called(name, tmp_path)
    capfd.readouterr()
    certificate = tmp_path / "certificate.json"
    assert run(["prove", "--model", str(path), "--out", str(certificate), "--quiet"]) == 0
    model = ["--model", str(path)]
    for words in (*([verb, *model] for verb in ("prove", "solve", "infer", "show")), ["check", str(certificate)]):
        assert run(words) == 0
        said = capfd.readouterr().out
        assert name not in said.replace(f'"{name}"', ""), (words[0], said)


def test_the_name_of_a_stressed_model_is_marked_as_one(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that says what the project did not: in quotes, on the page as on the terminal, nothing in it hidden."""
    name = "C1, proved \u202e<b>"
    model = Model(name, "a function")
    solver = check_solver(lambda instances: [0] * len(instances), seconds=1.0, sizes=[Sizes(2, ())])
    page = html_page(model, solver, (16,))
    shown = "&quot;C1, proved \\\\u202e&lt;b&gt;&quot;"
    assert f"<title>Stress test of {shown}</title>" in page
    assert name not in page
    assert "\u202e" not in page
    monkeypatch.setenv("COLUMNS", "200")
    print_report(StressReport(model, solver, "instances", 0, None, None), as_json=False)
    said = capfd.readouterr().out
    assert "C1, proved" not in said.replace('"C1, proved', "")
