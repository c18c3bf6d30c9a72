"""Where a float run takes place: CUDA if there, else MPS, else the CPU."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec

from separation.files import InputError

DEVICES = ("auto", "cpu", "cuda", "mps")


def is_installed(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ValueError:  # its import is blocked
        return False


def torch_is_installed() -> bool:
    return is_installed("torch")


def require_torch() -> None:
    """Refuse a machine without torch, or with one that does not load; it is imported from here on."""
    if not torch_is_installed():
        raise InputError("float runs need torch: pip install 'separation[torch]'")
    require_loads("torch")


def require_loads(package: str) -> None:
    """Import a package that is installed: a library that the system lacks, or other versions, become one line."""
    try:
        import_module(package)
    except Exception as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise InputError(f"{package} is installed but cannot be imported: {reason}") from None


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
    require_torch()
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
