"""Programs that read what others did: redacted, and judged afterwards by whose words they have."""

import httpx
import pytest

from bailiwick.gate.trust.reads import ReadStates
from bailiwick.tools.trust import Label, Source
from gate.conftest import Desk
from support.office import API

pytestmark = pytest.mark.req("GATE-16")
CARD = "4111 1111 1111 1111"


async def tainted(desk: Desk, label: Label = "stranger") -> None:
    """The agent has read someone's words."""
    await desk.office.product[ReadStates].read(
        "agent:agt-tester",
        workspace_id=desk.workspace_id,
        sources=[Source(label, "the mail “Offer” from eve@evil.example")],
        mentions=[],
    )


async def label_of(desk: Desk) -> str:
    """Whose words the only program with a token has."""
    (token,) = (await desk.owner.get(f"{API}/tokens")).json()["items"]
    return (await desk.office.product[ReadStates].get(f"token:{token['id']}")).label


async def asked(desk: Desk) -> tuple[str, httpx.AsyncClient]:
    await tainted(desk)
    content = f"Pay with {CARD}"
    waiting = await desk.pending(desk.agent(), "create_file", path="Files/a.txt", content=content)
    return waiting.approval_id, await desk.office.token(desk.owner, "read", "write")


@pytest.mark.parametrize("where", ["approvals", "approvals/{id}"])
async def test_a_program_that_reads_approvals_gets_them_redacted_and_counts_as_having_read(
    either_desk: Desk, where: str
):
    desk = either_desk
    id, program = await asked(desk)
    path = f"{API}/{where.format(id=id)}"
    assert CARD in (await desk.owner.get(path)).text
    assert await label_of(desk) == "owner"
    read = await program.get(path)
    assert read.status_code == 200, read.text
    assert CARD not in read.text
    assert await label_of(desk) == "stranger"
    call = f"{API}/workspaces/{desk.workspace_id}/tools/create_task"
    acted = (await program.post(call, json={"arguments": {"title": "Pay"}})).json()
    assert acted["status"] == "pending"


async def test_a_program_that_reads_actions_or_the_audit_counts_as_having_read(desk: Desk):
    _, program = await asked(desk)
    assert (await program.get(f"{API}/audit")).status_code == 200
    assert await label_of(desk) == "stranger"


async def test_a_program_that_reads_what_an_agent_did_counts_as_having_read(desk: Desk):
    id, program = await asked(desk)
    await desk.owner.post(f"{API}/approvals/{id}/allow", json={})
    assert await desk.run_allowed(id) == "done"
    assert CARD not in (await program.get(f"{API}/actions")).text
    assert await label_of(desk) == "stranger"


async def test_a_program_that_reads_what_the_owner_did_stays_free(desk: Desk):
    await desk.use("create_task", title="Call")
    program = await desk.office.token(desk.owner, "read", "write")
    for path in ("actions", "audit", "approvals", "sessions"):
        assert (await program.get(f"{API}/{path}")).status_code == 200
    assert await label_of(desk) == "owner"
