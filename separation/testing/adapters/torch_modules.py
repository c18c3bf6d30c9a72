"""A torch module as a solver: token ids in, the argmax of its logits out.

Weights come from a .safetensors file, which holds numbers and nothing that could be run; files that would have to be
unpickled (.pt, .bin, .ckpt) are refused. The module itself is made by a function of one's own, `module:factory`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from separation.files import InputError, read_json
from separation.numeric.stock_folder import MANIFEST
from separation.packages import require_packages
from separation.tasks import TaskSizes, task_from_document
from separation.tasks.checks import shown

_SPELLED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


def is_spelled(text: str) -> bool:
    """Has it the form of `module:function`?"""
    return _SPELLED.fullmatch(text) is not None


def named_function(text: str) -> Any:
    """The callable that `module:function` names."""
    if not is_spelled(text):
        raise InputError(f"{shown(text)} is not of the form module:function")
    module_name, _, path = text.partition(":")
    here = os.getcwd()
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        found: Any = import_module(module_name)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise InputError(f"cannot import {text}: {error}") from None
    except Exception as error:
        raise InputError(f"cannot import {text}: {type(error).__name__}: {error}") from None
    if not callable(found):
        raise InputError(f"{text} is {shown(found)}; a function is needed")
    return found


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
    require_packages("a torch module needs", "torch", "torch")
    import torch

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


CONFIG = "config.json"
MOST_NEW_TOKENS = 64


def is_folder(path: str | Path) -> bool:
    return (Path(path) / CONFIG).is_file()


def folder_sizes(path: str | Path) -> TaskSizes | None:
    """The sizes that an exported folder is for; None of a folder that does not say."""
    manifest = Path(path) / MANIFEST
    if not manifest.is_file():
        return None
    document = read_json(manifest)
    if not isinstance(document, dict) or "task" not in document:
        raise InputError(f"{manifest} names no task")
    return task_from_document(document["task"])


def load_model(path: str | Path) -> Any:
    """The causal language model of a folder, on the CPU, ready to be asked."""
    _stay_offline()
    require_packages("a Hugging Face folder needs", "stock", "torch", "transformers")
    import transformers

    if not any(Path(path).glob("*.safetensors")):
        raise InputError(f"{path} has no .safetensors file; weights that are unpickled are not read")
    transformers.utils.logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        model = transformers.AutoModelForCausalLM.from_pretrained(
            str(path), local_files_only=True, trust_remote_code=False, use_safetensors=True, dtype="auto"
        )
    except Exception as error:
        raise InputError(f"cannot load {path}: {type(error).__name__}: {' '.join(str(error).split())[:300]}") from None
    model.eval()  # type: ignore[no-untyped-call]
    return model


def load_tokenizer(path: str | Path) -> Any:
    _stay_offline()
    import transformers

    try:
        return transformers.AutoTokenizer.from_pretrained(str(path), local_files_only=True, trust_remote_code=False)
    except Exception as error:
        raise InputError(f"cannot load the tokenizer of {path}: {type(error).__name__}: {error}") from None


def token_counter(path: str | Path) -> Callable[[str], int]:
    """How many of the model's own tokens a text has."""
    tokenizer = load_tokenizer(path)
    return lambda text: len(tokenizer(text).input_ids)


def ids_solver(path: str | Path) -> TorchSolver:
    """Token ids in, the argmax of the last logits out."""
    return TorchSolver(_Logits(load_model(path)))


class _Logits:
    """The logits of a model of transformers, without a cache."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __call__(self, ids: Any) -> Any:
        return self.model(ids, use_cache=False).logits


class TextSolver:
    """Texts in, what the model writes behind each of them out: greedy, the first line of MOST_NEW_TOKENS tokens.

    With room for more tokens all that it writes is its reply: it may think aloud.
    """

    def __init__(self, path: str | Path, new_tokens: int = MOST_NEW_TOKENS) -> None:
        self.model = load_model(path)
        self.tokenizer = load_tokenizer(path)
        self.new_tokens, self.whole = new_tokens, new_tokens > MOST_NEW_TOKENS

    def __call__(self, texts: list[str]) -> list[str | Exception]:
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> str | Exception:
        import torch

        try:
            ids = self.tokenizer(text, return_tensors="pt").input_ids
            longest = getattr(self.model.config, "max_position_embeddings", None)
            if longest is not None and ids.shape[1] + 1 > longest:
                return ValueError(f"the text has {ids.shape[1]} tokens; the model reads {longest}")
            room = self.new_tokens if longest is None else min(self.new_tokens, longest - ids.shape[1])
            end = self.tokenizer.eos_token_id
            with torch.inference_mode():
                found = self.model.generate(
                    ids,
                    attention_mask=torch.ones_like(ids),
                    do_sample=False,
                    max_new_tokens=room,
                    pad_token_id=0 if end is None else end,
                )
            reply = str(self.tokenizer.decode(found[0, ids.shape[1] :], skip_special_tokens=True))
        except Exception as error:  # one text that fails is one reply, not the end of the others
            return error
        return reply if self.whole or not reply.strip() else reply.strip().split("\n")[0]


def _stay_offline() -> None:
    """Whatever the library would like to look up, it looks up on this machine."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
