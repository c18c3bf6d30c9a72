"""A stranger's config.json: nothing is downloaded or run on its behalf, and odd numbers are one line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from separation.architectures.resolved import resolved_config
from separation.files import InputError
from separation.protocol.stock import run_stock
from separation.verbs.command_line import run

pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")

FOLDER = Path(__file__).parent / "stock_configs"

# Each of these was a traceback: the model is built, and fails when it runs.
ODD: tuple[tuple[str, dict[str, Any]], ...] = (
    ("kimi_linear", {"num_experts_per_token": 7}),
    ("kimi_linear", {"kv_lora_rank": 0}),
    ("kimi_linear", {"qk_rope_head_dim": 3}),
    ("kimi_linear", {"num_key_value_heads": 3}),
    ("jamba", {"num_experts_per_tok": 7, "num_experts": 2}),
    ("jamba", {"mamba_d_conv": 0}),
    ("jamba", {"num_key_value_heads": 3}),
    ("jamba", {"pad_token_id": -7}),
)


def test_odd_numbers_are_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "config.json"
    for name, changes in ODD:
        path.write_text(json.dumps({**json.loads((FOLDER / f"{name}.json").read_text()), **changes}))
        code = run(["simulate", "--config", str(path), "--json"])
        captured = capfd.readouterr()
        assert code in (0, 1, 2)
        assert "Traceback" not in captured.err
        if code == 2:
            assert captured.out == ""
            assert captured.err.startswith("separation: error: config: ")
            assert captured.err.count("\n") == 1


def test_a_model_that_fails_while_it_runs_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the class raises in its forward pass."""
    found = transformers.LlamaForCausalLM

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the size of tensor a (3) must match the size of tensor b (4)\nat non-singleton dimension 1")

    monkeypatch.setattr(found, "forward", fails)
    with pytest.raises(InputError, match=r"^config: transformers does not take it: the size of tensor a"):
        run_stock(json.loads((FOLDER / "llama.json").read_text()), 0)


FAKE = """
# Notes every call that would fetch or load code; what only decorates a class does nothing.
import os
from unittest.mock import MagicMock

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name.startswith("use_kernel"):
        return lambda *_, **__: lambda part: part
    if not any(word in name for word in ("get_", "load", "install", "kernelize", "download", "has_kernel")):
        return MagicMock()
    def called(*arguments, **named):
        with open(os.environ["CALLED"], "a") as file:
            print(name, arguments, named, file=file)
        raise RuntimeError("nothing is fetched here")
    return called
"""
PROGRAM = """
import json, sys
from separation.verbs.command_line import run
codes = [run(["simulate", "--config", path]) for path in sys.argv[1:]]
codes += [run(["bound", "--config", path]) for path in sys.argv[1:2]]
print(json.dumps(codes))
"""
UNGUARDED = """
import json, sys, transformers
fields = json.load(open(sys.argv[1]))
try:
    config = transformers.CONFIG_MAPPING[fields.pop("model_type")](**fields)
    transformers.AutoModelForCausalLM.from_config(config, attn_implementation=fields["_attn_implementation"])
except Exception as error:
    print(type(error).__name__, error, file=sys.stderr)
"""
HUB = "kernels-community/flash-attn@a-revision-of-the-file"
LOADING: tuple[dict[str, Any], ...] = (
    {"_attn_implementation": HUB},
    {
        "attn_implementation": HUB,
        "_experts_implementation": HUB,
        "experts_implementation": HUB,
        "use_kernels": True,
        "kernel_config": {"RMSNorm": HUB},
        "_attn_implementation_internal": HUB,
        "auto_map": {"AutoModelForCausalLM": "somebody/repo--modeling.Model"},
        "trust_remote_code": True,
        "hub_kernel": HUB,
        "repo_id": "somebody/repo",
        "revision": "main",
        "force_download": True,
        "token": "x",
    },
)


def _with_fake_kernels(tmp_path: Path, program: str, *arguments: str) -> tuple[subprocess.CompletedProcess[str], str]:
    """(what the program did, the calls of the fake) with the hub switched off and a package `kernels` of our own."""
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "__init__.py").write_text(FAKE)
    information = tmp_path / "kernels-0.18.2.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: kernels\nVersion: 0.18.2\n")
    called = tmp_path / "called.txt"
    offline = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HOME": str(tmp_path / "hub")}
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, **offline, "PYTHONPATH": paths, "CALLED": str(called), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return done, called.read_text() if called.exists() else ""


def _configs(tmp_path: Path) -> list[str]:
    fields = json.loads((FOLDER / "llama.json").read_text())
    paths = []
    for number, more in enumerate(LOADING):
        path = tmp_path / f"config{number}.json"
        path.write_text(json.dumps({**fields, **more}))
        paths.append(str(path))
    return paths


def test_nothing_is_fetched_on_behalf_of_a_file(tmp_path: Path) -> None:
    done, called = _with_fake_kernels(tmp_path, PROGRAM, *_configs(tmp_path))
    assert called == ""
    # The fields are left out, and the model is that of the rest.
    assert set(json.loads(done.stdout.splitlines()[-1])) == {0}, done.stderr
    assert not (tmp_path / "hub").exists()


@pytest.mark.slow
def test_the_fake_is_called_where_nobody_looks_at_the_fields(tmp_path: Path) -> None:
    """The twin: the same file straight into transformers."""
    done, called = _with_fake_kernels(tmp_path, UNGUARDED, *_configs(tmp_path)[:1])
    assert "a-revision-of-the-file" in called, done.stderr


def test_fields_that_nobody_reads_do_not_reach_the_class() -> None:
    fields = json.loads((FOLDER / "llama.json").read_text())
    config = resolved_config(transformers, {**fields, "hub_kernel": HUB, "revision": "main", "rope_theta": 5000.0})
    assert not hasattr(config, "hub_kernel")
    assert not hasattr(config, "revision")
    assert config.rope_parameters["rope_theta"] == 5000.0
