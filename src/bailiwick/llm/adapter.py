"""The one way to a model: whichever it is, it is asked and answers in the same form.

A call is tried up to four times and then once more with the fallback, if there is one. Each try is
redacted just before it leaves. What it was asked and answered is reported, without keys.
"""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterable
from contextlib import aclosing, suppress
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from bailiwick.errors import NotFound
from bailiwick.kit.db import Storage
from bailiwick.kit.vault import Vault
from bailiwick.llm import (
    config_rows,
    parts,
    prices,
    providers,
    repository,
    service,
    sight,
    tokens,
    tuning,
)
from bailiwick.llm.chat import (
    ChatMessage,
    Delta,
    ModelAttempt,
    ModelReply,
    ModelRequest,
    OnAttempt,
    OnDelta,
)
from bailiwick.llm.config import Config
from bailiwick.llm.errors import AttemptFailed, ModelFailed, RequestTooLong
from bailiwick.llm.list_figures import ListFigures
from bailiwick.llm.outgoing import OutgoingRedaction, RedactedRequest
from bailiwick.llm.provider import BuiltinModel, ModelProvider
from bailiwick.llm.tally import StreamTally
from bailiwick.llm.tuning import Learned
from bailiwick.llm.windows import Windows

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

    from bailiwick.llm.stream import StreamPiece, WholeAnswer

ATTEMPTS = 4
_BASE = 0.5
_CAP = 20.0
# Whoever wants us to wait longer is given up for now.
_LONGEST_WAIT = 60.0
Sleep = Callable[[float], Awaitable[None]]


@dataclass(slots=True)
class _Call:
    """One question on its way, over all its tries."""

    ask: ModelRequest
    on_delta: OnDelta | None
    on_attempt: OnAttempt | None
    number: int = 0

    async def report(self, config: Config, kind: Any, **about: Any) -> None:
        if self.on_attempt:
            await self.on_attempt(
                ModelAttempt(
                    kind=kind,
                    number=self.number,
                    model_id=config.id,
                    provider=config.provider,
                    model=config.model,
                    **about,
                )
            )


