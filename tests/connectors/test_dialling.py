"""Connections that somebody gave up waiting for."""

import asyncio
import socket
import threading
from typing import Any

import pytest

from bailiwick.connectors.network import Network
from connectors.imap_rig import LOOPBACK
from support.server import PATIENCE


async def test_a_connection_that_nobody_waits_for_any_more_is_closed(
    monkeypatch: pytest.MonkeyPatch,
):
    real, there, go_on = socket.create_connection, threading.Event(), threading.Event()

    def lingering(*given: Any, **named: Any) -> socket.socket:
        made = real(*given, **named)
        there.set()
        go_on.wait(PATIENCE)
        return made

    monkeypatch.setattr(socket, "create_connection", lingering)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        network = Network([f"127.0.0.1:{port}"], allowed=LOOPBACK)
        dialling = asyncio.create_task(network.dial("127.0.0.1", port))
        assert await asyncio.to_thread(there.wait, PATIENCE)
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling
        go_on.set()
        accepted, _ = server.accept()
        with accepted:
            accepted.settimeout(PATIENCE)
            assert await asyncio.to_thread(accepted.recv, 1) == b"", "it hung up"
