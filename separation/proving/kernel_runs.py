"""The part of the kernel that runs a model: pairs, every input, one wrong answer (docs/certificates.md).

No rule is used here: a model is run by its definition, in exact arithmetic, and what it says is compared with what is
right. Nothing but `kernel.py`, beside this file, and the standard library is imported.
"""

from __future__ import annotations

import itertools
import operator
from fractions import Fraction
from math import floor, prod

from separation.proving.kernel import (
    BITS,
    DIGITS,
    MAX_CELLS,
    MAX_LENGTH,
    MAX_STORED,
    RECURRENT,
    Matrix,
    Model,
    absolute,
    beside,
    common_multiple,
    counted,
    exp,
    fields,
    integer,
    limit,
    list_text,
    listed,
    many,
    need,
    number,
    quotient,
    refuse,
    show,
    spend,
    string,
    task_of,
    word_text,
)

TYPE_CHECKING = False  # as in kernel.py
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from separation.proving.kernel import Accepted, Head, RowTable
    from separation.proving.kernel_tasks import Kind, Task

    Place = tuple[int, int, int, Callable[[int], object]]  # a token of a kind: first id, end of ids, its name

Rational = Fraction | int
Vector = list[Rational]


# --- every input, or one ---


def check_exhaustive(document: dict[str, Any]) -> Accepted:
    """The model was run on every input of its task: so many answers are asked for, and so many are right."""
    _, _, tool, claim, body = fields(document, "schema kind tool claim model")
    *shape, inputs, answers, right, least = fields(
        claim, "task word attention precision_bits inputs answers right margin"
    )
    model, claimed, _ = Model(body, proved=False), [integer(n) for n in (inputs, answers, right)], string(tool)
    margin = None if least is None else number(least)
    same_shape(model, *shape)
    found = tally(model)
    refuse(found.inputs == 0, "no input meets the promises")
    for name, theirs, ours in zip(("inputs", "answers", "right"), claimed, found.counts, strict=True):
        refuse(ours != theirs, f"claim, {name}: {show(theirs)} claimed, {show(ours)} found")
    if margin is not None:
        best = found.margin if found.right == found.answers else None
        refuse(best is None or not 0 < margin <= best, f"claim, margin: {show(margin)} is claimed, and not reached")
    every = f"each of the {many(found.inputs, 'input')} of {model.task.text} was run"
    said = f"{show(found.right)} of {many(found.answers, 'answer')} are right, and not all"
    if found.right == found.answers:
        said = f"every input is answered correctly ({many(found.answers, 'answer')})"
    return f"These weights, {shape_text(model)}: {every}; {said}.", ["margin"] if margin is None else []


def check_wrong(document: dict[str, Any]) -> Accepted:
    """One input that meets the promises, at one place of which the model does not say what is right."""
    _, _, tool, claim, body = fields(document, "schema kind tool claim model")
    *shape, value, place, said, right = fields(claim, "task word attention precision_bits input place said right")
    model, ids, _ = Model(body, proved=False), [integer(n) for n in listed(value)], string(tool)
    at, says, truth = (integer(n) for n in (place, said, right))
    same_shape(model, *shape)
    tokens, answers = model.task.right_answers(ids) or ([], [])  # none is asked where the promises are not met
    refuse((at, truth) not in answers, "claim, right: that is not the right answer at this place")
    found, _ = says_at(model, Run(model, tokens, rows=position_rows(model.task, tokens)).stream[at], truth)
    refuse(found == truth, "the model's answer is right")
    refuse(found != says, f"claim, said: the model says {found}")
    where = f"at token {at} of the input {list_text([show(n) for n in ids])}"
    these = f"These weights, {shape_text(model)}, answer an input of {model.task.text} wrongly"
    return f"{these}: {where} they say {show(says)}, and right is {show(truth)}.", []


def first_wrong(model: Model, ids: list[int]) -> tuple[int, int, int] | None:
    """The first place with a wrong answer, what the model says there, and what is right."""
    tokens, asked = model.task.right_answers(ids) or ([], [])
    streams = Run(model, tokens, rows=position_rows(model.task, tokens)).stream
    said = ((place, says_at(model, streams[place], truth)[0], truth) for place, truth in asked)
    return next((found for found in said if found[1] != found[2]), None)


def shape_text(model: Model) -> str:
    return f"word {word_text(model.letters) or 'without heads'}, {'attention both ways' if model.both else 'causal'}"


