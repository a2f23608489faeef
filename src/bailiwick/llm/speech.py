"""Speech into text, by a model whose server speaks OpenAI's API for it: `/audio/transcriptions`."""

import json
import secrets

from bailiwick.kit.net.addresses import AddressRefused
from bailiwick.kit.net.outbound import Outbound, OutboundFailed
from bailiwick.llm.addresses import LOCAL
from bailiwick.llm.config import Config
from bailiwick.llm.errors import ModelFailed
from bailiwick.llm.providers import ADDRESSES

_PATIENCE = 600.0
_LONGEST = 8_000_000
_SPEAKS = frozenset(("openai", "compatible", "ollama", "mistral"))


async def transcribe(config: Config, content: bytes, *, suffix: str, kind: str) -> str:
    """What is said in a recording, or `ModelFailed` in words."""
    base = (config.base_url or ADDRESSES.get(config.provider) or "").rstrip("/")
    if config.provider not in _SPEAKS or not base:
        raise _failed(config, "its provider has no transcription in OpenAI's way")
    mark = secrets.token_hex(16)
    headers = {"Content-Type": f"multipart/form-data; boundary={mark}"}
    if config.key:
        headers["Authorization"] = f"Bearer {config.key.get_secret_value().strip()}"
    try:
        answer = await Outbound(LOCAL, follow=False).post(
            f"{base}/audio/transcriptions",
            content=_form(mark, config.model, content, name=f"recording.{suffix}", kind=kind),
            headers=headers,
            timeout=_PATIENCE,
            longest=_LONGEST,
        )
    except (AddressRefused, OutboundFailed) as error:
        raise _failed(config, str(error)) from None
    if answer.status != 200:
        raise _failed(config, f"it answered with status {answer.status}")
    try:
        said = json.loads(answer.body)["text"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise _failed(config, "it answered in another form than was asked for") from None
    return str(said)


def _form(mark: str, model: str, content: bytes, *, name: str, kind: str) -> bytes:
    fields = {"model": model, "response_format": "json"}
    parts = [
        f'--{mark}\r\nContent-Disposition: form-data; name="{key}"\r\n\r\n{value}\r\n'
        for key, value in fields.items()
    ]
    head = f'--{mark}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n'
    return b"".join(
        (
            "".join(parts).encode(),
            f"{head}Content-Type: {kind}\r\n\r\n".encode(),
            content,
            f"\r\n--{mark}--\r\n".encode(),
        )
    )


def _failed(config: Config, reason: str) -> ModelFailed:
    said = f"The model “{config.name}” did not transcribe it: {reason}."
    return ModelFailed(said, model_id=config.id)
