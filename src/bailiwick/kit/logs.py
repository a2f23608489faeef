"""Structured logs; secrets and personal data are masked before anything is written.

Masking works on every value of every line, from our code and from libraries.
"""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, Literal

import structlog
from pydantic import SecretBytes, SecretStr

from bailiwick.kit.correlation import current_trace_id

MASK = "[hidden]"
_ROTATE_BYTES = 10 * 1024 * 1024
_SECRET_NAME = re.compile(
    r"passw|secret|token|authorization|cookie|api_?key|data_?key|vault_?key|hash_?key|credential",
    re.IGNORECASE,
)
_PUBLIC_NAME = re.compile(r"(token_id|token_days|key_id)s?", re.IGNORECASE)
# Each pattern has a bounded or anchored beginning, so that no line can stall the log.
_PATTERNS = (
    (re.compile(r"\b(bw[a-z]_)[A-Za-z0-9_-]{8,}"), rf"\1{MASK}"),
    (re.compile(r"(?<![\w.-])eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"), MASK),
    (re.compile(r"(?i)\b(bearer|basic)\s{1,9}[A-Za-z0-9._~+/=-]{8,}"), rf"\1 {MASK}"),
    (
        re.compile(
            r"(?i)(?<![\w-])([\w-]{0,40}(?:passw(?:or)?d|secret|token|api_?key)[\"']?\s{0,3}[:=]\s{0,3})"
            r"(?:\"[^\"]*\"?|'[^']*'?|[^\s&,;})\]]+)"
        ),
        rf"\1{MASK}",
    ),
    (re.compile(r"(?i)\b(code|state)=[^&\s\"']+"), rf"\1={MASK}"),
    (re.compile(r"://[^/\s:@]{0,200}:[^/\s@]+@"), f"://{MASK}@"),
    (re.compile(r"\b[0-9a-fA-F]{64}\b"), MASK),
    (re.compile(r"[^\s@<>\"=:,;()\[\]{}/]{1,64}@(?=[A-Za-z0-9])"), "***@"),
)

LogEvent = MutableMapping[str, Any]


def mask(value: Any) -> Any:
    """A copy of the value without secrets or personal data."""
    if isinstance(value, str):
        for pattern, replacement in _PATTERNS:
            value = pattern.sub(replacement, value)
        return value
    if isinstance(value, SecretStr | SecretBytes | bytes):
        return MASK
    if isinstance(value, Mapping):
        return {str(k): _mask_named(str(k), v) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [mask(item) for item in value]
    if value is None or isinstance(value, bool | int | float):
        return value
    return mask(str(value))


def configure(*, level: str, format: Literal["auto", "console", "json"], file: Path | None) -> None:
    """Send our logs and every library's through one masked pipeline."""
    console = format == "console" or (format == "auto" and sys.stderr.isatty())
    screen = logging.StreamHandler(sys.stderr)
    screen.setFormatter(_formatter(console=console))
    handlers: list[logging.Handler] = [screen]
    if file:
        rotating = RotatingFileHandler(file, maxBytes=_ROTATE_BYTES, backupCount=5)
        rotating.setFormatter(_formatter(console=False))
        handlers.append(rotating)
    logging.basicConfig(handlers=handlers, level=level.upper(), force=True)
    for noisy in (
        "httpx",
        "httpcore",
        "httpx2",
        "httpcore2",
        "aiosqlite",
        "alembic",
        "asyncio",
        "uvicorn",
    ):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_logger_name,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )


def set_level(level: str) -> None:
    """Change the log level while running."""
    logging.getLogger().setLevel(level.upper())


def _mask_named(name: str, value: Any) -> Any:
    if value is not None and _SECRET_NAME.search(name) and not _PUBLIC_NAME.fullmatch(name):
        return MASK
    return mask(value)


def _mask_event(_logger: object, _method: str, event: LogEvent) -> LogEvent:
    for name, value in event.items():
        if not name.startswith("_"):
            event[name] = _mask_named(name, value)
    return event


def _add_correlation(_logger: object, _method: str, event: LogEvent) -> LogEvent:
    event["source"] = "backend"
    if trace := current_trace_id():
        event.setdefault("correlationId", trace)
    return event


def _rename_level(_logger: object, _method: str, event: LogEvent) -> LogEvent:
    event["severity"] = event.pop("level", "info")
    return event


_SHARED: list[Any] = [
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
    _add_correlation,
]


def _console() -> structlog.dev.ConsoleRenderer:
    # The pretty formatter would show local variables, and those may be secrets.
    plain = structlog.dev.plain_traceback
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)


def _formatter(*, console: bool) -> logging.Formatter:
    last: list[Any] = (
        [_console()] if console else [_rename_level, structlog.processors.JSONRenderer()]
    )
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _mask_event, *last],
    )
