"""A page as a browser takes it apart: tags, what they would fetch, and all text."""

from __future__ import annotations

from html.parser import HTMLParser


class ReadPage(HTMLParser):
    """``open``: tags without an end; ``addresses``: what would fetch something; ``text``: with that of attributes."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def stands_alone(self) -> bool:
        """Every tag is closed, none runs or loads anything, and links stay on the page."""
        loading = {"script", "link", "img", "iframe"} & {*self.tags}
        return self.open == [] and not loading and all(address.startswith("#") for address in self.addresses)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.text += "".join(value or "" for _, value in attrs)
        self.addresses += [value or "" for name, value in attrs if name.rpartition(":")[2] in ("href", "src")]
        if tag not in ("meta", "br", "img"):  # no end tag
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open[-1:] == [tag]:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
