"""Removes text that a person would not see, because instructions to agents hide there."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bailiwick.mail.html.looks import Appearance, has_unknown_grounds, marks


def remove(tree: LexborHTMLParser) -> bool:
    """Remove hidden text from the tree; return whether the remaining colours are legible.

    Text in its background's colour is removed too. Where a style sheet, which is dropped, may have
    set another background, such text stays, and the page is better shown without colours.
    """
    marked = marks(tree)
    if not marked or tree.body is None:
        return True
    unsure = has_unknown_grounds(tree)
    unseen: list[LexborNode] = []
    readable = True
    waiting: list[tuple[LexborNode, Appearance]] = [(tree.body, Appearance())]
    while waiting:
        node, look = waiting.pop()
        if hints := marked.get(node.mem_id):
            look = hints.on(look)
            if hints.gone:
                unseen.append(node)
                continue
        blended = look.is_blended
        for child in node.iter(include_text=True):
            if child.is_element_node:
                waiting.append((child, look))
            elif look.is_hidden or (blended and not unsure):
                unseen.append(child)
            elif blended and (child.text_content or "").strip():
                readable = False
    for node in unseen:
        node.decompose()
    return readable
