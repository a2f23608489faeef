"""The local mailbox keeps the contract of connectors, in a folder of the user's and sealed."""

from pathlib import Path

import pytest

from bailiwick.connectors.contract import MailContract
from support.local_rig import LocalRig, local_rig
from support.sealed_rig import SealedRig, sealed_rig

pytestmark = pytest.mark.req("ACC-02")


class TestLocal(MailContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> LocalRig:
        return local_rig(tmp_path / "account")


class TestSealed(MailContract):
    @pytest.fixture
    def rig(self, tmp_path: Path) -> SealedRig:
        return sealed_rig(tmp_path / "account")
