"""Ways to break a construction: each edits a certificate in place, and its docstring says what is wrong then."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

from tools.corpus.entries import Document, matrix
from tools.corpus.variants import Edit, head, plain, rational, split_on_a_bit, times, two_halves


def set_entry(value: Document, row: int, column: int, x: Any) -> None:
    """Another number at an entry of a matrix."""
    value["entries"] = [item for item in value["entries"] if item[:2] != [row, column]] + [[row, column, x]]


def temperature(tau: Fraction, document: Document) -> None:
    """Queries and shifts of C1 at another τ; as built τ is 2."""
    for layer in document["model"]["layers"]:
        for one in layer["heads"]:
            one["W_Q"] = times(one["W_Q"], tau / 2)
            one["shift"] = plain(Fraction(one["shift"]) * tau / 2)
    document["claim"]["integral"] = False


def at(tau: int | str) -> Edit:
    return partial(temperature, Fraction(tau))


def no_layers(document: Document) -> None:
    """No layer, and an unembedding that always answers 0."""
    model, claim = document["model"], document["claim"]
    model["layers"], model["invariants"] = [], model["invariants"][:1]
    model["unembedding"] = {"stored": matrix(2, claim["width"], {(0, 0): 1, (1, 0): -1})}
    claim |= {"word": "", "heads": 0, "layers": 0}


def query_sign(document: Document) -> None:
    """Layer 2 asks for the other entry of the table."""
    one = head(document, 2)["W_Q"]
    one["entries"] = [[r, c, -x if c == 5 else x] for r, c, x in one["entries"]]


def query_ignores_pointer(document: Document) -> None:
    one = head(document, 2)["W_Q"]
    one["entries"] = [item for item in one["entries"] if item[1] != 5]


def query_of_another_kind(document: Document) -> None:
    """Layer 2 asks for the tag of z0, not for that of the table."""
    set_entry(head(document, 2)["W_Q"], 0, 0, -2)


def no_value(document: Document) -> None:
    head(document, 2)["W_V"]["entries"] = []


def negative_output(document: Document) -> None:
    head(document, 2)["W_O"] = times(head(document, 2)["W_O"], -1)


def no_clip(document: Document) -> None:
    """The pointer is not emptied before the next hop is added."""
    one = document["model"]["layers"][1]["mlps"][0]["W_2"]
    one["entries"] = [item for item in one["entries"] if item[:2] not in ([5, 2], [5, 3])]


def answers_swapped(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"] = [[5, 1, -1]]


def answers_alike(document: Document) -> None:
    document["model"]["unembedding"]["declared"][0]["matrix"]["entries"] = [[5, 0, 1]]


def one_answer_row(document: Document) -> None:
    """Of three stored answers the last has the row of the first."""
    rows = {0: (-1, -1), 1: (1, -1), 2: (-1, -1)}
    entries = {(v, 7 + j): c for v, pair in rows.items() for j, c in enumerate(pair)}
    document["model"]["unembedding"] = {"stored": matrix(3, document["claim"]["width"], entries)}


def token_rows_alike(document: Document) -> None:
    """Both values have the same row: nobody sees what stands in the table."""
    document["model"]["tokens"]["declared"][0]["matrix"]["entries"] = [[4, 0, 1]]


def position_of_the_other(document: Document) -> None:
    """The two entries of the table have each other's address."""
    document["model"]["positions"]["declared"][0]["matrix"]["entries"][-1] = [3, 1, -1]


def stored_row_off(document: Document) -> None:
    """The last entry of the table has the address of the first: its row is no sum of those at 0 and powers of two."""
    table = document["model"]["positions"]["stored"]
    for slot in (3, 4):
        set_entry(table, 3, slot, -1)


def invariant_false(document: Document) -> None:
    """The invariant says that after layer 1 w holds i1: that is i0."""
    document["model"]["invariants"][1]["w"]["forms"][-1][1] = "i1.0"


def invariant_tight(document: Document) -> None:
    document["model"]["invariants"][1]["z0"]["noise"][0]["radius"] = "999/1000"


def noise_twice(document: Document) -> None:
    """Two noise columns that are multiples of each other."""
    noise = document["model"]["invariants"][1]["z0"]["noise"]
    noise.append({"radius": 1, "column": [[5, 2]]})


def noise_missing(document: Document) -> None:
    document["model"]["invariants"][1]["z0"]["noise"] = []


def feature_everywhere(document: Document) -> None:
    """φ_k = 1 at every token: the state is the sum of all values."""
    head(document, 1)["W_K"]["entries"] = []
    set_entry(head(document, 1)["b_K"], 0, 0, 1)


def no_feature(document: Document) -> None:
    head(document, 1)["W_K"]["entries"], head(document, 1)["b_K"]["entries"] = [], []


def feature_twice(document: Document) -> None:
    """In C3's layer 2 the feature of address 1 becomes that of address 0, for keys and queries."""
    for key in ("W_Q", "W_K", "b_Q", "b_K"):
        value = head(document, 2)[key]
        first = [[1, column, x] for row, column, x in value["entries"] if row == 0]
        value["entries"] = [item for item in value["entries"] if item[0] != 1] + first


