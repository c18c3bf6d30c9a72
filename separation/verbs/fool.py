"""`fool`: two inputs that a model cannot tell apart, found and run again.

`fool --sparse`: two inputs of 2-Sum that a block-sparse layer cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, TypedDict, Unpack, cast

from separation.arithmetic import PrecisionOverflow
from separation.bounds import Word, theorem_d
from separation.escaping import quoted
from separation.files import InputError, json_text, require_writable, write_whole
from separation.fooling import (
    Budget,
    Interrupted,
    Search,
    find_pair,
    has_certificate,
    load_model,
    pair_certificate,
    random_subject,
    too_few_bits,
)
from separation.fooling.hybrids import find_hybrid_pair
from separation.fooling.programs import ProgramSearch, find_program_pair
from separation.fooling.sparse import (
    SparseModel,
    SparseShape,
    find_model_pair,
    find_sparse_pair,
    map_certificate,
    random_map,
)
from separation.models import Model
from separation.pieces import sharing
from separation.progress import Progress, silent
from separation.proving import Construction, write_certificate, wrong_certificate
from separation.tasks.checks import require_integer
from separation.tasks.funccomp import Sizes
from separation.tasks.program import ProgramInstance
from separation.tasks.two_sum import TwoSumSizes
from separation.testing.text import write_block
from separation.verbs.options import (
    Choice,
    Dask,
    File,
    Options,
    Seed,
    asked_of,
    flags_given,
    numbers,
    only_given,
    refuse,
)
from separation.verbs.report import MARKS, Markup, Parts, Report, count, named, styled, table_of, timed, written
from separation.verbs.subjects import chosen_construction

EXAMPLES = (
    "fool --word R --L 1 --m 4 --state-bits 6 --seed 0 --out pair.json",
    "fool --word RF --L 2 --m 3 --n 3 --seed 0 --out pair.json",
)
SEARCH_SCHEMA = "separation.search/1"
DEFAULT_WORD = "R"
MAX_THOUGHTS = 64
SHOWN_ENTRIES = 64
SHOWN_NUMBERS = 12
DEFAULT_LAYER = {"block": 3, "summary_bits": 4, "opened": 1, "blocks": 4, "modulus": 11}


class RandomModel(TypedDict, total=False):
    """A random model over F and R, and the tables that it is asked about."""

    word: Annotated[str | None, "Layers of a random model, over F and R (default R)."]
    L: Annotated[int | None, "Number of tables, L >= 1 (default: depth + 1)."]
    m: Annotated[int | None, "Size of table 1 (default: small; R: too large for the state)."]
    n: Annotated[Sequence[int] | None, "n_1,...,n_{L-1} (default: m,m,...; R: 2,2,...).", numbers]
    layer_state_bits: Annotated[int | None, "Bits of one R layer's state."]
    bits: Annotated[int | None, "p, bits of an activation."]
    score_bits: Annotated[int | None, "P, bits of an attention weight (default 4)."]
    family: Annotated[str | None, "Instead of --state-bits: a family listed by recurrences."]
    thoughts: Annotated[int | None, "Tokens of a chain of thought before the answer."]


class SparseLayer(TypedDict, total=False):
    """A random compression map of one block-sparse layer, and the 2-Sum that it is asked."""

    block: Annotated[int | None, "--sparse: tokens in a block (default 3)."]
    summary_bits: Annotated[int | None, "--sparse: bits of a block's summary (default 4)."]
    opened: Annotated[int | None, "--sparse: blocks opened by all heads together (default 1)."]
    blocks: Annotated[int | None, "--sparse: blocks before the query (default 4)."]
    modulus: Annotated[int | None, "--sparse: odd modulus M (default 11)."]


@timed
def fool(
    construction: str | Construction | None = None,
    *,
    model: Annotated[File, "A model file (JSON or .safetensors) instead of a random model."] = None,
    seed: Seed = 0,
    seconds: Annotated[float, "Stop after this many seconds."] = 60.0,
    samples: Annotated[int | None, "Stop after this many inputs."] = None,
    workers: Annotated[int | None, "Processes that share the search (words over R alone; default 1)."] = None,
    dask: Dask = None,
    executor: Executor | None = None,
    out: Annotated[File, "Write the certificate here, or what was tried if there is none."] = None,
    progress: Progress = silent,
    **asked: Unpack[RandomModel],
) -> FoolReport | ProgramFoolReport:
    """Two inputs of FuncComp, or of the model's own program (R layers alone), that a model cannot tell apart: a
    construction, that of a model file, or a seeded random one.

    where a random model has one head a layer: of ``family``, whose precision says its state bits, or else of linear
    attention with at most ``layer_state_bits``. Several processes share a search of words in R alone; the pair is the
    same.
    """
    require_writable(out)
    options = asked_of(RandomModel, asked)
    thoughts = require_integer("thoughts", options.pop("thoughts") or 0, 0, MAX_THOUGHTS)
    if workers is not None:
        require_integer("workers", workers, 1, 64)
    shared = sharing(workers, dask, executor, usual=1)
    budget = _budget(seconds, samples)
    if construction is None and model is None:
        word, options["state_bits"] = options.pop("word"), options.pop("layer_state_bits")
        chosen = Word.parse(DEFAULT_WORD if word is None else word)
        subject, sizes, facts = random_subject(chosen, **options, seed=seed, thoughts=thoughts)
    else:
        if construction is None:
            built = _of_file(model, options)
        else:
            refuse("a construction", {"layer_state_bits": options.pop("layer_state_bits")})
            built = chosen_construction(construction, model, cast(Options, options))
        if not built.task.states_invariants:
            refuse("a program", {"thoughts": thoughts > 0, "workers": workers not in (None, 1), "dask": dask})
            return fool_program(built, seed, budget, out, progress)
        if not isinstance(built.sizes, Sizes):
            raise InputError(f"{built.name}: the task is not FuncComp without thoughts; add --sparse for 2-Sum")
        subject, sizes = built.model, built.sizes
        kind = "model" if construction is None else "construction"
        facts = {kind: built.name, "word": subject.word, "m": sizes.m, "n": list(sizes.n)}
    hybrid = bool(Word.parse(subject.word).full)
    if hybrid and (thoughts or shared["workers"] != 1):
        raise InputError("--thoughts, --workers and --dask are for words in R alone; this one has full layers")
    if subject.positions.height < sizes.length + thoughts:
        raise InputError(f"the model reads {subject.positions.height} tokens; {thoughts} thoughts do not fit")
    more: dict[str, Any] = {}
    with _kept(out, facts):
        if hybrid:
            search, more = _search_hybrid(subject, sizes, seed, budget, progress)
        else:
            search = find_pair(
                subject, sizes, seed=seed, budget=budget, steps=thoughts + 1, progress=progress, **shared
            )
    certificate = None
    if out is not None and search.pair is not None and has_certificate(subject):
        # States are compared after all tables; what full layers tell, after the one that differs.
        certificate = pair_certificate(search.pair, subject, (0, sizes.N[-1] if hybrid else sizes.length - 2))
    return _finished(search, facts, out, certificate, more)


@timed
def fool_sparse(
    *,
    model: str | Path | Construction | None = None,
    seed: int = 0,
    seconds: float = 60.0,
    samples: int | None = None,
    out: File = None,
    progress: Progress = silent,
    **given: Unpack[SparseLayer],
) -> FoolReport:
    """A seeded random compression map of ``summary_bits`` bits, or the S layer of a model file or of a construction,
    against 2-Sum."""
    require_writable(out)
    limits: Any = {"seed": seed, "budget": _budget(seconds, samples), "progress": progress}
    facts: dict[str, Any]
    if model is None:
        B, r, k, g, M = {**DEFAULT_LAYER, **only_given(given)}.values()
        shape, bound = SparseShape(M, B, g, k), theorem_d(M, B, k, g)
        facts = {"block": B, "summary_bits": r, "open": k, "blocks": g, "modulus": M, "seed": seed}
        facts |= {"least_values": bound.values, "least_bits": bound.bits}
        summary = random_map(shape, r, seed)
        with _kept(out, facts):
            found = find_sparse_pair(summary, shape, **limits)
        certificate = map_certificate(found, summary) if out is not None else None
        return _finished(found.search, facts, out, certificate, found.document())
    built = model if isinstance(model, Construction) else _of_file(model, given)
    layer, task = built.model, built.sizes
    if not isinstance(task, TwoSumSizes):
        raise InputError(f"{built.name}: the task is not 2-Sum; leave out --sparse")
    shape = SparseModel(layer, task).shape
    facts = {"model": built.name, "word": layer.word, "length": task.length, "modulus": task.modulus}
    facts |= {"block": shape.block, "blocks": shape.blocks, "open": shape.opened}
    with _kept(out, facts):
        search, unopened = find_model_pair(layer, task, **limits)
    certificate = None
    if out is not None and search.pair is not None and unopened is not None:
        certificate = pair_certificate(search.pair, layer, (unopened * shape.block, (unopened + 1) * shape.block))
    return _finished(search, facts, out, certificate, {"unopened": unopened})


def _budget(seconds: float, samples: int | None) -> Budget:
    return Budget(seconds) if samples is None else Budget(seconds, samples)


def _of_file(path: Any, options: Mapping[str, Any]) -> Construction:
    """The model of a file with its own task: it is taken as it is, whatever the file says of invariants."""
    if given := flags_given(options):
        raise InputError(f"a model file brings its own sizes: leave out {given}")
    model, task = load_model(path)
    return Construction(str(path), task, model)


command = Choice(fool, sparse=("Instead: 2-Sum and one block-sparse layer.", fool_sparse))


@contextmanager
def _kept(out: str | Path | None, facts: dict[str, Any]) -> Iterator[None]:
    """What was tried is written even if the search is interrupted."""
    try:
        yield
    except Interrupted as stopped:
        if out is not None:
            _write_search(out, stopped.search, facts)
        raise


def _finished(
    search: Search,
    facts: dict[str, Any],
    out: File,
    certificate: dict[str, Any] | None,
    more: dict[str, Any] | None = None,
) -> FoolReport:
    """The report, once ``out`` holds the certificate, or what was tried if there is none."""
    if out is not None and certificate is not None:
        write_certificate(out, certificate)
    elif out is not None:
        _write_search(out, search, facts)
    return FoolReport(search, facts, None if out is None else Path(out), certificate is not None, more or {})


def _search_hybrid(
    model: Model, sizes: Sizes, seed: int, budget: Budget, progress: Progress
) -> tuple[Search, dict[str, Any]]:
    """What was found, the levels of the theorem, and whether other weights could solve the task."""
    word = Word.parse(model.word)
    try:
        found = find_hybrid_pair(model, sizes, seed=seed, budget=budget, progress=progress)
    except PrecisionOverflow as error:
        raise too_few_bits(error) from None
    solvable = word.depth >= sizes.L
    construction = ("C1" if word.full > sizes.L else "C2") if solvable else None
    return found.search, {"solvable": solvable, "construction": construction, **found.document()}


def _write_search(out: str | Path, search: Search, facts: dict[str, Any]) -> None:
    """What was tried, and the best so far or the pair, where a certificate would have been."""
    pair = None if search.pair is None else search.pair.document()
    document = {"schema": SEARCH_SCHEMA, "found": search.found, "pair": pair, "subject": facts}
    write_whole(out, json_text({**document, "tried": search.document()}) + "\n")


class FoolReport(Report):
    """The pair, or what was tried; ``subject`` describes the model, ``more`` holds what else is known of the search.

    ``certified``: ``out`` holds a certificate; else what was tried.
    """

    search: Search
    subject: dict[str, Any]
    out: Path | None = None
    certified: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.search.found

    def facts(self) -> dict[str, Any]:
        """A pair is written as it stands in certificates."""
        keys = ("a", "b", "expected_a", "expected_b", "output_a", "output_b", "transcripts_equal", "transcript")
        return {
            "found": self.ok,
            **(dict.fromkeys(keys) if self.search.pair is None else self.search.pair.document()),
            "tried": self.search,
            **self.more,
            "subject": self.subject,
            "certificate": self.out if self.certified else None,
        }

    def parts(self) -> Parts:
        """The model; both inputs side by side; what both look like; the right answers and the model's."""
        facts = self.document()
        shown = {
            name: value for name, value in facts["subject"].items() if value != [] and (name, value) != ("thoughts", 0)
        }
        yield ", ".join(_fact(name, _short(value)) for name, value in shown.items())
        if self.search.pair is not None:
            yield from _pair(facts)
        tried = facts["tried"]
        yield f"{MARKS[self.ok]} {tried['note']}"
        yield f"tried: {tried['method']}, {count(tried['samples'], 'input')}, {tried['seconds']:.2f} s"
        yield from _levels(facts)
        if tried["closest"]:
            closest = tried["closest"]
            yield f"closest: states that agree in {closest['equal_entries']} of {closest['entries']} numbers"
        what = "certificate" if self.certified else "pair, without a certificate," if self.ok else "what was tried"
        yield written(what, self.out)


