"""Forms: JSON Schemas of flat objects, from which pages make fields and we check what was given.

A field that is `writeOnly` is a secret: it is sealed, and never in any answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs

from bailiwick.errors import Invalid

FormFields = Mapping[str, Any]
_TYPES = ("string", "integer", "number", "boolean")
_NESTED = frozenset(
    ("properties", "items", "$ref", "anyOf", "oneOf", "allOf", "patternProperties", "not", "if")
)
_LONGEST = 10_000


class BadForm(ValueError):
    """The schema is not a valid form."""


def check(form: FormFields, *, what: str) -> None:
    """Refuse a schema that is not flat, or that does not accept its own defaults."""
    closed = form.get("additionalProperties", False) is False
    if form.get("type") != "object" or not closed or _NESTED & (form.keys() - {"properties"}):
        raise BadForm(f"{what} must be a plain object that takes no additional properties")
    for name, field in _fields(form):
        if not isinstance(field, Mapping) or _NESTED & field.keys():
            raise BadForm(f"{what}.{name} is not a plain field")
        if field.get("type") not in _TYPES and "enum" not in field:
            raise BadForm(f"{what}.{name} must be one of {', '.join(_TYPES)}, or an enum")
        if field.get("writeOnly") and (field.get("type") != "string" or "default" in field):
            raise BadForm(f"{what}.{name} is a secret, so it must be a string with no default")
    unknown = set(form.get("required", ())) - {name for name, _ in _fields(form)}
    if unknown:
        raise BadForm(f"{what} requires {', '.join(sorted(unknown))}, which it does not have")
    try:
        for name, field in _fields(form):
            validator = jsonschema_rs.validator_for(dict(field))
            if "default" in field and not validator.is_valid(field["default"]):
                raise BadForm(f"{what}.{name} has a default that does not fit it")
        jsonschema_rs.validator_for(dict(form))
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        raise BadForm(f"{what}: {error}") from None


def secrets_of(form: FormFields) -> frozenset[str]:
    """The names of the secret fields."""
    return frozenset(name for name, field in _fields(form) if field.get("writeOnly"))


def with_defaults(form: FormFields, given: FormFields) -> dict[str, Any]:
    """The given values with defaults added, without fields that the form no longer has."""
    made: dict[str, Any] = {}
    for name, field in _fields(form):
        if name in given:
            made[name] = given[name]
        elif "default" in field:
            made[name] = field["default"]
    return made


def checked(form: FormFields, given: FormFields, *, prefix: str) -> dict[str, Any]:
    """The given values with defaults, if they fit the form; each error names its field."""
    wanted = {name: value for name, value in given.items() if not _is_left_out(form, name, value)}
    filled = {**with_defaults(form, wanted), **wanted}
    closed = {**form, "additionalProperties": False}
    validator = jsonschema_rs.validator_for(closed, validate_formats=True)
    errors: dict[str, list[str]] = {}
    for error in validator.iter_errors(filled):
        field, message = _explained(error)
        errors.setdefault(f"{prefix}.{field}" if field else prefix, []).append(message)
    for name, value in filled.items():
        if isinstance(value, str) and not _is_clean(value, form["properties"].get(name, {})):
            errors.setdefault(f"{prefix}.{name}", []).append(
                "is too long, or has characters in it that cannot be used"
            )
    if errors:
        first, said = next(iter(errors.items()))
        raise Invalid(f"{first}: {said[0]}", errors=errors)
    return filled


def split(form: FormFields, values: FormFields) -> tuple[dict[str, Any], dict[str, Any]]:
    """The plain values and the secret ones."""
    hidden = secrets_of(form)
    plain = {name: value for name, value in values.items() if name not in hidden}
    return plain, {name: value for name, value in values.items() if name in hidden}


def _fields(form: FormFields) -> Iterator[tuple[str, Any]]:
    yield from form.get("properties", {}).items()


def _is_left_out(form: FormFields, name: str, value: Any) -> bool:
    """Whether a value counts as not given: null, or empty in an optional field."""
    return value is None or (value == "" and name not in form.get("required", ()))


def _is_clean(text: str, field: FormFields) -> bool:
    """Whether line breaks, which end commands on the wire, are only where the form allows them."""
    unfit = "\x00" if "contentMediaType" in field else "\x00\r\n"
    return len(text) <= _LONGEST and not any(letter in text for letter in unfit)


def _explained(error: jsonschema_rs.ValidationError) -> tuple[str, str]:
    kind = error.kind
    match kind:
        case jsonschema_rs.ValidationErrorKind.Required():
            return str(kind.property).strip('"'), "is needed"
        case jsonschema_rs.ValidationErrorKind.AdditionalProperties():
            return str(kind.unexpected[0]), "there is no such field"
        case jsonschema_rs.ValidationErrorKind.Type():
            return _name(error), f"must be of the type {', '.join(kind.types)}"
        case jsonschema_rs.ValidationErrorKind.Enum():
            return _name(error), "is not one of the choices"
        case jsonschema_rs.ValidationErrorKind.MinLength():
            return _name(error), "must not be empty" if kind.limit == 1 else "is too short"
        case _:
            # The library's own message repeats the value, which may be a secret.
            return _name(error), f"does not fit ({type(kind).__name__})"


def _name(error: jsonschema_rs.ValidationError) -> str:
    return str(error.instance_path[0]) if error.instance_path else ""
