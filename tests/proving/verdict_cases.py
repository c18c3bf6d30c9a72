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

import numpy as np
from checker_cases import REAL, construction, real
from recording import Change, Document, changes, chosen, write

from separation.bounds import Word
from separation.fooling import find_pair
from separation.fooling.certificate import pair_certificate
from separation.fooling.hybrids import find_hybrid_pair, random_hybrid
from separation.fooling.sparse import MatrixMap, SparseShape, find_sparse_pair, map_certificate
from separation.proving.checker import Malformed, check_certificate
from separation.tasks.funccomp import Sizes

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
    yield "by hand, a fraction", construction(2, [], tau=Fraction(7, 2))
    for name in REAL:
        yield name, real(name)
    sys.path += [str(HERE.parent / "bounds"), str(HERE.parent / "fooling")]
    from test_bounds_certificate import certificates

    yield from certificates().items()
    yield from pairs()


def pairs() -> Iterator[tuple[str, Document]]:
    """Pairs of recurrent, sparse, hybrid and gated models, and of two kinds of maps."""
    from pair_cases import delta_model, map_case
    from test_fooling_certificate import RECURRENT, certificate

    yield from ((f"pair {name}", certificate(name)) for name in (*RECURRENT, "S"))
    yield "pair of a map", map_case()
    shape, summary = SparseShape(5, 2, 3, 1), MatrixMap(np.array([[1, 2]]), 3)
    linear = map_certificate(find_sparse_pair(summary, shape), summary)
    assert linear is not None
    yield "pair of a linear map", linear
    for word, sizes in (("RF", Sizes(2, (2,))), ("F", Sizes(4, ())), ("FR", Sizes(6, ()))):
        made = random_hybrid(Word.parse(word), sizes, 40)
        pair = find_hybrid_pair(made.model, sizes, seed=40).search.pair
        assert pair is not None
        yield f"pair {word}", pair_certificate(pair, made.model, (0, sizes.N[-1]))
    gated = delta_model(Sizes(5, ()), 0)
    found = find_pair(gated, Sizes(5, ()), seed=0).pair
    assert found is not None
    yield "pair of a gated rule", pair_certificate(found, gated, (0, 5))


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
