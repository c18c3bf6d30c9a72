"""`design`: the order of layers with the greatest depth for a budget, how many orders reach it, and why others do not.

With f full layers and r ≥ 1 R layers the greatest depth is f, and exactly the orders with an R before the second F
reach it. They begin with R or with FR, so there are C(f+r−1, f) + C(f+r−2, f−1) of them; the other C(f+r−2, f−2) begin
with FF and have depth f − 1.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

from separation.arithmetic import number_to_json
from separation.bounds.known import how_known, with_knowledge
from separation.bounds.word import MAX_LAYERS, Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.verbs.options import require_few_levels

DEFAULT_BITS = 16
FRONT = "an R layer hands z_0 to the query, then the full layers read one table each (C2, R first)"
BEHIND = "z_0's own token reads table 1, the R layer hands i_1 on, then the others read one table each (C2, F first)"
ONLY_FULL = "the first full layer reads z_0, the others read one table each (C1)"


@dataclass(frozen=True)
class OrderClass:
    """All orders that begin alike and have the same depth: how they look, how many they are, an example, and why."""

    name: str
    pattern: str
    example: Word
    orders: int
    why: str
    theorem: str | None = None

    def document(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "pattern": self.pattern,
            "word": str(self.example),
            "depth": self.example.depth,
            "orders": number_to_json(self.orders),
            "why": self.why,
            "theorem": self.theorem,
            "known": None if self.theorem is None else how_known(self.theorem),
        }


@dataclass(frozen=True)
class DesignReport:
    """The best classes of orders for f full layers and r R layers, the others, and what the budget allows."""

    layers: int
    full: int
    recurrent: int
    best: tuple[OrderClass, ...]
    others: tuple[OrderClass, ...]
    limits: tuple[str, ...]
    L: int | None
    kv_bytes_per_layer: int | None
    state_bits: int | None
    seconds: float

    @property
    def depth(self) -> int:
        return self.best[0].example.depth

    @property
    def ok(self) -> bool:
        """L is reached, if one was asked for."""
        return self.L is None or self.depth >= self.L

    @property
    def fewest_full(self) -> int | None:
        """Full layers that are enough for L: L with an R layer among the first, L + 1 without any."""
        return None if self.L is None else self.L + (self.recurrent == 0)

    def document(self) -> dict[str, Any]:
        kv = self.kv_bytes_per_layer
        return {
            "ok": self.ok,
            "layers": self.layers,
            "full": self.full,
            "recurrent": self.recurrent,
            "depth": self.depth,
            "L": self.L,
            "fewest_full": self.fewest_full,
            "orders": number_to_json(sum(entry.orders for entry in self.best)),
            "orders_in_all": number_to_json(math.comb(self.full + self.recurrent, self.full)),
            "kv_bytes": None if kv is None else number_to_json(kv * self.full),
            "state_bits": self.state_bits,
            "limits": list(self.limits),
            "rows": [entry.document() for entry in (*self.best, *self.others)],
            "seconds": self.seconds,
        }


def design(
    *,
    layers: int,
    full: int | None = None,
    L: int | None = None,
    kv_bytes: int | None = None,
    length: int | None = None,
    heads: int | None = None,
    dim: int | None = None,
    bits: int | None = None,
    state_bits: int | None = None,
) -> DesignReport:
    """At most ``layers`` layers, ``full`` of them full, a KV cache of ``kv_bytes`` for ``length`` tokens.

    A full layer keeps 2·heads·dim numbers of ``bits`` bits a token. ``state_bits``: bits of all R states together.
    Without ``full`` there are as many full layers as the cache pays for, and one layer is left for R.
    """
    start = time.perf_counter()
    require_integer("layers", layers, 1, MAX_LAYERS)
    if L is not None:
        require_integer("L", L, 1)
        require_few_levels(L)
    limits: list[str] = []
    per_layer = _bytes_per_full_layer(kv_bytes, length, heads, dim, bits)
    allowed = layers
    if kv_bytes is not None and per_layer is not None:
        allowed = min(layers, kv_bytes // per_layer)
        if allowed == 0:
            raise InputError(
                f"--kv-bytes {kv_bytes} pays for no full layer: one keeps {per_layer} bytes at this length"
            )
        limits.append(f"the cache pays for {allowed} full layer{'s' * (allowed > 1)}, {per_layer:,} bytes each")
    carries = state_bits is None or require_integer("state bits", state_bits, 0) > 0
    if full is None:
        if kv_bytes is None:
            raise InputError("give --full, or --kv-bytes with --length, --heads and --dim")
        full = min(allowed, max(1, layers - 1) if carries else layers)
    require_integer("full", full, 1)
    if full > layers:
        raise InputError(f"{full} full layers do not fit into {layers} layers")
    if full > allowed:
        limits.append(f"of the {full} full layers asked for, {full - allowed} would not fit into the cache")
        full = allowed
    recurrent = layers - full if carries else 0
    if not carries and layers > full:
        limits.append("R layers without state bits carry nothing: they do not count")
    elif recurrent and state_bits is not None:
        limits.append(f"one R layer must carry ⌈log2 m⌉ bits: {state_bits} bits do for m up to 2^{state_bits}")
    best, others = order_classes(full, recurrent)
    seconds = time.perf_counter() - start
    return DesignReport(layers, full, recurrent, best, others, tuple(limits), L, per_layer, state_bits, seconds)


def order_classes(full: int, recurrent: int) -> tuple[tuple[OrderClass, ...], tuple[OrderClass, ...]]:
    """(the classes of greatest depth, the others); their orders add up to C(f+r, f)."""
    f, r = full, recurrent
    if r == 0:
        return (OrderClass("full layers only", f"F{f}" if f > 1 else "F", Word(("F",) * f), 1, ONLY_FULL),), ()
    rest = _spread(f, r)
    front = OrderClass("R first", _pattern("R", f, r - 1), Word(rest), math.comb(f + r - 1, f), FRONT)
    example = ("F", "R", *_spread(f - 1, r - 1))
    behind = OrderClass(
        "F first, then R", _pattern("FR", f - 1, r - 1), Word(example), math.comb(f + r - 2, f - 1), BEHIND
    )
    if f == 1:
        # With one full layer an R layer helps wherever it stands: behind it, too.
        return (front, behind), ()
    why = (
        f"no R layer before the second F: at L = {f} nothing hands z_0 on while the {f} full layers are needed for the"
        f" tables ({with_knowledge('B')}), so the depth is {f - 1}"
    )
    late = Word(("F", "F", *_spread(f - 2, r)))
    return (front, behind), (
        OrderClass("FF first", _pattern("FF", f - 2, r), late, math.comb(f + r - 2, f - 2), why, "B"),
    )


def _spread(full: int, recurrent: int) -> tuple[str, ...]:
    """R layers spread evenly in front of the full ones, as most hybrids have them; those left over stand at the end."""
    if full == 0:
        return ("R",) * recurrent
    each, more = divmod(recurrent, full)
    layers: list[str] = []
    for index in range(full):
        layers += ["R"] * (each + (index < more)) + ["F"]
    return tuple(layers)


def _pattern(begin: str, full: int, recurrent: int) -> str:
    """How the orders of a class look: their beginning, then the rest in any order."""
    rest = [f"{count} {letter}" for count, letter in ((full, "F"), (recurrent, "R")) if count]
    return f"{begin} then {' and '.join(rest)} in any order" if rest else begin


def _bytes_per_full_layer(
    kv_bytes: int | None, length: int | None, heads: int | None, dim: int | None, bits: int | None
) -> int | None:
    """⌈2·heads·dim·bits·length/8⌉; all of them are given, or none."""
    given = {"--kv-bytes": kv_bytes, "--length": length, "--heads": heads, "--dim": dim}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == len(given):
        if bits is not None:
            raise InputError("--bits says how wide cached numbers are: it needs --kv-bytes, --length, --heads, --dim")
        return None
    if missing:
        raise InputError(f"{', '.join(missing)} missing: --kv-bytes, --length, --heads and --dim belong together")
    for name, value in given.items():
        require_integer(name, value, 1)
    width = require_integer("--bits", DEFAULT_BITS if bits is None else bits, 1)
    assert heads is not None
    assert dim is not None
    assert length is not None
    return -(-2 * heads * dim * width * length // 8)
