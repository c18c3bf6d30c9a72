"""`design`: the order of layers with the greatest depth for a budget, how many orders reach it, and why others do not.

With f full layers and r ≥ 1 R layers the greatest depth is f, and exactly the orders with an R before the second F
reach it. They begin with R or with FR, so there are C(f+r−1, f) + C(f+r−2, f−1) of them; the other C(f+r−2, f−2) begin
with FF and have depth f − 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import groupby
from typing import Annotated, Any

from separation.bounds.known import how_known, with_knowledge
from separation.bounds.word import LONGEST_WINDOW, MAX_LAYERS, Word
from separation.files import InputError
from separation.tasks.checks import require_integer
from separation.verbs.budgets import require_few_levels
from separation.verbs.options import Option, refuse
from separation.verbs.report import Parts, Report, count, shortened, table_of, timed

EXAMPLES = (
    "design --layers 48 --full 6 --L 5",
    "design --layers 48 --kv-bytes 4000000000 --length 262144 --heads 8 --dim 128",
)
DEFAULT_BITS = 16
LONGEST_WORD = 28
LARGEST_COUNT = 10**9


@timed
def design(
    *,
    layers: Annotated[int, "Layers in all."],
    full: Annotated[int | None, "How many of them are full."] = None,
    L: Annotated[int | None, "Hops that the model should follow."] = None,
    kv_bytes: Annotated[int | None, "Bytes of the KV cache ..."] = None,
    length: Annotated[int | None, "... for a prompt of this many tokens."] = None,
    heads: Annotated[int | None, "KV heads of a full layer."] = None,
    dim: Annotated[int | None, "Dimension of a KV head."] = None,
    bits: Annotated[int | None, "Bits of a cached number (default 16)."] = None,
    state_bits: Annotated[int | None, Option("Bits that all R states together may have.", ("--state-bits",))] = None,
    window: Annotated[int | None, "The layers that are not full are windows of so many tokens."] = None,
    chunk: Annotated[int | None, "... or chunks of so many, as in Llama 4."] = None,
) -> DesignReport:
    """At most ``layers`` layers, ``full`` of them full, a KV cache of ``kv_bytes`` for ``length`` tokens.

    A full layer keeps 2·heads·dim numbers of ``bits`` bits a token. ``state_bits``: bits of all R states together.
    Without ``full`` there are as many full layers as the cache pays for, and one layer is left for R.
    """
    require_integer("layers", layers, 1, MAX_LAYERS)
    if L is not None:
        require_few_levels(require_integer("L", L, 1))
    limits: list[str] = []
    letter = _letter(window, chunk, state_bits, limits)
    each = _bytes_per_full_layer({"--kv-bytes": kv_bytes, "--length": length, "--heads": heads, "--dim": dim}, bits)
    allowed = layers if each is None or kv_bytes is None else min(layers, kv_bytes // each)
    if allowed == 0:
        raise InputError(f"--kv-bytes {kv_bytes} pays for no full layer: one keeps {each} bytes at this length")
    if each is not None:
        limits.insert(0, f"the cache pays for {count(allowed, 'full layer')}, {count(each, 'byte')} each")
    elif full is None:
        raise InputError("give --full, or --kv-bytes with --length, --heads and --dim")
    carries = state_bits is None or require_integer("state bits", state_bits, 0) > 0
    full = min(allowed, max(1, layers - 1) if carries else layers) if full is None else require_integer("full", full, 1)
    if full > layers:
        raise InputError(f"{full} full layers do not fit into {layers} layers")
    if full > allowed:
        limits.append(f"of the {full} full layers asked for, {full - allowed} would not fit into the cache")
        full = allowed
    recurrent = layers - full if carries else 0
    if not carries and layers > full:
        limits.append("R layers without state bits carry nothing: they do not count")
    elif recurrent and state_bits is not None:
        limits.append(f"one R layer must carry ⌈log2 m⌉ bits: {count(state_bits, 'bit')} do for m up to 2^{state_bits}")
    rows = order_classes(full, recurrent, letter)
    depth = rows[0].word.depth
    # L hops need L full layers with an R layer among the first, L + 1 without any.
    fewest, orders = None if L is None else L + (recurrent == 0), sum(r.orders for r in rows if r.word.depth == depth)
    # Of the orders of greatest depth, which all keep the same bytes, one whose longest run of R is shortest.
    chosen, kept = Word(spread(full, recurrent, letter, behind=1)), each and each * full
    return DesignReport(
        layers, full, recurrent, depth, L, fewest, orders, chosen, kept, state_bits, tuple(limits), rows, letter
    )


def _letter(window: int | None, chunk: int | None, state_bits: int | None, limits: list[str]) -> str:
    """R, or the letter of a window or a chunk, with what holds of it."""
    refuse("--window", {"chunk": chunk if window is not None else None})
    for name, letter, tokens in (("window", "W", window), ("chunk", "K", chunk)):
        if tokens is not None:
            require_integer(name, tokens, 2, LONGEST_WINDOW)
            refuse(f"--{name}, which keeps keys and values,", {"layer_state_bits": state_bits})
            far = f"with {tokens - 1:,} or more tokens between z_0 and w one window hands nothing on (decide --pad)"
            limits.append(far if letter == "W" else f"z_0 and w must stand in one chunk of {count(tokens, 'token')}")
            return f"{letter}{tokens}"
    return "R"


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
        return {**vars(self), "word": str(self.word), "depth": self.word.depth, "known": known}


class DesignReport(Report):
    """The classes of orders for f full layers and r R layers, the best first, and what the budget allows.

    ``orders``: how many orders have the greatest ``depth``; ``fewest_full``: full layers that are enough for L.
    """

    layers: int
    full: int
    recurrent: int
    depth: int
    L: int | None
    fewest_full: int | None
    orders: int
    chosen: Word
    kv_bytes: int | None
    state_bits: int | None
    limits: tuple[str, ...]
    rows: tuple[OrderClass, ...]
    letter: str = "R"

    @property
    def ok(self) -> bool:
        return self.L is None or self.depth >= self.L

    def facts(self) -> dict[str, Any]:
        chosen = {"word": str(self.chosen), "longest_run_of_r": longest_run(self.chosen)}
        found = {**vars(self), "chosen": chosen, "orders_in_all": math.comb(self.full + self.recurrent, self.full)}
        return {name: value for name, value in found.items() if name != "letter"}

    @property
    def sentence(self) -> str:
        other = Word((self.letter,))
        text = f"With {self.full} full and {count(self.recurrent, f'{other} layer')}"
        text += f" the greatest depth is {self.depth}, reached by {count(self.orders, 'order', _count(self.orders))}."
        if (needed := self.fewest_full) is None:
            return text
        if not self.ok:
            return f"{text} L = {self.L} is out of reach: it needs {count(needed, 'full layer')}."
        spare = self.full - needed
        could = f": {spare} of these could be {other}." if spare else "."
        return f"{text} L = {self.L} needs {count(needed, 'full layer')}{could}"

    def parts(self) -> Parts:
        """What the budget reaches, by which orders, and why the others fall short."""
        kept = "" if self.kv_bytes is None else f", {count(self.kv_bytes, 'byte')} of KV cache"
        kept += "" if self.state_bits is None or not self.recurrent else f", {count(self.state_bits, 'state bit')}"
        run = f"at most {longest_run(self.chosen)} {Word((self.letter,))} in a row"
        yield f"{shortened(str(self.chosen), 2 * LONGEST_WORD)}: depth {self.depth}{kept}, {run}"
        yield self.sentence
        yield from (f"  {limit}" for limit in self.limits)
        yield ""
        rows = [
            (row.pattern, shortened(str(row.word), LONGEST_WORD), row.word.depth, _count(row.orders))
            for row in self.rows
        ]
        yield table_of("orders that begin with", "an example", "depth", "how many", rows=rows)
        yield ""
        yield from (f"{row.name}: {row.why}." for row in self.rows)


def order_classes(full: int, recurrent: int, letter: str = "R") -> tuple[OrderClass, ...]:
    """The classes of orders by their beginning, the deepest first; they add up to C(f+r, f). ``letter``: R or a window.

    An R layer helps in front of the second full one; of a single full layer it helps behind it, too.
    """
    if recurrent == 0:
        why = "the first full layer reads z_0, the others read one table each (C1)"
        word = Word(("F",) * full)
        return (OrderClass("full layers only", str(word), word, 1, why),)
    R = str(Word((letter,)))
    first = f"{'an' if letter == 'R' else 'a'} {R} layer hands z_0 to the query, then the full layers read one table"
    then = f"z_0's own token reads table 1, the {R} layer hands i_1 on, then the others read one table each"
    all_full = count(full, "full layer")
    never = f"no {R} layer before the second F: at L = {full} nothing hands z_0 on while the {all_full} are"
    never += f" needed for the tables ({with_knowledge('B')}), so the depth is {full - 1}"
    found = []
    for start, name, why, theorem in (
        ((letter,), f"{R} first", f"{first} each (C2, R first)", None),
        (("F", letter), f"F first, then {R}", f"{then} (C2, F first)", None),
        (("F", "F"), "FF first", never, "B"),
    ):
        left = full - start.count("F"), recurrent - start.count(letter)
        if min(left) >= 0:
            rest = " and ".join(f"{count} {each}" for count, each in zip(left, ("F", R), strict=True) if count)
            pattern = "".join(str(Word((each,))) for each in start) + (f" then {rest} in any order" if rest else "")
            layers = spread(full, recurrent, letter) if start == (letter,) else (*start, *spread(*left, letter))
            found.append(OrderClass(name, pattern, Word(layers), math.comb(sum(left), left[0]), why, theorem))
    return tuple(found)


def spread(full: int, recurrent: int, letter: str = "R", behind: int = 0) -> tuple[str, ...]:
    """R layers spread evenly in front of the full ones, as most hybrids have them, or ``behind`` the last one, too.

    >>> "".join(spread(2, 4)), "".join(spread(2, 4, behind=1)), "".join(spread(3, 1, behind=1)), "".join(spread(0, 2))
    ('RRFRRF', 'RRFRFR', 'RFFF', 'RR')
    """
    if full == 0:
        return (letter,) * recurrent
    each, more = divmod(recurrent, full + behind)
    gaps = [each + (index < more) for index in range(full + behind)]
    return (*(layer for gap in gaps[:full] for layer in (*[letter] * gap, "F")), *[letter] * sum(gaps[full:]))


def longest_run(word: Word) -> int:
    """The most R layers in a row, which is how far a layer may be from the next full one."""
    return max((sum(1 for _ in run) for letter, run in groupby(word.layers) if letter != "F"), default=0)


def _bytes_per_full_layer(given: dict[str, int | None], bits: int | None) -> int | None:
    """⌈2·heads·dim·bits·length/8⌉; all of them are given, or none."""
    missing = [name for name, value in given.items() if value is None]
    if len(missing) == len(given):
        if bits is not None:
            raise InputError("--bits says how wide cached numbers are: it needs --kv-bytes, --length, --heads, --dim")
        return None
    if missing:
        raise InputError(f"{', '.join(missing)} missing: --kv-bytes, --length, --heads and --dim belong together")
    _, length, heads, dim = (require_integer(name, value, 1) for name, value in given.items())
    return -(-2 * heads * dim * require_integer("--bits", DEFAULT_BITS if bits is None else bits, 1) * length // 8)


def _count(orders: int) -> str:
    shown = f"{float(orders):.4g}" if orders < 10**300 else "more than 1e300"
    return f"{orders:,}" if orders < LARGEST_COUNT else shown
