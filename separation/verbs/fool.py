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
from separation.fooling.certificate import has_certificate, pair_certificate
from separation.fooling.model_file import load_model
from separation.fooling.random_models import LOOKED_AT as STATES_LOOKED_AT
from separation.fooling.random_models import MAX_TOKENS
from separation.models import Layer, Model
from separation.models.heads import STATEFUL, StatefulHead
from separation.models.resume import state_bits as bits_of_state
from separation.protocol import RandomShape, random_model
from separation.proving.certificates import write_certificate
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.verbs.fool_hybrid import random_subject, search_hybrid

SEARCH_SCHEMA = "separation.search/1"
DEFAULT_WORD, DEFAULT_STATE_BITS, DEFAULT_FAMILY_M = "R", 6, 6
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
    family: str | None = None,
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

    where ``family`` asks for a random model of that recurrent family, one head a layer, whose state bits follow from
    its precision (else linear attention with at most ``state_bits``); ``thoughts`` tokens are generated before the
    answer (words in R alone); ``bits`` and ``score_bits`` are p and P (words with F); ``out`` gets the certificate, or
    what was tried.
    """
    start = time.perf_counter()
    if out is not None:
        require_writable(out)
    require_integer("thoughts", thoughts, 0, MAX_THOUGHTS)
    require_integer("workers", workers, 1, 64)
    budget = Budget(seconds) if samples is None else Budget(seconds, samples)
    chosen, precision = Word.parse(DEFAULT_WORD if word is None else word), {"bits": bits, "score_bits": score_bits}
    if model is None and family is not None and state_bits is not None:
        raise InputError("the state bits of a family follow from its precision: leave out --state-bits or --family")
    if model is None and chosen.full:
        subject, sizes, facts = random_subject(chosen, L, m, n, state_bits, seed, family=family, **precision)
    elif model is None:
        if bits is not None or score_bits is not None:
            raise InputError(f"--bits and --score-bits are for words with F; the word is {chosen}: give --state-bits")
        if family is None:
            subject, sizes, facts = _random(chosen, L, m, n, state_bits, seed, thoughts)
        else:
            subject, sizes, facts = _random_family(chosen, family, L, m, n, seed, thoughts)
    else:
        given = {"word": word, "L": L, "m": m, "n": n, "state-bits": state_bits, "family": family}
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
    certificate = None
    if out is not None and search.pair is not None and has_certificate(subject):
        # States are compared after all tables; what full layers tell, after the one that differs.
        certificate = pair_certificate(search.pair, subject, (0, sizes.N[-1] if hybrid else sizes.length - 2))
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
    word: Word, L: int | None, m: int | None, n: Sequence[int] | None, state_bits: int | None, seed: int, thoughts: int
) -> tuple[Model, Sizes, dict[str, Any]]:
    """A random model in R alone; m is by default so large that Theorem C forbids it to hold the last table."""
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


def _random_family(
    word: Word, family: str, L: int | None, m: int | None, n: Sequence[int] | None, seed: int, thoughts: int
) -> tuple[Model, Sizes, dict[str, Any]]:
    """A random model of a recurrent family; its states are rounded to p bits after every token."""
    levels = (1 if n is None else len(n) + 1) if L is None else L
    sizes = Sizes.from_lists(levels, DEFAULT_FAMILY_M if m is None else m, [2] * (levels - 1) if n is None else list(n))
    if sizes.length > MAX_TOKENS:
        raise InputError(f"{sizes.length} tokens; random models are made for at most {MAX_TOKENS}")
    shape = RandomShape(word, sizes.length + thoughts, sizes.vocabulary, sizes.N[-1], heads=1, family=family)
    model = random_model(shape, require_integer("seed", seed, 0))
    held = [sum(bits_of_state(head, model.precision) for head in _stateful(layer)) for layer in model.layers]
    facts = {"word": model.word, "family": family, "m": sizes.m, "n": list(sizes.n), "tokens": sizes.length}
    return model, sizes, facts | {"seed": seed, "state_bits": held, "thoughts": thoughts}


def _stateful(layer: Layer) -> list[StatefulHead]:
    return [head for head in layer.heads if isinstance(head, STATEFUL)]


def _product(numbers: Sequence[int]) -> int:
    result = 1
    for number in numbers:
        result *= max(1, number)
    return result


def _require_room(model: Model, sizes: Sizes, thoughts: int) -> None:
    if model.positions.height < sizes.length + thoughts:
        raise InputError(f"the model reads {model.positions.height} tokens; {thoughts} thoughts do not fit")


def write_search(out: str | Path | None, search: Search, facts: dict[str, Any]) -> None:
    """What was tried, and the best so far or the pair, where a certificate would have been."""
    if out is not None:
        pair = None if search.pair is None else search.pair.document()
        document = {"schema": SEARCH_SCHEMA, "found": search.found, "pair": pair}
        document |= {"subject": facts, "tried": search.document()}
        write_whole(out, json.dumps(document, separators=(",", ":")) + "\n")
