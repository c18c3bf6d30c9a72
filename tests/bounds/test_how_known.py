"""How a theorem is known: the table against the record of Coq and the book; what the verbs say and leave out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from proofs_checks.kit.coq.record import closed_theorems
from proofs_checks.kit.coq.statements import IN_COQ
from separation.bounds import THEOREMS
from separation.bounds.known import BY_HAND, KNOWN, Known, how_known, is_proved
from separation.bounds.theorem import CERTIFICATE_NAMES as THEOREM_NAMES
from separation.files import InputError
from separation.proving import kernel, kernel_bounds
from separation.verbs.command_line import run

pytestmark = pytest.mark.usefixtures("remembered_searches")

DOCS = Path(__file__).parents[2] / "docs"
WORDS = {
    "exhaustive up to a size": BY_HAND,
    "property-tested": BY_HAND,
}
PART = {
    "D2": "T_D_several is the half that forbids; the other half of T.D.several is a construction",
    "A2 union": "the union bound is T_A2_average as it stands; T.A2.average has a form with τ besides",
    "A2 nested": "nested shares are T_A2_average_early, and without early states T_A2_average_closed, as they stand",
    "E delayed": "kind A with three tables or more is T_E_A_spread where x_0 divides m, or nearly; T.E has B besides",
    "E late": "two tables and one full layer without early states, x_0·x_1 ≤ m, are T_E_two; T.E has more",
}


def proves(name: str, known: Known) -> bool:
    """Every theorem that is named is closed in Coq, and says the whole of a statement, or the part that PART names."""
    whole = {each for link in IN_COQ if link.whole for each in link.theorems}
    own = {each for link in IN_COQ if link.id == known.statement for each in link.theorems}
    allowed = own if name in PART else whole
    return closed_theorems().issuperset(known.in_coq) and allowed.issuperset(known.in_coq) and bool(own)


def test_what_is_said_to_be_proved_in_coq_is_so_by_the_record() -> None:
    assert [name for name, known in KNOWN.items() if known.in_coq and not proves(name, known)] == []
    assert not proves("A3c", Known("T.A3c", ("T_A3_cube",)))
    assert not proves("E", Known("T.E", ("T_E_two",)))  # a case of it
    assert not proves("A2 average", Known("T.A2.average", ("T_A2_average",)))


def test_what_is_proved_by_hand_is_called_so_by_the_book() -> None:
    """By the table of the book, every row of which is compared with its check (`test_statements`)."""
    rows = re.findall(r"^\| ([^|]+?) \| [^|]+ \| ([^|]+?) \|", (DOCS / "statements.md").read_text(), re.MULTILINE)
    by_hand = [known for known in KNOWN.values() if not known.in_coq]
    assert [WORDS[dict(rows)[known.statement]] for known in by_hand] == [known.how for known in by_hand]


def test_every_theorem_of_the_search_and_of_the_kernel_has_a_row() -> None:
    searched = {*(theorem.name.partition(",")[0] for theorem in THEOREMS), "D"}
    written = {THEOREM_NAMES.get(name, name): known.how for name, known in KNOWN.items()}
    assert searched <= set(KNOWN)
    assert {name: how for name, how in written.items() if how != "proved in Coq"} == kernel_bounds.BY_HAND
    assert {
        *kernel_bounds.SHARPER,
        *kernel_bounds.CEILINGS,
        *kernel_bounds.CAPACITY,
        "A",
        "B",
        "C",
        "D",
        "D2",
        "D'",
        "A2W",
    } == {*written, "B2", "A3.free"}  # older certificates alone


def test_the_second_kernel_and_the_page_have_the_same_table() -> None:
    script = (Path(kernel.__file__).parents[1] / "lesson" / "kernel.mjs").read_text()
    block = re.search(r"const BY_HAND = (\{.*?\});", script, re.DOTALL)
    assert block is not None
    assert (
        json.loads(re.sub(r",\s*\}", "}", re.sub(r"(\b[A-Z]\w*\b)(?=:)", r'"\1"', block[1]))) == kernel_bounds.BY_HAND
    )
    page = (DOCS / "certificates.md").read_text()
    rows = dict(re.findall(r"^\| `(.+?)` \| (proved.*?) \|$", page, re.MULTILINE))
    assert rows == kernel_bounds.BY_HAND


def test_the_catalogue_of_the_page_is_the_one_that_is_searched() -> None:
    """Ten rows at most, each with a sentence; a name in the code is a row, or a form of one (A2_W, D2)."""
    page = (DOCS / "bounds.md").read_text()
    rows = dict(
        re.findall(r"^\| (\w+) \| (for|with) ", page.split("| theorem | it wins |")[1].split("\n\n")[0], re.MULTILINE)
    )
    assert set(rows) == {*(theorem.name for theorem in THEOREMS), "D"} - {"A2_W"}
    assert len(rows) <= 10


def test_an_unknown_theorem_is_refused() -> None:
    with pytest.raises(InputError, match="theorem is 'Z'"):
        how_known("Z")


def test_a_table_in_front_is_a_step_by_hand() -> None:
    assert is_proved("C' union")
    assert not is_proved("C' union, one table in front")


LARGE = ["--L", "4", "--full-layers", "3", "--beta", "64", "--lambda", "8"]


def said(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(arguments) == 0
    return " ".join(capsys.readouterr().out.split())


def test_a_bound_says_how_its_theorem_is_known(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert "ours, certified: Theorem A_L │" in said(["bound", *LARGE], capsys)
    small = ["bound", "--L", "2", "--full-layers", "1", "--beta", "8", "--lambda", "8", "--theorem", "E"]
    assert "Theorem E, proved by hand, tested" in said(small, capsys)
    facts = json.loads(said([*small, "--json"], capsys))
    assert facts["ours"]["known"] == facts["by_theorem"]["E"]["known"] == BY_HAND
    proved = json.loads(said(["bound", *LARGE, "--json", "--proved-only"], capsys))
    assert proved["ours"]["theorem"] == "A_L"
    assert {row["known"] for row in proved["by_theorem"].values()} == {"proved in Coq"}
    assert proved["anywhere"]["known"] == "proved in Coq"


def test_only_what_is_proved_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    sizes = ["--L", "2", "--m", "64", "--n", "8", "--beta", "8", "--lambda", "8", "--json"]
    for verb in (["ceiling", "RF"], ["compare", "RF"]):
        facts = json.loads(said([*verb, *sizes], capsys))
        row = facts["rows"][0] if "rows" in facts else facts
        assert (row["theorem"], row["known"]) == ("A2 average", BY_HAND)
        facts = json.loads(said([*verb, *sizes, "--proved-only"], capsys))
        row = facts["rows"][0] if "rows" in facts else facts
        assert (row["theorem"], row["known"]) == ("A2 nested", "proved in Coq")
    three = ["--L", "3", "--m", "2000", "--n", "2,400", "--beta", "1", "--lambda", "0", "--json", "--proved-only"]
    facts = json.loads(said(["ceiling", "FF", *three], capsys))
    assert (facts["theorem"], facts["known"]) == ("E delayed", "proved in Coq")
    assert facts["ceiling_float"] < 0.75
    decided = json.loads(said(["decide", "RF", *sizes, "--proved-only"], capsys))
    assert (decided["theorem"], decided["known"]) == ("A2", "proved in Coq")
    assert decided["ceiling"] != "1"


def test_an_audit_says_how_its_theorems_are_known(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(said(["audit", "jamba_v0_1", "--json", "--proved-only"], capsys))
    found = [level for row in facts["rows"] for level in (*row["levels"], *row["first_full_layers"])]
    shown = [part for level in found for part in (level["shortest"], *level["ceilings"].values()) if part]
    assert {part["known"] for part in shown} == {"proved in Coq"}
    assert "Certified by: Theorem" in said(["audit", "jamba_v0_1"], capsys)


def test_what_has_no_proof_in_coq_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    accuracy = ["bound", "--L", "2", "--word", "FF", "--beta", "8", "--accuracy", "0.5"]
    assert run([*accuracy, "--proved-only"]) == 2
    assert capsys.readouterr().err.startswith("separation: error: --proved-only leaves nothing")


def test_a_design_says_how_its_theorem_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(said(["design", "--layers", "6", "--full", "3", "--json"], capsys))
    assert [row["known"] for row in facts["rows"]] == [None, None, "proved in Coq"]


@pytest.mark.parametrize(("length", "known"), [(16, BY_HAND), (30, None), (37, "proved in Coq")])
def test_what_sparse_layers_solve_is_not_known_as_what_they_cannot(
    length: int, known: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["decide", "--sparse-layers", "2", "--length", str(length), "--block", "2", "--open", "2", "--json"]
    run(asked)
    facts = json.loads(capsys.readouterr().out)
    assert (facts["known"], facts["solvable"]) == (known, {16: True, 30: None, 37: False}[length])
