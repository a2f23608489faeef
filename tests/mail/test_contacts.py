"""Whom the owner knows: from mail that was sent, and from an address book kept by hand."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import update

from bailiwick.accounts.models import Account
from bailiwick.kit import clock
from bailiwick.mail.contacts import service
from bailiwick.mail.models import Contact
from support.office import API, Office, user_id

AT = datetime(2026, 7, 6, 10, tzinfo=UTC)


async def space(office: Office) -> str:
    return (await (await office.owner()).get(f"{API}/workspaces")).json()["items"][0]["id"]


async def book(office: Office) -> str:
    return f"{API}/workspaces/{await space(office)}/contacts"


async def listed(who: httpx.AsyncClient, url: str, **query: Any) -> list[tuple[str, str]]:
    items = (await who.get(url, params=query)).json()["items"]
    return sorted((item["address"], item["name"]) for item in items)


async def me(office: Office) -> str:
    return await user_id(await office.owner())


async def known(office: Office, *addresses: str) -> set[str]:
    """Those that a sending agent may write to without naming them anew."""
    workspace = await space(office)
    async with office.product.storage.app.read() as session:
        mine = await me(office)
        return {each for each in addresses if await service.knows(session, workspace, mine, each)}


def on_days(*addresses: str, name: str = "", days: int = 3) -> list[tuple[str, str, datetime]]:
    """Mails to these, on different days."""
    return [(name, each, AT + timedelta(days=day)) for each in addresses for day in range(days)]


@pytest.mark.req("GATE-16")
async def test_whom_the_owner_wrote_to_is_known_from_then_on(any_office: Office):
    office = any_office
    owner, workspace, url = await office.owner(), await space(office), await book(office)
    later = AT.replace(day=7)
    async with office.product.storage.app.write() as session:
        everyone = [("Anna", "Anna@Example.org"), ("", "bob@example.com"), ("x", "not an address")]
        mine = await me(office)
        await service.learn(session, workspace, mine, [(*each, later) for each in everyone])
        await service.learn(session, workspace, mine, [("", "anna@example.org", AT)] * 2)
        await service.learn(session, workspace, mine, [])
    assert await listed(owner, url) == [("anna@example.org", "Anna"), ("bob@example.com", "")]
    (anna,) = (await owner.get(url, params={"q": "ANN"})).json()["items"]
    assert (anna["sentCount"], anna["listed"]) == (3, False)
    assert datetime.fromisoformat(anna["lastSentAt"]) == later
    assert await known(office, "anna@example.org", "bob@example.com") == set()
    async with office.product.storage.app.write() as session:
        more = [("", "anna@example.org", AT.replace(day=1))]
        await service.learn(session, workspace, mine, [*more, *on_days("bob@example.com", days=1)])
    asked = ["ANNA@example.ORG", "anna+x@example.org", "an.na@example.org", "anna@example.org.evil"]
    assert await known(office, *asked, "") == {"ANNA@example.ORG"}
    async with office.product.storage.app.write() as session:
        await service.learn(session, workspace, mine, on_days("kim@example.org", "jörg@x.org"))
    # The sign for kelvin, which in lower case is a k.
    assert await known(office, "\u212aim@example.org", "JÖRG@x.org") == {"JÖRG@x.org"}
    async with office.product.storage.app.read() as session:
        assert not await service.knows(session, "wsp-000000000000", mine, "anna@example.org")
        assert not await service.knows(session, workspace, "usr-x", "anna@example.org")
        asked = ["BOB@example.com", "eve@x.org"]
        standing = await service.standings(session, workspace, mine, asked)
        assert standing == {"BOB@example.com": "met"}, "two days are not several"


@pytest.mark.req("GATE-16")
async def test_the_accounts_own_addresses_are_known(office: Office):
    workspace = await space(office)
    blank: dict[str, Any] = {
        "settings": {}, "permissions": [], "categories": ["mail"], "connector": "imap",
        "display_name": "", "is_primary": True, "enabled": True, "private_network": False,
        "signature_source": "none", "owner_id": await me(office),
    }  # fmt: skip
    async with office.product.storage.app.write() as session:
        session.add(
            Account(
                id="acc-000000000001",
                workspace_id=workspace,
                label="Work",
                address="Olive@Olive.example",
                created_at=clock.now(),
                updated_at=clock.now(),
                **blank,
            )
        )
    assert await known(office, "olive@olive.EXAMPLE", "x@olive.example") == {"olive@olive.EXAMPLE"}


@pytest.mark.req("GATE-16")
async def test_the_address_book_is_kept_by_hand(office: Office):
    owner, url = await office.owner(), await book(office)
    made = await owner.post(url, json={"address": " Anna@Example.org", "name": "Anna"})
    assert made.status_code == 201
    assert (made.json()["address"], made.json()["listed"]) == ("anna@example.org", True)
    again = await owner.post(url, json={"address": "anna@EXAMPLE.org", "name": "Other"})
    assert again.status_code == 409
    one = f"{url}/{made.json()['id']}"
    assert (await owner.patch(one, json={"name": "Anna B"})).json()["name"] == "Anna B"
    assert await listed(owner, url, q="example anna") == [("anna@example.org", "Anna B")]
    assert await listed(owner, url, q="100%_") == []
    assert (await owner.delete(one)).status_code == 204
    assert await known(office, "anna@example.org") == set()
    assert (await owner.delete(one)).status_code == 404


@pytest.mark.req("GATE-16")
async def test_someone_written_to_can_be_listed_and_keeps_their_history(office: Office):
    owner, url, workspace = await office.owner(), await book(office), await space(office)
    async with office.product.storage.app.write() as session:
        await service.learn(
            session, workspace, await me(office), [("Anna", "anna@example.org", AT)]
        )
    made = (await owner.post(url, json={"address": "anna@example.org"})).json()
    assert (made["listed"], made["name"], made["sentCount"]) == (True, "Anna", 1)


@pytest.mark.req("GATE-16", "API-02")
async def test_what_is_no_address_is_refused_by_name(office: Office):
    owner, url = await office.owner(), await book(office)
    for address in ("nobody", "a b@x.org", "<a@x.org>x", "a@b@c", "@x.org", "a@", "a,b@c.org"):
        answer = await owner.post(url, json={"address": address})
        assert answer.status_code == 400, address
        assert list(answer.json()["errors"]) == ["address"]


@pytest.mark.req("GATE-16", "ID-04")
async def test_a_program_cannot_say_whom_the_owner_knows(office: Office):
    owner, url = await office.owner(), await book(office)
    made = (await owner.post(url, json={"address": "anna@example.org"})).json()
    program = await office.token(owner, "read", "write", "admin")
    assert await listed(program, url) == [("anna@example.org", "")]
    body = {"address": "mallory@evil.example", "name": "x"}
    assert (await program.post(url, json=body)).status_code == 403
    assert (await program.post(f"{url}/import", content=CARDS)).status_code == 403
    assert (await program.patch(f"{url}/{made['id']}", json={"name": "x"})).status_code == 403
    assert (await program.delete(f"{url}/{made['id']}")).status_code == 403
    assert await listed(owner, url) == [("anna@example.org", "")]


@pytest.mark.req("ID-03")
async def test_contacts_of_another_workspace_cannot_be_reached(office: Office):
    owner, url = await office.owner(), await book(office)
    made = (await owner.post(url, json={"address": "anna@example.org"})).json()
    other = (await owner.post(f"{API}/workspaces", json={"name": "Other"})).json()["id"]
    theirs = f"{API}/workspaces/{other}/contacts"
    assert await listed(owner, theirs) == []
    assert (await owner.delete(f"{theirs}/{made['id']}")).status_code == 404
    assert (await owner.patch(f"{theirs}/{made['id']}", json={"name": "x"})).status_code == 404


CARDS = (
    '\ufeffBEGIN:VCARD\r\nVERSION:3.0\r\nN:Bean;Bob;;;\r\nitem1.EMAIL;TYPE=INTERNET;TYPE="a:b":'
    "Bob@Example.com\r\nEMAIL;TYPE=work:bob@work.exa\r\n mple\r\nPHOTO:AAAA\r\nEND:VCARD\r\n"
    "\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nFN:Müller\\, Änna\r\nEMAIL:mailto:anna@example.org\r\n"
    "END:VCARD\r\nBEGIN:VCARD\r\nVERSION:4.0\r\nFN:No Address\r\nEND:VCARD\r\n"
).encode()


@pytest.mark.req("GATE-16")
async def test_an_address_book_is_imported_and_importing_it_again_changes_nothing(office: Office):
    owner, url = await office.owner(), await book(office)
    await owner.post(url, json={"address": "anna@example.org", "name": "Anna"})
    done = await owner.post(f"{url}/import", content=CARDS)
    assert done.json() == {"added": 2, "changed": 1, "unchanged": 0}
    assert await listed(owner, url) == [
        ("anna@example.org", "Müller, Änna"),
        ("bob@example.com", "Bob Bean"),
        ("bob@work.example", "Bob Bean"),
    ]
    again = await owner.post(f"{url}/import", content=CARDS)
    assert again.json() == {"added": 0, "changed": 0, "unchanged": 3}


GOOD = "BEGIN:VCARD\nVERSION:4.0\nFN:A\nEMAIL:a@example.org\nEND:VCARD\n"
BEGIN = f"{GOOD}BEGIN:VCARD\n"
MISTAKES = {
    "": "line 1: this is no vCard file",
    "hello": "line 1: a line is a name, a colon and a value",
    "FN:A\n": "line 1: a card begins with BEGIN:VCARD",
    f"{BEGIN}VERSION:4.0\nEMAIL:x\nEND:VCARD": "line 8: this is no e-mail address",
    f"{BEGIN}VERSION:2.1\nEND:VCARD": "line 7: only vCard 3.0 and 4.0 can be read",
    f"{BEGIN}FN:A\nEND:VCARD": "line 6: the card has no VERSION",
    f"{BEGIN}VERSION:4.0\n{GOOD}": "line 8: the card before has no END:VCARD",
    f"{BEGIN}VERSION:4.0\n": "line 7: the last card has no END:VCARD",
    f"{GOOD}BEGIN:VEVENT\n": "line 6: BEGIN:VCARD is expected here",
    f"{GOOD}\udcff": "line 6: the file has to be in UTF-8",
}


@pytest.mark.req("GATE-16", "API-02")
async def test_a_mistake_in_the_file_is_told_by_line_and_nothing_is_taken(office: Office):
    owner, url = await office.owner(), await book(office)
    for file, mistake in MISTAKES.items():
        data = file.encode("utf-8", "surrogateescape")
        answer = await owner.post(f"{url}/import", content=data)
        assert answer.status_code == 400
        assert answer.json()["errors"] == {"file": [mistake]}
    assert await listed(owner, url) == []


async def test_an_address_book_has_bounds(office: Office, monkeypatch: pytest.MonkeyPatch):
    owner, url = await office.owner(), await book(office)
    large = await owner.post(f"{url}/import", content=b"x" * 5_000_001)
    assert large.status_code == 413
    many = await owner.post(f"{url}/import", content=GOOD * 10_001)
    assert many.json()["errors"] == {"file": ["line 50001: there are more than 10000 cards"]}
    monkeypatch.setattr(service, "MOST", 1)
    assert (await owner.post(f"{url}/import", content=CARDS)).status_code == 422
    assert (await owner.post(url, json={"address": "a@example.org"})).status_code == 201
    assert (await owner.post(url, json={"address": "b@example.org"})).status_code == 422


@pytest.mark.req("API-03")
async def test_pages_of_contacts_are_stable(office: Office):
    owner, url = await office.owner(), await book(office)
    for number in range(5):
        await owner.post(url, json={"address": f"p{number}@example.org"})
    async with office.product.storage.app.write() as session:
        await session.execute(update(Contact).values(created_at=AT))
    first = (await owner.get(url, params={"PageSize": 3})).json()
    second = await owner.get(
        url, params={"PageSize": 3, "ContinuationToken": first["continuationToken"]}
    )
    addresses = [item["address"] for page in (first, second.json()) for item in page["items"]]
    assert sorted(addresses) == [f"p{number}@example.org" for number in range(5)]
    assert (first["totalItems"], second.json()["hasMore"]) == (5, False)
