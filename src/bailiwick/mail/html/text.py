"""HTML as text: what a person would read, in that order."""

from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bailiwick.mail.html import bounds
from bailiwick.mail.html.looks import Appearance, has_unknown_grounds, marks

MOST = 2_000_000
_UNREAD = frozenset((
    "script", "style", "head", "title", "template", "noscript", "noembed", "noframes", "object",
    "embed", "applet", "iframe", "frame", "svg", "math", "select", "option", "textarea", "button",
    "audio", "video", "canvas", "map", "xmp", "plaintext",
))  # fmt: skip
_PARAGRAPH = frozenset((
    "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "table", "pre", "dl",
))  # fmt: skip
_LINE = frozenset((
    "div", "tr", "section", "article", "header", "footer", "center", "dt", "dd", "address", "main",
    "li", "figure", "figcaption", "caption", "details", "summary", "nav", "hr", "br",
))  # fmt: skip
_CELL = frozenset(("td", "th"))


class HtmlText(NamedTuple):
    """The text of a page, and whether the page hid any."""

    text: str
    hidden: bool


def to_text(html: str) -> str:
    """The text without hidden parts."""
    return read(html).text


def read(html: str) -> HtmlText:
    """The text, and whether some was hidden or may have been."""
    html = html[:MOST]
    if not bounds.is_fair(html):
        return HtmlText(bounds.words_of(html), hidden=True)
    tree = LexborHTMLParser(html)
    if tree.body is None:
        return HtmlText("", hidden=False)
    reader = _TextWalker(tree)
    reader.run(tree.body)
    return HtmlText(_tidy("".join(reader.found)), reader.hidden)


class _TextWalker:
    """Walks the page in order, without recursion."""

    def __init__(self, tree: LexborHTMLParser) -> None:
        self.found: list[str] = []
        self.hidden = False
        self._marked = marks(tree)
        self._unsure = bool(self._marked) and has_unknown_grounds(tree)
        # The stack: a node with its appearance, or text to write.
        self._waiting: list[tuple[LexborNode | None, Appearance, str]] = []

    def run(self, body: LexborNode) -> None:
        """Read the whole body."""
        self._waiting.append((body, Appearance(), ""))
        while self._waiting:
            node, look, words = self._waiting.pop()
            if node is None:
                self.found.append(words)
            elif (tag := node.tag) == "-text":
                self._say(node.text_content or "", look)
            elif tag is not None and tag not in _UNREAD:
                self._open(node, tag, look)

    def _say(self, words: str, look: Appearance) -> None:
        if look.is_hidden or (look.is_blended and not self._unsure):
            self.hidden = self.hidden or not words.isspace()
        elif look.kept:
            self.found.append(words)
        elif words.isspace():
            self.found.append(" ")
        else:
            before, behind = words[0].isspace(), words[-1].isspace()
            self.found.append(f"{' ' * before}{' '.join(words.split())}{' ' * behind}")

    def _open(self, node: LexborNode, tag: str, look: Appearance) -> None:
        if hints := self._marked.get(node.mem_id):
            if hints.gone:
                self.hidden = self.hidden or bool(node.text(deep=True).strip())
                return
            look = hints.on(look)
        around = "\n\n" if tag in _PARAGRAPH else "\n" if tag in _LINE else ""
        if tag == "pre":
            look = look._replace(kept=True)
        if around:
            self.found.append("\n- " if tag == "li" else around)
        if tag == "br":
            return
        if (around and tag != "li") or tag in _CELL:
            self._waiting.append((None, look, around or " "))
        children = [(child, look, "") for child in node.iter(include_text=True)]
        self._waiting.extend(reversed(children))


def _tidy(text: str) -> str:
    """The text without trailing spaces, and with at most one empty line in a row."""
    found: list[str] = []
    blank = True
    for line in text.split("\n"):
        if kept := line.strip():
            found.append(kept if "  " not in kept else " ".join(kept.split()))
        elif not blank:
            found.append("")
        blank = not kept
    return "\n".join(found).strip()
