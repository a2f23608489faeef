"""Virtual paths: text that could mean another place than it says is refused."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bailiwick.errors import Invalid
from bailiwick.tools.paths import LONGEST_NAME, LONGEST_PATH, VirtualPath

pytestmark = pytest.mark.req("GATE-03")


def test_a_path_is_a_notebook_folders_and_a_name():
    path = VirtualPath.parse("Papers/2026/june/report.final.md")
    assert (path.notebook, path.name, path.suffix) == ("Papers", "report.final.md", ".md")
    assert (path.folder, path.inner) == (
        "Papers/2026/june",
        ("2026", "june", "report.final.md"),
    )
    assert str(path) == "Papers/2026/june/report.final.md"
    assert str(VirtualPath.parse("Papers/sub/")) == "Papers/sub"
    for text in ("", "."):
        top = VirtualPath.parse(text)
        assert (top.names, top.notebook, top.name, top.suffix, top.folder) == ((), "", "", "", "")
    assert VirtualPath.parse("Papers/.env").suffix == ""
    assert VirtualPath.parse("Papers/README").suffix == ""


@pytest.mark.parametrize(
    "text",
    [
        *("..", "Papers/..", "Papers/../x", "../x", "/etc/passwd", "//", "Papers//x", "./x"),
        *("Papers/./x", "Papers\\x", "\\\\server\\share", "C:/x", "Papers/a:b", "Papers/x::$DATA"),
        *("Papers/a\x00b", "Papers/a\nb", "Papers/a\x7f", "Papers/\u202etxt.exe", "Papers/a\u200b"),
        *("Papers/\ufeffa", "Papers/\u2028", "Papers/\ue000", "Papers/\ud800", "Papers/\U000e0041"),
        *("Papers\u2215x", "Papers\u2044x", "Papers\uff0fx", "Papers\u29f8x", "Papers\uff3cx"),
        *("Papers/\u2025/x", "Papers/\uff0e\uff0e/x", "Papers/\u2024\u2024/x", "Papers/\u2026"),
        *("Papers/\u2100", "Papers/\u3164", "Papers/a\u2800", "Papers/\u034f", "Papers/\uffa0b"),
        *(
            "Papers/a\u2028b",
            "Papers/a\u2029b",
            "Papers/a\u0378b",
            "Papers/\ufe52",
            "Papers/\ufe30",
        ),
        *("Papers/con", "Papers/NUL.txt", "Papers/Com1", "Papers/COM¹.log", "Papers/lpt9.x"),
        *("Papers/CONIN$", "Papers/aux", "Papers/prn.txt/x"),
        *("Papers/x.", "Papers/x ", " Papers/x", "Papers/\u00a0x", "Papers/x...", "Papers/ /x"),
        "Papers/" + "x" * (LONGEST_NAME + 1),
        "Papers/" + "ä" * (LONGEST_NAME // 2 + 1),
        "Papers/" + "\u0958" * 80,  # longer when it is normalised
        "/".join(["Papers", *["x" * 100] * 11]),
    ],
)
def test_what_could_mean_another_place_is_refused(text: str):
    with pytest.raises(Invalid) as caught:
        VirtualPath.parse(text, field="to")
    assert list(caught.value.errors or ()) == ["to"]


@pytest.mark.parametrize(
    "name",
    [
        "a b.txt",
        "~",
        "%2e%2e",
        "..a",
        "a..b",
        ".env",
        "-rf",
        "$(x)",
        "日本.md",
        "console.txt",
        "🦊",
    ],
)
def test_names_that_are_only_unusual_are_taken(name: str):
    assert VirtualPath.parse(f"Papers/{name}").inner == (name,)


def test_a_path_and_a_name_may_be_as_long_as_they_may_be_in_either_form():
    longest = "/".join(["x" * 204] * 5)
    assert len(longest) == LONGEST_PATH
    assert str(VirtualPath.parse(longest)) == longest
    assert VirtualPath.parse("Papers/" + "x" * LONGEST_NAME).name == "x" * LONGEST_NAME
    # The first is too long as it is written, the second as it is used.
    for text in ("/".join(["e\u0301" * 100] * 6), "/".join(["\u0958" * 40] * 13)):
        with pytest.raises(Invalid, match="longer than") as caught:
            VirtualPath.parse(text)
        assert "1024 characters" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "told"), [("Papers/./x", "empty name"), ("Papers/../x", "must not contain '..'")]
)
def test_dots_are_refused_for_what_they_are(text: str, told: str):
    with pytest.raises(Invalid, match=told):
        VirtualPath.parse(text)


def test_one_name_in_two_normal_forms_is_one_path():
    forms = {
        VirtualPath.parse(f"Papers/{unicodedata.normalize(form, 'Café.txt')}")
        for form in ("NFC", "NFD")
    }
    assert len(forms) == 1
    assert VirtualPath.parse("Papers/A") != VirtualPath.parse("Papers/a")


@settings(max_examples=300)
@given(st.text(max_size=40) | st.text(alphabet="./\\ab\u0301 \u2024", max_size=12))
def test_whatever_is_taken_is_plain_and_stays_the_same(text: str):
    try:
        path = VirtualPath.parse(text)
    except Invalid:
        return
    assert VirtualPath.parse(str(path)) == path
    assert len(str(path)) <= LONGEST_PATH
    for name in path.names:
        assert name not in ("", ".", "..")
        assert not {"/", "\\", "\x00", ":"}.intersection(name)
        assert len(name.encode()) <= LONGEST_NAME
        assert not {"/", "\\"}.intersection(unicodedata.normalize("NFKC", name))
