"""The corpus of certificates: adds a file to corpus/, or checks all of it. Both kernels are asked, so Node is needed.

    python -m tools.corpus add FILE --kind bound --expect reject --why "false: one bit more" --made-by "a.json, β + 1"
    python -m tools.corpus --check

A file is added only if both kernels say of it what is expected; `--check` says what is wrong with the folder.
Exit status: 0 it is added, or all is well; 1 something is wrong, and nothing is changed; 2 bad usage.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from separation.files import InputError, read_bytes, read_json, write_together
from separation.proving import kernel

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "corpus"
KINDS = ("construction", "bound", "decision", "ceiling", "pair", "exhaustive", "wrong", "text")
EXPECTATIONS = {"accepted": "accept", "rejected": "reject", "malformed": "malformed", "declined": "decline"}
KEYS = ["file", "kind", "expect", "why", "made_by"]
REASONS = ("false: ", "not shown: ")
Entry = dict[str, Any]


def manifest(folder: Path) -> list[Entry]:
    entries: list[Entry] = read_json(folder / "manifest.json")
    return entries


def manifest_text(entries: list[Entry]) -> bytes:
    """A list with one line for each entry, kind by kind and by name."""
    ordered = sorted(entries, key=lambda entry: (KINDS.index(entry["kind"]), entry["file"]))
    return ("[\n" + ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in ordered) + "\n]\n").encode()


def defect(entry: Entry) -> str | None:
    """What is wrong with an entry as it is written, whatever its file holds."""
    declined = entry.get("expect") == "decline"
    if list(entry) != [*KEYS, *(["otherwise"] if declined else [])]:
        return f"needs the keys {', '.join(KEYS)}, and otherwise if and only if it is declined"
    if entry["kind"] not in KINDS or entry["expect"] not in EXPECTATIONS.values():
        return "an unknown kind or expectation"
    if declined and entry["otherwise"] not in ("accept", "reject", "malformed"):
        return "an unknown otherwise"
    if not re.fullmatch(rf"{entry['kind']}/[A-Za-z0-9]+(-[A-Za-z0-9]+)*\.json", entry["file"]):
        return "a file is called KIND/NAME.json, its name in letters, digits and hyphens"
    if not entry["why"] or not entry["made_by"]:
        return "why and made_by say something"
    if entry["expect"] == "reject" and not entry["why"].startswith(REASONS):
        return f"why a file is rejected starts with one of {REASONS}"
    return None


def first_kernel(path: Path) -> str:
    """What the kernel in Python says of a file."""
    try:
        return "accept" if kernel.check_file(str(path)).ok else "reject"
    except kernel.Declined:
        return "decline"
    except kernel.Malformed:
        return "malformed"


def second_kernel(paths: list[Path]) -> list[str]:
    """What the kernel in JavaScript says of files, all in one process; a defect of it is no verdict."""
    node = shutil.which("node")
    if node is None:
        raise InputError("node is not installed: the second kernel cannot be asked")
    program = ROOT / "separation" / "lesson" / "kernel.mjs"
    with tempfile.TemporaryDirectory() as room:
        listed = Path(room) / "list"
        listed.write_text("\n".join(map(str, paths)), encoding="utf-8")
        done = subprocess.run([node, program, "--batch", listed], capture_output=True, encoding="utf-8", check=True)
    sentences = [line.split("\t")[2] for line in done.stdout.splitlines()]
    assert len(sentences) == len(paths)
    return ["internal error" if "internal error" in s else EXPECTATIONS[s.split(":")[0]] for s in sentences]


def disagreements(entries: list[Entry], paths: list[Path]) -> list[str]:
    """Each kernel that says something else than it should. A checker with other limits may say what is `otherwise`."""
    wrong = []
    for entry, path, second in zip(entries, paths, second_kernel(paths), strict=True):
        declined = {"malformed", entry["otherwise"]} if entry["expect"] == "decline" else set()
        for name, said in (("Python", first_kernel(path)), ("JavaScript", second)):
            if said not in {entry["expect"], *declined}:
                wrong.append(f"{entry['file']}: {entry['expect']} is expected, the kernel in {name} says {said}")
    return wrong


def faults(folder: Path) -> list[str]:
    """What is wrong with a corpus: its manifest, files without an entry and entries without a file, verdicts."""
    entries = manifest(folder)
    wrong = [f"{entry.get('file')}: {fault}" for entry in entries if (fault := defect(entry))]
    if wrong:
        return wrong
    if (folder / "manifest.json").read_bytes() != manifest_text(entries):
        wrong.append("manifest.json: not sorted by kind and name, one line for each entry")
    listed = [entry["file"] for entry in entries]
    there = {path.relative_to(folder).as_posix() for path in folder.glob("*/*") if path.suffix != ".pyc"}
    wrong += [f"{file}: is in the manifest twice" for file in sorted({f for f in listed if listed.count(f) > 1})]
    wrong += [f"{file}: not in the manifest" for file in sorted(there - set(listed))]
    wrong += [f"{file}: no such file" for file in sorted(set(listed) - there)]
    known = [entry for entry in entries if entry["file"] in there]
    return wrong + disagreements(known, [folder / entry["file"] for entry in known])


def add(folder: Path, source: Path, entry: Entry) -> None:
    """Copies a file in and writes the manifest anew; raises InputError, and changes nothing, if something is wrong."""
    entries, data = manifest(folder), read_bytes(source)
    fault = defect(entry)
    if fault is None and any(entry["file"] == other["file"] for other in entries):
        fault = "there is a file of this name already"
    same = [path for path in sorted(folder.glob("*/*.json")) if path.read_bytes() == data]
    if fault is None and same:
        fault = f"the same bytes as {same[0].name}"
    wrong = [f"{entry['file']}: {fault}"] if fault else disagreements([entry], [source])
    if wrong:
        raise InputError("; ".join(wrong))
    write_together({folder / entry["file"]: data, folder / "manifest.json": manifest_text([*entries, entry])})


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.corpus", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the corpus is (corpus/)")
    parser.add_argument("--check", action="store_true", help="write nothing, say what is wrong")
    adding = parser.add_subparsers(dest="verb", metavar="add").add_parser("add", help="add a file")
    adding.add_argument("source", type=Path, metavar="FILE", help="the certificate, copied byte for byte")
    adding.add_argument("--name", help="its name in the corpus (that of FILE)")
    adding.add_argument("--kind", required=True, choices=KINDS)
    adding.add_argument("--expect", required=True, choices=EXPECTATIONS.values())
    adding.add_argument("--why", required=True, help="what is special about it; false: … or not shown: … if rejected")
    adding.add_argument("--made-by", default="written down", help="the verb, or the file that was changed, and how")
    adding.add_argument("--otherwise", help="what a checker without the limit says, if it is declined")
    options = parser.parse_args(arguments)
    if options.check == (options.verb is not None):
        parser.error("either add FILE … or --check")
    try:
        if options.check:
            wrong = faults(options.folder)
            print("\n".join(wrong) if wrong else f"{len(manifest(options.folder))} files, both kernels agree with each")
            return 1 if wrong else 0
        file = f"{options.kind}/{options.name or options.source.stem.lower().replace('_', '-')}.json"
        entry = dict(zip(KEYS, (file, options.kind, options.expect, options.why, options.made_by), strict=True))
        add(options.folder, options.source, entry | ({"otherwise": options.otherwise} if options.otherwise else {}))
    except InputError as error:
        print(f"tools.corpus: error: {error}", file=sys.stderr)
        return 1
    print(f"{file} is in the corpus")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
