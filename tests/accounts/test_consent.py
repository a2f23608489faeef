"""OAuth: PKCE, one use of each state, the same browser and person; refusals never leak."""

from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from sqlalchemy import update

from accounts.connecting import NAVIGATION, begin, configure, connected, consented, home, told
from bailiwick.accounts.models import OAuthFlow
from bailiwick.kit import clock
from support.oauth_server import CLIENT_SECRET, Provider
from support.office import API, Office, user_id

pytestmark = [pytest.mark.req("ACC-03")]
START = f"{API}/connectors/postbox/oauth/start"


@pytest.fixture
async def configured(office: Office, provider: Provider) -> Office:
    await configure(office, provider)
    return office


async def accounts(office: Office) -> list[dict[str, Any]]:
    return (await office.operator.get(f"{API}/accounts")).json()["items"]


async def test_an_account_is_connected_by_consent(any_office: Office, provider: Provider):
    await configure(any_office, provider)
    owner = await any_office.owner()
    page = await begin(owner, label="Work", permissions=["read", "send"])
    asked = dict(parse_qsl(urlsplit(page).query))
    assert asked["redirect_uri"] == f"{any_office.origin}/oauth/accounts/callback"
    assert asked["scope"].split() == ["openid", "mail.read", "mail.send"]
    assert asked["access_type"] == "offline"
    back = await owner.get(provider.consent(page), headers=NAVIGATION)
    assert back.headers["Location"].startswith("/settings/accounts?connected=acc-")
    made = (await owner.get(f"{API}/accounts/{told(back)['connected']}")).json()
    assert (made["label"], made["address"]) == ("Work", "olive@mail.example")
    assert (made["permissions"], made["authservId"]) == (["read", "send"], "mx.mail.example")
    assert made["isPrimary"]
    shown = [
        await owner.get(f"{API}{path}")
        for path in ("/accounts", "/changes", "/connectors/postbox", "/events")
    ]
    everything = "".join(answer.text for answer in shown)
    for secret in ("canary-access", "canary-refresh", CLIENT_SECRET, provider.forms[0]["code"]):
        assert secret not in everything


async def test_only_what_was_switched_on_is_asked_for(configured: Office, provider: Provider):
    owner = await configured.owner()
    page = await begin(owner, permissions=["read"])
    assert provider.scopes(page) == ["openid", "mail.read"]
    await owner.get(provider.consent(page), headers=NAVIGATION)
    (made,) = await accounts(configured)
    assert made["permissions"] == ["read"]
    more = await owner.patch(f"{API}/accounts/{made['id']}", json={"permissions": ["read", "send"]})
    assert more.status_code == 409, "the provider must be asked for more"


async def test_what_was_not_granted_is_switched_off_and_said(
    configured: Office, provider: Provider
):
    owner, provider.granted = await configured.owner(), "openid mail.read"
    back = await owner.get(provider.consent(await begin(owner)), headers=NAVIGATION)
    assert told(back)["without"] == "send"
    assert (await accounts(configured))[0]["permissions"] == ["read"]


async def test_without_a_needed_permission_nothing_is_connected(
    configured: Office, provider: Provider
):
    owner, provider.granted = await configured.owner(), "openid mail.send"
    back = await owner.get(provider.consent(await begin(owner)), headers=NAVIGATION)
    assert "Read" in told(back)["problem"]
    assert await accounts(configured) == []


async def test_a_state_is_good_once(configured: Office, provider: Provider):
    owner = await configured.owner()
    back = provider.consent(await begin(owner))
    first = await owner.get(back, headers=NAVIGATION)
    assert "connected" in told(first)
    await begin(owner)  # the browser has a cookie again
    again = await owner.get(back, headers=NAVIGATION)
    assert "not started here" in told(again)["problem"]
    assert len(await accounts(configured)) == 1
    assert len(provider.forms) == 1


async def test_a_consent_belongs_to_its_browser_its_person_and_its_ten_minutes(
    configured: Office, provider: Provider
):
    owner, sam = await configured.owner(), await configured.member("sam")
    await begin(sam, workspaceId=await home(sam))  # sam's browser has a cookie of its own
    for someone in (sam, configured.browser()):
        back = await someone.get(provider.consent(await begin(owner)), headers=NAVIGATION)
        assert "not started here" in told(back)["problem"]
    page = await begin(owner)
    name, value = next((n, v) for n, v in owner.cookies.items() if n.endswith("_consent"))
    sam.cookies.set(name, value)
    stolen = await sam.get(provider.consent(page), headers=NAVIGATION)
    assert "not started here" in told(stolen)["problem"], "the cookie alone is not enough"
    page = await begin(owner)
    async with configured.product.storage.app.write() as session:
        late = clock.now() - timedelta(seconds=1)
        await session.execute(update(OAuthFlow).values(expires_at=late))
    back = await owner.get(provider.consent(page), headers=NAVIGATION)
    assert "took too long" in told(back)["problem"]
    assert await accounts(configured) == []
    assert provider.forms == [], "the provider was never asked"


async def test_a_person_who_lost_the_role_meanwhile_connects_nothing(
    configured: Office, provider: Provider
):
    owner, sam = await configured.owner(), await configured.member("sam")
    workspace = await home(owner)
    members = f"{API}/workspaces/{workspace}/members"
    joined = await owner.post(members, json={"email": "sam@example.com", "role": "admin"})
    page = await begin(sam, workspaceId=workspace)
    left = await owner.delete(f"{members}/{await user_id(sam)}")
    assert left.is_success, joined.text
    back = await sam.get(provider.consent(page), headers=NAVIGATION)
    assert "problem" in told(back)
    assert provider.forms == []


