"""Derived forms against real runs: every coordinate of every token lies where the forms say.

The runs are those of `plain_evaluator`, which shares no code with the project.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from inference import Derived, Inferred, kernel_infers, prover_infers
from naive_model import Imprecise, Vector, times
from plain_evaluator import Case, Runner, Variables
from plain_tables import Document

SHARED = 12  # pairs of coordinates with a common noise symbol that are compared, for each kind and layer


@dataclass(frozen=True)
class Violation(Exception):
    """A run that is not what was derived of it."""

    who: str
    what: str

    def __str__(self) -> str:
        return f"{self.who}: {self.what}"


@dataclass(frozen=True)
class Check:
    """low ≤ Σ weights·x − constant − Σ c·bit ≤ high, for one coordinate x or for two without their common symbol."""

    weights: list[tuple[int, Any]]
    constant: Any
    bits: list[tuple[str, int, Any]]
    low: Any
    high: Any

    def holds(self, x: Vector, variables: Variables) -> bool:
        rest = sum(w * x[r] for r, w in self.weights) - self.constant
        for name, place, c in self.bits:
            rest -= c if variables[name] >> place & 1 else -c
        return bool(self.low <= rest <= self.high)


def checks_of(part: Derived) -> list[Check]:
    """One for each coordinate; and for pairs of coordinates that share a noise symbol, which cancels out."""
    found = [_check([(r, 1)], row, part.ranges) for r, row in enumerate(part.rows)]
    pairs = []
    for s in part.ranges:
        rows = [r for r, row in enumerate(part.rows) if row.get(s)]
        pairs += [(a, b, s) for a, b in itertools.pairwise(rows)]
    for a, b, s in pairs[:SHARED]:
        first, second = part.rows[a], part.rows[b]
        c, d = second[s], -first[s]
        both = {t: c * first.get(t, 0) + d * second.get(t, 0) for t in {**first, **second}}
        found.append(_check([(a, c), (b, d)], both, part.ranges))
    return found


def _check(weights: list[tuple[int, Any]], row: dict[Any, Any], ranges: dict[Any, Any]) -> Check:
    low = high = 0
    bits = []
    for s, c in row.items():
        if s in ranges:
            ends = (c * ranges[s][0], c * ranges[s][1])
            low, high = low + min(ends), high + max(ends)
        elif s != "1":
            name, _, place = s.rpartition(".")
            bits.append((name, int(place), c))
    return Check(weights, row.get("1", 0), bits, low, high)


@dataclass(frozen=True)
class Prepared:
    """The checks of what one of the two derived, by place."""

    found: Inferred
    stream: dict[tuple[int, str], list[Check]]
    heads: dict[tuple[int, int, str], list[Check]]


def prepared(found: Inferred) -> Prepared:
    stream: dict[tuple[int, str], list[Check]] = {}
    heads: dict[tuple[int, int, str], list[Check]] = {}
    for part in found.complete:
        if part.head is None:
            stream.setdefault((part.layer, part.kind), []).extend(checks_of(part))
        else:
            heads.setdefault((part.layer, part.head, part.kind), []).extend(checks_of(part))
    return Prepared(found, stream, heads)


def compare(document: Document, inferred: list[Inferred], rng: random.Random, inputs: int) -> Counter[str]:
    """Runs a model on all inputs or on a sample; raises Violation. What was compared is counted."""
    counts: Counter[str] = Counter()
    layers = max(found.layers for found in inferred)
    for found in inferred:
        counts[f"layers, {found.who}"] += max(found.layers, 0)
        counts[f"answers proved, {found.who}"] += found.margin is not None
    if layers < 0:
        return counts
    everyone = [prepared(found) for found in inferred]
    deepest = next(found for found in inferred if found.layers == layers)
    whole = any(found.integral and found.layers == layers for found in inferred)
    runner = Runner(document, integral=whole)
    for case in runner.task.sample(rng, inputs):
        ids = case.ids + [right for length, right in case.answers[:-1] if length >= len(case.ids)]
        try:
            stages = runner.stages(ids, layers)
        except Imprecise as error:
            raise Violation(deepest.who, f"{error} in a run on {ids}") from None
        counts["runs"] += 1
        for side in everyone:
            _compare_run(side, runner, case, ids, stages, counts)
    for found in inferred:
        _compare_states(found, runner, len(document["layers"]))
    return counts


def _compare_run(
    side: Prepared, runner: Runner, case: Case, ids: list[int], stages: list[list[Vector]], counts: Counter[str]
) -> None:
    found = side.found
    for place, (kind, variables) in enumerate(case.tokens):
        known = variables | {name: seen[place] for name, seen in runner.seen.items() if seen}
        for layer in range(found.layers + 1):
            for check in side.stream[layer, kind]:
                counts["coordinates"] += 1
                if not check.holds(stages[layer][place], known):
                    raise Violation(found.who, f"layer {layer}, {kind}: token {place} of {ids}: {check}")
        for (layer, head, name), checks in side.heads.items():
            if name == kind:
                said = runner.outputs[layer, head][place]
                for check in checks:
                    counts["coordinates"] += 1
                    if not check.holds(said, known):
                        where = f"layer {layer}, head {head}, {kind}"
                        raise Violation(found.who, f"{where}: output at token {place} of {ids}: {check}")
    if found.margin is not None:
        for length, right in case.answers:
            logits = times(runner.answers, stages[-1][length - 1])
            lead = logits[right] - max((x for v, x in enumerate(logits) if v != right), default=Fraction(0))
            counts["answers"] += 1
            if lead < found.margin:
                raise Violation(found.who, f"the answer to {ids} leads by {lead}, proved is {found.margin}")


def _compare_states(found: Inferred, runner: Runner, layers: int) -> None:
    """The values that states took: as many as the bits can tell apart, and none above the largest."""
    if found.layers < layers:
        return
    if found.state_bits is not None and runner.state_bits > found.state_bits:
        raise Violation(found.who, f"{runner.state_bits} state bits were used, {found.state_bits} proved")
    for place, largest in found.largest.items():
        values = [abs(x) for where, seen in runner.states.items() if where[:2] == place for x in seen]
        if max(values, default=Fraction(0)) > largest:
            raise Violation(found.who, f"the state of head {place} reached {max(values)}, proved is {largest}")


def examine(document: Document, rng: random.Random, inputs: int, paths: tuple[str, ...] = ("closed",)) -> Counter[str]:
    """Kernel and prover derive, then all is compared with runs; the document gets the shifts that were left open."""
    kernel = kernel_infers(document, rng)
    inferred = [kernel, *(prover_infers(document, rng, path) for path in paths)]
    return compare(document, inferred, rng, inputs) + Counter(models=1)
