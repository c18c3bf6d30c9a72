"""A checkpoint as a folder that stock classes load: all of it or nothing, JSON and safetensors only."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from separation.files import InputError, json_text, one_line, permissions, read_json, write_whole
from separation.tasks.catalogue import task_to_document
from separation.tasks.funccomp import Instance, Sizes
from separation.version import VERSION

MANIFEST = "separation.json"
"""What the folder holds and how it is known; its presence marks a folder that an export may replace."""
SCHEMA = "separation-export-1"
WEIGHTS = "model.safetensors"
ANSWERS = "known_answers.json"
WRITTEN = {"config.json", WEIGHTS, "tokenizer.json", "tokenizer_config.json", MANIFEST, ANSWERS}
STOPS = ("SIGTERM", "SIGHUP")
"""Signals that end a process without a word; not every system has both."""


@dataclass(frozen=True)
class Checkpoint:
    """The fields of config.json and the tensors, by the names of the stock class's state dictionary.

    where token ids are those of the task, and the answer is the argmax of the logits: of FuncComp, with ids as in
    `separation.tasks.funccomp.token_ids`, of the last; of a program of those tokens that are asked.
    """

    construction: str
    sizes: Any
    config: dict[str, Any]
    tensors: dict[str, NDArray[np.floating[Any]]]
    words: tuple[str, ...] | None = None
    """The word of each id; None: as for FuncComp."""

    @property
    def parameters(self) -> int:
        return sum(int(tensor.size) for tensor in self.tensors.values())


def require_replaceable(path: Path) -> None:
    """Refuse, before any work is done, a folder that could not be written or that is not an earlier export."""
    parent = path.absolute().parent
    with one_line(path):
        if not parent.is_dir() or not os.access(parent, os.W_OK):
            raise InputError(f"cannot write {path}: {parent} is not a folder that can be written")
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            raise InputError(f"cannot write {path}: it is not a folder")
        if path.is_dir() and any(path.iterdir()) and not _is_export(path):
            raise InputError(f"cannot write {path}: the folder is not empty and is not an earlier export")


@contextmanager
def staged(path: Path) -> Iterator[Path]:
    """A folder next to ``path`` to write and to check in; removed afterwards unless it was published."""
    require_replaceable(path)
    with _stops_unwind():
        with one_line(path):
            folder = Path(tempfile.mkdtemp(dir=path.absolute().parent, prefix=f".{path.name}."))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def publish(folder: Path, path: Path) -> None:
    """Rename a finished folder to ``path``; an earlier export there is moved aside first, and then removed."""
    require_replaceable(path)
    old = folder.with_name(folder.name + ".old")
    with one_line(path):
        try:
            folder.chmod(permissions(0o777))
            if path.is_dir():
                path.rename(old)
            folder.rename(path)
        except BaseException:  # also when it is stopped between the two
            if old.is_dir() and not path.exists():
                old.rename(path)
            raise
    shutil.rmtree(old, ignore_errors=True)


def write_checkpoint(folder: Path, checkpoint: Checkpoint, dtype: str, manifest: dict[str, Any]) -> None:
    """config.json, model.safetensors, the tokenizer, and the manifest."""
    import torch
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    tensors = {name: torch.tensor(tensor).to(getattr(torch, dtype)) for name, tensor in checkpoint.tensors.items()}
    with one_line(folder / WEIGHTS):
        try:
            save_file(tensors, folder / WEIGHTS, metadata={"format": "pt"})
        except SafetensorError as error:  # its own name for a disk that is full
            raise OSError(str(error)) from None
        (folder / WEIGHTS).chmod(permissions(0o666))
    known = {"schema": SCHEMA, "version": VERSION, "construction": checkpoint.construction}
    documents = {
        "config.json": {**checkpoint.config, "dtype": dtype},
        MANIFEST: {**known, "task": task_to_document(checkpoint.sizes), **manifest},
    }
    texts = {name: json_text(document, readable=True, indent=2) for name, document in documents.items()}
    for name, text in {**texts, **tokenizer_files(checkpoint.sizes, checkpoint.words)}.items():
        write_whole(folder / name, text + "\n")


def instance_text(instance: Instance) -> str:
    """`z2: 3 0 1 2; z1: 1 0; z0: 1; w: 1`: the tables in prompt order, z_0, and the digits w_1,…,w_{L-1}."""
    numbered = [(level, " ".join(map(str, table))) for level, table in enumerate(instance.tables, start=1)]
    parts = [f"z{level}: {entries}" for level, entries in reversed(numbered)]
    return "; ".join([*parts, f"z0: {instance.z0}", f"w: {','.join(map(str, instance.w))}".rstrip()])


def words(sizes: Sizes) -> list[str]:
    """The word of each token id: a value is its number, a query is `w:` and its digits."""
    queries = (f"w:{','.join(map(str, digits))}" for digits in product(*map(range, sizes.n)))
    return [*map(str, range(sizes.N[-1])), *queries]


def tokenizer_files(sizes: Any, own: tuple[str, ...] | None = None) -> dict[str, str]:
    """tokenizer.json and tokenizer_config.json, as the stock fast tokenizer reads them.

    The words of a program are its ``own``, `kind:values`. In FuncComp the names of tables and semicolons are dropped
    and `w: 1, 0` becomes one word. A word outside the vocabulary is an error: there is no token for what is unknown.
    There are no token types, which GPT-2 would add to the embedding.
    """
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

    known = words(sizes) if own is None else own
    tokenizer: Any = Tokenizer(models.WordLevel({word: number for number, word in enumerate(known)}))
    steps = [(r"z\d+:|;", " "), (r"w:\s*", "w:")] if own is None else []
    steps.append((r"\s*,\s*", ","))
    tokenizer.normalizer = normalizers.Sequence([normalizers.Replace(Regex(old), new) for old, new in steps])
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": sizes.length,
        "model_input_names": ["input_ids", "attention_mask"],
        "clean_up_tokenization_spaces": False,
    }
    return {"tokenizer.json": tokenizer.to_str(), "tokenizer_config.json": json_text(config, indent=2)}


def _is_export(path: Path) -> bool:
    """It has the manifest, and nothing that an export does not write."""
    try:
        document = read_json(path / MANIFEST)
    except InputError:
        return False
    known = isinstance(document, dict) and document.get("schema") == SCHEMA
    return known and {entry.name for entry in path.iterdir()} <= WRITTEN


@contextmanager
def _stops_unwind() -> Iterator[None]:
    """Inside, a signal that would end the process at once ends it by an exception, so that folders are removed."""
    if threading.current_thread() is not threading.main_thread():  # only the main thread may ask for signals
        yield
        return
    known = [number for name in STOPS if (number := getattr(signal, name, None))]
    heeded = [number for number in known if signal.getsignal(number) != signal.SIG_IGN]  # `nohup` ignores one
    before = {number: signal.signal(number, _stop) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, _frame: Any) -> NoReturn:
    sys.exit(128 + number)
