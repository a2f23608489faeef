"""TLS to the name, over a connection to the checked address."""

import asyncio
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bailiwick.kit.net.outbound import Outbound, OutboundFailed
from kit.net.peers import (
    LOOPBACK,
    NAME,
    OK,
    SHORT,
    failure,
    here,
    outbound,
    peer,
    redirect,
    refused,
)
from support.server import PATIENCE

pytestmark = pytest.mark.req("EVT-02")


class Certificate:
    """A certificate that is its own authority, and what a server and its friends need."""

    def __init__(self, folder: Path, name: str) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        now = datetime.now(UTC)
        made = (
            x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(hours=1))
            .not_valid_after(now + timedelta(hours=1))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .sign(key, hashes.SHA256())
        )
        self.pem = made.public_bytes(serialization.Encoding.PEM)
        secret = key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        file = folder / "certificate.pem"
        file.write_bytes(secret + self.pem)
        self.asked_for: list[str | None] = []
        self.server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.server.load_cert_chain(file)
        self.server.sni_callback = lambda _object, name, _context: self.asked_for.append(name)

    @property
    def trusted(self) -> ssl.SSLContext:
        return ssl.create_default_context(cadata=self.pem.decode())


@pytest.fixture
def certificate(tmp_path: Path) -> Certificate:
    return Certificate(tmp_path, NAME)


async def test_tls_proves_the_name_and_not_the_address(certificate: Certificate):
    async with peer(OK, tls=certificate.server) as server:
        out = outbound(certificates=certificate.trusted)
        assert (await out.get(f"https://{NAME}:{server.port}/")).body == b"done"
        assert certificate.asked_for == [NAME]
        assert f"Host: {NAME}:{server.port}\r\n".encode() in server.requests[0]
        with pytest.raises(OutboundFailed, match=r"^other\.example has a certificate.*mismatch"):
            await out.get(f"https://other.example:{server.port}/")
        with pytest.raises(OutboundFailed, match=r"^127\.0\.0\.1 has a certificate.*mismatch"):
            await out.get(f"https://127.0.0.1:{server.port}/")
    assert len(server.requests) == 1


async def test_a_certificate_that_nobody_vouches_for_is_refused(certificate: Certificate):
    async with peer(OK, tls=certificate.server) as server:
        out = Outbound(allowed=LOOPBACK, resolve=here)
        with pytest.raises(OutboundFailed) as caught:
            await out.post(f"https://{NAME}:{server.port}/", content=b"{}")
    expected = f"{NAME} has a certificate that cannot be verified: self-signed certificate"
    assert str(caught.value) == expected
    assert server.requests == []


async def test_https_to_a_server_that_does_not_speak_it_is_told():
    async def plain(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(plain, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        told = await failure(f"https://{NAME}:{port}/")
    assert told.startswith(f"{NAME} does not speak HTTPS as it should: ")


@pytest.mark.parametrize("cancel", [False, True])
async def test_a_handshake_that_never_ends_is_ended_and_its_connection_closed(*, cancel: bool):
    begun, ended = asyncio.Event(), asyncio.Event()

    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)
        begun.set()
        await reader.read()
        ended.set()
        writer.close()
        await writer.wait_closed()

    async with await asyncio.start_server(mute, "127.0.0.1", 0) as server:
        out = outbound()
        url = f"https://{NAME}:{server.sockets[0].getsockname()[1]}/"
        call = asyncio.create_task(out.get(url, timeout=60 if cancel else 2 * SHORT))
        await asyncio.wait_for(begun.wait(), PATIENCE)
        if cancel:
            call.cancel()
        with pytest.raises(asyncio.CancelledError if cancel else OutboundFailed):
            await call
        await asyncio.wait_for(ended.wait(), PATIENCE)


async def test_a_redirect_never_leads_from_https_to_http(certificate: Certificate):
    async with peer(OK) as plain:
        for status in (307, 302):
            move = redirect(f"http://{NAME}:{plain.port}/", status)
            async with peer(move, tls=certificate.server) as server:
                url = f"https://{NAME}:{server.port}/"
                said = await refused(url, certificates=certificate.trusted)
            assert "it leads from https to http" in said
    assert plain.requests == []


async def test_a_redirect_from_http_to_https_is_to_the_same_server(
    certificate: Certificate, monkeypatch: pytest.MonkeyPatch
):
    real = anyio.connect_tcp
    async with (
        peer(redirect(f"https://{NAME}/new")) as plain,
        peer(OK, tls=certificate.server) as secure,
    ):
        out = outbound(certificates=certificate.trusted)
        ports = {80: plain.port, 443: secure.port}

        async def connect_tcp(remote_host: str, remote_port: int, **_options: object):
            return await real(remote_host, ports[remote_port])

        monkeypatch.setattr(anyio, "connect_tcp", connect_tcp)
        answer = await out.get(f"http://{NAME}/", headers={"X-Signature": "abc"})
    assert answer.url == f"https://{NAME}/new"
    assert b"X-Signature: abc" in secure.requests[0]
    assert f"Host: {NAME}\r\n".encode() in secure.requests[0]