def feature_too_wide(document: Document) -> None:
    """One more in the bias: the feature acts at other addresses too."""
    bias = head(document, 2)["b_K"]
    set_entry(bias, 0, 0, next(x for r, _, x in bias["entries"] if r == 0) + 2)


def forgets(document: Document) -> None:
    document["claim"]["integral"] = False
    set_entry(head(document, 1)["b_A"], 0, 0, "1/2")


def writes_always(document: Document) -> None:
    """β = 1 at every token: w overwrites what z0 wrote."""
    head(document, 1)["W_B"]["entries"] = []
    set_entry(head(document, 1)["b_B"], 0, 0, 1)


def half_open(document: Document) -> None:
    document["claim"]["integral"] = False
    bias = head(document, 1)["b_B"]
    set_entry(bias, 0, 0, plain(Fraction(bias["entries"][0][2]) - Fraction(1, 2)))


def long_key(document: Document) -> None:
    """kᵀk = 4."""
    head(document, 1)["W_K"] = times(head(document, 1)["W_K"], 2)


def next_id_wrong(document: Document) -> None:
    """The rows of the last group of ids are those of the opposite bits."""
    parts = document["model"]["unembedding"]["declared"]
    last = max(parts, key=lambda part: part["start"])
    last["matrix"]["entries"] = [[r, c, -x if c else x] for r, c, x in last["matrix"]["entries"]]


def last_group_alike(document: Document) -> None:
    """The last group of ids has rows without the constant that keeps it below the others."""
    for part in document["model"]["unembedding"]["declared"]:
        part["matrix"]["entries"] = [item for item in part["matrix"]["entries"] if item[1]]


def no_match_counts(document: Document) -> None:
    """The bias of the last unit is so high that its step is never taken."""
    mlp = document["model"]["layers"][0]["mlps"][1]
    set_entry(mlp["b_1"], 0, 0, 3)


def same_offset(document: Document) -> None:
    """Both heads keep the first token of each block: nobody sees the second."""
    for key in ("C_K", "C_V"):
        head(document, 1, 1)[key] = json.loads(json.dumps(head(document, 1, 0)[key]))


def summary_of_two(document: Document) -> None:
    """A summary adds up the keys of two tokens."""
    head(document, 1)["C_K"]["entries"] += [[0, 2, 1], [1, 3, 1]]


def cold(document: Document) -> None:
    """The search of 2-Sum at τ = 1/8: a match hardly weighs more than other keys."""
    one = head(document, 1)
    one["W_Q"], one["shift"] = times(one["W_Q"], Fraction(1, 16)), plain(Fraction(one["shift"]) / 16)
    document["claim"]["integral"] = False


def another_word(document: Document) -> None:
    document["claim"]["word"] = "FR"


def task_of_three(document: Document) -> None:
    document["claim"]["task"]["m"] = 3


def rational_claimed_integral(document: Document) -> None:
    rational(document)
    document["claim"]["integral"] = True


def halves_claimed_integral(document: Document) -> None:
    two_halves(document)
    document["claim"]["integral"] = True


def split_wrong(document: Document) -> None:
    """The invariant says that the split unit keeps the bit's sign turned."""
    split_on_a_bit(document)
    document["model"]["invariants"][-1]["w"]["forms"][-1][2] = -1


def precision(p: int, fraction: int) -> Callable[[Document], None]:
    def edit(document: Document) -> None:
        document["model"]["precision"] |= {"p": p, "fraction": fraction}
        document["claim"]["precision_bits"]["p"] = p

    edit.__name__ = f"precision_{p}_{fraction}"
    return edit


def wide(edit: Edit) -> Edit:
    """The same with space for larger numbers, so that P8 is not what fails."""

    def both(document: Document) -> None:
        edit(document)
        fraction = document["model"]["precision"]["fraction"]
        precision(fraction + 12, fraction)(document)
        document["claim"]["integral"] = False

    both.__name__ = f"wide_{edit.__name__}"
    return both


def tables_see_z0(document: Document) -> None:
    """The invariant says that the tokens of the table hold i0 after layer 1: z0 stands behind them."""
    invariant = document["model"]["invariants"][1]["table 1"]
    invariant["forms"].append([5, "i0.0", 1])
    invariant["noise"] = []


def tables_see_z0_both_ways(document: Document) -> None:
    tables_see_z0(document)
    document["model"]["attention"] = "both"


def w_is_not_single(document: Document) -> None:
    """The query of layer 1 asks for an entry of the table that is not the asked one: index 0, whatever i0 is."""
    one = head(document, 1)["W_Q"]
    one["entries"] = [[0, 0, 2], [1, 0, -2], [2, 0, -2]]


def shift(value: str, document: Document) -> None:
    """The score of the match is 6."""
    head(document, 2)["shift"] = value
