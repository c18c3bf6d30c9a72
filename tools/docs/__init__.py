"""The generated blocks of README.md and docs/*.md: `python -m tools.docs` writes them, `--check` compares only.

A block stands between `<!-- generated: NAME -->` and `<!-- /generated -->`. A number on a page is in a block, or a test
computes it.
"""
