"""REST of operations; nearly all of it is for admins."""

from pathlib import Path
from typing import Any

from fastapi import APIRouter
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse

from bailiwick import __version__
from bailiwick.accounts.reader import TheReader
from bailiwick.errors import Forbidden, Invalid
from bailiwick.identity import users
from bailiwick.identity.access import Admin, SignedIn
from bailiwick.identity.principal import Principal
from bailiwick.instance import changes, settings
from bailiwick.kit.http.database import ReadSession, Stores
from bailiwick.kit.http.idempotency import IdempotentRoute
from bailiwick.kit.http.pages import Page, PageQuery, page_of
from bailiwick.office import TheOffice
from bailiwick.operations import archive, backup, doctor, keys
from bailiwick.operations.facts import CountsStreams
from bailiwick.operations.schemas import (
    BackupIn,
    BackupName,
    BackupOut,
    BackupsOut,
    ChangeFilter,
    ChangeOut,
    FindingOut,
    NewBackupOut,
    PrunedOut,
    RotationOut,
    ScheduleOut,
    SettingOut,
    SettingsOut,
    StatusOut,
    VaultOut,
)

router = APIRouter(tags=["operations"], route_class=IdempotentRoute)


@router.get("/status")
async def read_office_status(who: SignedIn, office: TheOffice) -> StatusOut:
    """How the installation is set up."""
    on_postgresql = office.storage.kind == "postgresql"
    current = await office.changeable.current()
    return StatusOut(
        version=__version__,
        instance_name=current.instance_name,
        database=office.storage.kind,
        encryption="operator" if on_postgresql else "on" if office.data_key else "off",
        data_folder=str(office.settings.data) if who.is_admin else None,
        vault_key=office.vault.description if who.is_admin else None,
        started_at=office.started_at,
        open_streams=sum(fact.count(office) for fact in office.facts(CountsStreams)),
    )


@router.get("/settings")
async def list_settings(_: Admin, session: ReadSession, page: PageQuery) -> Page[SettingOut]:
    """All run-time settings."""
    shown = SettingsOut.of(await settings.stored(session)).items
    return page_of(shown, page, by=lambda setting: setting.name)


@router.patch(
    "/settings",
    openapi_extra={
        "requestBody": {"content": {"application/json": {"schema": settings.patch_schema()}}}
    },
)
async def change_settings(body: dict[str, Any], admin: Admin, office: TheOffice) -> SettingsOut:
    """Change some settings by name; null returns one to its default. In force at once."""
    return SettingsOut.of(await office.changeable.change(admin.actor, values=body))


@router.get("/changes")
async def list_changes(
    _: Admin,
    reader: TheReader,
    session: ReadSession,
    page: PageQuery,
    action: ChangeFilter = None,
    subject: ChangeFilter = None,
) -> Page[ChangeOut]:
    """Who changed what, newest first."""
    rows = await changes.listed(session, page, owners=reader.names, action=action, subject=subject)
    return rows.map(ChangeOut.model_validate)


@router.get("/backups")
async def list_backups(
    admin: Admin, office: TheOffice, session: ReadSession, page: PageQuery
) -> BackupsOut:
    """The backups in the data folder, and when the next one is due."""
    settings = await office.changeable.current()
    made = [
        BackupOut(
            name=each.path.name,
            size=each.size,
            created_at=each.created_at,
            can_download=await _is_for(session, admin, each.path),
        )
        for each in backup.listed(office)
    ]
    return BackupsOut(
        **dict(page_of(made, page, by=lambda each: each.name)),
        schedule=ScheduleOut.of(
            settings.backup_schedule,
            settings.backup_timing,
            last_error=await backup.last_error(session),
        ),
    )


@router.get("/backups/{backup_name}", response_class=FileResponse)
async def download_backup(
    backup_name: BackupName, admin: Admin, session: ReadSession, office: TheOffice
) -> FileResponse:
    """A backup itself; in the clear it is for who is alone here, or at the machine."""
    found = await run_in_threadpool(backup.find, office, backup_name)
    if not await _is_for(session, admin, found.path):
        raise Forbidden(
            "This backup is not encrypted, and holds what others here keep to themselves. Take it "
            "from the data folder on the machine, or set a data key and make another."
        )
    return FileResponse(found.path, media_type="application/octet-stream", filename=backup_name)


@router.delete("/backups/{backup_name}", status_code=204)
async def delete_backup(backup_name: BackupName, admin: Admin, office: TheOffice) -> None:
    """Remove a backup for good."""
    await backup.delete(office, backup_name, actor=admin.actor)


@router.post("/backups", status_code=201)
async def make_backup(body: BackupIn, admin: Admin, office: TheOffice) -> NewBackupOut:
    """Back everything up while it runs."""
    made = await backup.make(
        office,
        target=_target(body.path, admin.via),
        with_keys=body.with_keys,
        actor=admin.actor,
    )
    async with office.storage.app.read() as session:
        can_download = await _is_for(session, admin, made.path)
    return NewBackupOut(
        can_download=can_download,
        name=made.path.name,
        size=made.size,
        created_at=made.created_at,
        path=str(made.path),
        holds_vault_key=made.holds_vault_key,
    )


@router.get("/vault")
async def read_vault(_: Admin, office: TheOffice) -> VaultOut:
    """The ids of the vault's keys."""
    vault = office.vault
    return VaultOut(active=vault.active.hex(), keys=[id.hex() for id in vault.key_ids])


@router.post("/vault/rotate")
async def rotate_vault(admin: Admin, stores: Stores, office: TheOffice) -> RotationOut:
    """Seal everything with a new key, or finish a rotation that was cut short."""
    done = await keys.rotate(stores, office.vault, admin.actor)
    return RotationOut.model_validate(done)


@router.post("/vault/prune")
async def prune_vault(admin: Admin, stores: Stores, office: TheOffice) -> PrunedOut:
    """Drop the keys that nothing is sealed with any more; backups made before need them."""
    return PrunedOut(dropped=await keys.prune(stores, office.vault, admin.actor))


@router.get("/doctor")
async def run_doctor(_: Admin, office: TheOffice, page: PageQuery) -> Page[FindingOut]:
    """Prove the safety settings."""
    found = await doctor.examine(office)
    shown = [FindingOut.model_validate(finding) for finding in found]
    return page_of(shown, page, by=lambda finding: finding.check)


async def _is_for(session: AsyncSession, admin: Principal, file: Path) -> bool:
    """Whether an admin may have a backup: in the clear it holds what others keep to themselves."""
    if admin.via == "operator" or await users.count(session) == 1:
        return True
    return await run_in_threadpool(archive.is_encrypted, file)


def _target(path: str | None, via: str) -> Path | None:
    if path is None:
        return None
    if via != "operator":
        raise Forbidden("Only the command line can choose where a backup is written.")
    if not Path(path).is_absolute() or not Path(path).parent.is_dir():
        raise Invalid.field("path", "must be an absolute path in a folder that exists")
    return Path(path)
