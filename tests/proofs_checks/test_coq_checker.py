"""The checker extracted from Coq agrees with the kernels in Python and JavaScript, on the corpus and one step off."""

from __future__ import annotations

import json
import shutil
import subprocess
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

import pytest
from test_forms_in_coq import FORMS, PARTS, least_shares
from test_forms_in_coq import certificate as form_certificate

from proofs_checks.kit.coq import compiling, extraction
from proofs_checks.kit.coq.extraction import READERS, extracted_checker, verdict_of
from proofs_checks.kit.coq.files import FOLDER
from separation.files import InputError
from separation.proving import kernel

ROOT = Path(__file__).resolve().parents[2]
CORPUS = ROOT / "corpus"
KINDS = ("bound", "decision", "ceiling", "pair", "exhaustive", "wrong", "text")
ALL: list[dict[str, Any]] = [
    entry for entry in json.loads((CORPUS / "manifest.json").read_text()) if entry["kind"] in KINDS
]


DECIDED_CEILINGS = (
    *("c-average", "d-average", "a2-average-no-early", "a2-average-above-one", "a2-front-none"),
    *("c-union", "c-one-full", "a2-union"),
    *("e-delayed", "e-under", "e-x-over-m", "e-blocks-order", "e-payment-unknown"),
    *("e-full-as-quiet", "e-idle-late", "e-quiet-"),
)
"""C', A2 without early states, of E those whose form Coq has, and those that no form allows."""


def is_not_known(entry: dict[str, Any]) -> bool:
    """A theorem that Coq does not have, a binomial bounded more coarsely, a task or map that it does not run."""
    if entry["kind"] == "ceiling":
        return not entry["file"].startswith(tuple(f"ceiling/{name}" for name in DECIDED_CEILINGS))
    names = (
        "bound/d2",
        *(f"bound/{name}-" for name in ("memory", "look", "reach", "period")),
        "decision/c2-w",
        *(f"pair/{name}" for name in ("map-", "declined-map")),
        *(f"exhaustive/{name}" for name in ("a-program", "endless", "look-ups", "program-", "promises", "thoughts")),
        *(f"wrong/{name}" for name in ("a-program", "endless", "promises")),
    )
    return entry["file"].startswith(names) or entry["file"] == "bound/sharper-a3.json"


ENTRIES = [entry for entry in ALL if not is_not_known(entry)]
CLAIMS = [entry for entry in ENTRIES if entry["kind"] in ("bound", "decision", "ceiling")]
STATUS = {"accept": 0, "reject": 1, "malformed": 2, "decline": 2}
MORE_THAN_THE_KERNEL = {
    "bound/declined-exponent.json",
    "bound/declined-powers.json",
    "bound/declined-tables.json",
    "decision/declined-word.json",
}
"""The kernels decline these; the extracted checker has higher limits there, and accepts."""

needed = {"coqc": compiling.INSTALL, "ocamlopt": extraction.INSTALL}
missing = [f"no {program}; {how}" for program, how in needed.items() if shutil.which(program) is None]
needs_ocaml = pytest.mark.skipif(bool(missing), reason="; ".join(missing) or "-")


@pytest.fixture(scope="module")
def checker() -> Path:
    return extracted_checker()


def test_without_ocaml_one_line_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(InputError, match="ocamlopt is not installed; on Debian and Ubuntu: apt-get install ocaml-nox"):
        extracted_checker()


def test_the_readers_are_in_the_folder_of_the_proofs() -> None:
    assert sorted(path.name for path in (FOLDER / "ocaml").glob("*.ml") if path.name != "checker.ml") == sorted(READERS)


