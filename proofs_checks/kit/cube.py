"""The cube lemma by enumeration, and random protocols of two full layers in which the charges of B2c are fixed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from proofs_checks.kit.verdict import require

Token = tuple[Any, ...]


def expected_survivors(alpha: dict[tuple[int, ...], int], v: int, g: int) -> Fraction:
    """E|R| over all z^0, z^1, Y and e, where R are the values at e of tables that α does not tell from Z."""
    total = count = 0
    for zero in product(range(v), repeat=g):
        others = [[value for value in range(v) if value != own] for own in zero]
        for one in product(*others):
            for choice in product((0, 1), repeat=g):
                Z = tuple((zero, one)[bit][place] for place, bit in enumerate(choice))
                for e in range(g):
                    total += len(survivors(alpha, Z, e, v, [(zero[k], one[k]) for k in range(g)]))
                    count += 1
    return Fraction(total, count)


def survivors(alpha: dict[tuple[int, ...], int], Z: tuple[int, ...], e: int, v: int, pairs: list[Any]) -> set[int]:
    """R: tables equal to Z before e, any value at e, one of two behind it, with the same α as Z."""
    behind = product(*pairs[e + 1 :])
    kept = ((*Z[:e], value, *rest) for rest in behind for value in range(v))
    return {table[e] for table in kept if alpha[table] == alpha[Z]}


class Protocol:
    """Two full layers without R: what a token hears is a sum of random functions of sender and receiver, modulo 2^β."""

    def __init__(self, seed: int, beta: int) -> None:
        self.seed, self.beta = seed, beta

    def function(self, layer: int, sender: Any, receiver: Any) -> int:
        text = repr((self.seed, layer, sender, receiver)).encode()
        return int.from_bytes(hashlib.blake2b(text, digest_size=4).digest(), "big") % (1 << self.beta)

    def heard(self, layer: int, senders: Iterable[Any], receiver: Any) -> int:
        return sum(self.function(layer, sender, receiver) for sender in senders) % (1 << self.beta)


Charge = tuple[str, Any]


def charged(run: Protocol, front: list[Token], rest: dict[str, list[Token]], w: Token, name: str) -> Iterator[Charge]:
    """What is fixed about ``front``, the last table and what counts with it: layer 1 into each token behind it (by the
    name of its group) and into w, layer 2 into w, which by then depends on w alone."""
    for group, tokens in rest.items():
        for token in tokens:
            yield group, (token, run.heard(1, front, token))
    yield "layer 1 into w", (name, run.heard(1, front, w))


def output(run: Protocol, tables: list[list[Token]], z0: Token, w: Token) -> int:
    """What w hears in layer 2: the whole prompt is run."""
    prompt = [token for table in tables for token in table] + [z0, w]
    known = [(token, run.heard(1, prompt[:place], token)) for place, token in enumerate(prompt)]
    return run.heard(2, known[:-1], known[-1])


def entries(table: Iterable[int]) -> list[Token]:
    return [("z1", place, value) for place, value in enumerate(table)]


def require_determined(seed: int, m: int, n1: int, dropped: str = "") -> None:
    """B2c at β = 1 and g = v = m without ``dropped``: last tables with equal charges have equal outputs, for all that
    is asked. (A3c is the same argument one table later.)"""
    rng, run, N = Random(seed), Protocol(seed, 1), m * n1
    Z = [rng.randrange(m) for _ in range(m)]
    e = rng.randrange(m)
    pairs = [tuple(rng.sample(range(m), 2)) for _ in range(m)]
    later: list[Token] = [("z1", place, value) for place in range(e + 1, m) for value in pairs[place]]
    tables = [(*Z[:e], value, *rest) for value in range(m) for rest in product(*pairs[e + 1 :])]
    seen: dict[Any, Any] = {}
    for z2 in product(range(N), repeat=N):
        front = [("z2", place, value) for place, value in enumerate(z2)]
        before = entries(Z)[:e]
        groups: dict[str, list[Token]] = {
            "entry e": [("z1", e, value) for value in range(m)],
            "entries behind e": later,
            "z_0": [("z0", e)],
        }
        charges: list[Charge] = []
        answers = {}
        for query in range(n1):
            w = ("w", query)
            charges += charged(run, front, groups, w, str(query))
            alpha: dict[int, list[tuple[int, ...]]] = {}
            for table in tables:
                alpha.setdefault(run.heard(1, [*entries(table), ("z0", e)], w), []).append(table)
            told = run.heard(1, [*entries(Z), ("z0", e)], w) if Z in map(list, tables) else next(iter(alpha))
            knows = (w, (run.heard(1, front, w) + told) % 2)
            above = [
                (token, run.heard(1, [*front, *before][:place], token)) for place, token in enumerate([*front, *before])
            ]
            charges.append(("layer 2 into w", (query, run.heard(2, above, knows))))
            for table in alpha[told]:
                answers[query, table] = output(run, [front, entries(table)], ("z0", e), w)
        key = tuple(charge for charge in charges if charge[0] != dropped)
        require(seen.setdefault(key, answers) == answers, f"seed {seed}: equal charges, and other outputs")
