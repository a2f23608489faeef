"""Virtual ids: what callers see instead of real ones."""

import asyncio
import re

import pytest

from bailiwick.gate.call import Call, Result
from bailiwick.gate.virtual_names import VirtualNames
from bailiwick.tools.tool import Ref
from gate.conftest import Desk
from gate.post_office import FRIEND, PostOffice
from support.office import API

pytestmark = pytest.mark.req("GATE-12")
FORM = re.compile(r"task_[A-Za-z0-9_-]{12}")


async def test_a_caller_sees_a_virtual_id_and_can_use_it(either_desk: Desk):
    desk, agent = either_desk, either_desk.agent()
    made = await desk.done(agent, "create_task", title="Call")
    (task,) = (await desk.done(agent, "list_tasks"))["tasks"]
    assert FORM.fullmatch(task["id"])
    assert made["id"] == task["id"]
    assert "tsk-" not in str(task)
    await desk.done(agent, "update_task", task_id=task["id"], title="Call back")
    (task,) = (await desk.done(agent, "list_tasks"))["tasks"]
    assert task["title"] == "Call back"


async def test_real_unknown_and_foreign_ids_are_refused_alike(desk: Desk):
    agent, client = desk.agent(), desk.client()
    made = await desk.done(agent, "create_task", title="Call")
    (task,) = (await desk.owner.get(f"{API}/tasks")).json()["items"]
    unknown = ("tsk-abcdefghijkl", "task_abcdefghijkl", "file_abcdefghijkl", "x" * 500)
    for id in (task["id"], *unknown):
        assert (await desk.denied(agent, "update_task", task_id=id, title="x")).code in (
            "unknown_id",
            "invalid_arguments",
        )
    foreign = await desk.denied(client, "update_task", task_id=made["id"], title="x")
    assert foreign.code == "unknown_id"
    (own,) = (await desk.done(client, "list_tasks"))["tasks"]
    assert own["id"] != made["id"]
    second = desk.client("cli-second")
    (theirs,) = (await desk.done(second, "list_tasks"))["tasks"]
    assert theirs["id"] not in (own["id"], made["id"])


async def test_two_who_see_an_entity_first_at_the_same_time_get_one_name(either_desk: Desk):
    storage = either_desk.office.product.storage
    refs = [Ref("task", f"tsk-{number}") for number in range(50)]
    processes = [VirtualNames(storage) for _ in range(4)]
    found = await asyncio.gather(*(names.names("realm", refs) for names in processes))
    assert all(names == found[0] for names in found)
    assert len(set(found[0].values())) == 50


async def test_names_survive_a_restart_and_their_kind_is_checked(either_desk: Desk):
    storage = either_desk.office.product.storage
    ref = Ref("task", "tsk-1")
    (name,) = (await VirtualNames(storage).names("realm", [ref])).values()
    later = VirtualNames(storage)
    assert await later.resolve("realm", "task", name) == ref
    assert await later.resolve("realm", "file", name) is None
    assert await later.resolve("other", "task", name) is None
    assert (await later.names("realm", [ref])) == {ref: name}


async def test_only_hot_names_are_kept_in_memory(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bailiwick.gate.virtual_names._KEPT", 10)
    names = VirtualNames(desk.office.product.storage)
    refs = [Ref("task", f"tsk-{number}") for number in range(30)]
    given = await names.names("realm", refs)
    assert names.known("realm", refs[0]) is None
    assert names.known("realm", refs[-1]) == given[refs[-1]]
    assert await names.names("realm", refs) == given


async def test_a_file_may_be_named_by_its_path_or_by_its_id(desk: Desk):
    agent = desk.agent()
    await desk.done(agent, "create_file", path="Files/a.txt", content="A")
    listed = await desk.done(agent, "list_files", path="Files")
    (id,) = re.findall(r"file_[A-Za-z0-9_-]{12}", str(listed))
    assert (await desk.done(agent, "read_file", path=id))["content"] == "A"
    assert (await desk.denied(desk.client(), "read_file", path=id)).code == "unknown_id"


async def test_an_account_may_be_named_by_the_users_own_word(desk: Desk):
    PostOffice(desk)
    waiting = await desk.pending(desk.agent(), "post_letter", to=[FRIEND], account="Work")
    shown = (await desk.owner.get(f"{API}/approvals/{waiting.approval_id}")).json()
    assert shown["connector"] == "gmail"
    refused = await desk.denied(desk.agent(), "post_letter", account="account_abcdefghijkl")
    assert refused.code == "unknown_id"


async def test_a_call_that_is_made_again_answers_with_the_same_list_of_ids(desk: Desk):
    post = PostOffice(desk)
    call = Call(desk.agent(), "file_letters", {}, idempotency_key="k")
    first, second = [await desk.gate.call(call) for _ in range(2)]
    assert isinstance(first, Result), first
    assert all(re.fullmatch(r"email_[A-Za-z0-9_-]{12}", id) for id in first.data["letters"])
    assert len(set(first.data["letters"])) == 2
    assert isinstance(second, Result), second
    assert second.data == first.data
    assert post.runs == 1
