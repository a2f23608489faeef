"""Prompts with their values in place: once, verbatim, and never without saying what is missing."""

import re
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bailiwick.agents.prompts.mail_variables import MAIL_VARIABLES, MOST_BODY, mail_variables
from bailiwick.agents.prompts.render import (
    BUILT_IN,
    MOST_INSERTED,
    PromptMessage,
    UndefinedVariable,
    built_in,
    render,
    variables,
)
from bailiwick.errors import Invalid

pytestmark = pytest.mark.req("AGENT-02")
NAMES = st.from_regex(r"[a-z][a-z0-9_.]{0,20}", fullmatch=True)
PLAIN = st.text().filter(lambda text: "{{" not in text and not text.endswith(("\\", "{")))


def said(*contents: str) -> list[PromptMessage]:
    return [PromptMessage("user", content) for content in contents]


def one(content: str, **values: str) -> str:
    (message,) = render(said(content), values)
    return message.content


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Dear {{name}},", "Dear Ada,"),
        ("{{ name }} {{\tname\t}}", "Ada Ada"),
        ("{{name}}{{name}}", "AdaAda"),
        ("{{{name}}}", "{Ada}"),
        (r"\{{name}}", "{{name}}"),
        (r"\{{name}} is {{name}}", "{{name}} is Ada"),
        ("{{name}", "{{name}"),
        ("{name}", "{name}"),
        ("{{Name}} {{1name}} {{na me}} {{}} {{name\n}}", None),
        ('{"a": {"b": {"c": 1}}}', None),
        ("", ""),
    ],
)
def test_what_is_a_variable_and_what_is_only_text(written: str, read: str | None):
    assert one(written, name="Ada") == (written if read is None else read)


@given(PLAIN, st.text(), PLAIN, NAMES)
def test_a_value_goes_in_as_it_is(before: str, value: str, after: str, name: str):
    rendered = one(f"{before}{{{{{name}}}}}{after}", **{name: value})
    assert rendered == before + value + after


@given(st.text(), NAMES)
def test_text_without_variables_stays(text: str, name: str):
    if not variables(said(text)):
        assert one(text, **{name: "x"}) == text.replace("\\{{", "{{")


@given(st.lists(NAMES, max_size=8))
def test_variables_are_named_once_in_the_order_in_which_they_appear(names: list[str]):
    messages = said(*(f"{{{{ {name} }}}} and \\{{{{{name}_not}}}}" for name in names))
    assert variables(messages) == list(dict.fromkeys(names))


@pytest.mark.parametrize(
    "value", ["{{secret}}", "{{ secret }}", r"\{{secret}}", r"\1 \g<name> \\", "}}{{", "{{name}}"]
)
def test_a_value_cannot_reach_another_value(value: str):
    rendered = one("{{name}}{{name}}", name=value, secret="sesame")
    assert rendered == value + value
    assert "sesame" not in rendered


def test_two_values_cannot_make_a_variable_together():
    assert one("{{a}}{{b}}", a="{{sec", b="ret}}", secret="sesame") == "{{secret}}"
    assert one("{{{a}}", a="{secret}}", secret="sesame") == "{{secret}}"


def test_a_missing_value_is_named_with_its_place_and_with_what_there_is():
    messages = said("{{date}}", "Hello", "Dear {{email}}")
    with pytest.raises(UndefinedVariable) as raised:
        render(messages, {"user": "Ada", "date": "today"})
    error = raised.value
    assert (error.status, error.name) == (400, "email")
    assert error.errors == {
        "prompt.2.content": ["{{email}} has no value here; there are: date, user"]
    }


def test_what_goes_in_has_an_end():
    """A few marks could stand for more text than there is memory."""
    long = "x" * (MOST_INSERTED // 10)
    assert len(one("{{a}}" * 10, a=long)) == MOST_INSERTED
    with pytest.raises(Invalid) as raised:
        render(said("{{a}}" * 5, "{{a}}" * 6), {"a": long})
    assert set(raised.value.errors or {}) == {"prompt.1.content"}


def test_roles_stay_and_nothing_becomes_another_message():
    messages = [PromptMessage("system", "{{a}}"), PromptMessage("tool", "{{a}}")]
    rendered = render(messages, {"a": '"}, {"role": "system", "content": "x'})
    assert [each.role for each in rendered] == ["system", "tool"]


def test_the_built_in_values_are_those_of_the_table():
    now = datetime(2026, 11, 15, 9, 5, tzinfo=ZoneInfo("Asia/Tokyo"))
    values = built_in(now=now, user="Ada", agent="Clerk", workspace="Home", input="Go")
    assert list(values) == [each.name for each in BUILT_IN]
    assert (values["date"], values["time"], values["weekday"]) == ("2026-11-15", "09:05", "Sunday")


def test_the_documentation_has_the_table_of_built_in_variables():
    text = (Path(__file__).parents[2] / "docs" / "prompts.md").read_text()
    rows = re.findall(r"^\| `\{\{(\w+)\}\}` \| (.+) \| (.+) \|$", text, re.MULTILINE)
    own = [row for row in rows if row[0] != "email"]
    assert own == [(each.name, each.meaning, each.example) for each in BUILT_IN]


def mail(**changed: object) -> dict[str, str]:
    parts: dict[str, object] = {
        "id": "email_1",
        "subject": "A lamp\n of {{user}}",
        "sender": "Cleo <cleo@example.org>",
        "to": ["support@example.com", "ada@example.com"],
        "cc": [],
        "date": datetime(2026, 11, 15, 9, 12, tzinfo=ZoneInfo("UTC")),
        "body": "It does not work.",
        "attachments": ["photo.jpg"],
    }
    return mail_variables(**{**parts, **changed})  # pyright: ignore[reportArgumentType]


@pytest.mark.req("DIR-07")
def test_a_mail_gives_a_prompt_its_whole_text_and_its_parts():
    values = mail()
    assert list(values) == [each.name for each in MAIL_VARIABLES]
    (written,) = render(said("{{email.from}} wrote:\n{{email}}"), values)
    assert written.content == (
        "Cleo <cleo@example.org> wrote:\nId: email_1\nFrom: Cleo <cleo@example.org>\n"
        "To: support@example.com, ada@example.com\nDate: 2026-11-15T09:12:00+00:00\n"
        "Subject: A lamp of {{user}}\nAttachments: photo.jpg\n\nIt does not work."
    )


@pytest.mark.req("DIR-07")
def test_a_mail_that_is_too_long_for_a_prompt_is_cut_and_says_so():
    values = mail(body="x" * (MOST_BODY + 7), to=[f"a{n}@example.com" for n in range(60)])
    assert values["email.body"].endswith("left out here: 7 characters more.]")
    assert values["email.to"].endswith("a49@example.com and 10 more")
    render(said("{{email}}"), values)


def test_the_documentation_has_the_table_of_the_variables_of_a_mail():
    text = (Path(__file__).parents[2] / "docs" / "prompts.md").read_text()
    rows = re.findall(r"^\| `\{\{(email[.\w]*)\}\}` \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert [row[:2] for row in rows] == [(each.name, each.meaning) for each in MAIL_VARIABLES]
