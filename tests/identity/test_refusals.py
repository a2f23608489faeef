"""Every refused attempt to come in leaves a line, whichever door was tried."""

import pytest

from support.issuer import was_refused
from support.office import API, PASSWORD, Office

pytestmark = [pytest.mark.req("ID-01", "ID-02")]


async def last(office: Office) -> dict[str, str]:
    return (await office.operator.get(f"{API}/sign-ins")).json()["items"][0]


async def test_a_wrong_owner_link_is_recorded(office: Office):
    body = {"link": "bwl_wrong", "email": "eve@example.com", "name": "Eve", "password": PASSWORD}
    assert (await office.browser().post(f"{API}/auth/setup", json=body)).status_code == 404
    line = await last(office)
    assert (line["method"], line["outcome"]) == ("owner link", "refused")
    assert line["email"] == "eve@example.com"
    assert line["address"] == "127.0.0.1"


async def test_a_wrong_password_link_is_recorded(office: Office):
    body = {"link": "bwl_wrong", "password": PASSWORD}
    assert (await office.browser().post(f"{API}/auth/password", json=body)).status_code == 404
    assert ((await last(office))["method"], (await last(office))["outcome"]) == (
        "password link",
        "refused",
    )


async def test_a_provider_s_answer_that_nobody_asked_for_is_recorded(office: Office):
    query = {"state": "made up", "code": "made up"}
    answer = await office.browser().get("/oauth/login/callback", params=query)
    assert was_refused(answer)
    line = await last(office)
    assert (line["method"], line["outcome"]) == ("provider", "refused")
    assert "made up" not in str(line)
