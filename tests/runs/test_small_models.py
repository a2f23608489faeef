"""Models that run at home: small windows, plain schemas, and words that lead them on."""

import pytest

from support.llama_grammar import convert
from support.model_server import says
from support.workshop import Workshop, scripted


@pytest.mark.req("MODEL-06")
async def test_every_schema_that_a_run_sends_can_be_made_a_grammar_of(workshop: Workshop):
    with scripted(says("Hello.")) as server:
        agent = await workshop.agent(modelId=await workshop.model(server))
        await workshop.ask(agent, "Hello?")
    offered = server.requests[0].body["tools"]
    assert {"create_task", "create_file"} <= {each["function"]["name"] for each in offered}
    for each in offered:
        convert(each["function"]["parameters"])
