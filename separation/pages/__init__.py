"""The numbers of README.md and docs/: each part of a page that holds results is computed here, and written there."""

from __future__ import annotations

from separation.pages.catalogue import PARTS, parts_of
from separation.pages.parts import Block, PageError, Part, Sentence
from separation.pages.rewriting import PagesReport, rewrite_pages

__all__ = ["PARTS", "Block", "PageError", "PagesReport", "Part", "Sentence", "parts_of", "rewrite_pages"]
