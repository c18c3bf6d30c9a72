"""Pairs, judged by running both inputs with the plain evaluator; nothing is imported from the project.

What crosses is computed here from the streams before each layer, by the definitions of docs/fooling.md.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

from naive_model import Vector, dot, times, weight
from plain_evaluator import Case, FuncComp, Runner, TwoSum, word

Document = dict[str, Any]
Message = tuple[int, int, list[Fraction]]


def pair_holds(document: Document) -> bool:
    """Different right answers, equal transcripts and outputs, all as claimed."""
    if "map" in document:
        return map_holds(document)
    claim, model = document["claim"], document["model"]
    cases = [case for name in "ab" if (case := case_of(claim[name], model["task"])) is not None]
    if len(cases) < 2:
        return False
    prompts, (start, stop) = [case.ids for case in cases], claim["differ"]
    outside = [ids[:start] + ids[stop:] for ids in prompts]
    right = [case.answers[-1][1] for case in cases]
    if outside[0] != outside[1] or not start < stop < len(prompts[0]):
        return False
    if right != [claim["expected_a"], claim["expected_b"]] or right[0] == right[1]:
        return False
    if claim["output_a"] != claim["output_b"] or not claim["output_a"] or claim["word"] != word(model):
        return False
    claimed = [(part["layer"], part["head"], [Fraction(x) for x in part["numbers"]]) for part in claim["transcript"]]
    try:
        runner = Runner(model, integral=False)
        runs = [outputs(runner, ids, len(claim["output_a"])) for ids in prompts]
        read = [ids + run[:-1] for ids, run in zip(prompts, runs, strict=True)]
        heard = [crossing(runner, ids, start, stop, len(prompts[0])) for ids in read]
    except AssertionError:  # an activation that does not fit, or a score above the shift
        return False
    return runs == [claim["output_a"]] * 2 and heard == [claimed] * 2


def outputs(runner: Runner, ids: list[int], steps: int) -> list[int]:
    """The generated tokens, each the first of the largest logits."""
    said: list[int] = []
    for _ in range(steps):
        logits = times(runner.answers, runner.stages(ids + said)[-1][-1])
        said.append(logits.index(max(logits)))
    return said


def crossing(runner: Runner, ids: list[int], start: int, stop: int, last: int) -> list[Message]:
    """What each head tells later tokens of those from start to stop; ``last`` is the length of the prompt.

    Of a state it is all of it, row by row, and its normaliser behind.
    """
    stages, messages = runner.stages(ids), []
    for ell, (heads, _) in enumerate(runner.layers, 1):
        for h, head in enumerate(heads):
            q, k, v = ([runner.affine(head, letter, x) for x in stages[ell - 1]] for letter in "QKV")
            if head["type"] == "full":
                numbers = soft(runner, head, q, k, v, start, stop)
            elif head["type"] == "sparse":
                numbers = summary(head, q[last - 1], k, v, start, stop, last)
            else:
                state, normaliser = runner.result.states[ell, h][stop - 1]
                numbers = [Fraction(x) for x in (*itertools.chain(*state), *normaliser)]
            messages.append((ell, h, numbers))
    return messages


def soft(
    runner: Runner, head: Document, q: list[Vector], k: list[Vector], v: list[Vector], start: int, stop: int
) -> list[Fraction]:
    """For each token from stop on: Σ e v, then Σ e, over the tokens from start to stop."""
    numbers: list[Fraction] = []
    for query in q[stop:]:
        weights = [weight(dot(query, key) - Fraction(head["shift"]), runner.P) for key in k[start:stop]]
        pairs = list(zip(weights, v[start:stop], strict=True))
        numbers += [sum((e * row[r] for e, row in pairs), Fraction(0)) for r in range(len(v[0]))]
        numbers.append(Fraction(sum(weights)))
    return numbers


def summary(
    head: Document, query: Vector, k: list[Vector], v: list[Vector], start: int, stop: int, last: int
) -> list[Fraction]:
    """The blocks opened at the last token of the prompt, then the summary of the block from start to stop."""
    block, place, complete = head["block"], start // head["block"], (last - 1) // head["block"]
    assert (place * block, place * block + block) == (start, stop)
    assert place < complete
    compressed = [
        [times(head[name], list(itertools.chain(*rows[g * block : g * block + block]))) for g in range(complete)]
        for name, rows in (("C_K", k), ("C_V", v))
    ]
    ranked = sorted(range(complete), key=lambda g: (-dot(query, compressed[0][g]), g))[: head["opened"]]
    assert place not in ranked
    return [*map(Fraction, sorted(ranked)), *compressed[0][place], *compressed[1][place]]


def case_of(instance: Document, task: Document) -> Case | None:
    """An input of exactly this task, each value in its range; None if it is none."""
    if instance["task"] != task["task"]:
        return None
    if task["task"] == "two_sum":
        fits = instance["modulus"] == task["modulus"] and len(instance["x"]) == task["length"]
        fits = fits and all(1 <= x < task["modulus"] for x in instance["x"])
        return TwoSum(task).case(instance["x"]) if fits else None
    if [instance["m"], instance["n"]] != [task["m"], task["n"]]:
        return None
    alone, z, w = FuncComp({**task, "thoughts": None}, both=False), instance["tables"], instance["w"]
    shapes = [len(table) for table in z] == alone.sizes and len(w) == len(task["n"])
    entries = all(0 <= x < N for N, table in zip(alone.sizes, z, strict=False) for x in table)
    digits = all(0 <= d < radix for d, radix in zip(w, task["n"], strict=False))
    right = shapes and entries and digits and 0 <= instance["z0"] < task["m"]
    return alone.case(z, instance["z0"], w) if right else None


def map_holds(document: Document) -> bool:
    """x is ambiguous in more blocks than are opened, and input b swaps one that is not."""
    claim, body = document["claim"], document["map"]
    M, B, k, g, x = (claim[name] for name in ("modulus", "block", "open", "blocks", "x"))

    def seen(place: int, block: list[int]) -> Any:
        if body["type"] == "linear":
            rows = body["rows"][place]
            return [sum(c * value for c, value in zip(row, block, strict=True)) % body["modulus"] for row in rows]
        order = list(itertools.product(range(1, M), repeat=B))
        return body["tables"][place][order.index(tuple(block))]

    a, b, opened = claim["a"], claim["b"], claim["opened"]
    swaps = {swap["block"]: swap["with"] for swap in claim["swaps"]}
    blocks = [[part[i * B : i * B + B] for i in range(g)] for part in (a, b)]
    if len(swaps) != len(claim["swaps"]) or len(a) != g * B + 1 or len(b) != g * B + 1 or M % 2 == 0:
        return False
    if any(not 1 <= value < M for part in (a, b, *swaps.values()) for value in part):
        return False
    alike = all(seen(place, block) == seen(place, blocks[0][place]) for place, block in swaps.items())
    ambiguous = alike and all(x in block for block in swaps.values())
    differ = [place for place in range(g) if blocks[0][place] != blocks[1][place]]
    if len(differ) != 1 or not ambiguous:
        return False
    swapped = blocks[1][differ[0]] == swaps.get(differ[0]) and differ[0] not in opened
    fewer = sorted(set(opened)) == opened and len(opened) <= k < len(swaps) and all(0 <= o < g for o in opened)
    right = [int(M - part[-1] in part) for part in (a, b)] == [0, 1] == [claim["expected_a"], claim["expected_b"]]
    return swapped and fewer and right and a[-1] == M - x == b[-1]