def test_the_page_has_the_limits_of_the_program() -> None:
    limits = {
        "".join((FOLDER / name).read_text() for name in ("Enclosures.v", "Checker.v")): (
            *("(N.size (high i)) 2048 then i else coarser (N.sub (N.size (high i)) 512)", "accepts_to 256 false."),
        ),
        "".join((FOLDER / "ocaml" / name).read_text() for name in READERS): (
            *("most_digits = 4000", "most_exponent_bits = 1024", "most_bits = 20_000", "most_terms = 4096"),
            *("bits values > 64", "most_bytes = 1 lsl 20", "most_term_bits = 8192", "most_entries = 2048"),
            *("most_small = 4096", "most_tokens = 256", "most_inputs = 1024.", "most_cells = 1 lsl 18"),
        ),
        (ROOT / "docs" / "coq.md").read_text(): (
            *("by E and D' numbers of more than 8,192 bits together;", "a table of more than 2,048 entries,"),
            "exact up to 2,048 bits, beyond that by their first 512; logarithms have 256 binary digits",
            *("more than 4,000 digits of an integer or 1,024 bits of an exponent", "more than 20,000 bits;"),
            "more than 4,096 binomials, or more than 64 bits of the modulus; files of more than 1 MiB",
            *("states, coordinates or values above 4,096, 256 tokens or layers, 2^18 numbers", "1,024 inputs"),
        ),
    }
    assert [line for text, lines in limits.items() for line in lines if line not in text] == []


def test_the_page_says_how_many_files_it_decides() -> None:
    decided = [entry for entry in ENTRIES if entry["expect"] != "decline" or entry["file"] in MORE_THAN_THE_KERNEL]
    said = f"It decides {len(decided)} files of the corpus"
    assert said in (ROOT / "docs" / "coq.md").read_text(), said


@needs_ocaml
@pytest.mark.slow
@pytest.mark.parametrize("entry", ALL, ids=lambda entry: entry["file"])
def test_it_says_of_the_corpus_what_the_manifest_says_or_that_it_does_not_know(
    checker: Path, entry: dict[str, Any]
) -> None:
    status, said = verdict_of(checker, CORPUS / entry["file"])
    expected = STATUS["decline" if is_not_known(entry) else entry["expect"]]
    if entry["file"] in MORE_THAN_THE_KERNEL:
        expected = STATUS[entry["otherwise"]]
    assert status == expected, said


def changed(document: dict[str, Any], key: str, by: int) -> dict[str, Any] | None:
    """The certificate with one number of its claim changed; None if that is not an integer up to 2^53 there."""
    twin: dict[str, Any] = json.loads(json.dumps(document))
    holder = twin["claim"]
    for part in key.split(".")[:-1]:
        holder = holder.get(part) if isinstance(holder, dict) else None
    last: Any = key.rsplit(".", 1)[-1]
    if isinstance(holder, list):
        last = int(last)
        if last >= len(holder):
            return None
    elif not isinstance(holder, dict) or last not in holder:
        return None
    if type(holder[last]) is not int:
        return None
    holder[last] += by
    if key.startswith("task.") and "tokens" in twin["claim"]:
        twin["claim"]["tokens"] = None
    return twin


STEPS = {"beta": 1, "lambda.0": 1, "lambda.1": 1, "lambda.2": 1, "task.m": -1, "task.n.0": -1, "L": 1}
STEPS |= {"summary_bits": 1, "state_bits": -1, "reaches.0": 1, "reaches.1": 1}
"""Numbers of a claim, and the step that makes the claim stronger, or false."""


def neighbours() -> list[tuple[str, dict[str, Any]]]:
    """Every accepted bound and decision of short numbers, with one number of the claim a step further."""
    found = []
    for entry in CLAIMS:
        text = (CORPUS / entry["file"]).read_text() if entry["kind"] != "text" else ""
        if entry["expect"] != "accept" or not text or "powers" in text:
            continue
        for key, by in STEPS.items():
            twin = changed(json.loads(text), key, by)
            if twin is not None:
                found.append((f"{entry['file']} {key}{by:+}", twin))
    return found


def kernel_status(document: dict[str, Any]) -> int:
    try:
        return 0 if kernel.check_certificate(document).ok else 1
    except kernel.Malformed:
        return 2


@needs_ocaml
@pytest.mark.slow
def test_it_agrees_with_the_kernel_one_step_from_every_accepted_claim(checker: Path, tmp_path: Path) -> None:
    wrong, seen = [], set()
    for name, document in neighbours():
        status, _ = verdict_of(checker, written(document, tmp_path))
        expected = kernel_status(document)
        seen.add(expected)
        if status != expected:
            wrong.append((name, status, expected))
    assert seen == {0, 1, 2}  # the neighbours are of all three sorts, so agreement says something
    assert not wrong


def written(document: dict[str, Any], room: Path) -> Path:
    path = room / "certificate.json"
    path.write_text(json.dumps(document))
    return path


