"""Invariants set to what kernel and prover derive: their own rules are run, and what they find is the next claim.

Wherever a rule compares derived forms with a claim (P7), the claim is made from the derived forms: noise as columns of
their own, shared where the rules share it, or boxed, one column for each coordinate. All descriptions of all heads are
followed, and everything derived is kept for a comparison with real runs.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import random
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest
from fuzzed_models import shown
from plain_tables import Document

from separation.files import InputError
from separation.progress import silent
from separation.proving import Invariant, ProofFailed, construction_from_document, inference, kernel
from separation.proving.invariants import stages_to_document
from separation.proving.kernel import MAX_CHOICES, Malformed, Rejected
from separation.proving.prover import watched

Range = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class Derived:
    """Forms of a kind after a layer (0: the embedding), of the stream or of one head's output; `ranges` of noise."""

    layer: int
    kind: str
    head: int | None
    rows: list[dict[Any, Any]]  # symbol -> coefficient; a string is `1` or a bit
    ranges: dict[Any, Range]


@dataclass
class Inferred:
    """What one of the two derived: `layers` of them are complete (−1: not even the embedding)."""

    who: str
    layers: int = -1
    derived: list[Derived] = field(default_factory=list)
    margin: Fraction | None = None
    state_bits: int | None = None
    largest: dict[tuple[int, int], Fraction] = field(default_factory=dict)  # of the state of a head
    integral: bool = False
    stopped: str = ""
    stages: list[Document] = field(default_factory=list)  # invariants as documents, as far as they go

    @property
    def complete(self) -> list[Derived]:
        """What was derived in complete layers."""
        return [part for part in self.derived if part.layer <= self.layers]


def independent(columns: list[dict[int, Any]]) -> bool:
    """Are these columns (row -> number) linearly independent?"""
    solved: dict[int, dict[int, Fraction]] = {}
    for column in columns:
        rest = {row: Fraction(x) for row, x in column.items()}
        for pivot, known in solved.items():
            if factor := rest.get(pivot, Fraction(0)) / known[pivot]:
                rest = {r: rest.get(r, Fraction(0)) - factor * known.get(r, Fraction(0)) for r in {*rest, *known}}
        rest = {row: x for row, x in rest.items() if x}
        if not rest:
            return False
        solved[next(iter(rest))] = rest
    return True


def claim_of(derived: Derived, rng: random.Random) -> Document:
    """An invariant that holds if the derived forms do; as a document."""
    noise = {s: {r: row[s] for r, row in enumerate(derived.rows) if s in row} for s in derived.ranges}
    noise = {s: column for s, column in noise.items() if column}
    constants = [Fraction(row.get("1", 0)) for row in derived.rows]
    columns: list[Document] = []
    if rng.random() < 0.7 and len(noise) <= len(derived.rows) and independent(list(noise.values())):
        for s, column in noise.items():
            low, high = derived.ranges[s]
            for r, c in column.items():
                constants[r] += c * (low + high) / 2
            entries = [[r, shown(c)] for r, c in column.items()]
            columns.append({"radius": shown((high - low) / 2), "column": entries})
    else:
        for r, row in enumerate(derived.rows):
            ends = [sorted((c * derived.ranges[s][0], c * derived.ranges[s][1])) for s, c in row.items() if s in noise]
            low, high = sum(end[0] for end in ends), sum(end[1] for end in ends)
            constants[r] += Fraction(low + high) / 2
            if ends:
                columns.append({"radius": shown(Fraction(high - low) / 2), "column": [[r, 1]]})
    forms = [[r, "1", shown(x)] for r, x in enumerate(constants) if x]
    for r, row in enumerate(derived.rows):
        forms += [[r, s, shown(c)] for s, c in row.items() if isinstance(s, str) and s != "1" and c]
    return {"forms": forms, "noise": columns}


# --- the kernel ---


