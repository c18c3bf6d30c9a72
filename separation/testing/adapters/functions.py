"""`module:function`, imported from the working folder or from what is installed."""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from typing import Any

from separation.files import InputError
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
