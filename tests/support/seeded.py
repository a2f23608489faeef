"""Someone who knows the source documents alone, in an office that has a little of everything."""

import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bailiwick.cases import opening
from support.mailroom import Mailroom, letter
from support.model_server import Answer, Request, Turn, calls, says
from support.office import API
from support.talk import Talk
from support.tray import Tray
from support.uploading import ABOUT, linked, send, sent
from support.workshop import Workshop, scripted, workshop_in

ASKING = "agent__"


@dataclass
class Newcomer:
    """Sends what a document sends, with ids of things that were just made."""

    room: Mailroom
    shop: Workshop
    account: str
    numbers: Iterator[int] = field(default_factory=itertools.count)
    waiting: str = ""  # the session in which something waits
    case: str = ""
    thread: str = ""

    @property
    def owner(self) -> httpx.AsyncClient:
        return self.room.owner

    async def filled(self, sent: Any) -> Any:
        """The same with every name in <> made and filled in."""
        match sent:
            case dict():
                return {name: await self.filled(value) for name, value in sent.items()}
            case list():
                return [await self.filled(value) for value in sent]
            case str() if sent.startswith("<"):
                return await self._makers[sent]()
            case _:
                return sent

    async def request(self, line: dict[str, Any]) -> httpx.Response:
        """Call an endpoint as the document does."""
        method, path = line["here"].split()
        body = await self.filled(line.get("sends"))
        for name, make in self._in_paths.items():
            if name in path:
                path = path.replace(name, await make())
        query = {"workspaceId": self.room.workspace_id} if method == "GET" else {}
        self.waiting = ""
        headers = {"X-Assistant-Id": await self._agent()} if path.endswith("/threads") else {}
        if method == "POST" and path == f"{API}/files":
            return await send(self.owner, "Q4_Financial_Report.pdf", b"%PDF-1.4", **ABOUT)
        return await self.owner.request(method, path, params=query, json=body, headers=headers)

    async def use(self, tool: str, arguments: dict[str, Any]) -> str:
        """Call a tool as the document does; what came of it."""
        given = await self.filled(arguments)
        if tool == "create_suggestion":
            await self._paper()
        if tool.startswith(ASKING):
            return (await self.directed(given))["calls"][0]["status"]
        answer = await self.room.use(tool, **given)
        return answer.json()["status"] if answer.is_success else answer.json()["detail"]

    async def directed(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """The session of a director that asks the agent it has."""

        def answer(asked: Request) -> Turn:
            name = next((tool for tool in asked.tools if tool.startswith(ASKING)), None)
            return calls(name, arguments) if name and not asked.results else says("Done.")

        return await self.asked(answer)

    async def talk(self) -> None:
        """A conversation in which all happens that the document tells of."""
        number = next(self.numbers)
        made = calls("create_artifact", {"title": "Report", "content": "All is well."})
        with scripted(made, says("Done.")) as server:
            model = await self.shop.model(server, name=f"Scripted {number}")
            talk = Talk(self.shop, await self.shop.agent(name=f"Talker {number}", modelId=model))
            thread = await talk.thread()
            file = await sent(self.owner, "Q4_Market_Report.pdf", b"%PDF-1.4")
            attached = [{"file_id": file["file_id"], "title": file["title"]}]
            said = await talk.post(thread, "Hello", attachments=attached)
        link = (await linked(self.owner, file, thread["id"])).json()["download_url"]
        assert (await self.owner.get(link)).is_success
        where = f"{API}/threads/{thread['id']}"
        message = f"{where}/messages/{said['id']}"
        await self.owner.patch(message, json={"content": "Hello there"})
        for action in ("add", "remove"):
            body = {"emoji": "thumbsup", "action": action}
            await self.owner.post(f"{message}/reactions", json=body)
        await self.owner.patch(where, json={"status": "archived"})

    async def asked(self, *script: Turn | Answer) -> dict[str, Any]:
        """The session of a director with one agent, whose model says this."""
        number = next(self.numbers)
        with scripted(*script) as server:
            model = await self.shop.model(server, name=f"Scripted {number}")
            other = await self.shop.agent(name=f"Helper {number}", modelId=model)
            director = await self.shop.agent(
                name=f"Director {number}", kind="director", modelId=model, colleagues=[other["id"]]
            )
            return await self.shop.ask(director, "Have it done.")

    @property
    def _makers(self) -> dict[str, Callable[[], Awaitable[str]]]:
        return {
            "<workspace>": self._workspace,
            "<user>": self._user,
            "<account>": self._account,
            "<email>": self._email,
            "<file>": self._file,
            "<upload>": self._upload,
            "<inner>": self._inner,
            "<new>": self._new_path,
            "<folder>": self._folder,
            "<template>": self._template,
            "<task>": self._task,
            "<memory>": self._memory,
            "<action>": self._action,
            "<case>": self._case,
            "<item>": self._item,
        }

    @property
    def _in_paths(self) -> dict[str, Callable[[], Awaitable[str]]]:
        return {
            "{agent_id}": self._agent,
            "{session_id}": self._session,
            "{account_id}": self._account_id,
            "{key}": self._key,
            "{case_id}": self._case,
            "{item_id}": self._item_id,
            "{node_id}": self._node,
            "{thread_id}": self._thread,
            "{message_id}": self._message,
            "{emoji}": self._emoji,
            "{file_id}": self._upload,
            "{suggestion_id}": self._suggestion,
        }

    async def _node(self) -> str:
        case = await self.owner.get(f"{API}/cases/{await self._case()}")
        return case.json()["runId"]

    async def _thread(self) -> str:
        assistant = {"X-Assistant-Id": await self._agent()}
        made = await self.owner.post(f"{API}/threads", json={}, headers=assistant)
        self.thread = made.json()["id"]
        return self.thread

    async def _message(self) -> str:
        said = {"content": "Hello"}
        made = await self.owner.post(f"{API}/threads/{self.thread}/messages", json=said)
        return made.json()["id"]

    async def _upload(self) -> str:
        return (await sent(self.owner, "Q4_Market_Report.pdf", b"%PDF-1.4"))["file_id"]

    async def _emoji(self) -> str:
        return "thumbsup"

    async def _paper(self) -> None:
        """The paper of the organiser's document, in the inbox, and the folder where it belongs."""
        for path in ("inbox/W2_2024.pdf", "work/hotstar/compensation/W2_2023.pdf"):
            found = await self.room.use("get_file_metadata", path=f"Files/{path}")
            if not found.is_success:
                await self.room.done("create_file", path=f"Files/{path}", content=f"Form {path}")
        await Tray(self.shop, Path()).indexed()

    async def _suggestion(self) -> str:
        await self._paper()
        made = await self.room.done(
            "create_suggestion",
            file_path="inbox/W2_2024.pdf",
            target_folder="work/hotstar/compensation/",
            reasoning="W-2 is a tax form from your employer Hotstar...",
            confidence=0.92,
        )
        return made["id"]

    def _new_name(self) -> str:
        return f"n{next(self.numbers)}"

    async def _workspace(self) -> str:
        return self.room.workspace_id

    async def _user(self) -> str:
        return self.room.owner_id

    async def _account(self) -> str:
        return (await self.room.done("list_accounts"))["accounts"][0]["id"]

    async def _account_id(self) -> str:
        return self.account

    async def _email(self) -> str:
        await self.room.got(self.account, letter(subject=self._new_name()))
        return (await self.room.done("list_emails"))["emails"][0]["id"]

    async def _folder(self) -> str:
        return (await self._file()).rpartition("/")[0]

    async def _template(self) -> str:
        name = self._new_name()
        await self.room.done(
            "create_file", path=f"Files/templates/{name}.md", content="# {{title}}"
        )
        return name

    async def _new_path(self) -> str:
        return f"Files/notes/{self._new_name()}.md"

    async def _file(self) -> str:
        made = await self.room.done("create_file", path=await self._new_path(), content="rent")
        return made["path"]

    async def _task(self) -> str:
        return (await self.room.done("create_task", title="Pay"))["id"]

    async def _inner(self) -> str:
        return (await self._file()).partition("/")[2]

    async def _memory(self) -> str:
        return (await self.room.done("memory_add", content=self._new_name()))["id"]

    async def _agent(self) -> str:
        id = (await self.shop.agent(name=self._new_name()))["id"]
        secret = {"keyName": await self._key(), "value": "sk-x"}
        made = await self.owner.post(f"{API}/agents/{id}/credentials", json=secret)
        assert made.is_success, made.text
        return id

    async def _key(self) -> str:
        return "api_key"

    async def _session(self) -> str:
        if self.waiting:
            return self.waiting
        return (await self.shop.start({"id": await self._agent()}, None))["id"]

    async def _case(self) -> str:
        """A case: a mail that a filter gave to a director."""
        if not self.case:
            director = await self.shop.agent(name=self._new_name(), kind="director")
            about = {"workspaceId": self.room.workspace_id, "directorId": director["id"]}
            made = await self.owner.post(
                f"{API}/filters", json=about | {"field": "Subject", "regex": "For a case"}
            )
            assert made.is_success, made.text
            await self.room.got(self.account, letter(subject="For a case"))
            await opening.open_cases(self.room.office.product, self.account)
            (case,) = (await self.owner.get(f"{API}/cases")).json()["items"]
            self.case = case["id"]
        return self.case

    async def _item_id(self) -> str:
        body = {"label": self._new_name(), "data": "Dear Cleo"}
        made = await self.owner.post(f"{API}/cases/{await self._case()}/items", json=body)
        return made.json()["item"]["id"]

    async def _item(self) -> str:
        """The name under which tools know a new item."""
        case = await self._case()
        made = await self.room.done("workspace_add_item", caseId=case, data="Dear Cleo")
        return made["item"]["id"]

    async def _action(self) -> str:
        """Something that waits for a person in a session."""
        with scripted(calls("create_task", {"title": "Pay"}), says("Done.")) as server:
            model = await self.shop.model(server, name=self._new_name())
            agent = await self.shop.agent(name=self._new_name(), modelId=model, askWrites=True)
            session = await self.shop.ask(agent, "Do it.")
        self.waiting = session["id"]
        return session["pendingActions"][0]["id"]


async def newcomer_in(room: Mailroom) -> Newcomer:
    account = await room.connect(routeFrom="all")
    await room.got(account, letter(subject="The rent"))
    return Newcomer(room, await workshop_in(room.office), account)
