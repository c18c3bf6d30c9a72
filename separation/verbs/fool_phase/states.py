"""One R layer and one table: how many bits of state against how large a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import log2

from constructions import build
from separation.files import InputError
from separation.fooling import find_pair, random_recurrent_model
from separation.fooling.budget import Clock, rest
from separation.models import Model
from separation.tasks.funccomp import Sizes

TABLES = (2, 3, 4, 5, 6)
BITS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
SAMPLES = 1 << 17


@dataclass(frozen=True)
class StateRow:
    """A random R layer whose state has ``bits`` bits (at most ``asked``), and a table of m entries; or C3, built.

    where ``compared`` says that all tables were; ``least_bits``: m·log2 m, below which Theorem C guarantees a pair;
    ``stored_bits``: m·⌈log2 m⌉, with which C3 stores the table.
    """

    kind: str
    m: int
    asked: int
    bits: int
    found: bool
    compared: bool
    least_bits: float
    stored_bits: int


def state_rows(seed: int, clock: Clock) -> Iterator[StateRow | None]:
    """None where no random layer of so few bits was found at that size."""
    for m, asked in product(TABLES, BITS):
        sizes = Sizes(m, ())
        try:
            made = random_recurrent_model(1, sizes, asked, seed)
        except InputError:
            yield None
            continue
        yield _row("random", made.model, sizes, asked, sum(made.state_bits), seed, clock)
    for m in TABLES:
        stored = m * (m - 1).bit_length()
        yield _row("C3", build("C3", Sizes(m, ())).model, Sizes(m, ()), stored, stored, seed, clock)


def _row(kind: str, model: Model, sizes: Sizes, asked: int, bits: int, seed: int, clock: Clock) -> StateRow:
    search, m = find_pair(model, sizes, seed=seed, budget=rest(clock, SAMPLES)), sizes.m
    least, stored = round(m * log2(m), 4), m * (m - 1).bit_length()
    return StateRow(kind, m, asked, bits, search.found, search.exhaustive, least, stored)
