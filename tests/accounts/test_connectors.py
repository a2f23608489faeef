"""Connectors: declared by plugins, switched, set up by a form, active in a category."""

from dataclasses import replace
from typing import Any

import pytest

from accounts.connecting import configure, connected, consented, home
from accounts.postbox import PILLAR, POSTBOX, install, plugin_of
from bailiwick import features
from bailiwick.accounts import switches
from bailiwick.accounts.opener import AccountOpener
from bailiwick.accounts.own import ConnectorAccounts
from bailiwick.accounts.switches import Switches
from bailiwick.connectors.connector import Connector, Permission
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.registry import Connectors
from bailiwick.errors import BadConfiguration
from bailiwick.kit.eventlog import log as eventlog
from bailiwick.office import storage_of
from support.oauth_server import CLIENT_SECRET, Provider
from support.office import API, Office, user_id

pytestmark = [pytest.mark.req("ACC-08", "ACC-09")]
FORM = {"type": "object", "properties": {"a": {"type": "string"}}}


@pytest.mark.req("ACC-02")
async def test_a_strangers_connector_is_listed_beside_the_built_in_ones(office: Office):
    sam = await office.member("sam")
    listed = (await sam.get(f"{API}/connectors")).json()
    shown = {item["name"]: item for item in listed["items"]}
    assert {"gmail", "imap", "local", "pillar", "postbox"} <= shown.keys()
    assert listed["active"] == {"mail": None, "calendar": None, "tasks": None}
    postbox = shown["postbox"]
    assert (postbox["usesOauth"], postbox["isConfigured"]) == (True, False)
    assert postbox["hosts"] == ["postbox.example"]
    assert [each["scopes"] for each in postbox["permissions"]] == [["mail.read"], ["mail.send"]]
    assert shown["pillar"]["settingsForm"]["properties"]["password"]["writeOnly"]


async def test_options_are_checked_and_secrets_never_come_back(office: Office, provider: Provider):
    await configure(office, provider)
    owner, sam = await office.owner(), await office.member("sam")
    path = f"{API}/connectors/postbox"
    answer = await owner.get(path)
    assert answer.json()["secretsSet"] == ["client_secret"]
    assert answer.json()["options"]["url"] == provider.url
    assert answer.json()["isConfigured"]
    everything = answer.text + (await owner.get(f"{API}/changes")).text
    assert CLIENT_SECRET not in everything
    assert (await sam.get(path)).json()["options"] is None
    for options, field in (({"url": 5}, "url"), ({"surprise": "x"}, "surprise")):
        refused = await owner.patch(path, json={"options": options})
        assert f"options.{field}" in refused.json()["errors"]
    moved = await owner.patch(path, json={"options": {"url": "https://evil.example"}})
    assert "options.client_secret" in moved.json()["errors"], "a secret belongs to its address"
    kept = await owner.patch(path, json={"options": {"client_id": "another"}})
    assert kept.json()["secretsSet"] == ["client_secret"]
    gone = await owner.patch(path, json={"options": {"client_id": None, "client_secret": None}})
    assert (gone.json()["secretsSet"], gone.json()["isConfigured"]) == ([], False)
    assert (await sam.patch(path, json={"enabled": False})).status_code == 403


async def test_accounts_of_a_disabled_connector_are_not_used_and_say_why(
    office: Office, provider: Provider
):
    owner = await office.owner()
    made = await connected(owner, provider)
    await owner.patch(f"{API}/connectors/pillar", json={"enabled": False})
    shown = (await owner.get(f"{API}/accounts/{made['id']}")).json()
    assert shown["unusedBecause"] == "The connector Pillar box is switched off."
    probe = (await owner.get(f"{API}/accounts/{made['id']}/test")).json()
    assert (probe["ok"], probe["detail"]) == (False, shown["unusedBecause"])
    assert (await owner.get(f"{API}/accounts/{made['id']}")).json()["problem"] is None
    with pytest.raises(ConnectorFailed, match="switched off"):
        async with office.product[AccountOpener].mailbox(made["id"]):
            pass
    again = {"workspaceId": await home(owner), "connector": "pillar", "settings": {}}
    assert (await owner.post(f"{API}/accounts", json=again)).status_code == 409
    await owner.patch(f"{API}/connectors/pillar", json={"enabled": True})
    assert (await owner.get(f"{API}/accounts/{made['id']}/test")).json()["ok"]


async def test_a_connectors_own_tools_follow_its_switches(office: Office, provider: Provider):
    await configure(office, provider)
    owner, own = await office.owner(), office.product[Switches]
    assert not own.is_open("postbox")
    await consented(owner, provider)
    assert own.is_open("postbox"), "the first of its category is the active one"
    active = f"{API}/connectors/active/mail"
    await connected(owner, provider)
    assert (await owner.put(active, json={"connector": "pillar"})).status_code == 204
    assert (own.is_open("postbox"), own.is_open("pillar")) == (False, True)
    await owner.patch(f"{API}/connectors/pillar", json={"enabled": False})
    assert not own.is_open("pillar")
    assert (await owner.put(active, json={"connector": "pillar"})).status_code == 409
    unknown = await owner.put(active, json={"connector": "nothing"})
    assert "connector" in unknown.json()["errors"]
    calendar = await owner.put(f"{API}/connectors/active/calendar", json={"connector": "postbox"})
    assert calendar.status_code == 400
    assert (await owner.put(active, json={"connector": None})).status_code == 204
    assert (await owner.get(f"{API}/connectors")).json()["active"]["mail"] is None


