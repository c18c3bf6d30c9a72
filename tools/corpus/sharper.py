"""Sharper bounds and accuracy ceilings where they just hold, and one unit beyond. All numbers are written down here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.corpus.entries import Document, Entry, Path, certificate, changed


def bound(theorem: str, m: Any, n: list[Any], linear: list[Any], tables: int, **more: Any) -> Document:
    """A bound, or a decision if `layers` are given."""
    kind = "decision" if "layers" in more else "bound"
    claim: Document = {}
    if "layers" in more:
        claim = {"layers": more["layers"].split(), "L": len(n) + 1, "solvable": False}
    claim |= {"theorem": theorem, "task": {"task": "funccomp", "m": m, "n": n}, "tokens": more["tokens"]}
    claim |= {"beta": more["beta"], "lambda": linear, "message": more.get("message"), "tables": tables}
    return certificate(kind, claim, choice=more.get("choice"))


def ceiling(layers: str, theorem: str, m: int, n: list[int], linear: list[int], most: str, **more: Any) -> Document:
    claim: Document = {"layers": layers.split(), "theorem": theorem, "task": {"task": "funccomp", "m": m, "n": n}}
    claim |= {"tokens": more.pop("tokens"), "beta": more.pop("beta", None), "lambda": linear, "message": None}
    return certificate("ceiling", claim | {"ceiling": most}, choice={"named": more.pop("named", []), **more})


A2 = {"tokens": 37, "beta": 9, "choice": {"Theta": 4}}
B2 = {"tokens": 562, "beta": 8, "choice": {"x_0": 35, "v": 4, "Theta": 88}}
ONES = {"g": 1, "Theta_1": 1, "Theta_2": 1, "Theta_3": 1, "x_2": 1, "x_3": 1}
MANY = {"g": 17, "Theta_1": 482386860449, "Theta_2": "139854488504915856", "Theta_3": "9116140039605001199288320"}
WINDOW = {"g": 1339, "u": 96775959, "Theta_1": 96309268, "Theta_2": 39389774789988, "Theta_3": "715806576955574016"}
WINDOW |= {"x_2": 51611, "x_3": 16}
MORE = {"Theta_1": 177804539181, "Theta_2": 412282970377413, "x_2": 7}
ALARMS = {"theorem": "D'", "block": 16, "open": 4, "blocks": 64, "summary_bits": 20, "false_alarms": "1/20"}
BASES: dict[str, tuple[Document, str]] = {
    "a2": (bound("A2", 7, [4], [8, 16], 2, **A2), "Theorem A2, the largest β"),
    "a2-in-front": (
        bound("A2", 6, [1, 1, 1], [5, 5], 2, tokens=26, beta=5, choice={"Theta": 4}),
        "Theorem A2 of two tables; two more are the identity",
    ),
    "a2-powers": (
        bound("A2", {"powers": [[10, 5000]]}, [1], [5, 5], 2, tokens=None, beta=3, choice={"Theta": 4}),
        "Theorem A2 with a size that is written as a power",
    ),
    "b-in-front": (
        bound("B", 5, [1], [0, 3], 1, tokens=12, beta=8),
        "Theorem B of one table: 8 + 3 < 5·log2 5 = 11.6…; the other is the identity",
    ),
    "b2": (bound("B2", 140, [3], [0, 0, 0], 2, **B2), "Theorem B2, the largest β and no R at all"),
    "a3": (
        bound(
            *("A3", 7442, [16, 16], [8, 16, 24], 3),
            tokens=2031668,
            beta=24,
            choice={"g": 38, "u": 707, "Theta_1": 612, "x_2": 16, "Theta_2": 34236},
        ),
        "Theorem A3 with R in every block; C(N_1, Θ_2−1) is bounded, not written out",
    ),
    "a3-small": (
        bound(
            *("A3", 2, [1, 14], [2, 2, 2], 3),
            tokens=34,
            beta=2,
            choice={"g": 1, "u": 1, "Theta_1": 1, "x_2": 1, "Theta_2": 1},
        ),
        "Theorem A3 where one value is reached: a message is shorter than an entry",
    ),
    "a3-free": (
        bound(
            *("A3.free", 192, [1, 5], [0, 0, 0], 3),
            tokens=1346,
            beta=8,
            choice={"Theta_1": 64, "v": 3, "Theta_2": 125},
        ),
        "Theorem A3 without early R",
    ),
    "al": (
        bound(
            *("AL", "36047802506895632", [28, 27687580, 77], [8, 16, 24, 32], 4),
            tokens="2179798893008165696728796370",
            beta=64,
            choice={**MANY, "x_2": 19017, "x_3": 8},
        ),
        "Theorem AL with four tables",
    ),
    "al-small": (
        bound("AL", 2, [1, 1, 51], [1, 2, 2, 2], 4, tokens=110, beta=2, choice=ONES),
        "Theorem AL where one value is reached",
    ),
    "aw": (
        bound(
            *("AW", 25015607490403, [16, 4269, 179], [8, 16, 24, 32], 4),
            tokens="307560314989734909013",
            beta=64,
            choice=WINDOW,
        ),
        "Theorem AW with four tables",
    ),
    "aw-three": (
        bound(
            *("AW", 881, [1, 11], [8, 8, 8], 3),
            tokens=11455,
            beta=8,
            choice={"g": 10, "u": 239, "Theta_1": 137, "x_2": 10, "Theta_2": 339},
        ),
        "Theorem AW with three tables",
    ),
    "bl": (
        bound(
            *("BL", 839082015737, [1216, 97], [0, 0, 4, 8], 3),
            tokens="99992564733362555",
            beta=64,
            choice={"x_0": 6200205, "x_1": 98875, **MORE},
        ),
        "Theorem BL with three tables",
    ),
    "not-a2": (bound("A2", 7, [4], [8, 16], 2, layers="R F R", **A2), "Theorem A2 of the word RFR"),
    "not-a2-front": (
        bound("A2", 6, [1, 1, 1], [5, 5], 2, tokens=26, beta=5, choice={"Theta": 4}, layers="R F"),
        "Theorem A2 of a word with one F and four tables",
    ),
    "not-b2": (bound("B2", 140, [3], [0, 0, 0], 2, layers="F F", **B2), "Theorem B2 of the word FF"),
    "a2-average": (
        ceiling(
            *("R F", "A2 average", 64, [8], [64, 64], "132063806441478085/238224338682118144"),
            tokens=578,
            beta=16,
            tau="2836/731",
            excess="1073741824/3549819271",
            shares=["16904019/67108864"],
        ),
        "Theorem A2 on average: at most 55.5 % of random inputs",
    ),
    "a2-average-no-early-r": (
        ceiling(
            *("F R", "A2 average", 2000, [3], [0, 2], "23497663/268435456"),
            tokens=8002,
            beta=8,
            tau=1,
            excess=None,
            shares=["23497663/268435456"],
        ),
        "Theorem A2 on average with Λ_0 = 0: τ = 1, no excess",
    ),
    "a2-union": (
        ceiling("F R", "A2 union", 16, [4], [0, 1], "693017464095/4398046511104", tokens=82, beta=2),
        "Theorem A2 with a union bound",
    ),
    "a2-in-front-average": (
        ceiling(
            *("R F", "A2 average", 64, [8, 3, 5], [8, 8], "7918262080583620259/16727145256499281920"),
            tokens=9794,
            beta=4,
            named=[2, 1],
            tau="2533/910",
            excess="536870912/1384743821",
            shares=["32452875/536870912"],
        ),
        "two tables in front that the theorem does not speak of",
    ),
    "c-average": (
        ceiling(*("R", "C' average", 2000, [], [4000], "17271467/67108864"), tokens=2002, shares=["17271467/67108864"]),
        "Theorem C' of R alone",
    ),
    "c-union": (
        ceiling("R", "C' union", 8, [2], [20], "558144065895/1099511627776", tokens=26),
        "Theorem C' with a union bound",
    ),
    "c-one-full": (
        ceiling("FR", "C' union", 16, [], [0, 3], "1545429841279/4398046511104", tokens=18, beta=8),
        "Theorem C' of one full layer and one table: β + Λ_1 bits",
    ),
    "e-delayed": (
        ceiling(
            *("R F F", "E", 10000000, [100, 100], [2, 2, 2], "216248035/1073741824"),
            tokens=101010000002,
            beta=1,
            payment="delayed",
            blocks=[0, 1, 2],
            x=[199, 923, 3],
            shares=["9915043/1073741824", "29842017/268435456", "21741231/268435456"],
        ),
        "Theorem E with delayed charges",
    ),
    "e-full": (
        ceiling(
            *("R F R", "E", 10000, [10000], [1, 2], "919395847/8589934592"),
            tokens=100010002,
            beta=1,
            payment="full",
            blocks=[0, 1],
            x=[100, 20],
            shares=["27783043/268435456", "30338471/8589934592"],
        ),
        "Theorem E, the last step paid in full",
    ),
    "e-late": (
        ceiling(
            *("R F R", "E", 10000, [10000], [1, 2], "914706709/8589934592"),
            tokens=100010002,
            beta=1,
            payment="late",
            blocks=[0, 1],
            x=[100, 20],
            shares=["27783043/268435456", "25649333/8589934592"],
        ),
        "Theorem E, late states charged where they are used",
    ),
    "e-quiet": (
        ceiling(
            *("F F", "E", 100000, [50], [0, 0, 0], "16326393/134217728"),
            tokens=5100002,
            beta=1,
            payment="quiet",
            blocks=[0, 1, 2],
            x=[3000, 4],
            shares=["17810089/268435456", "14842697/268435456"],
        ),
        "Theorem E of as many full layers as tables, quiet",
    ),
    "e-idle": (
        ceiling(
            *("F R", "E", 100000000000, [1000, 1000], [0, 1], "3961983091422419/52428800000000000"),
            tokens="100100100000000002",
            beta=1,
            payment="quiet",
            blocks=[0, 1],
            x=[1354942977, 1, 1],
            shares=["2646373/390625000", "12645409/268435456", "23285483/1073741824"],
        ),
        "Theorem E with an idle full layer behind the last R, which makes the word quiet",
    ),
    "d-average": (
        certificate("ceiling", {**ALARMS, "ceiling": "22450123/33554432"}, choice=None),
        "Theorem D': matches found by a sparse layer with few false alarms",
    ),
}
BETA, TASK, LINEAR, CHOICE = ("claim", "beta"), ("claim", "task"), ("claim", "lambda"), ("choice",)
TOKENS, TABLES, MOST, LAYERS = ("claim", "tokens"), ("claim", "tables"), ("claim", "ceiling"), ("claim", "layers")
THEOREM = ("claim", "theorem")
FAILS = "not shown: the inequality fails"
CHANGES: list[tuple[str, str, str, list[tuple[Path, Any]], str]] = [
    ("a2-beta-over", "a2", "reject", [(BETA, 10)], f"{FAILS} at β = 10 (9 is the largest)"),
    ("a2-lambda-0-over", "a2", "reject", [(LINEAR, [9, 17])], f"{FAILS} at λ_0 = 9"),
    ("a2-theta-over", "a2", "reject", [((*CHOICE, "Theta"), 5)], f"{FAILS}: five values are not certain"),
    ("a2-theta-under", "a2", "reject", [((*CHOICE, "Theta"), 1)], f"{FAILS}: with one value too little is asked"),
    ("a2-tokens-over", "a2", "reject", [(TOKENS, 38)], "false: the prompt has 37 tokens"),
    ("a2-lambda-decreasing", "a2", "reject", [(LINEAR, [8, 7])], "not shown: Λ_1 is below Λ_0"),
    ("a2-lambda-long", "a2", "malformed", [(LINEAR, [8, 16, 16])], "Theorem A2 has two Λ_t"),
    ("a2-choice-null", "a2", "malformed", [(CHOICE, None)], "Theorem A2 has a choice"),
    ("a2-choice-key", "a2", "malformed", [(CHOICE, {"x": [1, 7]})], "the choice of another theorem"),
    ("a2-theta-zero", "a2", "malformed", [((*CHOICE, "Theta"), 0)], "Θ is at least 1"),
    ("a2-tables-over", "a2", "malformed", [(TABLES, 3)], "Theorem A2 speaks of two tables"),
    ("a2-unknown", "a2", "malformed", [(THEOREM, "A4")], "an unknown theorem"),
    ("a2-in-front-beta-over", "a2-in-front", "reject", [(BETA, 6)], f"{FAILS} at β = 6"),
    (
        *("a2-in-front-wider", "a2-in-front", "accept"),
        [((*TASK, "n"), [1, 2, 3]), (TOKENS, 62)],
        "further tables may be wider: only the first two are asked",
    ),
    ("b-in-front-over", "b-in-front", "reject", [(BETA, 9)], "not shown: 9 + 3 ≥ 5·log2 5 = 11.6…"),
    ("b-in-front-two", "b-in-front", "malformed", [(TABLES, 2)], "B with `tables` speaks of one table"),
    ("b2-beta-over", "b2", "reject", [(BETA, 9)], f"{FAILS} at β = 9"),
    ("b2-lambda-over", "b2", "reject", [((*LINEAR, 2), 1)], f"{FAILS} at λ_2 = 1"),
    ("b2-lambda-0", "b2", "reject", [(LINEAR, [1, 1, 1])], "not shown: Theorem B2 needs Λ_0 = 0"),
    ("b2-v-over", "b2", "reject", [((*CHOICE, "v"), 5)], "not shown: x_0·v = 175 is more than m"),
    ("b2-theta-over", "b2", "reject", [((*CHOICE, "Theta"), 90)], f"{FAILS}: 90 pairs are not certain"),
    ("a3-beta-over", "a3", "reject", [(BETA, 25)], f"{FAILS} at β = 25"),
    ("a3-lambda-1-over", "a3", "reject", [(LINEAR, [8, 17, 25])], f"{FAILS} at λ_1 = 9"),
    ("a3-lambda-2-over", "a3", "reject", [((*LINEAR, 2), 25)], f"{FAILS} at λ_2 = 9"),
    (
        *("a3-theta-2-beyond", "a3", "reject"),
        [((*CHOICE, "Theta_2"), 119074)],
        "not shown: Θ_2 is above N_1 + 1, where C(N_1, Θ_2−1) = 0 would prove anything",
    ),
    ("a3-u-over", "a3", "reject", [((*CHOICE, "u"), 7443)], "not shown: u is more than m"),
    ("a3-g-over", "a3", "reject", [((*CHOICE, "g"), 7443)], "not shown: g is more than m"),
    ("a3-small-lambda-exact", "a3-small", "accept", [((*LINEAR, 2), 3)], "the largest Λ_2"),
    ("a3-small-lambda-over", "a3-small", "reject", [((*LINEAR, 2), 4)], f"{FAILS} at λ_2 = 2"),
    ("a3-free-beta-over", "a3-free", "reject", [(BETA, 9)], f"{FAILS} at β = 9"),
    ("a3-free-lambda-over", "a3-free", "reject", [((*LINEAR, 2), 1)], f"{FAILS} at λ_2 = 1"),
    ("a3-free-early", "a3-free", "reject", [(LINEAR, [0, 1, 1])], "not shown: A3.free needs Λ_1 = 0"),
    ("a3-free-v-over", "a3-free", "reject", [((*CHOICE, "v"), 4)], "not shown: n_1·Θ_1·v is more than N_1"),
    ("al-beta-over", "al", "reject", [(BETA, 65)], f"{FAILS} at β = 65"),
    ("al-lambda-over", "al", "reject", [((*LINEAR, 3), 10**12)], f"{FAILS} at Λ_3 = 10^12"),
    ("al-theta-over", "al", "reject", [((*CHOICE, "Theta_3"), "9" * 25)], "not shown: Θ_3 is too large"),
    ("al-three", "al", "malformed", [(TABLES, 3)], "four Λ_t, and three tables"),
    ("aw-beta-over", "aw", "reject", [(BETA, 65)], f"{FAILS} at β = 65"),
    ("aw-u-all", "aw", "reject", [((*CHOICE, "u"), 25015607490403)], "not shown: with u = m all of table 2 hears"),
    ("aw-u-over", "aw", "reject", [((*CHOICE, "u"), 25015607490404)], "not shown: u is more than m"),
    ("aw-u-few", "aw", "reject", [((*CHOICE, "u"), 96309267)], "false: Θ_1 values are reached, and u are there"),
    ("aw-as-al", "aw", "malformed", [(("claim", "theorem"), "AL")], "Theorem AL has no u"),
    ("aw-three-beta-over", "aw-three", "reject", [(BETA, 9)], f"{FAILS} at β = 9"),
    ("aw-three-x-over", "aw-three", "reject", [((*CHOICE, "x_2"), 12)], f"{FAILS} at x_2 = 12"),
    ("al-small-beta-over", "al-small", "reject", [(BETA, 3)], f"{FAILS} at β = 3"),
    ("bl-beta-over", "bl", "reject", [(BETA, 65)], f"{FAILS} at β = 65"),
    ("bl-lambda-0", "bl", "reject", [(LINEAR, [1, 1, 4, 8])], "not shown: Theorem BL needs Λ_0 = 0"),
    ("bl-x-0-over", "bl", "reject", [((*CHOICE, "x_0"), 839082015738)], "not shown: x_0 is more than m"),
    ("not-a2-beta-over", "not-a2", "reject", [(BETA, 10)], f"{FAILS} at β = 10"),
    ("not-a2-two-full", "not-a2", "reject", [(LAYERS, ["F", "F"])], "not shown: A2 speaks of one full layer"),
    ("not-a2-L", "not-a2", "reject", [(("claim", "L"), 3)], "not shown: the task has two tables"),
    ("not-b2-early", "not-b2", "reject", [(LAYERS, ["F", "R", "F"])], "false: FRF has depth 2"),
    ("not-b2-late", "not-b2", "accept", [(LAYERS, ["FR", "F", "R"])], "R beside F and behind all, of 0 bits"),
    (
        *("not-b2-early-deeper", "not-b2", "reject"),
        [(LAYERS, ["F", "R", "F"]), (("claim", "L"), 3), ((*TASK, "n"), [3, 1]), (TOKENS, 982)],
        "not shown: B2 does not speak of an R before the second F",
    ),
    ("a2-average-over", "a2-average", "accept", [(MOST, "3/5")], "a higher ceiling: a weaker claim"),
    ("a2-average-under", "a2-average", "reject", [(MOST, "11/20")], "false: the theorem shows 0.5544, not 0.55"),
    ("a2-average-one", "a2-average", "accept", [(MOST, 1)], "a ceiling of 1 holds and says nothing"),
    ("a2-average-above-one", "a2-average", "reject", [(MOST, "3/2")], "false: no share is above 1"),
    (
        *("a2-average-share-under", "a2-average", "reject"),
        [((*CHOICE, "shares"), ["16904000/67108864"]), (MOST, "3/5")],
        "not shown: the share is below ⟨1/N;κ⟩",
    ),
    (
        *("a2-average-excess-under", "a2-average", "reject"),
        [((*CHOICE, "excess"), "3024/10000"), (MOST, "3/5")],
        "not shown: excess is below c_τ = 0.30248",
    ),
    ("a2-average-excess-zero", "a2-average", "reject", [((*CHOICE, "excess"), 0)], "not shown: excess is below c_τ"),
    ("a2-average-excess-null", "a2-average", "malformed", [((*CHOICE, "excess"), None)], "Λ_0 > 0 needs an excess"),
    ("a2-average-tau-one", "a2-average", "reject", [((*CHOICE, "tau"), 1)], "false: τ > 1 is needed where Λ_0 > 0"),
    ("a2-average-beta-over", "a2-average", "reject", [(BETA, 17)], "false: more is known at β = 17"),
    ("a2-average-lambda-over", "a2-average", "reject", [(LINEAR, [65, 65])], "false: more is known at Λ_0 = 65"),
    ("a2-average-two-full", "a2-average", "malformed", [(LAYERS, ["F", "F"])], "two full layers have three Λ_t"),
    ("a2-average-float", "a2-average", "malformed", [(MOST, 0.6)], "a float"),
    ("a2-average-shares-long", "a2-average", "malformed", [((*CHOICE, "shares"), ["1/2", "1/2"])], "one term"),
    ("a2-average-no-named", "a2-average", "malformed", [(CHOICE, {"tau": 2, "excess": 1, "shares": [1]})], "no named"),
    ("a2-average-powers", "a2-average", "malformed", [((*TASK, "m"), {"powers": [[2, 6]]})], "sizes are plain here"),
    ("a2-average-tokens", "a2-average", "reject", [(TOKENS, 579)], "false: the prompt has 578 tokens"),
    ("a2-average-no-early-under", "a2-average-no-early-r", "reject", [(MOST, "8/100")], "false: 8.8 % is shown"),
    ("a2-union-under", "a2-union", "reject", [(MOST, "157/1000")], "false: 15.76 % is shown"),
    ("a2-union-early", "a2-union", "reject", [(LINEAR, [1, 1])], "false: a union bound needs Λ_0 = 0"),
    ("a2-front-named", "a2-in-front-average", "reject", [((*CHOICE, "named"), [1, 1])], "false: another k shows less"),
    ("a2-front-none", "a2-in-front-average", "reject", [((*CHOICE, "named"), [])], "false: A2 speaks of two tables"),
    ("a2-front-long", "a2-in-front-average", "malformed", [((*CHOICE, "named"), [1] * 4)], "more than n_ℓ"),
    ("a2-front-large", "a2-in-front-average", "malformed", [((*CHOICE, "named"), [65, 1])], "k is at most 64"),
    ("c-average-under", "c-average", "reject", [(MOST, "1/4")], "false: 25.7 % is shown"),
    ("c-average-lambda-over", "c-average", "reject", [(LINEAR, [4001])], "false: more is known at Λ = 4001"),
    ("c-average-beta", "c-average", "malformed", [(BETA, 1)], "R alone has no β"),
    ("c-average-full", "c-average", "malformed", [(LAYERS, ["F"])], "a full layer has a β"),
    ("c-union-under", "c-union", "reject", [(MOST, "1/2")], "false: 50.8 % is shown"),
    ("c-one-full-early", "c-one-full", "reject", [(LAYERS, ["R", "F"])], "false: RF solves one table"),
    ("e-under", "e-delayed", "reject", [(MOST, "1/5")], "false: 20.1 % is shown"),
    ("e-blocks-order", "e-delayed", "malformed", [((*CHOICE, "blocks"), [1, 0, 2])], "blocks keep their order"),
    ("e-payment-unknown", "e-delayed", "malformed", [((*CHOICE, "payment"), "later")], "an unknown payment"),
    ("e-x-over-m", "e-delayed", "reject", [((*CHOICE, "x", 0), 10000001)], "false: x_0 is more than m"),
    ("e-full-as-quiet", "e-late", "reject", [((*CHOICE, "payment"), "quiet")], "false: an R stands behind the last F"),
    ("e-late-beta-over", "e-late", "reject", [(BETA, 2)], "false: more is known at β = 2"),
    ("e-quiet-beside", "e-quiet", "reject", [(LAYERS, ["F", "FR"])], "false: R heads beside the last F"),
    ("e-quiet-early", "e-quiet", "reject", [(LAYERS, ["F", "R", "F"])], "false: FRF solves two tables"),
    ("e-quiet-delayed", "e-quiet", "reject", [((*CHOICE, "payment"), "delayed")], "false: delayed is for kind A"),
    ("e-idle-late", "e-idle", "reject", [((*CHOICE, "blocks"), [0, 2])], "false: R behind the last full layer"),
    ("d-average-under", "d-average", "reject", [(MOST, "2/3")], "false: 66.9 % is shown"),
    ("d-average-bits-over", "d-average", "reject", [(("claim", "summary_bits"), 21)], "false: more is known"),
    ("d-average-alarms-over", "d-average", "reject", [(("claim", "false_alarms"), "2/20")], "false: more alarms"),
    ("d-average-alarms-none", "d-average", "malformed", [(("claim", "false_alarms"), -1)], "no share"),
    ("d-average-choice", "d-average", "malformed", [(CHOICE, {"named": []})], "Theorem D' has no choice"),
]


def entries() -> Iterator[Entry]:
    for name, (document, why) in BASES.items():
        yield Entry(_named(name, document), document["kind"], "accept", why, "written down", partial(changed, document))
    for name, of, expect, changes, why in CHANGES:
        document = changed(BASES[of][0], *changes)
        yield Entry(_named(name, document), document["kind"], expect, why, f"{of}, changed", partial(changed, document))


def _named(name: str, document: Document) -> str:
    """The file name: `b` and `c` are other theorems among the bounds."""
    return f"sharper-{name}" if document["kind"] == "bound" else name
