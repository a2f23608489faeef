"""Rules through the API: who may change them, what is refused, and when a change is in force."""

import asyncio
from typing import Any

import httpx
import pytest
from sqlalchemy import select, update

from bailiwick.gate.models import Policy, Rule
from bailiwick.gate.rules import defaults, repository, service
from bailiwick.gate.rules.book import RuleBook
from bailiwick.gate.rules.cache import RuleBookCache
from bailiwick.kit.eventlog import Recorded
from bailiwick.tools.arguments import NoArguments
from bailiwick.tools.effects import EFFECTS
from bailiwick.tools.registry import Registry
from bailiwick.tools.tool import Tool
from support.office import API, Office, user_id

pytestmark = pytest.mark.req("GATE-05")
RULES = f"{API}/rules"
BODY = {
    "name": "No mail to rivals",
    "action": "BLOCK",
    "condition": {"in": ["rival.example", {"var": "args.to"}]},
}


async def made(person: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = await person.post(RULES, json={**BODY, **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def refused(person: httpx.AsyncClient, **given: Any) -> httpx.Response:
    return await person.post(RULES, json={**BODY, **given})


async def listed(person: httpx.AsyncClient) -> list[dict[str, Any]]:
    return (await person.get(RULES)).json()["items"]


async def version(office: Office) -> int:
    async with office.product.storage.app.read() as session:
        return await repository.version(session)


async def workspace_of(person: httpx.AsyncClient, name: str = "Lab") -> str:
    return (await person.post(f"{API}/workspaces", json={"name": name})).json()["id"]


async def test_a_new_office_has_rules_that_name_every_effect(office: Office):
    items = await listed(await office.owner())
    assert [item["name"] for item in items] == [default[0] for default in defaults.DEFAULTS]
    verdicts = {}
    async with office.product.storage.app.read() as session:
        book = RuleBook.compile(await repository.everything(session), 1)
    for effect in EFFECTS:
        verdicts[effect] = book.decide({"tool": "x", "effect": effect}).action
    asked = {"send", "share", "invite", "fetch", "move", "complete", "delete", "execute"}
    assert verdicts == {
        effect: "REQUIRE_APPROVAL" if effect in asked else "ALLOW" for effect in EFFECTS
    }


async def test_the_rules_of_a_new_office_are_given_once(office: Office):
    owner = await office.owner()
    for item in await listed(owner):
        assert (await owner.delete(f"{RULES}/{item['id']}")).status_code == 204
    before = await version(office)
    await defaults.ensure(office.product.storage)
    assert await listed(owner) == []
    assert await version(office) == before


async def test_a_rule_is_made_shown_changed_and_removed(any_office: Office):
    owner = await any_office.owner()
    rule = await made(owner, priority=700)
    assert rule == {
        **BODY,
        "id": rule["id"],
        "description": "",
        "fields": [],
        "priority": 700,
        "enabled": True,
        "connector": None,
        "workspaceId": None,
        "userId": None,
        "createdAt": rule["createdAt"],
        "updatedAt": rule["createdAt"],
    }
    one = f"{RULES}/{rule['id']}"
    assert (await owner.get(one)).json() == rule
    assert (await listed(owner))[0] == rule
    patch = {"action": "REDACT", "fields": ["args.body"], "connector": "mail", "enabled": False}
    changed = (await owner.patch(one, json=patch)).json()
    assert changed == {**rule, **patch, "updatedAt": changed["updatedAt"]}
    assert (await owner.get(one)).json() == changed
    assert (await owner.delete(one)).status_code == 204
    assert (await owner.get(one)).status_code == 404
    assert (await owner.patch(one, json={"name": "x"})).status_code == 404
    assert (await owner.delete(one)).status_code == 404


async def test_every_change_is_recorded_told_and_another_version(office: Office):
    owner = await office.owner()
    versions = [await version(office)]
    rule = await made(owner)
    one = f"{RULES}/{rule['id']}"
    versions.append(await version(office))
    await owner.patch(one, json={"priority": 3})
    versions.append(await version(office))
    ids = [item["id"] for item in await listed(owner)]
    assert (await owner.put(f"{RULES}/order", json={"ids": ids[::-1]})).status_code == 200
    versions.append(await version(office))
    await owner.delete(one)
    versions.append(await version(office))
    assert versions == list(range(versions[0], versions[0] + 5))
    answer = await owner.get(f"{API}/changes", params={"subject": rule["id"]})
    lines = answer.json()["items"][::-1]
    assert [line["action"] for line in lines] == ["rule.created", "rule.changed", "rule.deleted"]
    assert (lines[1]["before"]["priority"], lines[1]["after"]["priority"]) == (500, 3)
    events = (await owner.get(f"{API}/events", params={"types": "rule.*"})).json()["items"]
    assert [event["type"] for event in events][-4:] == [
        *("rule.created", "rule.changed", "rule.reordered", "rule.deleted")
    ]


async def test_what_changes_nothing_is_no_new_version(office: Office):
    owner = await office.owner()
    rule = await made(owner)
    before = await version(office)
    for patch in ({}, {"name": rule["name"], "condition": rule["condition"]}):
        assert (await owner.patch(f"{RULES}/{rule['id']}", json=patch)).json() == rule
    ids = [item["id"] for item in await listed(owner)]
    await owner.put(f"{RULES}/order", json={"ids": ids})
    await owner.post(RULES, json={**BODY, "condition": {"nope": 1}})
    assert await version(office) == before


@pytest.mark.req("GATE-06")
async def test_a_rule_that_means_nothing_is_refused_with_the_place_of_the_fault(office: Office):
    owner = await office.owner()
    rule = await made(owner)
    for given, field, words in (
        (
            {"condition": {"and": [True, {"nope": 1}]}},
            "condition",
            "at and/1: there is no operator",
        ),
        ({"condition": {"==": [{"var": "secret"}, 1]}}, "condition", "at ==/0/var: there is no"),
        ({"condition": {"var": "account.adress"}}, "condition", "account.address"),
        ({"condition": {}}, "condition", "0 names"),
        ({"condition": "text"}, "condition", ""),
        ({"action": "REDACT"}, "fields", "which fields"),
        ({"fields": ["args.body"]}, "fields", "only a rule that redacts"),
        ({"action": "REDACT", "fields": ["a..b"]}, "fields.0", ""),
        ({"action": "DENY"}, "action", ""),
        ({"priority": -1}, "priority", ""),
        ({"workspaceId": "wsp-aaaaaaaaaaaa"}, "workspaceId", "does not exist"),
        ({"userId": "usr-aaaaaaaa"}, "userId", "does not exist"),
    ):
        for answer in (
            await refused(owner, **given),
            await owner.patch(f"{RULES}/{rule['id']}", json=given),
        ):
            assert answer.status_code == 400, given
            errors = answer.json()["errors"]
            assert any(name.startswith(field) for name in errors), errors
            assert words in str(errors), errors
    assert (await owner.get(f"{RULES}/{rule['id']}")).json() == rule


async def test_a_condition_is_checked_without_being_kept(office: Office):
    member = await office.member("sam")
    condition = {"or": [{"var": "tools"}, {"and": [{"===": [1]}]}]}
    answer = await member.post(f"{RULES}/check", json={"condition": condition})
    found = answer.json()["faults"]
    assert [fault["path"] for fault in found] == ["or/0/var", "or/1/and/0"]
    assert "takes 2 arguments" in found[1]["message"]
    fine = await member.post(f"{RULES}/check", json={"condition": BODY["condition"]})
    assert fine.json() == {"faults": []}


async def test_the_order_is_rewritten_as_a_whole(any_office: Office):
    owner = await any_office.owner()
    await made(owner, name="Last")
    ids = [item["id"] for item in await listed(owner)]
    turned = ids[1:] + ids[:1]
    answer = await owner.put(f"{RULES}/order", json={"ids": turned})
    assert [item["id"] for item in answer.json()["items"]] == turned
    assert [item["id"] for item in await listed(owner)] == turned
    for wrong in (turned[1:], [*turned, turned[0]], [*turned[1:], "rul-aaaaaaaaaaaa"], []):
        answer = await owner.put(f"{RULES}/order", json={"ids": wrong})
        assert answer.status_code == 409, wrong
        assert "every rule once" in answer.json()["detail"]
    assert [item["id"] for item in await listed(owner)] == turned


async def test_only_admins_change_the_rules_of_the_office(office: Office):
    owner, member = await office.owner(), await office.member("sam")
    program = await office.token(owner, "read", "write")
    rule = await made(owner)
    for person in (member, program):
        assert (await refused(person)).status_code == 403
        one = f"{RULES}/{rule['id']}"
        assert (await person.get(one)).status_code == 200
        assert (await person.patch(one, json={"enabled": False})).status_code == 403
        assert (await person.delete(one)).status_code == 403
        ids = [item["id"] for item in await listed(owner)]
        assert (await person.put(f"{RULES}/order", json={"ids": ids})).status_code == 403
    assert (await made(office.operator))["name"] == BODY["name"]


async def test_an_admin_of_a_workspace_changes_its_rules_and_no_others(office: Office):
    owner, sam = await office.owner(), await office.member("sam")
    lab = await workspace_of(sam)
    rule = await made(sam, workspaceId=lab)
    one = f"{RULES}/{rule['id']}"
    assert (await sam.patch(one, json={"name": "Ours"})).json()["name"] == "Ours"
    home = (await owner.get(f"{API}/workspaces")).json()["items"][0]["id"]
    for values, status in (({"workspaceId": None}, 403), ({"workspaceId": home}, 404)):
        assert (await sam.patch(one, json=values)).status_code == status
        assert (await refused(sam, **values)).status_code == status
    # An admin of the office governs all of them, a member of the workspace none.
    rita = await office.member("rita")
    members = f"{API}/workspaces/{lab}/members"
    await sam.post(members, json={"email": "rita@example.com", "role": "write"})
    assert (await rita.patch(one, json={"name": "Mine"})).status_code == 403
    assert (await refused(rita, workspaceId=lab)).status_code == 403
    assert (await owner.patch(one, json={"name": "Theirs"})).status_code == 200
    assert (await sam.delete(one)).status_code == 204


async def test_a_workspace_cannot_come_before_what_the_office_keeps_back(office: Office):
    owner, sam = await office.owner(), await office.member("sam")
    lab = await workspace_of(sam)
    allow = {"name": "Anything goes", "action": "ALLOW", "condition": True, "workspaceId": lab}
    rule = await made(sam, **allow, priority=900)
    await owner.delete(f"{RULES}/{rule['id']}")
    await made(owner, name="Never", priority=300)
    for priority in (300, 900):
        answer = await refused(sam, **allow, priority=priority)
        assert answer.status_code == 422
        assert "“Never”" in answer.json()["detail"]
        assert "below 300" in answer.json()["detail"]
    hidden = await made(owner, name="About Olive", priority=250, userId=await user_id(owner))
    answer = await refused(sam, **allow, priority=299)
    assert "A rule of the office comes before" in answer.json()["detail"]
    await owner.delete(f"{RULES}/{hidden['id']}")
    rule = await made(sam, **allow, priority=299)
    one = f"{RULES}/{rule['id']}"
    assert (await sam.patch(one, json={"priority": 301})).status_code == 422
    assert (await owner.patch(one, json={"priority": 301})).status_code == 200


async def test_rules_are_shown_to_those_whom_they_concern(any_office: Office):
    owner, sam = await any_office.owner(), await any_office.member("sam")
    rita = await any_office.member("rita")
    lab = await workspace_of(sam)
    await sam.post(
        f"{API}/workspaces/{lab}/members", json={"email": "rita@example.com", "role": "read"}
    )
    ours = await made(sam, name="Lab", workspaceId=lab)
    hers = await made(owner, name="Rita", action="ALLOW", userId=await user_id(rita))
    his = await made(sam, name="Sam in the lab", workspaceId=lab, userId=await user_id(sam))
    hers_there = await made(sam, name="Rita there", workspaceId=lab, userId=await user_id(rita))
    stranger = await any_office.member("tom")
    for person, seen in (
        (owner, {ours["id"], hers["id"], his["id"], hers_there["id"]}),
        (sam, {ours["id"], his["id"], hers_there["id"]}),
        (rita, {ours["id"], hers["id"], hers_there["id"]}),
        (stranger, set()),
    ):
        shown = {item["id"] for item in await listed(person)}
        assert len(shown) == len(seen) + len(defaults.DEFAULTS)
        assert seen < shown or not seen
        for rule in (ours, hers, his, hers_there):
            status = (await person.get(f"{RULES}/{rule['id']}")).status_code
            assert status == (200 if rule["id"] in seen else 404)
    answer = await refused(sam, workspaceId=lab, userId=await user_id(stranger))
    assert "not a member" in answer.text


async def test_events_of_a_rule_reach_those_whom_it_concerns(office: Office):
    sam, tom = await office.member("sam"), await office.member("tom")
    lab = await workspace_of(sam)
    rule = await made(sam, workspaceId=lab)
    await sam.patch(f"{RULES}/{rule['id']}", json={"userId": await user_id(sam)})
    for person, count in ((sam, 2), (tom, 0)):
        events = (await person.get(f"{API}/events", params={"types": "rule.*"})).json()["items"]
        assert [event["subjectId"] for event in events].count(rule["id"]) == count


async def test_there_is_room_for_the_offices_own_rules(
    office: Office, monkeypatch: pytest.MonkeyPatch
):
    owner, sam = await office.owner(), await office.member("sam")
    lab, other = await workspace_of(sam), await workspace_of(sam, "Other")
    monkeypatch.setattr(service, "MOST", 18)
    monkeypatch.setattr(service, "MOST_OF_A_WORKSPACE", 2)
    for _ in range(2):
        await made(sam, workspaceId=lab)
    answer = await refused(sam, workspaceId=lab)
    assert answer.status_code == 422
    assert "This workspace has 2 rules" in answer.json()["detail"]
    await made(sam, workspaceId=other)
    answer = await refused(sam, workspaceId=other)
    assert "kept for the admins" in answer.json()["detail"]
    for _ in range(9):
        await made(owner)
    answer = await refused(owner)
    assert answer.status_code == 422
    assert "18 rules already" in answer.json()["detail"]


async def tried(person: httpx.AsyncClient, **given: Any) -> dict[str, Any]:
    answer = await person.post(f"{RULES}/try", json={"tool": "send_email", **given})
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.req("GATE-18")
async def test_rules_are_tried_without_doing_anything(office: Office):
    owner = await office.owner()
    rule = await made(owner)
    to = {"arguments": {"to": "boss@rival.example"}, "effect": "send"}
    verdict = await tried(owner, **to)
    assert (verdict["action"], verdict["ruleId"]) == ("BLOCK", rule["id"])
    assert verdict["lookedAt"] == [
        {"ruleId": rule["id"], "name": rule["name"], "action": "BLOCK", "holds": True}
    ]
    verdict = await tried(owner, arguments={"to": "x@friend.example"}, effect="read")
    assert verdict["action"] == "ALLOW"
    assert [each["holds"] for each in verdict["lookedAt"]] == [*[False] * 6, True]
    for item in await listed(owner):
        await owner.delete(f"{RULES}/{item['id']}")
    verdict = await tried(owner, **to)
    assert (verdict["action"], verdict["ruleId"], verdict["lookedAt"]) == (None, None, [])


@pytest.mark.req("GATE-18")
async def test_a_trial_sees_the_facts_that_it_is_given(office: Office):
    sam = await office.member("sam")
    lab = await workspace_of(sam)
    everything = {
        "effect": "send",
        "workspaceId": lab,
        "connector": "mail",
        "account": {"id": "acc-1", "address": "me@example.com", "primary": False},
        "caller": {"kind": "client", "name": "Ada", "version": "2"},
        "agent": {"id": "agt-1", "name": "Ada", "kind": "assistant"},
        "run": {"id": "run-1", "tainted": True, "steps": 3, "sources": ["a mail"]},
        "recipients": {"all": ["x@y.example"], "seenOnlyInUntrusted": ["x@y.example"]},
        "path": {"folder": "Papers", "name": "a.txt", "suffix": ".txt"},
        "cost": {"tokens": 10, "money": 0.5},
    }
    for path, value in (
        ("tool", "send_email"),
        ("workspace", lab),
        ("connector", "mail"),
        ("account.primary", False),
        ("caller.kind", "client"),
        ("agent.kind", "assistant"),
        ("user.id", await user_id(sam)),
        ("user.roles.1", "workspace:admin"),
        ("run.tainted", True),
        ("recipients.seen_only_in_untrusted.0", "x@y.example"),
        ("path.suffix", ".txt"),
        ("cost.money", 0.5),
    ):
        rule = await made(
            sam, condition={"===": [{"var": path}, value]}, workspaceId=lab, action="BLOCK"
        )
        assert (await tried(sam, **everything))["ruleId"] == rule["id"], path
        await sam.delete(f"{RULES}/{rule['id']}")
    rule = await made(sam, condition={">": [{"var": "time.hour"}, -1]}, workspaceId=lab)
    assert (await tried(sam, **everything))["ruleId"] == rule["id"]
    verdict = await tried(sam, **{**everything, "workspaceId": None})
    assert verdict["action"] == "REQUIRE_APPROVAL"
    home = {"tool": "x", "effect": "read", "workspaceId": "wsp-aaaaaaaaaaaa"}
    assert (await sam.post(f"{RULES}/try", json=home)).status_code == 404


@pytest.mark.req("GATE-18")
async def test_a_trial_takes_the_effect_from_the_tool(office: Office):
    owner = await office.owner()
    unknown = await owner.post(f"{RULES}/try", json={"tool": "send_parcel"})
    assert unknown.status_code == 400
    assert "effect" in unknown.json()["errors"]

    async def nothing(*_: Any) -> Any:
        raise AssertionError

    tool = Tool("send_email", "Send", "Sends", NoArguments, "read", nothing)
    office.product.add(Registry([tool]))
    assert (await tried(owner))["action"] == "ALLOW"


@pytest.mark.req("GATE-18")
async def test_a_trial_whose_facts_cannot_be_read_says_so(office: Office):
    owner = await office.owner()
    body = {"tool": "x", "effect": "read", "arguments": {"n": 10**40}}
    answer = await owner.post(f"{RULES}/try", json=body)
    assert answer.status_code == 400
    assert "arguments" in answer.json()["errors"]


async def test_an_edit_is_in_force_with_the_next_call(any_office: Office):
    owner = await any_office.owner()
    books = any_office.product[RuleBookCache]
    call = {"tool": "x", "effect": "send", "args": {"to": "rival.example"}}
    book = await books.current()
    assert book.decide(call).action == "REQUIRE_APPROVAL"
    assert await books.current() is book
    rule = await made(owner)
    changed = await books.current()
    assert changed.decide(call).rule_id == rule["id"]
    assert changed.version == book.version + 1
    await owner.patch(f"{RULES}/{rule['id']}", json={"enabled": False})
    assert (await books.current()).decide(call).action == "REQUIRE_APPROVAL"
    # What is refused changes nothing.
    settled = await books.current()
    await refused(owner, condition={"nope": 1})
    assert await books.current() is settled
    await made(owner)
    assert (await books.current()).version == settled.version + 1


async def test_an_edit_elsewhere_is_seen_through_the_event_log(office: Office):
    storage = office.product.storage
    books = RuleBookCache(storage)
    held = await books.current()
    async with storage.app.write() as session:
        await session.execute(update(Policy).values(version=Policy.version + 1))
    assert await books.current() is held

    def event(type: str) -> Recorded:
        return Recorded(1, "evt-1", type, held_at, (), None, None, None, {}, "")

    held_at = (await _any_rule(office)).created_at
    books.follow([event("user.created"), event("workspace.renamed")])
    assert await books.current() is held
    for type in ("rule.changed", "workspace.deleted"):
        books.follow([event("user.created"), event(type)])
        newer = await books.current()
        assert newer is not held
        held = newer


async def test_a_change_while_the_rules_are_read_is_not_lost(office: Office):
    owner = await office.owner()
    books = office.product[RuleBookCache]
    readers = [asyncio.create_task(books.current()) for _ in range(5)]
    await asyncio.sleep(0)
    books.forget()
    found = await asyncio.gather(*readers)
    assert len({id(book) for book in found}) == 1
    rule = await made(owner)
    assert rule["id"] in [entry.id for entry in (await books.current()).entries]


async def test_a_rule_goes_with_its_workspace(any_office: Office):
    owner = await any_office.owner()
    lab = await workspace_of(owner)
    rule = await made(owner, workspaceId=lab)
    await owner.delete(f"{API}/workspaces/{lab}")
    assert (await owner.get(f"{RULES}/{rule['id']}")).status_code == 404


async def _any_rule(office: Office) -> Rule:
    async with office.product.storage.app.read() as session:
        return (await session.scalars(select(Rule).limit(1))).one()