async def test_another_processs_switch_is_heard_of_by_its_event(office: Office, provider: Provider):
    owner = await office.owner()
    await connected(owner, provider)
    storage = storage_of(office.product.settings, None)
    async with storage.app.read() as session:
        other = Switches(await switches.read(session, office.product[Connectors]))
    assert other.is_open("pillar")
    await owner.patch(f"{API}/connectors/pillar", json={"enabled": False})
    assert other.is_open("pillar"), "it has not heard of it yet"
    async with storage.app.read() as session:
        other.follow(await eventlog.after(session, 0, limit=1000))
    assert not other.is_open("pillar")
    await storage.close()


async def test_a_connector_opens_its_own_accounts_alone(office: Office, provider: Provider):
    await configure(office, provider)
    owner, sam = await office.owner(), await office.member("sam")
    mine, other = await consented(owner, provider, label="Mine"), await connected(owner, provider)
    own = ConnectorAccounts(office.product, "postbox")
    me, here = await user_id(owner), mine["workspaceId"]
    assert [each.label for each in await own.of(here, me)] == ["Mine"]
    assert await own.of(here, await user_id(sam)) == []
    async with own.mailbox(mine["id"], workspace_id=here, user_id=me) as box:
        assert (await box.probe()).address == "olive@mail.example"
    elsewhere = await home(sam)
    for id, workspace, who in (
        (other["id"], here, me),
        (mine["id"], elsewhere, me),
        (mine["id"], here, await user_id(sam)),
    ):
        with pytest.raises(ConnectorFailed, match="no such account"):
            async with own.mailbox(id, workspace_id=workspace, user_id=who):
                pass


async def test_a_connector_reaches_declared_hosts_alone(office: Office, provider: Provider):
    await configure(office, provider)
    made = await consented(await office.owner(), provider)
    async with office.product[AccountOpener].mailbox(made["id"]) as box:
        network = box.access.network  # pyright: ignore[reportAttributeAccessIssue]
        async with network.http() as client:
            assert (await client.get(f"{provider.url}/nothing")).status_code == 404
            for url in ("http://127.0.0.1:9/", "https://example.com/"):
                with pytest.raises(ConnectorFailed, match="not among the hosts"):
                    await client.get(url)
        assert CLIENT_SECRET not in repr(box.access)  # pyright: ignore[reportAttributeAccessIssue]


async def test_an_address_suggests_settings_without_secrets(office: Office):
    owner = await office.owner()
    answer = await owner.get(f"{API}/connectors/suggest", params={"address": "kim@example.org"})
    found = {item["connector"]: item["settings"] for item in answer.json()["items"]}
    assert found["pillar"] == {"host": "mail.example.org"}
    guess = next(item for item in answer.json()["items"] if item["connector"] == "imap")
    assert not guess["isKnown"]
    assert "known" not in guess["settings"]


@pytest.mark.parametrize(
    ("connector", "words"),
    [
        (replace(PILLAR, name="Pillar Box"), "no name"),
        (replace(PILLAR, name="local"), "two connectors called local"),
        (replace(PILLAR, categories=("calendar",)), "does not open it"),
        (replace(PILLAR, categories=()), "categories"),
        (replace(PILLAR, title=" "), "no title"),
        (replace(PILLAR, permissions=(Permission("a", "A", "A"),) * 2), "two permissions"),
        (replace(POSTBOX, settings=PILLAR.settings), "cannot have secrets"),
        (replace(PILLAR, options={"type": "array"}), "plain object"),
        (replace(PILLAR, options=FORM | {"additionalProperties": True}), "plain object"),
        (replace(PILLAR, options=FORM | {"required": ["b"]}), "does not have"),
        (replace(PILLAR, options={"type": "object", "properties": {"a": FORM}}), "not a plain"),
        (
            replace(PILLAR, options={"type": "object", "properties": {"a": {"type": "object"}}}),
            "must be one of",
        ),
        (
            replace(
                PILLAR,
                options={"type": "object", "properties": {"a": {"type": "string", "default": 5}}},
            ),
            "default",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_declaration_stops_the_start_and_names_its_plugin(
    monkeypatch: pytest.MonkeyPatch, connector: Connector, words: str
):
    install(monkeypatch, plugin_of(connector))
    with pytest.raises(BadConfiguration, match=rf"postbox gives a connector.*{words}"):
        Connectors.of_features(features.installed())


async def test_an_account_whose_plugin_is_gone_is_shown_and_can_be_disconnected(
    office: Office, provider: Provider, monkeypatch: pytest.MonkeyPatch
):
    owner = await office.owner()
    made = await connected(owner, provider)
    opener: AccountOpener = office.product[AccountOpener]
    monkeypatch.delitem(opener.connectors._known, "pillar")
    shown: dict[str, Any] = (await owner.get(f"{API}/accounts/{made['id']}")).json()
    assert shown["unusedBecause"] == "The connector pillar is not installed."
    assert not (await owner.get(f"{API}/accounts/{made['id']}/test")).json()["ok"]
    assert (await owner.delete(f"{API}/accounts/{made['id']}")).status_code == 200
