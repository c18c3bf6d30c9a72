"""Hypotheses on weights and prompts that several statements share, decided by the prover or the exact run."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from proofs_checks.kit.statement import Hypothesis, Later, require
from separation.arithmetic import PrecisionOverflow
from separation.files import InputError
from separation.models import AnyHead, Head, Model, SparseHead, run
from separation.proving import Construction, Proof, certified_proof, prove
from separation.tasks.funccomp import Sizes
from separation.tasks.two_sum import TwoSumSizes

Builder = Callable[..., Construction]


class Prompted(NamedTuple):
    """Weights and their input tokens."""

    construction: Construction
    ids: tuple[int, ...]


# --- on weights ---


def of_weights(witness: Later, sizes: Container[Any], elsewhere: Later) -> tuple[Hypothesis, ...]:
    """The sizes are among those proved, no score exceeds its shift and every activation fits, as in ``witness``."""
    return at_sizes(sizes, elsewhere), scores_below_the_shift(witness), activations_fit(witness)


def at_sizes(sizes: Container[Any], elsewhere: Later) -> Hypothesis:
    """A proof covers its own sizes and no others."""
    return Hypothesis("the sizes are among those proved", lambda subject: prompt_sizes(subject) in sizes, elsewhere)


def scores_below_the_shift(witness: Later) -> Hypothesis:
    return Hypothesis(
        "no score is above its head's shift c",
        lambda subject: "P3" not in broken_rules(subject),
        Later(lambda: shifts_lowered(witness.value)),
    )


def activations_fit(witness: Later) -> Hypothesis:
    return Hypothesis(
        "no activation is beyond 2^(p-f)",
        lambda subject: "P8" not in broken_rules(subject),
        Later(lambda: one_bit_fewer(witness.value)),
    )


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
    return {failure.rule for failure in prove(subject.model, subject.stages, subject.shape).failures}


def prompt_sizes(subject: Construction) -> Any:
    """The sizes of the prompt, without the chain of thought that follows it."""
    return subject.task.plain_sizes


# --- on prompts ---


def of_prompts(
    witness: Later, is_run: Callable[[Construction], bool], elsewhere: Later, what: str = "the sizes"
) -> tuple[Hypothesis, ...]:
    """The sizes are among those run, the tokens encode an input, and no score is above its shift."""

    def out_of_range() -> Prompted:
        construction, ids = witness.value
        task = prompt_sizes(construction)
        # z_0 = m, or a number of 2-Sum that is M: one more than the largest.
        return Prompted(construction, (*ids[:-2], task.modulus if isinstance(task, TwoSumSizes) else task.m, ids[-1]))

    return (
        Hypothesis(f"{what} are among those run", lambda subject: is_run(subject.construction), elsewhere),
        Hypothesis("the tokens are the prompt of an input", is_input, Later(out_of_range)),
        Hypothesis(
            "the run needs no weight above 2^P and no activation beyond 2^(p-f)",
            runs,
            Later(lambda: overflowing(witness.value)),
        ),
    )


def overflowing(witness: Prompted) -> Prompted:
    """With shifts one lower; without any, with one bit fewer."""
    lowered = shifts_lowered(witness.construction)
    return witness._replace(
        construction=one_bit_fewer(lowered) if lowered.model == witness.construction.model else lowered
    )


def is_input(prompted: Prompted) -> bool:
    try:
        prompted.construction.task.instance(np.array(prompted.ids))
    except InputError:
        return False
    return True


def runs(prompted: Prompted) -> bool:
    """The exact run does not overflow; tokens that are not an input are not run, so they do not overflow either."""
    if not is_input(prompted):
        return True
    try:
        run(prompted.construction.model, np.array([prompted.ids]), every_row=True)
    except PrecisionOverflow:
        return False
    return True


# --- changed weights: broken twins ---


def after(change: Callable[[Construction], Construction], build: Builder) -> Builder:
    """A builder of changed weights: a broken twin of ``build``."""

    def broken(*sizes: Any) -> Construction:
        return change(build(*sizes))

    return broken


def shifts_lowered(subject: Construction) -> Construction:
    """Every shift is one lower, so a match scores more than it."""
    layers = tuple(
        replace(layer, heads=tuple(_shift_lowered(head) for head in layer.heads)) for layer in subject.model.layers
    )
    return with_model(subject, layers=layers)


def _shift_lowered(head: AnyHead) -> AnyHead:
    return replace(head, shift=head.shift - 1) if isinstance(head, Head | SparseHead) else head


def one_bit_fewer(subject: Construction) -> Construction:
    """p is one lower, the rounding step the same."""
    precision = subject.model.precision
    return with_model(subject, precision=replace(precision, bits=max(0, precision.bits - 1)))


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
