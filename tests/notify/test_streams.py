"""Event streams of a real server: complete, in order, and each to those who may see it."""

import asyncio
import json
import os
import random
import re
import signal
import socket
import struct
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from bailiwick.config import Settings
from bailiwick.kit.db import Storage
from bailiwick.kit.eventlog import Event, chunks, record
from bailiwick.kit.eventlog import bus as buses
from bailiwick.kit.http import sse
from bailiwick.office import storage_of
from support import crowd
from support.office import PASSWORD
from support.streams import (
    PATIENCE,
    Frame,
    House,
    Person,
    QuickServer,
    Stream,
    opened_house,
    quick_server,
    request,
)

pytestmark = pytest.mark.req("EVT-01")
EVERYONE = {"audience": ["everyone"]}
TCP_REPAIR = 19
CROWD = 400  # bench/sse.py has a thousand


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[QuickServer]:
    """One server for many tests, once on each database."""
    extra = {}
    if request.param == "postgresql":
        extra["BAILIWICK_DATABASE_URL"] = _new_database(request.getfixturevalue("postgresql"))
    with quick_server(tmp_path_factory.mktemp("house") / "data", **extra) as made:
        yield made


@pytest.fixture
async def house(server: QuickServer) -> AsyncIterator[House]:
    async with opened_house(server) as made:
        yield made


# For what the database has no part in, and for what only PostgreSQL can do.
on_sqlite = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
on_postgresql = pytest.mark.parametrize("server", ["postgresql"], indirect=True)


def _new_database(server: str) -> str:
    name = f"streams_{random.randrange(16**8):08x}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return server.replace("/postgres?", f"/{name}?")


# What a stream holds


async def test_a_stream_says_where_it_starts_and_tells_what_happens(house: House):
    sam = await house.person()
    workspace = await house.workspace(sam)
    stream = await house.stream(sam)
    assert stream.headers["content-type"] == "text/event-stream; charset=utf-8"
    assert stream.headers["cache-control"] == "no-store"
    assert stream.retry == 2000
    assert stream.frames == [{"type": "stream.ready", "position": stream.ready}]
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "New"})
    await stream.until(lambda s: s.events)
    (event,) = stream.events
    polled = await sam.call("GET", "/events", params={"after": stream.ready})
    assert [event] == polled["items"]
    assert re.fullmatch(r"evt-[a-z0-9]{12}", event["id"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", event["timestamp"])
    assert event | {"id": "", "timestamp": ""} == {
        "id": "",
        "position": polled["position"],
        "type": "workspace.renamed",
        "timestamp": "",
        "workspaceId": workspace,
        "actorId": sam.id,
        "subjectId": workspace,
        "data": {},
    }


@on_sqlite
async def test_beats_come_while_nothing_happens(house: House):
    stream = await house.stream(await house.person())
    await stream.until(lambda s: s.beats >= 3)
    assert stream.events == []


@on_sqlite
async def test_who_may_open_a_stream_and_how(house: House):
    sam = await house.person()
    nobody = Person("", house.browser())
    assert (await house.connect(nobody)).status == 401
    writer, _ = await house.program(sam, "write")
    assert (await house.connect(writer)).status == 403
    for method in ("HEAD", "POST", "PUT", "DELETE"):
        answer = await sam.http.request(method, "/api/v1/events/stream")
        assert answer.status_code == 405, method
        assert answer.headers["allow"] == "GET"


@on_sqlite
async def test_a_position_that_is_none_is_refused_by_name(house: House):
    """Starting anywhere else instead would lose events without a word."""
    for bad in ("text", "-1", "1.5", "9007199254740993", "9" * 5000, "0x10"):
        headers = {"Last-Event-ID": bad}
        answer = await house.operator.http.get("/api/v1/events/stream", headers=headers)
        assert answer.status_code == 400, bad
        assert list(answer.json()["errors"]) == ["Last-Event-ID"]


@on_sqlite
async def test_the_header_wins_over_the_query(house: House):
    last = await house.record(5, **EVERYONE)
    stream = await house.stream(await house.person(), last=last - 2, after=last - 4)
    assert stream.positions[:2] == [last - 1, last]
    stream = await house.stream(await house.person(), after=last - 1)
    assert stream.positions[0] == last


@on_sqlite
async def test_types_and_a_workspace_are_chosen(house: House):
    sam = await house.person()
    one, other = await house.workspace(sam), await house.workspace(sam)
    everything = await house.stream(sam)
    renames = await house.stream(sam, types="workspace.renamed")
    kinds = await house.stream(sam, types=["user.*", "workspace.renamed"])
    of_one = await house.stream(sam, workspaceId=one)
    for workspace in (one, other):
        await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "New"})
    await sam.call("PATCH", "/users/me", json={"name": "New"})
    await sam.call("DELETE", f"/workspaces/{one}")
    await everything.until(lambda s: len(s.events) == 4)
    past = {"last": everything.ready}
    again = await house.stream(sam, **past, types="workspace.renamed")
    for stream, wanted in (
        (renames, ["workspace.renamed"] * 2),
        (again, ["workspace.renamed"] * 2),
        (kinds, ["workspace.renamed"] * 2 + ["user.changed"]),
        (of_one, ["workspace.renamed", "workspace.deleted"]),
    ):
        await stream.until(lambda s, w=wanted: len(s.events) >= len(w))
        assert [event["type"] for event in stream.events] == wanted


