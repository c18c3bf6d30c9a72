"""The gallery: each program a function, with its sentence, its paper and the sizes at which it is proved.

`program_named` finds one of them, or one of the user's own, FILE.py:program, by what a person types.

The defaults of a function are so small that all inputs can be run; ``LARGE`` of its file has other sizes.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from separation.files import InputError

_FILES = {
    "automata": "parity modular_counter addition s3_words a5_words dyck dyck1 dyck_by_registers",
    "counting": "histogram majority majority_by_attention parity_by_counting s3_by_counting maximum argmax sorting "
    "two_sum",
    "recall": "previous_token copying selective_copying induction induction_once k_hop_induction recall mqar "
    "two_hop_recall state_based_recall",
    "computing": "composition boolean_formula counter_machine",
}
_FILE_OF = {name: file for file, names in _FILES.items() for name in names.split()}
NAMES = tuple(sorted(_FILE_OF))


def function(name: str) -> Callable[..., Any]:
    """The program of this name, for given sizes."""
    found: Callable[..., Any] = getattr(import_module(f"constructions.programs.{_FILE_OF[name]}"), name)
    return found


def sizes_of(name: str, large: bool = False) -> dict[str, int]:
    """The sizes of a program of the gallery: so small that all inputs can be run, or its large ones."""
    make = function(name)
    own = import_module(make.__module__).LARGE.get(name, {}) if large else {}
    return {**{p.name: p.default for p in inspect.signature(make).parameters.values()}, **own}


def sentence(name: str) -> str:
    """What the program says, in one sentence."""
    return inspect.cleandoc(str(function(name).__doc__)).split("\n\n")[0].replace("\n", " ")


def paper(name: str) -> str:
    """Who asked for it first, or showed that it can be done."""
    return inspect.cleandoc(str(function(name).__doc__)).split("\n\n")[-1].replace("\n", " ")


def gallery(name: str, large: bool = False, **sizes: Any) -> Any:
    """The program of this name at its small sizes, at its large ones, or at given ones."""
    return function(name)(**{**sizes_of(name, large), **sizes})


def is_program(text: str) -> bool:
    """Does this name a program of the gallery, or one in a file?"""
    return text.lower() in NAMES or text.rpartition(":")[0].endswith(".py")


def program_named(text: str, sizes: Mapping[str, int] | str = "") -> Any:
    """The `Program` of the gallery, at its small sizes or given ones ("n=4,V=2"), or FILE.py:program.

    The file's code is run: it is one that the user names. There ``program`` is a Program, or a function that returns
    one and that is given the sizes.
    """
    from separation.programs import Program

    given = named_integers(sizes) if isinstance(sizes, str) else dict(sizes)
    file, _, attribute = text.rpartition(":")
    make = _attribute(file, attribute) if file.endswith(".py") else function(text.lower())
    if not callable(make):
        if given:
            raise InputError(f"--sizes: {text} is a program and no function of sizes")
        found = make
    else:
        known = inspect.signature(make).parameters
        if not set(given) <= set(known):
            raise InputError(f"--sizes: {text.lower()} has the sizes {', '.join(known) or 'none'}")
        found = _run(text, partial(make, **given)) if file else make(**given)
    if not isinstance(found, Program):
        raise InputError(f"{text} is no program; a Program, or a function that returns one, is needed")
    return found


def named_integers(text: str) -> dict[str, int]:
    """The sizes in "pairs=4,keys=8"."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    found = {name.strip(): value.strip() for name, _, value in pairs}
    if not all(value.isascii() and value.isdigit() and len(value) <= 18 for value in found.values()):
        raise InputError(f"--sizes is {text[:60]!r}; integers like n=4 are needed, with commas between them")
    if len(found) < len(pairs):
        raise InputError(f"--sizes is {text[:60]!r}; each size is given once")
    return {name: int(value) for name, value in found.items()}


def _attribute(file: str, attribute: str) -> Any:
    """What a Python file calls ``attribute``; the file is run."""
    if not attribute:
        raise InputError(f"no name follows {file}:; FILE.py:program is needed")
    path = Path(file)
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InputError(f"there is no file {file}")
    found = module_from_spec(spec)
    _run(file, partial(spec.loader.exec_module, found))
    if not hasattr(found, attribute):
        raise InputError(f"{file} has no {attribute}")
    return getattr(found, attribute)


def _run(name: str, code: Callable[[], Any]) -> Any:
    """What the user's own code returns; whatever it raises is told in one line."""
    try:
        return code()
    except InputError:
        raise
    except (Exception, SystemExit) as error:
        line = str(error).splitlines()[0] if str(error) else "no reason given"
        raise InputError(f"{name} cannot be run: {type(error).__name__}: {line}") from None
