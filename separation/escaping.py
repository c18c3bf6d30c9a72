"""Names from files are text: nothing in them is read as an escape sequence, as markup, or as code.

A name may come from a stranger's file: a slot, a kind, a label, a path. Whatever it holds, a reader sees it:

    >>> terminal("a\\x1b[31mb\\u202ec")
    'a\\\\x1b[31mb\\\\u202ec'
    >>> markup("[red]x[/red]")
    '\\\\[red]x\\\\[/red]'
    >>> html('<script>"&"</script>')
    '&lt;script&gt;&quot;&amp;&quot;&lt;/script&gt;'
    >>> latex("50%_x^2\\\\input{y}")
    '50\\\\%\\\\_x\\\\textasciicircum{}2\\\\textbackslash{}input\\\\{y\\\\}'

`terminal` for text that is printed as it is, `markup` for a table of rich, `html` for text and attributes of a page or
of an SVG drawing (XML has fewer characters than HTML, and `terminal` leaves none of those that it lacks), `latex` for
the text of a LaTeX document (in a formula: inside `\\text{…}`), `mathtext` for text in a figure of matplotlib, where $
would start a formula. Each of them escapes what cannot be seen as well; text of the project's own, and ordinary letters
of any language, come out unchanged.
"""

from __future__ import annotations

import unicodedata

# Joiners and marks that change the direction or the look of what stands around them, or that nobody sees.
_UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# The letters after these need a font that a plain LaTeX document does not load.
_LAST_LATEX_LETTER = "\u017f"
_MARKDOWN = {"&": "&amp;", "<": "&lt;", ">": "&gt;", **{letter: f"\\{letter}" for letter in "\\`*[]|"}}
_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"}


def terminal(text: object) -> str:
    """One line in which everything can be seen: line breaks, control, bidirectional and invisible characters escaped.

    A letter without a partner (half of a surrogate pair, as in a path that is not UTF-8) is escaped as well.
    """
    shown = str(text)
    if shown.isascii() and shown.isprintable():
        return shown
    return "".join(_seen(letter) for letter in shown)


def quoted(text: object) -> str:
    """A name that somebody gave, marked as one: whatever it holds is not said by the project.

    >>> quoted('MQAR"')
    '"MQAR\\\\""'
    """
    escaped = terminal(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def markup(text: object) -> str:
    """Text for a table or a line of rich: `terminal`, and no [tag] is read in it.

    Names of emoji between colons are left to who reads the markup, with ``emoji=False``.
    """
    from rich.markup import escape

    shown = escape(terminal(text))
    # A single backslash at the end would escape the tag that comes after the name.
    return f"{shown}\\" if (len(shown) - len(shown.rstrip("\\"))) % 2 else shown


def html(text: object) -> str:
    """Text or a quoted attribute of an HTML page."""
    return "".join(_HTML.get(letter, letter) for letter in terminal(text))


def html_page(title: str, style: str, body: str) -> str:
    """One page that needs nothing else; the title is text, the body is HTML."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def markdown(text: object) -> str:
    """Text of a Markdown page, in a table too: no code, link, emphasis or tag is read in it, with HTML on or off.

    >>> markdown("`<img src=x> [a](b)")
    '\\\\`&lt;img src=x&gt; \\\\[a\\\\](b)'
    """
    return "".join(_MARKDOWN.get(letter, letter) for letter in terminal(text))


def latex(text: object) -> str:
    """Text of a LaTeX document; letters that a plain one has no font for are written as escapes."""
    plain = (letter if letter <= _LAST_LATEX_LETTER else ascii(letter)[1:-1] for letter in terminal(text))
    return "".join(_LATEX.get(letter, letter) for letter in "".join(plain))


def mathtext(text: object) -> str:
    """Text in a figure of matplotlib, where a pair of $ would be a formula."""
    return terminal(text).replace("$", r"\$")


def _seen(letter: str) -> str:
    if letter == " " or unicodedata.category(letter) not in _UNSEEN:
        return letter if letter.isprintable() else ascii(letter)[1:-1]
    return ascii(letter)[1:-1]
