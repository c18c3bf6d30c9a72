"""torch and transformers, imported only when a model is built; what they raise becomes one line."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from separation.files import InputError


def installed() -> bool:
    """Both torch and transformers can be imported; neither is, by asking."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in ("torch", "transformers"))
    except ValueError:  # a module that was put aside has no spec
        return False


def libraries() -> tuple[Any, Any]:
    """The modules torch and transformers."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(
            f"stock models need torch and transformers: {error}; pip install 'separation[stock]'"
        ) from None
    except Exception as error:  # installed, and fails to load
        reason = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        raise InputError(f"torch or transformers is installed but cannot be imported: {reason}") from None
    return torch, transformers


def taken(call: Callable[[], Any]) -> Any:
    """What transformers makes of a file from outside; whatever it raises becomes one line."""
    try:
        return call()
    except (InputError, MemoryError):
        raise
    except Exception as error:
        lines = (str(error).strip() or type(error).__name__).splitlines()
        text = " ".join(line.strip() for line in lines[:3])[:200]
        raise InputError(f"config: transformers does not take it: {text}") from None


@contextmanager
def quiet(transformers: Any) -> Iterator[None]:
    """Hints about faster kernels do not concern a model without weights; errors are raised, in one line."""
    before = transformers.logging.get_verbosity()
    transformers.logging.set_verbosity(transformers.logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        transformers.logging.set_verbosity(before)
