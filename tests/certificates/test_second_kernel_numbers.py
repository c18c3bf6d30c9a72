"""kernel*.mjs: no number of a certificate passes through a double. Whatever makes a machine's number of a text or of a
BigInt stands in a line that is listed here with its reason; such a line that is not listed fails."""

from __future__ import annotations

import re

from corpus_cases import ROOT

FOLDER = ROOT / "separation" / "lesson"
KERNEL = (FOLDER / "kernel.mjs").read_text(encoding="utf-8")
PROGRAMS = (FOLDER / "kernel_programs.mjs").read_text(encoding="utf-8")
MACHINE = re.compile(
    r"\b(?:Number|parseInt|parseFloat|Math|JSON|asIntN|asUintN|toFixed|toPrecision|valueOf)\b(?! at )"
    r"|Float\d\d|Int(?:8|16|32)|>>>|~~|[^|]\|\s*0\b"  # views and tricks that make 32 bits of a number
    r"|(?:[=(,?:&|!~+*/%<>{};\[-]|\breturn)\s*\+(?![+=])\s*[\w(\[]"  # a unary plus
    r"|\b\d+\.\d|\b\d+e\d"  # a literal that is no integer
)
LISTED = {
    "return Number(value);": "asIndex, behind a limit of 2^26: the one way to an index",
    "return 4 * hex.length - Math.clz32(parseInt(hex[0], 16)) + 28;": "one hexadecimal digit",
    "result += String.fromCharCode(parseInt(digits, 16));": "four hexadecimal digits of an escape",
    "shaped(!object.has(key), `the key ${JSON.stringify(key)} twice`);": "a message",
    "const key = JSON.stringify([kinds.map(({ name, count, spelled, of, names }) =>": "texts, numbers among them",
}


def machine_lines(source: str) -> list[str]:
    """Lines that match, comments and texts in quotes left out."""
    found = []
    for line in source.splitlines():
        bare = re.sub(r'(?:^|\s)//.*|"(?:[^"\\]|\\.)*"', "", line)
        found += [line.strip()] if MACHINE.search(bare) else []
    return found


def test_every_machine_number_is_listed() -> None:
    assert sorted(machine_lines(KERNEL)) == sorted(LISTED)
    assert machine_lines(PROGRAMS) == machine_lines((FOLDER / "kernel_runs.mjs").read_text(encoding="utf-8")) == []
    assert {path.name for path in FOLDER.glob("*.mjs")} == {"kernel.mjs", "kernel_programs.mjs", "kernel_runs.mjs"}


def test_the_way_to_an_index_has_a_limit() -> None:
    (body,) = re.findall(r"const INDEX_MOST = (.*);\nfunction asIndex\(value\) \{\n(.*)\n(.*)\n\}", KERNEL)
    assert body == ("1n << 26n", '  within(value, INDEX_MOST, "an index");', "  return Number(value);")


def test_a_new_line_would_be_noticed_and_a_text_or_a_comment_not() -> None:
    for line in ("const offset = Number(column);", "return +value;", "const low = value >>> 0;", "const half = 0.5;"):
        source = KERNEL.replace("  return Number(value);\n", f"  return Number(value);\n  {line}\n")
        assert machine_lines(source).count(line) == 1
    for line in ('const why = "Number(value)";', "// Math.floor(x)", "a += 1;", "const c = a + b;"):
        assert machine_lines(line) == []
