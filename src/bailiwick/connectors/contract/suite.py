"""The tests of the contract."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from bailiwick.connectors.contract.copy import CopiedMessage, MailboxCopy
from bailiwick.connectors.contract.rig import Rig, letter, opened, paged, refused, synced
from bailiwick.connectors.errors import ConnectorFailed, SubmissionFailed
from bailiwick.connectors.mail import FolderRole, OutgoingMessage
from bailiwick.connectors.network import Network

_PATIENCE = 60.0
_SOME = 120  # messages: more than fit on two pages
_BINS: tuple[FolderRole, ...] = ("trash", "junk")


class MailContract:
    """The tests; each gets its own rig."""

    async def test_it_says_whose_account_it_is(self, rig: Rig) -> None:
        """A probe gives the address."""
        async with opened(rig) as mailbox:
            identity = await mailbox.probe()
        assert identity.address.lower() == rig.access.address.lower()

    async def test_the_first_sync_gives_everything_once_and_as_it_came(self, rig: Rig) -> None:
        """What was delivered is in the inbox, unread, byte for byte."""
        raws = {f"{n}@first.example": letter(f"{n}@first.example") for n in range(3)}
        for raw in raws.values():
            await rig.deliver(raw)
        copy = await synced(rig)
        assert copy.in_role("inbox") == sorted(raws)
        for id, raw in raws.items():
            _, kept = copy.one(id)
            assert _lines(kept.raw) == _lines(raw)
            assert kept.flags == frozenset()

    async def test_an_empty_mailbox_gives_a_page_with_its_folders(self, rig: Rig) -> None:
        """There is an inbox, and nothing in it."""
        copy = await synced(rig)
        assert copy.messages == {}
        assert any(one.role == "inbox" for one in copy.folders.values())

    async def test_a_quiet_mailbox_gives_a_page_with_nothing_on_it(self, rig: Rig) -> None:
        """A sync without news gives one page that repeats nothing."""
        await rig.deliver(letter("quiet@example.org"))
        copy = await synced(rig)
        copy = await synced(rig, copy)
        pages = await paged(rig, copy.cursor)
        assert pages
        assert not any(page.arrived or page.gone or page.voided for page in pages)

    async def test_what_is_new_comes_with_the_next_sync(self, rig: Rig) -> None:
        """Only the new message is fetched."""
        await rig.deliver(letter("old@example.org"))
        copy = await synced(rig)
        await rig.deliver(letter("new@example.org"))
        pages = await paged(rig, copy.cursor)
        for page in pages:
            copy.take_in(page)
        assert copy.in_role("inbox") == ["new@example.org", "old@example.org"]
        assert sum(len(page.arrived) for page in pages) == 1

    async def test_nothing_is_lost_or_doubled_when_stopped_after_any_page(self, rig: Rig) -> None:
        """A cursor leads on exactly behind its page, whatever happened meanwhile."""
        ids = [f"{n:03}@many.example" for n in range(_SOME)]
        for id in ids:
            await rig.deliver(letter(id))
        pages = await paged(rig, None)
        assert len(pages) > 2, "Pages have some 50 messages each."
        stopped: list[MailboxCopy] = [MailboxCopy()]
        for page in pages:
            stopped.append(stopped[-1].twin())
            stopped[-1].take_in(page)
        for at, copy in enumerate(stopped):
            late = f"late{at}@many.example"
            await rig.deliver(letter(late))
            await rig.destroy(ids.pop(0))
            ids.append(late)
            resumed = await synced(rig, await synced(rig, copy))
            assert resumed.in_role("inbox") == sorted(ids), f"Stopped after page {at}"
        assert len(stopped[-1].messages) == _SOME

    async def test_what_another_program_removes_is_gone(self, rig: Rig) -> None:
        """Other messages stay."""
        for id in ("stays@example.org", "goes@example.org"):
            await rig.deliver(letter(id))
        copy = await synced(rig)
        await rig.destroy("goes@example.org")
        copy = await synced(rig, copy)
        assert copy.in_role("inbox") == ["stays@example.org"]

    async def test_what_another_program_marks_is_seen(self, rig: Rig) -> None:
        """The changed flag comes with the next sync."""
        await rig.deliver(letter("flags@example.org"))
        copy = await synced(rig)
        await rig.mark_seen("flags@example.org")
        copy = await synced(rig, copy)
        assert copy.one("flags@example.org")[1].flags == {"seen"}

    async def test_flags_are_set_and_cleared(self, rig: Rig) -> None:
        """The next sync shows the flags as they were set."""
        await rig.deliver(letter("flags@example.org"))
        copy = await synced(rig)
        id, _ = copy.one("flags@example.org")
        async with opened(rig) as mailbox:
            await mailbox.set_flags(id, add=["seen", "flagged"])
        copy = await synced(rig, copy)
        assert copy.one("flags@example.org")[1].flags == {"seen", "flagged"}
        async with opened(rig) as mailbox:
            await mailbox.set_flags(id, remove=["seen"])
        copy = await synced(rig, copy)
        assert copy.one("flags@example.org")[1].flags == {"flagged"}

    async def test_labels_are_made_put_on_and_taken_off(self, rig: Rig) -> None:
        """Labels are named by their titles."""
        if not rig.has_labels:
            return
        await rig.deliver(letter("label@example.org"))
        copy = await synced(rig)
        id, _ = copy.one("label@example.org")
        async with opened(rig) as mailbox:
            await mailbox.relabel(id, add=["Clients", "Rent"])
            await mailbox.relabel(id, remove=["Rent", "Never heard of"])
        copy = await synced(rig, copy)
        assert copy.labels("label@example.org") == {"Clients"}
        assert copy.in_role("inbox") == ["label@example.org"]

    async def test_a_message_goes_to_the_archive_and_back(self, rig: Rig) -> None:
        """There is one copy of it, with the id that the move returned."""
        await rig.deliver(letter("moves@example.org"))
        copy = await synced(rig)
        id, _ = copy.one("moves@example.org")
        async with opened(rig) as mailbox:
            there = await mailbox.move(id, to="archive")
        copy = await synced(rig, copy)
        assert copy.in_role("inbox") == []
        assert copy.one("moves@example.org")[0] == there
        async with opened(rig) as mailbox:
            back = await mailbox.move(there, to="inbox")
        copy = await synced(rig, copy)
        assert copy.in_role("inbox") == ["moves@example.org"]
        assert copy.one("moves@example.org")[0] == back

    async def test_a_message_goes_to_the_trash_and_to_junk(self, rig: Rig) -> None:
        """Both are folders with a role."""
        await rig.deliver(letter("moves@example.org"))
        copy = await synced(rig)
        id, _ = copy.one("moves@example.org")
        for role in _BINS:
            async with opened(rig) as mailbox:
                id = await mailbox.move(id, to=role)
            copy = await synced(rig, copy)
            assert copy.in_role(role) == ["moves@example.org"]
            assert copy.in_role("inbox") == []

    async def test_a_message_is_handed_over_once_and_found_afterwards(self, rig: Rig) -> None:
        """There is one copy in Sent."""
        copy = await synced(rig)
        raw = letter("sent@example.org", sender=rig.access.address)
        message = OutgoingMessage(
            raw, "sent@example.org", sender=rig.access.address, recipients=("someone@example.org",)
        )
        async with opened(rig) as mailbox:
            await mailbox.submit(message)
            found = await mailbox.find_sent("sent@example.org")
            other = await mailbox.find_sent("never@example.org")
        assert [
            CopiedMessage(frozenset(), frozenset(), one).message_id for one in await rig.sent()
        ] == ["sent@example.org"]
        assert found.sent == "yes"
        assert other.sent != "yes"
        copy = await synced(rig, copy)
        assert copy.in_role("sent") == ["sent@example.org"]

    async def test_drafts_are_kept_and_taken_away(self, rig: Rig) -> None:
        """Only a draft can be removed as a draft."""
        await rig.deliver(letter("mail@example.org"))
        copy = await synced(rig)
        async with opened(rig) as mailbox:
            draft = await mailbox.save_draft(letter("draft@example.org"))
        copy = await synced(rig, copy)
        assert copy.in_role("drafts") == ["draft@example.org"]
        assert copy.one("draft@example.org")[0] == draft
        assert "draft" in copy.one("draft@example.org")[1].flags
        async with opened(rig) as mailbox:
            await mailbox.remove_draft(draft)
            await mailbox.remove_draft(draft)
            with suppress(ConnectorFailed):
                await mailbox.remove_draft(copy.one("mail@example.org")[0])
        copy = await synced(rig, copy)
        assert copy.in_role("drafts") == []
        assert copy.in_role("inbox") == ["mail@example.org"]

    async def test_ids_and_folders_that_mean_nothing_are_refused(self, rig: Rig) -> None:
        """They raise the protocol's own error and change nothing."""
        await rig.deliver(letter("safe@example.org"))
        copy = await synced(rig)
        id, _ = copy.one("safe@example.org")
        for wrong in ("", "nonsense", "../../etc/passwd", "a\r\nb", "%00", "1/2/3"):
            async with opened(rig) as mailbox:
                with suppress(ConnectorFailed):
                    await mailbox.move(wrong, to="trash")
            async with opened(rig) as mailbox:
                with suppress(ConnectorFailed):
                    await mailbox.set_flags(wrong, add=["seen"])
            async with opened(rig) as mailbox:
                await refused(lambda box=mailbox, to=wrong: box.move(id, to=to or "no such place"))
        copy = await synced(rig, copy)
        assert copy.in_role("inbox") == ["safe@example.org"]
        assert copy.one("safe@example.org")[1].flags == frozenset()

    async def test_it_goes_to_no_host_but_the_declared_ones(self, rig: Rig) -> None:
        """All traffic goes through the network that the connector is handed."""
        hosts = rig.connector.hosts(rig.access.options, rig.access.settings)
        assert all(host.rpartition(":")[2].isdecimal() for host in hosts)
        if not hosts:
            return
        cut_off = replace(rig.access, network=Network(()))
        async with opened(rig, cut_off) as mailbox:
            error = await refused(mailbox.probe)
        assert error.problem in ("network", "other")
        async with opened(rig, cut_off) as mailbox:
            error = await refused(lambda: mailbox.submit(_outgoing(rig)))
        assert isinstance(error, SubmissionFailed)
        assert error.sent == "no"
        assert not await rig.sent()

    async def test_a_refused_secret_is_said_and_not_shown(self, rig: Rig) -> None:
        """The secret is neither in the error nor in anything else that could be logged."""
        wrong = rig.wrong_secret
        if wrong is None:
            return

        async def secret() -> Mapping[str, str]:
            return wrong

        access = replace(rig.access, secret=secret)
        async with opened(rig, access) as mailbox:
            error = await refused(mailbox.probe)
            shown = _shown(error) + repr(mailbox) + repr(access)
        async with opened(rig, access) as mailbox:
            unsent = await refused(lambda: mailbox.submit(_outgoing(rig)))
        assert error.problem == "invalid_grant"
        assert isinstance(unsent, SubmissionFailed)
        assert unsent.sent == "no"
        for value in wrong.values():
            assert value not in shown + _shown(unsent)

    async def test_a_wait_ends_when_it_is_cancelled_or_the_mailbox_closed(self, rig: Rig) -> None:
        """A new mailbox of the account works afterwards."""
        async with opened(rig) as mailbox:
            waiting = asyncio.create_task(mailbox.wait(600))
            await asyncio.sleep(0.05)
            waiting.cancel()
            with suppress(asyncio.CancelledError, ConnectorFailed):
                await asyncio.wait_for(waiting, _PATIENCE)
        async with opened(rig) as mailbox:
            waiting = asyncio.create_task(mailbox.wait(600))
            await asyncio.sleep(0.05)
            await mailbox.close()
            with suppress(ConnectorFailed):
                assert not await asyncio.wait_for(waiting, _PATIENCE)
        await rig.deliver(letter("after@example.org"))
        assert (await synced(rig)).in_role("inbox") == ["after@example.org"]


def _outgoing(rig: Rig) -> OutgoingMessage:
    raw = letter("unsent@example.org", sender=rig.access.address)
    return OutgoingMessage(raw, "unsent@example.org", rig.access.address, ("someone@example.org",))


def _lines(raw: bytes) -> bytes:
    """A message with line ends that every provider keeps."""
    return raw.replace(b"\r\n", b"\n").rstrip(b"\n")


def _shown(error: BaseException | None) -> str:
    """Everything that a log would show of an error."""
    text = ""
    while error is not None:
        text += f"{error!r} {error} {vars(error)}"
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return text
