"""The OpenAPI document, with the problems that any endpoint may answer with."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.idempotency import HEADER, PATTERN
from bailiwick.kit.http.problems import MEDIA_TYPE, Problem

_REF = {"$ref": "#/components/schemas/Problem"}
_ANY = {400: "Something in the request is wrong", 429: "Too many requests", 500: "Our fault"}
_SIGNED_IN = {401: "Not signed in", 403: "No right to do this", 404: "Not there"}
_UNSAFE = {
    409: "Conflicts with the present state",
    413: "Too large",
    415: "Unknown media type",
    422: "Against a rule",
}
_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "Send the same value again to get the first answer instead of a second effect",
    "schema": {"type": "string", "pattern": PATTERN},
}
PUBLIC: dict[str, Any] = {"security": []}
# Only a signed-in person may call these; the session's cookie works everywhere else too.
IN_PERSON: dict[str, Any] = {"security": [{"session": []}]}


def _problem(description: str) -> dict[str, Any]:
    return {"description": description, "content": {MEDIA_TYPE: {"schema": _REF}}}


UNAVAILABLE = {"503": _problem("Something this needs is not there right now")}
CONFLICT = {"409": _problem("Conflicts with the present state")}


def install(app: FastAPI, *, cookie: str) -> None:
    """Serve our document instead of the framework's default."""

    def document() -> dict[str, Any]:
        if not app.openapi_schema:
            app.openapi_schema = _build(app, cookie)
        return app.openapi_schema

    app.openapi = document


def _build(app: FastAPI, cookie: str) -> dict[str, Any]:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = Problem.model_json_schema()
    components["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": cookie},
        "token": {"type": "http", "scheme": "bearer"},
    }
    document["security"] = [{"token": []}]
    for operations in document["paths"].values():
        for method, operation in operations.items():
            _add_problems(operation, unsafe=method.upper() not in SAFE_METHODS)
    return document


def _add_problems(operation: dict[str, Any], *, unsafe: bool) -> None:
    responses = operation["responses"]
    # The framework documents 422 for validation; ours is 400, and 422 is a broken rule.
    responses.pop("422", None)
    public = operation.get("security") == []
    found = {
        **_ANY,
        **(_SIGNED_IN if not public else {401: "Refused", 403: "Refused", 404: "Not there"}),
    }
    if unsafe:
        found |= _UNSAFE
        operation.setdefault("parameters", []).append(_KEY_PARAMETER)
    for status, description in found.items():
        responses.setdefault(str(status), _problem(description))
