"""Helper modules of one folder of tests can be imported from all others: their names are unique."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

TESTS = Path(__file__).parent
os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch: tests run in as many processes as there are processors

sys.path.extend(sorted({str(path.parent) for path in TESTS.rglob("*.py")} - set(sys.path)))

settings.register_profile("house", deadline=None, derandomize=True)  # a busy machine is no failure; no run is luck
settings.load_profile("house")

FOUND: dict[Any, Any] = {}


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    def found(problem: Any, near: Any = None) -> Any:
        starts = [(each.inside.z.tobytes(), *each.fixed.items()) for each in near] if isinstance(near, list) else []
        key = function, problem, near.tobytes() if hasattr(near, "tobytes") else None, tuple(starts)
        if key not in FOUND:
            FOUND[key] = function(problem, near)
        return FOUND[key]

    return found


@pytest.fixture(scope="module")
def remembered_searches() -> Iterator[None]:
    """The search for integers answers the same question of a second test, or of a second verb, from memory."""
    from separation.bounds import accuracy, ceilings, search

    with pytest.MonkeyPatch.context() as patch:
        for name in ("real_starts", "shortest"):
            once = remembering(getattr(search, name))
            for module in (search, ceilings, accuracy):
                patch.setattr(module, name, once)
        yield


LONGEST = (
    *("test_statements", "test_certificates_schemas", "test_all_constructions", "test_cli_audit", "test_one_answer"),
    *("test_twins", "test_float_bounds", "test_certificates_mutations", "test_programs", "test_no_contradictions"),
    *(
        "test_corpus_truth",
        "test_docs",
        "test_corpus",
        "test_certificates_edges",
        "test_cli_ends",
        "test_program_words",
    ),
)
"""Files that compute for 10 s and more: begun first, so that no worker is left alone with one at the end."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: LONGEST.index(item.path.stem) if item.path.stem in LONGEST else len(LONGEST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """A file is one worker's, as its tests share what they compute; unless a `--dist` is given."""
    if config.getvalue("dist") != "load":
        return None
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # the order of collection, not the number of tests
    return LoadFileScheduling(config, log)
