"""The kernel: re-checks a certificate with the Python standard library alone.

    python separation/proving/kernel.py FILE [TIMES]        says what holds, or why it is not accepted

Exit status 0: accepted, what is claimed holds; 1: rejected, it is not shown; 2: malformed, or declined because it is
beyond a limit below; with TIMES so many times the work may be done. What is said of a certificate that is accepted was
checked, word for word: `Verdict`.

Nothing of the project is imported but the files kernel_*.py beside this one, each only when a certificate needs it:
kernel_bounds (bounds, decisions, ceilings), kernel_tasks (what models are asked), kernel_runs (pairs, exhaustive,
wrong), kernel_forms and kernel_programs (programs). These, docs/certificates.md (formats, rules) and docs/proving.md,
bounds.md and fooling.md (why they are sound) are all there is to read. Numbers are exact; a real number is bounded by a
rational one on the side that makes the check harder to pass. Order: verdicts and claims; the proof, rule by rule;
forms; bounds of exp and log2; reading the document.
"""

from __future__ import annotations

import itertools
import json
import operator
import os
import re
import sys
from collections import Counter
from fractions import Fraction
from functools import cached_property, lru_cache
from math import ceil, floor, gcd, lcm, prod

TYPE_CHECKING = False  # `typing` and `dataclasses` take longer to import than a small certificate to check
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from separation.proving.kernel_tasks import Kind, Task

MAX_BYTES, MAX_DIGITS = 64 << 20, 4000  # of a file, of an integer
MAX_WIDTH, MAX_LENGTH = 1 << 14, 256  # of stream, head or MLP; number of tables, of layers, of heads in a layer
MAX_CELLS, MAX_STORED = 1 << 22, 1 << 20  # coordinates × kinds × stages, and other lists; rows of a stored table
MAX_WORK, MAX_CHOICES = 1 << 27, 64  # units of `spend`; ways to combine the heads' descriptions
MAX_BITS, LONG = 1 << 17, 1 << 64  # of numerator and denominator together; integers below it count as one step
MAX_PRECISION, MAX_EXPONENT = 4096, 6000  # bits P and p; the x of e^x, beyond which P4 is of no use
NUMBER = re.compile(rf"(-?[0-9]{{1,{MAX_DIGITS}}})(?:/([0-9]{{1,{MAX_DIGITS}}}))?")
HIDDEN = re.compile(  # what no string has: controls, formats, separators, surrogates, private and no characters
    r"[\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u3000\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe-\U000e007f\U000efffe-\U0010ffff]"
)
DIGITS = 256  # binary digits to which real numbers are bounded
MAX_SUBSETS = 1 << 16  # terms of V(d, B), and of other sums
BITS = 1 << 11  # of an interval's ends: shorter numbers are exact
MAX_SHOWN = 16  # numbers of a list in a sentence
ONE, HALF = "1", Fraction(1, 2)  # ONE is the constant symbol
Rational = Fraction | int  # integers stay integers where they can, as these are faster


class Verdict:
    """Whether the claim holds. Then `message` is a sentence that says what holds, made of what was checked, and `claim`
    has the fields that were checked; else `message` names the rule and the place that fail, and `claim` is empty.

    What a checked field says, by kind:
      construction  task, word, tokens, width, heads (the most in a layer), layers, precision_bits: those of the model.
                    attention: that of the model, claimed or not. found: its budget, as `Model.budget` says.
                    inputs_covered_log2, margin: not more than is true. state_bits: not less, or absent if null.
                    integral: there only if true, as false claims nothing. construction: a label, never there. The name
                    of a task of look-ups or of a program is a label, too, and stands in task as it is written.
      bound         theorem, task, beta, lambda, tables and, for D, all numbers: what the inequalities were checked for.
                    Bounds, decisions and ceilings are about causal attention and one pass, without a chain of thought.
                    tokens: the length of the prompt. message: needs at most beta bits. Absent if null: nothing claimed.
      ceiling       layers, ceiling and for D' all numbers: as `check_ceiling` says. The rest as for a bound.
      decision      layers, L, solvable, construction, theorem: by the depth, which is counted. The rest as for a bound.
      pair          every field: both inputs are run, or the swaps of blocks compared, as `check_pair` says.
      exhaustive    every field: all inputs are run; margin: not more than is true, absent if null. wrong: every field.
    `tool` is never there, nor is anything else of the document.
    """

    def __init__(self, ok: bool, kind: str, claim: dict[str, Any], message: str) -> None:
        self.ok, self.kind, self.claim, self.message = ok, kind, claim, message


class Malformed(ValueError):
    """The document is not a certificate: wrong keys or types, unknown schema or kind; or it is declined."""


class Declined(Malformed):
    """The document is beyond a limit of the kernel, which says nothing about its claim."""


class Rejected(Exception):
    """The certificate is well formed, but does not prove its claim."""


def need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


def limit(condition: bool, message: str) -> None:
    if not condition:
        raise Declined(f"declined: {message}")


def refuse(condition: bool, message: str) -> None:
    if condition:
        raise Rejected(message)


class Work:
    """What the check has taken so far, in units of about 50 ns: `spend` where it is done, `counted` for numbers."""

    units, most = 0, MAX_WORK

    @classmethod
    def start(cls, times: int = 1) -> None:
        """What is remembered is forgotten too: what a certificate takes must not depend on those before it."""
        cls.units, cls.most = 0, times * MAX_WORK
        for remembered in (exp, patterns_sum, piecewise_linear, log2_lower):
            remembered.cache_clear()


def spend(units: int) -> None:
    Work.units += units
    if Work.units > Work.most:
        raise Declined(f"declined: the check takes more work than {Work.most} units")


def counted(x: Rational) -> Rational:
    """x, just computed: products and gcds of b bits take b² steps, and a fraction takes longer than an integer."""
    bits = x.bit_length() if type(x) is int else x.numerator.bit_length() + x.denominator.bit_length()
    limit(bits <= MAX_BITS, f"a number of more than {MAX_BITS} bits")
    spend((1 if type(x) is int else 16) + (bits >> 6) + (bits * bits >> 18))
    return x


def total(numbers: Iterable[Rational]) -> Rational:
    """Their sum."""
    result: Rational = 0
    for x in numbers:
        result = counted(result + x)
    return result


def products(sizes: Iterable[int]) -> list[int]:
    """The first, the first times the second, and so on."""
    return [int(counted(x)) for x in itertools.accumulate(sizes, operator.mul)]


def product(*sizes: int) -> int:
    return products([1, *sizes])[-1]


def check_text(text: str | bytes, times: int = 1) -> Verdict:
    """The verdict on a JSON text; raises Malformed. So many times MAX_WORK may be spent."""
    limit(len(text) <= MAX_BYTES, f"at most {MAX_BYTES} bytes are read")
    try:  # the number reader refuses what JSON calls a float; bytes are UTF-8 without a mark
        text = text.decode() if isinstance(text, bytes) else text
        document = json.loads(text, parse_float=number, parse_constant=number, object_pairs_hook=without_repetition)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"not readable as JSON: {error}") from None
    return check_certificate(document, times)


def check_certificate(document: dict[str, Any], times: int = 1) -> Verdict:
    """The verdict on a parsed document; raises Malformed."""
    Work.start(times)
    need(isinstance(document, dict) and document.get("schema") == "separation.certificate/1", "unknown schema")
    kind, claim = document.get("kind"), document.get("claim")
    if not (isinstance(kind, str) and kind in CHECKERS and isinstance(claim, dict)):
        raise Malformed("unknown kind of certificate, or no claim")
    try:
        sentence, unchecked, *found = CHECKERS[kind](document)
    except Rejected as failure:
        return Verdict(False, kind, {}, str(failure))
    checked = {key: claim[key] for key in claim if key not in unchecked}
    return Verdict(True, kind, checked | (found[0] if found else {}), sentence)


# A sentence that says what holds, the keys of the claim that were not checked, and what was found besides.
Accepted = tuple[str, list[str]] | tuple[str, list[str], dict[str, object]]


def beside(name: str) -> Any:
    """A file of the kernel that stands beside this one and is read only when it is needed."""
    try:
        if name == "kernel_bounds":
            from separation.proving import kernel_bounds as found
        elif name == "kernel_runs":
            from separation.proving import kernel_runs as found  # type: ignore[no-redef]
        elif name == "kernel_tasks":
            from separation.proving import kernel_tasks as found  # type: ignore[no-redef]
        else:
            from separation.proving import kernel_programs as found  # type: ignore[no-redef]
    except ImportError:
        raise Declined(f"declined: {name}.py is not beside kernel.py") from None
    return found


def task_of(value: Any, both: bool = False) -> Task:
    """The task of a document; `both`: with attention both ways."""
    found: Task = beside("kernel_tasks").Task(value, both)
    return found


NULLS = ("state_bits", "integral", "inputs_covered_log2", "tokens")  # null and false claim nothing


def silent(claim: dict[str, Any], *names: str) -> list[str]:
    """Those of the names whose value is null or false: they claim nothing."""
    return [name for name in names if claim.get(name) is None or claim[name] is False]


def check_construction(document: dict[str, Any]) -> Accepted:
    """The model answers its task on every input, and every field of the claim but its label is true."""
    shown = " example" if "example" in document else ""
    _, _, tool, claim, body, *example = fields(document, f"schema kind tool claim model{shown}")
    names = "construction task word state_bits tokens width heads layers precision_bits integral inputs_covered_log2"
    said = claim.get("attention", "")  # may be left out: the sentence says it all the same
    required = {key: value for key, value in claim.items() if key != "attention"}
    construction, task, word, states, *counts, bits, integral, inputs, least = fields(required, f"{names} margin")
    need(string(said) in ("", "causal", "both") and ("attention" in claim) == bool(said), "attention: neither of two")
    need(isinstance(integral, bool), "integral is neither true nor false")
    sizes = [*counts, *fields(bits, "P p")]
    _, _, claimed = string(construction), string(tool), [None if n is None else integer(n) for n in sizes]
    most, covered = (None if n is None else integer(n) for n in (states, inputs))
    letters, same, margin = string(word, 2000), task_of(task), number(least)
    model = Model(body, proved=same.program is None)
    need(bool(example) == (same.program is not None), "an example goes with a program, and with nothing else")
    need(same.program is not None or None not in (*claimed, covered), "not a number")

    heads = max((len(layer.heads) for layer in model.layers), default=0)
    true = [model.task.tokens, model.width, heads, len(model.layers), model.weight_bits, model.activation_bits]
    for name, ours, theirs in zip((*names.split()[4:8], "P", "p"), true, claimed, strict=True):
        refuse(ours != theirs, f"claim, {name}: the model has {ours}")
    refuse(same.key != model.task.key, "claim, task: the model has another")
    refuse(letters != model.word, f"claim, word: that of the model is {model.word}")
    refuse(said not in ("", model.attention), f"claim, attention: that of the model is {model.attention}")
    unknown = covered is not None and not model.task.has_inputs(covered)
    refuse(unknown, f"claim, inputs_covered_log2: fewer than 2^{show(covered or 0)} inputs are known")
    proof = Proof(model, integral) if same.program is None else beside("kernel_programs").Derivation(model, *example)
    refuse(integral and same.program is not None, "claim, integral: no rule for programs")
    proved = proof.run()
    refuse(not 0 < margin <= proved, f"claim, margin: {show(margin)} is claimed, {show(proved)} is proved")
    held = proof.state_bits  # None if the states have no known grid; a claim of null claims nothing
    few = most is not None and (held is None or most < held)
    refuse(few, f"claim, state_bits: {most} claimed, {held} proved")
    sentence = f"These weights answer every input of {model.task.text} correctly, by a margin of {show(proved)}"
    shape = f"word {word_text(model.letters) or 'without heads'}, {'attention both ways' if model.both else 'causal'}"
    found = {"attention": model.attention} | (model.budget() if integral else {})
    return f"{sentence} ({shape}).", ["construction", *silent(claim, *NULLS)], found