# Nothing is lost, nothing comes twice


async def test_whoever_comes_back_misses_nothing_and_gets_nothing_twice(house: House):
    """Over and over, while events are written."""
    sam, chance = await house.person(), random.Random(7)
    start = (await house.stream(sam)).ready
    done = asyncio.Event()

    async def write() -> None:
        while not done.is_set():
            await house.record(chance.randint(1, 40), each=chance.random() < 0.5, **EVERYONE)

    writing = asyncio.create_task(write())
    got: list[int] = []
    for _ in range(15):
        stream = await house.connect(sam, last=got[-1] if got else start)
        enough = chance.randint(1, 60)
        await stream.until(lambda s, n=enough: len(s.events) >= n)
        got += stream.positions
        stream.hang_up()
        await stream.close()
    done.set()
    await writing
    last = await house.record(1, **EVERYONE)
    stream = await house.stream(sam, last=got[-1])
    await stream.until(lambda s: s.positions[-1] == last)
    got += stream.positions
    assert got == await _polled_positions(sam, start)
    assert len(got) > 150


@on_sqlite
async def test_ten_thousand_events_behind(house: House):
    sam = await house.person()
    start = (await house.stream(sam)).ready
    last = await house.record(10_000, **EVERYONE)
    stream = await house.stream(sam, last=start)
    assert len(stream.events) == 10_000
    assert stream.positions == sorted(stream.positions)
    assert stream.positions[-1] == last
    assert stream.types[-1] == "stream.ready"


async def test_a_position_that_is_no_longer_kept_resets(house: House):
    sam = await house.person()
    await house.record(20, **EVERYONE)
    last = await house.record(1, **EVERYONE)
    await house.back_door("sql", text=f"DELETE FROM events WHERE position < {last - 5}")
    await house.back_door("settle")
    for gone in (0, 1, last - 7):
        stream = await house.stream(sam, last=gone)
        assert stream.types == ["stream.reset", "stream.ready"], gone
        assert stream.ready == last
    stream = await house.stream(sam, last=last - 6)
    assert stream.positions == list(range(last - 5, last + 1))
    assert "stream.reset" not in stream.types


async def test_a_position_from_the_future_resets_and_the_stream_goes_on(house: House):
    """The client has seen more than a backup that was restored."""
    sam = await house.person()
    stream = await house.stream(sam, last=2**40)
    assert stream.types == ["stream.reset", "stream.ready"]
    last = await house.record(1, **EVERYONE)
    await stream.until(lambda s: s.events)
    assert stream.positions == [last]


