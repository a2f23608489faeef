"""Signing in with a password: slow to guess, and silent about which part was wrong."""

from pydantic import SecretStr

from bailiwick.errors import Forbidden, RateLimited, Unauthenticated
from bailiwick.identity import password, sessions, signins, users
from bailiwick.identity.models import User
from bailiwick.identity.signins import Browser
from bailiwick.instance.service import TokenHasher
from bailiwick.instance.settings import RuntimeSettings
from bailiwick.kit.db import Storage
from bailiwick.kit.http.limits import Buckets, Limit

_PER_ACCOUNT = Limit(per_minute=2, burst=10)
_METHOD = "password"


async def with_password(
    storage: Storage,
    *,
    email: str,
    given: SecretStr,
    browser: Browser,
    buckets: Buckets,
    hasher: TokenHasher,
    settings: RuntimeSettings,
) -> tuple[User, sessions.OpenedSession]:
    """Make a session, or refuse without revealing anything."""

    async def refuse(reason: str) -> None:
        await signins.record(
            storage, browser, method=_METHOD, email=email, outcome="refused", reason=reason
        )

    if not settings.password_login:
        await refuse("password log-in is off")
        raise Forbidden("Signing in with a password is switched off. Use a provider.")
    verdict = await buckets.take(f"login:{email}", _PER_ACCOUNT)
    if not verdict.allowed:
        await refuse("too many attempts")
        seconds = str(int(verdict.retry_after) + 1)
        raise RateLimited(
            f"Too many attempts for this address. Try again in {seconds} s.",
            headers={"Retry-After": seconds},
        )
    async with storage.app.read() as session:
        user = await users.by_email(session, email)
    right = await password.matches(given, user.password_hash if user else None)
    if not user or not right or not user.active:
        await refuse("switched off" if right else "wrong address or password")
        raise Unauthenticated("The address or the password is not right.")
    proved = user.password_hash
    opened = await open_for(
        storage, user.id, browser=browser, method=_METHOD, hasher=hasher, proved=proved
    )
    return user, opened


async def open_for(
    storage: Storage,
    user_id: str,
    *,
    browser: Browser,
    method: str,
    hasher: TokenHasher,
    proved: str | None = None,
) -> sessions.OpenedSession:
    """Open a session for a user who has just authenticated, and record it.

    If they used a password, it must not have been changed meanwhile.
    """
    async with storage.app.write() as session:
        user = await users.get(session, user_id)
        if not user.active or (proved and user.password_hash != proved):
            raise Unauthenticated("This account is switched off.")
        opened = await sessions.open_session(
            session, user, browser=browser, method=method, hasher=hasher
        )
    await signins.record(
        storage, browser, method=method, email=user.email, outcome="accepted", user_id=user.id
    )
    return opened
