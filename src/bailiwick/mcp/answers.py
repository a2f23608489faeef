"""The gate's outcomes as results of tool calls.

Text from outside stands in the content (and its structured form) alone, never in errors, titles or
anything else that a client may take for the office's own words.
"""

from typing import Any

from pydantic_core import to_json

from bailiwick.gate.call import Delegate, Denied, Outcome, Pending, Result
from bailiwick.mcp.catalogue import WAIT

ToolAnswer = dict[str, Any]


def of(outcome: Outcome, *, page: str) -> ToolAnswer:
    """The result for an outcome; `page` is where people answer approvals."""
    match outcome:
        case Result():
            return _done(outcome)
        case Denied():
            return _denied(outcome)
        case Pending():
            return _pending(outcome, page=page)
        case Delegate():
            return refused("failed", "Agents cannot be started from outside; call a tool instead.")


def _done(result: Result) -> ToolAnswer:
    """The result of a completed call: its data, and the id that undoes it."""
    data = result.data
    answer: ToolAnswer = {
        "content": [_text(data if isinstance(data, str) else to_json(data).decode())],
        "structuredContent": data if isinstance(data, dict) else {"result": data},
        "isError": False,
        "_meta": {"bailiwick/trust": result.label},
    }
    if result.action_id:
        answer["_meta"]["bailiwick/actionId"] = result.action_id
        answer["_meta"]["bailiwick/undoable"] = result.undoable
    return answer


def _denied(outcome: Denied) -> ToolAnswer:
    """The result of a denied call, with the reason."""
    lines = [outcome.reason]
    fields = [f"{name}: {'; '.join(said)}" for name, said in (outcome.fields or {}).items()]
    lines += [each for each in fields if each not in outcome.reason]
    if outcome.retry_after is not None:
        lines.append(f"Try again in {outcome.retry_after} s.")
    more: dict[str, Any] = {}
    if outcome.fields:
        more["fields"] = outcome.fields
    if outcome.retry_after is not None:
        more["retry_after"] = outcome.retry_after
    return refused(outcome.code, outcome.reason, text="\n".join(lines), **more)


def refused(code: str, reason: str, *, text: str = "", **more: Any) -> ToolAnswer:
    """An error that the model reads."""
    return {
        "content": [_text(text or reason)],
        "structuredContent": {"status": "denied", "code": code, "reason": reason, **more},
        "isError": True,
    }


def _pending(outcome: Pending, *, page: str) -> ToolAnswer:
    """The result of a call that waits for a person; neither an error nor a success."""
    url, until = f"{page}/{outcome.approval_id}", outcome.expires_at.isoformat()
    text = (
        f"Not done yet: this waits for a person. {outcome.reason}\n"
        f"Tell the user that they can answer it in the office: {url}\n"
        f"Then call {WAIT} with approval_id {outcome.approval_id}; do not repeat the call itself. "
        f"Unanswered, it ends at {until}."
    )
    return {
        "content": [_text(text)],
        "structuredContent": {
            "status": "pending",
            "approval_id": outcome.approval_id,
            "reason": outcome.reason,
            "expires_at": until,
            "url": url,
        },
        "isError": False,
    }


def page_to_open(outcome: Pending, tool: str, *, page: str) -> ToolAnswer:
    """A request that the client's person opens the approval's page; the client then calls again.

    The client's own answer is no approval, because the model may control the client.
    """
    message = (
        f"The office asks a person before '{tool}' is done. Open the page to allow or deny it."
    )
    url = f"{page}/{outcome.approval_id}"
    return {
        "resultType": "input_required",
        "inputRequests": {
            "approval": {
                "method": "elicitation/create",
                "params": {"mode": "url", "message": message, "url": url},
            }
        },
        "requestState": outcome.approval_id,
    }


def _text(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}
