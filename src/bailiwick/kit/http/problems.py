"""Errors on the wire: RFC 9457 problem+json, one form for every failure."""

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.routing import compile_path

from bailiwick import errors
from bailiwick.errors import BailiwickError, FieldErrors
from bailiwick.kit import clock
from bailiwick.kit.correlation import current_trace_id

MEDIA_TYPE = "application/problem+json"
BASE = "/problems/"
_RAISED = (
    errors.Invalid,
    errors.Unauthenticated,
    errors.Forbidden,
    errors.NotFound,
    errors.Conflict,
    errors.TooLarge,
    errors.Misdirected,
    errors.RuleViolated,
    errors.RateLimited,
    errors.BailiwickError,
    errors.Unavailable,
)
_FRAMEWORKS = {
    405: ("method-not-allowed", "Method Not Allowed"),
    415: ("unsupported-media-type", "Unsupported Media Type"),
}
_OURS = {each.status: (each.type, each.title) for each in _RAISED}
TYPES: dict[int, tuple[str, str]] = dict(sorted((_OURS | _FRAMEWORKS).items()))


class Problem(BaseModel):
    """What went wrong, and what to do about it."""

    type: str = Field(examples=["/problems/validation-error"])
    title: str
    status: int
    detail: str
    instance: str
    errors: dict[str, list[str]] | None = Field(
        default=None, description="Messages for each bad field"
    )
    timestamp: str
    trace_id: str


def response(
    path: str,
    *,
    status: int,
    detail: str,
    fields: FieldErrors | None = None,
    headers: dict[str, str] | None = None,
) -> JSONResponse:
    """A problem as an HTTP response."""
    type, title = TYPES.get(status, TYPES[500 if status >= 500 else 400])
    problem = Problem(
        type=BASE + type,
        title=title,
        status=status,
        detail=detail,
        instance=path,
        errors={name: list(messages) for name, messages in fields.items()} if fields else None,
        timestamp=clock.now().isoformat().replace("+00:00", "Z"),
        trace_id=current_trace_id(),
    )
    return JSONResponse(
        problem.model_dump(exclude_none=True), status, headers=headers, media_type=MEDIA_TYPE
    )


def from_error(path: str, error: BailiwickError) -> JSONResponse:
    """One of our errors as an HTTP response."""
    return response(
        path,
        status=error.status,
        detail=error.detail,
        fields=error.errors,
        headers=dict(error.headers),
    )


def install(app: FastAPI) -> None:
    """Turn every error that endpoints raise into a problem."""
    app.add_exception_handler(BailiwickError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


async def _on_error(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, BailiwickError)
    return from_error(request.url.path, error)


async def _on_http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    detail = str(error.detail) if error.status_code < 500 else "Something went wrong."
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_allowed(request))
        detail = f"{request.method} does nothing here; {headers['Allow']} would."
    return response(
        request.url.path,
        status=error.status_code,
        detail=detail,
        fields=getattr(error, "fields", None),
        headers=headers,
    )


def _allowed(request: Request) -> list[str]:
    """All methods of the path; the framework's own answer names those of one route only."""
    paths: dict[str, dict[str, object]] = request.app.openapi()["paths"]
    path = request.url.path
    if path not in paths:
        path = next((p for p in paths if compile_path(p)[0].fullmatch(path)), path)
    return sorted(method.upper() for method in paths.get(path, {"get": None}))


async def _on_invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    fields: dict[str, list[str]] = {}
    for item in error.errors():
        fields.setdefault(_field(item), []).append(_message(item))
    names = ", ".join(fields)
    invalid = errors.Invalid(f"The request contains invalid values: {names}.", errors=fields)
    return from_error(request.url.path, invalid)


def _field(item: Any) -> str:
    location = [str(part) for part in item["loc"]]
    if item["type"] == "json_invalid":
        return "body"
    return ".".join(location[1:] if len(location) > 1 else location)


def _message(item: Any) -> str:
    if item["type"] == "json_invalid":
        return f"not valid JSON at character {item['loc'][-1]}: {item['ctx']['error']}"
    return str(item["msg"]).removeprefix("Value error, ")
