"""`fool`: two inputs that a model cannot tell apart, found and run again."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from separation.bounds import Word
from separation.bounds.theorem_c import least_table
from separation.files import InputError, require_writable, write_whole
from separation.fooling import Budget, Interrupted, Search, find_pair, random_recurrent_model
from separation.fooling.certificate import pair_certificate
from separation.fooling.model_file import load_model
from separation.fooling.random_models import LOOKED_AT as STATES_LOOKED_AT
from separation.models import Model
from separation.proving.certificates import write_certificate
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.verbs.fool_hybrid import random_subject, search_hybrid

SEARCH_SCHEMA = "separation.search/1"
DEFAULT_WORD, DEFAULT_STATE_BITS = "R", 6
MAX_THOUGHTS = 64

Progress = Callable[[float, str], None]


@dataclass(frozen=True)
class FoolReport:
    """The pair, or what was tried; ``subject`` says whom it was to fool, ``more`` what else is known of a sparse layer.

    ``certified``: ``out`` holds a certificate; else what was tried.
    """

    search: Search
    subject: dict[str, Any]
    seconds: float
    out: Path | None = None
    certified: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.search.found

    def document(self) -> dict[str, Any]:
        keys = ("a", "b", "expected_a", "expected_b", "output_a", "output_b", "transcripts_equal", "transcript")
        pair = dict.fromkeys(keys) if self.search.pair is None else self.search.pair.document()
        return {
            "ok": self.ok,
            "found": self.ok,
            **pair,
            "tried": self.search.document(),
            **self.more,
            "subject": self.subject,
            "certificate": str(self.out) if self.certified else None,
            "seconds": round(self.seconds, 3),
        }


def fool(
    *,
    word: str | None = None,
    L: int | None = None,
    m: int | None = None,
    n: Sequence[int] | None = None,
    state_bits: int | None = None,
    bits: int | None = None,
    score_bits: int | None = None,
    model: str | Path | None = None,
    thoughts: int = 0,
    seed: int = 0,
    seconds: float = 60.0,
    samples: int | None = None,
    workers: int = 1,
    out: str | Path | None = None,
    progress: Progress | None = None,
) -> FoolReport:
    """Two inputs of FuncComp that a model over F and R cannot tell apart: a seeded random one, or that of a file.

    where ``thoughts`` tokens are generated before the answer (words in R alone), ``bits`` and ``score_bits`` are p and
    P (words with F); ``out`` gets the certificate, or what was tried.
    """
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    require_integer("thoughts", thoughts, 0, MAX_THOUGHTS)
    require_integer("workers", workers, 1, 64)
    budget = Budget(seconds) if samples is None else Budget(seconds, samples)
    if model is None:
        subject, sizes, facts = _random(
            Word.parse(word or DEFAULT_WORD), L, m, n, state_bits, seed, thoughts, bits, score_bits
        )
    else:
        given = {"word": word, "L": L, "m": m, "n": n, "state-bits": state_bits}
        given |= {"bits": bits, "score-bits": score_bits}
        named = [f"--{name}" for name, value in given.items() if value is not None]
        if named:
            raise InputError(f"a model file brings its own sizes: leave out {', '.join(named)}")
        subject, task = load_model(model)
        if not isinstance(task, Sizes):
            raise InputError(f"{model}: the task is not FuncComp without thoughts; add --sparse for 2-Sum")
        sizes, facts = task, {"model": str(model), "word": subject.word, "m": task.m, "n": list(task.n)}
    hybrid = bool(Word.parse(subject.word).full)
    if hybrid and (thoughts or workers != 1):
        raise InputError("--thoughts and --workers are for words in R alone; this one has full layers")
    _require_room(subject, sizes, thoughts)
    more: dict[str, Any] = {}
    try:
        if hybrid:
            search, more = search_hybrid(subject, sizes, seed, budget, progress)
        else:
            search = find_pair(
                subject, sizes, seed=seed, budget=budget, workers=workers, steps=thoughts + 1, progress=progress
            )
    except Interrupted as stopped:
        write_search(out, stopped.search, facts)
        raise
    # States are compared after all tables; what full layers tell, after the one that differs.
    differ = (0, sizes.N[-1] if hybrid else sizes.length - 2)
    certificate = pair_certificate(search.pair, subject, differ) if out and search.pair else None
    return finished(search, facts, start, out, certificate, more)


def finished(
    search: Search,
    facts: dict[str, Any],
    start: float,
    out: str | Path | None,
    certificate: dict[str, Any] | None,
    more: dict[str, Any] | None = None,
) -> FoolReport:
    """The report, once ``out`` holds the certificate, or what was tried if there is none."""
    if out is not None and certificate is not None:
        write_certificate(out, certificate)
    elif out is not None:
        write_search(out, search, facts)
    seconds, path = time.perf_counter() - start, None if out is None else Path(out)
    return FoolReport(search, facts, seconds, path, certificate is not None, more or {})


def _random(
    word: Word,
    L: int | None,
    m: int | None,
    n: Sequence[int] | None,
    state_bits: int | None,
    seed: int,
    thoughts: int,
    p: int | None,
    score_bits: int | None,
) -> tuple[Model, Sizes, dict[str, Any]]:
    """A random model of a word; m is, for R alone, by default so large that Theorem C forbids it to hold the table."""
    if word.full:
        return random_subject(word, L, m, n, state_bits, seed, p, score_bits)
    if p is not None or score_bits is not None:
        raise InputError(f"--bits and --score-bits are for words with F; the word is {word}: give --state-bits")
    bits = DEFAULT_STATE_BITS if state_bits is None else state_bits
    require_integer("state-bits", bits, 1)
    levels = (1 if n is None else len(n) + 1) if L is None else L
    digits = [2] * (levels - 1) if n is None else list(n)
    needed = -(-least_table(bits * len(word.layers)) // max(1, _product(digits)))
    sizes = Sizes.from_lists(levels, max(2, needed) if m is None else m, digits)
    made = random_recurrent_model(len(word.layers), sizes, bits, seed, thoughts + 1)
    facts = {"word": made.model.word, "m": sizes.m, "n": list(sizes.n), "tokens": sizes.length, "seed": seed}
    facts |= {"state_bits": list(made.state_bits), "distinct": f"{made.distinct} states of {STATES_LOOKED_AT} tables"}
    return made.model, sizes, facts | {"thoughts": thoughts}


def _product(numbers: Sequence[int]) -> int:
    result = 1
    for number in numbers:
        result *= max(1, number)
    return result


def _require_room(model: Model, sizes: Sizes, thoughts: int) -> None:
    if model.positions.height < sizes.length + thoughts:
        raise InputError(f"the model reads {model.positions.height} tokens; {thoughts} thoughts do not fit")


def write_search(out: str | Path | None, search: Search, facts: dict[str, Any]) -> None:
    """What was tried, and the best so far, where a certificate would have been."""
    if out is not None:
        document = {"schema": SEARCH_SCHEMA, "found": search.found, "subject": facts, "tried": search.document()}
        write_whole(out, json.dumps(document, separators=(",", ":")) + "\n")
