"""The inputs of tasks, plainly, and a model on every one of them or on a sample (the run itself: `naive_model`).

Nothing is imported from the project.
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from naive_model import Imprecise, Machine, Number, Place, Vector, floor_exp
from plain_tables import Document

Variables = dict[str, int]


def number(digits: list[int], radices: list[int]) -> int:
    result = 0
    for digit, radix in zip(digits, radices, strict=True):
        result = result * radix + digit
    return result


@dataclass(frozen=True)
class Case:
    """One input: ids of the prompt; kind and variables of each token; after which prefix which id must follow."""

    ids: list[int]
    tokens: list[tuple[str, Variables]]
    answers: list[tuple[int, int]]  # number of tokens, right answer at the last of them


class Known(dict[str, int]):
    """The variables of a token; `iℓ at j mod q` is read off the table when it is asked for."""

    def __init__(self, values: Variables, z: tuple[tuple[int, ...], ...], sizes: list[int]) -> None:
        super().__init__(values)
        self.z, self.sizes = z, sizes

    def __missing__(self, name: str) -> int:
        hop, at, j, mod, q = name.split(" ")
        ell = int(hop[1:])
        assert (at, mod, ell >= 2) == ("at", "mod", True), name
        index = self[f"i{ell - 1}"]
        index += int(j) - index % int(q)
        assert index < self.sizes[ell - 2], name
        return self.z[ell - 1][self[f"w{ell - 1}"] * self.sizes[ell - 2] + index]

    def __or__(self, other: Variables) -> Known:  # type: ignore[override]
        return Known({**self, **other}, self.z, self.sizes)


class FuncComp:
    """The inputs of FuncComp, with the tokens that a right chain of thought puts behind the prompt."""

    def __init__(self, task: Document, both: bool) -> None:
        self.m, self.n, self.both, self.style = task["m"], task["n"], both, task.get("thoughts")
        self.sizes = list(itertools.accumulate([self.m, *self.n], lambda a, b: a * b))
        self.prompt = sum(self.sizes) + 2
        tables, w = len(self.sizes), self.n
        generated = {
            None: [],
            "hops": [(f"hop {e}", [self.sizes[e - 1]]) for e in range(1, tables + 1)],
            "addresses": [(f"address {e}", [w[e - 2], self.sizes[e - 2]]) for e in range(2, tables + 1)],
            "records": [(f"record {e}", [*w, self.sizes[max(e - 1, 0)]]) for e in range(tables + 1)],
        }[self.style]
        self.groups, self.ids = {}, self.sizes[-1] + prod(self.n)
        for name, radices in generated:
            self.groups[name] = self.ids, radices
            self.ids += prod(radices)
        self.answers = self.ids if self.style else self.sizes[-1]
        steps = len(generated) + (self.style == "addresses")
        self.length = self.prompt + max(0, steps - 1)

    @property
    def inputs(self) -> int:
        return self.m * prod(self.n) * prod(size**size for size in self.sizes)

    def sample(self, rng: random.Random, most: int) -> list[Case]:
        """All inputs if these are not more than `most`; else the regular ones (constant tables, the identity, shifts,
        reversals) at random places, and random ones."""
        if self.inputs <= most:
            return list(self.cases())
        styles = [(0, 0), (0, -1), (1, 0), (1, 1), (-1, -1)]  # x ↦ a·x + c: constant, the identity, a shift, a reversal
        found = []
        for number in range(most):
            chosen = [styles[number]] * len(self.sizes) if number < len(styles) else rng.choices([*styles, None], k=9)
            z = tuple(
                tuple(rng.randrange(size) if style is None else (style[0] * x + style[1]) % size for x in range(size))
                for style, size in zip(chosen, self.sizes, strict=False)
            )
            found.append(self.case(z, rng.randrange(self.m), tuple(rng.randrange(radix) for radix in self.n)))
        return found

    def cases(self) -> Iterator[Case]:
        for z in itertools.product(*(itertools.product(range(size), repeat=size) for size in self.sizes)):
            for i0, w in itertools.product(range(self.m), itertools.product(*map(range, self.n))):
                yield self.case(z, i0, w)

    def follow(self, z: tuple[tuple[int, ...], ...], w: tuple[int, ...], ell: int, value: int) -> list[int]:
        """What follows in tables ℓ + 1, …, L after a value of table ℓ (ℓ = 0: after i0)."""
        found = []
        for table in range(ell, len(z)):
            value = z[table][(w[table - 1] * self.sizes[table - 1] if table else 0) + value]
            found.append(value)
        return found

    def case(self, z: tuple[tuple[int, ...], ...], i0: int, w: tuple[int, ...]) -> Case:
        hops = [i0, *self.follow(z, w, 0, i0)]
        named = {f"i{ell}": value for ell, value in enumerate(hops)} | {f"w{ell}": x for ell, x in enumerate(w, 1)}
        common, ids, tokens = Known(named, z, self.sizes), [], []
        for ell in range(len(z), 0, -1):
            below = self.sizes[ell - 2] if ell > 1 else self.m
            for x, value in enumerate(z[ell - 1]):
                own = {"digit": x // below, "index": x % below, "value": value}
                if self.both:
                    own |= {f"h{e}": hop for e, hop in enumerate(self.follow(z, w, ell, value), ell + 1)}
                ids.append(value)
                tokens.append((f"table {ell}", common | own))
        ids += [i0, self.sizes[-1] + number([*w], self.n)]
        tokens += [("z0", common), ("w", common)]
        said = {
            None: [("values", [hops[-1]])],
            "hops": [(f"hop {e}", [hops[e]]) for e in range(1, len(hops))],
            "addresses": [(f"address {e}", [w[e - 2], hops[e - 1]]) for e in range(2, len(hops))],
            "records": [(f"record {e}", [*w, hops[e]]) for e in range(len(hops))],
        }[self.style]
        said += [("values", [hops[-1]])] if self.style == "addresses" else []
        answers = []
        for place, (name, digits) in enumerate(said):
            first, radices = self.groups.get(name, (0, [self.sizes[-1]]))
            answers.append((len(ids) + place, first + number(digits, radices)))
        tokens += [(name, common) for name, _ in said[:-1]]
        return Case(ids, tokens, answers)


class TwoSum:
    """The inputs of 2-Sum; at every token the answer is whether M − x stands at or before it."""

    def __init__(self, task: Document) -> None:
        self.prompt = self.length = task["length"]
        self.ids = self.modulus = task["modulus"]
        self.answers = 2

    @property
    def inputs(self) -> int:
        return (self.modulus - 1) ** self.length

    def sample(self, rng: random.Random, most: int) -> list[Case]:
        """All inputs if these are not more than `most`; else those with few different tokens, and random ones."""
        if self.inputs <= most:
            return list(self.cases())
        few = [rng.sample(range(1, self.modulus), min(k, self.modulus - 1)) for k in (1, 2, 3, self.modulus)]
        return [self.case([rng.choice(few[number % 4]) for _ in range(self.length)]) for number in range(most)]

    def cases(self) -> Iterator[Case]:
        yield from map(self.case, itertools.product(range(1, self.modulus), repeat=self.length))

    def case(self, ids: Sequence[int]) -> Case:
        tokens = [("x", {"position": i, "x": x, "y": self.modulus - x}) for i, x in enumerate(ids)]
        answers = [(i + 1, int(self.modulus - x in ids[: i + 1])) for i, x in enumerate(ids)]
        return Case(list(ids), tokens, answers)


class LookUps:
    """The inputs of a task that its document defines: all rows of ids, of which those are kept that obey it."""

    def __init__(self, task: Document) -> None:
        self.kinds, self.finds, self.answer = task["kinds"], task["finds"], task["answer"]
        self.prompt = self.length = sum(kind["count"] for kind in self.kinds)
        self.sizes = {kind["name"]: {name: size for name, size, _ in kind["token"]} for kind in self.kinds}
        own = {kind["name"]: {"position": kind["count"]} | self.sizes[kind["name"]] for kind in self.kinds}
        for find in self.finds:
            own[find["reader"]] |= {b: own[find["kind"]][a] for a, b in find["as"]}
        self.ids = sum(prod(sizes.values()) for sizes in self.sizes.values())
        self.answers = own[self.kinds[-1]["name"]][self.answer]

    @property
    def inputs(self) -> int:
        rows = prod(prod(self.sizes[kind["name"]].values()) ** kind["count"] for kind in self.kinds)
        return sum(1 for _ in self.cases()) if rows <= 10**5 else rows

    def cases(self) -> Iterator[Case]:
        spelled = [
            (kind, list(itertools.product(*(range(size) for size in self.sizes[kind["name"]].values()))))
            for kind in self.kinds
        ]
        tokens = [(kind, place, values) for kind, values in spelled for place in range(kind["count"])]
        for row in itertools.product(*(values for _, _, values in tokens)):
            found = [
                (kind, {"position": place} | dict(zip(self.sizes[kind["name"]], digits, strict=True)))
                for (kind, place, _), digits in zip(tokens, row, strict=True)
            ]
            if self.obeyed(found):
                yield self.case(found)

    def named(self, found: list[tuple[Document, Variables]], kind: str) -> dict[tuple[int, ...], Variables]:
        """The tokens of a kind by their names."""
        return {tuple(own[n] for n in k["named_by"]): own for k, own in found if k["name"] == kind}

    def obeyed(self, found: list[tuple[Document, Variables]]) -> bool:
        if any(len(self.named(found, kind["name"])) < kind["count"] for kind in self.kinds):
            return False
        asked = [(own[name], of) for kind, own in found for name, _, of in kind["token"] if of is not None]
        return all((value,) in self.named(found, of) for value, of in asked)

    def case(self, found: list[tuple[Document, Variables]]) -> Case:
        for find in self.finds:
            there = self.named(found, find["kind"])
            for kind, own in found:
                if kind["name"] == find["reader"]:
                    token = there[tuple(own[name] for name in find["at"])]
                    own |= {b: token[a] for a, b in find["as"]}
        ids, first = [], 0
        for kind in self.kinds:
            sizes = self.sizes[kind["name"]]
            ids += [first + number([own[n] for n in sizes], list(sizes.values())) for k, own in found if k is kind]
            first += prod(sizes.values())
        last = self.kinds[-1]
        answers = [(i + 1, own[self.answer]) for i, (kind, own) in enumerate(found) if kind is last]
        return Case(ids, [(kind["name"], own) for kind, own in found], answers)


def inputs_of(model: Document) -> Any:
    """The inputs of the model's task; None if that is not of this file."""
    task = model["task"]
    if task["task"] == "funccomp":
        return FuncComp(task, model["attention"] == "both")
    others = {"two_sum": TwoSum, "look_ups": LookUps}
    return others[task["task"]](task) if task["task"] in others else None


