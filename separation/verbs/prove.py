"""`prove`: the proof for all inputs at given sizes, of a construction or of a user's model file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Unpack

from constructions import BY_RUNNING, IN_COQ
from separation.arithmetic import number_to_json
from separation.files import InputError, require_writable, write_together
from separation.models import Model
from separation.progress import Progress, silent
from separation.proving import (
    Certified,
    Construction,
    Proof,
    Refutation,
    certified_proof,
    exhaustive_certificate,
    refute,
    wrong_certificate,
)
from separation.proving.certificates import certificate_text
from separation.proving.construction import model_file_content
from separation.proving.proof import Search
from separation.tasks import Instance, TaskSizes, prompt_tokens, task_of
from separation.tasks.checks import shown
from separation.verbs.options import Certificate, File, ModelFile, Name, Option, Options, refuse
from separation.verbs.report import (
    MARKS,
    Parts,
    Report,
    Unbroken,
    count,
    facts_table,
    marked,
    named,
    table_of,
    timed,
    written,
)
from separation.verbs.solve import SolveReport, instance_lines, solved
from separation.verbs.subjects import about, chosen_construction, compiled_program, tokens_note

EXAMPLES = (
    "prove C1 --L 8 --tokens 1048576",
    "prove induction --sizes n=512,V=16",
    "prove recall --word RF",
    "prove FILE.py:program",
    "prove --model model.json --out certificate.json",
    "prove induction --sizes n=4,V=2 --exhaustive --out all.json",
)
SECONDS = 3.0
"""For the search after a proof that failed."""
MAX_ROWS = 40


@timed
def prove(
    construction: Name = None,
    *,
    model: ModelFile = None,
    path: Annotated[str, "How look-ups are proved: closed, general or both."] = "closed",
    out: Certificate = None,
    write_model: Annotated[File, "Write weights and invariants here, in the form that --model reads."] = None,
    seconds: Annotated[
        float, Option("After a failed proof: seconds to search for an input with a wrong answer.", min=0)
    ] = SECONDS,
    exhaustive: Annotated[
        bool, "Run every input instead, and count the right answers: also of a model no rule knows."
    ] = False,
    work: Annotated[int, Option("With --exhaustive: how many times the kernel's usual work may be done.", min=1)] = 1,
    progress: Progress = silent,
    **options: Unpack[Options],
) -> ProveReport | CountedReport:
    """Prove a construction by name (or by its word) at given sizes, one that is already built, or that of a model file.

    Where no invariants are stated, the strongest that the rules give are inferred, and the certificate carries them.
    It is proved if the kernel accepts its certificate, which ``out`` then gets; ``write_model`` gets the weights and
    invariants themselves. After a failure the search for an input with a wrong answer takes about ``seconds``; ``out``
    then gets the certificate of a wrong answer, if there is one. With ``exhaustive``, and of C1.squares, C8 and C9, the
    kernel runs every input.
    """
    if not (isinstance(seconds, int | float) and math.isfinite(seconds) and seconds >= 0):
        raise InputError(f"seconds must be a number that is finite and at least 0, got {shown(seconds)}")
    wanted, written = require_writable(out, write_model)
    compiled = compiled_program(construction, options) if model is None else None
    subject = compiled.construction if compiled else chosen_construction(construction, model, options)
    if exhaustive or (model is None and subject.name in BY_RUNNING):
        unused = {"path": path != "closed", "seconds": seconds != SECONDS, "write_model": write_model}
        refuse("running every input", unused)
        subject = compiled.as_written if compiled else subject
        try:
            counted = exhaustive_certificate(subject, work, progress)
        except InputError as error:
            raise InputError(
                "; ".join([str(error), *([IN_COQ[subject.name]] if subject.name in IN_COQ else [])])
            ) from None
        write_together({} if wanted is None else {wanted: certificate_text(counted)})
        return CountedReport(subject, counted["claim"], wanted)
    refuse("a proof without --exhaustive", {"work": work != 1})
    if not subject.task.states_invariants:
        refuse("a program", {"path": path != "closed"})
    found = compiled.prove() if compiled else certified_proof(subject, path, progress)
    subject = found.construction
    files: dict[Path, bytes | str] = {}
    if written is not None:
        files[written] = model_file_content(written, subject)
    failed = found.verdict == "not proved"
    refutation = refute(subject, seconds, found.proof.failures, progress=progress) if failed else None
    wrong = None if refutation is None else refutation.instance
    wrong_run = None if wrong is None else solved(subject, wrong)
    certificate = found.certificate if wrong is None else _certificate_of(subject, wrong)
    if wanted is not None and certificate is not None:
        files[wanted] = certificate_text(certificate)
    write_together(files)
    note = tokens_note(options.get("tokens"), subject.task.plain_sizes)
    how = (refutation, wrong_run, written, note)
    form = compiled.forms if compiled and found.ok else ""
    return ProveReport(subject, found, wanted, *how, is_written=certificate is not None, form=form)


def _certificate_of(subject: Construction, wrong: Instance) -> dict[str, Any] | None:
    """That this input is answered wrongly; None if it is too large for the kernel to run."""
    try:
        return wrong_certificate(subject, subject.task.prompt(wrong).tolist())
    except InputError:
        return None


class CountedReport(Report):
    """In place of a proof: the kernel has run every input, and counted the right answers."""

    construction: Construction
    counted: dict[str, Any]
    out: Path | None = None
    certified = True

    @property
    def ok(self) -> bool:
        return bool(self.counted["right"] == self.counted["answers"])

    @property
    def verdict(self) -> str:
        return "right on every input" if self.ok else "not right on every input"

    @property
    def margin(self) -> Fraction | None:
        return None if self.counted["margin"] is None else Fraction(self.counted["margin"])

    def facts(self) -> dict[str, Any]:
        counts = {key: self.counted[key] for key in ("inputs", "answers", "right", "margin")}
        return {"verdict": self.verdict, **about(self.construction), **counts, "certificate": self.out}

    def parts(self) -> Parts:
        right, answers, inputs = (int(self.counted[key]) for key in ("right", "answers", "inputs"))
        run = f"each of the {inputs:,} inputs of {self.construction.task.title} was run in exact arithmetic"
        said = f"{right:,} of {answers:,} answers are right ({self.verdict}); {run}, {self.seconds:.1f} s"
        yield marked(self.ok, f"{self.construction.name}: {said}")
        if self.margin is not None:
            yield f"  the right logit is above every other one by at least {self.margin}"
        if self.ok and self.construction.name in IN_COQ:
            yield f"  {IN_COQ[self.construction.name]}"
        yield written("certificate", self.out)


class ProveReport(Report):
    """A proof with its certificate, what it is about and how long it took.

    ``wanted``: where the certificate was to be written, which is done if there is one (``out``). ``model_file``: where
    the weights were written. ``note``: why the prompt is longer than asked for. ``is_written``: there is a certificate,
    of the proof or of the wrong answer. ``form``: how a program finds the best of several matches.
    """

    construction: Construction
    found: Certified
    wanted: Path | None = None
    refutation: Refutation | None = None
    wrong_run: SolveReport | None = None
    model_file: Path | None = None
    note: str | None = None
    is_written: bool = False
    form: str = ""

    @property
    def counterexample(self) -> Instance | None:
        """An instance that the model answers wrongly, if the proof failed and one was found."""
        return None if self.refutation is None else self.refutation.instance

    @property
    def ok(self) -> bool:
        """What was asked for holds: it is proved, or holds by enumeration and nobody wanted a certificate."""
        return self.certified or (self.verdict == "holds by enumeration" and self.wanted is None)

    @property
    def certified(self) -> bool:
        """Has the kernel accepted the certificate of this very claim?"""
        return self.found.ok

    @property
    def verdict(self) -> str:
        """proved, holds by enumeration, refuted (there is a counterexample), or not proved."""
        return self.found.verdict if self.counterexample is None else "refuted"

    @property
    def sentence(self) -> str:
        """The verdict with its reason; and, where a certificate was wanted and there is none, that."""
        missing = self.proof.ok and not self.certified and self.wanted is not None
        return self.found.sentence + (f"; {self.wanted} is not written" if missing else "")

    @property
    def proof(self) -> Proof:
        return self.found.proof

    @property
    def margin(self) -> Fraction | None:
        return self.proof.margin

    @property
    def out(self) -> Path | None:
        """Where the certificate was written."""
        return self.wanted if self.is_written else None

    def facts(self) -> dict[str, Any]:
        model, proof = self.construction.model, self.proof
        return {
            "verdict": self.verdict,
            "certified": self.certified,
            "reason": self.found.reason or None,
            "inferred": self.found.inferred,
            **about(self.construction),
            **named(model, "width", "heads"),
            "layers": len(model.layers),
            "parameters": model.parameters,
            "precision_bits": {"P": model.precision.score_bits, "p": model.precision.bits},
            "integral": model.is_integral,
            "state_bits": proof.state_bits,
            "inputs_covered_log2": _log2_inputs(self.construction.sizes) if self.certified else None,
            "margin": proof.margin,
            "leak": float(proof.leak),
            "path": proof.path,
            "look_ups": [
                {**named(step, "layer", "head", "kind"), "reads": step.match.fact.kind}
                | {"at": step.match.fact.address, "leak": float(step.match.leak)}
                for step in proof.look_ups
            ],
            "searches": [
                {**named(each, "layer", "head", "offset"), "leak": float(each.leak)} for each in proof.searches
            ],
            "states": [named(state, "layer", "head", "entries", "bits") for state in proof.states],
            "failures": proof.causes(self.construction.shape),
            **(self.refutation or Refutation()).document(),
            "certificate": self.out,
            **named(self, "model_file", "note"),
            "form": self.form or None,
        }

    def parts(self) -> Parts:
        """The claim, then one line for each look-up of the answer's token, then what failed."""
        model, proof, task = self.construction.model, self.proof, self.construction.task
        layers = f"{count(len(model.layers), 'layer')} {model.word}"
        weights, bits = "integer weights" if model.is_integral else "rational weights", model.precision
        log2 = _log2_inputs(self.construction.sizes)
        many = f"2^{log2:,.1f} (every input)" if isinstance(log2, float) else f"2^{log2}"
        every = "every input, of every length" if task.is_endless else "every input"
        leak = f"{proof.path}; other keys weigh at most {float(proof.leak):.3g} × the match"
        inferred = "inferred: none were stated (separation infer shows them)"
        yield facts_table(
            [
                ("construction", self.construction.name),
                ("task", task.title),
                ("prompt", f"{prompt_tokens(self.construction.sizes):,} tokens"),
                ("", self.note),
                ("model", f"{layers}, {count(model.heads, 'head')}, width {model.width}"),
                ("numbers", f"{weights}, P = {bits.score_bits}, p = {bits.bits}"),
                ("best of several", self.form or None),
                ("recurrent states", _states_text(proof, model)),
                ("invariants", inferred if self.found.inferred else None),
                ("inputs covered", None if not self.certified else every if log2 is None else many),
                ("margin of the logit", str(self.margin) if proof.ok else None),
                ("path", leak if proof.ok and task.states_invariants else None),
                ("time", f"{self.seconds:.2f} s"),
            ]
        )
        yield from self._look_ups()
        yield from self._failure()
        if proof.ok:
            yield marked(self.ok, self.sentence)
        yield written("certificate" if self.certified else "certificate of the wrong answer", self.out)
        yield written("weights and invariants", self.model_file)

    def _look_ups(self) -> Parts:
        """What the answering tokens read, layer by layer; for 2-Sum, what the heads search."""
        readers = {emission.reader for emission in self.construction.shape.emissions}
        steps = []
        for step in self.proof.look_ups:
            fact, leak = step.match.fact, f"≤ {float(step.match.leak):.3g}"
            leak = "0 (exact)" if step.match.path == "exact" else leak
            if step.kind in readers:
                steps.append((step.layer, step.kind, fact.kind, ", ".join(fact.address) or "its only token", leak))
        searches = _search_rows(self.proof.searches)
        if steps:
            yield table_of("layer", "token", "reads", "at", "other keys / match", rows=steps[:MAX_ROWS])
        if searches:
            yield table_of("layer", "head", "searches for M − x in", "other keys / match", rows=searches[:MAX_ROWS])
        if hidden := max(0, len(steps) - MAX_ROWS) + max(0, len(searches) - MAX_ROWS):
            yield f"… and {hidden} more (--json lists all)"

    def _failure(self) -> Parts:
        """The first cause, how many more obligations fail, and the wrong answer or where none was found."""
        causes = self.proof.causes(self.construction.shape)
        for failure in causes[:1]:
            yield f"{MARKS[False]} {failure}"
        if len(causes) > 1:
            yield f"  {count(len(causes) - 1, 'more obligation')} not met; --json lists them"
        if self.verdict in ("proved", "holds by enumeration"):
            return
        yield f"{MARKS[False]} {(self.refutation or Refutation(message='no time was given')).words}"
        if self.wrong_run is not None:
            yield from (Unbroken(f"  {line}") for line in instance_lines(self.wrong_run.instance))
            yield from self.wrong_run.run_parts()


