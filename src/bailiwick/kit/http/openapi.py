"""The OpenAPI document, with the problems that any endpoint may answer with.

What operations have in common stands once, under `components`, and is referred to; an operation
lists only its own problems. An operation's id is its endpoint's name in camelCase, and does not
change with its path.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic.alias_generators import to_camel

from bailiwick.kit.http.compact import compact
from bailiwick.kit.http.guard import SAFE_METHODS
from bailiwick.kit.http.idempotency import HEADER, PATTERN
from bailiwick.kit.http.problems import MEDIA_TYPE, TYPES, Problem

_Json = dict[str, Any]
_Security = list[dict[str, list[str]]]
_Dependency = TypeVar("_Dependency", bound=Callable[..., Any])
_KEY_PARAMETER = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "Send the same value again to get the first answer instead of a second effect",
    "schema": {"type": "string", "pattern": PATTERN},
}
PUBLIC: _Json = {"security": []}
# Only a signed-in person may call these; the session's cookie works everywhere else too.
IN_PERSON: _Json = {"security": [{"session": []}]}
# A token needs this scope.
ADMIN_SCOPE: _Security = [{"token": ["admin"]}]
ADMIN_SCOPE_OR_PERSON: _Security = [{"session": []}, *ADMIN_SCOPE]
_DEMANDS = "__security__"


def _refer(name: str) -> _Json:
    return {"$ref": f"#/components/responses/{name}"}


UNAVAILABLE = {"503": _refer("Unavailable")}
CONFLICT = {"409": _refer("Conflict")}


def demands(security: _Security) -> Callable[[_Dependency], _Dependency]:
    """Mark a dependency: the document says of every operation that takes it who may call it."""

    def mark(dependency: _Dependency) -> _Dependency:
        setattr(dependency, _DEMANDS, security)
        return dependency

    return mark


def operation_id(route: APIRoute) -> str:
    """The operation's id: `list_agents` becomes `listAgents`, at any path."""
    return to_camel(route.name)


def install(app: FastAPI, *, cookie: str) -> None:
    """Serve our document instead of the framework's."""

    def document() -> _Json:
        if not app.openapi_schema:
            app.openapi_schema = _build(app, cookie)
        return app.openapi_schema

    app.openapi = document


def _build(app: FastAPI, cookie: str) -> _Json:
    document = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=app.routes
    )
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    schemas["Problem"] = Problem.model_json_schema()
    components["responses"] = {
        "Refused": _problem(_described(400, 500)),
        "Failed": _problem(_described(500, 600)),
        "Conflict": _problem("Conflicts with the present state"),
        "Unavailable": _problem("Something this needs is not there right now"),
    }
    components["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": cookie},
        "token": {"type": "http", "scheme": "bearer"},
    }
    document["security"] = [{"token": []}]
    demanded = _demands(app)
    for operations in document["paths"].values():
        for method, operation in operations.items():
            _complete(operation, unsafe=method.upper() not in SAFE_METHODS)
            if security := demanded.get(operation["operationId"]):
                operation.setdefault("security", security)
    return compact(document)


def _demands(app: FastAPI) -> dict[str, _Security | None]:
    """Who may call each operation, by its id, where a dependency of it says so."""
    found = (context.original_route for context in iter_route_contexts(app.routes))
    routes = [route for route in found if isinstance(route, APIRoute)]
    return {operation_id(route): _demanded(route.dependant) for route in routes}


def _demanded(dependant: Dependant) -> _Security | None:
    inner = (_demanded(each) for each in dependant.dependencies)
    return getattr(dependant.call, _DEMANDS, None) or next(filter(None, inner), None)


def _problem(description: str) -> _Json:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}}


def _described(first: int, end: int) -> str:
    return "; ".join(f"{status} {TYPES[status][0]}" for status in TYPES if first <= status < end)


def _complete(operation: _Json, *, unsafe: bool) -> None:
    operation["summary"] = operation["summary"].capitalize()
    responses = operation["responses"]
    # The framework documents 422 for validation; ours is 400, and 422 is a broken rule.
    responses.pop("422", None)
    responses |= {"4XX": _refer("Refused"), "5XX": _refer("Failed")}
    if unsafe:
        operation.setdefault("parameters", []).append(dict(_KEY_PARAMETER))
