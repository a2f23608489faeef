"""What the web app reads anew after an event is listed once, for every event that there is."""

import re
from pathlib import Path

import pytest

from bailiwick.notify.webhooks.types import CATALOGUE

ROOT = Path(__file__).parents[2]
LIST = (ROOT / "ui" / "src" / "live" / "affected.ts").read_text()
PATTERNS = set(re.findall(r'^  "([\w.*]+)":', LIST, re.MULTILINE))


@pytest.mark.req("UI-02")
@pytest.mark.parametrize("type", sorted(CATALOGUE))
def test_every_event_makes_something_stale(type: str):
    assert {type, f"{type.partition('.')[0]}.*"} & PATTERNS


def test_no_line_of_the_list_waits_for_an_event_that_never_comes():
    nouns = {f"{type.partition('.')[0]}.*" for type in CATALOGUE}
    assert PATTERNS - nouns - set(CATALOGUE) == set()
