"""A model on loopback, and the adapter that asks it."""

import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pytest

from bailiwick.config import Settings
from bailiwick.identity.principal import OPERATOR
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.db import Storage
from bailiwick.kit.keys import generate
from bailiwick.kit.vault import Vault
from bailiwick.llm import service
from bailiwick.llm.adapter import Models
from bailiwick.llm.chat import Delta, ModelAttempt, ModelRequest
from bailiwick.llm.config import Config
from bailiwick.llm.outgoing import OutgoingRedaction, RedactedRequest
from bailiwick.llm.providers import PROVIDERS
from bailiwick.llm.schemas import ModelIn
from bailiwick.office import storage_of, vault_keys
from bailiwick.offline.feature import feature as OFFLINE  # noqa: N812
from support.model_server import ModelServer, serving_model

KEY = "canary-key-of-the-model"
VARIABLES = (
    *("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY"),
    *("MISTRAL_API_KEY", "AZURE_OPENAI_API_KEY", "AZURE_OPENAI_ENDPOINT", "OLLAMA_HOST"),
    *("AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE", "AWS_REGION"),
)


@dataclass
class Heard:
    """What the adapter told while it asked."""

    deltas: list[Delta] = field(default_factory=list)
    attempts: list[ModelAttempt] = field(default_factory=list)

    async def delta(self, delta: Delta) -> None:
        self.deltas.append(delta)

    async def attempt(self, attempt: ModelAttempt) -> None:
        self.attempts.append(attempt)

    @property
    def both(self) -> dict[str, Any]:
        return {"on_delta": self.delta, "on_attempt": self.attempt}

    def text(self, attempt: int = 1) -> str:
        found = [one for one in self.deltas if one.attempt == attempt and one.call is None]
        return "".join(one.text for one in found)


@dataclass
class Adapter:
    """The real adapter on a database of its own; its waits are noted and not waited."""

    storage: Storage
    vault: Vault
    models: Models
    waits: list[float]
    blobs: BlobFolder

    async def add(self, name: str, base_url: str, **more: Any) -> str:
        body = {"name": name, "provider": "compatible", "model": "scripted-1", "key": KEY}
        values = dict(ModelIn.model_validate({**body, "baseUrl": base_url, **more}))
        del values["found"]
        async with self.storage.app.write() as session:
            made = await service.create(session, OPERATOR, values, vault=self.vault)
            return made.id

    async def config(self, server: ModelServer, name: str = "Scripted", **more: Any) -> Config:
        return await self.models.get(await self.add(name, server.base_url, **more))


def ask(text: str = "Hello", **more: Any) -> ModelRequest:
    return ModelRequest([{"role": "user", "content": text}], **more)


@pytest.fixture(autouse=True)
def _no_keys_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    # Where nobody listens.
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:9")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving_model() as made:
        yield made


@pytest.fixture
async def adapter(sqlite_settings: Settings, migrated_folder: Path) -> AsyncIterator[Adapter]:
    shutil.copytree(migrated_folder, sqlite_settings.data)
    storage = storage_of(sqlite_settings, None)
    keys = vault_keys(sqlite_settings)
    keys.write([generate()])
    vault, waits = Vault(keys), []
    blobs = BlobFolder(sqlite_settings.data / "blobs", generate())

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async def as_it_is(ask: ModelRequest) -> RedactedRequest:
        return RedactedRequest(**{each.name: getattr(ask, each.name) for each in fields(ask)})

    models = Models(
        storage,
        vault,
        [*PROVIDERS, *OFFLINE.models],
        OutgoingRedaction(as_it_is),
        read_blob=blobs.read,
        sleep=sleep,
        jitter=lambda: 1.0,
    )
    yield Adapter(storage, vault, models, waits, blobs)
    await models.close()
    await storage.close()
