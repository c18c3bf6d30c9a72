"""corpus/: what is in it, and that the kernel says of each file what it should."""

from __future__ import annotations

import json
from typing import Any

import pytest
from corpus_cases import MANIFEST, ROOT, expected, module, said, text, twin

from separation.proving import kernel


def test_the_kernel_agrees_with_little_work() -> None:
    """docs/certificates.md: what is to be answered takes less than 2^21 units; small files that ask for minutes of work
    are declined by its count, or by the length of a number."""
    reasons = set()
    for entry in MANIFEST:
        try:
            found = "accept" if kernel.check_text(text(entry)).ok else "reject"
        except kernel.Malformed as error:
            found, _ = "no verdict", reasons.add(str(error))
        assert found == expected(entry), entry["file"]
        assert kernel.Work.units < 2**21 or found == "no verdict", entry["file"]
    assert "declined: the check takes more work than 134217728 units" in reasons
    assert "declined: a number of more than 131072 bits" in reasons


def test_everything_is_there() -> None:
    """Of what the kernel accepts: heads, tables, thoughts, attention, theorems, maps."""
    good = [json.loads(text(entry)) for entry in MANIFEST if entry["expect"] == "accept"]
    models = [one["model"] for one in good if one["kind"] == "construction"]
    layers = [layer for model in models for layer in model["layers"]]
    heads = [head for layer in layers for head in layer["heads"]]
    assert {head["type"] for head in heads} == {"full", "linear", "delta", "product", "sparse"}
    assert {head["normalised"] for head in heads if head["type"] == "linear"} == {True, False}
    assert {model["task"].get("thoughts") for model in models} == {None, "hops", "addresses", "records"}
    assert {model["attention"] for model in models} == {"causal", "both"}
    assert {model["task"]["task"] for model in models} == {"funccomp", "two_sum", "look_ups", "program"}
    assert {key for model in models for key in model["tokens"]} == {"stored", "declared"}
    assert any("mirror" in part for model in models for part in model["tokens"].get("declared", []))
    assert max(len(layer["heads"]) for layer in layers) > 2
    assert max(len(layer["mlps"]) for layer in layers) > 2
    assert {one["claim"]["integral"] for one in good if one["kind"] == "construction"} == {True, False}
    bounds = [one["claim"] for one in good if one["kind"] == "bound"]
    sharper = {"A2", "A2W", "B2", "B2c", "A3", "A3.free", "A3c", "AL", "BL"}
    assert {claim["theorem"] for claim in bounds} == {*"ABCD", *sharper, "memory", "look", "reach", "period"}
    assert any(claim.get("message") for claim in bounds)
    choices = [one["choice"] for one in good if one["kind"] == "bound" and "x" in (one["choice"] or {})]
    assert {choice["free_start"] for choice in choices} == {True, False}
    assert {choice["reached"] is None for choice in choices} == {True, False}
    decisions = [one["claim"] for one in good if one["kind"] == "decision"]
    assert {claim.get("construction", claim.get("theorem")) for claim in decisions} == {
        *("C1", "C2", "C3", "A2", "A2W", "B2", "B2c"),
        *"ABC",
    }
    ceilings = [one["claim"]["theorem"] for one in good if one["kind"] == "ceiling"]
    assert set(ceilings) == {
        *("A2 average", "A2 union", "B2c average", "A3c average", "C' average", "C' union", "E", "D'")
    }
    pairs = [one for one in good if one["kind"] == "pair"]
    assert {one["map"]["type"] for one in pairs if "map" in one} == {"table", "linear"}
    assert {"R", "F", "RF", "[FR]", "S", ""} <= {one["claim"]["word"] for one in pairs if "model" in one}
    assert max(len(one["claim"]["output_a"]) for one in pairs if "model" in one) > 1


def test_the_page_says_what_is_expected() -> None:
    readme = (ROOT / "corpus" / "README.md").read_text()
    assert all(f"`{expect}`" in readme for expect in ("accept", "reject", "malformed", "decline"))


ANY_ORDER = (
    ("bit = min(bits, key=lambda s: (-absolute(form[s]), s))", "bit = max(bits, key=lambda s: (absolute(form[s]), s))"),
    ("key=lambda choice: choice[:2]", "key=lambda choice: (choice[0], -choice[1])"),
)


