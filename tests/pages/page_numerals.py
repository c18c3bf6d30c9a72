"""Which numerals of a page nobody accounts for.

A numeral is a word that, without brackets and punctuation, is made of digits and , . ^ / · e % - alone ("40",
"2^39.95", "1.5·10^-8", "16-bit", "3GB"); of a word with = what stands behind it ("n=40"). A word that mixes digits with
letters or other signs (N_0, 2·x, C7, float32) is a name or a formula, and so is a number beside a lone + − · ×.
Number words from "three" on count as well; "one" and "two" do not.
Not looked at: computed parts (separation/pages), formulas (lines indented by four), code spans, Python and commands
(but for their comments), headings, addresses of links, numbers of list items, and measurements: what stands between
`<!-- NAME, written by COMMAND -->` and `<!-- end of NAME -->`, as no test can compute it again. 0, 1, 2, ±1, 1/2 and
0/0 are bits, signs and halves: they are let pass.

All others must stand in a fragment of allowed_numerals.txt; `python tests/pages/page_numerals.py` prints those that do
not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from separation.pages import parts_of

ROOT = Path(__file__).parents[2]
ALLOWED = Path(__file__).parent / "allowed_numerals.txt"
REASONS = ("definition", "format", "argument", "reference", "tested")
NUMERAL = re.compile(r"[±+−-]?\d[\d,.]*(?:[\^/·e][{\d,.^}−-]*\d\}?)*(?:%|×|x|s|ms|[kMG]B|-[a-z-]+)?")
COMMON = {"0", "1", "2", "±1", "+1", "−1", "-1", "1/2", "0/0"}
WORDS = {
    *("three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "dozen", "sixteen"),
    *("twenty", "thirty", "forty", "fifty", "sixty", "hundred", "hundreds", "thousand", "thousands"),
    *("million", "millions"),
}
OPERATORS = {"+", "−", "·", "×"}
COMMANDS = ("separation ", "python", "pip ", "git ")


@dataclass(frozen=True)
class Allowed:
    """A fragment of a page whose numerals are no results, or have the test that ``reason`` names."""

    page: str
    reason: str
    fragment: str


def pages() -> list[str]:
    return ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")))]


def allowed() -> list[Allowed]:
    lines = [line for line in ALLOWED.read_text().splitlines() if line and not line.startswith("#")]
    return [Allowed(*(part.strip() for part in line.split(" | ", 2))) for line in lines]


def untold(page: str, text: str, fragments: Iterable[str]) -> list[str]:
    """The numerals of ``text`` that are neither computed nor in one of the fragments, with the words around them."""
    for part in parts_of(page):
        for start, stop in part.spans(text):
            text = text[:start] + _blank(text[start:stop]) + text[stop:]
    text = _prose(text)
    for fragment in fragments:
        text = re.sub(r"\s+".join(map(re.escape, _prose(fragment).split())), lambda found: _blank(found.group()), text)
    words = text.split()
    return [" ".join(words[max(0, i - 3) : i + 4]) for i, word in enumerate(words) if _is_numeral(words, i, word)]


def _is_numeral(words: list[str], place: int, word: str) -> bool:
    beside = {*words[max(0, place - 1) : place], *words[place + 1 : place + 2]}
    bare = word.rpartition("=")[2].strip("()[]{}|*…≈~≥≤,;:.")
    if bare.lower() in WORDS:
        return True
    return bool(NUMERAL.fullmatch(bare)) and bare not in COMMON and not beside & OPERATORS


def _prose(text: str) -> str:
    """The text with all that is no prose blanked out."""
    measured = r"<!-- ([^>]+), written by [^>]+ -->.*?<!-- end of \1 -->"
    text = re.sub(measured, lambda found: _blank(found.group()), text, flags=re.DOTALL)
    text = re.sub(r"^```(\w*)\n(.*?)^```$", _fence, text, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(
        r"<!--.*?-->|`(?:[^`\n]|\n(?!\n))*`|\]\([^)]*\)", lambda found: _blank(found.group()), text, flags=re.DOTALL
    )
    return re.sub(r"^(?: {4}.*|#.*| *\d+\.)$|^ *\d+\. ", lambda found: _blank(found.group()), text, flags=re.MULTILINE)


def _fence(found: re.Match[str]) -> str:
    """Of Python and of commands the comments are left; what a command prints is prose like any other."""
    lines = []
    for line in found.group().splitlines(keepends=True):
        code, mark, comment = line.partition("# ")
        is_code = bool(found[1]) or line.startswith(("```", *COMMANDS)) or not code.strip()
        lines.append(_blank(code) + mark.replace("#", " ") + comment if is_code else line)
    return "".join(lines)


def _blank(text: str) -> str:
    """As long as the text, and no numeral in it."""
    return re.sub(r"\S", "□", text)


if __name__ == "__main__":
    for name in pages():
        told = [entry.fragment for entry in allowed() if entry.page == name]
        for found in untold(name, (ROOT / name).read_text(), told):
            print(f"{name} | {found}")
