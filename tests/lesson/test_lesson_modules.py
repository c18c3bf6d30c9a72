"""The page's own C1, runs, words and bounds, next to Python's; each with a twin that differs."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpus_cases import CORPUS, MANIFEST
from lesson_cases import NO_NODE, NODE, SIZES, in_node

from constructions import build
from separation.bounds import Word
from separation.bounds.theorems.theorem_d import sparse_layers_solve, theorem_d
from separation.models import logits_of, run, streams
from separation.models.document import model_from_document
from separation.proving.certificates import certified_proof
from separation.tasks.funccomp import Instance, Sizes, hops, sample, token_ids
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import right_answers
from separation.verbs.decide import decide
from tools.lesson import programs

pytestmark = pytest.mark.skipif(NODE is None, reason=NO_NODE)


def written(sizes: Sizes) -> str:
    return f"sizesOf({sizes.m}, {list(sizes.n)})"


def test_c1_of_the_page_is_c1_of_python_number_for_number(tmp_path: Path) -> None:
    calls = ", ".join(f"certificate({written(sizes)})" for sizes in SIZES)
    found = in_node(
        'import { certificate } from "SRC/c1.mjs"; import { sizesOf } from "SRC/funccomp.mjs";\n'
        f"console.log(JSON.stringify([{calls}]));",
        tmp_path,
    )
    for sizes, ours in zip(SIZES, found, strict=True):
        theirs = certified_proof(build("C1", sizes)).certificate
        assert ours["claim"] == theirs["claim"], sizes
        assert ours["model"] == theirs["model"], sizes
    assert found[0]["model"] != found[1]["model"]


@pytest.mark.parametrize(("sizes", "quarters"), [(Sizes(3, (2,)), 8), (Sizes(2, (2, 2)), 5), (Sizes(4, ()), 3)])
def test_a_run_of_the_page_has_the_streams_of_python(sizes: Sizes, quarters: int, tmp_path: Path) -> None:
    instances = [sample(sizes, seed) for seed in range(6)]
    inputs = [{"z0": each.z0, "tables": [list(t) for t in each.tables], "w": list(each.w)} for each in instances]
    found = in_node(
        'import { certificate } from "SRC/c1.mjs"; import { sizesOf, tokenIds } from "SRC/funccomp.mjs";\n'
        'import { answer, compile, run } from "SRC/run.mjs";\n'
        f"const sizes = {written(sizes)}, {{ model }} = certificate(sizes, [{quarters}, 4]);\n"
        "const compiled = compile(model);\n"
        f"const out = {json.dumps(inputs)}.map((input) => {{\n"
        "  const { streams, looks } = run(compiled, tokenIds({ sizes, ...input }));\n"
        "  const text = (x) => x.map(({ values, den }) => values.map((value) => `${value}/${den}`));\n"
        "  const said = answer(compiled, streams.at(-1).at(-1), sizes.N.at(-1));\n"
        "  return { streams: streams.map(text), weights: looks.map((look) => look.weights.map(String)),\n"
        "    logits: said.logits.map(String), answer: said.answer };\n"
        "});\n"
        "console.log(JSON.stringify({ model, out }));",
        tmp_path,
    )
    model = model_from_document(found["model"])
    for instance, ours in zip(instances, found["out"], strict=True):
        ids = np.asarray(token_ids(instance))
        theirs = list(streams(model, ids))
        for stage, scaled in zip(ours["streams"], theirs, strict=True):
            wanted = [[Fraction(int(v), scaled.denominator) for v in row] for row in scaled.values[0]]
            assert [[Fraction(v) for v in row] for row in stage] == wanted
        result = run(model, ids)
        assert ours["answer"] == int(result.answers[0])
        step = 1 << model.precision.fraction_bits
        last = logits_of(model, theirs[-1])[0, -1]
        scale = theirs[-1].denominator * model.unembedding.denominator * step
        assert [Fraction(v) for v in ours["logits"]] == [Fraction(int(v), scale) for v in last]
        for layer, look in enumerate(result.looks):
            weights = [int(w) for w in ours["weights"][layer]]
            assert (max(weights), sum(weights)) == (int(look.weights[0]), int(look.totals[0]))
            assert weights.index(max(weights)) == int(look.positions[0])


WORDS = ["R", "F", "FR", "RF", "RFFR", "[FR]F2", "(RRF)4", "F3R2", "((RF)2[RF])3", "R4FR7F", "FFRF"]
BAD_WORDS = ["", "X", "(RF", "RF)", "()", "[F]", "F0", "F99999"]


def test_depths_are_those_of_python(tmp_path: Path) -> None:
    every = ["".join(letters) for size in range(1, 6) for letters in itertools.product("FR", repeat=size)] + WORDS
    found = in_node(
        'import { depthOf, parseWord, verdictOf } from "SRC/words.mjs";\n'
        f"const good = {json.dumps(every)}.map((text) => {{ const layers = parseWord(text), depth = depthOf(layers);\n"
        "  const by = depth > 0 ? verdictOf(layers, depth).by : null;\n"
        "  return [layers, depth, verdictOf(layers, depth + 1).by, by]; });\n"
        f"const bad = {json.dumps(BAD_WORDS)}.map((text) => {{ try {{ parseWord(text); return null; }} "
        "catch (error) { return error.message; } });\n"
        "console.log(JSON.stringify({ good, bad }));",
        tmp_path,
    )
    for text, (layers, depth, against, by) in zip(every, found["good"], strict=True):
        word = Word.parse(text)
        assert (tuple(layers), depth) == (word.layers, word.depth), text
        assert against == ("C" if not word.full else "A" if depth + 1 > word.full else "B")
        assert by == (decide(text, L=depth).decision.construction if depth else None), text
    assert all(found["bad"])


def test_the_least_summaries_are_those_of_theorem_d(tmp_path: Path) -> None:
    cases = [(M, B, k, g) for M in (5, 7, 11, 13) for B in (2, 3) for g in (2, 4, 6) for k in (0, 1, 2) if g > k]
    found = in_node(
        'import { leastValues } from "SRC/sparse.mjs";\n'
        f"console.log(JSON.stringify({json.dumps(cases)}.map((c) => String(leastValues(...c)))));",
        tmp_path,
    )
    assert [int(value) for value in found] == [theorem_d(*case).values for case in cases]


def test_several_sparse_layers_solve_and_fail_where_decide_says(tmp_path: Path) -> None:
    cases = [(B, k, layers) for B in (2, 3) for k in (0, 1, 2, 3) for layers in (2, 3, 4, 5)]
    found = in_node(
        'import { severalLayers } from "SRC/sparse.mjs";\n'
        f"console.log(JSON.stringify({json.dumps(cases)}.map((c) => severalLayers(...c))));",
        tmp_path,
    )
    for (solved, impossible), (B, k, layers) in zip(found, cases, strict=True):
        ends = [sparse_layers_solve(n, B, k, layers) for n in (solved + 1, impossible - 1, impossible)]
        assert ends == [None, None, False]
        assert k == 0 or sparse_layers_solve(solved, B, k, layers) is True


def state_after(table: list[int], weights: dict[str, int], bits: int) -> int:
    state = 0
    for place, value in enumerate(table, start=1):
        state = (weights["g"] * state + weights["a"] * place + weights["b"] * value + weights["c"] * place * value) % (
            1 << bits
        )
    return state


def test_pairs_of_the_birthday_search_are_pairs(tmp_path: Path) -> None:
    cases: list[tuple[int, dict[str, int], int]] = [
        (m, {"g": g, "a": 1, "b": b, "c": 1}, bits)
        for m in (3, 4, 6)
        for g in (0, 3)
        for b in (0, 2)
        for bits in (1, 5, 9)
    ]
    stored: list[tuple[int, dict[str, int], int]] = [(4, {"g": 4, "a": 0, "b": 1, "c": 0}, 8)]
    calls = ", ".join(f"findPair({m}, {json.dumps(w)}, {bits})" for m, w, bits in cases + stored)
    found: list[dict[str, Any]] = in_node(
        f'import {{ findPair }} from "SRC/birthday.mjs";\nconsole.log(JSON.stringify([{calls}]));', tmp_path
    )
    injective = 0
    for (m, weights, bits), pair in zip(cases, found, strict=False):
        if "a" not in pair:
            tables = itertools.product(range(m), repeat=m)
            assert len({state_after(list(table), weights, bits) for table in tables}) == m**m
            injective += 1
            continue
        assert pair["a"] != pair["b"], (m, weights, bits)
        states = {state_after(pair[side], weights, bits) for side in "ab"}
        assert states == {pair["state"]}
        assert pair["a"][pair["entry"]] != pair["b"][pair["entry"]]
    assert injective < len(cases) / 2
    assert found[-1]["exhausted"]
    assert found[-1]["tried"] == 4**4 == found[-1]["states"]


def test_hops_are_those_of_python(tmp_path: Path) -> None:
    instances: list[Instance] = [sample(sizes, seed) for sizes in SIZES for seed in range(3)]
    inputs = [
        [each.sizes.m, list(each.sizes.n), each.z0, [list(t) for t in each.tables], list(each.w)] for each in instances
    ]
    found = in_node(
        'import { follow, sizesOf, tokenIds } from "SRC/funccomp.mjs";\n'
        f"console.log(JSON.stringify({json.dumps(inputs)}.map(([m, n, z0, tables, w]) => {{\n"
        "  const input = { sizes: sizesOf(m, n), z0, tables, w };\n"
        "  return [follow(input).hops, tokenIds(input)]; })));",
        tmp_path,
    )
    for instance, (path, ids) in zip(instances, found, strict=True):
        assert tuple(path) == hops(instance)
        assert ids == list(token_ids(instance))


def test_being_watched_changes_no_verdict_and_a_refusal_says_where(tmp_path: Path) -> None:
    small = [entry["file"] for entry in MANIFEST if (CORPUS / entry["file"]).stat().st_size < 4500]
    files = [name for name in small if "declined-binomials" not in name]  # it takes as long as all others together
    found = in_node(
        'import { checkText } from "SRC/../kernel.mjs"; import { readFileSync } from "node:fs";\n'
        f"const out = {json.dumps([str(CORPUS / name) for name in files])}.map((name) => {{\n"
        '  const text = readFileSync(name, "utf8"), steps = [], plain = checkText(text);\n'
        "  const watched = checkText(text, (step) => steps.push(step));\n"
        "  return { same: plain.sentence === watched.sentence, verdict: plain.verdict, where: plain.where,\n"
        "    last: steps.at(-1) ?? null, failed: steps.filter(({ holds }) => !holds).length };\n"
        "});\n"
        "console.log(JSON.stringify(out));",
        tmp_path,
    )
    assert all(each["same"] for each in found)
    placed = 0
    for name, each in zip(files, found, strict=True):
        if each["verdict"] == "accepted":
            assert each["last"]["holds"], name
        if each["verdict"] == "rejected":
            assert each["failed"] >= 1, name
            placed += each["where"] is not None and each["where"]["layer"] >= 1
    assert placed >= 10


def test_what_was_checked_is_said_in_the_positive(tmp_path: Path) -> None:
    """Of a certificate that is accepted no line is a reason to refuse; of one that is rejected exactly one is."""
    names = ["construction/c2-rff-delta.json", "bound/a.json", "bound/a-beta-over.json"]
    found = in_node(
        'import { checkText } from "SRC/../kernel.mjs"; import { lines } from "SRC/checker.mjs";\n'
        'import { readFileSync } from "node:fs";\n'
        f"const out = {json.dumps([str(CORPUS / name) for name in names])}.map((name) => {{\n"
        '  const steps = []; checkText(readFileSync(name, "utf8"), (step) => steps.push(step));\n'
        "  return { steps: steps.length, lines: lines(steps) };\n"
        "});\n"
        "console.log(JSON.stringify(out));",
        tmp_path,
    )
    for each in found:
        assert sum(line["count"] for line in each["lines"]) == each["steps"]
        for line in each["lines"]:
            bad = any(word in line["text"] for word in (" not ", " other ", "another", "fewer"))
            assert bad != line["holds"] or "outweighs" in line["text"], line
    construction, bound, over = found
    assert len(construction["lines"]) < construction["steps"] / 5
    assert [line["holds"] for line in over["lines"]].count(False) == 1
    assert "(F) holds" in {line["text"] for line in bound["lines"]}


def test_definitions_of_the_page_say_what_the_oracle_says(tmp_path: Path) -> None:
    """Of the page's own certificates, on all prompts of their length; each definition has its words."""
    for shown in programs():
        task = json.loads(shown["text"])["model"]["task"]
        assert [each["define"] for each in task["definitions"]].count("map") == shown["words"].count(None)
        assert len(shown["words"]) == len(task["definitions"]), shown["title"]
        program, length = definitions_from_document(task), len(shown["prompt"])
        symbols = [list(each) for each in itertools.product(range(max(shown["prompt"]) + 1), repeat=length)]
        prompts = np.array([[0, *(symbol + 1 for symbol in each)] for each in symbols])
        found = in_node(
            'import { evaluate } from "SRC/programs.mjs";\n'
            f"const task = {json.dumps(task)};\n"
            f"console.log(JSON.stringify({json.dumps(symbols)}.map((each) => evaluate(task, each).at(-1).values)));",
            tmp_path,
        )
        assert (np.array(found) == right_answers(program, prompts)[:, -length:]).all()
        assert not (np.array(found) == np.array(symbols)).all(), "another program would differ"
