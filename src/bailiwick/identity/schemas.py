"""Wire forms of identity."""

from datetime import datetime
from typing import Annotated, Literal

from fastapi import Path
from pydantic import AfterValidator, Field, SecretStr, StringConstraints

from bailiwick.identity.password import MAX_LENGTH, MIN_LENGTH
from bailiwick.identity.principal import TokenScope, UserRole
from bailiwick.identity.users import ID_LENGTH
from bailiwick.instance.settings import Domain
from bailiwick.kit import ids
from bailiwick.kit.http.pages import Page
from bailiwick.kit.http.wire import Email, Line, Name, StrictFlag, Wire

UserId = Annotated[str, Path(pattern=ids.pattern("usr", length=ID_LENGTH))]
OfUser = Annotated[str, StringConstraints(pattern=ids.pattern("usr", length=ID_LENGTH))]
SessionId = Annotated[str, Path(pattern=ids.pattern("ses"))]
TokenId = Annotated[str, Path(pattern=ids.pattern("tok"))]
ProviderId = Annotated[str, Path(pattern=ids.pattern("idp"))]
IdentityId = Annotated[str, Path(pattern=ids.pattern("ext"))]


def _text(secret: SecretStr) -> SecretStr:
    """Refuse a secret with lone surrogates, which JSON can hold."""
    try:
        secret.get_secret_value().encode()
    except UnicodeEncodeError:
        raise ValueError("is not text") from None
    return secret


Secret = Annotated[SecretStr, AfterValidator(_text)]
NewPassword = Annotated[Secret, Field(min_length=MIN_LENGTH, max_length=MAX_LENGTH)]
AnyPassword = Annotated[Secret, Field(min_length=1, max_length=MAX_LENGTH)]
LinkSecret = Annotated[Secret, Field(min_length=1, max_length=100)]
# HTTPS, or plain HTTP on this machine; no user, query or fragment.
_ISSUER = (
    r"^(https://[A-Za-z0-9][A-Za-z0-9.-]*|http://(localhost|127\.0\.0\.1))"
    r"(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5]?[0-9]{1,4}))?"
    r"(/[A-Za-z0-9._~-]+)*/?$"
)
ClientSecret = Annotated[Secret, Field(min_length=1, max_length=1000)]
Issuer = Annotated[str, StringConstraints(max_length=500, pattern=_ISSUER)]
NonEmpty = Annotated[str, StringConstraints(min_length=1, max_length=500, pattern=r"^[!-~]+$")]


class UserOut(Wire):
    """A user, as members of the office see them."""

    id: str
    email: str
    name: str
    role: UserRole
    active: bool
    has_password: bool
    has_avatar: bool
    created_at: datetime
    last_login_at: datetime | None


class WhoAmI(Wire):
    """The caller."""

    user: UserOut


class OwnerIn(Wire):
    """The first owner, and the secret of the link that the terminal showed."""

    link: LinkSecret
    email: Email
    name: Name
    password: NewPassword


class LinkIn(Wire):
    """The secret of an invitation or password link."""

    link: LinkSecret


class LinkOut(Wire):
    """Whom a link is for."""

    purpose: Literal["owner", "invitation", "password"]
    email: str | None
    name: str | None


class LinkPasswordIn(Wire):
    """A password, chosen with a link."""

    link: LinkSecret
    password: NewPassword


class LoginIn(Wire):
    """An address and a password."""

    email: Email
    password: AnyPassword


class PasswordIn(Wire):
    """A change of one's own password."""

    current_password: AnyPassword
    new_password: NewPassword


class ProfileIn(Wire):
    """What users change about themselves."""

    name: Name


class InvitationIn(Wire):
    """A person to invite."""

    email: Email
    name: Name
    role: UserRole = "user"


class InvitationOut(Wire):
    """The new user, and the link to give them; it is shown once."""

    user: UserOut
    link: str


