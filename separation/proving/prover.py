"""The proof for all inputs: the kernel's own rules on a construction, watched.

The kernel says no more than whether a certificate holds. Here its proof is run step by step: what every head is proved
to do is kept, an obligation that fails is recorded with its cause, and the next begins from the claimed invariant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, TypeVar

from separation.files import InputError
from separation.models import Head as FullHead
from separation.models import RecurrentHead
from separation.progress import Progress, silent
from separation.proving import kernel
from separation.proving.construction import Construction, construction_to_document
from separation.proving.failures import Failure, ProofFailed
from separation.proving.forms import ONE, form_text, is_bit, variable_of
from separation.proving.general import agreed, enumerated, require_memory
from separation.proving.kernel import Forms, Head, Invariant, Layer, Noise, Peaks, Rational, Row, Scores, upper
from separation.proving.kernel_tasks import Kind
from separation.proving.pairing import unpaired_answer
from separation.proving.proof import LookUp, Match, Proof, Search, State
from separation.tasks.shape import Fact, Variable

if TYPE_CHECKING:
    from separation.proving.kernel import Describe

PATHS = ("closed", "general", "both")
UNKNOWN = "an invariant has an unknown symbol"
"""What the kernel says of a claim about what a token cannot know."""
MOST_WORK = 1 << 12
"""How many times the kernel's usual work a proof may take here: a diagnosis runs a layer again and again."""


def prove(construction: Construction, path: str = "closed", progress: Progress = silent) -> Proof:
    """Check every obligation of docs/proving.md on the actual weights; no table entry is ever looked at.

    ``path``: how look-ups are proved: in closed form, by enumeration (general), or both ways, which must agree.
    """
    number = len(construction.model.layers)
    if len(construction.stages) != number + 1:
        raise InputError(f"{number} layers need {number + 1} stages of invariants, got {len(construction.stages)}")
    return watched(Prover, construction, path, progress).proof


Who = TypeVar("Who", bound="Prover")


def watched(who: type[Who], construction: Construction, path: str, progress: Progress) -> Who:
    """The run of a prover; if the activations are not all known to be multiples of 2^-f, once more without that."""
    require_fit(construction, path)
    for integral in (construction.model.is_integral, False):
        try:
            run = who(construction, path, progress, integral)
            run.run()
        except NotIntegral:
            continue
        except kernel.Declined as error:
            raise BeyondTheKernel(str(error)) from None
        break
    return run


def require_fit(construction: Construction, path: str) -> None:
    """The tables have a row for every position, token and answer of the task, and the path is one that is known."""
    model, shape = construction.model, construction.shape
    if path not in PATHS:
        raise InputError(f"path must be one of {', '.join(PATHS)}, got {path}")
    if path != "closed":
        require_memory(max((head.w_q.shape[0] for head in model.heads_of(FullHead)), default=0), shape.length)
    heights = {
        "positions": (model.positions.height, shape.length),
        "tokens": (model.tokens.height, shape.vocabulary),
        "unembedding": (model.unembedding.height, shape.output_count),
    }
    for name, (found, wanted) in heights.items():
        if found != wanted:
            raise InputError(f"{name} has {found} rows; this task needs {wanted}")


class BeyondTheKernel(InputError):
    """A limit of the kernel is reached: nothing is said of the weights."""


class NotIntegral(Exception):
    """What is written down is not seen to be a multiple of 2^-f."""


class Told(Forms):
    """A description of a head's output that is more than a hull, by ``match`` if by P4 or P9."""

    match: Match | None = None


