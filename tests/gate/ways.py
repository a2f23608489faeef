"""The ways in to the gate, each as an attempt at one effect.

A way gets everything ready and yields the name of the tool; then it makes its attempt, and yields
whether it happened.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from datetime import datetime
from typing import Any

import httpx

from support.model_server import Request, Turn, calls, says
from support.office import API
from support.workshop import Workshop, scripted

Way = Callable[[Workshop, str], AsyncGenerator[Any]]
WAYS: list[Way] = []
SCOPE = {"read": True, "create": True, "write": True, "notebooks": ["*"]}


def way(found: Way) -> Way:
    """One of them."""
    WAYS.append(found)
    return found


def wants(title: str) -> Callable[[Request], Turn]:
    """A model that puts a task on the list, and is content whatever comes of it."""
    wish = calls("create_task", {"title": title})
    return lambda asked: says("So be it.") if asked.results else wish


async def has_task(shop: Workshop, title: str) -> bool:
    query = {"status": "all", "PageSize": 100}
    found = (await shop.owner.get(f"{API}/tasks", params=query)).json()["items"]
    return title in {task["title"] for task in found}


async def remembered(shop: Workshop) -> list[str]:
    query = {"workspaceId": shop.workspace_id, "PageSize": 100}
    found = (await shop.owner.get(f"{API}/memory", params=query)).json()["items"]
    return [memory["content"] for memory in found]


async def use(shop: Workshop, tool: str, /, **arguments: Any) -> httpx.Response:
    path = f"{API}/workspaces/{shop.workspace_id}/tools/{tool}"
    return await shop.owner.post(path, json={"arguments": arguments})


@way
async def an_agent_in_a_session(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    with scripted(wants(title)) as server:
        agent = await shop.agent(name=title, modelId=await shop.model(server, name=title))
        yield "create_task"
        await shop.ask(agent, f"Put {title} on the list.")
    yield await has_task(shop, title)


@way
async def an_agent_at_a_task(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    with scripted(wants(f"{title}, done")) as server:
        agent = await shop.agent(name=title, modelId=await shop.model(server, name=title))
        body = {"workspaceId": shop.workspace_id, "title": title, "assignedTo": agent["id"]}
        assert (await shop.owner.post(f"{API}/tasks", json=body)).is_success
        yield "create_task"
        await shop.drive()
    yield await has_task(shop, f"{title}, done")


@way
async def an_agent_on_a_schedule(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    with scripted(wants(title)) as server:
        agent = await shop.agent(name=title, modelId=await shop.model(server, name=title))
        body = {
            "workspaceId": shop.workspace_id,
            "agentId": agent["id"],
            "name": title,
            "words": "Do it.",
            "timing": "every day at 8",
        }
        made = (await shop.owner.post(f"{API}/schedules", json=body)).json()
        yield "create_task"
        assert await shop.due(made, datetime.fromisoformat(made["nextAt"])) == "begun"
        await shop.drive()
    yield await has_task(shop, title)


ORDER = "Have it done."


async def directed(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    """A director with one agent: yields the tool by which it is asked, then the session."""

    def answer(asked: Request) -> Turn:
        if asked.results:
            return says("So be it.")
        if asked.last == ORDER:
            return calls(tool, {"input": "Do it."})
        return calls("create_task", {"title": title})

    with scripted(answer) as server:
        model = await shop.model(server, name=title)
        helper = await shop.agent(name=f"{title} helper", modelId=model)
        colleagues = [helper["id"]]
        director = await shop.agent(
            name=title, kind="director", modelId=model, colleagues=colleagues
        )
        tool = f"agent__{title.lower()}_helper"
        yield tool
        yield await shop.ask(director, ORDER)


@way
async def a_director_who_asks_an_agent(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    async with aclosing(directed(shop, title)) as steps:
        yield await anext(steps)
        yield (await anext(steps))["children"]


@way
async def an_agent_whom_a_director_asks(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    async with aclosing(directed(shop, title)) as steps:
        await anext(steps)
        yield "create_task"
        assert (await anext(steps))["children"]
    yield await has_task(shop, title)


@way
async def an_allowed_approval(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    with scripted(wants(title)) as server:
        model = await shop.model(server, name=title)
        agent = await shop.agent(name=title, modelId=model, askWrites=True)
        session = await shop.ask(agent, f"Put {title} on the list.")
        approval = session["pendingActions"][0]["approval"]["id"]
        allowed = await shop.owner.post(f"{API}/approvals/{approval}/allow", json={})
        assert allowed.is_success, allowed.text
        yield "create_task"
        await shop.drive()
    yield await has_task(shop, title)


@way
async def an_undo(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    action = (await use(shop, "create_task", title=title)).json()["actionId"]
    assert await has_task(shop, title)
    yield "delete_task"  # which is what it does
    await shop.owner.post(f"{API}/actions/{action}/undo")
    yield not await has_task(shop, title)


@way
async def a_person_by_rest(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    yield "create_task"
    await use(shop, "create_task", title=title)
    yield await has_task(shop, title)


@way
async def a_persons_program_by_rest(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    program = await shop.office.token(shop.owner, "read", "write")
    path = f"{API}/workspaces/{shop.workspace_id}/tools/create_task"
    yield "create_task"
    await program.post(path, json={"arguments": {"title": title}})
    yield await has_task(shop, title)


@way
async def the_tasks_page(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    yield "create_task"
    body = {"workspaceId": shop.workspace_id, "title": title}
    await shop.owner.post(f"{API}/tasks", json=body)
    yield await has_task(shop, title)


def task_page(tool: str, method: str, body: dict[str, Any] | None) -> None:
    """What the page of tasks does to one that is there."""

    async def attempt(shop: Workshop, title: str) -> AsyncGenerator[Any]:
        body_of_new = {"workspaceId": shop.workspace_id, "title": title}
        task = (await shop.owner.post(f"{API}/tasks", json=body_of_new)).json()["task"]
        path = f"{API}/tasks/{task['id']}"
        yield tool
        await shop.owner.request(method, path, json=body)
        now = await shop.owner.get(path)
        yield now.json() != task

    attempt.__name__ = f"the_tasks_page_{tool}"
    way(attempt)


task_page("update_task", "PATCH", {"title": "Another title"})
task_page("complete_task", "PATCH", {"completed": True})
task_page("delete_task", "DELETE", None)


def memory_page(tool: str, method: str, body: dict[str, Any] | None) -> None:
    """What the page of memories does to one that is there."""

    async def attempt(shop: Workshop, title: str) -> AsyncGenerator[Any]:
        made = await shop.owner.post(f"{MEMORY}{shop.workspace_id}", json={"content": title})
        memory = made.json()["memory"]
        path = f"{API}/memory/{memory['id']}"
        yield tool
        await shop.owner.request(method, path, json=body)
        now = await shop.owner.get(path)
        yield now.json() != memory

    attempt.__name__ = f"the_memory_page_{tool}"
    way(attempt)


MEMORY = f"{API}/memory?workspaceId="
memory_page("memory_edit", "PATCH", {"content": "Something else"})
memory_page("memory_move", "PATCH", {"reach": "global"})
memory_page("memory_delete", "DELETE", None)


@way
async def the_memory_page(shop: Workshop, title: str) -> AsyncGenerator[Any]:
    yield "memory_add"
    await shop.owner.post(f"{MEMORY}{shop.workspace_id}", json={"content": title})
    yield title in await remembered(shop)


def mcp(version: str | None) -> None:
    """A program from outside: the newer protocols take the short way, the others the SDK's."""

    async def attempt(shop: Workshop, title: str) -> AsyncGenerator[Any]:
        body = {"name": title, "workspaceId": shop.workspace_id, "scope": SCOPE}
        token = (await shop.owner.post(f"{API}/clients", json=body)).json()["token"]
        headers = {"Accept": "application/json, text/event-stream"}
        headers |= {"MCP-Protocol-Version": version} if version else {}
        params = {"name": "create_task", "arguments": {"title": title}}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        yield "create_task"
        await shop.office.program(token).post("/mcp", json=message, headers=headers)
        yield await has_task(shop, title)

    attempt.__name__ = f"mcp_by_http_{version or 'of_old'}"
    way(attempt)


mcp("2025-11-25")
mcp(None)
