"""What the kernel says about small certificates of every kind and about single changes of them, recorded.

    python tests/proving/verdict_cases.py          records it anew, in test_checker_verdicts.json

A record is no argument that a verdict is right: that is the business of the other tests, whose oracles share no code
with the kernel. It pins every text that the kernel says, and makes an unwanted change of behaviour visible.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from checker_cases import REAL, Document, construction, real
from test_checker_mutations import mutations, nodes, put

from separation.proving.checker import Malformed, check_certificate

HERE = Path(__file__).parent
RECORD = HERE / "test_checker_verdicts.json"
RECORDED_BY = "python tests/proving/verdict_cases.py"
SEED, TRIED, OF_ONE_TEXT = 0, 700, 2  # changes tried in the claim and in the model; kept of one text
SLOW = 0.03  # seconds of processor time; a change that takes longer to judge is not kept
Change = tuple[tuple[Any, ...], Any]


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
    yield "by hand, a fraction", construction(2, [], tau=Fraction(7, 2))
    for name in REAL:
        yield name, real(name)
    sys.path += [str(HERE.parent / "bounds"), str(HERE.parent / "fooling")]
    from test_bounds_certificate import certificates

    yield from certificates().items()
    from pair_cases import map_case
    from test_fooling_certificate import RECURRENT, certificate

    yield from ((f"pair {name}", certificate(name)) for name in (*RECURRENT, "S"))
    yield "pair of a map", map_case()


def changes(document: Document) -> Iterator[Change]:
    """Single changes; `mutations` is for what a construction holds, without null and without numbers of 300 digits."""
    for path, value in nodes(document):
        if value is None:
            others: Iterator[Any] = iter((0, 1, [1], {}, "x"))
        elif isinstance(value, str) and value.isdigit() and len(value) > 300:
            others = (str(int(value) + step) for step in (1, -1))
        else:
            others = mutations(value)
        yield from ((path, other) for other in others if other != value)


def template(text: str) -> str:
    return re.sub(r"\d+", "0", text)


def chosen(document: Document, rng: random.Random) -> list[tuple[Change, list[str]]]:
    """Changes with what is said about them: a few of every text, first of all changes of the claim."""
    everything = [change for change in changes(document) if change[0]]
    claims = [change for change in everything if change[0][0] != "model"]
    rest = [change for change in everything if change[0][0] == "model"]
    tried = rng.sample(claims, min(len(claims), TRIED)) + rng.sample(rest, min(len(rest), TRIED))
    kept: Counter[tuple[str, str]] = Counter()
    result = []
    for path, value in tried:
        start = time.process_time()
        verdict, text = said(put(document, path, value))
        key = verdict, template(text)
        if kept[key] < OF_ONE_TEXT and time.process_time() - start < SLOW:
            kept[key] += 1
            result.append(((path, value), [verdict, text]))
    return result


def record() -> Document:
    """Documents, changes and verdicts, as JSON keeps them."""
    rng, result = random.Random(SEED), {}
    for name, base in bases():
        document = json.loads(json.dumps(base))
        cases = [[list(path), value, *verdict] for (path, value), verdict in chosen(document, rng)]
        result[name] = {"document": document, "said": said(document), "changes": cases}
        print(f"{name}: {len(cases)} changes", file=sys.stderr)
    return result


def write(path: Path, make: Callable[[], Document]) -> None:
    lines = [f"{json.dumps(name)}: {json.dumps(case, separators=(',', ':'))}" for name, case in make().items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    write(RECORD, record)