@needs_ocaml
@pytest.mark.slow
@pytest.mark.parametrize("name", FORMS)
def test_a_ceiling_by_e_is_accepted_in_the_forms_that_coq_has_and_with_no_share_smaller(
    checker: Path, tmp_path: Path, name: str
) -> None:
    form = FORMS[name]
    shares = least_shares(form)
    status, said = verdict_of(checker, written(form_certificate(form, shares), tmp_path))
    assert status == (2 if form.theorem is None else 0), said
    if form.theorem is not None:
        for place in (0, len(shares) - 1):
            smaller = [share - Fraction(place == at, PARTS) for at, share in enumerate(shares)]
            if smaller[place] >= 0:
                twin = form_certificate(form, smaller)
                assert kernel_status(twin) == 1
                assert verdict_of(checker, written(twin, tmp_path))[0] == 1


def union_bound(N: int, bits: int) -> Fraction:
    """(1/N)·Σ_{a=1..N} min(1, 2^bits·Pr[Bin(N, 1/N) ≥ a]), each chance by its own sum."""
    chances = [Fraction(sum(comb(N, b) * (N - 1) ** (N - b) for b in range(a, N + 1)), N**N) for a in range(1, N + 1)]
    return sum((min(Fraction(1), 2**bits * chance) for chance in chances), Fraction(0)) / N


UNIONS: dict[str, tuple[str, int, tuple[int, ...], int | None, tuple[int, ...], int, int]] = {
    "R": ("R", 5, (2,), None, (7,), 10, 7),
    "no bits": ("RR", 6, (), None, (0,), 6, 0),
    "as many bits as the table has": ("R", 4, (), None, (8,), 4, 8),
    "more bits than the table has": ("R", 4, (), None, (10**6,), 4, 99),
    "one full layer": ("F", 9, (), 3, (0, 4), 9, 7),
    "A2": ("FRR", 7, (3,), 2, (0, 1), 21, 13),
}
"""Word, m, n, β and Λ_t; N and the bits of the union bound."""


@needs_ocaml
@pytest.mark.slow
@pytest.mark.parametrize("name", UNIONS)
def test_a_union_bound_is_accepted_at_its_value_and_not_one_part_below(
    checker: Path, tmp_path: Path, name: str
) -> None:
    word, m, n, beta, linear, N, bits = UNIONS[name]
    top = union_bound(N, bits) * N ** (N + 1)
    assert top.denominator == 1
    for less, status in ((0, 0), (1, 1)):
        claim = {
            "layers": list(word),
            "theorem": "A2 union" if n and beta else "C' union",
            "task": {"task": "funccomp", "m": m, "n": list(n)},
            "tokens": None,
            "beta": beta,
            "lambda": list(linear),
            "message": None,
            "ceiling": f"{top - less}/{N ** (N + 1)}",
        }
        document = {"schema": "separation.certificate/1", "kind": "ceiling", "tool": "x"}
        document |= {"claim": claim, "choice": {"named": []}}
        assert kernel_status(document) == status
        assert verdict_of(checker, written(document, tmp_path))[0] == status


@needs_ocaml
@pytest.mark.slow
def test_a_union_bound_for_a_longer_table_is_declined(checker: Path, tmp_path: Path) -> None:
    document = json.loads((CORPUS / "ceiling/c-union.json").read_text())
    document["claim"] |= {"task": {"task": "funccomp", "m": 2049, "n": []}, "tokens": 2051, "ceiling": 1}
    assert kernel_status(document) == 0
    assert verdict_of(checker, written(document, tmp_path)) == (
        2,
        "declined: a union bound for a table of more than 2048 entries",
    )


CONSTRUCTIONS: list[dict[str, Any]] = [
    entry for entry in json.loads((CORPUS / "manifest.json").read_text()) if entry["kind"] == "construction"
]
SHOWN = {
    f"construction/{name}.json"
    for name in (
        *("c1-hot", "c1-stored", "c1-wide-precision", "c1-m4-stored", "c1-m5", "word-ffff", "c1-m3-n2-n4"),
        *("c1-m3", "c1-m3-basis", "c1-m3-rational", "c1-m2", "c1-m2-n1", "c1-m2-n2", "c1-m2-n1-n1", "c1-m2-radix-1"),
        *(
            f"c1-m2-{how}"
            for how in (
                *("attention-causal", "fraction-low", "inputs-less", "integral-false", "label", "margin-less", "p0"),
                *("shift-above", "size-exact", "state-bits-null", "strings", "temperature-low"),
            )
        ),
    )
}


