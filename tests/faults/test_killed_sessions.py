"""Kill -9 in a session with a picture, and while its title is made."""

import json
from pathlib import Path

import pytest

from faults.test_runs import ENOUGH, Leash, open_office
from runs.test_session_files import in_base64, png
from support.model_server import Request, Turn, says, serving_model
from support.office import API
from support.server import Server, free_port, wait_for

WORDS = "Which colour has the picture that I took of the wall in the kitchen yesterday evening?"


def answer(request: Request) -> Turn:
    """A title where one is wanted, and else the colour."""
    return says('{"title": "Colour of the wall"}' if is_title(request) else "Teal.")


def is_title(request: Request) -> bool:
    return "response_format" in request.body


@pytest.mark.req("RUN-01")
@pytest.mark.req("MODEL-06")
def test_a_run_with_a_picture_and_its_title_go_on_after_a_kill(tmp_path: Path):
    data, port, leash = tmp_path / "data", free_port(), Leash(0, answer)
    with serving_model(leash) as model:
        server = Server(data, port).wait_ready()
        try:
            owner = server.owner()
            cookies = dict(owner.cookies)
            agent = open_office(owner, model, sees=True)
            kind = {"Content-Type": "application/octet-stream"}
            path = f"{API}/sessions/uploads?name=wall.png"
            file = owner.post(path, content=png(), headers=kind).json()["id"]
            body = {"content": WORDS, "files": [file]}
            session = owner.post(f"{API}/agents/{agent}/sessions", json=body).json()["id"]
            # In the middle of the answer, and then in the middle of the title.
            for answers, is_wanted in ((1, lambda r: not is_title(r)), (ENOUGH, is_title)):
                wait_for(lambda wanted=is_wanted: any(map(wanted, model.requests)))
                server.kill()
                server.stop()
                leash.slip(answers)
                server = Server(data, port).wait_ready()
                owner = server.browser()
                owner.cookies.update(cookies)
            found = f"{API}/sessions/{session}"
            wait_for(lambda: owner.get(found).json()["title"] == "Colour of the wall")
            found = owner.get(found).json()
        finally:
            leash.slip(ENOUGH)
            server.stop()
    asked = [each for each in model.requests if not is_title(each)]
    assert len(asked) == 2
    assert all(in_base64(png()) in json.dumps(each.body) for each in asked)
    assert len(model.requests) == 4, "the title was asked for again, and nothing else was"
    assert found["status"] == "completed"
    assert [each["content"] for each in found["messages"] if each["role"] == "assistant"] == [
        "Teal."
    ]
