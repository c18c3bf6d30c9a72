"""Files as somebody might hand them over: good ones of the program itself, changed by bytes or by values."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from separation.verbs.command_line import run
from tools.fuzz.mutations import Mutations, places

READERS: dict[str, tuple[str, ...]] = {
    "certificate.json": ("check {}", "check {} --json", "check {} --replay"),
    "bound.json": ("check {}",),
    "model.json": ("prove --seconds 0 --model {}", "solve --model {} --json", "simulate --model {}"),
    "model.safetensors": ("prove --seconds 0 --model {}", "solve --model {}"),
    "instance.json": ("solve C1 --instance {} --json", "simulate C1 --instance {}"),
    "config.json": ("bound --config {} --json", "audit {} --json"),
}


def write_good_files(folder: Path) -> None:
    """One of each kind, from the program itself."""
    made = (
        "prove C1 --L 2 --m 2 --n 2 --out certificate.json --write-model model.json",
        "prove C1 --L 1 --m 2 --write-model model.safetensors",
        "bound --L 2 --beta 8 --lambda 0 --out bound.json",
    )
    for line in made:
        if run(line.split()):
            raise RuntimeError(f"cannot make the files to start from: {line}")
    instance = {"task": "funccomp", "m": 2, "n": [2], "z0": 1, "tables": [[1, 0], [3, 2, 1, 0]], "w": [1]}
    config = {"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64, "num_attention_heads": 4}
    config |= {"num_key_value_heads": 2, "head_dim": 16, "dtype": "bfloat16", "intermediate_size": 64, "vocab_size": 64}
    (folder / "instance.json").write_text(json.dumps(instance))
    (folder / "config.json").write_text(json.dumps(config))


class Files:
    """Changed files and the commands that read them, from a seed."""

    def __init__(self, folder: Path, rng: Random) -> None:
        self.folder, self.rng, self.mutations = folder, rng, Mutations(rng, [])
        self.good = {name: (folder / name).read_bytes() for name in READERS}

    def command(self) -> list[str]:
        """Writes a changed file under another name; the command that reads it."""
        name = self.rng.choice(list(READERS))
        data = self.good[name]
        for _ in range(self.rng.randint(1, 3)):
            data = self._changed(data) if self.rng.random() < 0.7 else self._broken(data)
        path = self.folder / f"changed-{name}"
        path.write_bytes(data)
        return self.rng.choice(READERS[name]).format(path.name).split()

    def _broken(self, data: bytes) -> bytes:
        """Bytes changed, left out or repeated."""
        start = self.rng.randrange(len(data) + 1)
        stop = min(len(data), start + self.rng.randint(0, 8))
        middle = self.rng.choice([b"", self.rng.randbytes(stop - start + 1), data[start:stop] * 3])
        return (
            data[: self.rng.choice([start, len(data) // 2])]
            if self.rng.random() < 0.1
            else (data[:start] + middle + data[stop:])
        )

    def _changed(self, data: bytes) -> bytes:
        """JSON with one change: a value, a member, or an odd one more."""
        try:
            document = json.loads(data)
        except ValueError:
            return self._broken(data)
        holders = [holder for holder, _ in places(document) if isinstance(holder, dict)]
        if holders and self.rng.random() < 0.1:
            self.rng.choice(holders)[self.rng.choice(["x", "\x1b[31m", "_attn_implementation"])] = 3
        else:
            self.mutations.change(document, ())
        return json.dumps(document).encode()
