"""Files that people upload, and how they do it."""

import io
import json
from typing import Any

import httpx
from PIL import Image

from support.office import API

ABOUT = {
    "description": "Q4 Financial Report",
    "tags": ["financial", "quarterly"],
    "visibility": "thread",
}


def png(width: int = 60, height: int = 40, colour: str = "teal") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


async def send(
    who: httpx.AsyncClient, name: str, content: bytes, kind: str = "", **about: Any
) -> httpx.Response:
    """Post a file as the document does."""
    form = {"file": (name, content, kind or "application/octet-stream")}
    data = {"metadata": json.dumps(about)} if about else {}
    return await who.post(f"{API}/files", files=form, data=data)


async def sent(who: httpx.AsyncClient, name: str, content: bytes, **about: Any) -> dict[str, Any]:
    made = await send(who, name, content, **about)
    assert made.status_code == 201, made.text
    return made.json()


async def linked(who: httpx.AsyncClient, file: dict[str, Any], thread: str = "") -> httpx.Response:
    headers = {"X-Thread-ID": thread} if thread else {}
    return await who.get(f"{API}/files/{file['file_id']}/download", headers=headers)
