"""A failed proof is followed by an input that is answered wrongly, which `solve` answers wrongly again; or by none."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import broken_models as broken
import numpy as np
import pytest
from construction_changes import matrix_at, with_matrix, with_stored_tables
from test_c_twins import TWINS, flipped_last_thought

import separation
from constructions import build
from separation.proving import Construction, refute, save_construction
from separation.proving.construction import compare
from separation.proving.refutation import shrunk
from separation.tasks.funccomp import (
    Sizes,
    answer,
    from_document,
    hops,
    random_prompts,
    token_ids,
)
from separation.tasks.two_sum import TwoSumSizes
from separation.verbs.command_line import run


def twin(name: str) -> Construction:
    build_one, variants, change, *_ = TWINS[name]
    return change(build_one(*variants[0])[0])


BROKEN: dict[str, Callable[[], Construction]] = {
    "C1": lambda: broken.flipped_query_sign(broken.whole()),
    "C1, stored tables": lambda: with_stored_tables(broken.flipped_query_sign(broken.whole())),
    "C1, cold": lambda: build("C1", Sizes(64, ()), temperature=1),
    "C2, delta": lambda: twin("C2 delta, none kept"),
    "C3": lambda: twin("C3 features off by one"),
    "C4": lambda: twin("C4 dropped value"),
    "C5, F": lambda: twin("C5 dropped digit"),
    "C6": lambda: twin("C6 dropped key bit"),
    "C7": lambda: twin("C7 both heads of one offset"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_solve_repeats_the_wrong_answer(name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    model, instance = tmp_path / "model.json", tmp_path / "instance.json"
    save_construction(model, BROKEN[name]())
    assert run(["prove", "--model", str(model), "--json"]) == 1
    report = json.loads(capfd.readouterr().out)
    assert (report["verdict"], report["ok"], report["inputs_covered_log2"]) == ("refuted", False, None)
    assert report["tried"] == sum(stage["inputs"] for stage in report["search"]["stages"]) > 0
    instance.write_text(json.dumps(report["counterexample"]))
    assert run(["solve", "--model", str(model), "--instance", str(instance), "--json"]) == 1
    again = json.loads(capfd.readouterr().out)
    if name in ("C6", "C7"):
        assert again["outputs"] == report["answered"] != report["expected"] == again["expected_outputs"]
    else:
        assert again["answer"] == report["answered"] != report["expected"] == again["expected"]
        # The oracle by its definition, not by the code that the search compares with.
        assert report["expected"] == answer(from_document(report["counterexample"]))


def test_a_harmless_breakage_at_a_tiny_size_is_right_on_all_inputs() -> None:
    """A claim that is false and that nobody needs: not proved, but right on all 4,096 inputs."""
    subject = build("C1", Sizes(2, (2,)))
    path, row = (2, "mlps", 0, "b_2"), subject.model.stream["query"][0]
    harmless = with_matrix(subject, path, matrix_at(subject, path).with_entry(row, 0, 1))
    found = refute(harmless, 30)
    assert found.instance is None
    assert found.complete
    assert found.tried == harmless.sizes.count_inputs() == 4096  # type: ignore[union-attr]
    assert found.words == "not proved, but right on all 4,096 inputs"


def test_a_single_wrong_input_of_a_tiny_size_is_found() -> None:
    """One row of the unembedding is another's: whoever must answer 1 is wrong."""
    subject = with_stored_tables(build("C1", Sizes(3, ())))
    rows = matrix_at(subject, ("unembedding",)).rows([0, 0, 2])
    found = refute(with_matrix(subject, ("unembedding",), rows), 10)
    assert list(found.stages) == ["all"]
    assert (found.answered, found.expected) == ((0,), (1,))


