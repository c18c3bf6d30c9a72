"""The language, its errors, the gallery at small sizes on all inputs, and the page that tells of it."""

from __future__ import annotations

import copy
import inspect
import re
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import attack
import numpy as np
import pytest
from model_mutations import scale

from constructions.programs import NAMES, function, gallery
from separation.files import InputError
from separation.programs import Program, where
from separation.proving.kernel import check_certificate
from separation.proving.kernel_tasks import Program as KernelProgram
from separation.tasks.program import answers
from separation.tasks.program.document import definitions_from_document, definitions_to_document
from separation.tasks.program.oracle import random_input, raw_inputs
from separation.verbs.programs import programs

PAGE = Path(__file__).parents[2] / "docs" / "programs.md"


@pytest.mark.parametrize("name", NAMES)
def test_a_program_of_the_gallery_is_proved_and_right_on_all_inputs(name: str) -> None:
    compiled = gallery(name, **({"n": 1} if name == "composition" else {})).compile()  # 4,096 inputs with n = 2
    proof = compiled.prove()
    assert proof.ok, proof.failure
    assert proof.certificate is not None
    assert ("proved for all inputs of every length" in proof.sentence) == compiled.program.is_endless
    program = compiled.program.at_length(2) if compiled.program.is_endless else compiled.program
    assert raw_inputs(program) <= attack.MOST_INPUTS, "too many to run them all"
    assert attack.wrong_input(proof.certificate) is None


@pytest.mark.parametrize("name", NAMES)
def test_two_oracles_agree_and_a_document_comes_back(name: str) -> None:
    """The kernel's oracle shares no code with the task's."""
    program = gallery(name).definitions.at_length(3)
    document = definitions_to_document(program)
    assert definitions_to_document(definitions_from_document(document)) == document
    kernel = KernelProgram(document)
    for seed in range(5):
        ids = random_input(program, np.random.default_rng(seed))
        assert [answer for _, answer in kernel.answers(ids)] == answers(program, ids)


def test_every_function_of_the_gallery_is_named() -> None:
    files = {function(name).__module__ for name in NAMES}
    made = {each for file in files for each, _ in inspect.getmembers(import_module(file), inspect.isfunction)}
    assert {each for each in made if each[0] != "_" and each != "where"} == set(NAMES)


def text() -> tuple[Program, Any]:
    p = Program("mine")
    p.start()
    return p, p.tokens("text", 4, letter=3, mark=2)


def proved(answer: Any) -> None:
    answer.kind.program.answer(answer)
    answer.kind.program.prove()


def never(p: Program, t: Any) -> None:
    p.promise(lambda _: False, t.letter)
    proved(t.letter)


def without_start(*_: Any) -> None:
    t = Program("mine").tokens("text", 4, letter=3)
    proved(t.exists(where(t.letter == 1), at=t))


def two_without_end(p: Program, _: Any) -> None:
    p.tokens("more", any, letter=3)
    p.tokens("most", any, letter=3)


def no_such_token(p: Program, t: Any) -> None:
    p.answer(t.find(where(t.position == t.position), read=t.letter))
    p.compile().run([0, 1, 9])


REFUSED: dict[str, Callable[[Program, Any], object]] = {
    'text has no variable "leter"; did you mean letter?': lambda _, t: t.leter,
    "letter_found would be letter itself": lambda _, t: t.find(where(t.letter == t.letter), read=t.letter),
    "several tokens of text may match, so letter is not unique": lambda _, t: t.find(
        where(t.mark == t.mark), read=t.letter
    ),
    "a variable of more cannot be called count": lambda p, _: p.tokens("more", 4, count=3),
    "no input: 9 tokens of pair have distinct names out of 8": lambda p, _: p.tokens("pair", 9, key=8, distinct="key"),
    "no input of mine was found that keeps its promises; in one, promise: a promise is broken at token 1": never,
    "value(0,) is 5, and not one of 0..2": lambda p, t: p.map(lambda x: x + 5, t.letter, size=3),
    "these are of text and end; find them first": lambda p, t: p.map(
        lambda a, b: a + b, t.letter, p.tokens("end", 1, asked=3).asked
    ),
    "put p.start() first": without_start,
    "which has any number of tokens; give it a number, or scan": lambda p, _: p.tokens("more", any, x=3).count(),
    "most has any number of tokens, as more has": two_without_end,
    "programs of up to 1,048,576 are compiled": lambda p, _: proved(p.tokens("more", 10**30, letter=3).letter),
    "offset is 4; among 4 tokens of text 1..3 is needed": lambda _, t: t.previous(t.letter, default=0, offset=4),
    "text.letter = 1 is neither true nor false; write where(one condition, another)": lambda _, t: t.exists(
        where(t.letter == 1 and t.letter == 2)
    ),
    "text.letter <= text.letter: the relations of a condition are ==, < and >": lambda _, t: t.letter <= t.letter,
    "text.letter = 7: text.letter has the values 0..2": lambda _, t: t.exists(where(t.letter == 7)),
    'text.letter is of another program, "mine"': lambda p, _: p.map(lambda x: x, text()[1].letter),
    "text stands before end, and tokens see what stands before them": lambda p, t: p.tokens("end", 1).exists(at=t),
    "inverse(0,) cannot be computed: ZeroDivisionError": lambda p, t: p.map(lambda x: 1 // x, t.letter, name="inverse"),
    "steps reaches more than 43690 values; give it a size": lambda p, t: p.scan(
        lambda so_far, _: so_far + 1, t.letter, name="steps"
    ),
    "text.letter has 3 values, and the group 2 elements": lambda p, t: p.product([(0, 1), (1, 0)], t.letter),
    "each state of an automaton needs 3 next states, one for each letter": lambda p, t: p.automaton(
        [[0, 1], [1, 0]], t.letter
    ),
    "letter_one_before has the default -1; an integer from 0 on is needed": lambda _, t: t.previous(
        t.letter, default=-1
    ),
    "is no name: a small letter, then small letters, digits and _, up to 32": lambda p, t: p.map(
        lambda x: x, t.letter, name="v" * 33
    ),
    "token 2 has the id 9, which text does not have": no_such_token,
    "scan(2, 0) is 3, and not one of 0..2; a case that does not occur is None": lambda p, t: p.scan(
        lambda s, _: s + 1, t.letter, size=3
    ),
    "p.map(rule, text.position) computes with it": lambda _, t: t.find(where(t.position == t.position - 1)),
    "these are variables of text": lambda p, t: p.next_thought(p.tokens("thought", 2, a=3), a=t.letter),
    "read is 'letter'; a variable of text is needed": lambda _, t: t.find(where(t.mark == 1), read="letter"),
    "more.sym_found fits no layer: by R it would keep the latest, not the largest sym; by F it looks at more, of which "
    "there are any number": lambda p, _: proved((more := p.tokens("more", any, sym=3)).largest(more.sym)),
}


@pytest.mark.parametrize("line", REFUSED)
def test_a_mistake_gets_one_line(line: str) -> None:
    with pytest.raises(InputError) as refused:
        REFUSED[line](*text())
    assert line in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_failed_proof_names_the_definition() -> None:
    """The same weights at a sixteenth of the temperature's inverse: others weigh too much."""
    document = attack.certificate("previous_token")
    cold = copy.deepcopy(document)
    own = cold["model"]["layers"][0]["heads"][0]
    scale(own["W_Q"], Fraction(1, 16))
    own["shift"] = str(Fraction(own["shift"]) / 16)
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
