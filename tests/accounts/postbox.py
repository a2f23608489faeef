"""Two connectors that someone else wrote: `postbox` asks for consent, `pillar` has a form."""

from collections.abc import AsyncIterator, Sequence
from importlib.metadata import EntryPoint, entry_points
from typing import Any
from urllib.parse import urlsplit

import pytest
from pydantic import Field

from bailiwick import features
from bailiwick.connectors.connector import (
    AccountAccess,
    Connector,
    GuideStep,
    OAuth,
    Permission,
)
from bailiwick.connectors.errors import ConnectorFailed
from bailiwick.connectors.forms import FormFields
from bailiwick.connectors.mail import ArrivedMessage, Cursor, Identity, MailPage
from bailiwick.connectors.own import OwnAccounts
from bailiwick.feature import Feature
from bailiwick.tools.arguments import Omittable, ToolArguments
from bailiwick.tools.tool import Tool, ToolContext, ToolOutput

PASSWORD = "canary-password"
SIGNATURE = "<b>Olive</b><br>Owner<script>alert('canary')</script><img src='https://t.example/p'>"


class Box:
    """The part of a mailbox that accounts need; the rest is for the mail tests."""

    def __init__(self, access: AccountAccess) -> None:
        self.access = access

    async def changes(self, cursor: Cursor | None) -> AsyncIterator[MailPage]:
        yield MailPage(cursor={"at": 1}, arrived=tuple[ArrivedMessage, ...]())

    async def signature(self) -> str | None:
        return SIGNATURE

    async def close(self) -> None:
        """There is nothing to let go of."""


class Postbox(Box):
    async def probe(self) -> Identity:
        answer = await self._me()
        if answer[0] == 401:
            await self.access.renew()
            answer = await self._me()
        if answer[0] != 200:
            raise ConnectorFailed("invalid_grant", "The provider does not take the token.")
        return Identity(answer[1]["address"], "Olive Owner", authserv_id="mx.mail.example")

    async def _me(self) -> tuple[int, Any]:
        secret = await self.access.secret()
        bearer = {"Authorization": f"Bearer {secret['access_token']}"}
        async with self.access.network.http() as client:
            answer = await client.get(f"{self.access.options['url']}/me", headers=bearer)
        return answer.status_code, answer.json()


class Pillar(Box):
    async def probe(self) -> Identity:
        settings, secret = self.access.settings, await self.access.secret()
        (await self.access.network.dial(settings["host"], settings["port"])).close()
        if secret["password"] != PASSWORD:
            raise ConnectorFailed("invalid_grant", "The password is wrong.")
        if settings["user"] == "broken":
            raise RuntimeError(f"it broke with {secret['password']}")
        self.access.folder.mkdir(parents=True, exist_ok=True)
        (self.access.folder / "kept").write_text("x")
        return Identity(f"{settings['user']}@pillar.example")


def _oauth(options: FormFields) -> OAuth | None:
    if not options.get("client_id"):
        return None
    return OAuth(
        authorize_url=f"{options['url']}/authorize",
        token_url=f"{options['url']}/token",
        revoke_url=f"{options['url']}/revoke",
        client_id=options["client_id"],
        client_secret=options.get("client_secret"),
        base_scopes=("openid",),
        parameters={"access_type": "offline"},
    )


class WhoseLabels(ToolArguments):
    account: Omittable[str] = Field(None, description="An account of its own.")


def _tools(own: OwnAccounts) -> Sequence[Tool]:
    async def run(context: ToolContext, arguments: WhoseLabels) -> ToolOutput:
        mine = await own.of(context.workspace_id, context.user_id)
        if wanted := arguments.account:
            async with own.mailbox(wanted, workspace_id=context.workspace_id) as box:
                await box.probe()
        return ToolOutput({"labels": [each.label for each in mine]}, summary="own")

    return [
        Tool(
            name="postbox_labels",
            title="Labels",
            description="The labels of its own accounts.",
            arguments=WhoseLabels,
            effect="read",
            run=run,
        )
    ]


POSTBOX = Connector(
    name="postbox",
    title="Postbox",
    summary="Mail by consent",
    options={
        "type": "object",
        "properties": {
            "url": {"type": "string", "default": "https://postbox.example"},
            "client_id": {"type": "string", "title": "Client id"},
            "client_secret": {"type": "string", "title": "Client secret", "writeOnly": True},
        },
        "additionalProperties": False,
    },
    permissions=(
        Permission("read", "Read", "Read mail.", scopes=("mail.read",), required=True),
        Permission("send", "Send", "Send mail.", scopes=("mail.send",)),
    ),
    hosts=lambda options, _: [urlsplit(options["url"]).netloc],
    oauth=_oauth,
    guide=(
        GuideStep("Make a client", "Open the console.", url="https://console.example"),
        GuideStep("Where to return", "Paste this.", copy="redirect_uri"),
        GuideStep("What it may", "And these.", copy="scopes"),
    ),
    open_mail=Postbox,  # pyright: ignore[reportArgumentType]
    tools=_tools,
)
PILLAR = Connector(
    name="pillar",
    title="Pillar box",
    summary="Mail by form",
    settings={
        "type": "object",
        "properties": {
            "host": {"type": "string", "minLength": 1},
            "port": {"type": "integer", "default": 993, "minimum": 1, "maximum": 65535},
            "user": {"type": "string"},
            "password": {"type": "string", "writeOnly": True, "minLength": 1},
        },
        "required": ["host", "user", "password"],
    },
    permissions=(
        Permission("read", "Read", "Read mail.", required=True),
        Permission("send", "Send", "Send mail."),
    ),
    hosts=lambda _, settings: [f"{settings.get('host', '')}:{settings['port']}"],
    suggest=lambda address: {"host": f"mail.{address.partition('@')[2]}", "password": "canary"},
    open_mail=Pillar,  # pyright: ignore[reportArgumentType]
)


def plugin_of(*connectors: Connector) -> Feature:
    """What an entry point leads to."""
    return Feature(name="postbox", connectors=connectors)


class Beside(EntryPoint):
    """An entry point of a package that is installed beside us."""

    def load(self) -> Any:
        return PLUGS[self.value]


PLUGS: dict[str, Any] = {}


def install(monkeypatch: pytest.MonkeyPatch, plugin: object) -> None:
    """As if it had been installed beside us."""
    monkeypatch.setitem(PLUGS, "postbox:plugin", plugin)
    beside = Beside("postbox", "postbox:plugin", features.GROUP)
    installed = [*entry_points(group=features.GROUP), beside]
    monkeypatch.setattr(features, "entry_points", lambda *, group: installed)
