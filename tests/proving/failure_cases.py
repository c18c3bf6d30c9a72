"""What the prover says about single changes of constructions, recorded: every failure with its place and its text.

    python tests/proving/failure_cases.py          records it anew, in test_prover_failures.json

As with the kernel's verdicts, a record pins texts and behaviour; that the prover is right is shown by other tests.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from checker_cases import REAL, construction, real
from recording import Document, changes, chosen, write

from separation.files import InputError
from separation.proving import construction_from_document, prove

RECORD = Path(__file__).parent / "test_prover_failures.json"
BY_HAND = {"by hand": (2, [1], False), "by hand, stored": (3, [], True)}


@cache
def model(name: str) -> Document:
    """The model's document inside a certificate of `checker_cases`."""
    found = construction(*BY_HAND[name][:2], stored=BY_HAND[name][2]) if name in BY_HAND else real(name)
    return dict(found["model"])


def said(document: Any, path: str = "both") -> list[str]:
    """proved with what was found, refuted with every failure, or unreadable; symbols of noise without their numbers."""
    try:
        one = construction_from_document(document, "changed")
        proof = prove(one.model, one.stages, one.shape, path)
    except InputError as error:
        return ["unreadable", str(error)]
    if not proof.ok:
        return ["refuted", re.sub(r"noise \d+", "noise", "; ".join(map(str, proof.failures)))]
    steps = [f"{s.layer}.{s.head} {s.kind} finds {s.match.fact}, score {s.match.score}" for s in proof.look_ups]
    steps += [str(search) for search in proof.searches] + [str(state) for state in proof.states]
    return ["proved", f"margin {proof.margin}, leak {float(proof.leak):.9g}: {'; '.join(steps)}"]


def record() -> Document:
    result = {}
    for name in (*BY_HAND, *REAL):
        cases = chosen(model(name), said, [changes(model(name))], tried=80, kept=1, seconds=0.6)
        result[name] = {"said": {path: said(model(name), path) for path in ("closed", "both")}, "changes": cases}
        print(f"{name}: {len(cases)} changes", file=sys.stderr)
    return result


if __name__ == "__main__":
    write(RECORD, record())
