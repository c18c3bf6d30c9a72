"""What is no certificate: texts that are no JSON of this dialect, wrong keys, wrong types, shapes that do not fit. And
texts that look odd and are certificates all the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tools.corpus.bounds import BASES
from tools.corpus.constructions import base
from tools.corpus.entries import Document, Entry, Path, changed, matrix, written

GOOD = written(BASES["a"])


def replaced(old: str, new: str) -> bytes:
    """The bound a, with a part of its text written in another way."""
    assert GOOD.count(old.encode()) == 1, old
    return GOOD.replace(old.encode(), new.encode())


def beta(value: str) -> bytes:
    return replaced('"beta":3', f'"beta":{value}')


TEXTS: list[tuple[str, str, Callable[[], bytes], str]] = [
    ("empty", "malformed", lambda: b"", "an empty file"),
    ("white-space", "malformed", lambda: b" \n\t ", "no value"),
    ("half", "malformed", lambda: GOOD[:-3], "the last bracket is missing"),
    ("trailing-text", "malformed", lambda: GOOD + b"x", "text behind the value"),
    ("two-values", "malformed", lambda: GOOD + GOOD, "two values"),
    ("byte-order-mark", "malformed", lambda: b"\xef\xbb\xbf" + GOOD, "a byte order mark"),
    ("not-utf8", "malformed", lambda: GOOD.replace(b"corpus", b"corp\xffs"), "bytes that are no UTF-8"),
    ("utf16", "malformed", lambda: GOOD.decode().encode("utf-16-le"), "another encoding"),
    ("a-list", "malformed", lambda: b"[]", "no object"),
    ("a-number", "malformed", lambda: b"7", "no object"),
    ("repeated-key", "malformed", lambda: replaced('"tool"', '"kind":"bound","tool"'), "a key twice"),
    ("repeated-key-inside", "malformed", lambda: beta('3,"beta":3'), "a key twice, inside, with the same value"),
    ("trailing-comma", "malformed", lambda: replaced('"free_start":false', '"free_start":false,'), "a trailing comma"),
    ("comment", "malformed", lambda: GOOD + b"// done\n", "a comment"),
    ("nan", "malformed", lambda: beta("NaN"), "NaN"),
    ("infinity", "malformed", lambda: beta("Infinity"), "Infinity"),
    ("float", "malformed", lambda: beta("3.0"), "a number with a point"),
    ("exponent", "malformed", lambda: beta("3e0"), "a number with an exponent"),
    ("true-for-a-number", "malformed", lambda: beta("true"), "true in place of an integer"),
    ("negative", "malformed", lambda: beta("-3"), "a negative integer"),
    ("leading-zero", "malformed", lambda: beta("03"), "a leading zero"),
    ("null", "malformed", lambda: beta("null"), "null in place of β, for Theorem A"),
    ("string-below-2-53", "malformed", lambda: beta('"3"'), "an integer up to 2^53 as a string"),
    ("string-2-53", "malformed", lambda: beta(f'"{2**53}"'), "2^53 itself as a string"),
    ("number-above-2-53", "malformed", lambda: beta(str(2**53 + 1)), "2^53 + 1 as a number"),
    ("fraction-for-an-integer", "malformed", lambda: beta('"7/2"'), "a fraction in place of an integer"),
    ("zero-denominator", "malformed", lambda: beta('"3/0"'), "division by zero"),
    ("plus-sign", "malformed", lambda: beta('"+9007199254740993"'), "a plus sign"),
    ("other-digits", "malformed", lambda: beta('"' + "٣" * 20 + '"'), "digits of another script"),
    ("spaces-in-a-number", "malformed", lambda: beta('" 9007199254740993"'), "a space in a number"),
    ("control-character", "malformed", lambda: replaced('"corpus"', '"\\u001b[31m"'), "a control character"),
    ("raw-newline", "malformed", lambda: replaced('"corpus"', '"cor\npus"'), "a line break inside a string"),
    ("lone-surrogate", "malformed", lambda: replaced('"corpus"', '"\\ud800"'), "half of a surrogate pair"),
    ("long-tool", "malformed", lambda: replaced('"corpus"', f'"{"x" * 201}"'), "a text of 201 characters"),
    ("deep", "malformed", lambda: replaced('"corpus"', "[" * 10_000 + "]" * 10_000), "10,000 lists in each other"),
    ("tool-200", "accept", lambda: replaced('"corpus"', f'"{"x" * 200}"'), "a text of 200 characters is allowed"),
    ("escaped", "accept", lambda: replaced('"bound"', '"\\u0062ound"'), "an escape in a string is that character"),
    ("order", "accept", lambda: written(dict(reversed(BASES["a"].items()))), "the order of keys means nothing"),
    ("spaces", "accept", lambda: json.dumps(BASES["a"], indent=3).encode() + b"\r\n\t ", "white space between values"),
    ("minus-zero", "accept", lambda: replaced("[5,5]", "[5,-0]"), "-0 is the integer 0"),
    ("string-above-2-53", "reject", lambda: beta(f'"{2**53 + 1}"'), "not shown: 2^53 + 1 is a string, and β too large"),
]
CHANGES: list[tuple[str, str, Path, Any, str]] = [
    ("schema", "bound", ("schema",), "separation.certificate/2", "an unknown schema"),
    ("schema-missing", "bound", ("schema",), None, "null in place of the schema"),
    ("kind", "bound", ("kind",), "theorem", "an unknown kind"),
    ("kind-of-another", "bound", ("kind",), "pair", "a bound that says it is a pair: other keys"),
    ("unknown-key", "bound", ("more",), 1, "an unknown key"),
    ("unknown-key-inside", "bound", ("claim", "more"), 1, "an unknown key in the claim"),
    ("claim-list", "bound", ("claim",), [], "a claim that is no object"),
    ("task-unknown", "bound", ("claim", "task", "task"), "two_sum", "another task, with the keys of FuncComp"),
    ("m-one", "bound", ("claim", "task", "m"), 1, "m is at least 2 in a bound"),
    ("n-zero", "bound", ("claim", "task", "n"), [0], "a size of 0"),
    ("x-short", "bound", ("choice", "x"), [16], "one x for two tables"),
    ("x-zero", "bound", ("choice", "x"), [16, 0], "an x of 0"),
    ("free-start-number", "bound", ("choice", "free_start"), 0, "0 in place of false"),
    ("theorem", "bound", ("claim", "theorem"), "E", "an unknown theorem"),
    ("message-key", "bound", ("claim", "message"), {"heads": 1}, "a message without its other keys"),
    ("powers-key", "bound", ("claim", "task", "m"), {"power": [[37, 1]]}, "an object that is no product of powers"),
    ("powers-base", "bound", ("claim", "task", "m"), {"powers": [[0, 1]]}, "a base of 0"),
    ("model-schema", "construction", ("model", "schema"), "separation.model/2", "an unknown schema of the model"),
    ("model-key", "construction", ("model", "name"), "C1", "an unknown key in the model"),
    ("integral-number", "construction", ("claim", "integral"), 1, "1 in place of true"),
    ("margin-float-string", "construction", ("claim", "margin"), "2.0", "a point inside a string"),
    ("attention", "construction", ("model", "attention"), "full", "an unknown attention"),
    ("fraction-over-p", "construction", ("model", "precision", "fraction"), 9, "f is larger than p"),
    ("slot-twice", "construction", ("model", "slots", 1, "name"), "one", "two slots with one name"),
    ("head-type", "construction", ("model", "layers", 0, "heads", 0, "type"), "recurrent", "a type without rules"),
    ("head-key", "construction", ("model", "layers", 0, "heads", 0, "normalised"), False, "a key of another type"),
    ("shape", "construction", ("model", "layers", 0, "heads", 0, "W_K", "shape"), [4, 7], "W_K has more rows than W_Q"),
    (
        "entry-outside",
        "construction",
        ("model", "layers", 0, "heads", 0, "W_V", "entries", 0),
        [0, 7, 1],
        "column 7 of 7",
    ),
    (
        "entry-of-two",
        "construction",
        ("model", "layers", 0, "heads", 0, "W_V", "entries", 0),
        [0, 4],
        "an entry without number",
    ),
    ("mlp-key", "construction", ("model", "layers", 0, "mlps", 0, "b_3"), matrix(7, 1, {}), "an unknown key in an MLP"),
    ("gap", "construction", ("model", "positions", "declared", 1, "start"), 3, "a row table with a gap"),
    ("radix-zero", "construction", ("model", "positions", "declared", 1, "radices"), [0], "a radix of 0"),
    (
        "rows-too-many",
        "construction",
        ("model", "tokens", "declared", 1),
        {"start": 2, "radices": [2], "matrix": matrix(7, 2, {})},
        "more rows than ids",
    ),
    ("mirror-even", "construction", ("model", "tokens", "declared", 0, "mirror"), 2, "a mirror image of an even radix"),
    ("symbol", "construction", ("model", "invariants", 1, "w", "forms", 0, 1), "i2.0", "a symbol of no variable"),
    (
        "symbol-of-another",
        "construction",
        ("model", "invariants", 1, "w", "forms", 0, 1),
        "index.0",
        "another kind's own symbol",
    ),
    (
        "symbol-bit",
        "construction",
        ("model", "invariants", 1, "w", "forms", 0, 1),
        "i0.1",
        "a bit that i0 does not have",
    ),
    (
        "form-twice",
        "construction",
        ("model", "invariants", 1, "w", "forms", 0),
        [1, "1", 1],
        "a symbol twice in one row",
    ),
    (
        "radius-negative",
        "construction",
        ("model", "invariants", 1, "z0", "noise", 0, "radius"),
        -1,
        "a negative radius",
    ),
    ("thoughts-both", "construction", ("model", "task", "thoughts"), "plans", "an unknown style of thoughts"),
    ("task-even", "construction", ("claim", "task"), {"task": "two_sum", "length": 3, "modulus": 4}, "an even modulus"),
]
DROPS: list[tuple[str, str, Path, str]] = [
    ("no-tool", "bound", ("tool",), "a missing key"),
    ("no-choice", "bound", ("choice",), "a missing key; null is not the same"),
    ("no-stage", "construction", ("model", "invariants", 2), "one stage of invariants too few"),
    ("no-kind", "construction", ("model", "invariants", 1, "z0"), "a kind without invariant"),
    ("no-bias", "construction", ("model", "layers", 0, "mlps", 0, "b_2"), "an MLP without b_2"),
]


def original(kind: str) -> Document:
    return base("c1-m2") if kind == "construction" else BASES["a"]


def without(kind: str, path: Path) -> Document:
    """A member less."""
    document = changed(original(kind))
    place: Any = json.loads(json.dumps(document))
    top = place
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return dict(top)


def entries() -> Iterator[Entry]:
    for name, expect, make, why in TEXTS:
        yield Entry(name, "text", expect, why, "bound/a.json, written in another way", make)
    of = {"bound": "bound/a.json", "construction": "construction/c1-m2.json"}
    for name, kind, path, value, why in CHANGES:
        made = partial(_put, kind, path, value)
        yield Entry(f"malformed-{name}", kind, "malformed", why, f"{of[kind]}, {'.'.join(map(str, path))}", made)
    for name, kind, path, why in DROPS:
        made = partial(without, kind, path)
        yield Entry(f"malformed-{name}", kind, "malformed", why, f"{of[kind]}, {'.'.join(map(str, path))}", made)


def _put(kind: str, path: Path, value: Any) -> Document:
    return changed(original(kind), (path, value))
