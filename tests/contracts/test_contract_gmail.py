"""Gmail keeps the contract of connectors, on a scripted server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bailiwick.connectors.contract import MailContract
from support.gmail_rig import GmailRig
from support.gmail_server import serving_gmail

pytestmark = pytest.mark.req("ACC-02", "MAIL-01")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[GmailRig]:
    with serving_gmail() as server:
        yield GmailRig(server, tmp_path)


class TestGmail(MailContract):
    pass
