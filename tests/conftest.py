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


@pytest.fixture(scope="module")
def remembered_searches() -> Iterator[None]:
    """The search for integers answers the same question of a second test, or of a second verb, from memory."""
    from separation.bounds import ceilings, search

    def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
        def found(question: Any, *near: Any) -> Any:
            key = function, repr(question), repr(near)
            if key not in FOUND:
                FOUND[key] = function(question, *near)
            return FOUND[key]

        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "shortest", remembering(search.shortest))
        patch.setattr(ceilings, "with_most_slack", remembering(search.with_most_slack))
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
