"""Forged certificates of every kind: true ones with a few changes, alone or together; what is accepted must be true.

What is true `claim_truth` says, which shares no code with the kernel.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from certificate_cases import BOUNDS, CEILINGS, DECISIONS, PAIRS, certificate, verdict
from claim_truth import is_true
from comparison import Violation
from document_mutations import nodes
from fuzzed_models import shown
from kernel_cases import put
from plain_tables import Document

from tools.fuzz.mutations import Mutations

Path_ = tuple[Any, ...]
QUICK = ["by hand", "by hand, stored", "C2 RF linear", "C6", "C7 one block", "C7 block 1"]  # few inputs: a run is short
NAMES = {
    "bound": BOUNDS,
    "decision": DECISIONS,
    "pair": PAIRS,
    "construction": QUICK,
    "ceiling": CEILINGS,
}


def leaves(document: Any) -> list[tuple[Path_, Any]]:
    """Everything in a document that is no object and no list, with its path."""
    return [(path, value) for path, value in nodes(document) if not isinstance(value, dict | list)]


def at(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


def numeric(value: Any) -> bool:
    return type(value) is int or (isinstance(value, str) and value.removeprefix("-").replace("/", "", 1).isdigit())


def other_number(rng: random.Random, document: Document) -> None:
    """Most of the time one of the claim or the choice: a model has many more numbers."""
    found = [path for path, value in leaves(document) if numeric(value) and path[0] not in ("schema", "tool")]
    stated = [path for path in found if path[0] in ("claim", "choice")]
    if found:
        path = rng.choice(stated if stated and rng.random() < 0.7 else found)
        old = Fraction(at(document, path))
        steps = [old + 1, old + 1, old - 1, old - 1, 2 * old, old // 2, -old, old + rng.randint(-5, 5), 0 * old]
        put(document, path, shown(Fraction(rng.choice(steps))))


def anything(rng: random.Random, document: Document) -> None:
    """As the fuzzer of the kernels changes documents: numbers, words, members and their order."""
    Mutations(rng, []).change(document, ("claim", "choice") if rng.random() < 0.7 else ())


def other_sizes(rng: random.Random, document: Document) -> None:
    """The sizes of a task in all places at once, and the number of tokens with them."""
    claim = document["claim"]
    tasks = [claim.get("task"), claim.get("a"), claim.get("b"), document.get("model", {}).get("task")]
    tasks = [task for task in tasks if isinstance(task, dict)]
    if not tasks:
        return
    changes: list[tuple[str, Any]] = []
    for key in ("m", "length", "modulus"):
        if numeric(tasks[0].get(key)):
            changes.append((key, shown(Fraction(tasks[0][key]) + rng.choice([-2, -1, 1, 2]))))
    if isinstance(tasks[0].get("n"), list) and tasks[0]["n"]:
        n = list(tasks[0]["n"])
        place = rng.randrange(len(n))
        if numeric(n[place]):
            n[place] = shown(Fraction(n[place]) + rng.choice([-2, -1, 1, 2]))
            changes.append(("n", n))
    if changes:
        key, value = rng.choice(changes)
        for task in tasks:
            task[key] = copy.deepcopy(value)
    retold(rng, document)


def retold(rng: random.Random, document: Document) -> None:  # noqa: ARG001
    """The number of tokens as it is at the sizes that are claimed now."""
    claim = document["claim"]
    task = claim.get("task")
    if isinstance(task, dict) and claim.get("tokens") is not None and numeric(task.get("m")):
        sizes = [task["m"], *task["n"]] if isinstance(task.get("n"), list) else []
        if sizes and all(map(numeric, sizes)):
            numbers = [int(Fraction(part)) for part in sizes]
            claim["tokens"] = shown(Fraction(sum(itertools.accumulate(numbers, lambda a, b: a * b)) + 2))


def one_table_more(rng: random.Random, document: Document) -> None:
    """A bound or a decision for another L: sizes, Λ and the choice all get longer, or shorter."""
    claim, choice = document["claim"], document.get("choice")
    task = claim.get("task")
    if not isinstance(task, dict) or not isinstance(task.get("n"), list) or not isinstance(choice, dict):
        return
    rows = [task["n"], claim.get("lambda"), choice.get("x")]
    rows += [choice["reached"]] if isinstance(choice.get("reached"), list) else []
    if rng.random() < 0.5:
        for row in rows:
            if isinstance(row, list) and row:
                row.insert(rng.randrange(len(row) + 1), copy.deepcopy(rng.choice(row)))
    else:
        for row in rows:
            if isinstance(row, list) and row:
                row.pop(rng.randrange(len(row)))
    if numeric(claim.get("L")):
        claim["L"] = len(task["n"]) + 1
    retold(rng, document)


def other_theorem(rng: random.Random, document: Document) -> None:
    """A becomes B with a Λ more, B becomes A with one less."""
    claim = document["claim"]
    state_bits = claim.get("lambda")
    if claim.get("theorem") == "A" and isinstance(state_bits, list):
        claim["theorem"] = "B"
        state_bits.insert(0, 0)
    elif claim.get("theorem") == "B" and isinstance(state_bits, list) and state_bits:
        claim["theorem"] = "A"
        state_bits.pop(rng.randrange(min(2, len(state_bits))))
    if isinstance(document.get("choice"), dict):
        document["choice"]["free_start"] = rng.random() < 0.3


def other_layers(rng: random.Random, document: Document) -> None:
    layers = document["claim"].get("layers")
    if isinstance(layers, list):
        place = rng.randrange(len(layers) + 1)
        if rng.random() < 0.5 or not layers:
            layers.insert(place, rng.choice(["F", "R", "FR"]))
        else:
            layers.pop(place % len(layers))


def same_in_both(rng: random.Random, document: Document) -> None:
    """The same entry of both inputs of a pair."""
    claim = document["claim"]
    if isinstance(claim.get("a"), dict | list) and isinstance(claim.get("b"), dict | list):
        found = [path for path, value in leaves(claim["a"]) if numeric(value)]
        if found:
            path, value = rng.choice(found), rng.randint(0, 4)
            for name in "ab":
                try:
                    put(claim[name], path, value)
                except (KeyError, IndexError, TypeError):
                    return


def exchanged_inputs(rng: random.Random, document: Document) -> None:  # noqa: ARG001
    claim = document["claim"]
    for name in ("", "expected_", "output_"):
        if f"{name}a" in claim and f"{name}b" in claim:
            claim[f"{name}a"], claim[f"{name}b"] = claim[f"{name}b"], claim[f"{name}a"]


def other_ceiling(rng: random.Random, document: Document) -> None:
    """A ceiling, or a share of its sum, that is a little lower or higher, down to a step of 2^-40."""
    claim, choice = document["claim"], document.get("choice")
    found: list[tuple[Any, Any]] = [(claim, "ceiling")] if isinstance(claim.get("ceiling"), str) else []
    if isinstance(choice, dict) and isinstance(choice.get("shares"), list):
        found += [(choice["shares"], place) for place in range(len(choice["shares"]))]
    if found:
        where, key = rng.choice(found)
        if numeric(where[key]):
            step = Fraction(rng.choice([-1, -1, -1, 1]), 1 << rng.choice([1, 3, 6, 10, 20, 40]))
            where[key] = str(Fraction(where[key]) * (1 + step))


CHANGES: dict[Callable[[random.Random, Document], None], int] = {
    other_number: 12,
    anything: 9,
    other_sizes: 4,
    retold: 1,
    one_table_more: 3,
    other_theorem: 2,
    other_layers: 3,
    same_in_both: 2,
    exchanged_inputs: 1,
    other_ceiling: 4,
}
EDGES = {
    "bound": [("claim", "beta"), ("claim", "lambda", -1), ("claim", "lambda", 0), ("claim", "summary_bits")],
    "decision": [("claim", "beta"), ("claim", "lambda", -1)],
    "ceiling": [("claim", "beta"), ("claim", "lambda", -1), ("claim", "lambda", 0), ("claim", "summary_bits")],
}
"""What a claim may say less of, but not more: the largest number that the kernel accepts must be true."""


def raised(rng: random.Random, document: Document) -> Document:
    """The largest number in such a place that the kernel accepts."""
    try:
        path = rng.choice(EDGES[document["kind"]])
        if not numeric(at(document, path)):
            return document
    except (KeyError, IndexError, TypeError):
        return document

    def with_number(x: int) -> Document:
        changed: Document = copy.deepcopy(document)
        put(changed, path, shown(Fraction(x)))
        return changed

    low = int(Fraction(at(document, path)))
    step = 1
    while verdict(with_number(low + step)) == "accepted" and step < 1 << 80:
        low, step = low + step, 2 * step
    while step := step // 2:
        if verdict(with_number(low + step)) == "accepted":
            low += step
    return with_number(low) if verdict(with_number(low)) == "accepted" else document


def forged(rng: random.Random) -> tuple[str, Document]:
    kind = rng.choices(list(NAMES), weights=[6, 4, 5, 1, 5])[0]
    name = rng.choice(NAMES[kind])
    document, said = certificate(kind, name), [f"{kind} {name}"]
    for _ in range(rng.choice([1, 1, 1, 2, 2, 3])):
        change = rng.choices(list(CHANGES), weights=CHANGES.values())[0]
        change(rng, document)
        said.append(change.__name__)
        if not isinstance(document["claim"], dict):  # the changes are of what a claim says
            break
    return "; ".join(said), document


def forgery(seed: int) -> Counter[str]:
    """One forged certificate; raises Violation if the kernel accepts what is not true, or breaks down."""
    rng = random.Random(seed)
    name, document = forged(rng)
    kind, before = document["kind"], json.dumps(document)
    try:
        found = verdict(document)
        if found == "accepted" and "powers" not in before and rng.random() < 0.3:
            document = raised(rng, document)
    except Exception as error:
        raise Violation(f"seed {seed} ({name})", f"the kernel breaks down: {error!r}: {before[:2000]}") from error
    if found == "accepted":
        try:
            true = is_true(document)
        except AssertionError:  # the plain evaluator asserts what it compares
            true = False
        if not true:
            raise Violation(f"seed {seed} ({name})", f"the kernel accepts: {json.dumps(document)[:2000]}")
    return Counter({f"{kind} {found}": 1, "forged": 1})
