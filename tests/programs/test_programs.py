"""The language, its errors, the gallery at small sizes on all inputs, and the page that tells of it."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import attack
import numpy as np
import pytest

from constructions.programs import NAMES, function, gallery
from separation.files import InputError
from separation.programs import Program, where
from separation.proving.kernel import check_certificate
from separation.proving.kernel_tasks import Program as KernelProgram
from separation.tasks.program import answers
from separation.tasks.program.document import definitions_from_document
from separation.tasks.program.oracle import random_input, raw_inputs
from separation.verbs.programs import programs

PAGE = Path(__file__).parents[2] / "docs" / "programs.md"


@pytest.mark.parametrize("name", NAMES)
def test_a_program_of_the_gallery_is_proved_and_right_on_all_inputs(name: str) -> None:
    compiled = gallery(name, **({"n": 1} if name == "composition" else {})).compile()  # 4,096 inputs with n = 2
    proof = compiled.prove()
    assert proof.ok, proof.failure
    assert proof.certificate is not None
    program = compiled.program.at_length(2) if compiled.program.is_endless else compiled.program
    assert raw_inputs(program) <= attack.MOST_INPUTS, "too many to run them all"
    assert attack.wrong_input(proof.certificate) is None


@pytest.mark.parametrize("name", NAMES)
def test_two_oracles_agree_and_a_document_comes_back(name: str) -> None:
    """The kernel's oracle shares no code with the task's."""
    program = gallery(name).definitions.at_length(3)
    assert definitions_from_document(program.document()).document() == program.document()
    kernel = KernelProgram(program.document())
    for seed in range(5):
        ids = random_input(program, np.random.default_rng(seed))
        assert [answer for _, answer in kernel.answers(ids)] == answers(program, ids)


def test_every_function_of_the_gallery_is_named() -> None:
    files = {function(name).__module__ for name in NAMES}
    made = {each for file in files for each, _ in inspect.getmembers(import_module(file), inspect.isfunction)}
    assert {each for each in made if each[0] != "_" and each != "where"} == set(NAMES)


def text(n: int = 4) -> tuple[Program, object]:
    p = Program("mine")
    p.start()
    return p, p.tokens("text", n, letter=3, mark=2)


def misspelt() -> None:
    _, tokens = text()
    tokens.leter  # type: ignore[attr-defined]  # noqa: B018


def not_unique() -> None:
    _, tokens = text()
    tokens.find(where(tokens.mark == tokens.mark), read=tokens.letter)  # type: ignore[attr-defined]


def read_what_is_asked() -> None:
    _, tokens = text()
    tokens.find(where(tokens.letter == tokens.letter), read=tokens.letter)  # type: ignore[attr-defined]


def a_word_of_the_language() -> None:
    Program("mine").tokens("text", 4, count=3)


def no_names_left() -> None:
    Program("mine").tokens("pair", 9, key=8, distinct="key")


def never() -> None:
    p, tokens = text()
    p.promise(lambda _: False, tokens.letter)  # type: ignore[attr-defined]
    p.answer(tokens.letter)  # type: ignore[attr-defined]
    proof = p.prove()
    assert not proof.ok
    raise InputError(proof.reason)


def out_of_range() -> None:
    p, tokens = text()
    p.map(lambda x: x + 5, tokens.letter, size=3)  # type: ignore[attr-defined]


def two_kinds() -> None:
    p, tokens = text()
    end = p.tokens("end", 1, asked=3)
    p.map(lambda a, b: a + b, tokens.letter, end.asked)  # type: ignore[attr-defined]


def without_start() -> None:
    p = Program("mine")
    tokens = p.tokens("text", 4, letter=3)
    p.answer(tokens.exists(where(tokens.letter == 1), at=tokens))
    p.compile()


def count_without_end() -> None:
    p = Program("mine")
    tokens = p.tokens("text", any, letter=3)
    tokens.count(where(tokens.letter == 1), at=tokens)


def too_far_back() -> None:
    _, tokens = text(2)
    tokens.previous(tokens.letter, default=0, offset=2)  # type: ignore[attr-defined]


def joined_by_and() -> None:
    _, tokens = text()
    tokens.exists(where(tokens.letter == 1 and tokens.letter == 2))  # type: ignore[attr-defined]


def at_most() -> None:
    _, tokens = text()
    tokens.exists(where(tokens.letter <= tokens.letter))  # type: ignore[attr-defined]


def never_so_large() -> None:
    _, tokens = text()
    tokens.exists(where(tokens.letter == 7))  # type: ignore[attr-defined]


def of_another_program() -> None:
    p, _ = text()
    p.map(lambda x: x, text()[1].letter)  # type: ignore[attr-defined]


def looked_at_too_soon() -> None:
    p, tokens = text()
    p.tokens("end", 1).exists(at=tokens)


def a_rule_that_fails() -> None:
    p, tokens = text()
    p.map(lambda x: 1 // x, tokens.letter, name="inverse")  # type: ignore[attr-defined]


def without_bound() -> None:
    p, tokens = text()
    p.scan(lambda so_far, _: so_far + 1, tokens.letter, name="steps")  # type: ignore[attr-defined]


def another_group() -> None:
    p, tokens = text()
    p.product([(0, 1), (1, 0)], tokens.letter)  # type: ignore[attr-defined]


def a_state_without_a_letter() -> None:
    p, tokens = text()
    p.automaton([[0, 1], [1, 0]], tokens.letter)  # type: ignore[attr-defined]


def a_default_below_zero() -> None:
    _, tokens = text()
    tokens.previous(tokens.letter, default=-1)  # type: ignore[attr-defined]


def no_such_token() -> None:
    p, tokens = text()
    p.answer(tokens.find(where(tokens.position == tokens.position), read=tokens.letter))  # type: ignore[attr-defined]
    p.compile().run([0, 1, 9])


def a_long_name() -> None:
    p, tokens = text()
    p.map(lambda x: x, tokens.letter, name="v" * 33)  # type: ignore[attr-defined]


REFUSED: dict[Callable[[], None], str] = {
    misspelt: 'text has no variable "leter"; did you mean letter?',
    read_what_is_asked: "letter_found would be letter itself",
    not_unique: "several tokens of text may match, so letter is not unique",
    a_word_of_the_language: "a variable of text cannot be called count",
    no_names_left: "no input: 9 tokens of pair have distinct names out of 8",
    never: "no input of mine was found that keeps its promises",
    out_of_range: "value(0,) is 5, and not one of 0..2",
    two_kinds: "these are of text and end; find them first",
    without_start: "put p.start() first",
    count_without_end: "which has any number of tokens; give it a number, or scan",
    too_far_back: "offset is 2; among 2 tokens of text 1..1 is needed",
    joined_by_and: "text.letter = 1 is neither true nor false; write where(one condition, another)",
    at_most: "text.letter <= text.letter: the relations of a condition are ==, < and >",
    never_so_large: "text.letter = 7: text.letter has the values 0..2",
    of_another_program: 'text.letter is of another program, "mine"',
    looked_at_too_soon: "text stands before end, and tokens see what stands before them",
    a_rule_that_fails: "inverse(0,) cannot be computed: ZeroDivisionError",
    without_bound: "steps reaches more than 43690 values; give it a size",
    another_group: "text.letter has 3 values, and the group 2 elements",
    a_state_without_a_letter: "each state of an automaton needs 3 next states, one for each letter",
    a_default_below_zero: "letter_one_before has the default -1; an integer from 0 on is needed",
    a_long_name: "is no name: a small letter, then small letters, digits and _, up to 32",
    no_such_token: "token 2 has the id 9, which text does not have",
}


@pytest.mark.parametrize("wrong", REFUSED, ids=lambda wrong: wrong.__name__)
def test_a_mistake_gets_one_line(wrong: Callable[[], None]) -> None:
    with pytest.raises(InputError) as refused:
        wrong()
    assert REFUSED[wrong] in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_failed_proof_names_the_definition() -> None:
    """The same weights at a sixteenth of the temperature's inverse: others weigh too much."""
    document = attack.certificate("previous_token")
    head = document["model"]["layers"][0]["heads"][0]
    cold = copy.deepcopy(document)
    own = cold["model"]["layers"][0]["heads"][0]
    own["W_Q"]["entries"] = [[r, c, attack.written(attack.number(x) / 16)] for r, c, x in head["W_Q"]["entries"]]
    own["shift"] = attack.written(attack.number(head["shift"]) / 16)
    message = check_certificate(cold).message
    assert "layer 1, head 0 would find letter_one_before at text, but others weigh up to" in message


