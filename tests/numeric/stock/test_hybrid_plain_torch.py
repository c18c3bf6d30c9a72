"""Linear layers run in plain torch where kernels for GPUs are installed and there is no GPU."""

from __future__ import annotations

import functools
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")

import torch
from hybrid_runs import TARGETS, asked, stock

from separation.numeric.stock_models import WRAPPED, plain_torch
from separation.tasks.funccomp import Sizes, samples

# A package of the name of flash-linear-attention that imports well and, like Triton without a GPU, fails when called.
KERNELS = """
def chunk_gated_delta_rule(q, k, v, **rest):
    raise RuntimeError("0 active drivers")
fused_recurrent_gated_delta_rule = chunk_gated_delta_rule
"""
SCRIPT = """
import importlib
import sys
import torch
import hybrid_runs
from separation.numeric.stock_models import plain_torch
from separation.tasks.funccomp import Sizes, samples
sizes = Sizes(4, (4,))
model = hybrid_runs.stock(sys.argv[1], sizes)
prompts, right = hybrid_runs.asked(list(samples(sizes, 0, 4)))
try:
    model(torch.tensor(prompts))
    print("kernel not called")
except RuntimeError as error:
    print(error)
with plain_torch(model):
    print((model(torch.tensor(prompts)).logits[:, -1].argmax(1).numpy() == right).all())
sys.modules["fla"] = None  # as in docs/stock_hybrid.md; there before the first import
module = importlib.reload(sys.modules[type(model).__module__])
one, zero = torch.ones(1, 3, 1, 1), torch.zeros(1, 3, 1)
print(module.torch_chunk_gated_delta_rule(one, one, one, g=zero, beta=zero + 1)[0].flatten().tolist())
"""


@pytest.mark.parametrize("family", list(TARGETS))
def test_a_kernel_that_fails_is_not_called(family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same without a package of that name: the stock function stands for the kernel, and wraps its plain form."""
    sizes = Sizes(4, ())
    model = stock(family, sizes)
    module = sys.modules[type(model).__module__]
    prompts, right = asked(list(samples(sizes, 0, 4)))

    @functools.wraps(module.torch_chunk_gated_delta_rule.__wrapped__)
    def failing(*_inputs: object, **_options: object) -> None:
        raise RuntimeError("0 active drivers")

    monkeypatch.setattr(module, "torch_chunk_gated_delta_rule", failing)
    with pytest.raises(RuntimeError, match="0 active drivers"):
        model(torch.tensor(prompts))
    with plain_torch(model):
        assert (model(torch.tensor(prompts)).logits[:, -1].argmax(dim=1).numpy() == right).all()


@pytest.mark.slow
def test_kernels_that_fail_are_not_called(tmp_path: Path) -> None:
    folder = tmp_path / "fla" / "ops" / "gated_delta_rule"
    folder.mkdir(parents=True)
    (tmp_path / "fla" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "fla" / "ops" / "__init__.py").write_text("", encoding="utf-8")
    (folder / "__init__.py").write_text(KERNELS, encoding="utf-8")
    here, project = Path(__file__).parent, Path(__file__).parents[3]
    path = f"import sys; sys.path[:0] = {[str(tmp_path), str(here), str(project)]!r}\n"
    done = subprocess.run(
        [sys.executable, "-c", path + SCRIPT, "olmo_hybrid"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.splitlines() == ["0 active drivers", "True", "[1.0, 1.0, 1.0]"], done.stderr[-2000:]


@pytest.mark.parametrize("family", list(TARGETS))
def test_stock_functions_come_back(family: str) -> None:
    model = stock(family, Sizes(2, ()))
    module = sys.modules[type(model).__module__]
    before = {name: getattr(module, name) for name in WRAPPED}
    with plain_torch(model):
        assert all(getattr(module, name) is before[name].__wrapped__ for name in WRAPPED)
    assert all(getattr(module, name) is before[name] for name in WRAPPED)
