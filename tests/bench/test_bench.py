"""The benchmarks run, print what they promise, and refuse to time what is wrong. No time is ever compared."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from importlib.util import find_spec
from math import prod
from typing import Any

import pytest

from constructions.c1 import build
from separation.bench import general_path, processes, tracr_peer, workers
from separation.bench.__main__ import BENCHMARKS, main
from separation.bench.closed_form import sizes_near
from separation.bench.measuring import ProcessFailed, best_process, best_seconds, proved, rows_not_compared, written
from separation.proving import Construction, embedding, general, prover
from separation.tasks.funccomp import Sizes

TINY = Sizes(2, (2,))
OURS = [name for name in BENCHMARKS if name not in ("tracr_peer", "lesson_page", "workers")]


def broken_construction() -> Construction:
    """C1 whose first head has a shift below its scores."""
    good = build(TINY)
    first, *others = good.model.layers
    head = replace(first.heads[0], shift=Fraction(0))
    return replace(good, model=replace(good.model, layers=(replace(first, heads=(head,)), *others)))


def test_quick_benchmarks_print_one_json_document(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of every construction the first and the last: a process for each of them shows nothing more."""
    cases = processes._cases
    monkeypatch.setattr(processes, "_cases", lambda *lengths: cases(*lengths)[:: len(cases(*lengths)) - 1])
    _check_document(OURS, capsys)


@pytest.mark.slow
def test_all_of_every_construction_and_two_workers(capsys: pytest.CaptureFixture[str]) -> None:
    _check_document(["every_construction", "workers"], capsys)


def test_workers_are_compared_in_one_run_and_must_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(2) as two:
        report = workers.compared([TINY] * 2, one, two, 1)
        assert [row["what"] for row in report.rows] == ["this process", "one worker", "two workers"]
        assert report.rows[1]["times_one_worker"] == report.rows[1]["speed_up"] == 1
        assert "processors" in report.notes[0]
        monkeypatch.setattr(workers, "proved_piece", lambda _sizes: False)
        with pytest.raises(RuntimeError, match="this process: a piece is missing, or not proved"):
            workers.compared([TINY], one, two, 1)


def _check_document(names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*names, "--quick", "--json"]) == 0
    benchmarks = json.loads(capsys.readouterr().out)["benchmarks"]
    assert [benchmark["name"] for benchmark in benchmarks] == names
    for benchmark in benchmarks:
        assert benchmark["ratio"]
        ratios = [row[column] for row in benchmark["rows"] for column in row if "times" in column]
        assert len(ratios) >= 2, benchmark["name"]
        assert all(ratio > 0 for ratio in ratios)
        assert 1 in ratios, "the baseline is a row of its own"


