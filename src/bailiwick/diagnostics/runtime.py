"""How the installation stands: encryption, folders, versions and how much there is."""

import platform
from importlib.metadata import version

from bailiwick import __version__
from bailiwick.diagnostics import repository
from bailiwick.diagnostics.schemas import OfficeCountsOut, RuntimeOut
from bailiwick.kit import clock
from bailiwick.office import Office

_LIBRARIES = ("fastapi", "pydantic", "sqlalchemy", "dbos", "uvicorn")
_DETAIL = {
    "on": "The database is encrypted with the data key.",
    "off": "There is no data key: the database is in the clear. `bailiwick key new` makes one.",
    "operator": "PostgreSQL keeps the data: whoever operates it sees to encryption.",
}


async def status(office: Office) -> RuntimeOut:
    """The installation, in facts and figures."""
    async with office.storage.app.read() as session:
        counts = await repository.office_counts(session)
    on_postgresql = office.storage.kind == "postgresql"
    encryption = "operator" if on_postgresql else "on" if office.data_key else "off"
    return RuntimeOut(
        encryption=encryption,
        encryption_detail=_DETAIL[encryption],
        database=office.storage.kind,
        data_folder=str(office.settings.data),
        vault_key=office.vault.description,
        started_at=office.started_at,
        uptime_seconds=int((clock.now() - office.started_at).total_seconds()),
        platform=f"{platform.system()} {platform.machine()}",
        versions={
            "bailiwick": __version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _LIBRARIES},
        },
        diagnostics_days=(await office.changeable.current()).diagnostics_days,
        counts=OfficeCountsOut(**counts),
    )