async def test_a_server_that_is_behind_sends_nothing_twice(house: House):
    """With several servers, a client may know more than the one it comes back to."""
    sam = await house.person()
    await house.back_door("hold", up=True)
    last = await house.record(5, **EVERYONE)
    stream = await house.stream(sam, last=last - 1)
    await house.back_door("hold", up=False)
    final = await house.record(1, **EVERYONE)
    await stream.until(lambda s: final in s.positions)
    assert stream.positions == [last, final]


# To those who may see it


async def test_members_see_their_workspaces_and_their_own_matters(house: House):
    sam, tim, uma = [await house.person() for _ in range(3)]
    ours, theirs = await house.workspace(sam, tim), await house.workspace(uma)
    streams = {who.id: await house.stream(who) for who in (sam, tim, uma)}
    await sam.call("PATCH", f"/workspaces/{ours}", json={"name": "New"})
    await uma.call("PATCH", f"/workspaces/{theirs}", json={"name": "New"})
    await house.program(tim, "read")
    for who, wanted in (
        (sam, [("workspace.renamed", ours)]),
        (tim, [("workspace.renamed", ours), ("token.created", None)]),
        (uma, [("workspace.renamed", theirs)]),
    ):
        seen = await _seen_until_now(house, streams[who.id])
        assert [(event["type"], event["workspaceId"]) for event in seen] == wanted


async def test_who_is_taken_out_hears_of_it_and_nothing_after(house: House):
    sam, tim = await house.person(), await house.person()
    workspace = await house.workspace(sam, tim)
    stream = await house.stream(tim)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "Before"})
    await sam.call("DELETE", f"/workspaces/{workspace}/members/{tim.id}")
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "After"})
    seen = await _seen_until_now(house, stream)
    assert [e["type"] for e in seen] == ["workspace.renamed", "workspace.member_removed"]
    await house.join(workspace, sam, tim)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "Back"})
    seen = (await _seen_until_now(house, stream))[2:]
    assert [e["type"] for e in seen] == ["workspace.member_set", "workspace.renamed"]


@on_sqlite
async def test_who_makes_a_workspace_or_joins_one_sees_it_from_then_on(house: House):
    sam, tim = await house.person(), await house.person()
    streams = [await house.stream(sam), await house.stream(tim)]
    workspace = await house.workspace(sam)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "Before"})
    await house.join(workspace, sam, tim)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "After"})
    seen = [[e["type"] for e in await _seen_until_now(house, stream)] for stream in streams]
    joined = ["workspace.member_set", "workspace.renamed"]
    assert seen == [["workspace.created", "workspace.renamed", *joined], joined]


@on_sqlite
async def test_many_changes_of_membership_at_once_show_no_one_too_much(house: House):
    """The tail falls behind, and then has all of it in one batch."""
    sam, tim = await house.person(), await house.person()
    workspace = await house.workspace(sam, tim)
    path = f"/workspaces/{workspace}/members/{tim.id}"
    stream = await house.stream(tim)
    await house.back_door("hold", up=True)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "Seen"})
    await sam.call("DELETE", path)
    await sam.call("PATCH", f"/workspaces/{workspace}", json={"name": "Hidden"})
    await house.back_door("hold", up=False)
    seen = await _seen_until_now(house, stream)
    assert [e["type"] for e in seen] == ["workspace.renamed", "workspace.member_removed"]


@on_sqlite
async def test_admins_matters_end_with_the_role_and_need_the_scope(house: House):
    adam, eve = await house.person(role="admin"), await house.person(role="admin")
    with_scope, _ = await house.program(adam, "read", "admin")
    without, _ = await house.program(adam, "read", "write")
    streams = [await house.stream(who) for who in (adam, with_scope, without)]

    async def secretly() -> None:
        await house.operator.call("POST", f"/users/{eve.id}/password-link")

    async def counts() -> list[int]:
        seen = [await _seen_until_now(house, stream) for stream in streams]
        return [sum(e["type"] == "user.password_link_made" for e in events) for events in seen]

    await secretly()
    assert await counts() == [1, 1, 0]
    await house.operator.call("PATCH", f"/users/{adam.id}", json={"role": "user"})
    await secretly()
    assert await counts() == [1, 1, 0]
    await house.operator.call("PATCH", f"/users/{adam.id}", json={"role": "admin"})
    await secretly()
    assert await counts() == [2, 2, 0]


