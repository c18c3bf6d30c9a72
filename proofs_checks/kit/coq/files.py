"""The Coq files of `proofs_checks/coq`: which there are, what is claimed in them, and what no file may contain."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from separation.files import InputError

FOLDER = Path(__file__).resolve().parents[2] / "coq"
OPTIONS = ("-R . separation", "-arg -w -arg -notation-overridden")
"""All that _CoqProject may say besides names of files: nothing there weakens what coqc checks."""

STATED_OVER = {
    "MainTheorems.v": ("Definitions.v", "ExactDefinitions.v"),
    "Theorems.v": ("Definitions.v",),
    "SharperTheorems.v": ("Definitions.v", "SharperDefinitions.v", "AverageDefinitions.v"),
    "ExactTheorems.v": (
        "Definitions.v",
        "SharperDefinitions.v",
        "ExactDefinitions.v",
        "SparseDefinitions.v",
        "ThoughtDefinitions.v",
        "BuiltWeights.v",
        "InvariantWeights.v",
    ),
    "CheckerTheorems.v": ("Runs.v", "Claims.v", "Enclosures.v", "SharperChecker.v", "CeilingChecker.v", "Checker.v"),
}
"""The files that a theorist reads: those with the final theorems, each with the definitions, or data, it is about."""

# what leaves something unproved, or switches a check of the kernel off, wherever it stands
FORBIDDEN = {
    "Admitted": r"\bAdmitted\b",
    "admit": r"\b(?:admit|give_up)\b|\bAdmit\s+Obligations\b",
    "Axiom": r"\b(?:Axioms?|Conjectures?|Primitive)\b",
    "Parameter": r"\bParameters?\b",
    "Unset Guard Checking": r"\bUnset\s+Guard\s+Checking\b",
    "Unset Universe Checking": r"\bUnset\s+Universe\s+Checking\b",
    "Unset Positivity Checking": r"\bUnset\s+Positivity\s+Checking\b",
    "bypass_check": r"\bbypass_check\b",
    "-type-in-type": r"-type-in-type\b",
    "Load": r"\b(?:Load|Declare\s+ML\s+Module|Add\s+(?:Rec\s+)?LoadPath)\b",
}
# what is an axiom outside a section, and an argument inside one
OF_SECTIONS = re.compile(r"(?:Local\s+|Global\s+|#\[[^]]*\]\s*)*(Variables?|Hypothes[ie]s|Context)\b")
_SECTION, _MODULE, _END = (re.compile(rf"{word}\s+(?:Type\s+)?(\w+)") for word in ("Section", "Module", "End"))


@dataclass(frozen=True)
class FinalTheorem:
    """A theorem of a file of STATED_OVER, and the theorem of another file by which it is proved in one line."""

    name: str
    proved_by: str
    file: str
    stated_in: str = "Theorems.v"


def file_names(folder: Path = FOLDER) -> tuple[str, ...]:
    """The files of _CoqProject, in its order; an option that is not one of OPTIONS is refused."""
    lines = [line.strip() for line in (folder / "_CoqProject").read_text().splitlines() if line.strip()]
    unknown = [line for line in lines if line not in OPTIONS and not re.fullmatch(r"\w+\.v", line)]
    if unknown:
        raise InputError(f"_CoqProject has the option {unknown[0]!r}, which is not one of {', '.join(OPTIONS)}")
    return tuple(line for line in lines if line.endswith(".v"))


def sources(folder: Path = FOLDER) -> dict[str, str]:
    """Each file's text; every .v file of the folder is in _CoqProject, so that none is left unchecked."""
    names = file_names(folder)
    strangers = sorted({path.name for path in folder.glob("*.v")} - set(names))
    if strangers:
        raise InputError(f"{strangers[0]} is not in _CoqProject")
    return {name: (folder / name).read_text() for name in names}


def final_theorems(folder: Path = FOLDER) -> tuple[FinalTheorem, ...]:
    """The theorems of the files of STATED_OVER, in order; each is proved by `exact` of a theorem of another file."""
    texts = sources(folder)
    found = []
    for file in STATED_OVER:
        bare = without_comments(texts[file])
        for name, body in re.findall(r"^Theorem\s+(\w+)(.*?)\bQed\.", bare, flags=re.DOTALL | re.MULTILINE):
            proof = re.search(r"Proof\. exact (\w+)\.\s*$", body)
            if proof is None:
                raise InputError(f"the proof of {name} in {file} is not one line `exact`")
            found.append(FinalTheorem(name, proof[1], home_of(proof[1], texts), file))
    return tuple(found)


def home_of(name: str, texts: dict[str, str]) -> str:
    """The file, none of STATED_OVER, that states a lemma or theorem of this name."""
    stated = re.compile(rf"^(?:Lemma|Theorem|Corollary) {re.escape(name)}\b", flags=re.MULTILINE)
    homes = [file for file, text in texts.items() if file not in STATED_OVER and stated.search(text)]
    if len(homes) != 1:
        raise InputError(f"{name} is stated in {len(homes)} files of proofs_checks/coq, not in one")
    return homes[0]


def problems(text: str) -> list[str]:
    """What a file has that leaves something unproved: see FORBIDDEN; and what OF_SECTIONS names outside a section."""
    bare = without_comments(text)
    found = [name for name, pattern in FORBIDDEN.items() if re.search(pattern, bare)]
    open_rooms: list[str] = []
    for sentence in _sentences(bare):
        if _SECTION.match(sentence):
            open_rooms.append("section")
        elif _MODULE.match(sentence) and ":=" not in sentence:
            open_rooms.append("module")
        elif _END.match(sentence) and open_rooms:
            open_rooms.pop()
        elif (outside := OF_SECTIONS.match(sentence)) and "section" not in open_rooms:
            found.append(f"{outside[1]} outside a section")
    return found


def without_comments(text: str) -> str:
    """The text with comments, which nest, and strings replaced by a space each."""
    kept, depth, place = [], 0, 0
    for found in re.finditer(r'\(\*|\*\)|"(?:[^"]|"")*"', text):
        kept.append("" if depth else text[place : found.start()] + " ")
        depth += {"(*": 1, "*)": -1 if depth else 0}.get(found.group(), 0)
        place = found.end()
    return "".join([*kept, "" if depth else text[place:]])


def _sentences(bare: str) -> Iterator[str]:
    """What ends in a full stop before white space, without bullets in front."""
    return (part.strip().lstrip("-+*{} ") for part in re.split(r"\.(?=\s|$)", bare))
