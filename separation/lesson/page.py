"""The lesson as one HTML file: the frame, the style, the record of what Python found, and all modules in one script.

Each ES module becomes a function of what it imports, in the order in which they need each other:

    const $dom = await (async () => { …; return { h, svg }; })();
    const $task = await (async () => { const { h } = $dom; …; return { taskSection }; })();

Only the forms that the lesson's modules use are read; everything else is refused, never guessed.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from separation.files import json_text, read_json
from separation.version import VERSION

FOLDER = Path(__file__).parent
SOURCE = FOLDER / "src"
RECORD = FOLDER / "record.json"
MAX_BYTES = 3_000_000
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.{1,2}/[\w./-]+\.mjs)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:const|(?:async )?function\*?|class) (\w+)", re.MULTILINE)
_EXPORT_LIST = re.compile(r"^export \{([^}]*)\};$", re.MULTILINE)
_LEFT = re.compile(r"^(?:import\b(?!\()|export\b).*$", re.MULTILINE)


def stored_record() -> dict[str, Any]:
    """What the page shows and does not compute itself; written by ``python -m tools.lesson``."""
    return dict(read_json(RECORD))


def lesson_page(record: dict[str, Any] | None = None) -> str:
    """The page; ``record`` in place of the stored one."""
    frame = (SOURCE / "page.html").read_text(encoding="utf-8")
    facts = {**(stored_record() if record is None else record), "version": VERSION}
    parts = {
        "<!-- style -->": f"<style>\n{(SOURCE / 'style.css').read_text(encoding='utf-8')}</style>",
        "<!-- record -->": f'<script type="application/json" id="record">{embedded(facts)}</script>',
        "<!-- script -->": f'<script type="module">\n{bundle(SOURCE / "main.mjs")}\n</script>',
    }
    for place, text in parts.items():
        before, after = frame.split(place)
        frame = before + text + after
    return frame


def embedded(value: Any) -> str:
    """JSON that cannot end the element that it stands in: < is spelled, and so are the line ends of JavaScript."""
    text = json_text(value)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


class BundleError(ValueError):
    """A module that cannot be put into one script."""


def bundle(entry: Path) -> str:
    """The script of a module with all that it imports; its name in the script is the name of its file."""
    done: dict[Path, str] = {}
    parts: list[str] = []
    _add(entry.resolve(), done, parts, ())
    return "\n".join(parts)


def _add(path: Path, done: dict[Path, str], parts: list[str], above: tuple[Path, ...]) -> str:
    if path in above:
        raise BundleError(f"{path.name} imports itself: {' → '.join(each.name for each in (*above, path))}")
    if path in done:
        return done[path]
    text = path.read_text(encoding="utf-8")
    if re.search(r"</script|<!--", text, re.IGNORECASE):
        raise BundleError(f"{path.name} has </script or <!--, which ends or changes a script of a page")
    names = {}
    for _, source in _IMPORT.findall(text):
        names[source] = _add((path.parent / source).resolve(), done, parts, (*above, path))

    def received(found: re.Match[str]) -> str:
        listed = (re.sub(r"\s+as\s+", ": ", name.strip()) for name in found[1].split(",") if name.strip())
        return f"const {{ {', '.join(listed)} }} = {names[found[2]]};"

    exported = _EXPORT.findall(text)
    for names_listed in _EXPORT_LIST.findall(text):
        exported += [name.strip() for name in names_listed.split(",") if name.strip()]
    body = _EXPORT_LIST.sub("", _IMPORT.sub(received, text))
    body = _EXPORT.sub(lambda found: found[0].removeprefix("export "), body)
    left = _LEFT.search(body)
    if left is not None or any(" " in name for name in exported):
        raise BundleError(f"{path.name}: this form of import or export is not read: {left[0] if left else exported}")
    name = f"${re.sub(r'[^0-9A-Za-z]', '_', path.stem)}"
    if name in done.values():
        raise BundleError(f"two modules are called {path.stem}")
    done[path] = name
    parts.append(f"const {name} = await (async () => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();")
    return name