@on_sqlite
async def test_streams_of_many_never_mix(house: House):
    people = [await house.person() for _ in range(6)]
    streams = {who.id: await house.stream(who) for who in people}
    wanted: dict[str, list[int]] = {who.id: [] for who in people}
    chance = random.Random(3)
    for _ in range(40):
        chosen = chance.sample(people, chance.randint(1, 3))
        audience = [f"user:{who.id}" for who in chosen]
        position = await house.record(1, audience=audience)
        for who in chosen:
            wanted[who.id].append(position)
    for id, stream in streams.items():
        seen = await _seen_until_now(house, stream)
        assert [event["position"] for event in seen] == wanted[id]


# Until they may no longer


@on_sqlite
async def test_logging_out_ends_the_streams_of_that_session_alone(house: House):
    sam = await house.person()
    elsewhere = await house.again(sam)
    mine = [await house.stream(sam) for _ in range(2)]
    other = await house.stream(elsewhere)
    await sam.call("POST", "/auth/logout")
    for stream in mine:
        await stream.until_ended()
        assert stream.end == "clean"
        assert [e["type"] for e in stream.events] == ["session.ended"], "the last thing is why"
    assert (await house.connect(sam)).status == 401
    assert [e["type"] for e in await _seen_until_now(house, other)] == ["session.ended"]


@on_sqlite
@pytest.mark.parametrize("how", ["by an admin", "one by one", "by a new password", "switched off"])
async def test_a_session_that_is_ended_takes_its_streams_with_it(house: House, how: str):
    sam = await house.person()
    elsewhere = await house.again(sam)
    stream = await house.stream(elsewhere)
    await house.back_door("hold", up=True)  # so that what follows the end is in the same batch
    if how == "by an admin":
        await house.operator.call("DELETE", f"/users/{sam.id}/sessions")
    elif how == "one by one":
        sessions = await sam.call("GET", "/auth/sessions")
        (id,) = (item["id"] for item in sessions["items"] if not item["current"])
        await sam.call("DELETE", f"/auth/sessions/{id}")
    elif how == "by a new password":
        body = {"currentPassword": PASSWORD, "newPassword": "five unrelated garden words"}
        await sam.call("PUT", "/auth/password", json=body)
    else:
        await house.operator.call("PATCH", f"/users/{sam.id}", json={"active": False})
    await house.record(3, audience=[f"user:{sam.id}", "everyone"])
    await house.back_door("hold", up=False)
    await stream.until_ended()
    assert stream.end == "clean"
    assert {e["type"] for e in stream.events} == {"session.ended"}
    assert len({e["id"] for e in stream.events}) == len(stream.events)
    assert (await house.connect(elsewhere)).status == 401


async def test_a_revoked_token_takes_its_streams_with_it(house: House):
    sam = await house.person()
    (one, id), (other, _) = await house.program(sam, "read"), await house.program(sam, "read")
    stream, untouched = await house.stream(one), await house.stream(other)
    await house.back_door("hold", up=True)
    await sam.call("DELETE", f"/tokens/{id}")
    await house.record(3, **EVERYONE)
    await house.back_door("hold", up=False)
    await stream.until_ended()
    assert [e["type"] for e in stream.events] == ["token.revoked"]
    assert len(await _seen_until_now(house, untouched)) == 4
    assert untouched.end is None


@on_sqlite
async def test_switching_someone_off_ends_all_their_streams(house: House):
    sam = await house.person()
    program, _ = await house.program(sam, "read")
    streams = [await house.stream(sam), await house.stream(program), await house.stream(program)]
    await house.operator.call("PATCH", f"/users/{sam.id}", json={"active": False})
    for stream in streams:
        await stream.until_ended()
        assert stream.end == "clean"
        ids = [event["id"] for event in stream.events]
        assert len(set(ids)) == len(ids)


