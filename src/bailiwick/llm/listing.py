"""The list of a key's models: asked of the provider by its own documented API.

Invariant: a key goes nowhere but to its own configuration's address and what lies beneath it, and
redirects are not followed. What comes back is a stranger's: bounded, and read leniently.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from bailiwick.errors import Invalid, Unavailable
from bailiwick.kit.net.addresses import AddressRefused
from bailiwick.kit.net.outbound import Outbound, OutboundFailed
from bailiwick.llm import list_entries, prices
from bailiwick.llm.addresses import LOCAL
from bailiwick.llm.config import Config, ModelProviderName
from bailiwick.llm.list_entries import ListedModel, ListEntry
from bailiwick.llm.names import MODEL_NAME
from bailiwick.llm.providers import ADDRESSES, AZURE_VERSION

MOST = 1_000
_PATIENCE = 20.0
_SHORT_PATIENCE = 2.0
_LONGEST = 8_000_000  # of OpenRouter's it is more than one
_MOST_PAGES = 10
_SHOWN = 40  # models of an Ollama that are asked about one by one
_AT_ONCE = 4
_NAME = re.compile(MODEL_NAME)
_WRITE = "Write the model's name by hand."
ListEntries = list[ListEntry]


async def fetch(config: Config) -> list[ListedModel]:
    """The models that a configuration's key can have, or what stands in the way, by field."""
    await prices.load()
    if config.provider == "bedrock":
        return [_of_table(line) for line in prices.search(provider="bedrock")]
    try:
        async with asyncio.timeout(_PATIENCE):
            entries = await _FETCHES[config.provider](_Asker(config))
    except TimeoutError:
        raise Unavailable(f"The list of models took too long. {_WRITE}") from None
    found = map(list_entries.listed, entries)
    named = {each.model: each for each in found if _NAME.fullmatch(each.model)}
    return [_priced(config, each) for each in sorted(named.values(), key=_order)][:MOST]


async def one(config: Config) -> ListedModel | None:
    """What Ollama says of one model; None if it does not answer soon, and for other providers."""
    if config.provider != "ollama":
        return None
    try:
        ask = _Asker(config)
        async with asyncio.timeout(_SHORT_PATIENCE):
            about = await ask.maybe(f"{ask.root}/api/show", {"model": config.model})
    except (TimeoutError, Invalid):
        return None
    window = list_entries.trained(about)
    return _priced(config, ListedModel(config.model, window=window)) if window else None


class _Asker:
    """Asks one configuration's address, with its key."""

    def __init__(self, config: Config) -> None:
        self._config = config
        self._headers = _headers(config)
        self.base = (config.base_url or ADDRESSES.get(config.provider) or "").rstrip("/")
        if not self.base:
            raise Invalid.field("baseUrl", "is needed: where the list is asked for")

    @property
    def root(self) -> str:
        """The address without the part of it that is OpenAI's."""
        return self.base.removesuffix("/v1")

    @property
    def version(self) -> str:
        return self._config.api_version or AZURE_VERSION

    async def get(self, url: str) -> ListEntry:
        """A document, or what is wrong with the key or the address."""
        return self._read(await self._sent(url))

    async def maybe(self, url: str, body: Mapping[str, Any] | None = None) -> ListEntry:
        """A document that says more, if there is one."""
        try:
            return self._read(await self._sent(url, body))
        except (Invalid, Unavailable):
            return {}

    async def _sent(self, url: str, body: Mapping[str, Any] | None = None) -> Any:
        outbound = Outbound(LOCAL, follow=False)
        try:
            if body is None:
                return await outbound.get(
                    url, headers=self._headers, timeout=_PATIENCE, longest=_LONGEST
                )
            headers = {**self._headers, "Content-Type": "application/json"}
            content = json.dumps(body).encode()
            return await outbound.post(
                url, content=content, headers=headers, timeout=_PATIENCE, longest=_LONGEST
            )
        except (AddressRefused, OutboundFailed) as error:
            raise Invalid.field("baseUrl", f"it cannot be reached: {error}") from None

    def _read(self, answer: Any) -> ListEntry:
        match answer.status:
            case 200:
                return _document(answer.body)
            case 401 | 403:
                said = "is not taken there" if self._config.key else "is needed there"
                raise Invalid.field("key", f"{said} (the server answered {answer.status})")
            case 400 if self._config.provider == "google":
                raise Invalid.field("key", "is not taken there (Google answered 400)")
            case 404 | 405 | 301 | 302 | 307 | 308:
                raise Invalid.field("baseUrl", f"there is no list of models there. {_WRITE}")
            case status:
                raise Unavailable(f"The list of models was refused ({status}). {_WRITE}")


async def _openai(ask: _Asker) -> ListEntries:
    document = await ask.get(f"{ask.base}/models")
    return [each for each in _entries(document, "data") if list_entries.chats(each)]


