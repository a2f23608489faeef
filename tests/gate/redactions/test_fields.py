"""Fields that a rule names are taken out of arguments and results."""

from typing import Any

import pytest

from bailiwick.gate.redactions.fields import take_out

pytestmark = pytest.mark.req("GATE-07")
VALUE = {
    "body": "text",
    "password": 1,
    "items": [{"email": "a", "name": "A"}, {"email": "b", "deep": {"password": 2}}],
}


@pytest.mark.parametrize(
    ("field", "removed"),
    [
        ("body", ["body"]),
        ("items.*.email", ["items.0.email", "items.1.email"]),
        ("items.1.email", ["items.1.email"]),
        ("*.password", ["password", "items.1.deep.password"]),
        ("**.email", ["items.0.email", "items.1.email"]),
        ("items.**.password", ["items.1.deep.password"]),
        ("items.**", ["items.0", "items.1"]),
        ("*", ["body", "password", "items"]),
        ("nowhere", []),
        ("body.deeper", []),
        ("items.*.*.password", ["items.1.deep.password"]),
    ],
)
def test_a_field_is_taken_out_wherever_it_is_named(field: str, removed: list[str]):
    before = repr(VALUE)
    made, found = take_out(VALUE, [field])
    assert found == removed
    assert repr(VALUE) == before
    for path in removed:
        assert not there(made, path)


def there(value: Any, path: str) -> bool:
    if path.startswith("items.0") and path == "items.0":
        return bool(value["items"])
    for step in path.split("."):
        key = int(step) if isinstance(value, list) else step
        try:
            value = value[key]
        except (KeyError, IndexError):
            return False
    return True


def test_the_rest_stays():
    assert take_out(VALUE, ["items.*.email", "*.password", "body"])[0] == {
        "items": [{"name": "A"}, {"deep": {}}]
    }
    assert take_out(VALUE, [])[0] is VALUE
    assert take_out("text", ["body"]) == ("text", [])
    assert take_out(({"a": 1}, {"a": 2}), ["*.a"]) == ([{}, {}], ["0.a", "1.a"])


def test_arguments_and_results_have_their_own_fields():
    fields = ["args.body", "result.total", "note"]
    value = {"body": 1, "total": 2, "note": 3, "args": {"body": 4}}
    assert take_out(value, fields, of="args")[1] == ["body", "note"]
    assert take_out(value, fields, of="result")[1] == ["total", "note"]
    assert take_out(value, fields)[1] == ["note", "args.body"]
    assert take_out(value, ["args"], of="args")[1] == ["args"]
    assert take_out(value, ["args.*.x", "args.*"], of="args")[0] == {}