@on_sqlite
async def test_what_ends_by_time_is_found_by_looking_now_and_then(house: House):
    sam = await house.person()
    program, token = await house.program(sam, "read")
    (session,) = (await sam.call("GET", "/auth/sessions"))["items"]
    streams = [await house.stream(sam), await house.stream(program)]
    untouched = await house.stream(await house.again(sam))
    long_ago = "'2001-01-01 00:00:00.000000'"
    await house.back_door("recheck", every=2)
    text = f"UPDATE sessions SET created_at = {long_ago} WHERE id = '{session['id']}'"
    await house.back_door("sql", text=text)
    text = f"UPDATE api_tokens SET expires_at = {long_ago} WHERE id = '{token}'"
    await house.back_door("sql", text=text)
    for stream in streams:
        await stream.until_ended()
        assert stream.end == "clean"
    await house.back_door("recheck", every=1_000_000)
    await _seen_until_now(house, untouched)
    assert untouched.end is None


# Clients that do not behave


@on_sqlite
async def test_clients_that_never_read_are_cut_off_and_hold_nobody_up(house: House):
    sam, tim = await house.person(), await house.person()
    good = await house.stream(tim)
    lazy = [house.raw(sam) for _ in range(10)]
    await house.until_count(11)
    memory, start, last = house.server.resident(), good.ready, 0
    while await house.count() > 1:
        last = await house.record(2_000, **EVERYONE)
        await house.back_door("settle")
        assert last < start + 60_000, "nobody was cut off"
    await good.until(lambda s: s.positions[-1] == last)
    assert good.positions == list(range(start + 1, last + 1))
    assert house.server.resident() - memory < 120_000_000
    got = await asyncio.to_thread(_read_all, lazy[0])
    assert got == list(range(start + 1, start + 1 + len(got))), "what it had was in order"
    assert got[-1] < last
    again = await house.stream(sam, last=got[-1])
    assert again.positions == list(range(got[-1] + 1, last + 1)), "and the rest is there"
    assert house.server.complaints() == []


async def test_a_stuck_write_is_cut_off_by_the_beat(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sse, "_PATIENCE_SECONDS", 0.0)
    client, stuck, never = sse.SseClient(), asyncio.Event(), asyncio.Event()

    class Connection:
        when_lost = when_stopped = None
        lost = stopping = False

        def abort(self) -> None:
            never.set()
            assert self.when_lost
            self.when_lost()

    async def send(message: dict[str, object]) -> None:
        if message["body"]:
            stuck.set()
            await never.wait()

    client.attach(Connection())
    client.offer(b"x")
    serving = asyncio.create_task(client.serve(never.wait, send))
    async with asyncio.timeout(PATIENCE):
        await stuck.wait()
        client.beat()
        await serving
    assert client.ended


@on_sqlite
# Only root can take a connection away without a word.
@pytest.mark.parametrize(
    "how", ["end", "reset", "end of asking", *(["silence"] if os.geteuid() == 0 else [])]
)
async def test_clients_that_go_away_are_forgotten(house: House, how: str):
    sam = await house.person()
    gone = [house.raw(sam) for _ in range(20)]
    await house.until_count(20)
    for client in gone:
        _go(client, how)
    await house.until_count(0)
    assert house.server.complaints() == []


@on_sqlite
async def test_clients_that_go_before_they_are_answered_are_forgotten(house: House):
    sam = await house.person()
    for _ in range(10):
        for client in [house.raw(sam) for _ in range(20)]:
            _go(client, "reset")
    await (await house.stream(sam)).close()
    await house.until_count(0)
    assert house.server.complaints() == []


@on_sqlite
async def test_half_a_request_holds_nobody_up(house: House):
    sam = await house.person()
    before = _open_connections(house)
    half = [house.raw(sam, head=slice(0, -2)) for _ in range(200)]
    stream = await house.stream(sam)
    last = await house.record(1, **EVERYONE)
    await stream.until(lambda s: s.positions == [last])
    for client in half:
        client.close()
    await stream.until(lambda _: _open_connections(house) <= before + 2)


