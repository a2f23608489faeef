"""Properties of files: YAML at the top, edited in its place."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.errors import BailiwickError, RuleViolated
from bailiwick.library import front_matter
from library.toolbox import Toolbox

A = "Papers/a.md"
NOTE = (
    '---\r\n# mine\r\ntitle: "Rent"   # of the flat\r\ntags:\r\n  - a # first\r\n  - b\r\n\r\n'
    "# about\r\ndue: 2026-01-02\r\nat: 12:30\r\nempty:\r\nlong: |\r\n  one\r\n  two\r\n# end\r\n"
    "---\r\nBody\r\n---\r\nno: property\r\n---\r\nno line end"
)
NAMES = st.text(min_size=1, max_size=12).filter(str.isprintable)
VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**12), 10**12),
        st.text(max_size=20).filter(str.isprintable),
        st.text("ab\n ", max_size=8),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
PROPERTIES = st.dictionaries(NAMES, VALUES, max_size=5)


def put(tools: Toolbox, text: str, name: str = "a.md") -> Path:
    (tools.folder / name).write_bytes(text.encode())
    return tools.folder / name


@pytest.mark.req("LIB-01")
@pytest.mark.parametrize(
    ("changes", "old", "new"),
    [
        ({"title": "Flat"}, 'title: "Rent"   #', "title: Flat   #"),
        ({"tags": ["c"]}, "\r\n  - a # first\r\n  - b\r\n", "\r\n- c\r\n"),
        ({"due": None}, "due: 2026-01-02\r\n", ""),
        ({"due": "2026-02-03"}, "2026-01-02", "2026-02-03"),
        ({"empty": "yes"}, "empty:", "empty: 'yes'"),
        ({"long": 5}, "|\r\n  one\r\n  two", "5"),
        ({"new": {"a": [1]}}, "# end\r\n", "# end\r\nnew:\r\n  a:\r\n  - 1\r\n"),
        ({"title": "Rent", "at": "12:30"}, "", ""),
    ],
)
async def test_only_the_bytes_of_a_changed_property_are_changed(
    tools: Toolbox, changes: dict[str, object], old: str, new: str
):
    path = put(tools, NOTE)
    done = await tools.use("update_file_properties", path=A, properties=changes)
    assert path.read_bytes().decode() == NOTE.replace(old, new, 1)
    await tools.undo(done)
    assert path.read_bytes().decode() == NOTE


@settings(max_examples=300, deadline=None)
@given(PROPERTIES, PROPERTIES, st.sampled_from(["\n", "\r\n"]))
def test_whatever_is_set_is_read_again_and_the_text_stays(
    first: dict[str, object], then: dict[str, object], line_end: str
):
    body = f"Body{line_end}---{line_end}"
    first = {name: value for name, value in first.items() if value is not None}
    made = front_matter.edited(body, first, suffix=".md")
    assert (front_matter.of(made) or {}) == first
    changed = front_matter.edited(made, then, suffix=".md")
    wanted = {name: value for name, value in {**first, **then}.items() if value is not None}
    assert (front_matter.of(changed) or {}) == wanted
    assert changed.endswith(body)
    assert front_matter.edited(changed, wanted, suffix=".md") == changed


BOMB = "".join(
    f"{chr(98 + at)}: &{chr(98 + at)} [{','.join([f'*{chr(97 + at)}'] * 9)}]\n" for at in range(8)
)


@pytest.mark.parametrize(
    ("block", "words"),
    [
        ("a: [1", "not YAML: expected .* in line 3"),
        ("a: 1\na: 2", "name 'a' twice"),
        ("only words", "no list of properties"),
        ("{a: 1}", "in braces"),
        ("a: &x 1\nb: *x", "undefined alias"),
        (f"a: &a [x]\n{BOMB}", "too large"),
        ("a: !!python/object:os.system x\nb: 1", None),
    ],
)
async def test_what_cannot_be_changed_is_refused_in_words_and_stays(
    tools: Toolbox, block: str, words: str | None
):
    text = f"---\n{block}\n---\nBody"
    path = put(tools, text)
    if words:
        with pytest.raises(RuleViolated, match=words):
            await tools.use("update_file_properties", path=A, properties={"a": 5})
        assert path.read_text() == text
    facts = (await tools.use("get_file_metadata", path=A)).data
    assert "note" in facts or "properties" in facts
    assert (await tools.use("read_file", path=A)).data["content"] == text


async def test_properties_are_shown_and_are_the_words_of_who_wrote_them(tools: Toolbox):
    put(tools, "---\nstatus: draft\n---\nBody")
    facts = await tools.use("get_file_metadata", path=A)
    assert facts.data["properties"] == {"status": "draft"}
    assert facts.label == "stranger"
    assert (await tools.use("read_file", path=A)).data["properties"] == {"status": "draft"}
    assert "properties" not in (await tools.use("read_file", path=A, offset=3)).data


@pytest.mark.req("LIB-01")
async def test_a_file_is_written_with_properties_and_what_is_no_document_gets_none(tools: Toolbox):
    path = put(tools, "old")
    await tools.use("write_file", path=A, content="new", properties={"status": "done"})
    assert path.read_text() == "---\nstatus: done\n---\nnew"
    shown = await tools.preview("update_file_properties", path=A, properties={"status": "open"})
    assert "+status: open" in shown["text"]
    await tools.use("update_file_properties", path=A, properties={"status": None})
    assert path.read_text() == "---\n---\nnew"
    script, picture = put(tools, "print()", "a.py"), tools.folder / "a.txt"
    picture.write_bytes(b"\x89PNG\x00")
    for name in ("a.py", "a.txt"):
        with pytest.raises(RuleViolated):
            await tools.use("update_file_properties", path=f"Papers/{name}", properties={"a": 1})
    assert script.read_text() == "print()"
    for names in ({"": 1}, {"a\nb": 1}, {"x" * 201: 1}):
        with pytest.raises(BailiwickError, match="properties"):
            await tools.use("update_file_properties", path=A, properties=names)
