"""Bounds: theorems A to D at sizes where they just hold, and one unit beyond. All numbers are written down here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.corpus.entries import Change, Document, Entry, certificate, changed


def bound(theorem: str, m: Any, n: list[Any], linear: list[Any], **more: Any) -> Document:
    """Theorem A, B or C. `x`: the choice; without it there is none."""
    task = {"task": "funccomp", "m": m, "n": n}
    claim = {"theorem": theorem, "task": task, "tokens": more.get("tokens"), "beta": more.get("beta")}
    claim |= {"lambda": linear, "message": more.get("message")}
    choice = None
    if "x" in more:
        choice = {"x": more["x"], "reached": more.get("reached"), "free_start": more.get("free", False)}
    return certificate("bound", claim, choice=choice)


def sparse(modulus: Any, block: Any, opened: int, blocks: int, bits: Any) -> Document:
    claim = {"theorem": "D", "modulus": modulus, "block": block, "open": opened, "blocks": blocks}
    return certificate("bound", claim | {"summary_bits": bits}, choice=None)


def golden(L: int, y: int, beta: int, bits: int) -> Document:
    """Theorem A at x_{L-k} = y^{F_2k}, n_{L-k} = y^{F_{2k+1}}, x_0 = 2Λ, m = 6·Πx, all as powers."""
    fibonacci = [0, 1]
    while len(fibonacci) < 2 * L + 2:
        fibonacci.append(fibonacci[-1] + fibonacci[-2])
    x: list[Any] = [2 * bits, *({"powers": [[y, fibonacci[2 * k]]]} for k in range(L - 1, 0, -1))]
    n = [{"powers": [[y, fibonacci[2 * k + 1]]]} for k in range(L - 1, 0, -1)]
    m = {"powers": [[12 * bits, 1], [y, sum(fibonacci[2 * k] for k in range(1, L))]]}
    return bound("A", m, n, [bits] * L, beta=beta, x=x)


BASES: dict[str, Document] = {
    "a": bound("A", 37, [9], [5, 5], tokens=372, beta=3, x=[16, 1]),
    "a-reached": bound("A", 15, [10], [5, 5], tokens=167, beta=3, x=[9, 4], reached=[7]),
    "a-free": bound("A", 33, [464, 2], [0, 0, 0], tokens=45971, beta=2, x=[1, 13, 1], free=True),
    "a-one-table": bound("A", 5, [], [8], tokens=7, beta=1, x=[5]),
    "a-message": bound(
        *("A", 7, [115], [0, 0]),
        tokens=814,
        beta=47,
        x=[1, 7],
        free=True,
        message={"heads": 1, "dim": 2, "P": 3, "p": 3},
    ),
    "a-powers": golden(9, 9633, 8, 8),
    "a-small-powers": bound("A", {"powers": [[37, 1]]}, [{"powers": [[3, 2], [1, 5]]}], [5, 5], beta=3, x=[16, 1]),
    "b": bound("B", 93, [5], [0, 1, 3], tokens=560, beta=2, x=[48, 1]),
    "b-one-table": bound("B", 5, [], [0, 2], tokens=7, beta=8),
    "b-one-table-exact": bound("B", 4, [], [0, 2], tokens=6, beta=5),
    "c": bound("C", 3, [2], [15], tokens=11),
    "c-exact": bound("C", 2, [4], [23], tokens=12),
    "c-powers": bound("C", {"powers": [[10, 100]]}, [], [{"powers": [[10, 102]]}]),
    "d": sparse(11, 3, 1, 4, 6),
    "d-none-opened": sparse(5, 2, 0, 3, 3),
    "d-long-block": sparse(9, 40, 1, 2, 3),
    "d-large": sparse(10**6 + 1, 64, 8, 1024, 978),
}
WHY: dict[str, str] = {
    "a": "Theorem A, β and Λ_0 the largest that hold",
    "a-reached": "Theorem A with a chosen Θ_1, the only one that holds",
    "a-free": "Theorem A with Λ_0 = 0 and free_start, three tables",
    "a-one-table": "Theorem A with one table: no full layer, β says nothing",
    "a-message": "β is that of heads at this length, exactly",
    "a-powers": "nine tables, sizes as powers",
    "a-small-powers": "small sizes written as powers; a base of 1",
    "b": "Theorem B, two tables",
    "b-one-table": "Theorem B, one table: β + Λ_1 = 10 < 5·log2 5 = 11.6…",
    "b-one-table-exact": "Theorem B, one table: β + Λ_1 = 7 < 4·log2 4 = 8",
    "c": "Theorem C: 15 < 6·log2 6 = 15.5…",
    "c-exact": "Theorem C: 23 < 8·log2 8 = 24",
    "c-powers": "Theorem C with sizes as powers: 10^102 < 10^100·log2 10^100",
    "d": "Theorem D: 2^6 < V(8, 3) = 93",
    "d-none-opened": "Theorem D with d = u: 2^3 < V(4, 2) − 1 = 10",
    "d-long-block": "Theorem D, more tokens than values: 2^3 < V(4, 40) = 16",
    "d-large": "Theorem D at a million values, the largest number of bits that is too few",
}
BETA, TASK, LINEAR, CHOICE = ("claim", "beta"), ("claim", "task"), ("claim", "lambda"), ("choice",)
BITS = ("claim", "summary_bits")
SMALLEST = [(("claim", key), value) for key, value in (("modulus", 3), ("block", 1), ("blocks", 1))]
FAILS = "not shown: the inequality fails"
CHANGES: list[tuple[str, str, str, list[Change], str]] = [
    ("a-beta-over", "a", "reject", [(BETA, 4)], f"{FAILS} at β = 4 (3 is the largest)"),
    ("a-beta-under", "a", "accept", [(BETA, 1)], "a smaller β: a weaker claim"),
    ("a-tokens-null", "a", "accept", [(("claim", "tokens"), None)], "the length is not said"),
    ("a-lambda-exact", "a", "accept", [((*LINEAR, 1), 6)], "the largest Λ_1"),
    ("a-lambda-over", "a", "reject", [((*LINEAR, 1), 7)], f"{FAILS} at Λ_1 = 7"),
    ("a-lambda-0-over", "a", "reject", [((*LINEAR, 0), 6)], f"{FAILS} at Λ_0 = 6"),
    ("a-m-under", "a", "reject", [((*TASK, "m"), 36), (("claim", "tokens"), 362)], f"{FAILS} at m = 36"),
    ("a-x-over-m", "a", "reject", [((*CHOICE, "x", 0), 38)], "not shown: x_0 is larger than m"),
    ("a-tokens-over", "a", "reject", [(("claim", "tokens"), 373)], "false: the prompt has 372 tokens"),
    ("a-free-without-zero", "a", "reject", [((*CHOICE, "free_start"), True)], "not shown: free_start needs Λ_0 = 0"),
    ("a-reached-over", "a-reached", "reject", [((*CHOICE, "reached"), [8])], f"{FAILS}: (E_1) at Θ_1 = 8"),
    ("a-reached-under", "a-reached", "reject", [((*CHOICE, "reached"), [6])], f"{FAILS}: (F) at Θ_1 = 6"),
    ("a-reached-null", "a-reached", "reject", [((*CHOICE, "reached"), None)], f"{FAILS} with Θ_1 = t_1/2"),
    ("a-reached-above-draws", "a-reached", "reject", [((*CHOICE, "reached"), [37])], "not shown: Θ_1 is above t_1"),
    ("a-free-lambda-exact", "a-free", "accept", [((*LINEAR, 2), 914)], "the largest Λ_2"),
    ("a-free-lambda-over", "a-free", "reject", [((*LINEAR, 2), 915)], f"{FAILS} at Λ_2 = 915"),
    ("a-free-beta-over", "a-free", "reject", [(BETA, 3)], f"{FAILS} at β = 3"),
    (
        "a-free-not",
        "a-free",
        "reject",
        [((*CHOICE, "free_start"), False)],
        f"{FAILS}: (E_1) is needed without free_start",
    ),
    (
        "a-free-reached-unused",
        "a-free",
        "accept",
        [((*CHOICE, "reached"), [5, 3016])],
        "with free_start Θ_1 is not used",
    ),
    ("a-one-table-exact", "a-one-table", "accept", [((*LINEAR, 0), 11)], "11 < 5·log2 5 = 11.6…"),
    ("a-one-table-over", "a-one-table", "reject", [((*LINEAR, 0), 12)], "not shown: 12 ≥ 5·log2 5"),
    ("a-message-under", "a-message", "reject", [(BETA, 46)], "false: these heads send 47 bits at this length"),
    ("a-message-heads", "a-message", "reject", [(("claim", "message", "heads"), 2)], "false: two heads send more"),
    ("a-powers-under", "a-powers", "reject", [], f"{FAILS} with y = 9632 in place of 9633"),
    ("b-beta-over", "b", "reject", [(BETA, 3)], f"{FAILS} at β = 3"),
    ("b-lambda-exact", "b", "accept", [((*LINEAR, 2), 7)], "the largest Λ_2"),
    ("b-lambda-over", "b", "reject", [((*LINEAR, 2), 8)], f"{FAILS} at Λ_2 = 8"),
    ("b-lambda-0", "b", "reject", [((*LINEAR, 0), 1)], "not shown: Theorem B needs Λ_0 = 0"),
    ("b-free", "b", "reject", [((*CHOICE, "free_start"), True)], "not shown: Theorem B has no free_start"),
    ("b-as-a", "b", "malformed", [(("claim", "theorem"), "A")], "Theorem A with two tables has two Λ_t, not three"),
    ("b-one-table-over", "b-one-table-exact", "reject", [(BETA, 6)], "not shown: 8 = 4·log2 4, and less is needed"),
    ("c-over", "c", "reject", [(LINEAR, [16])], "not shown: 16 ≥ 6·log2 6 = 15.5…"),
    ("c-exact-over", "c-exact", "reject", [(LINEAR, [24])], "not shown: 24 = 8·log2 8, and less is needed"),
    (
        "c-powers-over",
        "c-powers",
        "reject",
        [(LINEAR, [{"powers": [[10, 103]]}])],
        "not shown: Λ = 10^103 is too large",
    ),
    ("c-with-beta", "c", "malformed", [(BETA, 1)], "Theorem C has no β"),
    ("c-with-choice", "c", "malformed", [(CHOICE, {"x": [], "reached": None, "free_start": False})], "C has no choice"),
    ("d-over", "d", "reject", [(("claim", "summary_bits"), 7)], "false: 2^7 ≥ V(8, 3) = 93 values are enough"),
    ("d-none-opened-over", "d-none-opened", "reject", [(("claim", "summary_bits"), 4)], "false: 2^4 ≥ 10 are enough"),
    ("d-smallest", "d-none-opened", "accept", [*SMALLEST, (BITS, 0)], "one value is fewer than V(2, 1) − 1 = 2"),
    ("d-smallest-over", "d-none-opened", "reject", [*SMALLEST, (BITS, 1)], "false: 2^1 ≥ V(2, 1) − 1 = 2 are enough"),
    ("d-all-opened", "d", "reject", [(("claim", "blocks"), 1)], "false: every block is opened"),
    ("d-large-over", "d-large", "reject", [(("claim", "summary_bits"), 979)], "false: so many bits are enough"),
    ("d-even", "d", "malformed", [(("claim", "modulus"), 12)], "an even modulus"),
    ("d-bits-long", "d", "reject", [(("claim", "summary_bits"), str(2**60))], "false: 2^(2^60) values are enough"),
]


def entries() -> Iterator[Entry]:
    for name, document in BASES.items():
        yield Entry(name, "bound", "accept", WHY[name], "written down", partial(changed, document))
    for name, of, expect, changes, why in CHANGES:
        document = golden(9, 9632, 8, 8) if name == "a-powers-under" else changed(BASES[of], *changes)
        yield Entry(name, "bound", expect, why, f"{of}, changed", partial(changed, document))