def _fact(name: str, value: str) -> str:
    """m = 4, 6 tokens, seed 0."""
    words = {"tokens": f"{value} tokens", "distinct": f"distinct: {value}", "precision_bits": value}
    names = {"beta": "β", "lambda": "Λ"}
    equal = f"{names.get(name, name)} = {value}" if name in ("m", "n", *names) else f"{name.replace('_', ' ')} {value}"
    return words.get(name, equal)


def _pair(facts: dict[str, Any]) -> Parts:
    rows = _rows(facts["a"], facts["b"])
    rows.append(("right", str(facts["expected_a"]), str(facts["expected_b"])))
    rows.append(("the model says", _short(facts["output_a"]), _short(facts["output_b"])))
    for message in facts["transcript"] or []:
        where = f"layer {message['layer']}, head {message['head']}" if message["layer"] else "state"
        text = _short(message["numbers"])
        rows.append((where, text, text if facts["transcripts_equal"] else "different"))
    yield table_of("", "input a", "input b", rows=rows)
    if facts.get("unopened") is not None:
        yield f"block {facts['unopened']}, where they differ, is not opened"


def _levels(facts: dict[str, Any]) -> Parts:
    """The theorem's sets, level by level, with what it guarantees; and whether other weights could be right."""
    if facts.get("trial"):
        tables, distinct = (facts["trial"][name] for name in ("tables", "distinct"))
        yield f"last attempt: {count(tables, 'table')} z_L, {count(distinct, 'different transcript')}"
    if facts.get("solvable"):
        yield f"this word can solve the task, with other weights: {facts['construction']}"
    if facts.get("theorem") and not facts["levels_complete"]:
        yield f"the decomposition of Theorem {facts['theorem']} ended before level {len(facts['levels']) + 1}"
    if facts.get("levels"):
        rows = []
        for level in facts["levels"]:
            density, promised = f"2^{level['density_log2']:.1f}", f"2^{level['guaranteed_log2']}"
            inputs = f"{level['inputs']:,}{' sampled' if level['sampled'] else ''}"
            covered = (level["cover"], level["guaranteed"])
            rows.append((level["level"], inputs, level["kept"], density, promised, *covered))
        columns = ("level", "inputs", "look the same", "density", "guaranteed", "cover", "guaranteed")
        yield f"decomposition of Theorem {facts['theorem']}:"
        yield table_of(*columns, right_from=0, rows=rows)