class Models:
    """All models of an installation; one of these in a process."""

    count = staticmethod(tokens.count)
    price = staticmethod(prices.price)

    def __init__(
        self,
        storage: Storage,
        vault: Vault,
        given: Iterable[ModelProvider],
        outgoing: OutgoingRedaction,
        *,
        read_blob: sight.ReadBlob,
        sleep: Sleep = asyncio.sleep,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._storage = storage
        self._vault = vault
        self._outgoing = outgoing
        self._read_blob = read_blob
        self._providers = {provider.name: provider for provider in given}
        self._sleep = sleep
        self._jitter = jitter
        self._client: httpx2.AsyncClient | None = None
        self._building = asyncio.Lock()
        self._built: dict[str, tuple[Config, Model]] = {}
        self._learned: dict[str, tuple[Config, Learned]] = {}
        self.windows = Windows()
        self.listed = ListFigures()
        self._bounds: dict[str, tuple[int, asyncio.Semaphore]] = {}

    async def get(self, id: str | None = None) -> Config:
        """A configuration as it is now; None: the default. `ModelFailed` if it cannot be used."""
        try:
            config = await self.read(id)
        except NotFound:
            raise ModelFailed(
                "The model that was chosen is no longer there. Choose another one.",
                model_id=id or "",
            ) from None
        if not config.enabled:
            raise ModelFailed(
                f"The model “{config.name}” is switched off. Switch it on in Settings → Models, "
                f"or choose another one.",
                model_id=config.id,
            )
        return config

    async def reply(
        self,
        config: Config,
        ask: ModelRequest,
        *,
        on_delta: OnDelta | None = None,
        on_attempt: OnAttempt | None = None,
    ) -> ModelReply:
        """Ask a model, and its fallback if that does not help; `ModelFailed` if neither answers."""
        call = _Call(ask, on_delta, on_attempt)
        try:
            return await self._persist(config, call)
        except AttemptFailed as failed:
            problem = _sentence(config, failed)
            if failed.too_long:
                raise self._too_long(config, ask, failed, problem) from failed
            fallback = await self._fallback_of(config)
            if fallback is None:
                raise ModelFailed(problem, model_id=config.id, status=failed.status) from failed
        _check_fits(fallback, ask, problem)
        try:
            return await self._persist(fallback, call)
        except AttemptFailed as failed:
            if failed.too_long:
                raise self._too_long(fallback, ask, failed, problem) from failed
            both = f"{problem} Its fallback did not help: {_sentence(fallback, failed)}"
            raise ModelFailed(both, model_id=fallback.id, status=failed.status) from failed

    def _too_long(
        self, config: Config, ask: ModelRequest, failed: AttemptFailed, problem: str
    ) -> RequestTooLong:
        asked = tokens.count(ask.messages, ask.tools)
        window = self.windows.take_refusal(config, asked=asked, limit=failed.limit)
        return RequestTooLong(problem, model_id=config.id, window=window)

    async def probe(self, config: Config, ask: ModelRequest) -> ModelReply:
        """Ask once, without another try and without a fallback."""
        try:
            return await self._try(config, _Call(ask, None, None))
        except AttemptFailed as failed:
            problem = _sentence(config, failed)
            raise ModelFailed(problem, model_id=config.id, status=failed.status) from failed

    def notes(self, config: Config) -> list[str]:
        """Which settings were left out of the last request, and why."""
        return self._learned_of(config).told()

    def builtin(self, provider: str, model: str) -> BuiltinModel | None:
        """What a provider says of a model that every office has."""
        known = self._providers.get(provider)
        found = (each for each in known.builtin if each.model == model) if known else ()
        return next(iter(found), None)

    async def ensure(self) -> None:
        """Give an office the models that it has without anyone's configuring them."""
        for provider in self._providers.values():
            await service.ensure(self._storage, provider)

    async def close(self) -> None:
        """Close every connection."""
        self._built.clear()
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def read(self, id: str | None) -> Config:
        """A configuration, enabled or not (None: the default), or `NotFound`."""
        async with self._storage.app.read() as session:
            row = await (repository.get(session, id) if id else repository.default(session))
        if row.provider != "offline":
            await prices.load()
        return self.windows.applied(config_rows.of(row, self._vault))

    async def _fallback_of(self, config: Config) -> Config | None:
        if config.fallback_id is None:
            return None
        try:
            fallback = await self.read(config.fallback_id)
        except NotFound:
            return None
        return fallback if fallback.enabled else None

    async def _persist(self, config: Config, call: _Call) -> ModelReply:
        for tried in range(1, ATTEMPTS + 1):
            try:
                return await self._try(config, call)
            except AttemptFailed as failed:
                asked = failed.retry_after or 0.0
                if not failed.again or tried == ATTEMPTS or asked > _LONGEST_WAIT:
                    raise
                pause = self._jitter() * min(_CAP, _BASE * 2 ** (tried - 1))
            await self._sleep(max(asked, pause))
        raise AssertionError("the last try returns or raises")

    async def _try(self, config: Config, call: _Call) -> ModelReply:
        while True:
            try:
                return await self._attempt(config, call)
            except AttemptFailed as failed:
                # What was refused is a setting: without it, there may be an answer.
                if not self._learned_of(config).heeds(failed):
                    raise

    async def _attempt(self, config: Config, call: _Call) -> ModelReply:
        call.number += 1
        async with self._bound(config):
            ask = await self._outgoing.redacted(call.ask)
            ask = sight.shown(ask, sight.sight_of(config))
            await call.report(config, "request", payload=_asked(ask))
            begun, tally = time.monotonic(), StreamTally(ask)
            try:
                whole = await self._answer(config, call, ask, tally)
            except BaseException as error:
                failed = _without_key(_attempt_failed(error), config)
                if failed is error or tally.begun:
                    await call.report(
                        config,
                        "error",
                        payload={"error": failed.said, "again": failed.again},
                        latency_ms=_since(begun),
                        spent=prices.priced(config, tally.usage) if tally.begun else None,
                        status=failed.status,
                    )
                raise
        spent = prices.priced(config, whole.used)
        await call.report(
            config,
            "response",
            payload=_answered(whole),
            latency_ms=_since(begun),
            spent=spent,
            status=None if config.provider == "offline" else 200,
        )
        return ModelReply(
            content=whole.content,
            calls=whole.calls,
            finish=whole.finish,
            spent=spent,
            model_id=config.id,
            model=config.model,
            parts=whole.parts,
            cut=whole.cut,
        )

    async def _answer(
        self, config: Config, call: _Call, ask: RedactedRequest, tally: StreamTally
    ) -> "WholeAnswer":
        learned = self._learned_of(config)
        config = learned.config
        model = await self._model(config)
        from bailiwick.llm import stream

        ask = tuning.without_parts(ask, learned)
        most = _smaller(ask.max_tokens, config.max_output)
        if most is not None:
            # What is read and what is written share the window.
            most = min(most, max(1, config.window - tokens.count(ask.messages, ask.tools)))
        settings = tuning.settings(model, ask, learned, max_tokens=most)
        if ask.tools:
            # A conversation goes on: what it begins with is read again at each step.
            settings["cache"] = True
        files = await self._files(ask)
        pieces = stream.answer(
            model,
            ask,
            config,
            settings=settings,
            files=files,
            tally=tally,
            in_words="form" in learned.refused,
        )
        async with aclosing(pieces):
            async for piece in pieces:
                if isinstance(piece, stream.WholeAnswer):
                    return piece
                if call.on_delta:
                    await call.on_delta(_delta(call.number, piece))
        raise AttemptFailed("its answer was cut off", again=True)

    async def _files(self, ask: RedactedRequest) -> dict[str, bytes]:
        """The contents of the files that are shown; one that is gone is told by its name."""
        names = sight.blobs_of(ask)
        return await asyncio.to_thread(self._read_all, names) if names else {}

    def _read_all(self, names: Iterable[str]) -> dict[str, bytes]:
        found: dict[str, bytes] = {}
        for name in names:
            with suppress(NotFound):
                found[name] = self._read_blob(name)
        return found

    async def _model(self, config: Config) -> "Model":
        async with self._building:
            known = self._built.get(config.id)
            if known is None or known[0] != config:
                # Aside: the libraries are large, and reading them takes a second.
                model = await asyncio.to_thread(self._build, config)
                known = self._built[config.id] = (config, model)
        return known[1]

    def _build(self, config: Config) -> "Model":
        from bailiwick.llm import network

        import_module("bailiwick.llm.stream")
        if self._client is None:
            self._client = network.client()
        provider = self._providers.get(config.provider)
        if provider is None:
            raise AttemptFailed(
                f"nothing here speaks to {config.provider}",
                again=False,
                advice="Install the plugin that it came with.",
            )
        return providers.build(provider, config, self._client)

    def _learned_of(self, config: Config) -> Learned:
        known = self._learned.get(config.id)
        if known is None or known[0] != config:
            known = self._learned[config.id] = (config, Learned(config))
        return known[1]

    def _bound(self, config: Config) -> asyncio.Semaphore:
        known = self._bounds.get(config.id)
        if known is None or known[0] != config.parallel:
            bound = asyncio.Semaphore(config.parallel)
            known = self._bounds[config.id] = (config.parallel, bound)
        return known[1]


def _sentence(config: Config, failed: AttemptFailed) -> str:
    name = f"“{config.name}” ({config.model})" if config.name != config.model else config.model
    return f"The model {name} did not answer: {failed.said.rstrip('.')}. {failed.advice}".strip()


def _check_fits(fallback: Config, ask: ModelRequest, problem: str) -> None:
    """A fallback with a smaller window is not asked for what it cannot take."""
    if tokens.count(ask.messages, ask.tools) < fallback.window:
        return
    takes = f"Its fallback “{fallback.name}” takes {fallback.window:,} tokens, and this is more."
    raise RequestTooLong(f"{problem} {takes}", model_id=fallback.id, window=fallback.window)


def _attempt_failed(error: BaseException) -> AttemptFailed:
    """An error of a try; one that is not the model's, such as a cancellation, stopped it."""
    if isinstance(error, AttemptFailed):
        return error
    return AttemptFailed("it was stopped in the middle of its answer", again=False)


def _without_key(failed: AttemptFailed, config: Config) -> AttemptFailed:
    """A server may repeat in an error what it was sent."""
    if config.key and (secret := config.key.get_secret_value()):
        failed.said = failed.said.replace(secret, "[key]")
    return failed


def _delta(number: int, piece: "StreamPiece") -> Delta:
    return Delta(number, piece.text, piece.call, piece.name, piece.thought, piece.taken_back)


def _asked(ask: ModelRequest) -> dict[str, Any]:
    return {
        "messages": [_told(message) for message in ask.messages],
        "tools": [asdict(tool) for tool in ask.tools],
        "max_tokens": ask.max_tokens,
        **({"output": asdict(ask.output)} if ask.output else {}),
    }


def _told(message: ChatMessage) -> dict[str, Any]:
    """A message for the diagnostics: of its parts, what a person can read."""
    told = {name: value for name, value in message.items() if name != "parts"}
    thought = parts.thought(message.get("parts"))
    return {**told, "thought": thought} if thought else told


def _answered(whole: "WholeAnswer") -> dict[str, Any]:
    thought = parts.thought(whole.parts)
    return {
        "content": whole.content,
        **({"thought": thought} if thought else {}),
        "calls": [asdict(call) for call in whole.calls],
        "finish": whole.finish,
    }


def _smaller(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def _since(begun: float) -> int:
    return round((time.monotonic() - begun) * 1000)
