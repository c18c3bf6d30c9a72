"""`python -m tools.docs`: write every generated block again; `--check` exits with 1 if one is stale."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from tools.docs import BLOCKS, Block, PageError, experiments, gallery, models, peer, theory, tutorial  # noqa: F401  (each registers its blocks)

ROOT = Path(__file__).resolve().parents[2]


def stale_blocks(root: Path, blocks: Iterable[Block], write: bool = False) -> list[str]:
    """The blocks that say something else than what is computed now; written again if ``write``."""
    found = []
    for each in blocks:
        path = root / each.page
        before = path.read_text(encoding="utf-8")
        after = each.rewritten(before)
        if after != before:
            found.append(f"{each.page}: {each.name}")
            if write:
                path.write_text(after, encoding="utf-8")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.docs", description="Write the generated blocks of the docs.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a block is stale")
    parser.add_argument("--cheap", action="store_true", help="only the blocks that take seconds")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder with README.md and docs/")
    options = parser.parse_args(arguments)
    blocks = [each for each in BLOCKS if not (options.cheap and each.slow)]
    try:
        stale = stale_blocks(options.root, blocks, write=not options.check)
    except (PageError, OSError) as error:
        print(f"docs: error: {error}", file=sys.stderr)
        return 2
    did = "stale" if options.check else "written"
    print("\n".join([*(f"{did}: {name}" for name in stale), f"{len(stale)} of {len(blocks)} blocks {did}"]))
    return int(options.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