def test_the_page_says_how_many_constructions_are_shown() -> None:
    assert (
        f"accepts <!-- constructions -->{len(SHOWN)}<!-- end --> of the constructions"
        in (ROOT / "docs" / "coq.md").read_text()
    )


@needs_ocaml
@pytest.mark.slow
@pytest.mark.parametrize("entry", CONSTRUCTIONS, ids=lambda entry: entry["file"])
def test_a_construction_is_accepted_only_if_the_manifest_says_so(checker: Path, entry: dict[str, Any]) -> None:
    status, said = verdict_of(checker, CORPUS / entry["file"])
    if entry["file"] in SHOWN:
        assert (entry["expect"], status) == ("accept", 0), said
    else:
        assert status in ((2,) if entry["expect"] != "reject" else (1, 2)), said


def broken(document: dict[str, Any]) -> list[dict[str, Any]]:
    """One entry of each matrix of each layer doubled, or with the other sign; the claim is the same."""
    found = []
    for layer in range(len(document["model"]["layers"])):
        parts = [("heads", name) for name in ("W_Q", "W_K", "W_V", "W_O")] + [
            ("mlps", name) for name in ("W_1", "b_1", "W_2", "b_2")
        ]
        for part, name in parts:
            for factor in (2, -1):
                twin = json.loads(json.dumps(document))
                entry = twin["model"]["layers"][layer][part][0][name]["entries"][-1]
                entry[2] = factor * entry[2]
                found.append(twin)
    return found


@needs_ocaml
@pytest.mark.slow
def test_changed_weights_are_accepted_only_where_the_kernel_accepts_them(checker: Path, tmp_path: Path) -> None:
    refused = 0
    for twin in broken(json.loads((CORPUS / "construction/c1-m2-n2.json").read_text())):
        status, said = verdict_of(checker, written(twin, tmp_path))
        refused += status != 0
        assert status != 0 or kernel_status(twin) == 0, said
    assert refused >= 20


WEAKER = (
    ("let ends_e digits d n0 k =", "let ends_e digits _ n0 k = let d = exactly N0 in", "bound/c-over.json"),
    (
        "let check_share digits g h n0 bits a c =",
        "let check_share digits g h n0 _ a c = let bits = N0 in",
        "ceiling/c-average-lambda-over.json",
    ),
    (
        "  foldr (fun s sum ->\n    ((N.add",
        "  foldr (fun s sum -> if s == s then sum else\n    ((N.add",
        "ceiling/e-under.json",
    ),
    (
        "let rec union_sumN n0 whole bits j term0 tail acc =",
        "let rec union_sumN n0 whole _ j term0 tail acc = let bits = N0 in",
        "ceiling/c-union-under.json",
    ),
    ("let small md x =", "let small md x = let x = if x = x then [] else x in", "pair/r-precision.json"),
    ("let equal_rows u v =", "let equal_rows u v = u == u ||", "pair/r-transcript.json"),
    ("let within i j =", "let within i j = i == i ||", "construction/c1-m2-p-under.json"),
)
"""A line of the extracted program, what it becomes, and a certificate that is accepted then."""


@needs_ocaml
@pytest.mark.slow
def test_a_weaker_program_would_be_noticed(tmp_path: Path) -> None:
    """With D = 0 in (F), Λ = 0 in a share or union bound, no shares of E, no limit of numbers, or deaf: too much."""
    compiled = extracted_checker().parent
    text = (compiled / "checker.ml").read_text()
    shutil.copy(compiled / "checker.mli", tmp_path)
    for name in READERS:
        shutil.copy(FOLDER / "ocaml" / name, tmp_path / name)
    for line, weaker, accepted in WEAKER:
        assert text.count(line) == 1, line
        (tmp_path / "checker.ml").write_text(text.replace(line, weaker))
        subprocess.run(["ocamlopt", "-o", "weak", "checker.mli", "checker.ml", *READERS], cwd=tmp_path, check=True)
        assert verdict_of(tmp_path / "weak", CORPUS / accepted)[0] == 0, accepted
