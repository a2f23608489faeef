"""A member with private things of every kind, and the people around them.

Whatever comes of Sam's mailbox holds the word MAIL, and whatever else is Sam's holds OWN. Who does
not share the mailbox may meet neither; who does may meet the first alone.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx

from bailiwick.files import previews
from bailiwick.tools.registry import Registry
from support.filed import cases_in
from support.mailbag import letter, mailbag_in
from support.model_server import says
from support.office import API, Office, user_id
from support.uploading import sent
from support.workshop import scripted, workshop_in

MAIL, OWN = "zanzibar", "quetzal"
ADDRESS = f"sam@{MAIL}.example"
PEOPLE = ("nobody", "stranger", "reader", "writer", "admin", "operator", "shown", "sender")
SHARERS = ("shown", "sender")


@dataclass
class Private:
    """Sam, whose things they are, and everybody else."""

    office: Office
    sam: httpx.AsyncClient
    people: dict[str, httpx.AsyncClient]
    workspace_id: str
    ids: dict[str, str]  # of Sam's things, by the path parameter that names them
    names: dict[str, str]  # virtual ids of Sam's things, by kind

    def words(self, person: str) -> tuple[str, ...]:
        """What this person must not meet."""
        return (OWN,) if person in SHARERS else (MAIL, OWN)

    def found(self, person: str, *texts: str) -> set[str]:
        """Those of Sam's words that a text holds and this person must not meet."""
        whole = "\n".join(texts).casefold()
        return {word for word in self.words(person) if word in whole}

    def reads(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Every tool that reads, with arguments that ask for Sam's things by name."""
        wanted: dict[str, Any] = {
            "query": MAIL,
            "email_id": self.names["email"],
            "account": "Zanzibar post",
            "path": "Files",
            "id": self.names["note"],
            "caseId": self.ids["case_id"],
            "memory_id": self.names["note"],
        }
        for tool in self.office.product[Registry]:
            if tool.effect == "read":
                fields = tool.parameters["properties"]
                for chosen in (set(fields), set(tool.parameters.get("required", ()))):
                    yield tool.name, {name: wanted[name] for name in chosen if name in wanted}


async def private_in(office: Office) -> Private:
    """Fill an office."""
    await office.set(rate_limit_percent=100_000)
    owner = await office.owner()
    space = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    people = {"nobody": office.browser(), "operator": office.operator, "admin": owner}
    roles = {"reader": "read", "writer": "write", "shown": "write", "sender": "write"}
    for name in ("stranger", *roles):
        people[name] = await office.member(name)
    sam = await office.member("sam")
    for name, role in {**roles, "sam": "write"}.items():
        body = {"email": f"{name}@example.com", "role": role}
        added = await owner.post(f"{API}/workspaces/{space}/members", json=body)
        assert added.status_code == 201, added.text
    ids, names = await _things(office, sam, space)
    for name, right in (("shown", "read"), ("sender", "send")):
        share = f"{API}/accounts/{ids['account_id']}/shares/{await user_id(people[name])}"
        assert (await sam.put(share, json={"right": right})).status_code == 200
    return Private(office, sam, people, space, ids, names)


async def _things(
    office: Office, sam: httpx.AsyncClient, space: str
) -> tuple[dict[str, str], dict[str, str]]:
    async def post(path: str, body: Any = None, **query: Any) -> Any:
        made = await sam.post(f"{API}{path}", json=body, params=query)
        assert made.is_success, (path, made.text)
        return made.json()

    here = {"workspaceId": space}
    account = {**here, "connector": "local", "label": "Zanzibar post"}
    account_id = (await post("/accounts", account | {"settings": {"address": ADDRESS}}))["id"]
    bag = await mailbag_in(office)
    paper = (f"{MAIL}-paper.pdf", "application/pdf", f"%PDF {MAIL}".encode())
    agent = {**here, "name": "Ada", "kind": "director"}
    director = (await post("/agents", agent))["id"]
    filter = {**here, "field": "Subject", "regex": f"{MAIL}|{OWN}", "name": f"{OWN} filter"}
    filter_id = (await post("/filters", filter | {"directorId": director}))["id"]
    mail = letter(
        f"{MAIL} plan", f"the {MAIL} text", sender=f"Zoe {MAIL} <zoe@{MAIL}.example>", files=[paper]
    )
    mail_id = await bag.got(account_id, mail)
    sent = letter(f"re {MAIL}", f"my {MAIL} answer", sender=ADDRESS, to=f"kit@{MAIL}.example")
    await bag.got(account_id, sent, "Sent")
    tools = f"/workspaces/{space}/tools"
    new = {"to": [f"kit@{MAIL}.example"], "subject": f"{MAIL} letter", "body": f"{MAIL} body"}
    outgoing = (await post(f"{tools}/send_email", {"arguments": new}))["result"]["outbox_id"]
    contact = {"address": f"ann@{OWN}.example", "name": f"Ann {OWN}"}
    contact_id = (await post(f"/workspaces/{space}/contacts", contact))["id"]
    memory = await post("/memory", {"content": f"a {OWN} memory", "tags": [OWN]}, **here)
    await post("/memory", {"content": f"a shared {OWN} memory", "reach": "shared"}, **here)
    program = await office.token(sam, "read", "write")
    asked = {"to": ["new@elsewhere.example"], "subject": f"{OWN} asks", "body": f"{OWN} body"}
    waiting = await program.post(f"{API}{tools}/send_email", json={"arguments": asked})
    missing = {"arguments": {"path": f"Files/{OWN}.txt"}}
    assert (await sam.post(f"{API}{tools}/read_file", json=missing)).is_error, (
        "audited all the same"
    )
    more = await cases_in(
        office, sam, bag, account_id, mail=letter(f"{MAIL} case", f"the {MAIL} case"), word=MAIL
    )
    run_id, schedule_id, position = await _runs(office, sam, space)
    audit = (await sam.get(f"{API}/audit")).json()["items"]
    actions = (await sam.get(f"{API}/actions")).json()["items"]
    ids = {
        "account_id": account_id,
        "action_id": next(each["id"] for each in actions if each["tool"] == "memory_add"),
        "approval_id": waiting.json()["approvalId"],
        "contact_id": contact_id,
        "entry_id": next(each["id"] for each in audit if OWN in str(each)),
        "filter_id": filter_id,
        "mail_id": mail_id,
        "mail_thread_id": (await bag.row(mail_id)).thread_id,
        "member_id": "*",
        "memory_id": memory["memory"]["id"],
        "outgoing_id": outgoing,
        "number": "0",
        "part": "2",
        "position": position,
        "run_id": run_id,
        **await _thread(sam),
        "schedule_id": schedule_id,
        "session_id": run_id,
        "token_id": (await sam.get(f"{API}/tokens")).json()["items"][0]["id"],
        "user_id": await user_id(sam),
        "workspace_id": space,
        **await _files(office, sam),
        **more,
    }
    shown = (await sam.get(f"{API}/mail/{mail_id}")).json()
    note = memory["memory"].get("virtualId") or memory["memory"]["id"]
    return ids, {"email": shown["virtualId"], "note": note}


async def _runs(office: Office, sam: httpx.AsyncClient, space: str) -> tuple[str, str, str]:
    """A conversation of Sam's that came to an end, and a schedule."""
    shop = await workshop_in(office)
    with scripted(says(f"The {OWN} answer.")) as server:
        agent = await shop.agent(
            name="Worker", modelId=await shop.model(server), shared=True, workspaceId=space
        )
        query, text = {"name": f"{OWN}.txt"}, f"what {OWN} is"
        file = await sam.post(f"{API}/sessions/uploads", params=query, content=text)
        assert file.status_code == 201, file.text
        begin = {"content": f"Tell me of the {OWN}.", "files": [file.json()["id"]]}
        started = await sam.post(f"{API}/agents/{agent['id']}/sessions", json=begin)
        assert started.status_code == 201, started.text
        run = started.json()
        await shop.drive()
    body = {"workspaceId": space, "agentId": agent["id"], "name": f"{OWN} rounds"}
    body |= {"words": f"Look after the {OWN}.", "timing": "every hour"}
    schedule = await sam.post(f"{API}/schedules", json=body)
    assert schedule.status_code == 201, schedule.text
    seen = await sam.get(f"{API}/sessions/{run['id']}")
    assert OWN in seen.text, "it came to an answer"
    (asked,) = [each for each in seen.json()["messages"] if each["files"]]
    return run["id"], schedule.json()["id"], str(asked["position"])


async def _thread(sam: httpx.AsyncClient) -> dict[str, str]:
    """The thread that Sam's conversation is."""
    (thread,) = (await sam.get(f"{API}/threads")).json()["items"]
    said = (await sam.get(f"{API}/threads/{thread['id']}/messages")).json()["items"]
    assert OWN in str(said)
    body = {"threadId": thread["id"], "title": f"{OWN} report", "data": f"of {OWN}"}
    made = await sam.post(f"{API}/artifacts", json=body)
    assert made.status_code == 201, made.text
    artifact = made.json()["artifact"]["artifactId"]
    return {"thread_id": thread["id"], "message_id": said[-1]["id"], "artifact_id": artifact}


async def _files(office: Office, sam: httpx.AsyncClient) -> dict[str, str]:
    """A file with its preview, and an upload that is under way."""
    file = await sent(sam, f"{OWN}.txt", f"the {OWN} words".encode(), description=OWN)
    await previews.make(office.product, file["file_id"])
    begun = await sam.post(f"{API}/files/uploads", json={"title": OWN, "size": 9})
    return {"file_id": file["file_id"], "upload_id": begun.json()["upload_id"]}


def parameters(path: str) -> list[str]:
    """The names in a path."""
    return re.findall(r"{(\w+)}", path)
