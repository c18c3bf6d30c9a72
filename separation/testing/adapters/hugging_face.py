"""A Hugging Face folder as a solver, without the network and without code from the folder.

`from_pretrained` with local_files_only, safetensors only, and no remote code. A folder that `separation export` wrote
says which task and sizes it is for, and reads token ids; any other causal language model reads text by its own
tokenizer and generates greedily.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from separation.files import InputError, read_json
from separation.numeric.stock_folder import MANIFEST
from separation.tasks import TaskSizes, task_from_document
from separation.testing.adapters.torch_modules import TorchSolver

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
    try:
        import torch  # noqa: F401
        import transformers
    except ImportError as error:
        raise InputError(f"a Hugging Face folder needs torch and transformers: {error}") from None
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
    """Texts in, what the model writes behind each of them out: greedy, at most MOST_NEW_TOKENS tokens."""

    def __init__(self, path: str | Path, new_tokens: int = MOST_NEW_TOKENS) -> None:
        self.model = load_model(path)
        import transformers

        try:
            self.tokenizer = transformers.AutoTokenizer.from_pretrained(
                str(path), local_files_only=True, trust_remote_code=False
            )
        except Exception as error:
            raise InputError(f"cannot load the tokenizer of {path}: {type(error).__name__}: {error}") from None
        self.new_tokens = new_tokens

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
        return reply.strip().split("\n")[0] if reply.strip() else reply


def _stay_offline() -> None:
    """Whatever the library would like to look up, it looks up on this machine."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["TRANSFORMERS_OFFLINE"] = "1"