def _rows(a: dict[str, Any], b: dict[str, Any]) -> list[tuple[str, str, str]]:
    """Tables in the order of the prompt; entries that differ in bold."""
    if a["task"] == "two_sum":
        return [("x", *_both(a["x"], b["x"]))]
    count = len(a["tables"])
    rows = [(f"z_{ell}", *_both(a["tables"][ell - 1], b["tables"][ell - 1])) for ell in range(count, 0, -1)]
    return [*rows, ("z_0", str(a["z0"]), str(b["z0"])), ("w", _short(a["w"]), _short(b["w"]))]


def _both(left: list[int], right: list[int]) -> tuple[str, str]:
    """Both lists; of long ones only the entries that differ."""
    differ = [index for index in range(len(left)) if left[index] != right[index]]

    def shown(row: list[int]) -> str:
        if len(row) > SHOWN_ENTRIES:
            shown = (styled("bold", f"{index}↦{row[index]}") for index in differ[:SHOWN_ENTRIES])
            return Markup(", ".join(shown) or "the same")
        return Markup(" ".join(styled("bold", x) if index in differ else str(x) for index, x in enumerate(row)))

    return shown(left), shown(right)


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name} = {part}" for name, part in value.items())
    if not isinstance(value, list):
        return str(value)
    text = ", ".join(str(part)[:24] for part in value[:SHOWN_NUMBERS])
    return f"({text}{', …' if len(value) > SHOWN_NUMBERS else ''})"


