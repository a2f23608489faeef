"""Budgets hold however many mails come in: what passes them is refused, and the case says so."""

from support.desk import desk_in
from support.mailroom import Mailroom, letter
from support.model_server import Request, Turn, calls, says
from support.workshop import scripted

MAILS = 12
SPENT = (4_000, 100)


def _summing_up(request: Request) -> Turn:
    if not request.results:
        return calls("workspace_add_item", {"label": "Summary", "data": "x"}, usage=SPENT)
    return says("Done.", usage=SPENT)


async def test_a_directors_calls_and_tokens_stay_within_their_bounds_over_all_its_cases(
    room: Mailroom,
):
    with scripted(_summing_up) as server:
        desk = await desk_in(room, server)
        await desk.filtered(await desk.director("Calls", maxRequestsPerHour=5), "Call")
        tokens = await desk.director("Tokens", tokensPerDay=30_000, maxTokensPerRequest=5_000)
        await desk.filtered(tokens, "Token")
        for number in range(MAILS):
            await room.got(desk.account_id, letter(subject=f"Call {number}"))
            await room.got(desk.account_id, letter(subject=f"Token {number}"))
        await desk.opened()
        await desk.shop.drive()
        cases = await desk.cases(PageSize=100)
    of_calls = [case for case in cases if case["directorName"] == "Calls"]
    of_tokens = [case for case in cases if case["directorName"] == "Tokens"]
    assert sum(case["items"] for case in of_calls) == 5
    refused = [case["refused"] for case in of_calls if not case["items"]]
    assert len(refused) == MAILS - 5
    assert all("may make 5 calls an hour" in each[0]["reason"] for each in refused)
    within = [case for case in of_tokens if case["state"] == "done"]
    beyond = [case for case in of_tokens if case["state"] == "failed"]
    assert 0 < len(within) < len(of_tokens) == len(within) + len(beyond)
    assert all("may use 30,000 tokens a day" in case["reason"] for case in beyond)
    runs = [await desk.shop.read(case["runId"]) for case in of_tokens]
    assert sum(run["inputTokens"] + run["outputTokens"] for run in runs) <= 30_000