def same_shape(model: Model, task: Any, word: Any, attention: Any, bits: Any) -> None:
    """Claims about the model as it stands in the file."""
    need(string(attention) in ("causal", "both"), "attention: neither of two")
    theirs = task_of(task).key, string(word, 2000), attention, *(integer(n) for n in fields(bits, "P p"))
    ours = model.task.key, model.word, model.attention, model.weight_bits, model.activation_bits
    for name, a, b in zip(("task", "word", "attention", "P", "p"), theirs, ours, strict=True):
        refuse(a != b, f"claim, {name}: the model has another")


class Tally:
    """What running every input gave. `margin`: the least distance of a right logit above the largest other one, None if
    there is no other; `wrong`: the first input with a wrong answer, the place, what was said and what is right."""

    def __init__(self) -> None:
        self.inputs = self.answers = self.right = 0
        self.margin: Rational | None = None
        self.wrong: tuple[list[int], int, int, int] | None = None

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.inputs, self.answers, self.right


def tally(model: Model, told: Callable[[int], None] | None = None) -> Tally:
    """Every input of the task, in lexicographic order: attention is causal, so what an input has in common with the one
    before is not run again. `told` is told now and then how many inputs were run."""
    found, runs, last = Tally(), list[Run](), list[int]()
    for ids in every_input(model.task):
        tokens, asked = model.task.right_answers(ids) or ([], [])
        if not asked:  # it does not meet the promises
            continue
        rows = position_rows(model.task, tokens)
        if model.both:
            streams = Run(model, tokens, rows=rows).stream
        else:
            del runs[sum(1 for _ in itertools.takewhile(operator.truth, map(operator.eq, tokens, last))) :]
            for t in range(len(runs), len(tokens)):
                runs.append(Run(model, [tokens[t]], runs[-1] if runs else None, rows[t : t + 1]))
            streams, last = [run.stream[0] for run in runs], tokens
        found.inputs += 1
        for place, truth in asked:
            says, above = says_at(model, streams[place], truth)
            found.answers += 1
            found.right += says == truth
            if above is not None and (found.margin is None or above < found.margin):
                found.margin = above
            if says != truth and found.wrong is None:
                found.wrong = ids, place, says, truth
        if told is not None and found.inputs % 64 == 0:
            told(found.inputs)
    return found


def says_at(model: Model, x: Vector, truth: int) -> tuple[int, Rational | None]:
    """The first of the largest logits; how far that of the truth is above the largest other one."""
    logits = logits_at(model, x)
    others = logits[:truth] + logits[truth + 1 :]
    return logits.index(max(logits)), logits[truth] - max(others) if others else None


def logits_at(model: Model, x: Vector) -> Vector:
    limit(model.unembedding.height <= MAX_STORED, "too many answers")
    if model.answer_rows is None:
        model.answer_rows = [model.unembedding.row(r) for r in range(model.unembedding.height)]
    spend(16 + 4 * sum(map(len, model.answer_rows)))
    return [dot(list(row.values()), [x[r] for r in row]) for row in model.answer_rows]


# --- every input ---


def every_input(task: Task) -> Iterator[list[int]]:
    """All prompts in lexicographic order, perhaps also some that do not meet the promises. Names that must be distinct
    are kept so from the start, as most prompts have two alike."""
    need(task.tokens is not None, "the task has inputs of any length")
    places: list[Place] = []
    for k, kind in enumerate(task.kinds):
        low = kind.first_id + (1 if task.two_sum else 0)
        places += [(k, low, kind.first_id + kind.ids, namer(kind))] * kind.count
    limit(task.tokens <= MAX_STORED, "too many tokens")
    return prompts(places[: task.tokens])


def prompts(places: Sequence[Place]) -> Iterator[list[int]]:
    ids, names, choices = list[int](), list[object](), [iter(range(*places[0][1:3]))]
    while choices:
        v = next(choices[-1], None)
        spend(16)
        if v is None:
            choices.pop()
            del ids[-1:], names[-1:]
            continue
        kind, _, _, name = places[len(ids)]
        called = name(v)
        if called is not None and (kind, called) in names:
            continue
        ids.append(v)
        names.append((kind, called))
        if len(ids) < len(places):
            choices.append(iter(range(*places[len(ids)][1:3])))
            continue
        spend(64 + 16 * len(ids))
        yield list(ids)
        del ids[-1:], names[-1:]


