"""The tools and calls of a client, over any transport.

There is no rule here, only the gate.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog

from bailiwick.errors import BailiwickError
from bailiwick.gate.call import Call, Caller, Denied, Outcome, Pending
from bailiwick.gate.gate import Gate
from bailiwick.mcp import answers, catalogue
from bailiwick.mcp.answers import ToolAnswer
from bailiwick.mcp.catalogue import ApprovalWait, OneApproval
from bailiwick.mcp.clients.service import context_of
from bailiwick.mcp.exchange import Exchange, ReportProgress
from bailiwick.mcp.faults import INTERNAL_ERROR, INVALID_PARAMS, ProtocolFault
from bailiwick.tools import faults

KEY = "bailiwick/idempotencyKey"
# How long a client that showed the page waits for its person's answer.
_AFTER_PAGE_SECONDS = 5.0
_WELL_FORMED_KEY = re.compile(r"[!-~]{1,200}")
log = structlog.stdlib.get_logger("bailiwick.mcp")


@dataclass(frozen=True, slots=True)
class ClientRequest:
    """A call as the client sent it."""

    tool: str
    arguments: dict[str, Any]
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])
    # The approval that the client was asked to show, when it calls again.
    shown: str | None = None
    # Whether the client can open a page for its person.
    opens_pages: bool = False
    report: ReportProgress | None = None

    @property
    def may_be_shown(self) -> bool:
        """Whether the client can show the approval's page, and has not done so."""
        return self.opens_pages and self.shown is None and self.tool not in catalogue.APPROVALS


class Calls:
    """Lists tools and makes calls for clients."""

    def __init__(self, gate: Gate, *, page: str) -> None:
        self._gate = gate
        self._page = page

    async def tools(self, caller: Caller) -> list[dict[str, Any]]:
        """The tools of this caller, by name."""
        found = {tool.name: catalogue.shown(tool) for tool in await self._gate.tools(caller)}
        return [entry for _, entry in sorted((found | catalogue.APPROVALS).items())]

    async def call(self, exchange: Exchange, request: ClientRequest) -> ToolAnswer:
        """Make the call, through the gate."""
        caller = exchange.known.caller
        try:
            if request.shown is not None:
                # The client's own answer does not count; the person's answer in the office
                # does. The call itself is parked already and is not made again.
                work = self._settled(exchange, request.shown, seconds=_AFTER_PAGE_SECONDS)
            elif request.tool in catalogue.APPROVALS:
                work = self._approval(exchange, request)
            else:
                call = Call(
                    caller,
                    request.tool,
                    request.arguments,
                    context_id=context_of(caller.id),
                    idempotency_key=_key(request.meta),
                )
                work = self._gate.call(call)
            outcome = await exchange.attend(work, report=request.report)
            if isinstance(outcome, Pending) and request.may_be_shown:
                return answers.page_to_open(outcome, request.tool, page=self._page)
            answer = answers.of(outcome, page=self._page)
        except BailiwickError as error:
            return answers.refused(error.type, error.detail)
        except ProtocolFault:
            raise
        except Exception:
            log.exception("a call failed", tool=request.tool[:128])
            raise ProtocolFault(
                INTERNAL_ERROR, "Something went wrong on our side; the log has the details."
            ) from None
        if isinstance(outcome, Denied) and outcome.code == "unknown_tool":
            raise ProtocolFault(
                INVALID_PARAMS,
                f"Unknown tool: {request.tool[:128]!r}. tools/list names the others.",
            )
        return answer

    async def _approval(self, exchange: Exchange, request: ClientRequest) -> Outcome:
        model = OneApproval if request.tool == catalogue.STATUS else ApprovalWait
        if found := model.faults_in(request.arguments):
            return Denied("invalid_arguments", faults.message_of(found), fields=found)
        asked = model.checked(request.arguments)
        if not isinstance(asked, ApprovalWait):
            return await self._gate.approval(exchange.known.caller, asked.approval_id)
        return await self._settled(exchange, asked.approval_id, seconds=asked.seconds)

    async def _settled(self, exchange: Exchange, id: str, *, seconds: float) -> Outcome:
        outcome = await self._gate.settled(exchange.known.caller, id, seconds=seconds)
        # A client that was revoked while it waited does not get the outcome.
        await exchange.recheck()
        return outcome


def _key(meta: Mapping[str, Any]) -> str | None:
    key = meta.get(KEY)
    if key is None:
        return None
    if not isinstance(key, str) or not _WELL_FORMED_KEY.fullmatch(key):
        raise ProtocolFault(
            INVALID_PARAMS, f"_meta['{KEY}'] must have 1 to 200 visible ASCII characters."
        )
    return key
