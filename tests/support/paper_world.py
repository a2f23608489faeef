"""A small office of plain dictionaries, its tools, and a loop that feeds their answers back.

The tools have the names and the schemas that the product's have, so that what works here works
there; the answers are JSON, as a run puts them into its transcript.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from bailiwick.llm.chat import ModelRequest, ModelToolCall, OfferedTool
from bailiwick.offline.answer import answer

TODAY = date(2026, 11, 11)  # a Wednesday
TEXT = {"type": "string"}
PATH = {"type": "string", "minLength": 1}


def offered(name: str, description: str, required: str = "", /, **properties: Any) -> OfferedTool:
    shape = {
        "type": "object",
        "properties": properties,
        "required": required.split(),
        "additionalProperties": False,
    }
    return OfferedTool(name, description, shape)


DUE = {"type": "string", "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
FILES = (
    offered(
        "list_files",
        "List the files and folders in a folder. Without a path, the notebooks: every path "
        "begins with the name of one.",
        path=TEXT,
        recursive={"type": "boolean", "default": False},
        limit={"type": "integer", "minimum": 1, "maximum": 500},
    ),
    offered("read_file", "Read the text of a file.", "path", path=PATH, offset={"type": "integer"}),
    offered(
        "search_content",
        "Find files whose name or text contains these words exactly as they stand.",
        "query",
        query={"type": "string", "minLength": 1, "maxLength": 200},
        path=TEXT,
    ),
    offered("get_file_metadata", "Get the size and the type of a file.", "path", path=PATH),
    offered("create_file", "Create a new text file.", "path content", path=PATH, content=TEXT),
    offered(
        "write_file", "Replace the whole text of a file.", "path content", path=PATH, content=TEXT
    ),
    offered("move_file", "Move a file to another folder.", "path to", path=PATH, to=PATH),
    offered("delete_file", "Delete a file.", "path", path=PATH),
)
TASKS = (
    offered(
        "list_tasks",
        "List tasks of this workspace.",
        status={"enum": ["open", "done", "all"], "default": "open"},
        limit={"type": "integer", "minimum": 1, "maximum": 200},
    ),
    offered("create_task", "Put a new task on the list.", "title", title=TEXT, notes=TEXT, due=DUE),
    offered("update_task", "Change a task.", "task_id", task_id=TEXT, title=TEXT, due=DUE),
    offered("complete_task", "Tick a task off as done.", "task_id", task_id=TEXT),
    offered("delete_task", "Take a task off the list.", "task_id", task_id=TEXT),
)
MEMORIES = (
    offered("memory_search", "Find memories that hold every word.", "query", query=TEXT),
    offered(
        "memory_add",
        "Remember something for later.",
        "content",
        content=TEXT,
        reach={"enum": ["local", "shared", "global"]},
    ),
)
MAIL = (
    offered("list_emails", "List the newest mails.", limit={"type": "integer"}),
    offered("search_emails", "Find mails by words.", "query", query=TEXT),
    offered("read_email", "Read a mail.", "email_id", email_id=TEXT),
    offered(
        "send_email",
        "Send a mail.",
        "to subject body",
        to={"type": "array", "items": TEXT},
        subject=TEXT,
        body=TEXT,
    ),
)
ALL = (*FILES, *TASKS, *MEMORIES)
Used = tuple[str, dict[str, Any]]


@dataclass
class World:
    """What there is, and what was done to it."""

    files: dict[str, str] = field(default_factory=dict[str, str])
    folders: list[str] = field(default_factory=list[str])
    tasks: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    memories: list[str] = field(default_factory=list[str])
    mails: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    refused: Mapping[str, str] = field(default_factory=dict[str, str])  # by tool: the reason
    others: dict[str, Callable[..., Any]] = field(default_factory=dict[str, Callable[..., Any]])
    calls: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )

    def use(self, name: str, arguments: dict[str, Any]) -> Any:
        self.calls.append((name, arguments))
        if reason := self.refused.get(name):
            return {"status": "denied", "code": "blocked", "reason": reason}
        tool = self.others.get(name) or getattr(self, f"_{name}")
        try:
            return tool(**arguments)
        except KeyError as missing:
            return {"status": "denied", "code": "not_found", "reason": f"There is no {missing}."}

    def used(self, name: str) -> list[dict[str, Any]]:
        return [arguments for tool, arguments in self.calls if tool == name]

    def _list_files(self, path: str = "", *, recursive: bool = False, limit: int = 100) -> Any:
        every = set(self.folders)
        for file in self.files:
            parts = file.split("/")[:-1]
            every |= {"/".join(parts[: end + 1]) for end in range(len(parts))}
        if not path:
            tops = sorted(folder for folder in every if "/" not in folder)
            return {"files": [{"path": top, "kind": "notebook"} for top in tops], "more": False}
        if path not in every:
            raise KeyError(path)
        shown = [{"path": each, "kind": "folder"} for each in sorted(every)]
        shown += [_shown(file) for file in sorted(self.files)]
        under = [each for each in shown if each["path"].startswith(path + "/")]
        deep = [e for e in under if recursive or "/" not in e["path"][len(path) + 1 :]]
        return {"files": deep[:limit], "more": len(deep) > limit}

    def _read_file(self, path: str, offset: int = 0) -> Any:
        return {**_shown(path), "content": self.files[path][offset:], "next_offset": None}

    def _search_content(self, query: str, path: str = "") -> Any:
        found = [
            {**_shown(file), "lines": [line for line in text.splitlines() if _in(query, line)][:3]}
            for file, text in self.files.items()
            if file.startswith(path) and (_in(query, file) or _in(query, text))
        ]
        return {"files": found, "more": False}

    def _get_file_metadata(self, path: str) -> Any:
        return {**_shown(path), "size": len(self.files[path]), "type": "text/markdown"}

    def _create_file(self, path: str, content: str) -> Any:
        if path in self.files:
            return {"status": "denied", "code": "conflict", "reason": f"{path} already exists."}
        self.files[path] = content
        return {"path": path, "status": "created"}

    def _write_file(self, path: str, content: str) -> Any:
        self.files[path], _ = content, self.files[path]
        return {"path": path, "status": "changed"}

    def _move_file(self, path: str, to: str) -> Any:
        self.files[to] = self.files.pop(path)
        return {"path": to, "status": "moved"}

    def _delete_file(self, path: str) -> Any:
        del self.files[path]
        return {"path": path, "status": "deleted"}

    def _list_tasks(self, status: str = "open", limit: int = 50) -> Any:
        kept = [task for task in self.tasks if status in ("all", task["status"])]
        return {"tasks": kept[:limit], "more": False}

    def _create_task(self, title: str, due: str | None = None, notes: str = "") -> Any:
        made = {"id": f"tsk-{len(self.tasks)}", "title": title, "due": due, "status": "open"}
        self.tasks.append(made)
        return made

    def _task(self, task_id: str) -> dict[str, Any]:
        return {task["id"]: task for task in self.tasks}[task_id]

    def _update_task(self, task_id: str, **changes: Any) -> Any:
        self._task(task_id).update(changes)
        return self._task(task_id)

    def _complete_task(self, task_id: str) -> Any:
        return self._update_task(task_id, status="done")

    def _delete_task(self, task_id: str) -> Any:
        return self._update_task(task_id, status="deleted")

    def _memory_search(self, query: str) -> Any:
        words = query.lower().split()
        found = [m for m in self.memories if all(word in m.lower() for word in words)]
        return {"memories": [{"id": "mem-1", "content": m, "tags": []} for m in found]}

    def _memory_add(self, content: str, reach: str = "local") -> Any:
        self.memories.append(content)
        return {"id": f"mem-{len(self.memories)}", "content": content, "reach": reach}

    def _list_emails(self, limit: int = 20) -> Any:
        return {"emails": [_head(mail) for mail in self.mails][:limit]}

    def _search_emails(self, query: str) -> Any:
        return {"emails": [_head(mail) for mail in self.mails if _in(query, str(mail))]}

    def _read_email(self, email_id: str) -> Any:
        return {mail["id"]: mail for mail in self.mails}[email_id]

    def _send_email(self, to: list[str], subject: str, body: str) -> Any:
        return {"id": "sent-1", "status": "sent"}


@dataclass
class Told:
    """How a request ended."""

    text: str
    messages: list[dict[str, Any]]


async def ask(
    world: World,
    request: str,
    *,
    tools: tuple[OfferedTool, ...] = ALL,
    system: str = "",
    before: list[dict[str, Any]] | None = None,
) -> Told:
    """Put a request to the offline model, and let it call tools until it has an answer."""
    messages = [*(before or [{"role": "system", "content": system or _SYSTEM}])]
    messages.append({"role": "user", "content": request})
    for _ in range(20):
        pieces = [piece async for piece in answer(ModelRequest(messages, tools))]
        calls = [piece for piece in pieces if isinstance(piece, ModelToolCall)]
        text = "".join(piece for piece in pieces if isinstance(piece, str))
        said: dict[str, Any] = {"role": "assistant", "content": text}
        if calls:
            said["tool_calls"] = [_as_call(call) for call in calls]
        messages.append(said)
        if not calls:
            return Told(text, messages)
        for call in calls:
            result = world.use(call.name, json.loads(call.arguments))
            content = result if isinstance(result, str) else json.dumps(result)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    raise AssertionError(f"it never came to an end: {world.calls}")


_SYSTEM = f"You help with files and tasks. Today is {TODAY.isoformat()}."


def _as_call(call: ModelToolCall) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _shown(path: str) -> dict[str, Any]:
    return {"path": path, "kind": "file", "id": f"file:{path}", "modified": "2026-01-05T10:00:00"}


def _head(mail: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in mail.items() if key != "body"}


def _in(query: str, text: str) -> bool:
    return query.casefold() in text.casefold()