@on_sqlite
async def test_a_crowd_of_clients_get_an_event_each(house: House):
    sam = await house.person()
    ask = request(sam, house.server.origin).decode()
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, crowd.__file__, house.server.origin, ask, str(CROWD)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert program.stdout
    async with asyncio.timeout(PATIENCE):
        assert await program.stdout.readline() == b"open\n"
        assert await house.count() == CROWD
        await house.record(1, **EVERYONE)
        assert await program.stdout.readline() == b"told\n"
        program.kill()
        await program.wait()
        await house.until_count(0)
    assert house.server.complaints() == []


async def test_a_stopped_server_ends_its_streams_cleanly_and_nobody_holds_it_up(tmp_path: Path):
    """Neither who does not read, nor who is just being let in."""
    with quick_server(tmp_path / "data") as server:
        async with opened_house(server) as house:
            sam = await house.person()
            for _ in range(3):
                house.raw(sam)
            await house.until_count(3)
            while await house.back_door("stuck") < 3:
                await house.record(500, **EVERYONE)
            streams = [await house.stream(sam) for _ in range(20)]
            for _ in range(20):
                house.raw(sam)
            server.process.send_signal(signal.SIGTERM)
            for stream in streams:
                await stream.until_ended()
            await asyncio.to_thread(server.process.wait, PATIENCE)
            assert {stream.end for stream in streams} == {"clean"}
            assert server.complaints() == []


# Text while it is written


TEXT = 'She said: "ü🙂\\" \n'


async def test_text_goes_to_its_audience_in_order_and_is_kept_nowhere(house: House):
    sam, tim = await house.person(), await house.person()
    start = (await house.stream(sam)).ready
    mine, again = await house.stream(sam), await house.stream(sam)
    other = await house.stream(tim)
    without = await house.stream(sam, types="test.*")
    only = await house.stream(sam, types="chunk")
    channel = f"msg-{sam.id}"
    for number in range(30):
        await _say(house, sam, channel, offset=number * len(TEXT), text=TEXT)
    await _say(house, sam, channel, offset=30 * len(TEXT), text=TEXT * 200, done=True)
    for stream in (mine, again, only):
        await stream.until(lambda s: s.frames[-1].get("done"))
        assert _said(stream, channel) == (1, TEXT * 230)
    await _seen_until_now(house, without)
    await _seen_until_now(house, other)
    assert "chunk" not in without.types + other.types
    await _seen_until_now(house, mine)
    later = await house.stream(sam, last=start)
    assert "chunk" not in later.types, "what is done is not told again"


async def test_who_comes_late_gets_the_text_so_far_and_a_new_attempt_from_its_start(house: House):
    sam, tim = await house.person(), await house.person()
    channel = f"msg-{sam.id}"
    await _say(house, sam, channel, offset=0, text=TEXT * 100)
    await house.back_door("settle")
    late, other = await house.stream(sam), await house.stream(tim)
    await late.until(lambda s: "chunk" in s.types)
    await _say(house, sam, channel, offset=100 * len(TEXT), text="more")
    await late.until(lambda s: _said(s, channel) == (1, TEXT * 100 + "more"))
    await _say(house, sam, channel, attempt=2, offset=0, text="again")
    await _say(house, sam, channel, attempt=1, offset=100 * len(TEXT) + 4, text="too late")
    await late.until(lambda s: s.frames[-1].get("text") == "too late")
    later = await house.stream(sam)
    await later.until(lambda s: _said(s, channel) == (2, "again"))
    await _seen_until_now(house, other)
    assert "chunk" not in other.types
    await _say(house, sam, channel, attempt=2, offset=5, text="", done=True)


@on_sqlite
async def test_text_that_makes_no_sense_harms_nothing(house: House):
    """Another version of a server may send what this one does not know."""
    sam = await house.person()
    stream = await house.stream(sam)
    await house.back_door("send", channel=chunks.CHANNEL, payload="nonsense")
    await house.back_door("send", channel=chunks.CHANNEL, payload='{"audience": [], "new": 1}')
    half = {"audience": [f"user:{sam.id}"], "attempt": 1, "offset": 0, "text": "\ud83d"}
    payload = json.dumps({"channel": "msg-1", "done": False, **half})
    await house.back_door("send", channel=chunks.CHANNEL, payload=payload)
    await _say(house, sam, "msg-2", offset=0, text="fine", done=True)
    await stream.until(lambda s: _said(s, "msg-2") == (1, "fine"))
    assert _said(stream, "msg-1") == (1, "\ud83d")
    last = await house.record(1, **EVERYONE)
    await stream.until(lambda s: last in s.positions)


