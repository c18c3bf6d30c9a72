"""Names of a stranger are text, in a terminal, a table, LaTeX, HTML, SVG and a figure."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree

import pytest
from read_pages import ReadPage
from rich.console import Console

from separation.escaping import html, latex, markup, mathtext, svg, terminal

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
    for escaped in (terminal, markup, html, svg, latex, mathtext):
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
    drawing = ElementTree.fromstring(f"<text id='{svg(name)}' x=\"{svg(name)}\">{svg(name)}</text>")
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
