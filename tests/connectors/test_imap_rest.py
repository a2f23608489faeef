"""Connecting a mail server, as people do it."""

from collections.abc import Iterator

import pytest

from support.dovecot import PASSWORD, Dovecot, dovecot
from support.office import API, Office
from support.smtp import SmtpServer, serving_smtp

__all__ = ["dovecot"]
pytestmark = pytest.mark.req("ACC-02")
USER = "ann@example.org"


@pytest.fixture(scope="module")
def smtp() -> Iterator[SmtpServer]:
    with serving_smtp() as server:
        yield server


async def test_an_account_is_tried_before_it_is_kept(
    office: Office,
    dovecot: Dovecot,
    smtp: SmtpServer,
) -> None:
    owner = await office.owner()
    home = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    settings = dovecot.settings(USER, smtp_port=smtp.port)
    settings["certificate"] = " ".join(settings["certificate"].split("\n"))
    body = {"workspaceId": home, "connector": "imap", "settings": settings}

    without = await owner.post(f"{API}/accounts", json=body)
    assert without.status_code == 400
    assert "settings.password" in without.json()["errors"]

    settings["password"] = "surely-not-this-one"
    wrong = await owner.post(f"{API}/accounts", json=body)
    assert wrong.status_code == 400, wrong.text
    assert "refused" in wrong.json()["errors"]["settings.password"][0]
    assert "surely-not" not in wrong.text
    assert (await owner.get(f"{API}/accounts")).json()["items"] == []

    settings["password"] = PASSWORD
    made = await owner.post(f"{API}/accounts", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["address"] == USER
    assert PASSWORD not in made.text
    probed = await owner.get(f"{API}/accounts/{made.json()['id']}/test")
    assert probed.json()["ok"] is True, probed.text


async def test_who_is_no_admin_of_the_office_cannot_point_it_at_this_machine(
    office: Office,
    dovecot: Dovecot,
    smtp: SmtpServer,
) -> None:
    bob = await office.member("bob")
    own = (await bob.post(f"{API}/workspaces", json={"name": "Own"})).json()["id"]
    settings = {**dovecot.settings(USER, smtp_port=smtp.port), "password": PASSWORD}
    del settings["certificate"]
    body = {"workspaceId": own, "connector": "imap", "settings": settings}
    refused = await bob.post(f"{API}/accounts", json=body)
    assert refused.status_code == 400, refused.text
    assert "a loopback address" in refused.text


@pytest.mark.req("ACC-09")
async def test_the_guide_names_the_scopes_before_there_is_a_client_id(office: Office) -> None:
    owner = await office.owner()
    shown = (await owner.get(f"{API}/connectors/imap_oauth")).json()
    assert shown["isConfigured"] is False
    (pasted,) = [step["copyText"] for step in shown["guide"] if "scopes" in step["title"]]
    assert "IMAP.AccessAsUser.All" in pasted
