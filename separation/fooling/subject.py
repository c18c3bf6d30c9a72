"""Whom to fool: anything that answers prompts and, if it has R layers, tells the state that they carry along."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from separation.arithmetic import IntegerArray
from separation.files import InputError
from separation.fooling.messages import packed_states
from separation.models import Model, decode


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
