"""Hypotheses on weights that several statements share, decided by the prover, and changed weights."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from fractions import Fraction
from typing import Any

from proofs_checks.kit.statement import Hypothesis, Lazy, require
from separation.models import AnyHead, Head, Model, SparseHead
from separation.proving import Construction, Proof, certified_proof, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Builder = Callable[..., Construction]


# --- on weights ---


def of_weights(witness: Lazy, sizes: Container[Any], elsewhere: Lazy) -> tuple[Hypothesis, ...]:
    """The sizes are among those proved, no score exceeds its shift and every activation fits, as in ``witness``."""
    return at_sizes(sizes, elsewhere), scores_below_the_shift(witness), activations_fit(witness)


def at_sizes(sizes: Container[Any], elsewhere: Lazy) -> Hypothesis:
    """A proof covers its own sizes and no others."""
    return Hypothesis("the sizes are among those proved", lambda subject: prompt_sizes(subject) in sizes, elsewhere)


def kept(rule: str, text: str, witness: Lazy, change: Callable[[Construction], Construction]) -> Hypothesis:
    """A rule of docs/proving.md, which the changed witness breaks."""
    return Hypothesis(text, lambda subject: rule not in broken_rules(subject), Lazy(lambda: change(witness.value)))


def scores_below_the_shift(witness: Lazy) -> Hypothesis:
    return kept("P3", "no score is above its head's shift c", witness, shifts_lowered)


def activations_fit(witness: Lazy) -> Hypothesis:
    return kept("P8", "no activation is beyond 2^(p-f)", witness, one_bit_fewer)


def is_full_or_recurrent(model: Model) -> bool:
    """Every layer is F, R or [FR]."""
    return all(set(layer.letter) <= set("[FR]") for layer in model.layers)


def proved(subject: Construction, sizes: Sizes | TwoSumSizes, where: object) -> Proof:
    """The proof for all inputs at these sizes, whose certificate the kernel accepts; without one the check fails."""
    require(prompt_sizes(subject) == sizes, f"{where}: the weights are for {subject.sizes}")
    found = certified_proof(subject)
    require(found.ok, f"{where}: {found.failure}")
    return found.proof


def broken_rules(subject: Construction) -> set[str]:
    """The rules of docs/proving.md that the weights break."""
    return {failure.rule for failure in prove(subject).failures}


def prompt_sizes(subject: Construction) -> Any:
    """The sizes of the prompt, without the chain of thought that follows it."""
    return subject.task.plain_sizes


# --- changed weights: broken twins ---


def after(change: Callable[[Construction], Construction], build: Builder) -> Builder:
    """A builder of changed weights: a broken twin of ``build``."""

    def broken(*sizes: Any) -> Construction:
        return change(build(*sizes))

    return broken


def with_heads(subject: Construction, change: Callable[[Head | SparseHead], AnyHead]) -> Construction:
    """Every head that attends changed."""

    def changed(head: AnyHead) -> AnyHead:
        return change(head) if isinstance(head, Head | SparseHead) else head

    layers = tuple(replace(layer, heads=tuple(map(changed, layer.heads))) for layer in subject.model.layers)
    return with_model(subject, layers=layers)


def shifts_lowered(subject: Construction) -> Construction:
    """Every shift is one lower, so a match scores more than it."""
    return with_heads(subject, lambda head: replace(head, shift=head.shift - 1))


def half_the_temperature(subject: Construction) -> Construction:
    """Queries are τ times a ±1 code; a match still scores the shift."""

    def colder(head: Head | SparseHead) -> AnyHead:
        temperature = int(abs(head.w_q.numerators).max())
        ratio = Fraction(max(1, temperature // 2), temperature)
        return replace(head, w_q=head.w_q.scaled(ratio), shift=head.shift * ratio)

    return with_heads(subject, colder)


def one_bit_fewer(subject: Construction) -> Construction:
    """p is one lower, the rounding step the same."""
    precision = subject.model.precision
    return with_model(subject, precision=replace(precision, bits=max(0, precision.bits - 1)))


def coarser_rounding(subject: Construction) -> Construction:
    """One bit fewer after the point, as many before it."""
    precision = subject.model.precision
    coarser = replace(precision, bits=precision.bits - 1, fraction_bits=precision.fraction_bits - 1)
    return with_model(subject, precision=coarser)


def last_layers_swapped(subject: Construction) -> Construction:
    *first, second_last, last = subject.model.layers
    return with_model(subject, layers=(*first, last, second_last))


def last_layer_dropped(subject: Construction) -> Construction:
    fewer = with_model(subject, layers=subject.model.layers[:-1])
    return replace(fewer, stages=[*subject.stages[:-2], subject.stages[-1]])


def only_head(model: Model, layer: int = 0) -> Head:
    """The one full-attention head of a layer."""
    (head,) = model.layers[layer].heads
    assert isinstance(head, Head)
    return head


def with_layer(subject: Construction, number: int, **changes: Any) -> Construction:
    """One layer changed, by its index; ``layer`` replaces it."""
    layers = list(subject.model.layers)
    layers[number] = changes.pop("layer", None) or replace(layers[number], **changes)
    return with_model(subject, layers=tuple(layers))


def with_model(subject: Construction, **changes: Any) -> Construction:
    return replace(subject, model=replace(subject.model, **changes))