async def _anthropic(ask: _Asker) -> ListEntries:
    found: ListEntries = []
    last = ""
    for _ in range(_MOST_PAGES):
        after = f"&after_id={quote(last, safe='')}" if last else ""
        page = await ask.get(f"{ask.root}/v1/models?limit=100{after}")
        found += _entries(page, "data")
        last = str(page.get("last_id") or "")
        if page.get("has_more") is not True or not last:
            break
    return found


async def _google(ask: _Asker) -> ListEntries:
    found: ListEntries = []
    token = ""
    for _ in range(_MOST_PAGES):
        after = f"&pageToken={quote(token, safe='')}" if token else ""
        page = await ask.get(f"{ask.base}/v1beta/models?pageSize=200{after}")
        found += _entries(page, "models")
        token = str(page.get("nextPageToken") or "")
        if not token:
            break
    return [each for each in found if list_entries.generates(each)]


async def _mistral(ask: _Asker) -> ListEntries:
    document = await ask.get(f"{ask.root}/v1/models")
    return [each for each in _entries(document, "data") if list_entries.converses(each)]


async def _ollama(ask: _Asker) -> ListEntries:
    tags = _entries(await ask.get(f"{ask.root}/api/tags"), "models")
    bound = asyncio.Semaphore(_AT_ONCE)

    async def shown(tag: ListEntry) -> ListEntry:
        async with bound:
            about = await ask.maybe(f"{ask.root}/api/show", {"model": tag.get("name")})
        return {**tag, "id": tag.get("name"), "context_length": list_entries.trained(about)}

    first = await asyncio.gather(*map(shown, tags[:_SHOWN]))
    return [*first, *({**tag, "id": tag.get("name")} for tag in tags[_SHOWN:])]


async def _azure(ask: _Asker) -> ListEntries:
    if ask.base.endswith("/v1"):
        found = _entries(await ask.get(f"{ask.base}/models"), "data")
    else:
        # The names that one gave are what is asked for; only older versions list them.
        url = f"{ask.base}/openai/deployments?api-version=2023-03-15-preview"
        if deployed := _entries(await ask.maybe(url), "data"):
            return deployed
        document = await ask.get(f"{ask.base}/openai/models?api-version={quote(ask.version)}")
        found = _entries(document, "data")
    return [each for each in found if list_entries.completes(each)]


async def _compatible(ask: _Asker) -> ListEntries:
    """OpenAI's list; servers that say more of their models elsewhere are asked for that too."""
    found = _entries(await ask.get(f"{ask.base}/models"), "data")
    if any(list_entries.window(each) for each in found):
        if not any("meta" in each for each in found):
            return found
        props = await ask.maybe(f"{ask.root}/props")  # llama.cpp: what it was started with
        return [list_entries.started(each, props) for each in found]
    for path in ("api/v0/models", "model/info"):  # LM Studio, LiteLLM
        more = _entries(await ask.maybe(f"{ask.root}/{path}"), "data")
        if more:
            return list_entries.joined(found, more)
    return found


_FETCHES: dict[ModelProviderName, Callable[[_Asker], Awaitable[ListEntries]]] = {
    "openai": _openai,
    "anthropic": _anthropic,
    "google": _google,
    "mistral": _mistral,
    "ollama": _ollama,
    "azure": _azure,
    "compatible": _compatible,
}


def _headers(config: Config) -> dict[str, str]:
    if config.key is None:
        return {"Accept": "application/json"}
    key = config.key.get_secret_value().strip()
    if not key.isascii() or not key.isprintable():
        raise Invalid.field("key", "must have visible ASCII characters only")
    match config.provider:
        case "anthropic":
            own = {"x-api-key": key, "anthropic-version": "2023-06-01"}
        case "google":
            own = {"x-goog-api-key": key}
        case "azure":
            own = {"api-key": key}
        case _:
            own = {"Authorization": f"Bearer {key}"}
    return {"Accept": "application/json", **own}


def _document(body: bytes) -> ListEntry:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        found = None
    if isinstance(found, list):  # some servers leave the envelope out
        return {"data": found, "models": found}
    if not isinstance(found, dict):
        raise Invalid.field("baseUrl", f"what answers there is no list of models. {_WRITE}")
    return found


def _entries(document: ListEntry, name: str) -> ListEntries:
    listed = document.get(name)
    found = listed[: MOST * 2] if isinstance(listed, list) else []
    return [each for each in found if isinstance(each, dict)]


def _order(each: ListedModel) -> str:
    return each.model.lower()


def _priced(config: Config, each: ListedModel) -> ListedModel:
    """With what the public table knows, where the provider says nothing."""
    line = prices.known(config.provider, each.model, base_url=config.base_url)
    if config.provider == "ollama":
        return replace(each, input_price=0, output_price=0, price_source="known")
    if each.input_price is not None and each.output_price is not None:
        return replace(each, window=each.window or (line.window if line else None))
    if line is None:
        return each
    return replace(
        each,
        window=each.window or line.window,
        input_price=line.input_price,
        output_price=line.output_price,
        price_source="known",
    )


def _of_table(line: prices.KnownPrice) -> ListedModel:
    return ListedModel(
        line.model, None, line.window, None, line.input_price, line.output_price, "known"
    )
