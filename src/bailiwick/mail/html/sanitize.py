"""HTML that can be shown: no script, no form, nothing that loads from elsewhere.

Hidden text is removed first, on a tree of our own. The sanitizer runs last and its output is shown
unchanged, so nothing can be added after it.
"""

import re
from collections.abc import Callable, Mapping
from html import escape
from urllib.parse import unquote

import nh3
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bailiwick.mail.html import bounds, colours, hidden, styles
from bailiwick.mail.html.looks import GROUNDED

MOST = 2_000_000
MOST_PICTURE = 1_000_000  # the longest inlined picture, in characters
REMOTE = "remote-image"  # the class of a picture's placeholder
NOT_LOADED = "This picture was not loaded."
_TAGS = frozenset((
    "a", "abbr", "address", "article", "b", "bdi", "bdo", "big", "blockquote", "br", "caption",
    "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt",
    "em", "figcaption", "figure", "font", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header",
    "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "nav", "ol", "p", "pre", "q", "s",
    "samp", "section", "small", "span", "strike", "strong", "sub", "summary", "sup", "table",
    "tbody", "td", "tfoot", "th", "thead", "time", "tr", "tt", "u", "ul", "var", "wbr",
))  # fmt: skip
_DROPPED = frozenset((
    "script", "style", "title", "template", "noscript", "noembed", "noframes", "iframe", "frame",
    "frameset", "object", "embed", "applet", "svg", "math", "audio", "video", "canvas", "select",
    "textarea", "button", "option", "xmp", "plaintext", "listing",
))  # fmt: skip
_ANYWHERE = frozenset((
    "align", "dir", "height", "lang", "style", "title", "valign", "width",
))  # fmt: skip
_ATTRIBUTES: dict[str, set[str]] = {
    "*": set(_ANYWHERE),
    "a": {"href"},
    "img": {"src", "alt", "border"},
    "table": {"border", "cellpadding", "cellspacing"},
    "td": {"colspan", "rowspan", "nowrap"},
    "th": {"colspan", "rowspan", "nowrap"},
    "col": {"span"},
    "ol": {"start", "type"},
    "ul": {"type"},
    "font": {"color", "face", "size"},
}
for _tag in GROUNDED & _TAGS:
    _ATTRIBUTES.setdefault(_tag, set()).add("bgcolor")
ImageSource = Callable[[str], str | None]
_PLAIN = re.compile(r"[\w\s#.,%+\-]{0,100}")
_WORDS = frozenset(("title", "alt", "class", "rel", "target"))
_LINK = re.compile(r"(?i)\s*(?:https?://|mailto:)[^\s\x00-\x1f]+\s*")
_REMOTE = re.compile(r"(?i)\s*https?://[^\s\x00-\x1f]+\s*")
_PICTURE = re.compile(r"data:image/(?:png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/\s]+=*\s*")


def clean(
    html: str, *, remote_images: bool = False, inline: Mapping[str, str] | None = None
) -> str:
    """A page that does nothing by itself; `inline` maps the mail's own pictures."""
    html = html[:MOST]
    if not bounds.is_fair(html):
        return f"<p>{escape(bounds.words_of(html))}</p>"
    tree = LexborHTMLParser(html)
    coloured = hidden.remove(tree)
    source = _sources(inline or {}, remote_images=remote_images)
    for picture in tree.css("img"):
        if source(picture.attributes.get("src") or "") is None:
            _put_aside(tree, picture)
    return nh3.clean(
        _page(tree),
        tags=set(_TAGS),
        clean_content_tags=set(_DROPPED),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        attribute_filter=_filter(source, coloured=coloured),
        allowed_classes={"span": {REMOTE}},
        url_schemes={"http", "https", "mailto", "cid", "data"},
        # The filter passes only the relative addresses that we were given.
        url_relative="pass_through",
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


def _page(tree: LexborHTMLParser) -> str:
    """The body as an element that the sanitizer keeps, because its colours are the background."""
    if tree.body is None:
        return ""
    given = tree.body.attributes
    style = given.get("style") or ""
    style = f"color: {given.get('text') or ''}; background: {given.get('bgcolor') or ''}; {style}"
    return f'<div style="{escape(style)}">{tree.body.inner_html or ""}</div>'


def _filter(source: ImageSource, *, coloured: bool) -> Callable[[str, str, str], str | None]:
    def keep(tag: str, name: str, value: str) -> str | None:
        match name:
            case "href":
                return value.strip() if _LINK.fullmatch(value) else None
            case "src":
                return source(value)
            case "style":
                return styles.cleaned(value, coloured=coloured) or None
            case "color" | "bgcolor":
                colour = colours.read(value, None) if coloured else None
                return colour and colours.written(colour)
            case _:
                return value if name in _WORDS or _PLAIN.fullmatch(value) else None

    return keep


def _sources(inline: Mapping[str, str], *, remote_images: bool) -> ImageSource:
    def source(value: str) -> str | None:
        value = value.strip()
        if value[:4].lower() == "cid:":
            return inline.get(value[4:]) or inline.get(unquote(value[4:]))
        if value[:5].lower() == "data:":
            return value if len(value) <= MOST_PICTURE and _PICTURE.fullmatch(value) else None
        return value if remote_images and _REMOTE.fullmatch(value) else None

    return source


def _put_aside(tree: LexborHTMLParser, picture: LexborNode) -> None:
    """Replace a picture by its description; tracking pixels are dropped."""
    given = picture.attributes
    if not any((given.get(side) or "").strip() in ("0", "1") for side in ("width", "height")):
        mark = tree.create_node("span")
        mark.attrs["class"] = REMOTE
        mark.attrs["title"] = NOT_LOADED
        if words := (given.get("alt") or "").strip():
            mark.insert_child(words)
        picture.insert_before(mark)
    picture.decompose()
