"""Workspaces: who may enter, and as what."""

import pytest

from support.office import API, Office, user_id

pytestmark = pytest.mark.req("ID-03")


async def home(office: Office) -> str:
    listed = await (await office.owner()).get(f"{API}/workspaces")
    return listed.json()["items"][0]["id"]


async def test_the_first_owner_is_admin_of_the_first_workspace(any_office: Office):
    listed = await (await any_office.owner()).get(f"{API}/workspaces")
    (only,) = listed.json()["items"]
    assert (only["name"], only["role"]) == ("Home", "admin")


async def test_a_workspace_does_not_exist_for_someone_who_is_not_a_member(any_office: Office):
    stranger = await any_office.member("sam")
    id = await home(any_office)
    assert (await stranger.get(f"{API}/workspaces/{id}")).status_code == 404
    assert (await stranger.patch(f"{API}/workspaces/{id}", json={"name": "x"})).status_code == 404
    assert (await stranger.get(f"{API}/workspaces")).json()["items"] == []


async def test_a_reader_reads_and_cannot_change(any_office: Office):
    reader = await any_office.member("rita")
    id = await home(any_office)
    owner = await any_office.owner()
    body = {"email": "Rita@Example.com", "role": "read"}
    assert (await owner.post(f"{API}/workspaces/{id}/members", json=body)).status_code == 201
    assert (await reader.get(f"{API}/workspaces/{id}/members")).status_code == 200
    assert (await reader.patch(f"{API}/workspaces/{id}", json={"name": "x"})).status_code == 403
    assert (await reader.delete(f"{API}/workspaces/{id}")).status_code == 403
    assert (await reader.post(f"{API}/workspaces/{id}/members", json=body)).status_code == 403


async def test_roles_can_be_raised_and_members_removed(any_office: Office):
    owner, colleague = await any_office.owner(), await any_office.member("kim")
    id, kim = await home(any_office), await user_id(colleague)
    path = f"{API}/workspaces/{id}/members/{kim}"
    assert (await owner.put(path, json={"role": "admin"})).json()["role"] == "admin"
    renamed = await colleague.patch(f"{API}/workspaces/{id}", json={"name": "Our home"})
    assert renamed.json()["name"] == "Our home"
    assert (await owner.delete(path)).status_code == 204
    assert (await colleague.get(f"{API}/workspaces/{id}")).status_code == 404


async def test_a_workspace_keeps_an_admin(any_office: Office):
    owner = await any_office.owner()
    path = f"{API}/workspaces/{await home(any_office)}/members/{await user_id(owner)}"
    assert (await owner.put(path, json={"role": "read"})).status_code == 409
    assert (await owner.delete(path)).status_code == 409
    assert (await owner.get(path.rsplit("/", 1)[0])).json()["items"][0]["role"] == "admin"


async def test_the_last_workspace_stays_and_others_go(any_office: Office):
    owner = await any_office.owner()
    assert (await owner.delete(f"{API}/workspaces/{await home(any_office)}")).status_code == 409
    second = (await owner.post(f"{API}/workspaces", json={"name": "Second"})).json()["id"]
    assert (await owner.delete(f"{API}/workspaces/{second}")).status_code == 204
    assert (await owner.get(f"{API}/workspaces/{second}")).status_code == 404


@pytest.mark.req("ACC-01")
async def test_a_workspace_goes_after_its_accounts(office: Office):
    owner = await office.owner()
    second = (await owner.post(f"{API}/workspaces", json={"name": "Second"})).json()["id"]
    body = {"workspaceId": second, "connector": "local", "settings": {"address": "a@example.com"}}
    account = (await owner.post(f"{API}/accounts", json={**body, "label": "Post"})).json()["id"]
    refused = await owner.delete(f"{API}/workspaces/{second}")
    assert (refused.status_code, refused.json()["detail"]) == (
        409,
        "Disconnect your accounts first: Post.",
    )
    assert (await owner.get(f"{API}/accounts/{account}")).is_success
    assert (await owner.delete(f"{API}/accounts/{account}")).is_success
    assert (await owner.delete(f"{API}/workspaces/{second}")).status_code == 204


@pytest.mark.req("ID-07")
async def test_changes_to_members_are_recorded_with_who_before_and_after(any_office: Office):
    owner, kim = await any_office.owner(), await user_id(await any_office.member("kim"))
    id = await home(any_office)
    for role in ("read", "write"):
        await owner.put(f"{API}/workspaces/{id}/members/{kim}", json={"role": role})
    listed = await owner.get(f"{API}/changes", params={"action": "workspace.member_set"})
    last = listed.json()["items"][0]
    assert last["before"] == {"user": kim, "role": "read"}
    assert last["after"] == {"user": kim, "role": "write"}
    assert last["actorName"] == "Olive Owner"
