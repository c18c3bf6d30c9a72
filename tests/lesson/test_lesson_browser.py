"""The page in a real browser: every control works, nothing is complained about, numbers are Python's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from page_in_chromium import Opened, chromium, reason_to_skip

from constructions import build
from separation.lesson import MAX_BYTES, lesson_page
from separation.models import run
from separation.tasks.funccomp import Instance, Sizes, hops, sample, token_ids
from separation.verbs.proofs import proofs

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(reason_to_skip() is not None, reason=str(reason_to_skip())),
    pytest.mark.xdist_group("browser"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lesson") / "lesson.html"
    path.write_text(lesson_page(), encoding="utf-8")
    return path


@pytest.fixture
def opened(browser: Any, file: Path) -> Iterator[Opened]:
    found = Opened(browser, file)
    yield found
    found.context.close()
    assert found.complaints == []
    assert found.requests == [file.as_uri()]


def put(opened: Opened, instance: Instance) -> None:
    """Type an input into the boxes of section 1, as a reader would."""
    opened.page.evaluate("for (const each of document.querySelectorAll('#task details')) each.open = true")
    opened.slide("task-L", instance.sizes.L)
    opened.slide("task-m", instance.sizes.m)
    for level, table in enumerate(instance.tables, start=1):
        opened.type(f"task-table-{level}", " ".join(map(str, table)))
        opened.page.evaluate("document.activeElement.blur()")
    opened.type("task-z0", str(instance.z0))
    if instance.w:
        opened.type("task-w", " ".join(map(str, instance.w)))
    opened.page.evaluate("document.activeElement.blur()")


def test_fifty_inputs_are_answered_as_python_answers_them(opened: Opened) -> None:
    models: dict[Sizes, Any] = {}
    for seed in range(50):
        sizes = Sizes(2 + seed % 3, (2,) * (seed // 3 % 3))
        instance = sample(sizes, seed)
        model = models.setdefault(sizes, build("C1", sizes).model)
        put(opened, instance)
        result = run(model, np.asarray(token_ids(instance)))
        assert opened.text("answer") == str(int(result.answers[0])) == str(hops(instance)[-1])
        for _ in range(sizes.L):
            opened.press("layer-back") if opened.named("layer-back").is_enabled() else None
        for layer, look in enumerate(result.looks):
            weights = [int(weight) for weight in opened.named("bars").get_attribute("data-weights").split()]
            assert sum(weights) == int(look.totals[0])
            assert weights.index(max(weights)) == int(look.positions[0])
            share = 1 - Fraction(int(look.weights[0]), int(look.totals[0]))
            assert abs(float(opened.text("leak").rstrip(" %")) - 100 * float(share)) < 0.006
            if layer < sizes.L:
                opened.press("layer-next")
        for hop in range(sizes.L):
            opened.press("task-next")
            assert f"= {hops(instance)[hop + 1]}" in opened.page.inner_text("#task-said")


def test_the_pointer_is_stepped_by_keys(opened: Opened) -> None:
    board = opened.page.locator("#task .board")
    board.focus()
    opened.page.keyboard.press("ArrowRight")
    assert "Table 1 is asked" in opened.page.inner_text("#task-said")
    opened.page.keyboard.press("ArrowLeft")
    assert "Start" in opened.page.inner_text("#task-said")
    opened.page.locator("#layers .board").first.focus()
    opened.page.keyboard.press("ArrowRight")
    assert "layer 2 of 3" in opened.page.inner_text("#layers .steps")


def test_what_cannot_be_meant_is_refused_in_words(opened: Opened) -> None:
    opened.page.evaluate("for (const each of document.querySelectorAll('#task details')) each.open = true")
    for text, said in (("1", "3 numbers are needed"), ("9 9 9", "numbers below 3"), ("a b c", "is no number")):
        opened.type("task-table-1", text)
        assert said in opened.page.inner_text("#task details")
    opened.type("word", "RXF")
    assert "character 2 is" in opened.page.inner_text("#hierarchy")
    opened.type("sparse-own-block", "1 2")
    assert "3 numbers from 1 to 10" in opened.page.inner_text("#twosum")


def test_a_changed_weight_breaks_the_proof_at_a_named_slot_and_a_wrong_input_appears(opened: Opened) -> None:
    assert "Proved, for all inputs" in opened.text("proof")
    opened.press("layer-next")
    cell = opened.page.locator("#layers .weights button.plus").first
    cell.click()
    opened.press("weight-sign")
    said = opened.text("proof")
    assert "The proof fails at layer 2, token w, slot “pointer”, bit 0" in said
    opened.until("document.querySelector('[data-name=\"wrong-input\"]').innerText.includes('right is')")
    wrong = opened.text("wrong-input")
    assert "A wrong input" in wrong
    opened.press("c1-reset")
    assert "Proved, for all inputs" in opened.text("proof")
    assert opened.text("wrong-input").strip() == ""


def test_what_breaks_in_the_page_is_broken_in_python(opened: Opened) -> None:
    """The same changed weight in Python's C1 gives the answer that the page shows."""
    instance = sample(Sizes(3, (2,)), 3)
    put(opened, instance)
    opened.press("layer-next")
    opened.page.locator("#layers .weights button.plus").first.click()
    opened.type("weight-value", "0")
    document = opened.page.evaluate(
        "document.querySelector('#layers .weights button.changed').getAttribute('aria-label')"
    )
    row, column = document.removeprefix("W_Q, to ").split(":")[0].split(" from ")
    from dataclasses import replace

    from separation.arithmetic import ExactMatrix

    model = build("C1", instance.sizes).model
    layer = model.layers[1]
    head = layer.heads[0]
    keys = [
        f"{name} {bit}"
        for name, width in model.stream.slots
        if name in ("tag", "digit", "index")
        for bit in range(width)
    ]
    slots = [f"{name} {bit}" for name, width in model.stream.slots for bit in range(width)]
    numerators = head.w_q.numerators.copy()
    assert numerators[keys.index(row), slots.index(column)] != 0
    numerators[keys.index(row), slots.index(column)] = 0
    changed = replace(layer, heads=(replace(head, w_q=ExactMatrix(numerators, head.w_q.denominator)),))
    broken = replace(model, layers=(model.layers[0], changed, *model.layers[2:]))
    result = run(broken, np.asarray(token_ids(instance)))
    assert opened.text("answer") == str(int(result.answers[0]))
    weights = [int(weight) for weight in opened.named("bars").get_attribute("data-weights").split()]
    assert sum(weights) == int(result.looks[1].totals[0])


