"""What several statements suppose of weights and of prompts, each decided by the prover or the exact run."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from proofs_checks.statement import Hypothesis
from separation.arithmetic import PrecisionOverflow
from separation.files import InputError
from separation.models import Head, Model, SparseHead, run
from separation.models.heads import AnyHead
from separation.proving import Construction, prove
from separation.tasks.funccomp import Thoughts, from_token_ids
from separation.tasks.two_sum import TwoSumInstance, TwoSumSizes


class Prompted(NamedTuple):
    """Weights, and the tokens that they are given."""

    construction: Construction
    ids: tuple[int, ...]


def of_weights(witness: Construction, sizes: Container[Any], elsewhere: Construction) -> tuple[Hypothesis, ...]:
    """The sizes are those of the proof, no score is above its shift, every activation has room; ``witness`` is so."""
    return at_sizes(sizes, elsewhere), scores_below_the_shift(witness), activations_fit(witness)


def at_sizes(sizes: Container[Any], elsewhere: Construction) -> Hypothesis:
    """A proof speaks of its own sizes and of no others."""
    return Hypothesis("the sizes are among those proved", lambda subject: subject.sizes in sizes, elsewhere)


def scores_below_the_shift(witness: Construction) -> Hypothesis:
    return Hypothesis(
        "no score is above its head's shift c",
        lambda subject: "P3" not in broken_rules(subject),
        shifts_lowered(witness),
    )


def activations_fit(witness: Construction) -> Hypothesis:
    return Hypothesis(
        "no activation is beyond 2^(p-f)", lambda subject: "P8" not in broken_rules(subject), one_bit_fewer(witness)
    )


def of_prompts(witness: Prompted, sizes: Container[Any], elsewhere: Prompted) -> tuple[Hypothesis, ...]:
    """The sizes are those that are run, the tokens are an input, and no score is above its shift."""
    construction, ids = witness
    task = prompt_sizes(construction)
    # z_0 = m, or a number of 2-Sum that is M: one more than the largest.
    too_large = (*ids[:-2], task.modulus if isinstance(task, TwoSumSizes) else task.m, *ids[-1:])
    return (
        Hypothesis(
            "the sizes are among those run", lambda subject: prompt_sizes(subject.construction) in sizes, elsewhere
        ),
        Hypothesis("the tokens are the prompt of an input", is_input, Prompted(construction, too_large)),
        Hypothesis("the run needs no weight above 2^P and no activation beyond 2^(p-f)", runs, overflowing(witness)),
    )


def overflowing(witness: Prompted) -> Prompted:
    """With shifts one lower; without any, with one bit fewer."""
    lowered = shifts_lowered(witness.construction)
    return witness._replace(
        construction=one_bit_fewer(lowered) if lowered.model == witness.construction.model else lowered
    )


def is_full_or_recurrent(model: Model) -> bool:
    """Every layer is F, R or [FR]."""
    return all(set(layer.letter) <= set("[FR]") for layer in model.layers)


def broken_rules(subject: Construction) -> set[str]:
    """The rules of docs/proving.md that the weights break."""
    return {failure.rule for failure in prove(subject.model, subject.stages, subject.shape).failures}


def prompt_sizes(subject: Construction) -> Any:
    """The sizes of the prompt, without a chain of thought behind it."""
    return subject.sizes.sizes if isinstance(subject.sizes, Thoughts) else subject.sizes


def is_input(prompted: Prompted) -> bool:
    sizes = prompt_sizes(prompted.construction)
    try:
        if isinstance(sizes, TwoSumSizes):
            TwoSumInstance(sizes, prompted.ids)
        else:
            from_token_ids(sizes, prompted.ids)
    except InputError:
        return False
    return True


def runs(prompted: Prompted) -> bool:
    """The exact run comes to an end: nothing overflows. What is no input is not run, and overflows nothing."""
    if not is_input(prompted):
        return True
    try:
        run(prompted.construction.model, np.array([prompted.ids]), every_row=True)
    except PrecisionOverflow:
        return False
    return True


def shifts_lowered(subject: Construction) -> Construction:
    """Every shift is one lower: a match scores more than it."""
    layers = tuple(
        replace(layer, heads=tuple(_shift_lowered(head) for head in layer.heads)) for layer in subject.model.layers
    )
    return replace(subject, model=replace(subject.model, layers=layers))


def _shift_lowered(head: AnyHead) -> AnyHead:
    return replace(head, shift=head.shift - 1) if isinstance(head, Head | SparseHead) else head


def one_bit_fewer(subject: Construction) -> Construction:
    """p is one lower, the rounding step the same."""
    precision = subject.model.precision
    return replace(subject, model=replace(subject.model, precision=replace(precision, bits=max(0, precision.bits - 1))))


def after(change: Callable[[Construction], Construction], build: Callable[..., Construction]) -> Any:
    """A builder of changed weights: a broken twin of ``build``."""

    def broken(*sizes: Any) -> Construction:
        return change(build(*sizes))

    return broken