def namer(kind: Kind) -> Callable[[int], object]:
    """What no two tokens of the kind have in common; None if that is nothing."""
    if not kind.distinct or kind.count == 1:
        return lambda _: None
    strides = {v: prod(size for _, size in kind.spelled[i + 1 :]) for i, (v, _) in enumerate(kind.spelled)}
    which = [(strides[v], size) for v, size in kind.names]
    return lambda v: tuple((v - kind.first_id) // stride % size for stride, size in which)


def position_rows(task: Task, tokens: list[int]) -> list[int]:
    """Rows of the positions: all tokens of an endless kind share one."""
    if task.tokens is not None:
        return list(range(len(tokens)))
    kinds = {kind.name: kind for kind in task.kinds}
    prompt = beside("kernel_tasks").prompt_of(task.kinds, tokens)
    return [kinds[k].first + (t["position"] if kinds[k].count is not None else 0) for k, t in prompt]


# --- pairs ---


def check_pair(document: dict[str, Any]) -> Accepted:
    """Two inputs with different right answers, alike to a model: it knows the same of the part where they differ, by
    all that later tokens hear of it (F and R layers) or by its summary, and it generates the same tokens."""
    if "map" in document:
        return check_map_pair(document)
    _, _, tool, claim, body = fields(document, "schema kind tool claim model")
    names = "word differ a b expected_a expected_b output_a output_b transcript"
    word, ends, a, b, *expected, said_a, said_b, transcript = fields(claim, names)
    model, letters, (start, stop) = Model(body, proved=False), string(word, 2000), map(integer, listed(ends, 2))
    said, said_too, _ = list(map(integer, listed(said_a))), list(map(integer, listed(said_b))), string(tool)
    messages = [fields(message, "layer head numbers") for message in listed(transcript)]
    claimed = [(integer(layer), integer(head), [number(n) for n in listed(ns)]) for layer, head, ns in messages]
    (one, right), (other, right_too) = (model.task.read_input(value) for value in (a, b))
    need(1 <= len(said) <= MAX_LENGTH and start < stop < len(one), "no output, or the ends are wrong")
    refuse(list(map(integer, expected)) != [right, right_too], f"claim, expected: right are {right} and {right_too}")
    refuse(right == right_too, "both inputs have the same right answer")
    refuse(one[:start] + one[stop:] != other[:start] + other[stop:], "the inputs differ elsewhere too")
    refuse(letters != model.word, f"claim, word: that of the model is {model.word}")
    told = set(model.word) <= set("FR[]") or (model.word == "S" and len(model.layers) == len(said) == 1)
    need(told and not model.both, "pairs are defined for F and R layers, and for one S layer without thoughts; causal")
    need(len(one) + len(said) - 1 <= model.positions.height, "more tokens than positions")
    need(len(said) == 1 or model.unembedding.height <= model.tokens.height, "the model can say what it cannot read")
    refuse(said != said_too or max(said) >= model.unembedding.height, "the outputs differ, or are no answers")
    for name, prompt in (("a", one), ("b", other)):
        tokens = prompt + said[:-1]  # causal: each token says what it says if it is the last
        run = Run(model, tokens[stop:], Run(model, tokens[:stop]))
        answers = [says_at(model, x, 0)[0] for x in run.stream[len(prompt) - 1 - stop :]]
        refuse(answers != said, f"input {name}: with these outputs so far, the model says {answers[:9]}")
        heard = run.heard(start)
        refuse(any(known is None for *_, known in heard), "the inputs do not differ in one closed block")
        refuse(heard != claimed, f"input {name}: what the model knows of it is not the claimed transcript")
    where = f"Two inputs of {model.task.text} that differ at the tokens {start} to {stop - 1} alone"
    both = f"have the right answers {right} and {right_too}"
    return f"{where} {both}, and this model of the layers {letters} says {said[-1]} both times.", []


def check_map_pair(document: dict[str, Any]) -> Accepted:
    """The criterion of Theorem D: x is ambiguous in more than k blocks. Input a has no x before its last token −x; each
    swap puts x into one block and keeps its summary. A layer that sees summaries, k opened blocks and its own token
    sees the same of a and of a with a swap in a block that it does not open; b is that, for the blocks `opened`."""
    _, _, tool, claim, body = fields(document, "schema kind tool claim map")
    names = "modulus block open blocks x a b expected_a expected_b opened swaps"
    *sizes, value_a, value_b, right_a, right_b, opening, swapping = fields(claim, names)
    M, B, k, g, x = (integer(size, least) for size, least in zip(sizes, (3, 1, 0, 1, 1), strict=True))
    need(M % 2 == 1, "the modulus is even")
    limit(g * B <= MAX_CELLS, "too many tokens")
    summary, _ = read_map(body, M - 1, B, g), string(tool)
    a, b = ([integer(n, 1, M - 1) for n in listed(value, g * B + 1)] for value in (value_a, value_b))
    opened = [integer(place, 0, g - 1) for place in listed(opening)]
    pairs = [fields(swap, "block with") for swap in listed(swapping)]
    swaps = {integer(place, 0, g - 1): [integer(n, 1, M - 1) for n in listed(block, B)] for place, block in pairs}
    refuse(len(opened) > k or sorted(set(opened)) != opened, "more blocks are opened, or not in order")
    refuse(x >= M or a[-1] != M - x or x in a, "input a: its last token is not −x, or x is in it")
    refuse(len(swaps) < len(pairs), "a block is swapped twice")
    for place, block in swaps.items():
        alike = x in block and summary(place, block) == summary(place, a[place * B : place * B + B])
        refuse(not alike, f"block {place}: x is not in the swap, or the summaries differ")
    refuse(len(swaps) <= k, f"x is shown to be ambiguous in {len(swaps)} blocks; {k} can be opened")
    differ = {j // B for j in range(g * B + 1) if a[j] != b[j]}
    made = any(differ == {j} and b[j * B : j * B + B] == swaps[j] for j in swaps if j not in opened)
    refuse(not made, "input b is not input a with the swap of a block that is not opened")
    refuse([integer(right_a), integer(right_b)] != [0, 1], "claim, expected: right are 0 and 1")
    layer = f"a layer that sees the given summaries of {many(g, 'block')} of {many(B, 'token')}, and opens {k} of them"
    right = f"Two inputs of 2-Sum modulo {show(M)} have the right answers 0 and 1"
    return f"{right}, and {layer}, sees the same; there are such inputs whichever it opens.", []


def read_map(value: Any, u: int, B: int, g: int) -> Callable[[int, list[int]], Any]:
    """The summary of a block at a place: of the place's table, with all u^B sequences in order, or rows·x modulo q."""
    if isinstance(value, dict) and value.get("type") == "table":
        _, tables = fields(value, "type tables")
        limit(B * u.bit_length() <= 40 and u**B * g <= MAX_CELLS, "the table is too large")
        entries = [[integer(c) for c in listed(table, u**B)] for table in listed(tables, g)]
        return lambda place, block: entries[place][sum((c - 1) * u ** (B - 1 - i) for i, c in enumerate(block))]
    kind, modulus, rows = fields(value, "type modulus rows")
    need(kind == "linear", "unknown type of map")
    matrices = [
        [[integer(c, -(2**53), 2**53) for c in listed(row, B)] for row in listed(part)] for part in listed(rows, g)
    ]
    q = integer(modulus, 1)
    return lambda place, block: [sum(map(operator.mul, row, block)) % q for row in matrices[place]]


# --- running a model, layer by layer ---


class Kept:
    """Of a head of attention: keys and values of all tokens, the queries of the last run's, summaries of whole blocks,
    and the blocks that the last token opens."""

    def __init__(self, pairs: list[Any], queries: list[Vector], summaries: list[Any], opened: list[int]) -> None:
        self.pairs, self.queries, self.summaries, self.opened = pairs, queries, summaries, opened


class Run:
    """Tokens on their way through a model, behind those of a run before (attention is causal, or all is one run).
    `stream`: the vector at each of these tokens, in the end after all layers. `kept`: for each layer and head what
    later tokens need to know; of a recurrent head its state."""

    def __init__(
        self, model: Model, tokens: list[int], before: Run | None = None, rows: list[int] | None = None
    ) -> None:
        self.model, self.before = model, before
        self.first: int = 0 if before is None else before.end
        self.end: int = self.first + len(tokens)
        rows = list(range(self.first, self.end)) if rows is None else rows
        pairs = [(self.row(model.positions, r), self.row(model.tokens, v)) for r, v in zip(rows, tokens, strict=True)]
        self.stream = [self.total(t, *pair) for t, pair in enumerate(pairs, self.first)]
        self.kept: list[list[Any]] = []
        for ell, layer in enumerate(model.layers):
            sizes = [head.weights["W_K"].rows * head.weights["W_V"].rows for head in layer.heads]
            limit(max(sizes, default=0) <= MAX_CELLS, "a state is too large")
            earlier = [None] * len(layer.heads) if before is None else before.kept[ell]
            made = [
                self.recurrent(h, old) if h.type in RECURRENT else self.attention(h, old)
                for h, old in zip(layer.heads, earlier, strict=True)
            ]
            self.kept.append([kept for _, kept in made])
            for t, x in enumerate(self.stream):
                said = ((h.weights["W_O"], outputs[t]) for h, (outputs, _) in zip(layer.heads, made, strict=True))
                y = self.total(t, *said, onto=x)
                for w_1, b_1, w_2, b_2 in (mlp.values() for mlp in layer.mlps):
                    hidden = self.total(t, (w_1, y), (b_1, [1]))
                    y = self.total(t, (w_2, [max(c, 0) for c in hidden]), (b_2, [1]), onto=y)
                self.stream[t] = y

    def attention(self, head: Head, old: Kept | None) -> tuple[list[Vector], Kept]:
        """Over the summaries of earlier blocks, the tokens of those opened, and the own block so far; a full head has
        one block."""
        names = "W_Q", "W_K", "W_V"
        queries, *parts = ([self.total(t, (head.weights[w], x)) for t, x in enumerate(self.stream)] for w in names)
        pairs = [*(old.pairs if old else []), *zip(*parts, strict=True)]
        B = head.block if head.type == "sparse" else max(len(pairs), 1)
        summaries = list(old.summaries) if old else []
        for end in range(B * len(summaries) + B, len(pairs) + 1, B) if head.type == "sparse" else ():
            key, value = ([*itertools.chain(*part)] for part in zip(*pairs[end - B : end], strict=True))
            summaries.append([self.total(end, (head.weights[c], y)) for c, y in (("C_K", key), ("C_V", value))])
        outputs, opened = list[Vector](), list[int]()
        for t, q in enumerate(queries, self.first):
            past = summaries[: t // B]
            best = sorted((-dot(q, key), j) for j, (key, _) in enumerate(past))[: head.opened]
            opened = sorted(j for _, j in best)
            own = pairs if self.model.both else pairs[t - t % B : t + 1]
            seen = past + [pair for j in opened for pair in pairs[j * B : j * B + B]] + own
            outputs.append(self.quotients(self.sums(t, head, q, seen)))
        return outputs, Kept(pairs, queries, summaries, opened)

    def recurrent(self, head: Head, old: list[Vector] | None) -> tuple[list[Vector], list[Vector]]:
        """A column c of the state is for one coordinate v of the values, and says q·c. It becomes c + v k (linear; of q
        and k the positive parts) or α c + β (v − α k·c) k (delta; product: so many times, α = 1). A normaliser is one
        more column, with v = 1."""
        named, outputs = head.weights, list[Vector]()
        maps = [(named[f"W_{c}"], named.get(f"b_{c}", Matrix(0, []))) for c in "QKVBA" if f"W_{c}" in named]
        state: list[Vector] = old or [[0] * head.keys for _ in range(head.values + head.normalised)]
        for t, x in enumerate(self.stream):
            q, k, v, *gates = (self.total(t, (w, x), (b, [1])) for w, b in maps)
            if head.type == "linear":
                q, k, v = [max(c, 0) for c in q], [max(c, 0) for c in k], v + [1] * head.normalised
            for u in range(head.updates):
                key, new = (
                    part[u * len(part) // head.updates : (u + 1) * len(part) // head.updates] for part in (k, v)
                )
                alpha: Rational = 1
                if gates:
                    beta, *forget = (min(max(gate[u], 0), 1) for gate in gates)
                    alpha = forget[0] if forget else 1
                    new = [beta * (a - alpha * dot(key, c)) for a, c in zip(new, state, strict=True)]
                write = Matrix(len(key), [(r, 0, c) for r, c in enumerate(key)])
                kept = ([alpha * s for s in c] for c in state)
                state = [self.total(t, (write, [a]), onto=c) for a, c in zip(new, kept, strict=True)]
            sums = [dot(q, c) for c in state]
            outputs.append(self.quotients(sums) if head.normalised else sums)
        return outputs, state

    def heard(self, start: int) -> list[tuple[int, int, Vector | None]]:
        """Layer, head, and what these tokens hear through it of those from start to where this run begins. Full: for
        each token (what earlier ones hear is alike for both inputs) the sums over them. Recurrent: the state before,
        row by row, and the normaliser. Sparse: the blocks opened at the last token, and the summary of these tokens;
        None if they are no block that is closed there."""
        result: list[tuple[int, int, Vector | None]] = []
        for ell, layer in enumerate(self.model.layers):
            for h, head in enumerate(layer.heads):
                kept, told = self.kept[ell][h], None
                if head.type == "full":
                    pairs = kept.pairs[start : self.first]
                    sums = (self.sums(t, head, q, pairs) for t, q in enumerate(kept.queries, self.first))
                    told = [*itertools.chain(*sums)]
                elif head.type in RECURRENT:
                    state = self.before.kept[ell][h] if self.before else []
                    told = [*itertools.chain(*zip(*state[: head.values], strict=True), *state[head.values :])]
                else:
                    block = start // head.block
                    if (block * head.block, block * head.block + head.block) == (start, self.first):
                        whole = block < len(kept.summaries) and block not in kept.opened
                        told = [*kept.opened, *itertools.chain(*kept.summaries[block])] if whole else None
                result.append((ell + 1, h, told))
        return result

    def sums(self, t: int, head: Head, query: Vector, pairs: Sequence[Sequence[Vector]]) -> Vector:
        """Σ e v, then Σ e, where e = ⌊2^P exp(query·key − shift)⌋, over pairs of a key and a value v."""
        spend(64 * len(pairs))
        exponents = [dot(query, key) - head.shift for key, _ in pairs]
        refuse(max(exponents) > 0, f"token {t}: a score above the shift")
        P, known = self.model.weight_bits, self.model.exponentials
        for x in exponents:  # so many digits more decide ⌊2^P·e^x⌋ as they decide ⌊e^x⌋
            if x not in known:
                low, high = (floor(end * 2**P) for end in exp(x, DIGITS + P))
                refuse(low != high, f"token {t}: a weight is not decided by the bounds of exp")
                known[x] = low
        weights = [known[x] for x in exponents]
        return [*(dot(weights, column) for column in zip(*(v for _, v in pairs), strict=True)), sum(weights)]

    def quotients(self, sums: Vector) -> Vector:
        """All sums but the last, divided by the last and rounded down to multiples of 2^-f; 0/0 = 0."""
        (*above, below), scale = sums, self.model.scale
        return [quotient(up * scale // below, scale) if below else 0 for up in above]

    def total(self, t: int, *terms: tuple[Matrix, Vector], onto: Vector | None = None) -> Vector:
        """Σ W x, added to `onto`, at the token t; every number is within ±2^(p-f). As integers over one denominator, as
        these are faster."""
        start, unit = whole_numbers([0] * terms[0][0].rows if onto is None else onto)
        parts = [(*matrix.whole, *whole_numbers(x)) for matrix, x in terms]
        common = unit
        if common != 1 or any(a != 1 or b != 1 for _, a, _, b in parts):
            common = common_multiple([unit, *(a * b for _, a, _, b in parts)])
        result = start if common == unit else [c * (common // unit) for c in start]
        bits = common.bit_length()
        for entries, a, numbers, b in parts:
            x = numbers if common == a * b else [common // (a * b) * c for c in numbers]
            spend(32 + len(entries) * (4 + (bits >> 6)))
            for row, column, c in entries:
                result[row] += c * x[column]
        most = max(map(absolute, result), default=0)
        refuse(most > self.model.bound * common, f"token {t}: more than p bits are needed")
        spend(64 + len(result) * (4 if common == 1 else 32 + (bits >> 4) + (bits * bits >> 18)))
        if common == 1:
            return list[Rational](result)
        found = [quotient(c, common) for c in result]
        limit(all(c.denominator.bit_length() <= BITS for c in found), f"token {t}: numbers grow too long")
        return found

    def row(self, table: RowTable, place: int) -> tuple[Matrix, Vector]:
        """A row of a table as W x."""
        spend(8 * self.model.width)
        entries, x = table.code(place)
        return Matrix(self.model.width, entries), list[Rational](x)


def whole_numbers(x: Sequence[Rational]) -> tuple[list[int], int]:
    """Integers, and the number by which they are to be divided."""
    if Fraction not in set(map(type, x)):
        return list(x), 1  # type: ignore[arg-type]
    unit = common_multiple({c.denominator for c in x})
    return [c.numerator * (unit // c.denominator) for c in x], unit


def dot(x: Sequence[Rational], y: Sequence[Rational]) -> Rational:
    (a, p), (b, q) = whole_numbers(x), whole_numbers(y)
    spend(32 + 4 * len(a))
    found = sum(map(operator.mul, a, b))
    return counted(quotient(found, p * q)) if p != 1 or q != 1 else found


CHECKERS = {"pair": check_pair, "exhaustive": check_exhaustive, "wrong": check_wrong}