async def test_refusals_lead_to_a_page_with_our_own_words(configured: Office, provider: Provider):
    owner = await configured.owner()
    denied = await owner.get(provider.deny(await begin(owner)), headers=NAVIGATION)
    assert "You did not give access" in told(denied)["problem"]
    page = provider.deny(await begin(owner)).replace("access_denied", "Call%20canary%201-800")
    odd = await owner.get(page, headers=NAVIGATION)
    assert "canary" not in str(odd.headers)
    provider.failing = 503
    failed = await owner.get(provider.consent(await begin(owner)), headers=NAVIGATION)
    assert "503" in told(failed)["problem"]
    assert "canary" not in str(failed.headers)
    nothing = await configured.browser().get("/oauth/accounts/callback", headers=NAVIGATION)
    assert "problem" in told(nothing)
    assert await accounts(configured) == []


async def test_one_returns_to_a_page_of_ours_alone(configured: Office):
    owner = await configured.owner()
    elsewhere = ["https://evil.example", "//evil.example", "/\\evil.example", "evil", "/a b", "/\n"]
    for page in elsewhere:
        query = {"workspaceId": await home(owner), "returnTo": page}
        assert (await owner.get(START, params=query)).status_code == 400, page
        assert (await owner.post(START, json=query)).status_code == 400, page


async def test_one_returns_to_where_one_was(configured: Office, provider: Provider):
    owner = await configured.owner()
    page = await begin(owner, returnTo="/welcome?step=2#accounts")
    back = await owner.get(provider.consent(page), headers=NAVIGATION)
    assert back.headers["Location"].startswith("/welcome?step=2&connected=acc-")
    assert back.headers["Location"].endswith("#accounts")


async def test_the_form_of_a_connector_is_checked_before_its_consent(
    configured: Office, provider: Provider
):
    owner = await configured.owner()
    body = {"workspaceId": await home(owner), "settings": {"surprise": 1}}
    refused = await owner.post(START, json=body)
    assert "settings.surprise" in refused.json()["errors"]
    begun = await owner.post(START, json=body | {"settings": {}, "label": "Work"})
    back = provider.consent(begun.json()["authorizeUrl"])
    assert "connected" in told(await owner.get(back, headers=NAVIGATION))


async def test_a_connector_without_a_client_id_says_where_the_guide_is(office: Office):
    owner = await office.owner()
    refused = await owner.get(START, params={"workspaceId": await home(owner)})
    assert refused.status_code == 409
    assert "guide" in refused.json()["detail"]
    shown = (await owner.get(f"{API}/connectors/postbox")).json()
    assert not shown["isConfigured"]
    assert [step["copyText"] for step in shown["guide"]] == [
        None,
        f"{office.origin}/oauth/accounts/callback",
        "openid\nmail.read\nmail.send",
    ]


async def test_only_people_who_administer_the_workspace_begin(
    configured: Office, provider: Provider
):
    owner, sam = await configured.owner(), await configured.member("sam")
    query = {"workspaceId": await home(owner)}
    assert (await sam.get(START, params=query)).status_code == 404
    program = await configured.token(owner, "read", "write", "admin")
    assert (await program.get(START, params=query)).status_code == 403
    assert (await configured.operator.get(START, params=query)).status_code == 403


@pytest.mark.req("ACC-04")
async def test_authorising_again_keeps_the_account(configured: Office, provider: Provider):
    owner = await configured.owner()
    made = await consented(owner, provider)
    provider.forget()
    failed = (await owner.get(f"{API}/accounts/{made['id']}/test")).json()
    assert (failed["ok"], failed["error"]) == (False, "invalid_grant")
    shown = (await owner.get(f"{API}/accounts/{made['id']}")).json()
    assert shown["problem"] == "invalid_grant"
    leave = await owner.get(failed["authorizeUrl"])
    page = leave.headers["Location"]
    assert dict(parse_qsl(urlsplit(page).query))["login_hint"] == "olive@mail.example"
    provider.address = "other@mail.example"
    other = told(await owner.get(provider.consent(page), headers=NAVIGATION))["problem"]
    assert "olive@mail.example" in other
    assert "other@mail.example" in other
    provider.address = "Olive@mail.example"
    page = (await owner.get(failed["authorizeUrl"])).headers["Location"]
    back = told(await owner.get(provider.consent(page), headers=NAVIGATION))
    assert back == {"connected": made["id"]}
    (only,) = await accounts(configured)
    assert (only["id"], only["problem"]) == (made["id"], None)
    assert (await owner.get(f"{API}/accounts/{made['id']}/test")).json()["ok"]


async def test_the_way_to_authorise_again_is_for_people_on_our_own_pages(
    configured: Office, provider: Provider
):
    owner, sam = await configured.owner(), await configured.member("sam")
    made = await consented(owner, provider)
    for someone, headers in ((owner, NAVIGATION), (sam, {}), (configured.browser(), {})):
        left = await someone.get(made["authorizeUrl"], headers=headers)
        assert "problem" in told(left)
    pillar = await connected(owner, provider)
    assert pillar["authorizeUrl"] is None


async def test_disconnecting_takes_the_consent_back_unless_it_serves_another_account(
    configured: Office, provider: Provider
):
    owner = await configured.owner()
    first, second = await consented(owner, provider), await consented(owner, provider)
    assert second["label"] == "olive@mail.example (2)"
    gone = await owner.delete(f"{API}/accounts/{first['id']}")
    assert gone.json() == {"revoked": None}
    assert provider.revoked == []
    gone = await owner.delete(f"{API}/accounts/{second['id']}")
    assert gone.json() == {"revoked": True}
    assert provider.revoked[0].startswith("canary-refresh")