@timed
def fool_program(
    subject: Construction, seed: int, budget: Budget, out: str | Path | None = None, progress: Progress = silent
) -> ProgramFoolReport:
    """``out`` gets the certificate that one of the two inputs is answered wrongly."""
    program: Any = subject.sizes
    found = find_program_pair(subject.model, program, seed=seed, budget=budget, progress=progress)
    if out is not None and found.pair is not None:
        write_certificate(out, wrong_certificate(subject, found.pair.wrong))
    return ProgramFoolReport(subject, found, None if out is None or found.pair is None else Path(out))


class ProgramFoolReport(Report):
    """The pair, if there is one, and what was looked at."""

    construction: Construction
    search: ProgramSearch
    out: Path | None = None

    @property
    def ok(self) -> bool:
        return self.search.pair is not None

    def facts(self) -> dict[str, Any]:
        about = {"construction": self.construction.name, "word": self.construction.model.word}
        return {**about, **named(self.search, "pair", "beginnings", "states"), "certificate": self.out}

    def parts(self) -> Parts:
        pair, name = self.search.pair, quoted(self.construction.name)
        begun, states = count(self.search.beginnings, "beginning"), count(self.search.states, "state")
        looked = f"{begun}, {states}, {self.seconds:.1f} s"
        if pair is None:
            yield f"{MARKS[False]} {name}: no two inputs were found that it cannot tell apart ({looked})"
            return
        yield f"{MARKS[True]} {name} is fooled: after token {pair.cut - 1} both inputs have left the same state"
        for ids, due in zip((pair.first, pair.second), pair.due, strict=True):
            for line in write_block(ProgramInstance(pair.program, ids)).split("\n")[1:]:
                yield f"  {line}"
            yield f"  at token {pair.place} it says {pair.said}, due is {due}"
        yield looked
        yield written("certificate", self.out)
