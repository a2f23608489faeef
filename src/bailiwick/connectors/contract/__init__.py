"""What every mail connector has to do, as tests that anyone can run on theirs.

    class TestMine(MailContract):
        pass

    @pytest.fixture
    async def rig() -> AsyncIterator[Rig]: ...

with pytest-asyncio in its mode `auto`. The rig stands for the provider: it hands mail in from
outside, sees what went out, and does what another program would. Nothing here needs pytest itself.
"""

from bailiwick.connectors.contract.copy import CopiedMessage, MailboxCopy
from bailiwick.connectors.contract.rig import Rig, letter, opened, paged, refused, synced
from bailiwick.connectors.contract.suite import MailContract

__all__ = [
    "CopiedMessage",
    "MailContract",
    "MailboxCopy",
    "Rig",
    "letter",
    "opened",
    "paged",
    "refused",
    "synced",
]
