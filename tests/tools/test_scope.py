"""Scope: patterns never allow more than they say, and answer quickly whatever they are."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from bailiwick.tools.effects import CAPABILITIES
from bailiwick.tools.paths import VirtualPath
from bailiwick.tools.scope import ALL, Scope
from bailiwick.tools.scope import matches as fits

pytestmark = pytest.mark.req("GATE-03")


def file(text: str) -> VirtualPath:
    return VirtualPath.parse(text)


def test_nothing_but_reading_is_on_and_nothing_is_in_reach_by_default():
    scope = Scope()
    assert [flag for flag in CAPABILITIES if scope.has(flag)] == ["read"]
    assert not scope.allows_notebook("Papers")
    assert not scope.allows_account("Work")
    assert not scope.allows_file(file("Papers/a.txt"))
    assert not scope.allows_folder(file("Papers"))
    assert scope.allows_folder(file(""))
    assert scope.allows_tool("read_file")


def test_an_empty_list_matches_nothing():
    for name in ("notebooks", "folders", "file_types"):
        scope = Scope.model_validate({"notebooks": ("*",), name: ()})
        assert not scope.allows_file(file("Papers/a.txt"))
    assert not Scope(tools=()).allows_tool("read_file")


def test_everything_is_everything():
    assert all(ALL.has(flag) for flag in CAPABILITIES)
    assert ALL.allows_file(file("Papers/a/b/c.txt"))
    assert ALL.allows_file(file("Papers/README"))
    assert ALL.allows_account("Work/Private")
    assert ALL.allows_tool("server/tool")
    assert not ALL.allows_file(file("Papers"))
    assert not ALL.allows_file(file(""))


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("**", ["a.txt", "x/a.txt", "x/y/a.txt"], []),
        ("/", ["a.txt", "x/a.txt", "x/y/a.txt"], []),
        ("*", ["a.txt"], ["x/a.txt", "x/y/a.txt"]),
        ("x", ["x/a.txt", "x/y/a.txt"], ["a.txt", "xx/a.txt", "X/a.txt", "y/x/a.txt", "x.txt"]),
        ("/x", ["x/a.txt", "x/y/a.txt"], ["a.txt", "xx/a.txt", "X/a.txt", "y/x/a.txt"]),
        ("x/", ["x/a.txt", "x/y/a.txt"], ["a.txt", "xx/a.txt", "y/x/a.txt"]),
        ("x/**", ["x/a.txt", "x/y/z/a.txt"], ["a.txt", "xy/a.txt", "y/x/a.txt", "x"]),
        ("x/*", ["x/a.txt"], ["x/y/a.txt", "x/y/z/a.txt", "a.txt"]),
        ("x/*/*", ["x/y/a.txt"], ["x/a.txt", "x/y/z/a.txt"]),
        ("**/x", ["x/a.txt", "y/z/x/a.txt", "x/y/a.txt"], ["a.txt", "ax/a.txt"]),
        ("**/*.md", ["a.md", "x/y/a.md"], ["a.txt", "a.md/b.txt"]),
        ("x/**/z", ["x/z/a.txt", "x/y/y/z/a.txt"], ["x/a.txt", "x/yz/a.txt", "xz/a.txt"]),
        ("x**", ["x.txt", "xy"], ["x/a.txt", "xy/a.txt", "y/a.txt"]),
        ("x.y", ["x.y/a.txt"], ["xzy/a.txt"]),
        ("x/a.txt", ["x/a.txt"], ["x/b.txt", "x/a.txtx", "a.txt"]),
        ("[xy]?", ["[xy]?/a.txt"], ["x/a.txt", "xa/a.txt"]),
        ("**/**/x/**/**", ["x/a.txt", "a/b/x/c/d/a.txt"], ["a.txt", "y/a.txt"]),
        ("", [], ["a.txt", "x/a.txt"]),
        ("//", [], ["a.txt", "x/a.txt"]),
        ("//x", [], ["a.txt", "x/a.txt"]),
        ("x//y", [], ["x/a.txt", "x/y/a.txt"]),
        ("x//", [], ["x/a.txt"]),
        ("../x", [], ["x/a.txt", "a.txt"]),
        ("./x", [], ["x/a.txt", "a.txt"]),
        ("x\\\\y", [], ["x/y/a.txt", "x/a.txt"]),
        (" x", [], ["x/a.txt"]),
        ("cafe\u0301", ["café/a.txt"], ["cafe/a.txt"]),
    ],
)
def test_folder_patterns(pattern: str, inside: list[str], outside: list[str]):
    scope = Scope(notebooks=("N",), folders=(pattern,))
    for text in inside:
        path = file(f"N/{text}")
        assert scope.allows_file(path), text
        # Whoever may touch a file can find the way to it.
        for depth in range(1, len(path.names)):
            assert scope.allows_folder(VirtualPath(path.names[:depth]))
    for text in outside:
        assert not scope.allows_file(file(f"N/{text}")), text
        assert not scope.allows_file(file(f"M/{text}")), text


def test_folders_that_lead_nowhere_are_not_shown():
    scope = Scope(notebooks=("N",), folders=("a/b/**", "c/*/d", "/e/*"))
    for text in ("N", "N/a", "N/a/b", "N/a/b/x/y", "N/c", "N/c/x", "N/c/x/d/f", "N/e", "N/e/x"):
        assert scope.allows_folder(file(text)), text
    for text in ("M", "N/b", "N/a/x", "N/c/x/e", "N/A", "N/e/x/y"):
        assert not scope.allows_folder(file(text)), text


@pytest.mark.parametrize(
    ("pattern", "inside", "outside"),
    [
        ("*", ["a.md", "a", ".env"], []),
        ("*.md", ["a.md", "a.MD", "x.txt.md"], ["a.mdx", "a.txt", "md", ".md", "a"]),
        (".md", ["a.md"], ["a.txt"]),
        ("md", ["a.md"], ["a.txt", "md"]),
        ("xml", ["a.xml"], ["a.ml"]),
        (".xml", ["a.xml"], ["a.ml"]),
        ("*.tar.gz", [], ["a.tar.gz", "a.gz"]),
        ("*.m*", [], ["a.md"]),
    ],
)
def test_file_type_patterns(pattern: str, inside: list[str], outside: list[str]):
    scope = Scope(notebooks=("*",), file_types=(pattern,))
    for name in inside:
        assert scope.allows_file(file(f"N/{name}")), name
    for name in outside:
        assert not scope.allows_file(file(f"N/{name}")), name


def test_tools_and_accounts_have_flat_names():
    scope = Scope(tools=("memory_*", "list_files"), accounts=("Work*",))
    assert scope.allows_tool("memory_add")
    assert scope.allows_tool("list_files")
    assert not scope.allows_tool("list_files_too")
    assert not scope.allows_tool("my_memory_add")
    assert scope.allows_account("Work/Private")
    assert not scope.allows_account("Home")
    assert not scope.allows_account("work")
    slashed = Scope(tools=("server/*", "other/tool"))
    assert slashed.allows_tool("server/deep/tool")
    assert slashed.allows_tool("other/tool")
    assert not slashed.allows_tool("other/tools")


def test_a_name_fits_any_of_several_patterns():
    assert fits(("send_*", "delete_file"), "delete_file")
    assert not fits(("send_*", "delete_file"), "read_file")
    assert not fits((), "read_file")


def matches(pattern: list[str], names: list[str]) -> bool:
    """What a pattern says, in the plainest words."""
    if not pattern:
        return not names
    first, *rest = pattern
    if first == "**":
        return any(matches(rest, names[cut:]) for cut in range(len(names) + 1))
    return bool(names) and name_matches(first, names[0]) and matches(rest, names[1:])


def name_matches(pattern: str, name: str) -> bool:
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(name_matches(pattern[1:], name[cut:]) for cut in range(len(name) + 1))
    return bool(name) and pattern[0] == name[0] and name_matches(pattern[1:], name[1:])


NAMES = st.lists(st.text("ab.", min_size=1, max_size=3), max_size=4)
PARTS = st.lists(
    st.sampled_from(["**", "*", "a", "b", "a*", "*b", "a**b", ".*", "(a|b)", "[ab]", "a?"]),
    min_size=1,
    max_size=4,
)


def covers(parts: list[str], names: list[str]) -> bool:
    """What a pattern of folders says, in the plainest words."""
    *above, last = parts
    if last == "**":
        return any(matches(above, names[:cut]) for cut in range(len(names)))
    if "*" in last:
        return matches(parts, names)
    return any(matches(parts, names[: cut + 1]) for cut in range(len(names)))


@settings(max_examples=1000)
@given(PARTS, NAMES, st.sampled_from(["", "/"]), st.sampled_from(["", "/"]))
def test_a_pattern_allows_exactly_what_it_says(
    parts: list[str], names: list[str], before: str, after: str
):
    scope = Scope(notebooks=("N",), folders=(f"{before}{'/'.join(parts)}{after}",))
    path = VirtualPath(("N", *names, "a.txt"))
    says = covers(parts, [*names, "a.txt"])
    assert scope.allows_file(path) == says
    if says:
        assert all(
            scope.allows_folder(VirtualPath(path.names[:depth]))
            for depth in range(1, len(path.names))
        )


@settings(max_examples=500)
@given(st.text("/*.ab \\\x00\u2215\u0301", max_size=12), NAMES)
def test_no_way_of_writing_a_pattern_covers_what_its_names_do_not(text: str, names: list[str]):
    scope = Scope(notebooks=("N",), folders=(text,))
    path = VirtualPath(("N", *names, "a"))
    if scope.allows_file(path):
        assert "**" in text or "*" in text or text == "/" or text.strip("/") in "/".join(path.names)
    plain = [part for part in text.split("/") if part and "*" not in part]
    if scope.allows_file(path) and text != "/":
        assert all(part in path.inner for part in plain)


@pytest.mark.req("LIB-07")
def test_the_document_s_own_patterns_mean_what_it_says():
    scope = Scope(
        notebooks=("*",),
        folders=("/experiments/*", "/notes"),
        file_types=("*.md", "*.txt", "*.json"),
    )
    for text in ("N/experiments/run.md", "N/notes/a.txt", "N/notes/2026/june/a.json"):
        assert scope.allows_file(file(text)), text
    for text in ("N/experiments/raw/run.md", "N/notes/a.py", "N/drafts/a.md", "N/a.md"):
        assert not scope.allows_file(file(text)), text


@pytest.mark.parametrize(
    "pattern",
    ["*a" * 250, "**/" * 166, "a*" * 249 + "b", "**/a/" * 100, "*" * 500, "(a+)+" * 100],
    ids=["stars", "folders", "almost", "mixed", "all stars", "expression"],
)
def test_no_pattern_takes_long(pattern: str):
    scope = Scope(notebooks=("*",), folders=(pattern,), tools=(pattern,))
    deep, long = VirtualPath(("N", *["a"] * 500, "b.txt")), VirtualPath(("N", "a" * 250, "b.txt"))
    # Backtracking would take longer than anyone waits: that this ends is the proof.
    for path in (deep, long):
        scope.allows_file(path)
        scope.allows_folder(path)
    assert isinstance(scope.allows_tool("a" * 1000), bool)


def test_patterns_are_bounded():
    for given_ in ({"folders": ["x" * 501]}, {"folders": ["x"] * 201}, {"other": []}):
        with pytest.raises(ValidationError):
            Scope.model_validate(given_)
