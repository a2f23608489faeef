"""`audit`: through a running server, else on the data itself, without changes."""

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from bailiwick.cli.options import settings, show, show_json

if TYPE_CHECKING:
    from bailiwick.office import Office

app = typer.Typer(no_args_is_help=True)


@app.command("verify")
def verify_audit(
    accept_restore: Annotated[
        bool, typer.Option(help="Say that the audit went back because you restored a backup.")
    ] = False,
    anchor: Annotated[
        Path | None,
        typer.Option(help="Compare with checkpoints that you kept elsewhere, in this file."),
    ] = None,
    against: Annotated[
        str,
        typer.Option(
            metavar="NUMBER:DIGEST",
            help="Compare with a checkpoint that you kept elsewhere, such as in a mail.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> None:
    """Check that nothing in the audit was changed, removed or cut; exit code 1 if something was."""
    copy, mark = _newest_lines(anchor), _mark(against)
    report = _verified(accept_restore=accept_restore, copy=copy, mark=mark)
    if as_json:
        show_json(report)
    else:
        _show(report)
    if not report["isClean"]:
        raise typer.Exit(1)


@app.command("export")
def export_audit(
    output: Annotated[Path | None, typer.Option(help="File to write; default: print it.")] = None,
) -> None:
    """All entries as JSON lines; the last line has their number and their checksum."""
    import asyncio

    from bailiwick.kit.files import replacing

    if output is None:
        asyncio.run(_export(sys.stdout.buffer))
        return
    with replacing(output.absolute()) as file:
        asyncio.run(_export(file))
    show(f"Exported to {output}.")


def _newest_lines(anchor: Path | None) -> list[str]:
    """The last lines of a copy: the newest seals all before it."""
    if anchor is None:
        return []
    from bailiwick.gate.audit.schemas import ANCHOR_LENGTH

    try:
        with anchor.open("rb") as file:
            begin = max(0, anchor.stat().st_size - ANCHOR_LENGTH)
            file.seek(begin)
            lines = file.read(ANCHOR_LENGTH).decode(errors="replace").splitlines()
    except OSError as error:
        raise typer.BadParameter(str(error), param_hint="--anchor") from None
    return lines[1:] if begin else lines


def _mark(text: str) -> str:
    """A number and a digest, as they were kept."""
    import re

    from bailiwick.gate.audit.schemas import MARK

    if not re.fullmatch(MARK, text.strip()):
        raise typer.BadParameter(
            "must be the number, a colon and the 64 digits of the digest", param_hint="--against"
        )
    return text.strip()


def _verified(*, accept_restore: bool, copy: list[str], mark: str) -> Any:
    import asyncio

    from bailiwick.cli.office import call
    from bailiwick.kit.folder import DataFolder

    # Opening the office would repair some faults before they are reported.
    if accept_restore or DataFolder(settings().data).server():
        body = {"acceptRestore": accept_restore, "anchor": "\n".join(copy), "against": mark}
        return call("POST", "/audit/verify", body)
    return asyncio.run(_verified_here(copy, mark))


async def _verified_here(copy: list[str], mark: str) -> Any:
    from bailiwick.gate.audit.schemas import ReportOut
    from bailiwick.gate.audit.service import verified

    async with _data() as office:
        found = await verified(office, copy=copy, mark=mark)
    return ReportOut.model_validate(found).model_dump(mode="json", by_alias=True)


async def _export(file: BinaryIO) -> None:
    from bailiwick.accounts.reader import reader_for
    from bailiwick.cli.office import connected
    from bailiwick.errors import Unavailable
    from bailiwick.gate.audit import export
    from bailiwick.gate.audit.repository import AuditQuery
    from bailiwick.kit.folder import DataFolder

    if DataFolder(settings().data).server():
        async with (
            connected(settings()) as client,
            client.stream("GET", "/api/v1/audit/export") as answer,
        ):
            if answer.is_error:
                raise Unavailable(f"The server refused the export ({answer.status_code}).")
            async for chunk in answer.aiter_bytes():
                file.write(chunk)
        return
    async with _data() as office:
        async with office.storage.app.read() as session:
            reader = await reader_for(session, None)
        async for chunk in export.lines(office.storage, AuditQuery(reader)):
            file.write(chunk)


@asynccontextmanager
async def _data() -> "AsyncGenerator[Office]":
    from bailiwick.kit import logs
    from bailiwick.kit.folder import DataFolder
    from bailiwick.office import opened

    given = settings()
    folder = DataFolder(given.data)
    folder.prepare()
    logs.configure(level="warning", format=given.log_format, file=given.log_file)
    with folder.owned():
        async with opened(given) as office:
            yield office


def _show(report: Any) -> None:
    for note in report["notes"]:
        show(note)
    for found in report["problems"]:
        chain = f"{found['chain']} " if found["chain"] else ""
        number = f"number {found['number']}" if found["number"] is not None else ""
        at = f" at {found['at'][:19]} UTC" if found["at"] else ""
        place = f"{chain}{number}{at}".strip()
        show(f"{place or 'everywhere'}: {found['text']} [{found['kind']}]")
    if report["count"] > len(report["problems"]):
        show(f"… and {report['count'] - len(report['problems'])} more.")
    rows = f"{report['rows']:,} entries in {report['chains']} chain(s)"
    if report["isClean"]:
        show(f"The audit is whole: {rows}; {report['unsealed']:,} of them not sealed yet.")
    else:
        show(f"The audit is NOT whole: {report['count']:,} finding(s) in {rows}.")
    if report["records"]:
        show(f"{report['records']:,} sign-ins and changes were held against it.")
    if report["mark"]:
        show(f"Newest checkpoint: {report['mark']}")
    for limit in report["limits"]:
        show(limit)
