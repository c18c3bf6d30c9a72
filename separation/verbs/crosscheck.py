"""`crosscheck`: torch runs of a construction against exact ones, errors against proved bounds, in any type.

`crosscheck --limits`: how long a prompt may be for each type of floats to be certified, construction by construction.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Unpack

from constructions import FOR_TWO_SUM
from separation.files import InputError
from separation.numeric import DTYPES, PATHS, CrossCheck, arithmetic_of, chosen_device, prove_floats, refined
from separation.numeric import crosscheck as compare
from separation.progress import Progress, silent
from separation.proving import Construction, Proof, certified_proof
from separation.tasks import hard_inputs, prompt_tokens
from separation.verbs.options import Choice, ModelFile, Name, Option, Options, Seed, only_given
from separation.verbs.report import MARKS, Parts, Report, count, facts_table, table_of, timed
from separation.verbs.subjects import FUNCCOMP_SIZES, TWO_SUM_SIZES, chosen_construction

EXAMPLES = ("crosscheck C1 --L 3 --dtype bfloat16", "crosscheck --limits")
MAX_TOKENS = 1 << 22
FAMILY_TOKENS = 1 << 14
"""Longer prompts are sampled only: an adversarial family has a dozen of them."""
INSTANCES = 64
MOST_TOKENS_IN_ALL = 1 << 24
"""More are not held in memory at once."""
SAMPLED_TOKENS = 1 << 20
"""INSTANCES samples unless told otherwise, but no more tokens than these in all."""
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


@timed
def crosscheck(
    construction: Name = None,
    *,
    model: ModelFile = None,
    dtype: Annotated[str, "float64, float32, float16 or bfloat16."] = "float32",
    device: Annotated[str, "auto (CUDA, else MPS, else CPU), cpu, cuda or mps."] = "auto",
    path: Annotated[str, "rows: only what the answer needs, keys in blocks; full: whole matrices."] = "rows",
    instances: Annotated[
        int | None,
        Option(
            help="Random instances (default 64, fewer of long prompts); up to 2^14 tokens adversarial ones are added.",
            min=1,
        ),
    ] = None,
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Unpack[Options],
) -> CrossCheckReport:
    """Seeded samples and all adversarial families through torch and through the exact run."""
    arithmetic_of(dtype, path)
    chosen_device(device)
    subject = chosen_construction(construction, model, options)
    tokens = prompt_tokens(subject.sizes)
    if tokens > MAX_TOKENS:
        raise InputError(f"{tokens} tokens; float runs take at most {MAX_TOKENS}")
    if path == "full" and tokens > FAMILY_TOKENS:
        raise InputError(f"{tokens} tokens; whole matrices are computed up to {FAMILY_TOKENS}, --path rows takes more")
    count = max(1, min(INSTANCES, SAMPLED_TOKENS // tokens)) if instances is None else instances
    if count * tokens > MOST_TOKENS_IN_ALL:
        raise InputError(
            f"{count} instances of {tokens} tokens; at most {MOST_TOKENS_IN_ALL // tokens} of that length are built"
        )
    progress(0.0, "instances")
    prompts, expected = hard_inputs(subject.sizes, seed, count, families=tokens <= FAMILY_TOKENS)
    progress(0.1, f"{len(prompts)} prompts of {tokens} tokens")
    result = compare(subject, prompts, expected, dtype, device, path)
    certified: int | None = tokens
    if result.bound is None:
        progress(0.9, "a size that is certified")
        named = isinstance(construction, str) and subject.task.states_invariants
        certified = largest_certified(str(construction), dtype, path, tokens, **options) if named else None
    return CrossCheckReport(subject, result, certified)


class CrossCheckReport(Report):
    """The comparison; ``certified_tokens``: the longest prompt at which this type and path are certified, as far as
    it was looked for: this one, or a shorter one of the same construction if this one is not."""

    construction: Construction
    result: CrossCheck
    certified_tokens: int | None

    def facts(self) -> dict[str, Any]:
        subject = self.construction
        named = {"construction": subject.name, "word": subject.model.word}
        return {**self.result.document(), **named, "certified_tokens": self.certified_tokens}

    def parts(self) -> Parts:
        """What ran, the errors with their bounds, and the verdict."""
        result, wrong = self.result, count(self.result.mismatches, "wrong answer")
        yield facts_table(
            [
                ("construction", f"{self.construction.name} ({self.construction.model.word})"),
                ("prompts", f"{result.instances} of {count(result.tokens, 'token')}, {wrong}"),
                ("run", f"{result.dtype} on {result.device}, path {result.path}"),
                ("reference", f"{result.reference}; read-outs of {count(result.compared, 'prompt')} compared"),
                ("error of read-outs", _against(result.max_error, result.bound)),
                ("error of logits", _against(result.logit_error, result.logit_bound)),
                ("bound / error", None if result.ratio is None else f"{result.ratio:.1f}"),
                ("time", f"{self.seconds:.2f} s"),
            ]
        )
        if result.bound is None:
            yield f"{MARKS[False]} not certified in {result.dtype}: {result.reason}"
            found = self.certified_tokens
            yield "  no certified size was found" if found is None else f"  certified up to {found:,} tokens"
        if result.outside:
            yield f"{MARKS[False]} {count(result.outside, 'number')} left the proved bounds"
        within = "answers agree, errors stay within proved bounds"
        yield f"{MARKS[self.ok]} {within if self.ok else 'not certified, or outside its bounds'}"


def _against(error: float, bound: float | None) -> str:
    return f"{error:.2e}" + (", no bound" if bound is None else f", proved ≤ {bound:.2e}")


@dataclass(frozen=True)
class CertifiedRow:
    """The longest prompt certified for each type, on one path; ``most``: the longest that was tried."""

    construction: str
    variant: str
    path: str
    most: int
    tokens: dict[str, int | None]

    def cells(self) -> tuple[str, ...]:
        """The name, the path, and a number of tokens for each type."""
        name = f"{self.construction} {self.variant}".strip()
        return name, self.path, *(count_text(self.tokens[dtype], self.most) for dtype in DTYPES)


class CertifiedReport(Report):
    """All constructions, both paths."""

    rows: tuple[CertifiedRow, ...]

    def parts(self) -> Parts:
        """Every construction at L = 3 on both paths: the longest prompt for each type."""
        yield table_of("construction", "path", *DTYPES, rows=[row.cells() for row in self.rows])
        what = "longest prompts, in tokens, all answers proved right"
        yield f"{what} ({self.seconds:.0f} s); ≥: nothing longer was tried"


@timed
def certified_table(progress: Progress = silent) -> CertifiedReport:
    """The longest certified prompt of every construction at L = 3, for every type, on both paths."""
    rows = []
    jobs = [(name, variant, path) for name, variant in CASES for path in PATHS]
    for index, (name, variant, path) in enumerate(jobs):
        most = STATE_TOKENS if name == "C3" else MOST_TOKENS
        options: Any = variant if name in FOR_TWO_SUM else {"L": LEVELS, **variant}
        tokens = {}
        for number, dtype in enumerate(DTYPES):
            progress((index + number / len(DTYPES)) / len(jobs), f"{name}, {path}, {dtype}")
            tokens[dtype] = largest_certified(name, dtype, path, most, **options)
        reached = prompt_tokens(_built(name, most, **options)[0].sizes)
        rows.append(CertifiedRow(name, " ".join(map(str, variant.values())), path, reached, tokens))
    return CertifiedReport(tuple(rows))


command = Choice(
    crosscheck, limits=("Instead: the longest certified prompt of every construction, by dtype.", certified_table)
)


def largest_certified(
    construction: str, dtype: str, path: str = "rows", most: int = MOST_TOKENS, **options: Unpack[Options]
) -> int | None:
    """The longest prompt, about a power of two up to ``most``, at which every answer is proved right in this type.

    By bisection over the powers: bounds grow with the length. None if the shortest is not certified.
    """
    sizes = {*FUNCCOMP_SIZES, *TWO_SUM_SIZES} - {"L"}
    variant: Any = {name: value for name, value in only_given(options).items() if name not in sizes}
    arithmetic = arithmetic_of(dtype, path)

    def certified(exponent: int) -> int | None:
        subject, proof = _built(construction, 1 << exponent, **variant)
        return prompt_tokens(subject.sizes) if prove_floats(subject, proof, arithmetic).ok else None

    low, high = 2 if construction.upper() in FOR_TWO_SUM else 1, max(2, most.bit_length() - 1)
    found = certified(high)
    if found is not None:
        return found
    best = certified(low)
    while best is not None and high - low > 1:
        middle = (low + high) // 2
        reached = certified(middle)
        low, high, best = (low, middle, best) if reached is None else (middle, high, reached)
    return best


@lru_cache(maxsize=64)
def _built(name: str, tokens: int, **variant: Any) -> tuple[Construction, Proof]:
    """The refined construction at about so many tokens, and its proof."""
    length = "length" if name.upper() in FOR_TWO_SUM else "tokens"
    subject = refined(chosen_construction(name, None, {**variant, length: tokens}))  # type: ignore[typeddict-item]
    found = certified_proof(subject)
    if not found.ok:
        raise InputError(f"{name} is not proved at {prompt_tokens(subject.sizes)} tokens: {found.failure}")
    return subject, found.proof


def count_text(tokens: int | None, most: int) -> str:
    """A number of tokens; ≥ where nothing longer was tried."""
    if tokens is None:
        return "none"
    text = f"{tokens:,}" if tokens < 1 << 24 else f"2^{tokens.bit_length() - 1}"
    return f"≥ {text}" if tokens >= most else text
