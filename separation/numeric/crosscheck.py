"""Float runs against exact runs: answers must agree, and every read-out must stay within its proved bound."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from separation.models import Head, SparseHead, layers_others_need, sign_bits
from separation.numeric.arithmetic import Arithmetic, arithmetic_of
from separation.numeric.devices import chosen_device, has_float64, plain_products
from separation.numeric.float_heads import searched_places
from separation.numeric.float_proof import FloatProof, prove_floats
from separation.numeric.reference import Place, Trace, distances, exact_step, exact_trace, joined_parts, refined
from separation.proving import Construction, Proof, certified_proof

EXACT_SCORES = 1 << 18
"""Scores that exact runs may compute, all prompts together."""
LONE_PROMPT = 64
"""Where one prompt alone has this many times as many, there is no exact run, and float64 is the reference."""
EXACT_NUMBERS = 1 << 19
"""Numbers of a stream up to which the exact run takes seconds: 96 bits each are beyond int64."""
BATCH_NUMBERS = 1 << 24
STAND_IN_TOKENS = 1 << 18
EVERY_ROW = 1 << 11
"""Up to this length 2-Sum and chains of thought are compared at every token; beyond, at the last one only."""

Array = NDArray[np.int64]


@dataclass(frozen=True)
class CrossCheck:
    """Over all prompts: wrong answers; the largest |float − exact| of read-outs and of logits, with their bounds.

    ``bound`` None: this way to run is not certified at these sizes, for the ``reason``. ``compared`` prompts had their
    read-outs compared, with the ``reference``; ``outside``: read-outs that left the bound of their own layer and kind.
    """

    device: str
    dtype: str
    path: str
    tokens: int
    instances: int
    mismatches: int
    compared: int
    reference: str
    max_error: float
    bound: float | None
    logit_error: float
    logit_bound: float | None
    outside: int
    reason: str = ""

    @property
    def ok(self) -> bool:
        return not self.mismatches and self.bound is not None and not self.outside

    @property
    def ratio(self) -> float | None:
        """bound / error: 1 if both are 0, None if only one is known."""
        if self.bound is None:
            return None
        if not self.max_error:
            return None if self.bound else 1.0
        return self.bound / self.max_error

    def document(self) -> dict[str, Any]:
        return {"ok": self.ok, **vars(self), "ratio": self.ratio}


def crosscheck(
    construction: Construction,
    prompts: Array,
    expected: Array,
    dtype: str = "float64",
    device: str = "auto",
    path: str = "rows",
    exact_scores: int = EXACT_SCORES,
) -> CrossCheck:
    """Run prompts in floats; ``expected``: what the oracle says, in the form of `separation.tasks.catalogue`.

    Answers are compared for all prompts; read-outs for as many as exact runs within ``exact_scores`` can take, the last
    ones: adversarial families stand behind the samples, and their errors are the largest.
    """
    device = chosen_device(device)
    arithmetic = arithmetic_of(dtype, path, has_float64(device))
    fine = refined(construction)
    found = certified_proof(fine)
    if not found.ok and not construction.task.states_invariants:  # a count needs the P that its temperature goes with
        found = certified_proof(construction)
    proof = found.proof if found.ok else Proof("closed")  # nothing is known without the kernel's word
    fine = found.construction  # with its invariants, if they had to be inferred
    return _Comparison(construction, fine, proof, arithmetic, device, exact_scores).over(prompts, expected)


@dataclass
class _Comparison:
    """The same prompts through floats and through the reference."""

    construction: Construction
    fine: Construction
    proof: Proof
    arithmetic: Arithmetic
    device: str
    exact_scores: int

    def __post_init__(self) -> None:
        self.shape, self.task = self.fine.shape, self.construction.task
        self.bounds = prove_floats(self.fine, self.proof, self.arithmetic)

    def over(self, prompts: Array, expected: Array) -> CrossCheck:
        many = self.task.answers_every_token or self.task.generated_tokens > 0
        every_row = many and prompts.shape[1] <= EVERY_ROW
        if self.task.answers_every_token and not every_row:
            expected = expected[:, -1]
        whole = self._with_thoughts(prompts, expected)
        exact = self._exact_prompts(whole, every_row)
        # Without a quick exact run, float64 stands in for it, with its own bound on top; float64 has no stand-in.
        is_long = whole.shape[1] * self.fine.model.width > EXACT_NUMBERS
        stand_in = (exact == 0 or is_long) and self.arithmetic.name != "float64" and has_float64(self.device)
        compared = min(len(prompts), 1 + STAND_IN_TOKENS // whole.shape[1]) if stand_in else exact
        error, logit, outside, mismatches = 0.0, 0.0, 0, 0
        size = max(1, BATCH_NUMBERS // (whole.shape[1] * self.fine.model.width))
        with plain_products(self.device):
            for first in range(0, len(prompts), size):
                part = slice(first, min(first + size, len(prompts)))
                wrong = self._answers(prompts[part], every_row) != expected[part]
                mismatches += int(wrong.reshape(len(wrong), -1).any(axis=1).sum())
            for index in range(len(prompts) - compared, len(prompts)):
                found = self._compared(whole[index : index + 1], every_row, stand_in)
                error, logit, outside = max(error, found[0]), max(logit, found[1]), outside + found[2]
        known = self.bounds.ok
        return CrossCheck(
            device=self.device,
            dtype=self.arithmetic.name,
            path=self.arithmetic.path,
            tokens=prompts.shape[1],
            instances=len(prompts),
            mismatches=mismatches,
            compared=compared,
            reference=self._reference(compared, stand_in),
            max_error=error,
            bound=self._allowed(self.bounds.read, whole.shape[1]) if known else None,
            logit_error=logit,
            logit_bound=self._allowed_logit(stand_in) if known else None,
            outside=outside,
            reason=self.bounds.reason,
        )

    def _reference(self, compared: int, stand_in: bool) -> str:
        if stand_in:
            return "float64 run and its bound"
        return f"exact run, P = f = {self.fine.model.precision.score_bits}" if compared else "none: answers only"

    def _with_thoughts(self, prompts: Array, expected: Array) -> Array:
        """A chain of thought is compared on the prompt with the right tokens behind it."""
        if not self.task.generated_tokens:
            return prompts
        return np.concatenate([prompts, expected[:, :-1]], axis=1)

    def _exact_prompts(self, prompts: Array, every_row: bool) -> int:
        """How many prompts the exact run can take."""
        tokens, model = prompts.shape[1], self.fine.model
        needed = layers_others_need(model)
        rows = 0
        for number, layer in enumerate(model.layers):
            update = every_row or self.arithmetic.path == "full" or any(needed[number:])
            rows += (tokens if update else 1) * len(layer.heads)
        if rows * tokens > LONE_PROMPT * self.exact_scores:
            return 0
        return min(len(prompts), max(1, int(self.exact_scores // max(1, rows * tokens))))  # 0 without heads

    def _answers(self, prompts: Array, every_row: bool) -> Array:
        from separation.numeric.session import decode

        if self.task.generated_tokens:
            return decode(self.construction.model, prompts, self.task.generated_tokens, self.arithmetic, self.device)
        every_row = every_row and self.task.answers_every_token
        found: Array = self._run(prompts, every_row, self.arithmetic).answers()
        return found[:, -self.task.asked_tokens :] if every_row else found

    def _run(self, prompts: Array, every_row: bool, arithmetic: Arithmetic, watch: Any = None) -> Any:
        from separation.numeric.session import Session

        model, capacity = self.construction.model, prompts.shape[1]
        session = Session(model, len(prompts), arithmetic, self.device, capacity, every_row, watch)
        session.read(prompts)
        return session

    def _compared(self, prompt: Array, every_row: bool, stand_in: bool) -> tuple[float, float, int]:
        """(largest error of a read-out, largest error of a logit, read-outs beyond their bound)."""
        trace, logits = self._float_trace(prompt, every_row, self.arithmetic)
        if stand_in:
            other, other_logits = self._float_trace(prompt, every_row, self.stand_in)
        else:
            other, other_logits = exact_trace(self.fine, prompt, self.arithmetic.path == "full", every_row)
        slack = self.stand_in_bound if stand_in else FloatProof()
        of_reads = {(read.layer, read.head, read.kind): read.error for read in slack.reads}
        error, outside = 0.0, 0
        for bound in self.bounds.reads:
            place = bound.layer, bound.head
            rows = self._rows(bound.kind, place, trace, other, prompt, stand_in)
            if rows is None:
                continue
            # The stand-in may be off to the other side: a head that is exact here need not be so in float64.
            off = of_reads.get((*place, bound.kind), 0.0)
            error = max(error, float(rows.max(initial=0.0)) + off)
            outside += int((rows > self._allowed(bound.error, prompt.shape[1]) + off).sum())
        asked = self._asked_rows(prompt.shape[1]) if every_row else slice(None)
        logit = float(np.abs(logits - other_logits)[:, asked].max()) + (slack.logit or 0.0)
        if self.bounds.logit is not None:
            outside += int(logit > self._allowed_logit(stand_in))
        return error, logit, outside

    def _asked_rows(self, tokens: int) -> NDArray[np.bool_]:
        """The tokens that answer: of a chain of thought w and the generated ones."""
        asked = np.full(tokens, not self.shape.emissions)
        for emission in self.shape.emissions:
            kind = self.shape.kind(str(emission.reader))
            asked[kind.start : kind.stop] = True
        return asked

    def _float_trace(self, prompt: Array, every_row: bool, arithmetic: Arithmetic) -> tuple[Trace, Any]:
        trace = Trace()
        session = self._run(prompt, every_row, arithmetic, trace.note)
        return trace, session.logits().double().cpu().numpy()

    def _rows(self, kind: str, place: Place, trace: Trace, other: Trace, prompt: Array, stand_in: bool) -> Any:
        """|float − reference| of what a head hands to the tokens of a kind; None if none was computed."""
        import torch

        def whole(of: Trace) -> Any:
            return torch.cat([part for _, part in of.parts[place]], dim=1).double().cpu().numpy()

        start, floats = trace.first(place), whole(trace)
        where = self.shape.kind(kind)
        rows = slice(max(where.start - start, 0), max(where.stop - start, 0))
        if not floats[:, rows].size:
            return None
        if stand_in:
            second = whole(other)
            gaps = np.abs(floats[:, rows] - second[:, rows])
        else:
            exact = joined_parts(other, place)
            fraction = self.fine.model.precision.fraction_bits
            gaps = distances(floats[:, rows], exact.tokens(rows.start, rows.stop), fraction)
            second = exact.values.astype(np.float64) / float(exact.denominator << fraction)
        seen = self._seen(place, prompt, second, start)
        return gaps if seen is None else gaps[seen[:, rows]]

    def _seen(self, place: Place, prompt: Array, outs: NDArray[np.float64], start: int) -> NDArray[np.bool_] | None:
        """Of a search: at which tokens the head sees M − x; elsewhere a mean of other codes is read, of no interest."""
        head = self.fine.model.layers[place[0] - 1].heads[place[1]]
        if not self.shape.search or not isinstance(head, (Head, SparseHead)):
            return None
        (held,), modulus = self.fine.stages[place[0] - 1].values(), self.shape.kinds[0].value[0].size
        code = sign_bits(modulus - prompt[:, start : start + outs.shape[1]], modulus)
        wanted = code[..., searched_places(held, head.w_v)]
        close: NDArray[np.bool_] = np.abs(outs - wanted).sum(axis=2) < 1
        return close

    def _allowed(self, bound: float | None, tokens: int) -> float:
        """The bound, and the rounding of the exact run on top."""
        return (bound or 0.0) + (exact_step(tokens) if bound else 0.0)

    def _allowed_logit(self, stand_in: bool) -> float:
        """The bound, up to the rounding of the comparison; a stand-in may be off to the other side, and its bound is
        counted into the error as well."""
        return (self.bounds.logit or 0.0) * (1 + 2.0**-40) + (
            2 * (self.stand_in_bound.logit or 0.0) if stand_in else 0.0
        )

    @property
    def stand_in(self) -> Arithmetic:
        return arithmetic_of("float64", self.arithmetic.path)

    @cached_property
    def stand_in_bound(self) -> FloatProof:
        """The bounds of the float64 run, on read-outs and on logits."""
        return prove_floats(self.fine, self.proof, self.stand_in)
