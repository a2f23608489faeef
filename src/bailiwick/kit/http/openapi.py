"""The OpenAPI document, with the problems that any endpoint may answer with."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.idempotency import HEADER
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
    "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
}
SECURITY_SCHEMES = {
    "session": {"type": "apiKey", "in": "cookie", "name": "bailiwick"},
    "token": {"type": "http", "scheme": "bearer"},
}
PUBLIC = {"security": []}


def install(app: FastAPI) -> None:
    """Serve our document instead of the framework's default."""

    def document() -> dict[str, Any]:
        if not app.openapi_schema:
            app.openapi_schema = _build(app)
        return app.openapi_schema

    app.openapi = document


def _build(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = Problem.model_json_schema()
    components["securitySchemes"] = SECURITY_SCHEMES
    document["security"] = [{name: []} for name in SECURITY_SCHEMES]
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
        responses.setdefault(
            str(status), {"description": description, "content": {MEDIA_TYPE: {"schema": _REF}}}
        )