@pytest.mark.parametrize("digits", [208, pytest.param(400, marks=pytest.mark.slow)])
def test_no_verdict_depends_on_the_order_of_equals_or_on_more_precision_than_the_page_asks_for(digits: int) -> None:
    """P6 takes one of the bits with the largest coefficient, and one slope of least range: any choice is sound. With
    208 binary digits errors are below 2^-190 all the same; with more nothing changes."""
    other = module(twin(*ANY_ORDER, ("DIGITS = 256 ", f"DIGITS = {digits} ")))
    chosen = [entry for entry in MANIFEST if entry["kind"] not in ("decision", "text") and entry["expect"] != "decline"]
    assert [entry["file"] for entry in chosen if said(other, entry) != expected(entry)] == []


RULES: dict[str, tuple[str, str, str]] = {
    "P1 stored rows": ("construction", 'f"P1: row {x} is not affine in the bits")', '"") if False else None'),
    "P2 visibility": (
        "construction",
        "range(len(self.kinds) if self.model.both else place + 1)",
        "range(len(self.kinds))",
    ),
    "P4 constants": ("construction", "if table[bit][ONE] > 0", "if table[bit][ONE] < 0"),
    "P6 no other bit": ("construction", "set(form) <= {ONE, *codes, *told} and low", "low"),
    "P6 above 0": ("construction", "low >= 0 and high <= 2", "high <= 2"),
    "P6 below 0": ("construction", " and high <= 2 * min(sizes):", ":"),
    "P6 every case": ("construction", "{j: {} for j in range(min(q, task.sizes[ell - 2]))}", "{j: {} for j in cases}"),
    "P6 the same": ("construction", "if all(part == first for part in others):", "if True:"),
    "suppositions": ("construction", "(ell, j, q) if is_index and is_bit else None", "(ell, j, q)"),
    "P3 shift": ("construction", "if max(bounds) > head.shift:", "if False:"),
    "P4 condition (a)": ("construction", "not set(table) <= {ONE, *bits}", "False"),
    "P4 condition (b)": ("construction", "len(table.get(bit, {})) != 1 or tau <= 0", "tau <= 0"),
    "P7 remainder": ("construction", "if off > most:", "if False:"),
    "P7 independent": ("construction", 'self.refuse(pivot < 0, "invariant"', 'self.refuse(False, "invariant"'),
    "P8 size": ("construction", "if size > bound:", "if False:"),
    "P10 gates": ("construction", "self.refuse(span(keep)[0] < 1 or not fits,", "self.refuse(False and not fits,"),
    "P11 summaries": ("construction", 'self.refuse(wrong, f"head {h}"', 'self.refuse(False, f"head {h}"'),
    "answer, the noise of a bit": ("construction", "2 * (tau - noise.get(b, 0))", "2 * tau"),
    "answer, one symbol": ("construction", 'self.refuse(wrong, "unembedding"', 'self.refuse(False, "unembedding"'),
    "states within p bits": ("construction", "self.size([{ONE: max(-low, high)}],", "self.size([{}],"),
    "answer, every token": ("construction", "self.refuse(not whole,", "self.refuse(False and not whole,"),
    "integral": ("construction", "wrong = self.integral and any", "wrong = False and any"),
    "margin": ("construction", "refuse(not 0 < margin <= proved,", "refuse(False and not 0 < margin <= proved,"),
    "state bits": ("construction", "refuse(few,", "refuse(False and few,"),
    "inputs": (
        "construction",
        "refuse(unknown,",
        "refuse(False and unknown,",
    ),
    "(E)": ("bound", "refuse(ratio.low < 0 or", "refuse(False and ratio.low < 0 or False and"),
    "(F)": ("bound", "refuse(room.low <= 0,", "refuse(room.low < -(1 << 300),"),
    "B2c, A3c: entries": ("bound", 'less(g, m, "g ≤ m", False)\n    less(last', "less(last"),
    "B2c, A3c: values": ("bound", 'less(v, values, "v is too large", False)', "None"),
    "B2c, A3c: groups": ("bound", 'less(last, size * groups, "n ≤ ω·γ", False)', "None"),
    "B2c, A3c: A ≥ 1": ("bound", 'less(lost, entries * v, "A ≥ 1")', "None"),
    "A3c: no early R": ("bound", 'refuse(bits[0].high > 0, "Theorem A3c', 'refuse(False, "Theorem A3c'),
    "c'_τ at 0": ("ceiling", '    less(left, whole + whole * rest, "excess ≥ c\'_τ, at 0,", False)\n', ""),
    "c'_τ at 1/(1+τ)": ("ceiling", '    less(left, right, "excess ≥ c\'_τ, at 1/(1+τ),", False)\n', ""),
    "rows": ("bound", 'less(own, all_rows, "ν ≤ n", False)', "None"),
    "unused rows hear": ("bound", "(size - row) * N if some else unused", "unused"),
    "message": ("bound", "refuse(budget < H *", "refuse(False and budget < H *"),
    "Theorem D": ("bound", "refuse(r >= (subsets -", "refuse(False and r >= (subsets -"),
    "depth": ("decision", "refuse(depth < L,", "refuse(False and depth < L,"),
    "the largest table": ("decision", "refuse(held < N *", "refuse(False and held < N *"),
    "the same right answer": ("pair", "refuse(right == right_too,", "refuse(False and right == right_too,"),
    "what a pair says": ("pair", "refuse(answers != said,", "refuse(False and answers != said,"),
    "what is heard": ("pair", "refuse(heard != claimed,", "refuse(False and heard != claimed,"),
    "summaries of a map": ("pair", "refuse(not alike,", "refuse(False and not alike,"),
    "the last summary": (
        "pair",
        'range(B * len(summaries) + B, len(pairs) + 1, B) if head.type == "sparse"',
        'range(B * len(summaries) + B, len(pairs), B) if head.type == "sparse"',
    ),
    "inputs that were run": (
        "exhaustive",
        'refuse(ours != theirs, f"claim, {name}: {show(theirs)}',
        'refuse(False, f"{name}',
    ),
    "promises of what is run": (
        "exhaustive",
        "        if not asked:  # it does",
        "        if tokens and not asked:  # it does",
    ),
    "the first of equals": (
        "exhaustive",
        "return logits.index(max(logits)), logits[truth]",
        "return (truth if logits[truth] == max(logits) else logits.index(max(logits))), logits[truth]",
    ),
    "the margin of what is run": (
        "exhaustive",
        "if above is not None and (found.margin is None or above < found.margin):",
        "if above is not None and (found.margin is None or above > found.margin):",
    ),
    "a margin of some answers": (
        "exhaustive",
        "best = found.margin if found.right == found.answers else None",
        "best = found.margin if found.right == found.answers else abs(found.margin)",
    ),
    "precision of what is run": (
        "exhaustive",
        "refuse(most > self.model.bound * common,",
        "refuse(False and most > self.model.bound * common,",
    ),
    "a score above the shift": ("exhaustive", "refuse(max(exponents) > 0,", "refuse(False and max(exponents) > 0,"),
    "the shape of what is run": (
        "exhaustive",
        'refuse(a != b, f"claim, {name}: the model has another")',
        "refuse(False, name)",
    ),
    "a right answer": ("wrong", "refuse(found == truth,", "refuse(False and found == truth,"),
    "what it says": ("wrong", "refuse(found != says,", "refuse(False and found != says,"),
    "what is right": ("wrong", "refuse((at, truth) not in answers,", "refuse(at not in dict(answers),"),
    "where it is asked": ("wrong", "refuse((at, truth) not in answers,", "refuse(truth not in dict(answers).values(),"),
    "rows of a map": ("pair", "integer(c, -(2**53), 2**53)", "integer(c, -(2**53))"),
    "the name of a construction": ("decision", "integer(asked, 1), string(construction)", "integer(asked, 1), None"),
    "characters": ("text", r"\ufdd0-\ufdef", ""),
    "repeated keys": ("text", "need(len(result) == len(pairs)", "need(True"),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_kernel_without_a_rule_is_found_out(rule: str) -> None:
    """By a file of the kind that the rule is about, of which it says something else."""
    kind, old, new = RULES[rule]
    broken: Any = module(twin((old, new)))
    chosen = [entry for entry in MANIFEST if entry["kind"] == kind and entry["expect"] != "accept"]
    assert any(said(broken, entry) != expected(entry) for entry in chosen)