class PasswordLinkOut(Wire):
    """A link with which a user chooses a new password; it is shown once."""

    link: str


class UserIn(Wire):
    """What an admin changes about a user."""

    name: Name | None = None
    role: UserRole | None = None
    active: StrictFlag | None = None


class SessionOut(Wire):
    """A browser in which someone is signed in."""

    id: str
    current: bool
    method: str
    address: str
    user_agent: str
    created_at: datetime
    last_seen_at: datetime
    expires_at: datetime


class TokenIn(Wire):
    """A token to make."""

    name: Name
    scopes: list[TokenScope] = Field(min_length=1, max_length=3)
    expires_in_days: int = Field(default=90, ge=1, le=3650, strict=True)


class TokenOut(Wire):
    """A token, without its secret."""

    id: str
    name: str
    hint: str
    scopes: list[TokenScope]
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None


class NewTokenOut(TokenOut):
    """A token with its secret, which is shown once."""

    secret: str


class ProviderChoice(Wire):
    """A provider on the log-in page."""

    id: str
    name: str


class LoginChoices(Wire):
    """What the log-in page offers."""

    instance_name: str
    password: bool
    providers: list[ProviderChoice]
    needs_owner: bool


class AuthorizeOut(Wire):
    """Where to send the browser."""

    authorize_url: str


class IdentityLinkIn(Wire):
    """An identity to link: at which provider, and the page to return to."""

    provider_id: str = Field(pattern=ids.pattern("idp"))
    return_to: str = Field(default="/", max_length=500, pattern=r"^/([!-.0-\[\]-~][!-\[\]-~]*)?$")


class IdentityOut(Wire):
    """A provider's identity that signs in as oneself."""

    id: str
    provider_id: str
    provider_name: str
    created_at: datetime


class ProviderIn(Wire):
    """A log-in provider to add."""

    name: Name
    preset: Literal["google", "custom"] = "custom"
    issuer: Issuer | None = None
    client_id: NonEmpty
    client_secret: ClientSecret | None = None
    allowed_domains: list[Domain] = Field(default=[], max_length=100)
    create_users: StrictFlag = False
    admin_claim: Line | None = Field(default=None, max_length=200)
    admin_values: list[Line] = Field(default=[], max_length=100)
    bearer_audience: NonEmpty | None = None
    enabled: StrictFlag = True


def _nothing() -> None:
    return None


class ProviderPatch(Wire):
    """What to change about a log-in provider; what is left out stays."""

    # Factories, because a default in the document would read as "left out means this".
    name: Name = Field(default_factory=str)
    issuer: Issuer = Field(default_factory=str)
    client_id: NonEmpty = Field(default_factory=str)
    client_secret: ClientSecret | None = Field(default_factory=_nothing)
    allowed_domains: list[Domain] = Field(default_factory=list, max_length=100)
    create_users: StrictFlag = Field(default_factory=bool)
    admin_claim: Line | None = Field(default_factory=_nothing, max_length=200)
    admin_values: list[Line] = Field(default_factory=list, max_length=100)
    bearer_audience: NonEmpty | None = Field(default_factory=_nothing)
    enabled: StrictFlag = Field(default_factory=bool)


class ProviderOut(Wire):
    """A log-in provider; its secret is never shown."""

    id: str
    name: str
    preset: Literal["google", "custom"]
    issuer: str
    client_id: str
    has_client_secret: bool
    allowed_domains: list[str]
    create_users: bool
    admin_claim: str | None
    admin_values: list[str]
    bearer_audience: str | None
    enabled: bool
    redirect_uri: str


class ProvidersOut(Page[ProviderOut]):
    """Log-in providers, and the address to register with a new one."""

    redirect_uri: str


class SignInOut(Wire):
    """One attempt to sign in."""

    id: str
    at: datetime
    method: str
    email: str
    user_id: str | None
    outcome: Literal["accepted", "refused"]
    reason: str
    address: str
    user_agent: str