def test_heat_breaks_an_invariant_and_then_the_answer(opened: Opened) -> None:
    opened.slide("temperature", 1)
    assert "The proof fails" in opened.text("proof")
    board = "the first invariant to fail is that of slot “pointer” after layer 1."
    assert board in opened.text("c1-answer")
    assert "fails at layer 1, token w, slot “pointer”" in opened.text("proof"), "one cause, one slot"
    assert "so much leaks into “found”" in opened.text("proof")
    assert opened.page.locator("#layers tr.broken").count() > 0
    opened.until("document.querySelector('[data-name=\"wrong-input\"]').innerText.includes('right is')")
    opened.slide("temperature", 12)
    assert "Proved" in opened.text("proof")


def test_certificates_are_checked_step_by_step(opened: Opened, tmp_path: Path) -> None:
    verdicts = []
    count = opened.page.locator('[data-name="check-example"] option').count()
    for number in range(count):
        opened.named("check-example").select_option(str(number))
        opened.press("check-run-example")
        opened.until("document.querySelector('[data-name=\"check-verdict\"] .verdict') !== null")
        verdicts.append(opened.page.inner_text('[data-name="check-verdict"] strong'))
        assert opened.page.locator('[data-name="check-log"] li').count() > 3
    from separation.proving import kernel
    from tools.lesson import CHOSEN, CORPUS

    says = [kernel.check_file(str(CORPUS / name)).ok for name in CHOSEN.values()]
    assert [verdict == "accepted" for verdict in verdicts] == says
    assert set(says) == {True, False}
    dropped = tmp_path / "mine.json"
    dropped.write_text((CORPUS / "bound" / "a-beta-over.json").read_text())
    opened.named("check-file").set_input_files(str(dropped))
    opened.until("document.querySelector('[data-name=\"check-verdict\"] .verdict')?.innerText.includes('rejected')")
    opened.page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.json"));
          const event = new DragEvent("drop", { dataTransfer: data, cancelable: true });
          document.querySelector(".drop").dispatchEvent(event);
        }""",
        (CORPUS / "decision" / "not-a2.json").read_text(),
    )
    opened.until("document.querySelector('[data-name=\"check-verdict\"] .verdict')?.innerText.includes('accepted')")
    opened.named("check-text").fill('{"half": ')
    opened.press("check-run-text")
    opened.until("document.querySelector('[data-name=\"check-verdict\"] .verdict')?.innerText.includes('malformed')")


def test_a_check_can_be_watched_one_step_at_a_time(browser: Any, file: Path) -> None:
    opened = Opened(browser, file, motion="no-preference")
    opened.press("check-run-example")
    opened.press("check-step")
    before = opened.page.locator('[data-name="check-log"] li').count()
    opened.press("check-step")
    assert opened.page.locator('[data-name="check-log"] li').count() == before + 1
    opened.press("check-play")
    opened.until("document.querySelectorAll('[data-name=\"check-log\"] li').length > 20")
    opened.until("document.querySelector('[data-name=\"check-verdict\"] .verdict') !== null")
    assert "accepted" in opened.text("check-verdict")
    opened.press("check-run-example")
    opened.press("check-step")
    opened.press("check-end")
    assert "accepted" in opened.text("check-verdict")
    assert opened.complaints == []
    opened.context.close()


def test_players_tell_the_bits_that_python_counted(opened: Opened) -> None:
    record = json.loads(
        opened.page.inner_text("#record") or opened.page.evaluate("document.getElementById('record').textContent")
    )
    for number, subject in enumerate(record["knowledge"]["subjects"]):
        opened.named("players-model").select_option(str(number))
        for _ in subject["word"]:
            opened.press("players-next")
        said = opened.text("players-total").replace("\u202f", "")
        assert f"{subject['soft_bits']} soft bits and {subject['linear_bits']} linear bits" in said
        assert "down to one answer" in opened.text("players-said")
    opened.named("players-input").select_option("2")
    opened.press("players-back")
    assert opened.page.locator("#players .player").count() == 4


def test_levels_end_in_a_pair_and_the_lab_finds_new_ones(opened: Opened) -> None:
    for _ in range(3):
        opened.press("levels-next")
    assert opened.page.locator("#fewer canvas").count() == 3
    assert "Two prompts, one transcript" in opened.text("levels-pair")
    opened.press("levels-back")
    for bits, g in ((3, 2), (6, 5), (7, 4)):
        opened.slide("lab-bits", bits)
        opened.slide("lab-g", g)
        pair = json.loads(opened.named("lab-pair").get_attribute("data-pair"))
        for table in pair["tables"]:
            state = 0
            for place, value in enumerate(table, start=1):
                state = (
                    pair["g"] * state + pair["a"] * place + pair["b"] * value + pair["c"] * place * value
                ) % 2**bits
            assert state == pair["state"]
        first, second = (table[pair["entry"]] for table in pair["tables"])
        assert first != second
    opened.press("lab-again")
    for name, value in (("bits", 8), ("g", 4), ("a", 0), ("b", 1), ("c", 0)):
        opened.slide(f"lab-{name}", value)
    assert "You did it" in opened.text("lab-out")


def test_words_and_presets_show_their_depths(opened: Opened) -> None:
    record = json.loads(opened.page.evaluate("document.getElementById('record').textContent"))
    for model in record["models"]:
        opened.page.locator(f'[data-preset="{model["name"]}"]').click()
        assert opened.text("depth") == str(model["depth"])
    for word, depth in (("FFF", 2), ("RFFF", 3), ("R9", 0), ("(RRF)4", 4)):
        opened.type("word", word)
        assert opened.text("depth") == str(depth)
        assert "impossible" in opened.text("word-out")
    assert opened.page.locator("#hierarchy svg[role=img]").count() == 2


def test_blocks_with_one_summary_are_found_until_the_summary_is_large_enough(opened: Opened) -> None:
    assert "10 of 10 values are ambiguous" in opened.text("sparse-ambiguous")
    opened.page.locator('[data-open="1"]').click()
    assert "block 1 is swapped" in opened.text("sparse-out")
    opened.named("sparse-map").select_option("set")
    opened.slide("sparse-bits", 8)
    assert "No value is ambiguous" in opened.text("sparse-out")
    opened.slide("sparse-bits", 4)
    assert "ambiguous" in opened.text("sparse-ambiguous")
    for name, value in (("modulus", 7), ("block", 2), ("blocks", 5), ("opened", 2)):
        opened.slide(f"sparse-{name}", value)
    opened.type("sparse-own-block", "2 5")
    assert "Its summary is" in opened.text("sparse-typed")
    assert "solved up to (kB)^λ = 16 numbers, impossible from ((k+1)B)^λ + 1 = 37 on" in opened.text("sparse-several")
    opened.slide("sparse-layers", 3)
    assert "3 layers: solved up to (kB)^λ = 64 numbers" in opened.text("sparse-several")
    opened.slide("sparse-opened", 0)
    assert "without an opened block nothing is built" in opened.text("sparse-several")


def test_the_tree_folds_and_a_twin_is_refused_with_the_checks_own_words(opened: Opened) -> None:
    opened.type("book-find", "D3.odd")
    opened.page.locator('details[data-id="D3.odd"] > summary').click()
    opened.page.locator('details[data-id="D3.odd"] .twin button').first.click()
    said = opened.page.locator(".refusal").first.inner_text()
    (row,) = proofs("D3.odd").rows
    assert said == f"✗ refused: {next(iter(row.checked.rejections.values()))}"
    opened.type("book-find", "")
    opened.named("book-status").select_option("proved in Coq")
    assert 0 < opened.page.locator("#tree .book > details").count() < 96


def test_programs_are_stepped_through_and_a_turned_weight_is_refused(opened: Opened) -> None:
    answers = []
    for _ in range(8):
        answers.append(opened.text("program-answer"))
        if opened.named("program-next").is_enabled():
            opened.press("program-next")
    assert answers == list("11011001")
    opened.press("program-back")
    opened.press("program-token-0")
    assert opened.text("program-answer") == "1"
    assert "accepted" in opened.text("program-proof")
    opened.named("program-pick").select_option("1")
    for _ in range(3):
        opened.press("program-next")
    assert "Behind a 0 stood token 2; the latest, token 2, says 1." in opened.text("program-said")
    opened.press("program-break")
    assert "became" in opened.text("program-proof")
    assert "rejected" in opened.text("program-proof")
    opened.press("program-mend")
    assert "accepted" in opened.text("program-proof")


def test_on_a_phone_what_the_clip_leaves_is_in_sight_and_matrices_say_that_they_scroll(
    browser: Any, file: Path
) -> None:
    opened = Opened(browser, file, 400)
    last = opened.page.locator('#layers tr[data-slot="found"] td').last.bounding_box()
    assert last is not None
    assert last["x"] + last["width"] <= 400
    assert opened.page.locator("#layers .weights").evaluate("node => node.parentElement.hasAttribute('data-more')")
    opened.page.set_viewport_size({"width": 1600, "height": 900})
    opened.until("!document.querySelector('#layers .slots').hasAttribute('data-more')")
    opened.context.close()


def test_ten_questions_explain_right_and_wrong_answers(opened: Opened) -> None:
    questions = opened.page.locator(".question")
    assert questions.count() == 10
    for number in range(10):
        question = questions.nth(number)
        buttons = question.locator("button")
        verdicts = set()
        for choice in range(buttons.count()):
            buttons.nth(choice).click()
            verdicts.add(question.locator("strong").inner_text().strip())
            assert len(question.locator(".why").inner_text()) > 60
        assert verdicts == {"Yes.", "Not quite."}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1600])
def test_it_fits_and_axe_finds_no_serious_fault(
    browser: Any, file: Path, width: int, scheme: str, tmp_path: Path
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    opened = Opened(browser, file, width, scheme)
    page = opened.page
    for _ in range(3):
        opened.press("levels-next")
    assert "less than one input: nothing, at this size" in opened.text("levels")
    assert "found by search" in opened.text("levels-honest")
    opened.press("players-next")
    opened.press("check-run-example")
    page.locator("#tree details > summary").nth(2).click()
    page.locator(".twin button").first.click()
    page.locator(".question button").first.click()
    opened.slide("temperature", 2)
    opened.until("document.querySelector('[data-name=\"wrong-input\"]').innerText.includes('right is')")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    picture = tmp_path / f"lesson-{width}-{scheme}.png"
    page.screenshot(path=str(picture), full_page=True)
    assert picture.stat().st_size > 100_000
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    results = axe.Axe().run(page).response
    faults = [
        (fault["id"], fault["nodes"][0]["html"][:200], fault["nodes"][0].get("failureSummary", "")[:200])
        for fault in results["violations"]
        if fault["impact"] in ("serious", "critical")
    ]
    assert faults == []
    assert results["passes"]
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") != scheme
    assert opened.complaints == []
    opened.context.close()


def test_axe_does_find_a_serious_fault(browser: Any, tmp_path: Path) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    broken = tmp_path / "broken.html"
    broken.write_text(lesson_page().replace('<html lang="en">', "<html>").replace("--soft: #55606d", "--soft: #d0d4d8"))
    opened = Opened(browser, broken)
    found = {fault["id"] for fault in axe.Axe().run(opened.page).response["violations"]}
    assert {"html-has-lang", "color-contrast"} <= found
    opened.context.close()


def test_every_control_can_be_reached_by_keyboard_and_has_a_name(opened: Opened) -> None:
    nameless = opened.page.evaluate(
        "() => [...document.querySelectorAll('button, input, select, textarea, a')].filter((node) => "
        "!(node.innerText || node.getAttribute('aria-label') || node.labels?.length || node.title))"
        ".map((node) => node.outerHTML)"
    )
    assert nameless == []
    reached = set()
    for _ in range(40):
        opened.page.keyboard.press("Tab")
        reached.add(opened.page.evaluate("document.activeElement.dataset.name ?? document.activeElement.tagName"))
    assert {"task-L", "task-m", "task-random", "task-next", "layer-next", "temperature"} <= reached


def test_the_page_is_small(file: Path) -> None:
    assert file.stat().st_size < MAX_BYTES


def test_the_other_buttons_do_what_they_say(opened: Opened) -> None:
    board = opened.page.locator("#task .tables")
    before = board.inner_text()
    for _ in range(3):  # an input may be drawn twice in a row, hardly three times
        opened.press("task-random")
    assert board.inner_text() != before
    opened.press("task-next")
    opened.press("task-back")
    assert "Start" in opened.page.inner_text("#task-said")
    opened.named("weight-matrix").select_option("W_2")
    cells = opened.page.locator("#layers .weights button")
    cells.first.focus()
    opened.page.keyboard.press("ArrowDown")
    assert opened.page.evaluate("document.activeElement.dataset.cell") == "1 0"
    opened.page.locator("#layers .weights button.plus").first.click()
    opened.press("weight-zero")
    assert "The proof fails" in opened.text("proof")
    opened.until("document.querySelector('[data-name=\"wrong-input\"]').innerText.includes('ight is')")
    if opened.named("wrong-to-board").count():
        opened.press("wrong-to-board")
        assert "the one on the board" in opened.text("wrong-input")
    opened.press("c1-reset")
    opened.type("word", "FFR")
    opened.press("word-show")
    assert opened.text("depth") == "1"
    opened.slide("lab-m", 3)
    assert "3·log₂ 3" in opened.text("lab-out")


def test_no_control_is_left_out(opened: Opened) -> None:
    """Every control of the page has a name that some test of this file uses, or is of a kind that one presses."""
    names = set(
        opened.page.evaluate(
            "() => [...document.querySelectorAll('button, input, select, textarea')].filter((node) => "
            "!node.closest('.weights, .question, .presets, .twin') && node.id !== 'theme')"
            ".map((node) => node.dataset.name ?? node.outerHTML)"
        )
    )
    known = Path(__file__).read_text(encoding="utf-8")
    prefixes = ("task-table-", "lab-", "sparse-", "program-token-")
    assert {name for name in names if f'"{name}"' not in known and not name.startswith(prefixes)} == set()
    assert len(names) > 40
