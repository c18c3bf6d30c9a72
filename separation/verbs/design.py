"""`design`: the order of layers with the greatest depth for a budget, how many orders reach it, and why others do not.

With f full layers and r ≥ 1 R layers the greatest depth is f, and exactly the orders with an R before the second F
reach it. They begin with R or with FR, so there are C(f+r−1, f) + C(f+r−2, f−1) of them; the other C(f+r−2, f−2) begin
with FF and have depth f − 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, Any

from separation.bounds.known import how_known, with_knowledge
from separation.bounds.word import LONGEST_WINDOW, MAX_LAYERS, Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.verbs.options import refuse
from separation.verbs.report import Parts, Report, escape, named, plain, shortened, table_of, timed
from separation.verbs.subjects import require_few_levels
from separation.verbs.typed import Option

HELP = """
Example: separation design --layers 48 --full 6 --L 5

Example: separation design --layers 48 --kv-bytes 4000000000 --length 262144 --heads 8 --dim 128
"""
DEFAULT_BITS = 16
LONGEST_WORD = 28
LARGEST_COUNT = 10**9


@timed
def design(
    *,
    layers: Annotated[int, Option(help="Layers in all.")],
    full: Annotated[int | None, Option(help="How many of them are full.")] = None,
    L: Annotated[int | None, Option(help="Hops that the model should follow.")] = None,
    kv_bytes: Annotated[int | None, Option(help="Bytes of the KV cache ...")] = None,
    length: Annotated[int | None, Option(help="... for a prompt of this many tokens.")] = None,
    heads: Annotated[int | None, Option(help="KV heads of a full layer.")] = None,
    dim: Annotated[int | None, Option(help="Dimension of a KV head.")] = None,
    bits: Annotated[int | None, Option(help="Bits of a cached number (default 16).")] = None,
    state_bits: Annotated[int | None, Option("--state-bits", help="Bits that all R states together may have.")] = None,
    window: Annotated[int | None, Option(help="The layers that are not full are windows of so many tokens.")] = None,
    chunk: Annotated[int | None, Option(help="... or chunks of so many, as in Llama 4.")] = None,
) -> DesignReport:
    """At most ``layers`` layers, ``full`` of them full, a KV cache of ``kv_bytes`` for ``length`` tokens.

    With ``window`` the others are windows in place of R layers, with ``chunk`` chunks.

    A full layer keeps 2·heads·dim numbers of ``bits`` bits a token. ``state_bits``: bits of all R states together.
    Without ``full`` there are as many full layers as the cache pays for, and one layer is left for R.
    """
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
    own = {name: tokens for name, tokens in (("window", window), ("chunk", chunk)) if tokens is not None}
    for name, tokens in own.items():
        require_integer(name, tokens, 2, LONGEST_WINDOW)
        refuse(f"--{name}, which keeps keys and values,", {"layer_state_bits": state_bits})
    refuse("--window", {"chunk": chunk if window is not None else None})
    if chunk is not None:
        limits.append(f"z_0 and w must stand in one chunk of {chunk:,} tokens")
    if window is not None:
        limits.append(
            f"with {window - 1:,} or more tokens between z_0 and w one window hands nothing on (decide --pad)"
        )
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
    letter = next((f"{'WK'[name == 'chunk']}{tokens}" for name, tokens in own.items()), "R")
    best, others = order_classes(full, recurrent, letter)
    return DesignReport(layers, full, recurrent, best, others, tuple(limits), L, per_layer, state_bits, letter)


@dataclass(frozen=True)
class OrderClass:
    """All orders that begin alike and have the same depth: how they look, how many they are, an example, and why."""

    name: str
    pattern: str
    word: Word
    orders: int
    why: str
    theorem: str | None = None

    def document(self) -> dict[str, Any]:
        known = None if self.theorem is None else how_known(self.theorem)
        facts = {**vars(self), "depth": self.word.depth, "known": known}
        return {name: plain(value) for name, value in facts.items()}


@dataclass(frozen=True)
class DesignReport(Report):
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
    letter: str = "R"

    @property
    def depth(self) -> int:
        return self.best[0].word.depth

    @property
    def orders(self) -> int:
        return sum(entry.orders for entry in self.best)

    @property
    def chosen(self) -> Word:
        """Of the orders of greatest depth, which all keep the same bytes, one whose longest run of R is shortest."""
        return Word(spread(self.full, self.recurrent, self.letter, behind=1))

    @property
    def ok(self) -> bool:
        """L is reached, if one was asked for."""
        return self.L is None or self.depth >= self.L

    @property
    def fewest_full(self) -> int | None:
        """Full layers that are enough for L: L with an R layer among the first, L + 1 without any."""
        return None if self.L is None else self.L + (self.recurrent == 0)

    def facts(self) -> dict[str, Any]:
        kv = self.kv_bytes_per_layer
        return {
            **named(self, "layers", "full", "recurrent", "depth", "L", "fewest_full", "orders"),
            "chosen": {"word": str(self.chosen), "longest_run_of_r": longest_run(self.chosen)},
            "orders_in_all": math.comb(self.full + self.recurrent, self.full),
            "kv_bytes": None if kv is None else kv * self.full,
            **named(self, "state_bits", "limits"),
            "rows": [*self.best, *self.others],
        }

    @property
    def sentence(self) -> str:
        text = f"With {self.full} full and {self.recurrent} {Word((self.letter,))} layers"
        text += f" the greatest depth is {self.depth}, reached by {_count(self.orders)} orders."
        if self.L is None:
            return text
        if not self.ok:
            return f"{text} L = {self.L} is out of reach: it needs {self.fewest_full} full layers."
        spare = self.full - (self.fewest_full or 0)
        return f"{text} L = {self.L} needs {self.fewest_full} full layers" + (
            f": {spare} of these could be {Word((self.letter,))}." if spare else "."
        )

    def parts(self) -> Parts:
        """What the budget reaches, by which orders, and why the others fall short."""
        run, kv = longest_run(self.chosen), self.kv_bytes_per_layer
        kept = "" if kv is None else f", {kv * self.full:,} bytes of KV cache"
        kept += "" if self.state_bits is None or not self.recurrent else f", {self.state_bits:,} state bits"
        word = escape(shortened(str(self.chosen), 2 * LONGEST_WORD))
        yield f"{word}: depth {self.depth}{kept}, at most {run} {Word((self.letter,))} in a row"
        yield self.sentence
        yield from (f"  {limit}" for limit in self.limits)
        entries = (*self.best, *self.others)
        examples = [escape(shortened(str(entry.word), LONGEST_WORD)) for entry in entries]
        rows = [
            (entry.pattern, example, entry.word.depth, _count(entry.orders))
            for entry, example in zip(entries, examples, strict=True)
        ]
        yield ""
        yield table_of("orders that begin with", "an example", "depth", "how many", rows=rows)
        yield ""
        yield from (f"{entry.name}: {entry.why}." for entry in entries)


def order_classes(
    full: int, recurrent: int, letter: str = "R"
) -> tuple[tuple[OrderClass, ...], tuple[OrderClass, ...]]:
    """(the classes of greatest depth, the others); their orders add up to C(f+r, f). ``letter``: R, or a window."""
    f, r, R = full, recurrent, str(Word((letter,)))
    if r == 0:
        why = "the first full layer reads z_0, the others read one table each (C1)"
        return (OrderClass("full layers only", f"F{f}" if f > 1 else "F", Word(("F",) * f), 1, why),), ()

    def begins(start: tuple[str, ...], orders: int, name: str, why: str, theorem: str | None = None) -> OrderClass:
        """The class of orders that begin so: the rest in any order, in the example spread evenly."""
        left = f - start.count("F"), r - start.count(letter)
        rest = " and ".join(f"{count} {each}" for count, each in zip(left, ("F", R), strict=True) if count)
        pattern = "".join(str(Word((each,))) for each in start) + (f" then {rest} in any order" if rest else "")
        return OrderClass(name, pattern, Word((*start, *spread(*left, letter))), orders, why, theorem)

    a = "an" if letter == "R" else "a"
    first = f"{a} {R} layer hands z_0 to the query, then the full layers read one table each (C2, R first)"
    front = begins((letter,), math.comb(f + r - 1, f), f"{R} first", first)
    front = replace(front, word=Word(spread(f, r, letter)))
    then = (
        f"z_0's own token reads table 1, the {R} layer hands i_1 on, then the others read one table each (C2, F first)"
    )
    behind = begins(("F", letter), math.comb(f + r - 2, f - 1), f"F first, then {R}", then)
    if f == 1:  # an R layer helps wherever it stands: behind the full one, too
        return (front, behind), ()
    why = (
        f"no {R} layer before the second F: at L = {f} nothing hands z_0 on while the {f} full layers are needed for"
        f" the tables ({with_knowledge('B')}), so the depth is {f - 1}"
    )
    return (front, behind), (begins(("F", "F"), math.comb(f + r - 2, f - 2), "FF first", why, "B"),)


def spread(full: int, recurrent: int, letter: str = "R", behind: int = 0) -> tuple[str, ...]:
    """R layers spread evenly in front of the full ones, as most hybrids have them, or ``behind`` the last one, too.

    >>> "".join(spread(2, 4)), "".join(spread(2, 4, behind=1)), "".join(spread(3, 1, behind=1)), "".join(spread(0, 2))
    ('RRFRRF', 'RRFRFR', 'RFFF', 'RR')
    """
    if full == 0:
        return (letter,) * recurrent
    each, more = divmod(recurrent, full + behind)
    gaps = [each + (index < more) for index in range(full + behind)]
    layers = [layer for gap in gaps[:full] for layer in (*[letter] * gap, "F")]
    return (*layers, *[letter] * sum(gaps[full:]))


def longest_run(word: Word) -> int:
    """The most R layers in a row, which is how far a layer may be from the next full one."""
    return max((sum(1 for _ in run) for letter, run in groupby(word.layers) if letter != "F"), default=0)


def _bytes_per_full_layer(
    kv_bytes: int | None, length: int | None, heads: int | None, dim: int | None, bits: int | None
) -> int | None:
    """⌈2·heads·dim·bits·length/8⌉; all of them are given, or none."""
    given = {"--kv-bytes": kv_bytes, "--length": length, "--heads": heads, "--dim": dim}
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == len(given) and bits is not None:
        raise InputError("--bits says how wide cached numbers are: it needs --kv-bytes, --length, --heads, --dim")
    if len(missing) == len(given):
        return None
    if missing:
        raise InputError(f"{', '.join(missing)} missing: --kv-bytes, --length, --heads and --dim belong together")
    for name, value in given.items():
        require_integer(name, value, 1)
    width = require_integer("--bits", DEFAULT_BITS if bits is None else bits, 1)
    return -(-2 * (heads or 0) * (dim or 0) * width * (length or 0) // 8)


def _count(orders: int) -> str:
    shown = f"{float(orders):.4g}" if orders < 10**300 else "more than 1e300"
    return f"{orders:,}" if orders < LARGEST_COUNT else shown