def test_what_the_run_refuses_is_counted_and_is_no_wrong_answer() -> None:
    subject = build("C1", Sizes(4, (4, 4)))
    path = (2, "heads", 0, "w_q")
    large = with_matrix(subject, path, matrix_at(subject, path).scaled(4))
    found = refute(large, 0.3)
    assert found.instance is None
    assert found.tried == 0
    assert found.refused > 0
    assert "refuses all" in found.words
    assert "layer 3" in found.message


def test_final_answers_of_a_chain_of_thought_count_and_others_do_not() -> None:
    """A chain whose last token alone is broken is wrong; the generated tokens before the last are not compared."""
    sizes = Sizes(2, (2, 2))
    subject = build("C5", sizes, word="RF")
    prompts = random_prompts(sizes, np.random.default_rng(0), 16)
    assert not compare(subject, prompts).wrong.any()
    assert compare(flipped_last_thought(subject), prompts).wrong.any()


def test_what_is_shrunk_is_still_wrong_and_plainer() -> None:
    subject = broken.flipped_query_sign(broken.whole())
    prompts = random_prompts(broken.SIZES, np.random.default_rng(1), 32)
    prompt = prompts[np.flatnonzero(compare(subject, prompts).wrong)[0]]
    small = shrunk(subject, prompt, 30)
    assert compare(subject, small[None]).wrong[0]
    changed = int((small != subject.task.plainest_prompt()).sum())
    assert changed <= 8 < int((prompt != subject.task.plainest_prompt()).sum())
    # No single token more can be made plain.
    for place in np.flatnonzero(small != subject.task.plainest_prompt()).tolist():
        other = small.copy()
        other[place] = subject.task.plainest_prompt()[place]
        assert not compare(subject, other[None]).wrong[0]


def test_a_rare_corner_is_found_by_aiming() -> None:
    """One row of table 3's positions of 64 is wrong: a random input asks it once in 64 times."""
    subject = with_stored_tables(broken.whole())
    positions = matrix_at(subject, ("positions",))
    index = subject.model.stream["index"][0]
    changed = with_matrix(subject, ("positions",), positions.with_entry(37, index, -positions.entry(37, index)))
    proof = separation.proving.prove(changed)
    found = refute(changed, 3, proof.failures)
    assert found.instance is not None
    assert hops(found.instance)[-1] == found.expected[0] != found.answered[0]  # type: ignore[arg-type]
    assert compare(changed, np.asarray(token_ids(found.instance))[None]).wrong[0]  # type: ignore[arg-type]


def test_what_no_search_can_settle_is_said() -> None:
    """Right models, prompts that are too long, and no time: nothing is refuted, and it is said why."""
    for subject in (build("C5", Sizes(3, (2,)), word="FR"), build("C7", TwoSumSizes(7, 11), block=2)):
        assert refute(subject, 0.2).instance is None
    found = refute(build("C1", Sizes(4, (4, 4))), 2)  # of a clock: enough for the third stage on a busy machine
    assert (found.instance, found.complete) == (None, False)
    assert list(found.stages) == ["families", "aimed", "random"]
    for subject in (build("C1", Sizes(1 << 20, (1 << 20,))), build("C6", TwoSumSizes(1 << 16, 2**64 + 1))):
        found = refute(subject, 1)
        assert (found.tried, found.refused, found.instance) == (0, 0, None)
        assert "no input was run" in found.words
    found = refute(broken.flipped_query_sign(broken.whole()), 1e-9)
    assert found.words == "not proved; no input was run: 1e-09 s were over before the first"
    report = separation.prove("C1", L=3, bits=2, seconds=0)
    assert report.refutation is not None
    assert report.refutation.words == "not proved; no input was run: no time was given"
    document = report.document()
    assert (report.verdict, report.refutation.tried, document["counterexample"]) == ("not proved", 0, None)
    message = r"^seconds must be a number that is finite and at least 0, got "
    for seconds in (float("nan"), float("inf"), -1.0, "3", None):  # nothing is above nan: a search would not end
        with pytest.raises(separation.InputError, match=message):
            separation.prove("C1", L=1, m=2, seconds=seconds)  # type: ignore[arg-type]
