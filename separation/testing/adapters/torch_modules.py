"""A torch module as a solver: token ids in, the argmax of its logits out.

Weights come from a .safetensors file, which holds numbers and nothing that could be run; files that would have to be
unpickled (.pt, .bin, .ckpt) are refused. The module itself is made by a function of one's own, `module:factory`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from separation.files import InputError
from separation.testing.adapters.functions import named_function


class TorchSolver:
    """logits = module(ids), (batch, tokens, answers): the answer is the argmax at the last token.

    A task that asks for k numbers is answered at the last k tokens. What the module returns may have the logits in an
    attribute of that name, as models of transformers do, or be a tuple that begins with them; (batch, answers) stands
    for those of the last token.
    """

    wants_numbers = True

    def __init__(self, module: Any) -> None:
        self.module = module.eval() if hasattr(module, "eval") else module

    def __call__(self, prompts: list[list[int]], numbers: int | None) -> list[Any]:
        import torch

        with torch.inference_mode():
            logits = logits_in(self.module(torch.tensor(prompts)))
        if logits.dim() == 2 and numbers is None:
            logits = logits[:, None]
        if logits.dim() != 3 or logits.shape[0] != len(prompts):
            raise ValueError(f"logits of shape {tuple(logits.shape)}; ({len(prompts)}, tokens, answers) is needed")
        last = logits[:, -(numbers or 1) :]
        # A logit that is no number has no place in an order: the answer there is none either.
        answers = torch.where(last.isnan().any(dim=-1), torch.nan, last.argmax(dim=-1).double())
        found: list[Any] = answers.tolist()
        return found if numbers is not None else [answer for (answer,) in found]


def logits_in(output: Any) -> Any:
    """The tensor of logits in what a module returned."""
    if hasattr(output, "logits"):
        return output.logits
    if isinstance(output, tuple):
        return output[0]
    return output


def torch_solver(factory: str, weights: str | Path | None = None) -> TorchSolver:
    """The module that `module:factory` makes, with the weights of a file if there is one."""
    make = named_function(factory)
    try:
        import torch
    except ImportError:
        raise InputError("a torch module needs torch: pip install 'separation[torch]'") from None
    module = make()
    if not isinstance(module, torch.nn.Module):
        raise InputError(f"{factory} made a {type(module).__name__}; a torch.nn.Module is needed")
    if weights is not None:
        load_weights(module, Path(weights))
    return TorchSolver(module)


def load_weights(module: Any, path: Path) -> None:
    """Put the tensors of a .safetensors file into a module: all of its names, and no others."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    if path.suffix != ".safetensors":
        raise InputError(f"{path} is not a .safetensors file; files that are unpickled are not read")
    try:
        tensors = load_file(path)
    except (OSError, SafetensorError) as error:
        raise InputError(f"cannot read {path}: {error}") from None
    try:
        module.load_state_dict(tensors)
    except RuntimeError as error:
        raise InputError(f"{path} does not fit the module: {' '.join(str(error).split())}") from None
