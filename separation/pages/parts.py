"""Two kinds of computed text: a block between two markers, and a sentence in which only the numbers are computed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from separation.files import InputError

END = "<!-- /generated -->"
PLACE = "{}"


class PageError(InputError):
    """A page does not have the part that the catalogue names, or has it more than once."""


@dataclass(frozen=True)
class Block:
    """`<!-- generated: name -->`, then ``text()``, then `<!-- /generated -->`, each on lines of its own."""

    page: str
    name: str
    text: Callable[[], str]
    slow: bool = False

    def spans(self, page: str) -> list[tuple[int, int]]:
        """Where the text between the markers stands."""
        marker = f"<!-- generated: {self.name} -->\n"
        start = page.find(marker) + len(marker)
        if page.count(marker) != 1:
            raise PageError(f"{self.page} has {page.count(marker)} markers 'generated: {self.name}'; one is needed")
        stop = page.find(END, start)
        if stop < 0 or "<!-- generated:" in page[start:stop]:
            raise PageError(f"{self.page}: the block '{self.name}' has no end {END}")
        return [(start, stop)]

    def rewritten(self, page: str) -> str:
        ((start, stop),) = self.spans(page)
        return page[:start] + self.text().strip("\n") + "\n" + page[stop:]


@dataclass(frozen=True)
class Sentence:
    """A sentence of a page, as it stands there but for its numbers: each {} is one of ``values()``.

    Line breaks of the page do not matter. The template is how the sentence is found, so it has words at both ends.
    """

    page: str
    template: str
    values: Callable[[], tuple[object, ...]]
    slow: bool = False

    @property
    def name(self) -> str:
        return self.template

    def spans(self, page: str) -> list[tuple[int, int]]:
        """Where the numbers of the sentence stand."""
        literals = [r"\s+".join(map(re.escape, re.split(r"\s+", part))) for part in self.template.split(PLACE)]
        if len(literals) < 2 or not literals[0] or not literals[-1]:
            raise PageError(f"'{self.template}' needs a {PLACE}, and words before the first and after the last")
        found = list(re.finditer(r"(\S+?)".join(literals), page))
        if len(found) != 1:
            raise PageError(f"{self.page} has the sentence '{self.template}' {len(found)} times; one is needed")
        return [found[0].span(group) for group in range(1, len(literals))]

    def rewritten(self, page: str) -> str:
        spans, values = self.spans(page), [str(value) for value in self.values()]
        if len(spans) != len(values) or any(re.search(r"\s", value) or not value for value in values):
            raise PageError(f"'{self.template}' has {len(spans)} places; its values are {values}")
        for (start, stop), value in reversed(list(zip(spans, values, strict=True))):
            page = page[:start] + value + page[stop:]
        return page


Part = Block | Sentence
