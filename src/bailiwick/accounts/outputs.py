"""The result of the tool that lists accounts."""

from pydantic import BaseModel


class ListedAccount(BaseModel):
    """An account by the user's own words."""

    id: str
    label: str
    primary: bool
    kinds: list[str]


class ListedAccounts(BaseModel):
    """The accounts that tools can act on."""

    accounts: list[ListedAccount]
