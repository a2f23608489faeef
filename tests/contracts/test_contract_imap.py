"""IMAP and SMTP keep the contract of connectors, on a real Dovecot."""

from collections.abc import Iterator

import pytest

from bailiwick.connectors.contract import MailContract
from connectors.imap_rig import ImapRig
from support.dovecot import Dovecot, dovecot
from support.smtp import SmtpServer, serving_smtp

__all__ = ["dovecot"]
pytestmark = pytest.mark.req("ACC-02")


@pytest.fixture(scope="module")
def smtp() -> Iterator[SmtpServer]:
    with serving_smtp() as server:
        yield server


@pytest.fixture
def rig(dovecot: Dovecot, smtp: SmtpServer) -> ImapRig:
    return ImapRig(dovecot, smtp)


class TestImap(MailContract):
    pass