def test_the_page_runs_and_its_numbers_are_those_of_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    for block in re.findall(r"```python\n(.*?)```", page, re.S):
        exec(compile(block, "docs/programs.md", "exec"), {"__name__": "page"})
    assert (tmp_path / "induction.json").is_file()
    bits = gallery("induction", large=True).compile().model.precision.score_bits
    assert f"({bits:,} bits at 512)" in page


def test_a_map_is_compiled_by_the_bits_on_which_each_bit_depends() -> None:
    """A choice between two of 64 values has 8,192 cases, and each bit of it 8."""
    p = Program("choice")
    token = p.tokens("token", 1, left=2, a=64, b=64)
    p.answer(p.map(lambda left, a, b: a if left else b, token.left, token.a, token.b, name="chosen"))
    model = p.compile().model
    assert sum(mlp.w_1.shape[0] for layer in model.layers for mlp in layer.mlps) < 100
    assert p.prove().ok


def test_what_a_notebook_shows_of_a_program_is_one_line() -> None:
    own = gallery("induction")
    weights = own.compile()
    shown = [repr(each) for each in (own, weights, weights.construction, weights.prove())]
    assert all(len(line) < 120 and "\n" not in line for line in shown)
    assert shown[0] == "<program induction: start, seq>"
    assert "proved for all inputs" in shown[3]


def test_latex_says_each_kind_step_and_promise() -> None:
    dyck, sorting = gallery("dyck1").latex(), gallery("sorting").latex()
    assert (
        r"$\mathit{height}_t = \mathit{height}_{t-1}$ at $t \in \mathsf{end}$; before the first token it is $4$."
        in dyck
    )
    assert r"$\mathit{found}_t = [\{s \in \mathsf{text} : s \le t,\ \mathit{low}_s = 1\} \ne \emptyset]$" in dyck
    assert r"\mathit{rank}_s = \mathit{position}_t\}$, which is not empty, and has at most one element." in sorting
    for name in NAMES:
        latex = gallery(name).latex()
        assert latex.count("{") == latex.count("}")
        assert latex.count("$") % 2 == 0


def test_a_program_in_a_file_is_shown_and_printed(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("from constructions.programs import gallery\nprogram = gallery('recall')\n")
    report = programs(f"{file}:program")
    assert report.ok
    assert str(gallery("recall")) in report.rows[0].compiled.show()
    assert report.rows[0].document()["sentence"] == "associative recall"
    assert programs(f"{file}:program", latex=True).facts()["latex"] == gallery("recall").latex()
    with pytest.raises(InputError, match="--large is for the gallery"):
        programs(f"{file}:program", large=True)
