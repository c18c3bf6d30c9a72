"""How long a prompt may be for a type of floats to be certified, construction by construction."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Unpack

from constructions import SEARCHES
from separation.arithmetic import number_to_json
from separation.files import InputError
from separation.numeric import DTYPES, PATHS, arithmetic_of, prove_floats, refined
from separation.proving import Construction, Proof, prove
from separation.proving.proof import Progress
from separation.tasks.catalogue import prompt_tokens
from separation.verbs.options import FUNCCOMP_SIZES, TWO_SUM_SIZES, Options, chosen_construction

MOST_TOKENS = 1 << 40
STATE_TOKENS = 1 << 8
"""C3 writes out a feature for each table entry: larger sizes are slow to prove."""
LEVELS = 3

CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("C1", {}),
    ("C2", {"word": "RFFF"}),
    ("C2", {"word": "FRFF", "family": "delta"}),
    ("C3", {}),
    ("C4", {}),
    ("C5", {"word": "RF"}),
    ("C5", {"word": "FR", "family": "delta"}),
    ("C5", {"word": "F"}),
    ("C6", {}),
    ("C7", {"block": 4}),
)


@dataclass(frozen=True)
class CertifiedRow:
    """The longest prompt certified for each type, on one path; ``most``: the longest that was tried."""

    construction: str
    variant: str
    path: str
    most: int
    tokens: dict[str, int | None]

    def document(self) -> dict[str, Any]:
        found = {name: None if count is None else number_to_json(count) for name, count in self.tokens.items()}
        return {**vars(self), "most": number_to_json(self.most), "tokens": found}


@dataclass(frozen=True)
class CertifiedReport:
    """All constructions, both paths."""

    rows: tuple[CertifiedRow, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        return True

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok, "rows": [row.document() for row in self.rows], "seconds": self.seconds}


def certified_table(progress: Progress | None = None) -> CertifiedReport:
    """The longest certified prompt of every construction at L = 3, for every type, on both paths."""
    start, rows = time.perf_counter(), []
    jobs = [(name, variant, path) for name, variant in CASES for path in PATHS]
    for place, (name, variant, path) in enumerate(jobs):
        most = STATE_TOKENS if name == "C3" else MOST_TOKENS
        tokens = {}
        for number, dtype in enumerate(DTYPES):
            if progress is not None:
                progress((place + number / len(DTYPES)) / len(jobs), f"{name}, {path}, {dtype}")
            tokens[dtype] = largest_certified(name, dtype, path, most, **_levels(name), **variant)
        reached = prompt_tokens(_built(name, _exponent(most), _key(_levels(name) | variant))[0].sizes)
        rows.append(CertifiedRow(name, " ".join(map(str, variant.values())), path, reached, tokens))
    return CertifiedReport(tuple(rows), time.perf_counter() - start)


def largest_certified(
    construction: str, dtype: str, path: str = "rows", most: int = MOST_TOKENS, **options: Unpack[Options]
) -> int | None:
    """The longest prompt, about a power of two up to ``most``, at which every answer is proved right in this type.

    By bisection over the powers: bounds grow with the length. None if the shortest is not certified.
    """
    variant = {key: value for key, value in options.items() if key not in _SIZES or key == "L"}
    low, high = _least(construction), _exponent(most)
    arithmetic = arithmetic_of(dtype, path)

    def certified(exponent: int) -> int | None:
        subject, proof = _built(construction, exponent, _key(variant))
        return prompt_tokens(subject.sizes) if prove_floats(subject, proof, arithmetic).ok else None

    found = certified(high)
    if found is not None:
        return found
    best = certified(low)
    while best is not None and high - low > 1:
        middle = (low + high) // 2
        reached = certified(middle)
        low, high, best = (low, middle, best) if reached is None else (middle, high, reached)
    return best


_SIZES = (*FUNCCOMP_SIZES, *TWO_SUM_SIZES)


@lru_cache(maxsize=64)
def _built(name: str, exponent: int, variant: tuple[tuple[str, Any], ...]) -> tuple[Construction, Proof]:
    """The refined construction at about 2^exponent tokens, and its proof."""
    options: Any = dict(variant)
    options["length" if name.upper() in SEARCHES else "tokens"] = 1 << exponent
    subject = refined(chosen_construction(name, None, options))
    proof = prove(subject.model, subject.stages, subject.shape)
    if not proof.ok:
        raise InputError(f"{name} is not proved at {prompt_tokens(subject.sizes)} tokens")
    return subject, proof


def _levels(name: str) -> dict[str, Any]:
    return {} if name in SEARCHES else {"L": LEVELS}


def _least(name: str) -> int:
    return 2 if name.upper() in SEARCHES else 1


def _exponent(tokens: int) -> int:
    return max(2, tokens.bit_length() - 1)


def _key(variant: Any) -> tuple[tuple[str, Any], ...]:
    return tuple(sorted((key, value) for key, value in variant.items() if value is not None))


def table_lines(report: CertifiedReport) -> Iterator[str]:
    """The table of docs/numeric.md."""
    yield "| construction | path | " + " | ".join(DTYPES) + " |"
    yield "|---|---|" + "---|" * len(DTYPES)
    for row in report.rows:
        name = f"{row.construction} {row.variant}".strip()
        cells = [count_text(row.tokens[dtype], row.most) for dtype in DTYPES]
        yield f"| {name} | {row.path} | " + " | ".join(cells) + " |"


def count_text(tokens: int | None, most: int) -> str:
    """A number of tokens; ≥ where nothing longer was tried."""
    if tokens is None:
        return "none"
    text = f"{tokens:,}" if tokens < 1 << 24 else f"2^{tokens.bit_length() - 1}"
    return f"≥ {text}" if tokens >= most else text