# Several processes


@pytest.fixture
async def another(server: QuickServer) -> AsyncIterator[Storage]:
    """The database as another process has it."""
    url = server.extra["BAILIWICK_DATABASE_URL"]
    storage = storage_of(Settings.model_validate({"data": server.data, "database_url": url}), None)
    yield storage
    await storage.close()


@on_postgresql
async def test_what_another_process_does_is_told_at_once(house: House, another: Storage):
    stream = await house.stream(await house.person())
    for number in range(20):
        async with another.app.write() as session:
            record(session, Event("test.happened", audience=("everyone",)))
        await stream.until(lambda s, n=number: len(s.events) == n + 1)


@on_postgresql
async def test_text_from_another_process_is_told(house: House, another: Storage):
    sam = await house.person()
    stream = await house.stream(sam)
    async with buses.opened(another) as bus:
        chunk = chunks.Chunk((f"user:{sam.id}",), "msg-9", 1, 0, TEXT * 100, done=True)
        await chunks.publish(bus, chunk)
        await stream.until(lambda s: _said(s, "msg-9") == (1, TEXT * 100))


@on_postgresql
async def test_a_server_whose_connections_are_killed_loses_nothing(house: House, another: Storage):
    stream = await house.stream(await house.person())
    for number in range(3):
        async with another.app.write() as session:
            await session.execute(
                text(
                    "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
            record(session, Event("test.happened", audience=("everyone",)))
        await stream.until(lambda s, n=number: len(s.events) == n + 1)
    assert stream.end is None


async def _polled_positions(person: Person, after: int) -> list[int]:
    found: list[int] = []
    while True:
        page = await person.call("GET", "/events", params={"after": after, "PageSize": 500})
        found += [item["position"] for item in page["items"]]
        after = page["position"]
        if not page["hasMore"]:
            return found


async def _seen_until_now(house: House, stream: Stream) -> list[Frame]:
    """What a stream holds when everything that happened so far has reached it."""
    mark = await house.record(1, type="test.mark", **EVERYONE)
    await stream.until(lambda s: mark in s.positions)
    return [event for event in stream.events if event["type"] != "test.mark"]


async def _say(house: House, to: Person, channel: str, **chunk: Any) -> None:
    given = {"audience": [f"user:{to.id}"], "attempt": 1, **chunk}
    await house.back_door("publish", channel=channel, **given)


def _said(stream: Stream, channel: str) -> tuple[int, str]:
    """The text of the newest attempt, put together by offset; the attempt is 0 with a gap."""
    pieces = [frame for frame in stream.frames if frame.get("channel") == channel]
    attempt, text = max((piece["attempt"] for piece in pieces), default=0), ""
    for piece in pieces:
        if piece["attempt"] == attempt:
            if piece["offset"] > len(text):
                return 0, text
            text = text[: piece["offset"]] + piece["text"]
    return attempt, text


def _go(client: socket.socket, how: str) -> None:
    if how == "end of asking":
        client.shutdown(socket.SHUT_WR)
        return
    if how == "reset":
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    if how == "silence":
        client.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    client.close()


def _read_all(client: socket.socket) -> list[int]:
    """The positions that a client got until it was cut off."""
    client.settimeout(PATIENCE)
    got = b""
    with suppress(ConnectionError):
        while data := client.recv(65536):
            got += data
    client.close()
    return [int(position) for position in re.findall(rb"id: (\d+)\ndata: [^\n]*\n\n", got)]


def _open_connections(house: House) -> int:
    """Sockets, and not the files of the database, of which it opens more when it is busy."""
    count = 0
    for file in Path(f"/proc/{house.server.process.pid}/fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            count += str(file.readlink()).startswith("socket:")
    return count