def _log2_inputs(task: TaskSizes) -> float | int | str | None:
    """log2 of the number of inputs; its floor, exact, where a float would not do; None where it is not known."""
    log2 = task_of(task).inputs_log2()
    return log2 if log2 is None or log2 < 2**53 else number_to_json(task.inputs_log2_floor())


def _search_rows(searches: Sequence[Search]) -> list[tuple[str, ...]]:
    """Heads that are alike, but for the token by which they know a block, stand in one row."""
    rows: list[tuple[str, ...]] = []

    def likeness(found: Search) -> tuple[int, Fraction, int | None]:
        return found.layer, found.leak, None if found.offset is None else found.offset - found.head

    for (layer, leak, ahead), alike in groupby(searches, likeness):
        heads = [found.head for found in alike]
        where = "all tokens up to its own"
        if ahead is not None:
            first, last = heads[0] + ahead, heads[-1] + ahead
            which = f"token {first}" if first == last else "token h" if not ahead else f"tokens {first} to {last}"
            where = f"summaries ({which} of each block), opened blocks, its own block"
        which = str(heads[0]) if len(heads) == 1 else f"h = {heads[0]} to {heads[-1]}"
        rows.append((str(layer), which, where, f"≤ {float(leak):.3g}"))
    return rows


def _states_text(proof: Proof, model: Model) -> str | None:
    """The rules for programs say nothing of the bits of a state: its entries alone are counted."""
    held = [head.state_entries for layer in model.layers for head in layer.stateful_heads]
    if not held:
        return None
    bits = "not on a grid" if proof.state_bits is None else count(proof.state_bits, "bit")
    return f"{count(sum(held), 'entry')} in {count(len(held), 'head')}" + (f", {bits}" if proof.states else "")