class Prover(kernel.Proof):
    """One obligation after another.

    ``parts``: of each head of the layer, by letter, its projections for each kind. ``too_large``: a list, if P8 is not
    to stop the run; what does not fit goes there.
    """

    too_large: list[ProofFailed] | None = None
    goes_on = True
    """After a failure, from what is claimed."""

    def __init__(self, construction: Construction, path: str, progress: Progress, integral: bool) -> None:
        self.construction, self.shape, self.path, self.progress = construction, construction.shape, path, progress
        self.proof = Proof(path, integral=integral)
        self.parts: dict[int, dict[str, list[Forms]]] = {}
        self.matches: list[Match] = []
        self.reader = 0
        super().__init__(self.opened(), integral)

    def opened(self) -> kernel.Model:
        """The model as the kernel reads it; of a head that has no rule nothing is said."""
        document = construction_to_document(self.construction)
        for number, layer in enumerate(document["layers"], 1):
            for index, head in enumerate(self.construction.model.layers[number - 1].heads):
                if isinstance(head, RecurrentHead):
                    message = f"no rule proves anything of a recurrent head of the family {head.family}"
                    place = (number, self.shape.answer_kind.name, f"head {index}")
                    self.proof.failures.append(Failure(*place, "no rule", message, "no rule"))
            layer["heads"] = [head for head in layer["heads"] if head["type"] in kernel.HEADS]
        kernel.Work.start(MOST_WORK)
        try:
            model = kernel.Model({**document, "invariants": self.stated(document)})
        except kernel.Declined:
            raise
        except kernel.Malformed as error:
            if str(error) != UNKNOWN:
                raise InputError(str(error)) from None
            self.proof.failures.append(Failure(0, "every", "invariants", "P7", f"{error}, of this attention"))
            blank: dict[str, Any] = {
                kind.name: {"forms": [], "noise": []} for kind in kernel.task_of(document["task"]).kinds
            }
            model = kernel.Model({**document, "invariants": [blank] * (len(document["layers"]) + 1)})
        model.slots = [self.construction.model.stream.name(row) for row in range(model.width)]
        return model

    def stated(self, document: dict[str, Any]) -> Any:
        """The invariants of the document."""
        return document["invariants"]

    def run(self) -> Rational:
        """All obligations; the margin is 0 if one is not met."""
        if self.proof.failures:
            return 0
        for place, kind in enumerate(self.kinds):
            self.progress(0.0, "embedding")
            with self.obligation(kind.name):
                self.embed(place)
        for number, layer in enumerate(self.model.layers, 1):
            heads = None
            if self.proof.failures and not self.goes_on:
                return 0
            with self.obligation(self.kinds[-1].name):
                heads = self.enter(layer)
            for place, kind in enumerate(self.kinds if heads is not None else ()):
                self.progress((number - 1) / len(self.model.layers), f"layer {number}, {kind.name}")
                with self.obligation(kind.name):
                    self.follow(place, layer, heads or [])
        if self.proof.failures and not self.goes_on:
            return 0
        self.layer, margins = len(self.model.layers) + 1, list[Rational]()
        if self.model.task.two_sum:
            with self.obligation(self.kinds[0].name):
                margins.append(self.found())
        for place, right in self.model.task.emissions if not self.model.task.two_sum else ():
            with self.obligation(self.kinds[place].name):
                margins.append(self.emitted(place, right, self.answer_rows()))
        asked = 1 if self.model.task.two_sum else len(self.model.task.emissions)
        if len(margins) == asked:
            self.proof.margin = Fraction(min(margins))
        return self.proof.margin or 0

    def answer_rows(self) -> list[Forms]:
        return [self.rows("unembedding", self.model.unembedding, *group) for group in self.model.task.groups]

    @contextmanager
    def obligation(self, kind: str) -> Iterator[None]:
        """Turns a ProofFailed inside the block into a recorded Failure with its layer, kind and slot."""
        try:
            yield
        except ProofFailed as error:
            slot = error.slot if isinstance(error.slot, str) else self.model.slots[error.slot]
            who = kind if self.kind == "every" else self.kind
            self.proof.failures.append(
                Failure(self.layer, who, slot, error.rule, error.message, error.clause, error.details)
            )

    # --- what fails, and how

    def refuse(self, condition: bool, slot: str, reason: str) -> None:
        if condition:
            rule, _, message = reason.partition(": ")
            raise ProofFailed(rule, "answer" if rule == "answer" else from_zero(slot), message)

    def whole(self, name: str, numbers: Iterable[Rational]) -> None:
        if self.integral and any(x.denominator != 1 for x in numbers):
            raise NotIntegral(name)

    def fit(self, sizes: Iterable[Rational], name: str = "") -> None:
        found = list(sizes)
        most = max(found, default=0)
        if most > self.model.bound:
            row, reach = found.index(most), float(most)
            details = {"reach": reach, "limit": float(self.model.bound)}
            message = f"may reach {reach:g}, beyond 2^(p-f) = {self.model.bound}"
            failure = ProofFailed("P8", from_zero(name.format(row)) if name else row, message, details=details)
            if self.too_large is None:
                raise failure
            self.too_large.append(failure)

    def rows(
        self,
        name: str,
        table: kernel.RowTable,
        first: int,
        variables: kernel.Variables,
        mirror: kernel.Variables = (),
    ) -> Forms:
        self.first = first
        return super().rows(name, table, first, variables, mirror)

    def interpolate(self, name: str, row: list[Row], variables: kernel.Variables) -> Forms:
        """The first row that is not what those before it, with those at the powers of two, make of it."""
        try:
            return super().interpolate(name, row, variables)
        except ProofFailed:
            for x in range(1, len(row)):
                stride = next(stride for stride in strides(variables) if stride <= x)
                top = stride << ((x // stride).bit_length() - 1)
                code = kernel.plus(kernel.plus(row[x - top], row[top]), row[0], -1)
                apart = [r for r in sorted({*code, *row[x]}) if code.get(r, 0) != row[x].get(r, 0)]
                if apart:
                    held, due = row[x].get(apart[0], 0), code.get(apart[0], 0)
                    message = f"{name} row {self.first + x} is not the code of its number: it holds {held}"
                    message += f", as the other rows go {due} is due"
                    details = {"table": name, "row": self.first + x, "holds": str(held), "code": str(due)}
                    raise ProofFailed("P1", apart[0], message, details=details) from None
            raise

    def contain(self, derived: Forms, claimed: Invariant) -> None:
        for violation in self.violations(derived, claimed):
            raise violation
        self.size(claimed[0])

    def violations(self, derived: Forms, claimed: Invariant) -> list[ProofFailed]:
        """Every coordinate that is not as claimed: those that no noise reaches, then those out of their radius."""
        found: list[list[ProofFailed]] = [[], []]
        for row, rest, nu in self.apart(derived, claimed):
            radius = nu.radius if nu else 0
            if upper(rest) <= radius:
                continue
            details = {"holds": form_text(derived[row]), "claimed": form_text(claimed[0][row])}
            message = f"holds {details['holds']}, off the claim {details['claimed']}"
            if radius:
                message = f"is up to {float(upper(rest)):g} off its form, claimed within ±{float(radius):g}"
            found[radius > 0].append(ProofFailed("P7", row, message, details={} if radius else details))
        return [*found[0], *found[1]]

    # --- what the heads do

    def enter(self, layer: Layer) -> list[Describe]:
        self.parts = {}
        return super().enter(layer)

    def project(self, h: int, head: Head, x: list[Forms], letters: str) -> list[list[Forms]]:
        found = super().project(h, head, x, letters)
        self.parts[h] = dict(zip(letters, found, strict=True))
        return found

    def attend(self, place: int, h: int, head: Head, q: Forms, k: list[Forms], v: list[Forms]) -> list[Forms]:
        """A hull says more than most matches that other keys outweigh, but not more than all."""
        self.reader, self.matches = place, []
        try:
            found = super().attend(place, h, head, q, k, v)
        except ProofFailed as error:
            raise self.scores_above(error, place, head, q, k) from None
        return sorted(found, key=lambda out: 1 if not isinstance(out, Told) else 0 if leak_of(out) < 1 else 2)

    def scores_above(self, error: ProofFailed, place: int, head: Head, q: Forms, k: list[Forms]) -> ProofFailed:
        """P3: which keys score above the shift."""
        if error.rule == "P3":
            reached = {j: kernel.highest(self.scores(q, k[j])) for j in self.visible(place)}
            j = max(reached, key=lambda j: reached[j])
            keys, score = self.kinds[j].name, float(reached[j])
            message = f"a score may reach {score:g} with keys of {keys}, above the shift {head.shift}"
            details = {"score": score, "shift": float(head.shift), "keys": keys}
            return ProofFailed("P3", "score", message, details=details)
        return error

    def look_up(self, place: int, fact: kernel.Fact, scores: list[Scores], shift: Rational) -> Fraction | None:
        """P4 by the path that was asked for."""
        closed = super().look_up(place, fact, scores, shift) if self.path != "general" else None
        ratio, path, gap = closed, "closed", None
        paired = self.pairing(place, fact, scores[place])
        score = Fraction(0) if paired is None else Fraction(paired[1] - paired[2])
        if self.path != "closed":
            found = enumerated(scores, self.kinds, place, fact, self.known(), progress=self.told)
            weight = None if found is None else self.match(found.least_score - shift)
            if found is not None and (found.least_score == shift or weight):
                most = found.leak * (1 if found.least_score == shift else 1 + Fraction(1, weight or 1))
                ratio = agreed(closed, most, self.model.task.length)
                if ratio is not closed:
                    path, gap, score = "general", found.gap, found.least_score
        if ratio is not None:
            about = self.fact_of(place, fact)
            self.matches.append(Match(about, Fraction(ratio), Fraction(score), path, gap, place, fact))
        return ratio

    def known(self) -> list[Variable]:
        """The variables that the reader may ask for."""
        return [*self.shape.kind(self.kinds[self.reader].name).own, *self.shape.global_variables]

    def told(self, part: float) -> None:
        done = (self.layer - 1 + part) / len(self.model.layers)
        self.progress(done, f"layer {self.layer}, {self.kinds[self.reader].name}: queries × keys")

    def fact_of(self, target: int, bits: kernel.Fact) -> Fact:
        """The token that these bits are about, by the reader's variables that name it."""
        kind = self.kinds[target]
        return Fact(kind.name, tuple(dict.fromkeys(variable_of(bits[s]) for s in kind.name_bits if s in bits)))

    def read(self, values: Forms, fact: kernel.Fact, hulls: list[kernel.Span], ratio: Fraction) -> Forms:
        said = Told(super().read(values, fact, hulls, ratio))
        said.match = next(match for match in self.matches if match.bits is fact)
        return said

    def search(self, h: int, head: Head, offset: int, table: Scores, v: Forms) -> list[Forms]:
        found = super().search(h, head, offset, table, v)
        for out in found:
            (sums,) = {s.product.search for form in out for s in form if isinstance(s, Noise) and s.product}
            leak = Fraction(0 if sums is None else sums.ratio)
            self.proof.searches.append(Search(self.layer, h - 1, leak, offset if head.type == "sparse" else None))
        return [Told(out) for out in found]

    def delta(self, h: int, head: Head, x: list[Forms]) -> Describe:
        try:
            return super().delta(h, head, x)
        except ProofFailed as error:
            if error.rule != "P10":
                raise
            place = next(place for place, kind in enumerate(self.kinds) if kind.name == self.kind)
            (keep,), (write,) = (self.parts[h][letter][place] for letter in "AB")
            gates = (
                f"their forget gate is {ends(keep)}, which must be 1, and their write gate {ends(write)}, which must"
            )
            one = "be 0, or at a single token 1, with a constant key of norm 1 that is orthogonal to those before"
            message = f"the tokens of {self.kind} do not all leave the state alone: {gates} {one}"
            raise ProofFailed("P10", f"head {h - 1}", message) from None

    def state(self, h: int, normalised: bool, asked: list[Peaks], stored: list[Peaks], v: list[Forms]) -> Describe:
        before, self.largest, self.state_bits = self.state_bits, Fraction(0), 0
        describe = super().state(h, normalised, asked, stored, v)
        entries = len(stored[0]) * (len(v[0]) + normalised)
        self.proof.states.append(State(self.layer, h - 1, entries, self.largest, self.state_bits))
        self.state_bits = None if None in (before, self.state_bits) else (before or 0) + (self.state_bits or 0)
        return describe

    def size(self, forms: Forms, name: str = "") -> None:
        if name.endswith(" state"):
            self.largest = max(self.largest, Fraction(forms[0].get(ONE, 0)))
        super().size(forms, name)

    def recall(
        self, place: int, h: int, normalised: bool, asked: Peaks, stored: list[Peaks], v: list[Forms]
    ) -> list[Forms]:
        *found, last = (Told(out) for out in super().recall(place, h, normalised, asked, stored, v))
        heavy = [
            j for j in self.visible(place) if any(a and b for (a, _), (b, _) in zip(asked, stored[j], strict=True))
        ]
        if len(heavy) == 1 and self.head_type(h) == "linear":
            (j,) = heavy
            gains = [(fact, self.gain(self.kinds[j], fact, asked, stored[j])) for fact in self.facts(place, j)]
            for out, (fact, gain) in zip(found, [pair for pair in gains if pair[1]], strict=True):
                about = self.fact_of(j, fact)
                out.match = Match(about, Fraction(0), Fraction(gain), "exact", None, j, fact)
        return [*found, list(last)]

    def head_type(self, h: int) -> str:
        return self.model.layers[self.layer - 1].heads[h - 1].type

    # --- layer by layer

    def advance(self, layer: Layer, x: Forms, options: list[list[Forms]], claimed: Invariant) -> tuple[Forms, ...]:
        chosen = tuple(descriptions[0] for descriptions in options)
        try:
            chosen = self.choose(layer, x, options, claimed)
        except ProofFailed as error:
            raise self.explained(layer, chosen, claimed, error) from None
        finally:
            for head, out in enumerate(chosen):
                if isinstance(out, Told) and out.match is not None:
                    self.proof.look_ups.append(LookUp(self.layer, head, self.kind, out.match))
        return chosen

    def choose(self, layer: Layer, x: Forms, options: list[list[Forms]], claimed: Invariant) -> tuple[Forms, ...]:
        return super().advance(layer, x, options, claimed)

    def explained(self, layer: Layer, chosen: tuple[Forms, ...], claimed: Invariant, error: ProofFailed) -> ProofFailed:
        """The failure with its cause."""
        from separation.proving.diagnosis import LayerCase

        return LayerCase(self, layer, chosen, claimed).explain(error)

    def emitted(self, place: int, right: int, groups: list[Forms]) -> Rational:
        """A look-up of the right row among the rows of the unembedding, by the path that was asked for."""
        margins: list[Rational] = []
        stream = self.model.invariants[-1][place][0]
        kinds = [Kind(f"{number}", *group[:1], 0, group[1], []) for number, group in enumerate(self.model.task.groups)]
        if self.path != "general":
            try:
                margins.append(super().emitted(place, right, groups))
            except ProofFailed as error:
                raise unpaired_answer(self, stream, groups[right], kinds[right], error) from None
        if self.path != "closed":
            self.kind, self.reader = self.kinds[place].name, place
            tables = [self.scores(stream, keys) for keys in groups]
            if any(isinstance(a, Noise) for table in tables for column in table.values() for a in column):
                raise ProofFailed("answer", "answer", "the general path needs an answer without noise")
            fact = {bit: bit for bit in kinds[right].name_bits}
            found = enumerated(tables, kinds, right, fact, self.known(), weigh=False)
            if found is None or found.gap is None:
                failure = ProofFailed("answer", "answer", "the logits do not single out the right answer")
                raise unpaired_answer(self, stream, groups[right], kinds[right], failure)
            margins.append(found.gap)
        return self.positive(min(margins))

    def found(self) -> Rational:
        try:
            return super().found()
        except ProofFailed as error:
            unseen = error.clause == "answer"
            for symbol, number in self.difference().items() if error.rule == "answer" else ():
                if not is_bit(symbol) or (symbol in self.searches and number > 0):
                    continue
                details = {"bit": str(symbol), "coefficient": str(number)}
                if symbol in self.searches:
                    head = variable_of(str(symbol)).rpartition("/")[2]
                    message = f"the logit of 1 falls when head {head} finds a match, with coefficient {number}"
                    raise ProofFailed("answer", "answer", message, "wrong sign", details) from None
                if not unseen:
                    message = f"the logits depend on {symbol}"
                    raise ProofFailed("answer", "answer", message, "wrong bit", details) from None
            if unseen:
                offsets = [search.offset for search in self.proof.searches]
                seeing = {"heads": [search.head for search in self.proof.searches], "offsets": offsets}
                raise ProofFailed("answer", "answer", error.message, "unseen tokens", seeing) from None
            raise

    def positive(self, margin: Rational) -> Rational:
        if margin <= 0:
            message = f"the margin of the answer's logit is {margin}"
            raise ProofFailed("answer", "answer", message, "margin", {"margin": str(margin)})
        return margin


def from_zero(slot: str) -> str:
    """The kernel counts heads from 1."""
    return re.sub(r"^head (\d+)", lambda found: f"head {int(found[1]) - 1}", slot)


def leak_of(out: Told) -> Fraction:
    return Fraction(0) if out.match is None else out.match.leak


def strides(variables: kernel.Variables) -> list[int]:
    """By how much a row's number grows with each digit."""
    return [prod(size for _, size in variables[v + 1 :]) for v in range(len(variables))]


def ends(form: kernel.Form) -> str:
    low, high = kernel.span(form)
    return f"{float(low):g}" if low == high else f"between {float(low):g} and {float(high):g}"
