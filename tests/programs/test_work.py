"""Work is counted where it is done: what would take minutes is declined, and nothing ends in a traceback; and no more
values of a variable are listed than allowed. The files are small files of the corpus, of many values, states and cases.
"""

from __future__ import annotations

import tracemalloc

import pytest
from corpus_cases import CORPUS

from separation.proving import kernel, kernel_forms, kernel_programs

MOST = 1 << 20  # bytes


def file(name: str) -> bytes:
    return (CORPUS / "construction" / f"program-{name}.json").read_bytes()


@pytest.mark.parametrize(("name", "most"), [("many-units", 1 << 20), ("state-without-keys", 1 << 19)])
def test_what_is_done_is_counted(name: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kernel.check_text(file(name)).ok
    monkeypatch.setattr(kernel, "MAX_WORK", most)
    with pytest.raises(kernel.Declined, match="more work"):
        kernel.check_text(file(name))


def test_a_form_of_too_many_terms_is_declined(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no verdict: an interpreter that ends with a traceback would say that the certificate is rejected."""
    monkeypatch.setattr(kernel_forms, "MAX_TERMS", 4)
    with pytest.raises(kernel.Declined, match="too many terms"):
        kernel.check_text(file("many-units"))


def test_what_a_certificate_takes_does_not_depend_on_those_before_it() -> None:
    taken = []
    for _ in range(2):
        kernel.check_text(file("many-units"))
        taken.append(kernel.Work.units)
    assert taken[0] == taken[1]


def bytes_taken(text: bytes) -> int:
    """At most at a time, by a check, whatever it says."""
    tracemalloc.start()
    try:
        kernel.check_text(text)
    except kernel.Declined:
        pass
    finally:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return most


@pytest.mark.parametrize("name", ["values-2-24", "map-to-2-24", "largest-of-2-24", "default-above-2-19"])
def test_a_variable_of_many_values_takes_no_room(name: str) -> None:
    assert bytes_taken(file(name)) < MOST


def test_a_kernel_without_the_limit_lists_them_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_programs, "MAX_CASES", 1 << 62)
    assert bytes_taken(file("default-above-2-19")) > 8 * MOST
