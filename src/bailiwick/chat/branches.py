"""The tree of a thread's messages, and the path through it that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.chat import repository
from bailiwick.chat.models import Thread


@dataclass(slots=True)
class Branches:
    """Who follows whom, by id."""

    parents: dict[str, str | None] = field(default_factory=dict[str, str | None])
    children: dict[str | None, list[str]] = field(default_factory=dict[str | None, list[str]])
    runs: dict[str, str | None] = field(default_factory=dict[str, str | None])

    def path(self, head: str | None) -> list[str]:
        """From the first message to this one."""
        found = list[str]()
        while head is not None and head in self.parents:
            found.append(head)
            head = self.parents[head]
        return found[::-1]

    def siblings(self, id: str) -> list[str]:
        """A message, and what was said in its place, oldest first."""
        return self.children.get(self.parents.get(id), [id])

    def newest_below(self, id: str) -> str:
        """The last message of the newest branch that goes through a message."""
        while following := self.children.get(id):
            id = following[-1]
        return id

    def run_at(self, head: str | None) -> str | None:
        """The run that the last words of a path belong to."""
        return next((self.runs[id] for id in reversed(self.path(head)) if self.runs[id]), None)


async def branches(session: AsyncSession, thread: Thread) -> Branches:
    """The tree of a thread."""
    found = Branches()
    for id, parent, _, run_id, _ in await repository.tree(session, thread.id):
        found.parents[id], found.runs[id] = parent, run_id
        found.children.setdefault(parent, []).append(id)
    return found


def visible(path: Sequence[str], hidden: set[str]) -> list[str]:
    """What of a path people see."""
    return [id for id in path if id not in hidden]
