"""Changes to certificates: numbers where machines round, structure, the parts that a rule reads."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

Document = dict[str, Any]
Place = tuple[Any, int | str]
"""A list or object, and the index or key of one of its members."""

CORPUS = Path(__file__).parents[2] / "corpus"
ROUND = (2**53, 2**63, 2**64, 2**200, 2**2048, 10**18, 10**30)
SYMBOLS = (
    *("1", "i0.0", "i1.0", "w1.0", "index.0", "value.0", "digit.0", "x.0", "y.0", "seen 1/0.0", "i2 at 0 mod 2.0"),
    *("", "1/0", "9" * 5000, "\x1b[2J", "\u202e", "[red]", "<script>", "\\input{x}"),
)
"""Of certificates, and what acts as markup somewhere."""
RULES = {
    "P1": ("positions", "tokens", "unembedding", "radices", "start", "mirror"),
    "P2": ("attention", "task", "kinds", "finds"),
    "P3": ("shift",),
    "P4": ("W_Q", "W_K"),
    "P5": ("W_V", "W_O"),
    "P6": ("mlps", "W_1", "b_1", "W_2", "b_2"),
    "P7": ("noise", "radius", "column"),
    "P8": ("precision", "precision_bits", "integral"),
    "P9": ("normalised", "b_Q", "b_K", "state_bits"),
    "P10": ("W_A", "b_A", "W_B", "b_B"),
    "P11": ("C_K", "C_V", "block", "opened"),
    "programs": ("kinds", "definitions", "example", "answer"),
    "Q1": ("digits", "alphabet", "distinct", "count"),
    "Q4": ("where", "best", "default", "once", "read", "shift"),
    "Q6": ("over", "table", "updates"),
    "bounds": ("choice", "lambda", "beta", "message", "tables", "layers"),
    "pairs": ("transcript", "differ", "output_a", "map", "swaps", "a", "b"),
    "runs": ("inputs", "answers", "right", "input", "place", "said", "margin"),
    "any": ("claim", "model", "choice", "map"),
}
"""Of each rule, the keys whose values it reads; then what the other kinds of certificates are made of."""


def corpus() -> list[Document]:
    """All files that are JSON objects, small ones first; not those that are declined, some of which take seconds."""
    entries = json.loads((CORPUS / "manifest.json").read_text(encoding="utf-8"))
    kept = [entry for entry in entries if entry["kind"] != "text" and entry["expect"] != "decline"]
    texts = sorted(((CORPUS / entry["file"]).read_bytes() for entry in kept), key=len)
    return [json.loads(text) for text in texts]


def places(value: Any, keys: tuple[str, ...] = ()) -> Iterator[Place]:
    """All members of lists and objects; with keys, those with such a key and what is inside them."""
    if isinstance(value, dict | list):
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            here = not keys or key in keys
            if here:
                yield value, key
            yield from places(child, () if here else keys)


class Mutations:
    """Changed certificates from a seed."""

    def __init__(self, rng: Random, bases: list[Document]) -> None:
        self.rng = rng
        self.bases = {rule: [base for base in bases if any(places(base, keys))] for rule, keys in RULES.items()}

    def fresh(self) -> tuple[str, Document]:
        """The name of a rule, and a certificate with a change or a few where that rule reads."""
        rule = self.rng.choice([name for name, bases in self.bases.items() if bases])
        document = copy.deepcopy(self.rng.choice(self.bases[rule]))
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            self.change(document, RULES[rule])
        return rule, document

    def changed(self, document: Document) -> Document:
        """A copy with one more change anywhere."""
        result = copy.deepcopy(document)
        self.change(result, ())
        return result

    def change(self, document: Document, keys: tuple[str, ...]) -> None:
        """One change in place, at a random member that belongs to one of the keys (anywhere without keys)."""
        found = list(places(document, keys)) or list(places(document))
        if not found:
            return
        if self.rng.random() < 0.8:  # what has other keys, or another type, is malformed and leads nowhere
            found = [(holder, key) for holder, key in found if not isinstance(holder[key], dict)] or found
        holder, key = self.rng.choice(found)
        value, draw = holder[key], self.rng.random()
        if isinstance(value, list) and draw < 0.7:
            self.rearrange(value)
        elif isinstance(value, dict) and draw < 0.5:
            self.swap_keys(value)
        elif isinstance(value, int | str) and not isinstance(value, bool) and draw < 0.3:
            other = self.scalar(value)
            for place in [(h, k) for h, k in places(document) if type(h[k]) is type(value) and h[k] == value]:
                place[0][place[1]] = other  # everywhere, so that what must agree still does
        elif draw < 0.9:
            holder[key] = self.scalar(value)
        else:
            other_holder, other_key = self.rng.choice(found)
            holder[key] = copy.deepcopy(other_holder[other_key])

    def rearrange(self, members: list[Any]) -> None:
        """Drops, doubles, repeats often, swaps or reverses members: heads, layers, blocks, entries."""
        if not members:
            return
        at, to, kind = self.rng.randrange(len(members)), self.rng.randrange(len(members)), self.rng.randrange(5)
        if kind == 0:
            del members[at]
        elif kind == 1:
            members.insert(to, copy.deepcopy(members[at]))
        elif kind == 2:
            members[at], members[to] = members[to], members[at]
        elif kind == 3:
            members.reverse()
        else:
            members += [copy.deepcopy(members[at]) for _ in range(self.rng.choice((2, 15, 40)))]

    def swap_keys(self, members: dict[str, Any]) -> None:
        """Two values change places, or one is dropped, or all are written in another order."""
        names = list(members)
        self.rng.shuffle(names)
        if not names:
            return
        kind = self.rng.randrange(3)
        if kind == 0 and len(names) > 1:
            members[names[0]], members[names[1]] = members[names[1]], members[names[0]]
        elif kind == 1:
            del members[names[0]]
        else:
            shuffled = {name: members[name] for name in names}
            members.clear()
            members.update(shuffled)

    def scalar(self, value: Any) -> Any:
        """Another number, symbol, truth value or null."""
        draw = self.rng.random()
        if isinstance(value, bool):
            return not value
        if draw < 0.1:
            return self.rng.choice((None, True, 0.5, -1, "x", [], {}, self.rng.choice(SYMBOLS)))
        if isinstance(value, str) and not value.lstrip("-").replace("/", "").isdigit():
            return self.rng.choice(SYMBOLS)
        if draw < 0.6 and isinstance(value, int):
            return written(value + self.rng.choice((-2, -1, 1, 2, value, -2 * value)))
        if draw < 0.85:
            base = self.rng.choice(ROUND) + self.rng.choice((-2, -1, 0, 1, 2))
            return written(base * self.rng.choice((1, 1, 1, -1)))
        if draw < 0.95:
            above, below = (self.rng.choice((1, 3, 10**4, *ROUND)) + self.rng.randrange(9) for _ in range(2))
            return f"{self.rng.choice(('', '-'))}{above}/{below}"
        if draw < 0.98:
            most = 10 ** self.rng.choice((620, 4000))
            return f"{self.rng.randrange(most)}/{self.rng.randrange(1, most)}"
        return self.rng.choice((None, True, 0, 0.5, "0/1", "-0", [], {}))


def written(number: int) -> int | str:
    """An integer as certificates have it: a string beyond 2^53."""
    return number if abs(number) <= 2**53 else str(number)
