"""Whom to fool: anything that answers prompts and, if it has R layers, tells the state that they carry along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.files import InputError
from separation.models import Model, Reading, checked_ids, decode, embedding_reader, reader_of, run_layer

Place = tuple[int, int]
"""Layer, from 1, and head, from 0."""


def recurrent_places(model: Model) -> list[Place]:
    """All heads of a model whose layers are all R (or without heads), in the order of the computation."""
    places = [(number, index) for number, layer in enumerate(model.layers, 1) for index, _ in enumerate(layer.heads)]
    for number, layer in enumerate(model.layers, 1):
        if layer.letter not in ("", "R"):
            raise InputError(f"layer {number} is {layer.letter}; states alone cross a boundary of R layers only")
    return places


def boundary_states(model: Model, prefixes: NDArray[np.int64]) -> dict[Place, IntegerArray]:
    """For each recurrent head (batch, entries, 2): its state after the last token, as numerators and denominators.

    In lowest terms, so that two states are equal exactly if their numbers here are.
    """
    ids = checked_ids(model, prefixes)
    recurrent_places(model)
    count = ids.shape[1]
    stream = embedding_reader(model, ids).rows(0, count)
    found: dict[Place, IntegerArray] = {}
    for number, layer in enumerate(model.layers, 1):
        reading = Reading(model, number, reader_of(stream))
        attentions = [head.attend(reading) for head in layer.stateful_heads]
        if number < len(model.layers):
            stream, _ = run_layer(model, layer, number, reading.reader, 0, stream, attentions)
        else:  # nobody reads what the last layer writes here
            for attention in attentions:
                attention.rows(count - 1, stream.tokens(count - 1, count))
        for index, attention in enumerate(attentions):
            state = attention.head_state()
            found[number, index] = in_lowest_terms(state.values, state.denominator << model.precision.fraction_bits)
    return found


def packed_states(model: Model, prefixes: NDArray[np.int64]) -> IntegerArray:
    """(batch, numbers): all states side by side; in units of 2^-f where all numbers are multiples of it."""
    states = list(boundary_states(model, prefixes).values())
    unit = 1 << model.precision.fraction_bits
    # What a batch happens to hold must not decide: the same state has the same numbers in every batch.
    if model.is_integral:
        states = [part[:, :, 0] * (unit // part[:, :, 1]) for part in states]
    flat = [part.reshape(len(part), -1) for part in states]
    return np.concatenate(flat, axis=1) if flat else np.zeros((len(np.atleast_2d(prefixes)), 0), dtype=np.int64)


def in_lowest_terms(numbers: IntegerArray, denominator: int) -> IntegerArray:
    """(…, 2): numerators and denominators of numbers / denominator."""
    if denominator == 1:
        return np.stack([numbers, np.ones_like(numbers)], axis=-1)
    wide = numbers if denominator < 2**62 else numbers.astype(object)
    common = np.gcd(wide, denominator)
    return np.stack([wide // common, denominator // common], axis=-1)


@runtime_checkable
class Subject(Protocol):
    """forward(prompts): (batch, tokens) → (batch,) answers, or (batch, steps) generated tokens.

    A subject with R layers has state(prefixes) too: (batch, tokens) → (batch, …), all that passes from these tokens to
    later ones through R layers. Two states count as equal if all of their bytes are.
    """

    def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]: ...


@dataclass(frozen=True)
class ExactSubject:
    """A model of exact numbers; it answers with ``steps`` greedily generated tokens."""

    model: Model
    steps: int = 1

    def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
        return decode(self.model, np.atleast_2d(prompts), self.steps)

    def state(self, prefixes: NDArray[np.int64]) -> IntegerArray:
        return packed_states(self.model, prefixes)


@dataclass(frozen=True)
class TorchSubject:
    """A torch module: module(ids) gives logits, the last token's or all tokens', or token ids; module.state(ids)."""

    module: Any

    def forward(self, prompts: NDArray[np.int64]) -> NDArray[np.int64]:
        import torch

        with torch.no_grad():
            found = self.module(torch.from_numpy(np.atleast_2d(prompts)))
        if found.is_floating_point():
            found = found[:, -1] if found.dim() == 3 else found
            found = found.argmax(dim=-1)
        return np.asarray(found.cpu().numpy(), dtype=np.int64)

    def state(self, prefixes: NDArray[np.int64]) -> NDArray[Any]:
        import torch

        with torch.no_grad():
            found = as_array(self.module.state(torch.from_numpy(np.atleast_2d(prefixes))))
        return found.reshape(len(found), -1)


def as_array(tensor: Any) -> NDArray[Any]:
    """A tensor for numpy, which has no bfloat16: float32 holds every value of it, each as another one."""
    import torch

    tensor = tensor.detach().cpu()
    found: NDArray[Any] = (tensor.float() if tensor.dtype == torch.bfloat16 else tensor).numpy()
    return found


def as_subject(model: Any, steps: int = 1) -> Subject:
    """A model of the project, what holds one (like a construction), a torch module, or an object with the methods."""
    if isinstance(model, (ExactSubject, TorchSubject)):
        return model
    exact = model if isinstance(model, Model) else getattr(model, "model", None)
    if isinstance(exact, Model):
        return ExactSubject(exact, steps)
    if hasattr(model, "named_parameters") and hasattr(model, "state_dict"):
        return TorchSubject(model)
    if isinstance(model, Subject):
        return model
    raise InputError(f"a {type(model).__name__} has no forward(prompts); see docs/fooling.md for what is needed")


def tells_state(subject: Subject) -> bool:
    """Whether it has R layers whose state it tells."""
    part = subject.module if isinstance(subject, TorchSubject) else subject
    return callable(getattr(part, "state", None))