def test_people_get_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["start_up", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "separation --help" in out
    assert "separation check c1.json" in out
    assert "times python" in out


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refusal:
        main(["closed_from"])
    assert refusal.value.code == 2
    assert "closed_from is no benchmark; there are closed_form" in capsys.readouterr().err


def test_a_proof_that_fails_is_not_timed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    proved(build(TINY))
    with pytest.raises(RuntimeError, match="C1 is not proved"):
        proved(broken_construction())
    monkeypatch.setattr(tracr_peer, "build", lambda _sizes: broken_construction())
    assert main(["tracr_peer", "--quick"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "tracr_peer: error: C1 is not proved" in captured.err


def test_rows_are_compared_again_afterwards() -> None:
    before = embedding.ROWS_CHECKED
    with rows_not_compared():
        assert embedding.ROWS_CHECKED == 0
    assert before == embedding.ROWS_CHECKED > 0
    with pytest.raises(KeyError), rows_not_compared():
        raise KeyError
    assert before == embedding.ROWS_CHECKED


@pytest.mark.parametrize("L", [1, 3, 8])
@pytest.mark.parametrize("tokens", [2**10, 2**17, 2**24])
def test_sizes_near_a_length(L: int, tokens: int) -> None:
    sizes = sizes_near(L, tokens)
    assert sizes.L == L
    assert all(size >= 2 and size & (size - 1) == 0 for size in (sizes.m, *sizes.n))
    assert tokens / 2 < sizes.length < 2 * tokens


def test_the_limit_counts_the_scores_that_are_enumerated(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the baseline multiplies is what the general path multiplies, product for product."""
    construction = build(Sizes(4, (3, 2)))
    seen: list[tuple[int, int, int, bool]] = []
    compare_all = general.compare_all

    def noting(query: Any, keys: Any, known: Any, fact: Any, progress: Any = None, weigh: bool = True) -> Any:
        target = next(kind for _, kind in keys if kind.name == fact.kind)
        variables = general.enumerated_variables(query, known, target, fact)
        assert variables is not None
        queries = prod(variable.size for variable in variables)
        seen.append((queries, query.height, sum(kind.count for _, kind in keys), weigh))
        return compare_all(query, keys, known, fact, progress, weigh)

    monkeypatch.setattr(general, "compare_all", noting)
    monkeypatch.setattr(prover, "compare_all", noting)
    proved(construction, "general")
    assert seen == general_path.enumerated_products(construction, proved(construction))


def test_a_process_that_fails_is_an_error() -> None:
    done = best_process(["-c", "print('fine')"])
    assert done.output == "fine\n"
    assert done.seconds > 0
    assert done.megabytes > 1
    with pytest.raises(ProcessFailed, match="it broke"):
        best_process(["-c", "raise SystemExit('it broke')"])


def test_actions_that_are_timed_take_turns() -> None:
    calls: list[str] = []
    times = best_seconds(lambda: calls.append("a"), lambda: calls.append("b"), repeats=3)
    assert len(times) == 2
    assert calls == ["a", "b"] * 3


def test_parameters_written_out_count_every_row() -> None:
    model = build(TINY).model
    layers = sum(
        matrix.shape[0] * matrix.shape[1]
        for layer in model.layers
        for part in (*layer.heads, *layer.mlps)
        for matrix in (getattr(part, name) for name in part.MATRICES)
    )
    rows = TINY.length + TINY.vocabulary + TINY.N[-1]
    assert tracr_peer.parameters_written_out(model) == layers + rows * model.width


def test_without_tracr_the_rest_goes_on(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracr_peer, "find_spec", lambda _name: None)
    assert main(["tracr_peer", "--quick"]) == 0
    out = capsys.readouterr().out
    assert "pip install -e '.[peer]'" in out
    assert "4,096" in out
    assert "key size" not in out


def test_a_program_stops_at_its_first_wrong_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = {"width": 80, "parameters": 900, "seconds": 3.0, "trials": 3, "random_right": 3}
    monkeypatch.setattr(tracr_peer, "compiled", lambda size, _tables: {**figures, "chain_trap_right": 3 * (size < 32)})
    program = tracr_peer.Program(1)
    ours = tracr_peer.our_row(16)
    first = program.try_size(16, ours)
    assert first is not None
    assert (first["width_times_C1"], first["chain_trap_right"]) == (4.0, "3/3")
    assert program.goes_on
    assert program.try_size(32, ours) is not None
    assert not program.goes_on
    assert program.outcome == "Tracr, 1 table: right on the chain trap up to N = 16, wrong at N = 32"


@pytest.mark.slow
@pytest.mark.skipif(find_spec("tracr") is None, reason="Tracr is not installed")
def test_tracr_is_right_at_small_sizes() -> None:
    found = tracr_peer.compiled(8, tables=tracr_peer.L)
    assert found["chain_trap_right"] == found["random_right"] == found["trials"]
    assert found["width"] == (2 * tracr_peer.L + 1) * 8 + 4


def test_tracr_beyond_the_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = tracr_peer.compiled
    monkeypatch.setattr(tracr_peer, "compiled", lambda size, tables: compiled(size, tables, limit=1e-3))
    program = tracr_peer.Program(1)
    assert program.try_size(16, tracr_peer.our_row(16)) is None
    assert "not done in 120 s" in program.outcome


def test_numbers_are_written_short() -> None:
    written_cells = [written(cell) for cell in (None, True, 12345, 2**40, 10**9 + 1, 0.012345, 1234.5, "text")]
    assert written_cells == ["–", "yes", "12,345", "2^40", "1e+09", "0.0123", "1,234", "text"]


def test_nothing_but_the_document_is_printed() -> None:
    """In a process of its own, with every warning on."""
    done = best_process(["-W", "always", "-m", "separation.bench", "start_up", "--quick", "--json"])
    assert [benchmark["name"] for benchmark in json.loads(done.output)["benchmarks"]] == ["start_up"]
