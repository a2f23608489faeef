"""Dependencies of identity's endpoints."""

from typing import Annotated

from fastapi import Depends

from bailiwick.identity.authenticate import Authenticator
from bailiwick.identity.models import User
from bailiwick.identity.schemas import UserOut
from bailiwick.identity.signins import Browser
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.office import TheOffice


async def _door(office: TheOffice) -> Authenticator:
    return office[Authenticator]


Door = Annotated[Authenticator, Depends(_door)]


async def _settings(door: Door) -> RuntimeSettings:
    return await door.settings.current()


CurrentSettings = Annotated[RuntimeSettings, Depends(_settings)]
FromBrowser = Annotated[Browser, Depends(Browser.of)]


def user_out(user: User) -> UserOut:
    """A user's wire form."""
    return UserOut(
        id=user.id,
        email=user.email,
        name=user.name,
        role=user.role,  # pyright: ignore[reportArgumentType]
        active=user.active,
        has_password=user.password_hash is not None,
        has_avatar=user.avatar is not None,
        created_at=user.created_at,
        last_login_at=user.last_login_at,
    )
