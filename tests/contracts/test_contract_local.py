"""The local mailbox keeps the contract of connectors."""

from pathlib import Path

import pytest

from bailiwick.connectors.contract import MailContract
from support.local_rig import LocalRig, local_rig

pytestmark = pytest.mark.req("ACC-02")


@pytest.fixture
def rig(tmp_path: Path) -> LocalRig:
    return local_rig(tmp_path / "account")


class TestLocal(MailContract):
    pass
