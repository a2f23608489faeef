"""The fetcher: page by page, each once, and one account's trouble is no other's."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, update

from bailiwick.accounts.models import Account
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.mail import MailPage
from bailiwick.kit import clock
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.kit.eventlog.models import EventRow
from bailiwick.mail.fetcher import pauses, watchers
from bailiwick.mail.fetcher.jobs import WAKES, FetchJobs
from bailiwick.mail.fetcher.watchers import Watchers
from bailiwick.mail.models import MailSync
from mail.scripted import INBOX, Post, letter, post_in
from support.office import API, Office, every, user_id
from support.server import PATIENCE

pytestmark = pytest.mark.req("MAIL-01")


@pytest.fixture
async def post(office: Office) -> Post:
    return await post_in(office)


async def due(post: Post) -> list[str]:
    return await FetchJobs(post.fetcher, None).find_due()  # pyright: ignore[reportArgumentType]


async def told(post: Post, *types: str) -> list[EventRow]:
    async with post.office.product.storage.app.read() as session:
        statement = select(EventRow).where(EventRow.type.in_(types)).order_by(EventRow.position)
        return list(await session.scalars(statement))


async def later(post: Post, **by: float) -> None:
    """As if so much time had passed."""
    async with post.office.product.storage.app.write() as session:
        for row in await session.scalars(select(MailSync)):
            ago = timedelta(**by)
            row.started_at = row.started_at and row.started_at - ago
            row.next_at = row.next_at and row.next_at - ago


async def test_a_fetch_brings_in_every_page_and_the_next_one_only_what_is_new(any_office: Office):
    post = await post_in(any_office)
    id, provider = await post.account()
    provider.add(letter(1), letter(2), left=1)
    provider.add(letter(3), left=0)
    assert await post.fetch(id) == {"outcome": "done", "new": 3, "routed": 0}
    assert await post.subjects(id) == ["Hello 1", "Hello 2", "Hello 3"]
    provider.add(letter(4))
    assert (await post.fetch(id))["new"] == 1
    assert (await post.fetch(id))["new"] == 0
    assert provider.asked == [None, {"page": 2}, {"page": 3}]
    shown = await post.status(id)
    assert (shown["state"], shown["failures"], shown["problem"]) == ("idle", 0, None)
    assert shown["lastFetch"] >= shown["startedAt"]
    fetched = await told(post, "mail.fetched")
    assert [(row.subject_id, row.data["count"]) for row in fetched] == [(id, 3), (id, 1)]
    assert fetched[0].audience == [f"account:{id}"]


async def test_a_drop_half_way_keeps_what_came_and_the_next_fetch_goes_on_behind_it(post: Post):
    await post.filter("From", "ann")
    id, provider = await post.account()
    provider.add(letter(1), letter(2))
    provider.pages.append(ConnectorFailed("network", "The line was cut."))
    provider.add(letter(3))
    began = clock.now()
    assert await post.fetch(id) == {"outcome": "failed", "new": 2, "routed": 2}
    shown = await post.status(id)
    assert (shown["state"], shown["failures"], shown["fetched"]) == ("failed", 1, 2)
    assert (shown["problem"], shown["problemDetail"]) == ("network", "The line was cut.")
    assert datetime.fromisoformat(shown["nextAt"]) >= began + pauses.FIRST
    provider.pages[1] = MailPage(cursor={"page": 2}, arrived=(letter(2), letter(3)))
    assert await post.fetch(id, "asked") == {"outcome": "done", "new": 1, "routed": 1}
    assert provider.asked == [None, {"page": 1}]
    assert await post.subjects(id) == ["Hello 1", "Hello 2", "Hello 3"]
    assert await post.routings() == 3, "what was given twice is routed once"
    assert (await post.status(id))["problem"] is None
    happened = [row.type for row in await told(post, "account.failed", "account.recovered")]
    assert happened == ["account.failed", "account.recovered"]


async def test_a_mailbox_that_gives_everything_anew_doubles_and_routes_nothing(post: Post):
    await post.filter("Subject", "hello")
    id, provider = await post.account()
    provider.add(letter(1), letter(2))
    await post.fetch(id)
    # UIDVALIDITY changed: the same mails under other ids.
    again = [letter(1), letter(2), letter(3)]
    anew = tuple(
        type(each)(f"INBOX/9/{n}", each.folders, each.flags, each.received_at, each.raw)
        for n, each in enumerate(again)
    )
    provider.pages.append(
        MailPage(cursor={"page": 2}, folders=(INBOX,), voided=("INBOX",), arrived=anew)
    )
    assert await post.fetch(id) == {"outcome": "done", "new": 1, "routed": 1}
    assert await post.subjects(id) == ["Hello 1", "Hello 2", "Hello 3"]
    assert await post.routings() == 3


async def test_a_fetch_that_was_killed_goes_on_where_it_was(post: Post):
    id, provider = await post.account()
    provider.add(letter(1))
    provider.add(letter(2))
    asked = clock.now().isoformat()

    stored = post.fetcher.intake._store

    async def store_once(*args: Any) -> None:
        await stored(*args)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(post.fetcher.intake, "_store", store_once)
        with pytest.raises(KeyboardInterrupt):
            await post.fetcher.fetch(id, "due", asked)
    assert (await post.sync(id)).state == "fetching"
    # The same job again, though a fetch began since it was asked for: that was itself.
    assert (await post.fetcher.fetch(id, "due", asked))["outcome"] == "done"
    assert provider.asked == [None, {"page": 1}]
    assert await post.subjects(id) == ["Hello 1", "Hello 2"]


async def test_what_was_asked_for_before_a_fetch_began_is_not_done_twice(post: Post):
    id, provider = await post.account()
    provider.add(letter(1))
    asked = clock.now().isoformat()
    first = await post.fetcher.fetch(id, "asked", asked)
    second = await post.fetcher.fetch(id, "due", asked)
    assert (first["outcome"], second["outcome"]) == ("done", "skipped")
    assert len(provider.asked) == 1


async def test_a_provider_that_turns_us_away_is_left_alone_and_others_go_on(post: Post):
    refused, provider = await post.account("Refused")
    fine, other = await post.account("Fine")
    for _ in range(3):
        provider.pages.append(ConnectorFailed("other", "Too many requests.", retry_after=600))
    other.add(letter(1))
    assert await due(post) == [refused, fine]
    began = clock.now()
    for id in (refused, fine):
        await post.fetch(id)
    row = await post.sync(refused)
    assert row.next_at
    asked, most = timedelta(seconds=600), timedelta(seconds=660)
    assert began + asked <= row.next_at <= clock.now() + most
    assert await post.subjects(fine) == ["Hello 1"]
    await later(post, minutes=6)
    assert await due(post) == [fine], "what the provider asked for is longer than our interval"
    # News or not, it is left alone until then; a person may still try.
    assert (await post.fetch(refused, "news"))["outcome"] == "skipped"
    assert (await post.fetch(refused, "asked"))["outcome"] == "failed"
    assert len(provider.asked) == 2
    assert (await post.sync(refused)).failures == 2
    await later(post, minutes=12)
    assert refused in await due(post)


def test_the_pause_doubles_up_to_an_hour_and_is_never_quite_the_same():
    for failures, seconds in ((1, 30), (2, 60), (3, 120), (6, 960)):
        found = {pauses.after(failures).total_seconds() for _ in range(20)}
        assert all(seconds <= each <= 1.5 * seconds for each in found)
        assert len(found) > 1
    assert pauses.after(100) == timedelta(hours=1)
    for asked, least, most in ((5, 5, 6), (-3, 1, 2), (10**9, 86_400, 95_040), (0, 1, 2)):
        assert least <= pauses.after(1, retry_after=asked).total_seconds() <= most


async def test_an_account_that_needs_a_person_is_left_until_it_is_mended(post: Post):
    id, provider = await post.account()
    provider.pages.append(ConnectorFailed("invalid_grant", "The password was refused."))
    await post.fetch(id)
    await later(post, days=2)
    assert await due(post) == []
    assert (await post.status(id))["nextAt"] is None
    await post.opener.well(id)
    assert await due(post) == [id]
    # The event of its mending sets a fetch going at once, because the last one failed.
    (route,) = WAKES
    store = post.office.product.storage.app
    async with store.read() as session:
        events = await eventlog.after(session, 0, limit=1000)
        wanted = [e for e in events if e.position in await route.wants(session, events)]
    assert [event.type for event in wanted] == ["account.recovered"]
    assert route.arguments(wanted[0])[:2] == (id, "connected")
    assert route.partition(wanted[0]) == id
    provider.add(letter(1))
    assert (await post.fetch(id, "connected"))["outcome"] == "done"
    async with store.read() as session:
        assert await route.wants(session, events) == set(), "it is well by itself"


async def test_a_connector_with_a_fault_of_its_own_fails_alone(post: Post):
    id, provider = await post.account()
    provider.add(letter(1))
    provider.pages.append(ZeroDivisionError("secret detail"))
    assert await post.fetch(id) == {"outcome": "failed", "new": 1, "routed": 0}
    shown = await post.status(id)
    assert shown["problem"] == "other"
    assert "secret detail" not in shown["problemDetail"]
    assert (await post.fetch(id, "asked"))["outcome"] == "done"


async def test_accounts_that_are_off_are_not_fetched_from(post: Post):
    off, _ = await post.account("Off", enabled=False)
    plans, _ = await post.account("Plans", categories=["calendar"])
    assert await due(post) == []
    assert (await post.fetch(off, "asked"))["outcome"] == "skipped"
    owner = await post.office.owner()
    listed = (await owner.get(f"{API}/fetcher/status")).json()["accounts"]
    assert [each["accountId"] for each in listed] == [off]
    assert plans not in [each["accountId"] for each in listed]
    refused = await owner.post(f"{API}/fetcher/fetch", json={"accountId": off})
    assert refused.status_code == 409


async def test_a_switched_off_account_ends_its_fetch_without_a_complaint(post: Post):
    id, provider = await post.account()
    provider.add(letter(1))
    async with post.office.product.storage.app.write() as session:
        await session.execute(update(Account).values(connector="gone"))
    assert (await post.fetch(id))["outcome"] == "stopped"
    shown = await post.status(id)
    assert (shown["state"], shown["failures"], shown["problem"]) == ("idle", 0, None)


async def test_stop_ends_fetches_between_pages_and_start_goes_on_behind_them(post: Post):
    id, provider = await post.account()
    for number in range(1, 4):
        provider.add(letter(number))
    owner, stored = await post.office.owner(), post.fetcher.intake._store

    async def store_and_stop(*args: Any) -> Any:
        found = await stored(*args)
        assert (await owner.post(f"{API}/fetcher/stop")).json()["running"] is False
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(post.fetcher.intake, "_store", store_and_stop)
        assert await post.fetch(id) == {"outcome": "stopped", "new": 1, "routed": 0}
    assert await due(post) == []
    assert (await post.fetch(id))["outcome"] == "skipped"
    assert (await post.status(id))["nextAt"] is None
    settings = await every(owner, "/settings")
    assert {"fetcher_running": False} in [{s["name"]: s["value"]} for s in settings]
    # By hand it still works.
    assert await post.fetch(id, "asked") == {"outcome": "done", "new": 2, "routed": 0}
    assert (await owner.post(f"{API}/fetcher/start")).json()["running"] is True
    await later(post, minutes=5)
    assert await due(post) == [id]
    assert provider.asked == [None, {"page": 1}]


async def test_only_admins_start_and_stop_and_only_those_who_may_send_ask(post: Post):
    id, _ = await post.account()
    sam = await post.office.member("sam")
    owner = await post.office.owner()
    for verb in ("start", "stop"):
        assert (await sam.post(f"{API}/fetcher/{verb}")).status_code == 403
    one = {"accountId": id}
    assert (await sam.get(f"{API}/fetcher/status")).json()["accounts"] == []
    for verb in ("fetch", "run"):
        assert (await sam.post(f"{API}/fetcher/{verb}", json=one)).status_code == 404
    assert (await sam.post(f"{API}/fetcher/fetch")).json() == {"accountIds": []}
    member = {"email": "sam@example.com", "role": "admin"}
    await owner.post(f"{API}/workspaces/{post.workspace_id}/members", json=member)
    assert (await sam.get(f"{API}/fetcher/status")).json()["accounts"] == []
    share = f"{API}/accounts/{id}/shares/{await user_id(sam)}"
    assert (await owner.put(share, json={"right": "read"})).status_code == 200
    assert len((await sam.get(f"{API}/fetcher/status")).json()["accounts"]) == 1
    for verb in ("fetch", "run"):
        assert (await sam.post(f"{API}/fetcher/{verb}", json=one)).status_code == 403
    assert (await sam.post(f"{API}/fetcher/fetch")).json() == {"accountIds": []}
    assert await told(post, "fetch.requested") == []
    asked = await owner.post(f"{API}/fetcher/fetch", json=one)
    assert (asked.status_code, asked.json()) == (202, {"accountIds": [id]})
    (request,) = await told(post, "fetch.requested")
    assert (request.subject_id, request.audience) == (id, [])
    # Nobody works here, so that it only waits.
    (item,) = (await owner.post(f"{API}/fetcher/run")).json()["items"]
    assert (item["accountId"], item["outcome"]) == (id, "waiting")


async def test_the_interval_is_kept(post: Post):
    id, provider = await post.account()
    provider.add(letter(1))
    assert await due(post) == [id]
    await post.fetch(id)
    assert await due(post) == []
    await post.office.set(fetch_minutes=60)
    await later(post, minutes=50)
    assert await due(post) == []
    await later(post, minutes=9, seconds=40)
    assert await due(post) == [id], "within the minute that the schedule has"


# --- watchers


class Watch:
    """Watchers at work, and which accounts they set a fetch going for."""

    def __init__(self, post: Post) -> None:
        self.begun: asyncio.Queue[str] = asyncio.Queue()
        self.watchers = Watchers(post.opener, post.office.product.changeable, self.begun.put)
        post.office.product.storage.app.after_commit.append(
            lambda session: self.watchers.follow(eventlog.recorded_in(session))
        )

    async def news(self) -> str:
        async with asyncio.timeout(PATIENCE):
            return await self.begun.get()


@asynccontextmanager
async def watching(post: Post, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watch]:
    monkeypatch.setattr(watchers, "_PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(pauses, "FIRST", timedelta(milliseconds=1))
    watch, leads = Watch(post), asyncio.Event()
    leads.set()
    running = asyncio.create_task(watch.watchers.run(leads))
    try:
        yield watch
    finally:
        running.cancel()
        await asyncio.sleep(0)
        for provider in post.providers.values():
            provider.slow.set()
        with pytest.raises(asyncio.CancelledError):
            async with asyncio.timeout(PATIENCE):
                await running


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.005)


async def test_news_set_a_fetch_going_and_a_lost_line_is_dialled_again(
    post: Post, monkeypatch: pytest.MonkeyPatch
):
    id, provider = await post.account()
    for said in (True, ConnectorFailed("network", "cut"), ZeroDivisionError(), True):
        provider.news.put_nowait(said)
    async with watching(post, monkeypatch) as watch:
        # Three times someone begins to listen, and asks for what came before; twice there is news.
        for _ in range(5):
            assert await watch.news() == id
        assert provider.opened == 3


async def test_an_account_that_works_again_is_watched_at_once_however_long_the_pause(
    post: Post, monkeypatch: pytest.MonkeyPatch
):
    id, provider = await post.account()
    provider.news.put_nowait(ConnectorFailed("network", "cut"))
    async with watching(post, monkeypatch) as watch:
        monkeypatch.setattr(pauses, "FIRST", timedelta(hours=1))
        assert await watch.news() == id
        await until(provider.news.empty)
        await post.opener.failed(id, ConnectorFailed("network", "cut"))
        await post.opener.well(id)
        assert await watch.news() == id, "for what came while nobody listened"
        assert provider.opened == 2


async def test_watchers_end_even_while_they_wait_for_an_account_to_be_let_go_of(
    post: Post, monkeypatch: pytest.MonkeyPatch
):
    id, provider = await post.account()
    async with watching(post, monkeypatch) as watch:
        assert await watch.news() == id
        provider.slow.clear()
        await (await post.office.owner()).post(f"{API}/fetcher/stop")
        await until(lambda: provider.closing > 0)


async def test_who_cannot_tell_of_news_or_was_shut_out_is_not_asked_again_until_it_changes(
    post: Post, monkeypatch: pytest.MonkeyPatch
):
    quiet, silent = await post.account("Quiet")
    shut, refusing = await post.account("Shut")
    silent.news.put_nowait(False)
    refusing.news.put_nowait(ConnectorFailed("invalid_grant", "no"))
    _, bad = await post.account("Bad", problem="invalid_grant")
    async with watching(post, monkeypatch) as watch:
        assert {await watch.news(), await watch.news()} == {quiet, shut}
        await until(lambda: silent.news.empty() and refusing.news.empty())
        assert (silent.opened, refusing.opened, bad.opened) == (1, 1, 0)
        for provider in (silent, refusing):
            provider.news.put_nowait(True)
        owner = await post.office.owner()
        # An event of an account: it is mended.
        await post.opener.failed(shut, ConnectorFailed("network", "x"))
        await post.opener.well(shut)
        assert {await watch.news(), await watch.news()} == {quiet, shut}
        opened = (silent.opened, refusing.opened)
        await owner.post(f"{API}/fetcher/stop")
        silent.news.put_nowait(True)
        await owner.post(f"{API}/fetcher/start")
        assert await watch.news() == quiet
        assert (silent.opened, refusing.opened) >= opened
    assert watch.begun.empty()


@pytest.mark.req("ACC-11")
async def test_nothing_is_fetched_for_someone_who_has_left(post: Post):
    sam, owner = await post.office.member("sam"), await post.office.owner()
    me = await user_id(sam)
    member = f"{API}/workspaces/{post.workspace_id}/members/{me}"
    assert (await owner.put(member, json={"role": "write"})).is_success
    id, _ = await post.account("Sam's", owner_id=me)
    assert await due(post) == [id]
    assert (await owner.delete(member)).is_success
    assert await due(post) == []
    assert (await owner.put(member, json={"role": "read"})).is_success
    assert await due(post) == [id]
    assert (await owner.patch(f"{API}/users/{me}", json={"active": False})).is_success
    assert await due(post) == []
