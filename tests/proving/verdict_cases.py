"""What the kernel says about small certificates of every kind and about single changes of them, recorded.

    python tests/proving/verdict_cases.py          records it anew, in test_checker_verdicts.json

A record is no argument that a verdict is right: that is the business of the other tests, whose oracles share no code
with the kernel. It pins every text that the kernel says, and makes an unwanted change of behaviour visible.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from checker_cases import REAL, construction, real
from recording import Change, Document, changes, chosen, write

from separation.proving.checker import Malformed, check_certificate

HERE = Path(__file__).parent
RECORD = HERE / "test_checker_verdicts.json"
RECORDED_BY = "python tests/proving/verdict_cases.py"


def said(document: Any) -> list[str]:
    """What the kernel makes of a document: accepted, rejected or malformed, and its text."""
    try:
        verdict = check_certificate(document)
    except Malformed as error:
        return ["malformed", str(error)]
    return ["accepted" if verdict.ok else "rejected", verdict.message]


def bases() -> Iterator[tuple[str, Document]]:
    """Certificates that hold, of every kind."""
    for m, n, stored in ((2, [], False), (2, [], True), (3, [], False), (2, [1], False), (1, [2], True)):
        yield f"by hand {m} {n} {stored}", construction(m, n, stored=stored)
    fraction = construction(2, [], tau=Fraction(7, 2))
    fraction["claim"]["integral"] = False
    yield "by hand, a fraction", fraction
    for name in REAL:
        yield name, real(name)
    sys.path.append(str(HERE.parent / "certificates"))
    from certificate_cases import KINDS, certificate

    for kind in ("bound", "decision", "pair"):
        yield from ((f"{kind} {name}", certificate(kind, name)) for name in KINDS[kind])


def groups(document: Document) -> list[list[Change]]:
    """Changes of the claim, then of the model."""
    everything = list(changes(document))
    return [[change for change in everything if (change[0][0] == "model") is inside] for inside in (False, True)]


def record() -> Document:
    """Documents, changes and verdicts, as JSON keeps them."""
    result = {}
    for name, base in bases():
        document = json.loads(json.dumps(base))
        cases = chosen(document, said, groups(document), tried=700, kept=2, seconds=0.15)
        result[name] = {"document": document, "said": said(document), "changes": cases}
        print(f"{name}: {len(cases)} changes", file=sys.stderr)
    return result


if __name__ == "__main__":
    write(RECORD, record())