class KernelInference(kernel.Proof):
    """The kernel's rules; `contain` fills in the claim before it compares."""

    def __init__(self, model: kernel.Model, document: Document, integral: bool, rng: random.Random) -> None:
        super().__init__(model, integral)
        self.inferred, self.rng, self.document = Inferred("kernel", integral=integral), rng, document
        blank = lambda: ([dict[Any, Any]() for _ in range(model.width)], list[Any]())  # noqa: E731
        model.invariants = [[blank() for _ in self.kinds] for _ in range(len(model.layers) + 1)]

    def infer(self) -> Inferred:
        if self.model.task.two_sum and "stored" in self.document["tokens"]:  # P1 takes the claim for granted there
            for form, entries in zip(self.model.invariants[0][0][0], mirrored_embedding(self.document), strict=False):
                form.update(entries)
        try:
            self.inferred.margin = Fraction(self.run())
        except (Rejected, Malformed) as error:
            self.inferred.stopped = str(error)
        self.inferred.state_bits = self.state_bits
        stages = [{} for _ in range(self.inferred.layers + 1)]
        for stage, invariants in zip(stages, self.model.invariants, strict=False):
            for kind, (forms, noise) in zip(self.kinds, invariants, strict=True):
                stage[kind.name] = kernel_document(forms, noise)
        self.inferred.stages = stages
        return self.inferred

    def softmax(self, h: int, head: kernel.Head, x: list[kernel.Forms]) -> kernel.Describe:
        """The least shift that P3 allows, where the document leaves it open."""
        written = self.document["layers"][self.layer - 1]["heads"][h - 1]
        if written["shift"] == "auto":
            q, k, _ = self.project(h, head, x, "QKV")
            pairs = [(q[i], k[j]) for i in range(len(x)) for j in self.visible(i)]
            shift = max((kernel.highest(self.scores(*pair)) for pair in pairs), default=0)
            written["shift"] = shown(shift)
            head = kernel.Head(head.type, head.weights, shift, head.normalised, head.block, head.opened)
            layer = self.model.layers[self.layer - 1]
            layer.heads[h - 1] = head
        return super().softmax(h, head, x)

    def advance(
        self,
        layer: kernel.Layer,
        x: kernel.Forms,
        options: list[list[kernel.Forms]],
        claimed: kernel.Invariant,
    ) -> tuple[kernel.Forms, ...]:
        for head, outputs in enumerate(options):
            self.inferred.derived += [neutral(self, output, head) for output in outputs]
        found, failure = [], None
        for outputs in itertools.islice(itertools.product(*options), MAX_CHOICES):
            blank: kernel.Invariant = ([{} for _ in x], [])
            try:
                super().advance(layer, x, [[output] for output in outputs], blank)
                found.append(blank)
            except Rejected as error:
                failure = failure or error
        if not found:
            raise failure or Rejected("a head without description")
        chosen = found[0] if self.rng.random() < 0.7 else self.rng.choice(found)
        claimed[0][:], claimed[1][:] = chosen
        if self.kind == self.kinds[-1].name:
            self.inferred.layers = self.layer
        return ()

    def contain(self, derived: kernel.Forms, claimed: kernel.Invariant) -> None:
        part = neutral(self, derived)
        self.inferred.derived.append(part)
        document = claim_of(part, self.rng)
        forms, noise = self.model.read_invariant(document, {s for row in part.rows for s in row if isinstance(s, str)})
        claimed[0][:], claimed[1][:] = forms, noise
        super().contain(derived, claimed)
        if self.layer == 0 and self.kind == self.kinds[-1].name:
            self.inferred.layers = 0


def neutral(proof: kernel.Proof, forms: kernel.Forms, head: int | None = None) -> Derived:
    symbols = {s for form in forms for s in form if isinstance(s, kernel.Noise)}
    ranges = {s: (-Fraction(s.radius), Fraction(s.radius)) for s in symbols}
    return Derived(proof.layer, proof.kind, head, [dict(form) for form in forms], ranges)


def kernel_document(forms: kernel.Forms, noise: list[kernel.Noise]) -> Document:
    named = [[r, s, shown(c)] for r, form in enumerate(forms) for s, c in form.items() if isinstance(s, str)]
    columns = [[[r, shown(form[nu])] for r, form in enumerate(forms) if nu in form] for nu in noise]
    pairs = zip(noise, columns, strict=True)
    return {"forms": named, "noise": [{"radius": shown(nu.radius), "column": column} for nu, column in pairs]}