def check_beside(document: dict[str, Any]) -> Accepted:
    """Bounds, decisions, ceilings, and what is run, are checked by the files beside this one."""
    file = beside("kernel_runs" if document["kind"] in RUN else "kernel_bounds")
    if document["kind"] not in RUN:
        file.log2_of_e.cache_clear()
    found: Accepted = file.CHECKERS[document["kind"]](document)
    return found


RUN = ("pair", "exhaustive", "wrong")
CHECKERS: dict[str, Callable[[dict[str, Any]], Accepted]] = {
    "construction": check_construction,
    **dict.fromkeys(("bound", "decision", "ceiling", *RUN), check_beside),
}


class Proof:
    """The rules, applied to one model. `layer` and `kind` are where the proof is, for the messages. `searches`: for the
    bit `seen` of a head that obeys P11, the block length and the offset of the tokens in its summaries."""

    def __init__(self, model: Model, integral: bool) -> None:
        self.model, self.kinds, self.integral = model, model.task.kinds, integral
        self.layer, self.kind = 0, "every"
        self.state_bits: int | None = 0
        self.searches: dict[Symbol, tuple[int, int]] = {}

    def run(self) -> Rational:
        """By induction over the layers all claimed invariants hold. Returns the margin of the answer."""
        for place in range(len(self.kinds)):
            self.embed(place)
        for layer in self.model.layers:
            heads = self.enter(layer)
            for place in range(len(self.kinds)):
                self.follow(place, layer, heads)
        return self.found() if self.model.task.two_sum else self.answer()

    def embed(self, place: int) -> None:
        """The invariant of the embedding of a kind."""
        kind, claimed = self.kinds[place], self.model.invariants[0][place]
        self.kind = kind.name
        position = self.rows("positions", self.model.positions, kind.first, kind.address)
        if kind.mirror and self.model.tokens.stored is not None:
            token = self.mirrored(kind, self.model.tokens.stored, claimed[0], position)
        else:
            token = self.rows("tokens", self.model.tokens, kind.first_id, kind.spelled, kind.mirror)
        start = [plus(a, b) for a, b in zip(position, token, strict=True)]
        self.contain(start, claimed)
        self.whole("stream", [(step(form) or 0) * self.model.scale for form in start])

    def enter(self, layer: Layer) -> list[Describe]:
        """The heads of the next layer, on the invariants before it."""
        rules = {"full": self.softmax, "sparse": self.softmax, "linear": self.linear, "delta": self.delta}
        x = [forms for forms, _ in self.model.invariants[self.layer]]
        self.layer, self.kind = self.layer + 1, "every"
        for part in [*(head.weights for head in layer.heads), *layer.mlps]:
            for name, matrix in part.items():
                scale = self.model.scale if name[0] == "b" else 1
                self.whole(name, [scale * value for _, _, value in matrix.entries])
        return [rules[head.type](h, head, x) for h, head in enumerate(layer.heads, 1)]

    def follow(self, place: int, layer: Layer, heads: list[Describe]) -> None:
        """The invariant of a kind after a layer."""
        self.kind = self.kinds[place].name
        before, after = (self.model.invariants[number][place] for number in (self.layer - 1, self.layer))
        self.advance(layer, before[0], [describe(place) for describe in heads], after)

    def advance(self, layer: Layer, x: Forms, options: list[list[Forms]], claimed: Invariant) -> tuple[Forms, ...]:
        """The invariant after a layer. Each head offers true descriptions of its output (P4, P5, …), so it is enough
        that one combination of them leads to the claimed invariant: this one."""
        first = None
        for outputs in itertools.islice(itertools.product(*options), MAX_CHOICES):
            try:
                self.contain(self.after(layer, x, outputs), claimed)
            except Rejected as failure:
                first = first or failure
            else:
                return outputs
        raise first or Rejected("a head without description")

    def after(self, layer: Layer, x: Forms, outputs: Sequence[Forms]) -> Forms:
        """The stream after a layer whose heads hand over this."""
        middle = [dict(form) for form in x]
        for head, output in zip(layer.heads, outputs, strict=True):
            self.apply(head.weights["W_O"], output, middle)
        for mlp in layer.mlps:
            self.size([{} if form == old else form for form, old in zip(middle, x, strict=True)])  # x is known
            middle = self.relu(mlp, middle)
        return middle

    def whole(self, name: str, numbers: Iterable[Rational]) -> None:
        """Integral: all activations are multiples of 2^-f, by induction: integer matrices keep them so, biases and rows
        are such multiples, means are rounded to them, and integer features φ make φ_q·φ_k·v one."""
        wrong = self.integral and any(x.denominator != 1 for x in numbers)
        self.refuse(wrong, name, "integral: not known to be a multiple of 2^-f")

    def rows(self, name: str, table: RowTable, first: int, variables: Variables, mirror: Variables = ()) -> Forms:
        """P1: row first + x of a table, x the mixed-radix number of the variables, as forms in their bits. A segment
        with a mirror image also has the bits of M − x: it is of use for a variable of size M that has one."""
        sizes, bits = [size for _, size in variables if size > 1], [ONE, *bit_names(variables)]
        if table.stored is not None:
            spend(32 * prod(sizes))
            return self.interpolate(name, [table.stored.get(first + x, {}) for x in range(prod(sizes))], variables)
        found, mirrored, entries, digits = table.segments.get(first, ([0], False, [], []))
        radices = [radix for radix in found if radix != 1]  # a digit of radix 1 is 0 and has no bits
        # A single larger radix writes the same numbers with more bits, which are −1 at all numbers in question.
        larger = len(radices) == 1 and len(sizes) <= 1 and radices[0] >= prod(sizes) and not mirrored and not digits
        fits = larger or (radices == sizes and not digits and (bool(mirror) or not mirrored))
        self.refuse(not fits, name, f"P1: no segment at row {first} with radices {sizes}")
        bits += bit_names(mirror) if mirrored else []
        forms: Forms = [{} for _ in range(self.model.width)]
        spend(self.model.width + 4 * len(entries))
        for r, column, value in entries:
            add(forms[r], {bits[column]: value} if column < len(bits) else {ONE: -value})
        return forms

    def mirrored(self, kind: Kind, stored: dict[int, Row], claimed: Forms, position: Forms) -> Forms:
        """P1, stored rows of x with its mirror image M − x: they are affine in the bits of both in several ways, so the
        claimed forms, without the position, are compared with row x for every x from 1 to M − 1."""
        exact = ({s: c for s, c in form.items() if isinstance(s, str)} for form in claimed)  # noise may be claimed, too
        forms = [plus(form, other, -1) for form, other in zip(exact, position, strict=True)]
        modulus = kind.spelled[0][1]
        names = [*bit_names(kind.spelled), *bit_names(kind.mirror)]
        known = all(s == ONE or s in names for form in forms for s in form)
        self.refuse(not known, "tokens", "P1: the claim mentions more than x and M − x")
        for x in range(1, modulus):
            signs = [2 * (n >> j & 1) - 1 for n in (x, modulus - x) for j in range(len(names) // 2)]
            bits: Form = {s: sign for s, sign in zip([ONE, *names], [1, *signs], strict=True)}  # noqa: C416
            spend(32 + 4 * len(names) + 4 * len(forms))
            row = {r: c for r, form in enumerate(forms) if (c := total(c * bits[s] for s, c in form.items()))}
            self.refuse(row != stored.get(kind.first_id + x, {}), "tokens", f"P1: row {x} is not what is claimed")
        return forms

    def interpolate(self, name: str, row: list[Row], variables: Variables) -> Forms:
        """P1, stored rows: put Δ_b = row(2^b) − row(0). Row x must be row(x − 2^b) + Δ_b, for 2^b the top bit of the
        first digit of x that is not 0. So row(x) = row(0) + Σ_{b set in x} Δ_b = row(0) + Σ_b (Δ_b/2)·(1 + bit b)."""
        strides = [prod(size for _, size in variables[v + 1 :]) for v in range(len(variables))]
        parts: dict[str, Row] = {ONE: row[0]}
        halves: dict[int, Row] = {}
        for variable, stride in zip(variables, strides, strict=True):
            for j, bit in enumerate(bit_names([variable])):
                half: Row = {r: quotient(c, 2) for r, c in plus(row[stride << j], row[0], -1).items()}
                halves[stride << j], parts[bit], parts[ONE] = half, half, plus(parts[ONE], half)
        for x in range(1, len(row)):
            stride = next(stride for stride in strides if stride <= x)
            top = stride << ((x // stride).bit_length() - 1)
            spend(4 * len(row[x]))
            self.refuse(plus(row[x - top], halves[top], 2) != row[x], name, f"P1: row {x} is not affine in the bits")
        return [{symbol: part[r] for symbol, part in parts.items() if r in part} for r in range(self.model.width)]

    def project(self, h: int, head: Head, x: list[Forms], letters: str) -> list[list[Forms]]:
        """W x, plus b if there is one, for the named matrices of a head and all kinds (with P8)."""
        parts: list[list[Forms]] = []
        for letter in letters:
            matrix, bias = head.weights[f"W_{letter}"], head.weights.get(f"b_{letter}")
            parts.append([self.apply(matrix, forms) for forms in x])
            if bias is not None:
                parts[-1] = [self.apply(bias, [{ONE: 1}], forms) for forms in parts[-1]]
            for kind, forms in zip(self.kinds, parts[-1], strict=True):
                self.kind = kind.name
                self.size(forms, f"head {h} {letter.lower()}[{{}}]")
        self.kind = "every"
        return parts

    def visible(self, place: int) -> range:
        """P2: kinds are in the order of the prompt, so those up to `place` are visible; both ways, all of them."""
        return range(len(self.kinds) if self.model.both else place + 1)

    def facts(self, place: int, target: int) -> list[Fact]:
        """What a kind knows about one token of a wholly visible kind (P2): one that stands before it or is a single
        token; both ways, any. Of table ℓ: the token at (w_{ℓ-1}, i_{ℓ-1}) has the value iℓ, and its later hops are the
        global ones. Both ways, a reader in a table k < ℓ has later hops of its own, h_k being its value: they are those
        of the token at (w_{ℓ-1}, h_{ℓ-1}) too. A single token has global variables, which need no other name. A task of
        look-ups says what its tokens know, always of a kind that stands before theirs."""
        task, k, kind = self.model.task, self.kinds[place].level, self.kinds[target]
        if task.two_sum or task.oracle is not None:
            return [fact for reader, found, fact in task.finds if (reader, found) == (place, target)]
        if not (self.model.both or target < place or kind.count == 1):
            return []
        if not kind.level:
            return [{}]
        steps = range(kind.level - 1, (task.tables if self.model.both else kind.level) + 1)
        known = [[f"i{e}" for e in steps]]
        if self.model.both and 0 < k < kind.level:
            known.append(["value" if e == k else f"h{e}" for e in steps])
        names = [[*[f"w{kind.level - 1}"][: kind.level - 1], *hops] for hops in known]
        pairs = [[(name, size) for name, (_, size) in zip(line, kind.own, strict=True)] for line in names]
        return [dict(zip(bit_names(kind.own), bit_names(pair), strict=True)) for pair in pairs]

    def softmax(self, h: int, head: Head, x: list[Forms]) -> Describe:
        """Full and block-sparse attention."""
        q, k, v = self.project(h, head, x, "QKV")
        return lambda place: self.attend(place, h, head, q[place], k, v)

    def attend(self, place: int, h: int, head: Head, q: Forms, k: list[Forms], v: list[Forms]) -> list[Forms]:
        """P3 for a query kind, then true descriptions of the output: by P11, by P4, the smallest λ first, and by P5. A
        summary must be one token of its block, at the same offset for all: so it has a key and a value of a token."""
        visible, offset = self.visible(place), 0
        if head.type == "sparse":
            maps = head.weights["C_K"], head.weights["C_V"]
            spend(8 * sum(len(m.entries) for m in maps))
            copied = {(c // m.rows, c % m.rows - r, x) for m in maps for r, c, x in m.entries}
            offset = min(copied, default=(0, 0, 1))[0]  # any, if there are no coordinates
            wrong = not copied <= {(offset, 0, 1)} or any(len(m.entries) != m.rows for m in maps)
            self.refuse(wrong, f"head {h}", "P11: a summary is not one token of its block")
        scores = [self.scores(q, k[j]) for j in visible]
        bounds = [highest(table) for table in scores]
        if max(bounds) > head.shift:
            most = [upper(form) for form in q]
            bound = max(map(min, bounds, (total(map(operator.mul, most, map(upper, k[j]))) for j in visible)))
            beyond = bound > head.shift
            self.refuse(beyond, f"head {h}", f"P3: score up to {show(bound)}, shift {show(head.shift)}")
        hulls = hull_rows([span(form) for form in v[j]] for j in visible)
        if self.model.task.two_sum:
            return [*self.search(h, head, offset, scores[0], v[0]), self.between(hulls)]
        pairs = [(j, fact) for j in visible if head.type == "full" for fact in self.facts(place, j)]
        pairs += [
            (j, found) for j, fact in dict(reversed(pairs)).items() if (found := self.suppose(j, fact, scores[j]))
        ]
        ratios = [(self.look_up(j, fact, scores, head.shift), j, fact) for j, fact in pairs]
        ranked = sorted(((ratio, j, fact) for ratio, j, fact in ratios if ratio is not None), key=lambda item: item[0])
        return [*(self.read(v[j], fact, hulls, ratio) for ratio, j, fact in ranked), self.between(hulls)]

    def suppose(self, target: int, fact: Fact, table: Scores) -> Fact | None:
        """P4: of table ℓ ≥ 2 a query may ask with constants in place of the last bits of i_{ℓ-1}, so many that they are
        j < q. If every i_{ℓ-1} leaves an index below the table's size, there is such a token, and its value is what
        `iℓ at j mod q` is defined to be. A bit of the address that the fact does not name meets the query's `1`."""
        kind = self.kinds[target]
        if kind.level < 2:
            return None
        bits = bit_names(kind.address[1:])
        fixed = [bit for bit in bits if set(table.get(bit, ())) == {ONE}]
        j = sum(1 << k for k, bit in enumerate(fixed) if table[bit][ONE] > 0)
        name = f"i{kind.level} at {j} mod {1 << len(fixed)}"
        if fixed != bits[: len(fixed)] or not self.model.task.supposed(f"{name}.0"):
            return None
        values = bit_names(kind.spelled)
        told = dict(zip(values, bit_names([(name, kind.spelled[0][1])]), strict=True))
        return {bit: fact[bit] for bit in kind.name_bits if bit not in fixed} | told

    def look_up(self, place: int, fact: Fact, scores: list[Scores], shift: Rational) -> Fraction | None:
        """P4: λ ≥ (weight of all other keys)/(weight of the target's matching key); None if the rule does not apply.
        λ is the sum of what the kinds weigh, and ·(1 + 1/w) if inexact."""
        paired = self.pairing(place, fact, scores[place])
        weights = None if paired is None else self.weights(place, scores, *paired)
        if paired is None or weights is None:
            return None
        _, sigma, rho = paired
        ratio = sum(weights, Fraction(0))
        if rho == 0 and sigma == shift:
            return round_up(ratio)
        w = self.match(sigma - rho - shift)
        return round_up(ratio * (1 + Fraction(1, w))) if w >= 1 else None

    def match(self, score: Rational) -> int:
        """P4: the match weighs W = floor(x) ≥ w for some real x, and x/W < 1 + 1/W ≤ 1 + 1/w. A lower bound in place
        of e^… can only make w smaller, and 1 + 1/w larger."""
        least: Rational = 2**self.model.weight_bits * exp(score)[0]
        return floor(least)

    def pairing(self, place: int, fact: Fact, table: Scores) -> tuple[list[Rational], Rational, Rational] | None:
        """P4, (a) to (c): the τ_b, σ and ρ; None if one of these does not hold."""
        bits, constant = self.kinds[place].name_bits, table.get(ONE, {})
        met = [table.get(bit, {}).get(fact.get(bit, ONE), 0) for bit in bits]
        taus = [tau if bit in fact else absolute(tau) for bit, tau in zip(bits, met, strict=True)]
        if (
            not set(table) <= {ONE, *bits}  # (a)
            or any(len(table.get(bit, {})) != 1 or tau <= 0 for bit, tau in zip(bits, taus, strict=True))  # (b)
            or any(isinstance(a, str) and a != ONE for a in constant)  # (c)
        ):
            return None
        return taus, constant.get(ONE, 0) + total(taus), reach(constant)

    def weights(
        self, place: int, scores: list[Scores], taus: list[Rational], sigma: Rational, rho: Rational
    ) -> list[Fraction] | None:
        """P4: what the keys of each visible kind but the match weigh, as multiples of it, the target's kind first:
        e^{2ρ}·(min(Π_b(1+e^{-2τ_b}), 1 + (count−1)·e^{-2 min τ}) − 1), and for any other kind J
        E_J = e^{ρ−σ+u_J+ΣU_b}·min(Π_b(1+e^{-2U_b}), count_J), U_b the most that a query adds through bit b of J."""
        target = self.kinds[place]
        rivals: list[tuple[Rational, Rational]] = []
        for kind, other in ((self.kinds[j], scores[j]) for j in range(len(scores)) if j != place):
            u = [upper(other.get(bit, {})) for bit in kind.name_bits]  # 0 for a bit that no query sees: factor 2
            rest = highest({b: column for b, column in other.items() if b not in kind.name_bits})
            rivals.append((counted(rho - sigma + rest + total(u)), min(patterns_sum(tuple(u)), Fraction(kind.count))))
        spend(64 * len(scores))
        if max([2 * rho, *(exponent for exponent, _ in rivals)]) > MAX_EXPONENT:
            return None
        patterns = patterns_sum(tuple(taus))
        if taus:
            patterns = min(patterns, 1 + (target.count - 1) * exp(-2 * min(taus))[1])
        return [exp(2 * rho)[1] * (patterns - 1), *(exp(exponent)[1] * factor for exponent, factor in rivals)]

    def read(self, values: Forms, fact: Fact, hulls: list[Span], ratio: Fraction) -> Forms:
        """P4, output: the target's values at the fact's address, plus noise of radius D_r·λ/(1+λ) + 2^-f."""
        output = self.renamed(values, fact)
        for form, (low, high) in zip(output, hulls, strict=True):
            form[Noise(self.coarse((high - low) * Fraction(ratio, 1 + ratio)) + self.model.unit)] = 1
        return output

    def coarse(self, x: Rational) -> Fraction:
        """The next multiple of 2^-32, or of 2^-(f+8) if f > 24: what the bounds of exp leave open does not matter."""
        unit = 2 ** max(32, self.model.fraction + 8)
        return Fraction(ceil(x * unit), unit)

    def renamed(self, values: Forms, fact: Fact) -> Forms:
        """The values of the one token that a fact is about, in the reader's names. What the reader has no name for is a
        number of that token: one fresh noise symbol each, shared by the coordinates."""
        names: dict[Symbol, Symbol] = {}
        output: Forms = [{} for _ in values]
        for form, result in zip(values, output, strict=True):
            for s, c in form.items():
                if s not in names:
                    own = s if self.model.task.shared(s) else Noise(radius(s))
                    names[s] = fact.get(s, own) if isinstance(s, str) else own
                add(result, {names[s]: c})
        return output

    def between(self, hulls: list[Span]) -> Forms:
        """P5: the output lies between min(0, low), rounded down to a multiple of 2^-f, and max(0, high)."""
        scale = self.model.scale
        return [within(quotient(floor(min(0, low) * scale), scale), max(0, high)) for low, high in hulls]

    def search(self, h: int, head: Head, offset: int, table: Scores, v: Forms) -> list[Forms]:
        """P11: q·k' = M_11 + Σ τ_j·y.j·x'.j is largest, and equal to shift, for a key with x' = y: it weighs 2^P, and
        any other at most 2^P·e^{-2 min τ}. Values are the bits of x', so o_r = y.j(r) ± ε if such a key is there. If
        none is, each key differs from y in a bit: Σ_r y.j(r)·x'.j(r) ≤ b − 2, for their mean as well, and for 0 (if all
        weights are 0, as b ≥ 2); rounding down adds 2^-f for each bit. In both cases −1 ≤ o_r ≤ 1."""
        n, unit = self.kinds[0].count, self.model.unit
        pairs = dict(zip(bit_names(self.kinds[0].spelled), bit_names(self.kinds[0].mirror), strict=True))
        taus = {(b, a): c for b, column in table.items() for a, c in column.items()}
        sigma = taus.pop((ONE, ONE), 0) + total(taus.values())
        copied = [b for b in pairs for form in v if form == {b: 1}]
        if head.type == "sparse":
            n = -(-n // head.block) - 1 + head.block * (head.opened + 1)
        if copied != list(pairs) or len(v) != len(pairs) or set(taus) != set(pairs.items()):
            return []
        if sigma != head.shift or min(taus.values()) <= 0:
            return []
        ratio = round_up((n - 1) * exp(-2 * min(taus.values()))[1])
        least, most = 1 - self.coarse(2 * Fraction(ratio, 1 + ratio)) - unit, len(v) - 2 + len(v) * unit
        sums = Search(f"seen {self.layer}/{h - 1}.0", least, most, [], ratio)
        sums.products.extend(Noise(1, search=sums) for _ in v)
        self.searches[sums.seen] = head.block, offset
        names = [pairs[str(s)] for form in v for s in form]
        return [[{Noise(1, y, p): 1} for y, p in zip(names, sums.products, strict=True)]]

    def linear(self, h: int, head: Head, x: list[Forms]) -> Describe:
        """P9: features φ_q, φ_k, and the state Σ φ_k vᵀ."""
        q, k, v = self.project(h, head, x, "QKV")
        asked, stored = ([[peak(form) for form in forms] for forms in part] for part in (q, k))
        return self.state(h, head.normalised, asked, stored, v)

    def delta(self, h: int, head: Head, x: list[Forms]) -> Describe:
        """P10: let nothing be forgotten (α = 1), and let β be 0 but at single tokens, where it is 1 and k is constant,
        not negative, of norm 1 and orthogonal to earlier ones. Then kᵀS = 0 before k is written, and S = Σ k vᵀ: P9."""
        q, k, v, alpha, beta = self.project(h, head, x, "QKVAB")
        asked = [[peak(form) if span(form)[0] >= 0 else (upper(form), None) for form in forms] for forms in q]
        keys: list[list[Rational]] = []
        for kind, forms, (keep,), (write,) in zip(self.kinds, k, alpha, beta, strict=True):
            self.kind, closed = kind.name, span(write)[1] <= 0
            keys.append([0 if closed else form.get(ONE, 0) for form in forms])
            products = [total(map(operator.mul, keys[-1], key)) for key in keys]
            single = kind.count == 1 and span(write)[0] >= 1 and all(s == ONE for form in forms for s in form)
            fits = closed or (single and products == [0] * (len(keys) - 1) + [1] and min(keys[-1]) >= 0)
            self.refuse(span(keep)[0] < 1 or not fits, f"head {h} state", "P10: not a sum over single tokens")
        return self.state(h, False, asked, [[(c, frozenset()) for c in key] for key in keys], v)

    def state(self, h: int, normalised: bool, asked: list[Peaks], stored: list[Peaks], v: list[Forms]) -> Describe:
        """P9: entry (a, r) of a state adds up φ_a·v_r: for each kind, of one token or none if φ_a is a peak at all
        address bits, else of `count` tokens at most. These ranges contain 0, so the state of every prefix is within
        their sum (P8). If all φ_a are 0 or known, the entry is a multiple of the steps of φ_a·v_r: so many bits."""
        rows: list[Forms] = [[*forms, {ONE: 1}] if normalised else forms for forms in v]  # the normaliser: v = 1
        self.kind = "every"
        ends = [[(span(form), step(form)) for form in forms] for forms in rows]
        known = [HALF if signs is None else height for peaks in (*asked, *stored) for height, signs in peaks if height]
        self.whole(f"head {h}", known)
        features: Counter[tuple[Alike, ...]] = Counter()
        for feature in zip(*stored, strict=True):
            alike: list[Alike] = []
            for j, (height, signs) in enumerate(feature):
                once = signs is not None and {b for b, _ in signs}.issuperset(self.kinds[j].name_bits)
                alike += [(j, height, 1 if once else self.kinds[j].count, signs is not None)] if height else []
            features[tuple(alike)] += 1
        for (found, times), r in itertools.product(features.items(), range(len(rows[0]))):
            low = total(count * height * min(0, ends[j][r][0][0]) for j, height, count, _ in found)
            high = total(count * height * max(0, ends[j][r][0][1]) for j, height, count, _ in found)
            self.size([{ONE: max(-low, high)}], f"head {h} state")
            other = self.model.unit if self.integral else None  # of what is not known to be 0 or a height times a form
            steps = [(height, ends[j][r][1], exact) for j, height, _, exact in found]
            grain = common([other if part is None or (part and not exact) else h * part for h, part, exact in steps])
            if grain is None or self.state_bits is None:
                self.state_bits = None
            elif grain:
                self.state_bits += times * floor(Fraction(high - low, grain)).bit_length()
        return lambda place: self.recall(place, h, normalised, asked[place], stored, v)

    def recall(
        self, place: int, h: int, normalised: bool, asked: Peaks, stored: list[Peaks], v: list[Forms]
    ) -> list[Forms]:
        """P9: what a query kind reads from the state. φ_q·φ_k of a token of kind J is at most s_J; if a fact names the
        only token that matches in each kind with s_J > 0, the output is the sum of g_J times that token's value (a mean
        is of one kind). Else it is in the hull of the values (a weighted mean, or 0/0 = 0), or within
        ± Σ_J count_J·s_J·max|v_r|."""
        most = {j: total(a * b for (a, _), (b, _) in zip(asked, stored[j], strict=True)) for j in self.visible(place)}
        read = [j for j in most if most[j]]
        options: list[Forms] = []
        single = len(read) == 1 or (read and not normalised)
        for facts in itertools.product(*(self.facts(place, j) for j in read)) if single else ():
            gains = [self.gain(self.kinds[j], fact, asked, stored[j]) for j, fact in zip(read, facts, strict=True)]
            if all(gains):
                options.append([{Noise(self.model.unit): 1} if normalised else {} for _ in v[0]])
                for j, fact, gain in zip(read, facts, gains, strict=True):
                    for output, form in zip(options[-1], self.renamed(v[j], fact), strict=True):
                        add(output, form, 1 if normalised else gain)
        if normalised and read:
            options.append(self.between(hull_rows([span(form) for form in v[j]] for j in read)))
        else:
            bounds = [total(self.kinds[j].count * most[j] * upper(v[j][r]) for j in read) for r in range(len(v[0]))]
            options.append([{Noise(bound): 1} if bound else {} for bound in bounds])
            self.size(options[0], f"head {h} output[{{}}]")  # a mean needs no check: P5
        return options

    def gain(self, target: Kind, fact: Fact, asked: Peaks, stored: Peaks) -> Rational:
        """P9: g = φ_q·φ_k > 0 for the token that the fact names, where it is 0 for all others of its kind; 0 if that is
        not known. A feature with φ_q ≠ 0 ≠ φ_k must be a peak at exactly the address bits and, for the query, at their
        names in the fact, with the same signs. So it acts for one address only; all addresses must have the same g."""
        gains: dict[Signs, Rational] = {}
        for (ours, mine), (theirs, signs) in zip(asked, stored, strict=True):
            if ours and theirs:
                if signs is None or {b for b, _ in signs} != set(target.name_bits):
                    return 0
                if mine != frozenset((fact[b], up) for b, up in signs):
                    return 0
                gains[signs] = gains.get(signs, 0) + ours * theirs
        found = [gain for signs, gain in gains.items() if all(digit(var, signs) < var[1] for var in target.names)]
        return found[0] if len(found) == prod(size for _, size in target.names) and len(set(found)) == 1 else 0

    def relu(self, mlp: Weights, x: Forms) -> Forms:
        """P6: x + W_2·relu(W_1 x + b_1) + b_2, where relu(h) is h, or 0, or selects, or is split on a bit s. The units
        split on s give (G₊+G₋)/2 + s·(G₊−G₋)/2, with G± their sums through W_2 for s = ±1. Those left are bent
        functions of a form t, the same for all whose forms are multiples of each other but for the constant."""
        h = self.apply(mlp["b_1"], [{ONE: 1}], self.apply(mlp["W_1"], x))
        ends = [span(form) for form in h]
        self.fit((max(-low, high) for low, high in ends), "mlp[{}]")
        plain: dict[int, Form] = {}
        cases: dict[str, tuple[dict[int, Form], dict[int, Form]]] = {}
        alike: dict[frozenset[tuple[Symbol, Rational]] | Symbol, tuple[Form, dict[int, tuple[Rational, Rational]]]] = {}
        selected = self.select(mlp["W_2"], h)
        for unit, form in enumerate(h):
            if (known := selected.get(unit, one_sign(form, ends[unit]))) is not None:
                plain[unit] = known
            elif split := self.split(form):
                up, down = cases.setdefault(split[0], ({}, {}))
                up[unit], down[unit] = split[1:]
            else:
                constant = form.pop(ONE, 0)
                if len(form) == 1:
                    ((symbol, scale),) = form.items()
                    alike.setdefault(symbol, ({symbol: 1}, {}))[1][unit] = constant, scale
                    continue
                scale = total(map(absolute, form.values()))
                t = {s: quotient(c, scale) for s, c in form.items()}
                if frozenset((s, -c) for s, c in t.items()) in alike:
                    t, scale = {s: -c for s, c in t.items()}, -scale
                alike.setdefault(frozenset(t.items()), (t, {}))[1][unit] = constant, scale
        result = self.apply(mlp["b_2"], [{ONE: 1}], self.apply(mlp["W_2"], plain, [dict(form) for form in x]))
        for bit, (up, down) in cases.items():
            # s·1 = s, s·p_r = o_r (P11), and any other s·σ is a fresh symbol of σ's radius, as |s| = 1
            outputs = {s for unit in up for s in h[unit] if isinstance(s, Noise) and s.bit == bit}
            product: dict[Symbol, Symbol] = {ONE: bit} | {s.product: s for s in outputs if s.product}
            highs, lows = self.through(mlp["W_2"], up), self.through(mlp["W_2"], down)
            for r in highs | lows:
                high, low = highs.get(r, {}), lows.get(r, {})
                add(result[r], {s: quotient(c, 2) for s, c in plus(high, low).items()})
                for s, c in plus(high, low, -1).items():
                    add(result[r], {product.setdefault(s, Noise(radius(s))): quotient(c, 2)})
        for t, units in alike.values():
            self.bend(mlp["W_2"], t, units, result)
        return result

    def select(self, w_2: Matrix, h: Forms) -> dict[int, Form]:
        """P6: a unit selects if its form has a constant, all of the last log2 q bits of i_{ℓ-1}, with coefficients of
        the signs of j, and bits of `iℓ at j mod q`, such that it is ≥ 0 where the former are those of j, and ≤ 0 where
        one is not. So relu is 0 but where i_{ℓ-1} is j mod q, and there `iℓ at j mod q` is iℓ. If the units of each j
        that occurs add the same G to the stream, all together add G: those of j = 0 stand for them, the others for 0.
        """
        task, found = self.model.task, dict[tuple[int, int], dict[int, dict[int, Form]]]()
        for unit, form in enumerate(h):
            spend(4 * len(form))
            told = {s: name for s in form if isinstance(s, str) and (name := task.supposed(s))}
            if len(set(told.values())) != 1:
                continue
            ell, j, q = next(iter(told.values()))
            codes = {f"i{ell - 1}.{k}": 2 * (j >> k & 1) - 1 for k in range(q.bit_length() - 1)}
            sizes = [form.get(bit, 0) * sign for bit, sign in codes.items()]
            value: Form = {f"i{ell}.{str(s).rpartition('.')[2]}": form[s] for s in told}
            add(value, {ONE: form.get(ONE, 0) + total(sizes)})
            low, high = span(value)  # low < high, so that all sizes are > 0
            if set(form) <= {ONE, *codes, *told} and low >= 0 and high <= 2 * min(sizes):
                found.setdefault((ell, q), {}).setdefault(j, {})[unit] = value
        result: dict[int, Form] = {}
        for (ell, q), cases in found.items():
            asked = range(min(q, task.sizes[ell - 2]))
            spend(16 * len(asked))
            first, *others = (self.through(w_2, cases.get(j, {})) for j in asked)
            if all(part == first for part in others):
                result |= {unit: value if j == 0 else {} for j, units in cases.items() for unit, value in units.items()}
        return result

    def through(self, w_2: Matrix, units: dict[int, Form]) -> dict[int, Form]:
        """What these units add to the stream, where it is not 0."""
        sums: dict[int, Form] = {}
        for unit, form in units.items():
            for r, weight in w_2.columns.get(unit, ()):
                spend(1 + len(form))
                add(sums.setdefault(r, {}), form, weight)
        return {r: form for r, form in sums.items() if form}

    def bend(self, w_2: Matrix, t: Form, units: dict[int, tuple[Rational, Rational]], result: Forms) -> None:
        """P6: coordinate r is some c·t + Σ W_2·relu(a + b·t) + …, linear in t between the points where a unit bends. If
        it is linear throughout, it stays a multiple of t; else it is a number within its range, the same symbol for all
        coordinates that are multiples of each other but for the constant. Any c is sound: the one with the least range
        is taken, of those that make a symbol of t vanish from the rest."""
        lines = tuple(units.values())
        parts: dict[int, list[tuple[Rational, int]]] = {}
        for place, unit in enumerate(units):
            for r, weight in w_2.columns.get(unit, ()):
                parts.setdefault(r, []).append((weight, place))
        end, shapes = upper(t), dict[Shape, Noise]()
        for r, bends in parts.items():
            slopes = {quotient(result[r].get(s, 0), scale) for s, scale in t.items()}
            spend(64 * (len(units) + 2) * (len(bends) + len(slopes)))  # products of fractions
            low, high, shape, slope = piecewise_linear(end, lines, tuple(bends), 0)
            if slope is not None:
                add(result[r], t, slope)
                add(result[r], {ONE: quotient(low + high, 2)})
                continue
            choices: list[tuple[Rational, Rational, Form]] = []
            for c in slopes:
                low, high, _, _ = piecewise_linear(end, lines, tuple(bends), c)
                rest = plus(plus(result[r], t, -c), {ONE: quotient(low + high, 2)})
                choices.append((upper(rest) + quotient(high - low, 2), c, rest))
            _, c, result[r] = min(choices, key=lambda choice: choice[:2])
            low, high, shape, _ = piecewise_linear(end, lines, tuple(bends), c)
            opposite, size = tuple([-y for y in shape]), quotient(high - low, 2)
            sign, shape = (-1, opposite) if opposite in shapes else (1, shape)
            noise = shapes.setdefault(shape, Noise(size))
            add(result[r], {noise: quotient(sign * size, noise.radius)})

    def split(self, form: Form) -> tuple[str, Form, Form] | None:
        """P6: the bit with the largest |coefficient| and relu(form) for its two values, if each leaves one sign. P11: a
        form in the products p_r of one head, without bits, is split on whether the head sees a match."""
        bits = [s for s in form if isinstance(s, str) and s != ONE]
        if bits:
            bit = min(bits, key=lambda s: (-absolute(form[s]), s))  # of equals the first by name
            up, down = (one_sign(case, span(case)) for case in (put(form, bit, 1), put(form, bit, -1)))
        else:
            searches = {s.search for s in form if isinstance(s, Noise)}
            sums = searches.pop() if len(searches) == 1 else None
            if sums is None:
                return None
            bit, up, down = sums.seen, one_sign(form, sums.span(form, True)), one_sign(form, sums.span(form, False))
        return None if up is None or down is None else (bit, up, down)

    def contain(self, derived: Forms, claimed: Invariant) -> None:
        """P7: derived = A·symbols + Σ_j column_j·ν_j as forms, for some ν_j with |ν_j| ≤ r_j. And P8."""
        for r, row, nu in self.apart(derived, claimed):
            off, most = upper(row), nu.radius if nu else 0
            if off > most:
                reason = f"P7: up to {show(off)} off the claimed form, allowed {show(most)}"
                self.refuse(True, self.model.slots[r], reason)
        self.size(claimed[0])

    def apart(self, derived: Forms, claimed: Invariant) -> list[tuple[int, Form, Noise | None]]:
        """P7: in derived − claimed the ν_j are unknowns: one row expresses each, and is put into the others. Of each
        row what remains, which must be 0, or within the radius of the ν_j that it expresses, which comes with it."""
        pairs = zip(derived, claimed[0], strict=True)
        gap = [{} if form == other else plus(form, other, -1) for form, other in pairs]
        solved: dict[int, Noise] = {}
        for nu in claimed[1]:
            rows = [r for r, row in enumerate(gap) if nu in row]
            pivot = next((r for r in rows if r not in solved), -1)
            self.refuse(pivot < 0, "invariant", "P7: the noise columns are not independent")
            solved[pivot], coefficient = nu, gap[pivot].pop(nu)
            gap[pivot] = {s: quotient(-c, coefficient) for s, c in gap[pivot].items()}
            for r in rows:
                if r != pivot:
                    add(gap[r], gap[pivot], gap[r].pop(nu))
            spend(len(gap) + len(rows) * len(gap[pivot]))
            longest = max((c.denominator.bit_length() for c in gap[pivot].values()), default=0)
            limit(longest <= BITS, "P7: the numbers of the elimination grow too long")
        return [(r, row, solved.get(r)) for r, row in enumerate(gap)]

    def size(self, forms: Forms, name: str = "") -> None:
        """P8: every coordinate is within ±2^(p−f); of the stream, if it has no other name."""
        self.fit(map(upper, forms), name)

    def fit(self, sizes: Iterable[Rational], name: str = "") -> None:
        """P8, for numbers that the coordinates do not exceed."""
        bound = self.model.bound
        for r, size in enumerate(sizes):
            if size > bound:
                slot = name.format(r) if name else self.model.slots[r]
                self.refuse(True, slot, f"P8: up to {show(size)}, beyond 2^(p-f)")

    def answer(self) -> Rational:
        """Answer: the logit of an id is Σ M_ab·s_a·t_b, t the bits of its address in its group. In the right group,
        column b holds τ_b in the row of the same bit, and else noise of size ρ_b; column 1 holds `1` and noise. So the
        logit of the right id is σ ± ρ, ρ all noise together. An id of its group that differs in the bits D is below it
        by Σ_{b∈D} 2(τ_b − ρ_b) or more, at least twice the least of these if that is positive."""
        groups = [self.rows("unembedding", self.model.unembedding, *group) for group in self.model.task.groups]
        return min(self.emitted(place, right, groups) for place, right in self.model.task.emissions)

    def emitted(self, place: int, right: int, groups: list[Forms]) -> Rational:
        """The answer of a kind, which is in this group."""
        self.kind, margins = self.kinds[place].name, list[Rational]()
        tables = [self.scores(self.model.invariants[-1][place][0], keys) for keys in groups]
        table = tables.pop(right)
        for b, column in table.items():
            wrong = any(isinstance(a, str) and a != b for a in column)
            self.refuse(wrong, "unembedding", f"answer: {b} of the rows meets another symbol")
        noise = {b: upper({a: c for a, c in t.items() if isinstance(a, Noise)}) for b, t in table.items()}
        taus = {b: table.get(b, {}).get(b, 0) for b in bit_names(self.model.task.groups[right][1])}
        sigma = table.get(ONE, {}).get(ONE, 0) + total(taus.values())
        margins += [2 * (tau - noise.get(b, 0)) for b, tau in taus.items()]
        margins += [sigma - total(noise.values()) - highest(other) for other in tables]
        return self.positive(min(margins, default=0))

    def found(self) -> Rational:
        """Answer of 2-Sum: logit 1 minus logit 0 is c + Σ a_h·(seen by head h) ± ρ, a_h > 0, for heads that together
        see every token at or before the query and no other. Without a match all their bits are −1, else one is +1."""
        logit = self.difference()
        heads = {s: c for s, c in logit.items() if s in self.searches and c > 0}
        rest = upper({s: c for s, c in logit.items() if s != ONE and s not in heads})
        offsets: dict[int, set[int]] = {}
        for block, offset in map(self.searches.__getitem__, heads):
            offsets.setdefault(block, set()).add(offset)
        whole = any(len(found) == block for block, found in offsets.items())
        self.refuse(not whole, "unembedding", "answer: not every token is seen by a head that counts")
        low = logit.get(ONE, 0) - total(heads.values())
        return self.positive(min(-low - rest, low + 2 * min(heads.values()) - rest))

    def difference(self) -> Form:
        """Logit 1 minus logit 0 of 2-Sum: what changes when the answer's bit does."""
        ((first, variables),) = self.model.task.groups
        keys = self.rows("unembedding", self.model.unembedding, first, variables)
        table = self.scores(self.model.invariants[-1][0][0], keys)
        return plus({}, table.get(bit_names(variables)[0], {}), 2)

    def positive(self, margin: Rational) -> Rational:
        self.refuse(margin <= 0, "unembedding", f"answer: the margin {show(margin)} is not positive")
        return margin

    def scores(self, q: Forms, k: Forms) -> Scores:
        """M = (q forms)ᵀ(k forms), by columns: M[b][a] is the coefficient of s_a·t_b in Σ_r q_r·k_r."""
        table: Scores = {}
        for a, b in zip(q, k, strict=True):
            spend(1 + len(a) * len(b))
            for symbol, c in b.items():
                add(table.setdefault(symbol, {}), a, c)
        return {symbol: column for symbol, column in table.items() if column}

    def apply(self, matrix: Matrix, x: Forms | dict[int, Form], start: Forms | None = None) -> Forms:
        """start + matrix·x (start is changed)."""
        result: Forms = [{} for _ in range(matrix.rows)] if start is None else start
        sources = x.items() if isinstance(x, dict) else enumerate(x)
        columns = matrix.columns
        terms = [(source, columns[column]) for column, source in sources if source and column in columns]
        spend(8 * matrix.rows + len(matrix.entries) + sum(len(source) * len(rows) for source, rows in terms))
        for source, rows in terms:
            multiples: dict[Rational, Form] = {1: source}  # a matrix has few different numbers
            for row, value in rows:
                if value not in multiples:
                    multiples[value] = plus({}, source, value)
                if result[row]:
                    add(result[row], multiples[value])
                else:
                    result[row] = dict(multiples[value])
        return result

    def refuse(self, condition: bool, slot: str, reason: str) -> None:
        if condition:
            raise Rejected(f"layer {self.layer}, kind {self.kind}, slot {slot}: {reason}")


# --- forms: linear combinations of symbols, without zero coefficients ---


class Noise:
    """An unknown number within ±radius, different from every other such symbol. With `bit`, it is the output o_r of a
    search, and bit·o_r is the symbol `product`; with `search`, such a product."""

    __slots__ = "bit", "product", "radius", "search"

    def __init__(
        self, radius: Rational, bit: str = "", product: Noise | None = None, search: Search | None = None
    ) -> None:
        self.radius = radius.numerator if radius.denominator == 1 else radius
        self.bit, self.product, self.search = bit, product, search


class Search:
    """P11: least ≤ p_r ≤ 1 for all products p_r if the bit `seen` is +1; Σ p_r ≤ most and |p_r| ≤ 1 if it is −1.
    `ratio`: what all other keys weigh at most, as a multiple of a match."""

    def __init__(self, seen: str, least: Rational, most: Rational, products: list[Noise], ratio: Rational = 0) -> None:
        self.seen, self.least, self.most, self.products, self.ratio = seen, least, most, products, ratio

    def span(self, form: Form, seen: bool) -> Span:
        """The range of a form in the products, if a match is seen or if none is."""
        return -self.top(plus({}, form, -1), seen), self.top(form, seen)

    def top(self, form: Form, seen: bool) -> Rational:
        """Σ c_r·p_r: with a match term by term; else, for 0 ≤ a ≤ all c_r, it is a·Σ p_r + Σ (c_r − a)·p_r."""
        c = [form.get(p, 0) for p in self.products]
        a, constant = max(min(c), 0), form.get(ONE, 0)
        if seen:
            return constant + total(max(x, x * self.least) for x in c)
        return constant + min(total(map(absolute, c)), a * self.most + total(absolute(x - a) for x in c))


Symbol = str | Noise  # a string is `1` or a bit
Form = dict[Symbol, Rational]
Forms = list[Form]
Invariant = tuple[Forms, list[Noise]]  # and the noise symbols in the forms; they occur nowhere else
Scores = dict[Symbol, Form]
Span = tuple[Rational, Rational]
Shape = tuple[Rational, ...]  # values of a function at its points, from −1 to 1
Fact = dict[str, str]  # bit of a token -> the reader's bit that it equals, at the token that the fact is about
Signs = frozenset[tuple[str, bool]]  # bits, and whether they are +1
Peaks = list[tuple[Rational, Signs | None]]  # of each feature, see `peak`
Alike = tuple[int, Rational, int, bool]  # kind, the most that a feature is there, at how many tokens; is it 0 or that?
Row = dict[int, Rational]
if TYPE_CHECKING:
    Describe = Callable[[int], list[Forms]]  # kind -> true descriptions of a head's output there
    Variables = Sequence[tuple[str, int]]  # names and sizes


def quotient(x: Rational, divisor: Rational) -> Rational:
    """x/divisor, an integer if it is one."""
    if type(x) is int and type(divisor) is int and x % divisor == 0:
        return x // divisor
    result = Fraction(x, divisor)
    return result.numerator if result.denominator == 1 else result


def add(target: dict[Any, Rational], source: dict[Any, Rational], factor: Rational = 1) -> None:
    """target += factor·source."""
    for symbol, value in source.items():
        result = value if factor == 1 else value * factor
        if symbol in target:
            result += target[symbol]
        if type(result) is not int and result.denominator == 1:
            result = result.numerator
        if type(result) is not int or not -LONG < result < LONG:
            counted(result)
        if result:
            target[symbol] = result
        else:
            target.pop(symbol, None)


def plus(form: dict[Any, Rational], other: dict[Any, Rational], factor: Rational = 1) -> dict[Any, Rational]:
    """form + factor·other."""
    result = dict(form)
    add(result, other, factor)
    return result


def absolute(x: Rational) -> Rational:
    return x if x.numerator >= 0 else -x  # the same as x >= 0, but comparing fractions is slow


def put(form: Form, bit: str, sign: int) -> Form:
    """A form where a bit is ±1: o_r = bit·p_r becomes ±p_r."""
    result = {s: c for s, c in form.items() if s != bit}
    add(result, {ONE: form.get(bit, 0)}, sign)
    for s in form:
        if isinstance(s, Noise) and s.bit == bit and s.product:
            add(result, {s.product: result.pop(s)}, sign)
    return result


def radius(symbol: Symbol) -> Rational:
    return symbol.radius if isinstance(symbol, Noise) else 1


def upper(form: Form) -> Rational:
    """The maximum of |form|."""
    rest = reach(form) if form else 0
    return absolute(form[ONE]) + rest if ONE in form else rest


def reach(form: Form) -> Rational:
    """The maximum of |form − its constant|. Fractions are slow: nothing is added to 0 or multiplied by 1."""
    most: Rational = 0
    spend(4 + 2 * len(form))
    for s, c in form.items():
        if s != ONE:
            size = c if c.numerator >= 0 else -c
            if isinstance(s, Noise):
                size = s.radius if size == 1 else size * s.radius
            most = most + size if most else size
            if type(most) is not int or most > LONG:
                counted(most)
    return most


def highest(table: Scores) -> Rational:
    """M_11 + Σ_{(a,b)≠(1,1)} |M_ab|·radius_a·radius_b, an upper bound of Σ M_ab·s_a·t_b."""
    return total(span(column)[1] if b == ONE else upper(column) * radius(b) for b, column in table.items())


def span(form: Form) -> Span:
    """The range of a form."""
    rest, constant = reach(form), form.get(ONE, 0)
    return (constant - rest, constant + rest) if constant else (-rest, rest)


def within(low: Rational, high: Rational) -> Form:
    """Some number from low to high; noise of radius 0 is left out."""
    return plus({Noise(quotient(high - low, 2)): 1} if low < high else {}, {ONE: quotient(low + high, 2)})


def hull_rows(rows: Iterable[list[Span]]) -> list[Span]:
    return [(min(low for low, _ in column), max(high for _, high in column)) for column in zip(*rows, strict=True)]


def one_sign(form: Form, ends: Span) -> Form | None:
    """relu(form), if its range has one sign."""
    return form if ends[0].numerator >= 0 else {} if ends[1].numerator <= 0 else None


@lru_cache(maxsize=4096)
def piecewise_linear(
    end: Rational, lines: tuple[Span, ...], bends: tuple[tuple[Rational, int], ...], c: Rational
) -> tuple[Rational, Rational, Shape, Rational | None]:
    """P6: c·t + Σ weight·relu(a + b·t), (a, b) the line of a bend, for |t| ≤ end: its least and greatest values, those
    at all points where a line bends, scaled to be from −1 to 1, and its slope if it is linear."""
    grain = common_multiple(b.numerator for _, b in lines)  # points and values times this: integers are faster
    points = sorted({-end * grain, end * grain, *(quotient(-a * grain, b) for a, b in lines)})
    terms = [(weight, lines[place][0] * grain, lines[place][1]) for weight, place in bends]
    values = [counted(c * x + total(weight * max(0, a + b * x) for weight, a, b in terms)) for x in points]
    low, high, width, rise = min(values), max(values), points[-1] - points[0], values[-1] - values[0]
    linear = all((y - values[0]) * width == rise * (x - points[0]) for x, y in zip(points, values, strict=True))
    shape = () if low == high else tuple([quotient(2 * y - low - high, high - low) for y in values])
    return quotient(low, grain), quotient(high, grain), shape, quotient(rise, width) if linear else None


def peak(form: Form) -> tuple[Rational, Signs | None]:
    """P9: (h, signs) if relu(form) is h > 0 where the bits have these signs, and else 0: a form without noise, where
    another sign takes 2·min|c_b| ≥ h from its maximum h. (0, None) if it is 0, and (most, None) if neither is known."""
    most = span(form)[1]
    if most <= 0:
        return 0, None
    bits = {s: c for s, c in form.items() if type(s) is str and s != ONE}
    noisy = len(bits) + (ONE in form) < len(form)
    if noisy or most > 2 * min(map(absolute, bits.values()), default=most):
        return most, None
    return most, frozenset((s, c > 0) for s, c in bits.items())


def digit(variable: tuple[str, int], signs: Signs) -> int:
    """The number whose bits that are +1 are among the signs."""
    return sum(1 << j for j, bit in enumerate(bit_names([variable])) if (bit, True) in signs)


def step(form: Form) -> Rational | None:
    """Whatever the signs of its bits, a form is a multiple of this number; None if it has noise."""
    bits = [c for s, c in form.items() if s != ONE]  # the value if all bits are −1, and its steps to +1
    noisy = any(isinstance(s, Noise) for s in form)
    return None if noisy else common([form.get(ONE, 0) - total(bits), *(2 * c for c in bits)])


def common_multiple(numbers: Iterable[int]) -> int:
    """The least one."""
    result = 1
    for n in numbers:
        result = int(counted(lcm(result, n)))
    return result


def common(numbers: Sequence[Rational | None]) -> Rational | None:
    """The greatest number that all these are multiples of; 0 if all are 0, None if one is not known."""
    known = [x for x in numbers if x is not None]
    unit = common_multiple(x.denominator for x in known)
    return quotient(gcd(*(int(x * unit) for x in known)), unit) if len(known) == len(numbers) else None


# --- bounds of exp and log2 ---


@lru_cache(maxsize=4096)
def exp(x: Rational, digits: int = DIGITS) -> tuple[Fraction, Fraction]:
    """Rationals low ≤ e^x ≤ high, for x ≤ MAX_EXPONENT. e^|x| is the 2^k-th power of e^y, y = |x|/2^k < 1/2, and e^y is
    1 + y/1·(1 + y/2·(1 + …)), where the bracket after y/n is between 1 and 2: with n = digits/4 ≥ 64 factors before it,
    that is below 2^-digits. Integers are multiples of 2^-digits."""
    spend(512 + digits * digits // 40)
    if x < -MAX_EXPONENT:
        return Fraction(0), exp(-MAX_EXPONENT)[1]
    k, one = floor(absolute(x)).bit_length() + 1, 1 << digits
    y = floor(absolute(x) * Fraction(one, 2**k))
    low, high, high_y = one, 2 * one, y + 1 if x else 0
    for n in range(digits // 4, 0, -1):
        low, high = one + (low * y // n >> digits), one - (-high * high_y // n >> digits)
    for _ in range(k):
        low, high = low * low >> digits, -(-high * high >> digits)
    return (Fraction(low, one), Fraction(high, one)) if x >= 0 else (Fraction(one, high), Fraction(one, low))


@lru_cache(maxsize=4096)
def patterns_sum(exponents: tuple[Rational, ...]) -> Fraction:
    """A rational ≥ Π (1 + e^{-2x}), for x ≥ 0: the sum over all sign patterns."""
    result = Fraction(1)
    spend(64 * len(exponents))
    for x in exponents:
        result = round_up(result * (1 + exp(-2 * x)[1]))
    return result


def round_up(x: Rational) -> Fraction:
    """The next multiple of 2^-DIGITS, which keeps numbers short."""
    return Fraction(ceil(x * 2**DIGITS), 2**DIGITS)


@lru_cache(maxsize=4096)
def log2_lower(n: int, digits: int = DIGITS) -> Fraction:
    """A rational ≤ log2(n), less by 2^(1-digits) at most, equal if n is a power of two. By squares: a digit for each
    that is 2 or more; what is cut off, 2^-64 of a digit, becomes twice as much with each."""
    spend(digits * (8 + (digits * digits >> 18)))
    whole, work = n.bit_length() - 1, digits + 64
    y, found = (n << work) >> whole, whole
    for _ in range(digits):
        y = y * y >> work
        digit = y >> (work + 1)
        y, found = y >> digit, 2 * found + digit
    return Fraction(found, 2**digits)


# --- reading the document: types, ranges and keys are checked before anything is used ---


Entry = tuple[int, int, Rational]  # row, column, number


class Matrix:
    """`entries` are not 0, and no two are at the same place; `columns` are the same: column -> row and number."""

    def __init__(self, rows: int, entries: list[Entry]) -> None:
        self.rows, self.entries = rows, entries

    @cached_property
    def columns(self) -> dict[int, list[tuple[int, Rational]]]:
        result: dict[int, list[tuple[int, Rational]]] = {}
        for row, column, number in self.entries:
            result.setdefault(column, []).append((row, number))
        return result

    @cached_property
    def whole(self) -> tuple[list[tuple[int, int, int]], int]:
        """The entries as integers, and by what these are to be divided."""
        unit = common_multiple({c.denominator for _, _, c in self.entries})
        return [(r, k, c.numerator * (unit // c.denominator)) for r, k, c in self.entries], unit


Weights = dict[str, Matrix]
Digit = tuple[int, list[int]]  # the size of a digit, and its value in each row
Segment = tuple[
    list[int], bool, list[Entry], list[Digit]
]  # radices, is it mirrored?, entries of the matrix, further digits


class RowTable:
    """`stored`: row -> coordinate -> number; or `segments` by the row where they start."""

    def __init__(self, height: int, stored: dict[int, Row] | None, segments: dict[int, Segment]) -> None:
        self.height, self.stored, self.segments = height, stored, segments

    def code(self, place: int) -> tuple[list[Entry], list[int]]:
        """A row as W x; of a declared one, x is 1 and the bits ±1 of the digits."""
        if self.stored is not None:
            return [(r, 0, c) for r, c in self.stored.get(place, {}).items()], [1]
        first, (radices, mirrored, entries, tables) = max(part for part in self.segments.items() if part[0] <= place)
        digits = [((place - first) // prod(radices[d + 1 :]) % radix, radix) for d, radix in enumerate(radices)]
        digits += [(radix - digit, radix) for digit, radix in digits if mirrored]
        digits += [(values[place - first], size) for size, values in tables]
        bits = [2 * (digit >> j & 1) - 1 for digit, radix in digits for j in range((radix - 1).bit_length())]
        spend(4 * len(bits) + len(radices) ** 2 + 8 * len(self.segments))
        return entries, [1, *bits]

    def row(self, place: int) -> Row:
        """The numbers of a row that are not 0."""
        entries, x = self.code(place)
        found: Row = {}
        for r, column, c in entries:
            found[r] = found.get(r, 0) + c * x[column]
        return {r: c for r, c in found.items() if c}


class Head:
    def __init__(
        self,
        kind: str,
        weights: Weights,
        shift: Rational,
        normalised: bool = False,
        block: int = 1,
        opened: int = 0,
        updates: int = 1,
    ) -> None:
        self.type, self.weights, self.shift, self.normalised = kind, weights, shift, normalised
        self.block, self.opened, self.updates = block, opened, updates
        self.keys, self.values = weights["W_Q"].rows, weights["W_V"].rows // updates


class Layer:
    """The weights of an MLP are W_1, b_1, W_2 and b_2."""

    def __init__(self, heads: list[Head], mlps: list[Weights]) -> None:
        self.heads, self.mlps = heads, mlps


HEADS = {  # the letter of a type of head and its keys
    "full": ("F", "type W_Q W_K W_V W_O shift"),
    "linear": ("R", "type W_Q b_Q W_K b_K W_V W_O normalised"),
    "delta": ("R", "type W_Q W_K W_V W_A b_A W_B b_B W_O"),
    "product": ("R", "type W_Q W_K W_V W_B b_B W_O updates"),
    "sparse": ("S", "type W_Q W_K W_V C_K C_V W_O shift block opened"),
}


RECURRENT = ("linear", "delta", "product")


class Model:
    """The model file; `slots` are the names of the coordinates, `word` the letters of the layers. If nothing is to be
    proved of it, it has no invariants, and its tables may have more rows than the task asks for, but for programs."""

    answer_rows: list[Row] | None = None  # of the unembedding, once they are asked for

    @cached_property
    def exponentials(self) -> dict[Rational, int]:
        """⌊2^P·e^x⌋, once they are asked for."""
        return {}

    def __init__(self, value: Any, proved: bool = True) -> None:
        keys = "schema task attention precision slots positions tokens unembedding layers"
        found = fields(value, f"{keys} invariants" if proved else keys)
        schema, task, attention, precision, slots, *tables, layers = found[:9]
        need(schema == "separation.model/1", "unknown schema of the model")
        need(string(attention) in ("causal", "both"), "attention is neither causal nor both")
        self.attention, self.both = str(attention), attention == "both"
        self.task = task_of(task, self.both)
        bits = [integer(size) for size in fields(precision, "P p fraction")]
        limit(max(bits) <= MAX_PRECISION, f"P or p is more than {MAX_PRECISION} bits")
        self.weight_bits, self.activation_bits, self.fraction = bits
        need(self.fraction <= self.activation_bits, "fraction is larger than p")
        self.scale, self.bound = 2**self.fraction, 2 ** (self.activation_bits - self.fraction)
        self.unit = Fraction(1, self.scale)
        pairs = [fields(slot, "name width") for slot in listed(slots)]
        names = [(string(name), integer(width)) for name, width in pairs]
        self.width = sum(width for _, width in names)
        need(len(dict(names)) == len(names), "slots: a repeated name")
        limit(self.width <= MAX_WIDTH, f"more than {MAX_WIDTH} coordinates")
        self.slots = [f"{name}[{r}]" for name, width in names for r in range(width)]
        heights = (self.task.length, self.task.ids, self.task.answers)
        exact = proved or self.task.program is not None
        more = ("mirror", "digits")[: 1 if self.task.program is None else 2]
        rows = [row_table(table, rows, self.width, exact, more) for table, rows in zip(tables, heights, strict=True)]
        self.positions, self.tokens, self.unembedding = rows
        self.layers = [self.read_layer(layer) for layer in listed(layers)]
        letters = ["".join(sorted({HEADS[head.type][0] for head in layer.heads})) for layer in self.layers]
        self.letters = [letter for letter in letters if letter]
        self.word = "".join(letter if len(letter) < 2 else f"[{letter}]" for letter in letters)
        need(not self.both or set(self.word) <= {"F"}, "attention both ways is for full attention")
        limit(len(self.layers) <= MAX_LENGTH, "too many layers")
        if proved:
            self.read_invariants(found[9])

    def budget(self) -> dict[str, Any]:
        """Of a model whose numbers are all multiples of 2^-f (integral): what its full heads send to a token, as the
        `message` of a bound has it; and, if it is one sparse layer of one block length, what it keeps of a block."""
        heads = [[head for head in layer.heads if head.type == "full"] for layer in self.layers]
        dim = max((head.weights["W_V"].rows for layer in heads for head in layer), default=0)
        bits = {"P": self.weight_bits, "p": self.activation_bits}
        found: dict[str, Any] = {"message": {"heads": max(map(len, heads), default=0), "dim": dim, **bits}}
        if self.word == "S" and len({head.block for layer in self.layers for head in layer.heads}) == 1:
            heads = [layer.heads for layer in self.layers if layer.heads]
            numbers = sum(head.weights["W_K"].rows + head.weights["W_V"].rows for head in heads[0])
            opened = sum(head.opened for head in heads[0])
            # from -2^(p-f) to 2^(p-f) in steps of 2^-f
            kept = numbers * (self.activation_bits + 2)
            found["summary"] = {"block": heads[0][0].block, "open": opened, "bits": kept}
        return found

    def read_layer(self, value: Any) -> Layer:
        heads, mlps = (listed(part) for part in fields(value, "heads mlps"))
        limit(max(len(heads), len(mlps)) <= MAX_LENGTH, "too many heads or MLPs")
        return Layer([self.read_head(head) for head in heads], [self.read_mlp(mlp) for mlp in mlps])

    def read_mlp(self, value: Any) -> Weights:
        first, b_1, second, b_2 = fields(value, "W_1 b_1 W_2 b_2")
        w_1, d = matrix(first, None, self.width), self.width
        return {
            "W_1": w_1,
            "b_1": matrix(b_1, w_1.rows, 1),
            "W_2": matrix(second, d, w_1.rows),
            "b_2": matrix(b_2, d, 1),
        }

    def read_head(self, value: Any) -> Head:
        kind, d = value.get("type") if isinstance(value, dict) else None, self.width
        if not isinstance(kind, str) or kind not in HEADS:
            raise Malformed("unknown type of head")
        need(kind != "product" or self.task.program is not None, "a product head is for programs alone")
        named = dict(zip(HEADS[kind][1].split(), fields(value, HEADS[kind][1]), strict=True))
        least = (("block", 1), ("opened", 0), ("updates", 1))
        block, opened, updates = (integer(named.get(key, low), low) for key, low in least)
        limit(updates <= MAX_LENGTH, "too many updates of a token")
        shift, normalised = number(named.get("shift", 0)), named.get("normalised", False)
        need(isinstance(normalised, bool), "normalised is neither true nor false")
        weights = {key: matrix(named[key], None, d) for key in ("W_Q", "W_V")}
        d_k, d_v = weights["W_Q"].rows, weights["W_V"].rows
        need(d_v % updates == 0, "W_V has another shape")
        shapes = {"W_K": (d_k * updates, d), "W_O": (d, d_v // updates)}
        shapes |= {"W_A": (updates, d), "W_B": (updates, d), "b_A": (updates, 1), "b_B": (updates, 1)}
        shapes |= {"b_Q": (d_k, 1), "b_K": (d_k, 1), "C_K": (d_k, block * d_k), "C_V": (d_v, block * d_v)}
        weights |= {key: matrix(named[key], *shape) for key, shape in shapes.items() if key in named}
        return Head(kind, weights, shift, normalised, block, opened, updates)

    def read_invariants(self, value: Any) -> None:
        """For each stage and kind: its forms, in `1`, the bits of its own variables, the global ones, and noise."""
        stages, kinds = listed(value, len(self.layers) + 1), self.task.kinds
        limit(len(stages) * len(kinds) * self.width <= MAX_CELLS, "too many layers")
        values = [fields(stage, ",".join(kind.name for kind in kinds), ",") for stage in stages]
        # What a head sees is a definite number at each token (P11), so its bit may be mentioned at any stage.
        places = [(ell, h) for ell, layer in enumerate(self.layers, 1) for h in range(len(layer.heads))]
        seen = bit_names([(f"seen {ell}/{h}", 2) for ell, h in places if self.task.two_sum])
        symbols = [{*seen, *bit_names(kind.own)} for kind in kinds]
        self.invariants = [[self.read_invariant(*pair) for pair in zip(s, symbols, strict=True)] for s in values]

    def read_invariant(self, value: Any, symbols: set[str]) -> Invariant:
        entries, noise_values = fields(value, "forms noise")
        forms: Forms = [{} for _ in range(self.width)]
        noise: list[Noise] = []
        triples: list[list[Any]] = [listed(entry, 3) for entry in listed(entries)]
        known = (isinstance(s, str) and (s in symbols or self.task.shared(s)) for _, s, _ in triples)
        need(all(known), "an invariant has an unknown symbol")
        for part in listed(noise_values):
            size, column = fields(part, "radius column")
            noise.append(Noise(number(size)))
            need(noise[-1].radius >= 0, "a negative radius")
            triples += [[row, noise[-1], c] for row, c in (listed(entry, 2) for entry in listed(column))]
        for row, symbol, c in triples:
            form = forms[integer(row, 0, self.width - 1)]
            need(symbol not in form, "an invariant has a repeated entry")
            form[symbol] = number(c)
        found = [{s: c for s, c in form.items() if c and radius(s)} for form in forms]  # what has radius 0 is 0
        return found, [nu for nu in noise if nu.radius]


def row_table(value: Any, rows: int, width: int, exact: bool = True, optional: Sequence[str] = ("mirror",)) -> RowTable:
    """A table of `rows` rows, or at least as many: stored, or declared by segments that cover each row once."""
    if isinstance(value, dict) and "stored" in value:
        limit(rows <= MAX_STORED, f"more than {MAX_STORED} stored rows")
        stored: dict[int, Row] = {}
        found_rows = matrix(fields(value, "stored")[0], rows if exact else None, width)
        need(found_rows.rows >= rows, "a row table is too short")
        for row, r, c in found_rows.entries:
            stored.setdefault(row, {})[r] = c
        return RowTable(found_rows.rows, stored, {})
    segments, end, keys = dict[int, Segment](), 0, ["start", "radices", "matrix"]
    for part in sorted(listed(fields(value, "declared")[0]), key=start_of):
        more = [key for key in optional if isinstance(part, dict) and key in part]
        found = dict(zip(keys + more, fields(part, " ".join(keys + more)), strict=True))
        need(integer(found["start"]) == end, "the segments of a row table overlap or leave gaps")
        radices = [integer(radix, 1) for radix in listed(found["radices"])]
        limit(len(radices) <= MAX_LENGTH, "too many radices")
        mirrored = "mirror" in found
        odd = not mirrored or (radices == [integer(found["mirror"], 3)] and radices[0] % 2 == 1)
        need(odd, "a mirror image needs one radix, an odd one")
        digits = [read_digit(digit, product(*radices)) for digit in listed(found.get("digits", []))]
        bits = len(bit_names([("", radix) for radix in radices])) * (2 if mirrored else 1)
        bits += len(bit_names([("", size) for size, _ in digits]))
        segments[end] = radices, mirrored, matrix(found["matrix"], width, 1 + bits).entries, digits
        end += product(*radices)
    need(end == rows or (not exact and end > rows), "the segments of a row table do not cover its rows")
    return RowTable(end, None, segments)


def start_of(part: Any) -> int:
    return integer(part.get("start")) if isinstance(part, dict) else 0


def read_digit(value: Any, rows: int) -> Digit:
    """A further digit of a segment, by its value in each row."""
    limit(rows <= MAX_STORED, f"more than {MAX_STORED} rows of a digit")
    size, values = fields(value, "size values")
    return integer(size, 1), [integer(x, 0, integer(size, 1) - 1) for x in listed(values, rows)]


def matrix(value: Any, rows: int | None, columns: int) -> Matrix:
    """A matrix of this shape (None: any number of rows)."""
    shape, triples = fields(value, "shape entries")
    height, width = (integer(size) for size in listed(shape, 2))
    need(width == columns and rows in (None, height), "a matrix of another shape")
    limit(rows is not None or height <= MAX_WIDTH, f"a matrix of more than {MAX_WIDTH} rows")
    entries: dict[tuple[int, int], Rational] = {}
    for entry in listed(triples):
        row, column, c = listed(entry, 3)
        place = integer(row, 0, height - 1), integer(column, 0, width - 1)
        need(place not in entries, "a matrix has a repeated entry")
        entries[place] = number(c)
    return Matrix(height, [(*place, c) for place, c in entries.items() if c])


def bit_names(variables: Variables) -> list[str]:
    """The bits of the variables in order, least significant first: bitlength(r − 1) for a variable of size r."""
    result = [f"{name}.{j}" for name, size in variables for j in range((size - 1).bit_length())]
    spend(4 * len(result))
    return result


def number(value: Any) -> Rational:
    """An exact number: an integer up to 2^53, "a" or "a/b"."""
    if type(value) is int and -(2**53) <= value <= 2**53:  # neither bool nor float
        return value
    parts = NUMBER.fullmatch(value) if isinstance(value, str) else None
    if parts is None or int(parts[2] or 1) == 0:
        raise Malformed("not an exact number, that is an integer up to 2^53, or a string like 7 or 1/2")
    return counted(Fraction(int(parts[1]), int(parts[2])) if parts[2] else int(parts[1]))


def integer(value: Any, low: int = 0, high: int | None = None) -> int:
    """An integer within bounds; it is a string if and only if it is beyond 2^53."""
    if type(value) is int and low <= value <= 2**53 and (high is None or value <= high):
        return value  # as nearly always
    exact = value if type(value) is int else number(value)
    need(exact.denominator == 1 and (type(value) is int) == (-(2**53) <= exact <= 2**53), "not an integer")
    need(low <= exact and (high is None or exact <= high), "an integer out of range")
    return int(exact)


def fields(value: Any, keys: str, separator: str = " ") -> list[Any]:
    """The values of an object with exactly these keys: nothing unchecked rides along."""
    need(isinstance(value, dict) and set(value) == set(keys.split(separator)), f"not an object with the keys {keys}")
    return [value[key] for key in keys.split(separator)]


def listed(value: Any, length: int | None = None) -> list[Any]:
    if not isinstance(value, list) or length not in (None, len(value)):
        raise Malformed("not a list of the right length")
    spend(8 + 8 * len(value))
    return value


def string(value: Any, most: int = 200) -> str:
    need(isinstance(value, str) and len(value) <= most and not HIDDEN.search(value), "not a short string")
    return str(value)


def word(value: Any) -> str:
    """A name of a kind or a variable."""
    need(isinstance(value, str) and re.fullmatch("[a-z][a-z0-9_]{0,31}", value) is not None, "look-ups: not a name")
    return str(value)


def without_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    need(len(result) == len(pairs), "a key is repeated")
    return result


def show(x: Rational) -> str:
    """A number for a message, in a few characters."""
    thousandths, size = floor(Fraction(x) * 1000), x.numerator.bit_length() - x.denominator.bit_length()
    if x.numerator.bit_length() + x.denominator.bit_length() < 100:
        return str(x)
    return f"about {thousandths}/1000" if absolute(size) < 64 else f"about {'-' if x < 0 else ''}2^{size}"


def many(count: int, what: str) -> str:
    """1 layer, 2 layers."""
    return f"{show(count)} {what}{'' if count == 1 else 's'}"


def list_text(texts: Sequence[str]) -> str:
    """(4, 4), and of a long list the first few."""
    return f"({', '.join(texts[:MAX_SHOWN])}{f', ... {len(texts)} in all' if len(texts) > MAX_SHOWN else ''})"


def funccomp_text(m: str, n: Iterable[str]) -> str:
    digits = list(n)
    return f"L-FuncComp with L = {len(digits) + 1}, m = {m}, n = {list_text(digits)}"


def word_text(layers: list[str]) -> str:
    """FFFR as F3 R."""
    runs = [(layer, len(list(same))) for layer, same in itertools.groupby(layers)]
    names = [f"W({layer[1:]})" if layer[:1] == "W" else f"[{layer}]" if len(layer) > 1 else layer for layer, _ in runs]
    texts = [name + (str(times) if times > 1 else "") for name, (_, times) in zip(names, runs, strict=True)]
    return " ".join(texts[:MAX_SHOWN]) + (f" ... {len(layers)} layers in all" if len(texts) > MAX_SHOWN else "")


def check_file(file: str, times: int = 1) -> Verdict:
    """The verdict on a file; raises Malformed, and OSError if it cannot be read."""
    need(os.path.isfile(file), "no such file, or no regular one")
    limit(os.path.getsize(file) <= MAX_BYTES, f"at most {MAX_BYTES} bytes are read")
    with open(file, "rb") as stream:
        return check_text(stream.read(MAX_BYTES + 1), times)


def main(file: str = "", times: str = "1") -> int:
    """What is to be said about a file, and the exit status."""
    try:
        need(re.fullmatch("[1-9][0-9]{0,5}", times) is not None, "the second argument is how many times the work")
        verdict = check_file(file, int(times))
    except (OSError, Malformed) as error:
        status, text = 2, str(error) if isinstance(error, Declined) else f"malformed: {error}"
    except (MemoryError, RecursionError) as error:  # without this the interpreter ends with 1, which is a verdict
        status, text = 2, f"declined: beyond what the interpreter can hold: {type(error).__name__}"
    else:
        status, text = (0, f"{verdict.message}\naccepted") if verdict.ok else (1, f"rejected: {verdict.message}")
    print(text.encode("ascii", "replace").decode())
    return status


if __name__ == "__main__":
    # Both files run without the project: their folder stands for the package, and this run for the module.
    package = type(sys)("separation.proving")
    package.__path__ = [os.path.dirname(os.path.abspath(__file__))]
    sys.modules |= dict.fromkeys(("separation", "separation.proving"), package)
    sys.modules["separation.proving.kernel"] = sys.modules["__main__"]
    sys.exit(main(*sys.argv[1:3]))