class Runner(Machine):
    """Runs a model; asserts that its weights and activations have the declared precision. `states`: for each entry of
    each recurrent state, the values that it took; `seen`: what each search head of 2-Sum saw, token by token;
    `outputs`: what each head of the last run said, token by token."""

    def __init__(self, model: Document, integral: bool = True) -> None:
        super().__init__(model)
        self.integral, self.task = integral, inputs_of(model)
        self.states: defaultdict[tuple[int, ...], set[Number]] = defaultdict(set)
        self.seen: dict[str, list[int]] = {}
        self.outputs: dict[Place, list[Vector]] = {}

    def check(self, layer: int, *parts: list[Vector]) -> None:
        super().check(layer, *parts)
        if self.integral and any((x * 2**self.f).denominator != 1 for rows in parts for row in rows for x in row):
            raise Imprecise("not a multiple of 2^-f")

    def above(self, score: Number, shift: Fraction) -> bool:
        """So far that it weighs more than 2^P."""
        return floor_exp(self.P, score - shift) > 2**self.P

    def blocks(self, tokens: int, size: int) -> int:
        """All that are complete."""
        return tokens // size

    def says(self, place: Place, outputs: list[Vector], reads: list[list[int]], ids: list[int]) -> None:
        self.check(place[0], outputs)
        self.outputs[place] = outputs
        if isinstance(self.task, TwoSum) and reads:
            wanted = [self.task.modulus - x for x in ids]
            found = [int(any(ids[j] == y for j in seen)) for seen, y in zip(reads, wanted, strict=True)]
            self.seen[f"seen {place[0]}/{place[1]}"] = found

    def holds(self, place: Place, state: list[Vector]) -> None:
        super().holds(place, state)
        for a, line in enumerate(state):
            for r, value in enumerate(line):
                self.states[(*place, a, r)].add(value)

    @property
    def state_bits(self) -> int:
        """Bits that tell apart the values that were seen, entry by entry."""
        return sum((len(values) - 1).bit_length() for values in self.states.values())


def word(model: Document) -> str:
    letters = {"full": "F", "linear": "R", "delta": "R", "product": "R", "sparse": "S"}
    parts = ["".join(sorted({letters[head["type"]] for head in layer["heads"]})) for layer in model["layers"]]
    return "".join(part if len(part) < 2 else f"[{part}]" for part in parts)
