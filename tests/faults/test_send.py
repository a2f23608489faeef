"""kill -9 around the hand-over of a mail: it goes out once, or a person is asked; never twice."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from bailiwick.config import Settings
from bailiwick.mail.models import Outgoing
from bailiwick.office import storage_of
from support.office import API
from support.post import NAME, Post, bailiwick_with_post
from support.processes import Forked
from support.server import Server, free_port, wait_for

pytestmark = pytest.mark.req("MAIL-06")


class PostServer(Server):
    """A server that has the scripted connector."""

    def _started(self, env: dict[str, str]) -> Forked:
        return Forked(bailiwick_with_post, "serve", env=env, out=self.log)


class World:
    """A server with one account, that can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.data, self.port = folder / "data", free_port()
        self.post = Post(folder / "post")
        self.server = PostServer(self.data, self.port).wait_ready()
        self.owner = self.server.owner()
        self.workspace = self.owner.get(f"{API}/workspaces").json()["items"][0]["id"]
        self.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": 0})
        settings = {"folder": str(self.post.folder), "address": "me@office.example"}
        body = {"workspaceId": self.workspace, "connector": NAME, "settings": settings}
        made = self.owner.post(f"{API}/accounts", json=body)
        assert made.status_code == 201, made.text

    def send(self, subject: str) -> str:
        arguments = {"to": ["ada@example.org"], "subject": subject, "body": "x"}
        path = f"{API}/workspaces/{self.workspace}/tools/send_email"
        made = self.owner.post(path, json={"arguments": arguments})
        assert made.status_code == 200, made.text
        return made.json()["result"]["outbox_id"]

    def kill(self) -> None:
        self.cookies = dict(self.owner.cookies)
        self.server.kill()
        self.server.stop()

    def start(self) -> None:
        self.server = PostServer(self.data, self.port).wait_ready()
        self.owner: httpx.Client = self.server.browser()
        self.owner.cookies.update(self.cookies)

    def row(self, id: str) -> dict[str, Any]:
        return self.owner.get(f"{API}/outbox/{id}").json()

    def wait(self, id: str, status: str) -> None:
        wait_for(lambda: self.row(id)["status"] == status)

    def sent(self) -> list[str]:
        return sorted(str(message["Subject"]) for message in self.post.sent)

    def age(self, by: timedelta) -> None:
        """As if the hand-overs had begun earlier; while no server runs."""
        asyncio.run(aged(self.data, by))


async def aged(data: Path, by: timedelta) -> None:
    storage = storage_of(Settings(data=data), None)
    async with storage.app.write() as session:
        for row in await session.scalars(select(Outgoing).where(Outgoing.status == "sending")):
            assert row.handed_over_at
            earlier = {"handed_over_at": row.handed_over_at - by, "due_at": row.due_at - by}
            await session.execute(update(Outgoing).where(Outgoing.id == row.id).values(earlier))
    await storage.close()


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path)
    yield made
    made.server.stop()


def test_killed_before_and_after_it_was_taken_each_mail_goes_out_once(world: World):
    world.post.say("block")
    before = world.send("before")
    wait_for(lambda: world.post.begun == 1)
    world.kill()
    world.post.hush("block")
    world.post.say("linger")
    # Nothing was taken, and a minute has passed: it is sent again, under the same id.
    world.age(timedelta(minutes=5))
    world.start()
    wait_for(lambda: world.sent() == ["before"])
    assert world.row(before)["status"] == "sending"
    world.kill()
    world.post.hush("linger")
    # Now it was taken, and nobody heard so: it is found, and not sent again.
    world.age(timedelta(minutes=5))
    world.start()
    world.wait(before, "sent")
    assert world.row(before)["attempts"] == world.post.begun == 2
    after = world.send("after")
    world.wait(after, "sent")
    assert world.sent() == ["after", "before"]


def test_killed_while_nobody_can_tell_it_waits_for_a_person(world: World):
    world.post.say("linger")
    world.post.say("answer", "unknown")
    id = world.send("doubtful")
    wait_for(lambda: world.sent() == ["doubtful"])
    world.kill()
    world.post.hush("linger")
    world.start()
    world.wait(id, "unknown")
    world.kill()
    world.start()
    assert world.row(id)["status"] == "unknown"
    assert (world.post.begun, world.sent()) == (1, ["doubtful"])
    said = world.owner.post(f"{API}/outbox/{id}/resolve", json={"sent": True})
    assert said.json()["status"] == "sent"


@pytest.mark.req("GATE-19")
def test_what_is_held_outlives_a_kill_and_goes_when_it_is_due(world: World):
    world.owner.patch(f"{API}/settings", json={"outbox_delay_seconds": 600})
    kept, dropped = world.send("kept"), world.send("dropped")
    world.kill()
    world.start()
    assert world.row(kept)["status"] == "held"
    assert world.owner.post(f"{API}/outbox/{dropped}/cancel").json()["status"] == "cancelled"
    assert world.owner.post(f"{API}/outbox/{kept}/send-now").status_code == 200
    world.wait(kept, "sent")
    assert world.sent() == ["kept"]
