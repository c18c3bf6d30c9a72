"""Constructions that hold: the weights of C1 to C7 and of words, proved by the project and certified."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial

from constructions import c1, c2, c3, c4, c5, c6, c7, words
from separation.proving import Construction, construction_certificate, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes
from tools.corpus.entries import TOOL, Document, Entry

Build = Callable[[], Construction]


def stored(construction: Construction) -> Construction:
    """The same with every row table written out."""
    model = construction.model
    tables = {name: getattr(model, name).stored() for name in ("positions", "tokens", "unembedding")}
    return replace(construction, model=replace(model, **tables))


BUILDS: dict[str, tuple[Build, str]] = {
    "c1-m2": (
        lambda: c1.build(Sizes(2, ())),
        "C1, one table of two entries: the worked example of docs/certificates.md",
    ),
    "c1-m3": (lambda: c1.build(Sizes(3, ())), "C1, a size that is no power of two"),
    "c1-m5": (lambda: c1.build(Sizes(5, ())), "C1, three bits of address"),
    "c1-m2-n1": (lambda: c1.build(Sizes(2, (1,))), "C1, two tables, a digit without bits"),
    "c1-m2-n2": (lambda: c1.build(Sizes(2, (2,))), "C1, two tables"),
    "c1-m2-n1-n1": (lambda: c1.build(Sizes(2, (1, 1))), "C1, three tables"),
    "c1-m3-n2-n4": (lambda: c1.build(Sizes(3, (2, 4))), "C1, three tables of different sizes"),
    "c1-m8-n8-n8": (lambda: c1.build(Sizes(8, (8, 8))), "C1, 586 tokens and 2^5025 inputs: nothing is enumerated"),
    "c1-hot": (lambda: c1.build(Sizes(2, ()), temperature=40), "C1 with τ = 40: other keys weigh next to nothing"),
    "c1-wide-precision": (lambda: c1.build(Sizes(2, ()), bits=80, score_bits=70), "C1 with P = 70 and p = 80"),
    "c1-stored": (lambda: stored(c1.build(Sizes(3, (2,)))), "C1, all row tables stored"),
    "c1-m4-stored": (lambda: stored(c1.build(Sizes(4, ()))), "C1, stored: the row of 3 is that of 1 and 2 together"),
    "c2-rf-linear": (lambda: c2.build(Sizes(2, ()), "RF", "linear"), "C2, normalised linear attention, then full"),
    "c2-fr-linear": (lambda: c2.build(Sizes(2, ()), "FR", "linear"), "C2, full, then normalised linear attention"),
    "c2-rf-delta": (lambda: c2.build(Sizes(3, ()), "RF", "delta"), "C2, a gated delta rule, then full"),
    "c2-rff-linear": (lambda: c2.build(Sizes(2, (2,)), "RFF", "linear"), "C2, two tables"),
    "c2-rff-delta": (lambda: c2.build(Sizes(2, (1,)), "RFF", "delta"), "C2, two tables, a gated delta rule"),
    "c2-frf-delta": (lambda: c2.build(Sizes(2, (2,)), "FRF", "delta"), "C2, a gated delta rule between full layers"),
    "c3-m3": (lambda: c3.build(Sizes(3, ())), "C3, linear attention alone: a feature for each entry"),
    "c3-m2-n1": (lambda: c3.build(Sizes(2, (1,))), "C3, two tables"),
    "c3-m2-n2": (lambda: c3.build(Sizes(2, (2,))), "C3, two tables, features at two variables"),
    "c3-stored": (lambda: stored(c3.build(Sizes(5, ()))), "C3, all row tables stored"),
    "c4-m3": (lambda: c4.build(Sizes(3, ())), "C4, attention both ways, one table"),
    "c4-m2-n1": (
        lambda: c4.build(Sizes(2, (1,))),
        "C4, attention both ways: readers in a table have hops of their own",
    ),
    "c4-m2-n2-n2": (lambda: c4.build(Sizes(2, (2, 2))), "C4, three tables in fewer layers than C1 needs"),
    "c5-hops-linear": (lambda: c5.build(Sizes(2, (1,)), "RF", "linear"), "C5, a chain of thought in the style hops"),
    "c5-hops-delta": (lambda: c5.build(Sizes(2, (2,)), "RF", "delta"), "C5, hops, with a gated delta rule"),
    "c5-hops-one-table": (lambda: c5.build(Sizes(3, ()), "RF", "linear"), "C5, hops, one table: nothing is read again"),
    "c5-addresses-linear": (lambda: c5.build(Sizes(2, (1,)), "FR", "linear"), "C5, a chain of thought of addresses"),
    "c5-addresses-delta": (lambda: c5.build(Sizes(2, (2,)), "FR", "delta"), "C5, addresses, with a gated delta rule"),
    "c5-addresses-one-table": (lambda: c5.build(Sizes(2, ()), "FR", "linear"), "C5, addresses, one table: no thought"),
    "c5-records": (lambda: c5.build(Sizes(2, (1,)), "F"), "C5, a chain of thought of records, one full layer"),
    "c5-records-m2-n2": (lambda: c5.build(Sizes(2, (2,)), "F"), "C5, records of two variables with bits"),
    "c5-records-stored": (lambda: stored(c5.build(Sizes(2, (2,)), "F")), "C5, records, all row tables stored"),
    "c6-n3-m5": (lambda: c6.build(TwoSumSizes(3, 5)), "C6, 2-Sum by one full layer, with a mirrored segment"),
    "c6-n1-m3": (lambda: c6.build(TwoSumSizes(1, 3)), "C6, one token: never a match"),
    "c6-large": (lambda: c6.build(TwoSumSizes(10**6, 2**40 + 1)), "C6, a million tokens modulo 2^40 + 1"),
    "c7-n5-m3-b2": (lambda: c7.build(TwoSumSizes(5, 3), 2, 1), "C7, 2-Sum by a sparse layer with two heads"),
    "c7-n7-m5-b3": (lambda: c7.build(TwoSumSizes(7, 5), 3, 2), "C7, blocks of three tokens, three heads"),
    "c7-block-1": (lambda: c7.build(TwoSumSizes(3, 5), 1, 0), "C7, blocks of one token: summaries are the tokens"),
    "c7-one-block": (lambda: c7.build(TwoSumSizes(2, 3), 3, 7), "C7, a block longer than the prompt"),
    "word-frrff": (lambda: words.build_word("FRRFF", Sizes(2, ())), "a word with idle layers"),
    "word-rfrf-delta": (lambda: words.build_word("RFRF", Sizes(2, (1,)), "delta"), "a word with an idle delta rule"),
    "word-ffff": (lambda: words.build_word("FFFF", Sizes(2, (1,))), "a word with an idle full layer at its end"),
    "word-rrf": (lambda: words.build_word("RRF", Sizes(2, ())), "a word whose second R is idle"),
}


@cache
def _text(name: str) -> str:
    one = BUILDS[name][0]()
    return json.dumps(construction_certificate(one, prove(one.model, one.stages, one.shape), TOOL))


def base(name: str) -> Document:
    """The certificate of a construction; a fresh copy."""
    document: Document = json.loads(_text(name))
    return document


def entries() -> Iterator[Entry]:
    for name, (_, why) in BUILDS.items():
        yield Entry(name, "construction", "accept", why, "prove", partial(base, name))
