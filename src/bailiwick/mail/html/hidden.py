"""Takes out of a page what a person would not see. Instructions to agents hide there."""

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bailiwick.mail.html.looks import Appearance, has_unknown_grounds, marks


def remove(tree: LexborHTMLParser) -> bool:
    """Take hidden text out of the tree; whether the colours that remain can be read.

    Text in the colour of its ground goes too. But where a style sheet, which does not stay, may
    have set another ground, it stays, and the page is better shown without colours.
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
