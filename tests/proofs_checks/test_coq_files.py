"""The Coq files by their text: nothing is left unproved, and what a theorist reads stands alone. No coqc is needed."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from proofs_checks import all_statements
from proofs_checks.kit.coq.compiling import imports, needed_by
from proofs_checks.kit.coq.files import (
    FOLDER,
    STATED_OVER,
    file_names,
    final_theorems,
    home_of,
    problems,
    sources,
    without_comments,
)
from proofs_checks.kit.coq.statements import IN_COQ
from separation.files import InputError

TEXTS = sources()
STATED = re.compile(r"^(?:Lemma|Theorem|Corollary|Example) (\w+)", flags=re.MULTILINE)
GOOD = "Lemma fine : True. Proof. exact I. Qed.\n"


def test_nothing_is_left_unproved() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := problems(text))} == {}


UNPROVED = {
    "Lemma a : False. Proof. Admitted.": "Admitted",
    "Lemma a : False. Proof. admit. Qed.": "admit",
    "Lemma a : False. Proof. give_up. Qed.": "admit",
    "Axiom a : False.": "Axiom",
    "Local Axiom a : False.": "Axiom",
    "Section S. Axioms a b : False. End S.": "Axiom",
    "Conjecture a : False.": "Axiom",
    "Parameter a : False.": "Parameter",
    "Module M. Parameters a : False. End M.": "Parameter",
    "Hypothesis a : False.": "Hypothesis outside a section",
    "Variable a : False.": "Variable outside a section",
    "Section S. End S. Variables a : False.": "Variables outside a section",
    "Module M. Hypotheses a : False. End M.": "Hypotheses outside a section",
    "#[local] Variable a : False.": "Variable outside a section",
    "Context (a : False).": "Context outside a section",
    "Unset Guard Checking.": "Unset Guard Checking",
    "Unset  Universe\nChecking.": "Unset Universe Checking",
    "Unset Positivity Checking.": "Unset Positivity Checking",
    "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.": "bypass_check",
    "(* coqc -type-in-type *) Set Printing All. Arguments -type-in-type.": "-type-in-type",
    "Load other.": "Load",
}


def test_a_file_that_leaves_something_unproved_is_caught() -> None:
    found = {twin: problems(f"{GOOD}{twin}\n{GOOD}") for twin in UNPROVED}
    assert [twin for twin, caught in UNPROVED.items() if caught not in found[twin]] == []


def test_comments_strings_sections_and_names_are_let_pass() -> None:
    for text in (
        "(* Axiom a : False. (* Admitted. *) Parameter b. *)",
        'Goal True. idtac "Axiom". Abort.',
        "Section S. Variable n : nat. Hypothesis h : n = n. Section T. Context (k : nat). End T. End S.",
        "Lemma admitted_axioms : True. Proof. exact I. Qed.",
    ):
        assert problems(text) == []


@pytest.mark.parametrize("line", ["-type-in-type", "-arg -type-in-type", "-impredicative-set", "../Elsewhere.v"])
def test_an_option_of_the_project_that_weakens_coq_is_refused(tmp_path: Path, line: str) -> None:
    (tmp_path / "_CoqProject").write_text(f"-R . separation\n{line}\nDefinitions.v\n")
    with pytest.raises(InputError, match="_CoqProject has the option"):
        file_names(tmp_path)


def test_a_file_that_is_not_in_the_project_is_refused(tmp_path: Path) -> None:
    (tmp_path / "_CoqProject").write_text("-R . separation\nA.v\n")
    for name in ("A.v", "B.v"):
        (tmp_path / name).write_text(GOOD)
    with pytest.raises(InputError, match=r"B\.v is not in _CoqProject"):
        sources(tmp_path)


def test_the_makefile_has_no_other_flags() -> None:
    flags = re.findall(r"(?<!\w)-[a-z-]+", (FOLDER / "Makefile").read_text())
    allowed = "-R -w -notation-overridden -j -silent -o -f -include -bytecode-compiler -norec"
    assert set(flags) <= set(allowed.split())


def test_the_definitions_stand_alone() -> None:
    links = imports(TEXTS)
    for name in ("Definitions.v", "SharperDefinitions.v", "ExactDefinitions.v"):
        bare = without_comments(TEXTS[name])
        for word in ("Section", "Variable", "Notation", "Lemma", "Theorem", "Hypothesis"):
            assert not re.search(rf"\b{word}\b", bare), (name, word)
        assert links[name] == (set() if name == "Definitions.v" else {"Definitions.v"})


def test_the_final_theorems_speak_of_the_definitions_alone() -> None:
    defined = re.compile(r"^(?:Definition|Fixpoint|Lemma|Theorem|Inductive|Record|Notation) (\w+)", flags=re.MULTILINE)
    others = {word for text in TEXTS.values() for word in defined.findall(text)}
    final = {each.name for each in final_theorems()}
    for name, files in STATED_OVER.items():
        statements = re.sub(r"Proof\..*?Qed\.", "", without_comments(TEXTS[name]), flags=re.DOTALL)
        statements = re.sub(r"^From .*?\.$", "", statements, flags=re.DOTALL | re.MULTILINE)
        words = set(re.findall(r"\w+", statements)) - final
        own = {word for file in files for word in defined.findall(TEXTS[file])}
        assert words & own  # the patterns find names at all
        assert not {word for word in words & (others - own) if len(word) > 1}  # single letters are bound there


def test_a_line_before_each_lemma_says_what_it_is() -> None:
    for name in set(TEXTS) - {"BuiltWeights.v", "InvariantWeights.v"}:
        lines = TEXTS[name].splitlines()
        assert [line for before, line in pairwise(lines) if STATED.match(line) and "*)" not in before] == [], name


LONGEST = 60
PROOF = re.compile(
    r"(\w+)(?:(?!\b(?:Lemma|Theorem|Corollary|Example)\b).)*?\bProof\.(.*?)\b(?:Qed|Defined)\.", flags=re.DOTALL
)
STATES = re.compile(r"\b(?:Lemma|Theorem|Corollary|Example)\s+")
NAMES = re.compile(
    r"(?:Local\s+|Global\s+|#\[[^]]*\]\s*)*(?:Definition|Fixpoint|Lemma|Theorem|Corollary|Example|Inductive|Record|Canonical)\s+(\w+)"
)
PARTS = re.compile(r"(?:\||:=|[{;])\s*(\w+)\s*(?=:(?!=)|of\b|\||\(|$)")


def long_proofs(text: str) -> list[str]:
    """The lemmas whose proofs have more than LONGEST lines between `Proof.` and `Qed.`."""
    starts = STATES.split(without_comments(text))[1:]
    return [
        found[1] for part in starts if (found := PROOF.match(part)) and len(found[2].strip().splitlines()) > LONGEST
    ]


def one_letter_names(text: str) -> list[str]:
    """Names of one letter that leave their section, or are hypotheses; its variables, `Let` and notations do not."""
    found = []
    for sentence in re.split(r"\.(?=\s|$)", without_comments(text)):
        words = sentence.strip()
        if name := NAMES.match(words):
            found.append(name[1])
        if re.match(r"(?:Inductive|Record)\b", words):
            found += PARTS.findall(words)
        if words.startswith("Hypothes"):
            found += [name for group in _groups(words.split(maxsplit=1)[1]) for name in group.split(":")[0].split()]
    return [name for name in found if len(name) == 1]


def _groups(words: str) -> list[str]:
    """The parts of `(a b : A) (c : B)`, without what is in parentheses there; or one part without any around it."""
    while (inner := re.sub(r"(\([^()]*)\([^()]*\)", r"\1", words)) != words:
        words = inner
    return re.findall(r"\(([^()]*)\)", words) if words.startswith("(") else [words]


def test_proofs_are_short_enough_to_read() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := long_proofs(text))} == {}


def test_a_long_proof_is_caught() -> None:
    steps = "have _ : True by [].\n" * (LONGEST - 1)
    assert long_proofs(f"Lemma fine : True.\nProof.\n{steps}by [].\nQed.\n") == []
    assert long_proofs(f"{GOOD}Lemma long : True.\nProof.\n{steps}have _ : True by [].\nby [].\nQed.\n{GOOD}") == [
        "long"
    ]


def test_no_name_of_one_letter_leaves_its_section() -> None:
    assert {name: found for name, text in TEXTS.items() if (found := one_letter_names(text))} == {}


@pytest.mark.parametrize(
    "twin",
    [
        "Definition S := 0.",
        "Section A. Variable n : nat. Fixpoint S (k : nat) := n. End A.",
        "Local Definition S := 0.",
        "Inductive kind := S | Other.",
        "Inductive kind := Other | S of nat.",
        "Record pair := Pair { first : nat; S : nat }.",
        "Section A. Hypothesis S : True. End A.",
        "Section A. Hypotheses (other : True) (S : True). End A.",
    ],
)
def test_a_name_of_one_letter_is_caught(twin: str) -> None:
    assert one_letter_names(f"{GOOD}{twin}\n{GOOD}") == ["S"]


def test_variables_and_notations_of_sections_may_have_one_letter() -> None:
    text = (
        "Section A. Variables (m n : nat). Notation N := (m * n). Let k := N. Hypothesis pos : forall x, x < N. End A."
    )
    assert one_letter_names(text) == []


def test_imports_go_one_way_and_the_order_of_the_project_is_one_in_which_files_compile() -> None:
    links = imports(TEXTS)
    names = list(TEXTS)
    assert all(names.index(other) < names.index(name) for name, others in links.items() for other in others)
    for each in final_theorems():
        assert each.file in needed_by(each.stated_in)


def test_the_table_of_statements_names_what_there_is() -> None:
    ids = {own.id for own in all_statements()}
    final = {each.name for each in final_theorems()}
    for link in IN_COQ:
        assert link.id in ids
        for theorem in link.theorems:
            assert theorem in final or home_of(theorem, TEXTS) in TEXTS
        assert link.whole or not link.same
    assert len({link.id for link in IN_COQ}) == len(IN_COQ)


def test_a_theorem_that_is_stated_nowhere_or_twice_is_refused() -> None:
    for texts in ({"A.v": GOOD}, {"A.v": "Lemma x : True.", "B.v": "Theorem x : True."}):
        with pytest.raises(InputError, match="x is stated in"):
            home_of("x", texts)