def mirrored_embedding(document: Document) -> list[dict[str, Any]]:
    """2-Sum with stored tokens: forms in the bits of position, x and y, as the project solves for them; P1 compares
    them with all rows, and sees rows that have no such form."""
    rules = inference.Inferring(bare(without_auto(copy.deepcopy(document))), "closed", silent, False)
    (kind,), model = rules.kinds, rules.construction.model
    tokens = inference.mirrored_forms(model.tokens, rules.shape.kinds[0], model.stream)
    try:
        places = rules.rows("positions", rules.model.positions, kind.first, kind.address)
    except ProofFailed:
        return []
    return [kernel.plus(*pair) for pair in zip(tokens, places, strict=True)]


def bare(document: Document) -> Any:
    """The model without invariants; raises InputError where there is no task for the prover (m = 1)."""
    return construction_from_document({k: v for k, v in document.items() if k != "invariants"}, "fuzzed")


def without_auto(document: Document) -> Document:
    """Shifts that no rule came to: any number will do."""
    for layer in document["layers"]:
        for head in layer["heads"]:
            if head.get("shift") == "auto":
                head["shift"] = 0
    return document


def kernel_infers(document: Document, rng: random.Random) -> Inferred:
    """What the kernel derives of a model without invariants; shifts that are open are put into the document."""
    body = {key: value for key, value in document.items() if key != "invariants"}
    tries: list[Inferred] = []
    for integral in (False, True):
        kernel.Work.start()
        filled = without_auto(copy.deepcopy(body))
        model = kernel.Model(filled, proved=False)
        tries.append(KernelInference(model, document, integral, rng).infer())
    without_auto(document)
    plain, whole = tries
    return plain if "integral" in whole.stopped else whole


# --- the prover ---


class ProverInference(inference.Inferring):
    """The project's own inference, which notes all that is derived; some claims are boxes though they need not be, and
    some descriptions not the best."""

    def __init__(self, rng: random.Random, *given: Any) -> None:
        super().__init__(*given)
        self.inferred, self.rng = Inferred(f"prover, {self.path} path"), rng

    def choose(
        self,
        layer: kernel.Layer,
        x: kernel.Forms,
        options: list[list[kernel.Forms]],
        claimed: kernel.Invariant,
    ) -> tuple[kernel.Forms, ...]:
        for head, descriptions in enumerate(options):
            self.inferred.derived += [neutral(self, out, head) for out in descriptions]
        some = list(itertools.islice(itertools.product(*options), MAX_CHOICES)) if self.rng.random() < 0.3 else []
        for chosen in self.rng.sample(some, len(some)):
            with contextlib.suppress(ProofFailed):
                return super().choose(layer, x, [[one] for one in chosen], claimed)
        return super().choose(layer, x, options, claimed)

    def held(self, derived: kernel.Forms) -> Invariant:
        self.inferred.derived.append(neutral(self, derived))
        with pytest.MonkeyPatch.context() as patch:
            if self.rng.random() < 0.3:
                patch.setattr(inference, "_independent", lambda *_: False)
            return super().held(derived)


def prover_infers(document: Document, rng: random.Random, path: str = "closed") -> Inferred:
    """What the prover derives."""
    try:
        run = watched(functools.partial(ProverInference, rng), bare(document), path, silent)  # type: ignore[arg-type]
    except InputError as error:
        return Inferred(f"prover, {path} path", stopped=str(error))
    proof, found = run.proof, run.inferred
    whole = [stage for stage in run.stages if len(stage) == len(run.kinds)]
    found.layers, found.stages = len(whole) - 1, stages_to_document(whole)
    found.stopped = str(proof.failures[0]) if proof.failures else ""
    found.margin, found.state_bits = proof.margin if proof.ok else None, proof.state_bits
    found.largest = {(state.layer, state.head): state.largest for state in proof.states}
    found.integral = proof.integral
    return found
