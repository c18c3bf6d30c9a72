"""Constructions that a checker must not accept, and the last value that holds next to the first that does not.

"false": the claim itself is false, as a run on all inputs shows (tests/certificates/test_corpus_truth.py). "not shown":
the claim is true, but what is written down does not prove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from tools.corpus import breaking
from tools.corpus.constructions import base
from tools.corpus.entries import Document, Entry, changed, edited
from tools.corpus.variants import Edit

FALSE: list[tuple[str, str, Edit, str]] = [
    ("c1-m2-no-layers", "c1-m2", breaking.no_layers, "no layers, and an unembedding that always answers 0"),
    ("c1-m2-query-sign", "c1-m2", breaking.query_sign, "the query of layer 2 asks for the other entry"),
    (
        "c1-m2-query-ignores-pointer",
        "c1-m2",
        breaking.query_ignores_pointer,
        "layer 2 does not ask for i0: a mean of both entries",
    ),
    ("c1-m2-query-of-z0", "c1-m2", breaking.query_of_another_kind, "layer 2 reads z0 again"),
    ("c1-m2-no-value", "c1-m2", breaking.no_value, "the head of layer 2 says 0"),
    ("c1-m2-negative-output", "c1-m2", breaking.negative_output, "what layer 2 reads is written with the other sign"),
    ("c1-m2-no-clip", "c1-m2", breaking.no_clip, "i0 stays where i1 is added"),
    ("c1-m2-answers-swapped", "c1-m2", breaking.answers_swapped, "the two answers have each other's row"),
    ("c1-m2-answers-alike", "c1-m2", breaking.answers_alike, "both answers have the same row"),
    ("c1-m3-answer-row-twice", "c1-m3", breaking.one_answer_row, "answers 0 and 2 have the same row"),
    ("c1-m2-token-rows-alike", "c1-m2", breaking.token_rows_alike, "both values look alike"),
    (
        "c1-m2-positions-swapped",
        "c1-m2",
        breaking.position_of_the_other,
        "the entries of the table have each other's address",
    ),
    ("c1-m2-temperature-0", "c1-m2", breaking.at(0), "τ = 0: all keys weigh the same"),
    (
        "c1-m2-temperature-under",
        "c1-m2",
        breaking.at("7/8"),
        "τ = 7/8: other keys weigh so much that an activation is above 4",
    ),
    ("c1-m2-size-over", "c1-m2", breaking.at("4001/1000"), "a query of 4.001, and 2^(p-f) = 4"),
    (
        "c2-rf-linear-feature-everywhere",
        "c2-rf-linear",
        breaking.feature_everywhere,
        "every token writes into the state",
    ),
    ("c2-rf-linear-no-feature", "c2-rf-linear", breaking.no_feature, "nothing is written into the state"),
    ("c3-m3-feature-twice", "c3-m3", breaking.feature_twice, "two features are for address 0, none for address 1"),
    ("c3-m3-feature-too-wide", "c3-m3", breaking.feature_too_wide, "a feature acts at more than one address"),
    ("c2-rff-delta-forgets", "c2-rff-delta", breaking.forgets, "α = 1/2: what z0 wrote is half as large at w"),
    ("c2-rf-delta-writes-always", "c2-rf-delta", breaking.writes_always, "w overwrites what z0 wrote"),
    ("c2-rf-delta-long-key", "c2-rf-delta", breaking.long_key, "kᵀk = 4: what the token reads is twice its value"),
    ("c5-hops-next-id", "c5-hops-linear", breaking.next_id_wrong, "the last generated id spells the opposite bits"),
    ("c5-records-groups", "c5-records", breaking.last_group_alike, "the groups of ids are not told apart"),
    ("c6-n3-m5-no-step", "c6-n3-m5", breaking.no_match_counts, "a match and no match are answered alike"),
    ("c6-n3-m5-cold", "c6-n3-m5", breaking.cold, "τ = 1/8: a match is lost among other keys"),
    ("c7-same-offset", "c7-n5-m3-b2", breaking.same_offset, "no head sees the second token of an earlier block"),
    (
        "c7-summary-of-two",
        "c7-n5-m3-b2",
        breaking.summary_of_two,
        "a summary key is the sum of two keys, above the shift",
    ),
    (
        "c1-m4-stored-row-off",
        "c1-m4-stored",
        breaking.stored_row_off,
        "the last entry of the table has the first one's address",
    ),
    ("c1-m2-word", "c1-m2", breaking.another_word, "the word of the model is FF"),
    ("c1-m2-task", "c1-m2", breaking.task_of_three, "the model is for m = 2, the claim speaks of m = 3"),
    ("c1-m3-rational-integral", "c1-m3", breaking.rational_claimed_integral, "weights of 1/3, and integral is claimed"),
    ("c1-m2-p-under", "c1-m2", breaking.precision(7, 6), "an activation of 3, and 2^(p-f) = 2"),
    (
        "c3-m3-feature-twice-wide",
        "c3-m3",
        breaking.wide(breaking.feature_twice),
        "two features for address 0, none for address 1 (P9)",
    ),
    ("c1-m2-constant-query", "c1-m2", breaking.w_is_not_single, "layer 1 reads entry 0 of the table in place of z0"),
    (
        "c1-m2-query-of-z0-wide",
        "c1-m2",
        breaking.wide(breaking.query_of_another_kind),
        "layer 2 reads z0 and part of the table",
    ),
    (
        "c2-rf-linear-everywhere-wide",
        "c2-rf-linear",
        breaking.wide(breaking.feature_everywhere),
        "the mean of all values is handed over",
    ),
    ("c1-m2-shift-low", "c1-m2", partial(breaking.shift, "11/2"), "a score of 6, a shift of 5.5: a weight above 2^P"),
]
NOT_SHOWN: list[tuple[str, str, Edit, str]] = [
    ("c1-m2-invariant-false", "c1-m2", breaking.invariant_false, "an invariant that does not hold; the model is right"),
    (
        "c1-m2-radius-under",
        "c1-m2",
        breaking.invariant_tight,
        "the radius of z0's junk is 999/1000, and 1 is reached (P7)",
    ),
    ("c1-m2-noise-dependent", "c1-m2", breaking.noise_twice, "noise columns are not independent (P7)"),
    ("c1-m2-noise-missing", "c1-m2", breaking.noise_missing, "an invariant without the junk of z0 (P7)"),
    ("c6-temperature-under", "c6-n3-m5", breaking.at("11/8"), "τ = 11/8: ε is too large (P11)"),
    ("c2-rf-delta-half-open", "c2-rf-delta", breaking.half_open, "β = 1/2: half of z0's value is written (P10)"),
    (
        "c1-m3-two-heads-integral",
        "c1-m3",
        breaking.halves_claimed_integral,
        "outputs of a half, and integral is claimed",
    ),
    ("c1-m2-split-sign", "c1-m2", breaking.split_wrong, "the invariant has the other sign of what the split unit says"),
    ("c1-m2-fraction-under", "c1-m2", breaking.precision(4, 1), "f = 1: rounding may reach the clip's edge"),
    ("c1-m2-unseen-token", "c1-m2", breaking.tables_see_z0, "an invariant that needs a token that is not visible (P2)"),
    ("c1-m2-shift-under", "c1-m2", partial(breaking.shift, "5999/1000"), "a score of 6 above the shift of 5.999 (P3)"),
]
EDGES: list[tuple[str, str, Edit, str]] = [
    ("c1-m2-size-exact", "c1-m2", breaking.at(4), "a query of 4 = 2^(p-f), exactly"),
    ("c1-m2-temperature-low", "c1-m2", breaking.at(1), "τ = 1: λ is just small enough"),
    ("c6-temperature-low", "c6-n3-m5", breaking.at("3/2"), "τ = 3/2: ε is just small enough"),
    ("c1-m2-seen-token", "c1-m2", breaking.tables_see_z0_both_ways, "the same with attention both ways: it is seen"),
    ("c1-m2-fraction-low", "c1-m2", breaking.precision(4, 2), "f = 2: rounding stays within the clip"),
]
CLAIMS: list[tuple[str, str, str, Any, str]] = [
    ("c1-m2-margin-over", "c1-m2", "margin", "2001/1000", "false: the margin is 2"),
    ("c1-m2-margin-zero", "c1-m2", "margin", 0, "not shown: a margin is positive"),
    ("c1-m2-margin-negative", "c1-m2", "margin", -1, "not shown: a margin is positive"),
    ("c6-n3-m5-margin-over", "c6-n3-m5", "margin", "4001/1000", "false: the margin is 4"),
    ("c1-m2-tokens-over", "c1-m2", "tokens", 5, "false: the prompt has 4 tokens"),
    ("c1-m2-tokens-under", "c1-m2", "tokens", 3, "false: the prompt has 4 tokens"),
    ("c5-hops-tokens", "c5-hops-linear", "tokens", 7, "false: the prompt has 6 tokens; thoughts do not count"),
    ("c1-m2-width", "c1-m2", "width", 8, "false: the width is 7"),
    ("c1-m2-heads", "c1-m2", "heads", 2, "false: each layer has one head"),
    ("c1-m2-layers", "c1-m2", "layers", 1, "false: there are two layers"),
    ("c1-m2-precision-P", "c1-m2", "precision_bits", {"P": 7, "p": 8}, "false: P is 8"),
    ("c1-m2-precision-p", "c1-m2", "precision_bits", {"P": 8, "p": 9}, "false: p is 8"),
    ("c1-m2-inputs-over", "c1-m2", "inputs_covered_log2", 4, "false: there are 2^3 inputs"),
    ("c1-m3-inputs-over", "c1-m3", "inputs_covered_log2", 7, "false: there are 81 inputs, fewer than 2^7"),
    ("c6-n3-m5-inputs-over", "c6-n3-m5", "inputs_covered_log2", 7, "false: there are 4^3 inputs"),
    ("c3-m3-state-bits-under", "c3-m3", "state_bits", 7, "false: entry by entry the states need 8 bits"),
    ("c2-rf-linear-state-bits-under", "c2-rf-linear", "state_bits", 2, "false: −1, 0, 1 and a normaliser: 3 bits"),
    ("c2-rf-delta-state-bits-under", "c2-rf-delta", "state_bits", 3, "false: two entries of −1, 0, 1: 4 bits"),
]


def entries() -> Iterator[Entry]:
    for word, part in (("false", FALSE), ("not shown", NOT_SHOWN)):
        for name, of, edit, why in part:
            yield Entry(name, "construction", "reject", f"{word}: {why}", _by(of, edit), partial(_edited, of, edit))
    for name, of, edit, why in EDGES:
        yield Entry(name, "construction", "accept", why, _by(of, edit), partial(_edited, of, edit))
    for name, of, key, value, why in CLAIMS:
        made = partial(_claimed, of, key, value)
        yield Entry(name, "construction", "reject", why, f"{of}, claim.{key}", made)


def _by(of: str, edit: Edit) -> str:
    name = edit.func.__name__ if isinstance(edit, partial) else edit.__name__
    return f"{of}, {name.strip('_')}"


def _edited(of: str, edit: Edit) -> Document:
    return edited(base(of), edit)


def _claimed(of: str, key: str, value: Any) -> Document:
    return changed(base(of), (("claim", key), value))
