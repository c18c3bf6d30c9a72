"""Where a float run takes place: CUDA if there, else MPS, else the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from separation.files import InputError
from separation.packages import require_packages

DEVICES = ("auto", "cpu", "cuda", "mps")


def available_devices() -> list[str]:
    """The devices of this machine, the one that `auto` takes first."""
    import torch

    devices = ["cuda"] if torch.cuda.is_available() else []
    if torch.backends.mps.is_available():
        devices.append("mps")
    return [*devices, "cpu"]


def chosen_device(name: str = "auto") -> str:
    """`auto`, or a device that this machine has."""
    if name not in DEVICES:
        raise InputError(f"device is {name[:20]!r}; known are {', '.join(DEVICES)}")
    require_packages("float runs need", "torch", "torch")
    available = available_devices()
    if name == "auto":
        return available[0]
    if name not in available:
        raise InputError(f"device {name} is not available here; there is {', '.join(available)}")
    return name


def has_float64(device: str) -> bool:
    """Apple's MPS has no float64."""
    return device != "mps"


@contextmanager
def plain_products(device: str) -> Iterator[None]:
    """Products with all bits of their type, sums in float32 or wider; one CPU thread: small ones would only wait."""
    import torch

    threads, products = torch.get_num_threads(), torch.backends.cuda.matmul
    switches = ("allow_tf32", "allow_fp16_reduced_precision_reduction", "allow_bf16_reduced_precision_reduction")
    before = {switch: getattr(products, switch) for switch in switches}
    for switch in switches:
        setattr(products, switch, False)
    if device == "cpu":
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
        for switch, value in before.items():
            setattr(products, switch, value)
