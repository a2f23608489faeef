"""The audit on the wire."""

import json
from datetime import datetime
from typing import Annotated, Any

from fastapi import Path
from pydantic import Field, StringConstraints

from bailiwick.kit.http.wire import StrictFlag, Wire
from bailiwick.kit.ledger.models import Row

EntryId = Annotated[
    str,
    Path(
        min_length=1,
        max_length=128,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        description="The entry's id, such as slot-1:42, or the id of a call.",
    ),
]
AuditFilter = Annotated[str, StringConstraints(max_length=128, pattern=r"^[^\x00-\x1f\x7f]*$")]
ANCHOR_LENGTH = 200_000
MARK = r"^(\d{1,15}:[0-9a-fA-F]{64})?$"


class EntryCallerOut(Wire):
    """Who called."""

    kind: str | None
    id: str | None
    name: str | None
    version: str | None


class EntryOut(Wire):
    """One line of the audit."""

    id: str
    at: datetime
    call_id: str | None
    phase: str | None
    workspace_id: str | None
    user_id: str | None
    caller: EntryCallerOut
    connector: str | None
    tool: str | None
    effect: str | None
    decision: str | None
    code: str | None
    rule_id: str | None
    rule_name: str | None
    reason: str | None
    status: str | None
    error: str | None
    duration_ms: float | None
    summary: str | None
    label: str | None
    approval_id: str | None
    action_id: str | None
    redacted: list[str]

    @classmethod
    def of(cls, row: Row) -> "EntryOut":
        """A row in its wire form."""
        return cls.model_validate(_fields(row, said(row)))


class EntryDetailOut(EntryOut):
    """One line with everything it says, and its place in the chain."""

    arguments: Any
    sources: Any
    trace_id: str | None
    # All of it, as it was written.
    body: dict[str, Any]
    key_id: str
    previous: str
    hash: str
    # The other lines of the same call, oldest first.
    related: list[EntryOut]

    @classmethod
    def detailed(cls, row: Row, related: list[Row]) -> "EntryDetailOut":
        """A row and those that belong to it."""
        body = said(row)
        more = {
            "arguments": body.get("arguments"),
            "sources": body.get("sources"),
            "trace_id": _text(body, "trace_id"),
            "body": body,
            "key_id": row.key_id,
            "previous": row.previous.hex(),
            "hash": row.hash.hex(),
            "related": [EntryOut.of(other) for other in related],
        }
        return cls.model_validate({**_fields(row, body), **more})


class AuditFindingOut(Wire):
    """Something that is not as it was written, and where."""

    kind: str
    text: str
    chain: str | None
    number: int | None
    at: str | None


class ReportOut(Wire):
    """What a verification found; `problems` names the first, `count` counts all."""

    at: datetime
    is_clean: bool
    count: int
    problems: list[AuditFindingOut]
    notes: list[str]
    rows: int
    chains: int
    checkpoints: int
    unsealed: int
    sealed_at: datetime | None
    since: datetime | None
    # The newest checkpoint that a copy elsewhere has too.
    anchored_at: datetime | None
    # The newest checkpoint's number and digest, for comparing with what was kept elsewhere.
    mark: str | None
    # Sign-ins and changes that were held against the chains.
    records: int
    # What this does prove and what it cannot, in sentences.
    limits: list[str]


class VerifyIn(Wire):
    """What to do beside verifying."""

    accept_restore: StrictFlag = False
    # Lines of checkpoints that were kept elsewhere, to be compared.
    anchor: str = Field(default="", max_length=ANCHOR_LENGTH)
    # NUMBER:DIGEST of a checkpoint that was kept elsewhere, to be compared.
    against: str = Field(default="", pattern=MARK)


class AuditStatusOut(Wire):
    """How the audit stands."""

    rows: int
    chains: int
    checkpoints: int
    unsealed: int
    sealed_at: datetime | None
    # The newest checkpoint's number and digest.
    mark: str | None
    # Why the newest checkpoint is not everywhere that it is to be.
    anchor_failure: str | None
    last_verification: ReportOut | None


def said(row: Row) -> dict[str, Any]:
    """What a row says; nothing if someone made it unreadable (verify names it)."""
    try:
        body = json.loads(row.body)
    except (ValueError, RecursionError):
        return {}
    return body if isinstance(body, dict) else {}


def _fields(row: Row, body: dict[str, Any]) -> dict[str, Any]:
    caller = body.get("caller")
    caller = caller if isinstance(caller, dict) else {}
    duration, redacted = body.get("duration_ms"), body.get("redacted")
    texts = {name: _text(body, name) for name, field in EntryOut.model_fields.items() if field}
    return {
        **texts,
        "id": f"{row.chain}:{row.number}",
        "at": row.at,
        "caller": {name: _text(caller, name) for name in EntryCallerOut.model_fields},
        "duration_ms": duration if isinstance(duration, (int, float)) else None,
        "redacted": [str(path) for path in redacted] if isinstance(redacted, list) else [],
    }


def _text(body: dict[str, Any], name: str) -> str | None:
    value = body.get(name)
    return value if isinstance(value, str) else None
