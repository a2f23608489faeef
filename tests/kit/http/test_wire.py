"""Raw bytes against a real server: half requests end, and two readings of one are refused."""

import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.office import API
from support.processes import PATIENCE
from support.server import Server, running, wait_for

pytestmark = pytest.mark.req("ID-05")
JSON = "Content-Type: application/json\r\n"
LOGIN = f"POST {API}/auth/login HTTP/1.1\r\n"
CHUNK = "2\r\n{}\r\n0\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("wire") / "data") as made:
        yield made


def connect(server: Server) -> socket.socket:
    port = int(server.origin.rsplit(":", 1)[1])
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def rest(connection: socket.socket) -> bytes:
    """Everything until the server hangs up."""
    answer = b""
    try:
        while part := connection.recv(65536):
            answer += part
    except ConnectionResetError:
        pass
    finally:
        connection.close()
    return answer


def sent(server: Server, text: str) -> tuple[list[int], str]:
    """The statuses that came back, and all of it."""
    connection = connect(server)
    host = server.origin.removeprefix("http://")
    connection.sendall(text.replace("<host>", f"Host: {host}\r\nConnection: close\r\n").encode())
    answer = rest(connection).decode(errors="replace")
    return [int(status) for status in re.findall(r"^HTTP/1.1 (\d+)", answer, re.MULTILINE)], answer


def test_an_ordinary_request_is_answered(server: Server):
    assert sent(server, "GET /healthz HTTP/1.1\r\n<host>\r\n")[0] == [200]
    body = "Content-Length: 2\r\n\r\n{}"
    statuses, answer = sent(server, f"{LOGIN}<host>{JSON}{body}")
    assert (statuses, "validation-error" in answer) == ([400], True)
    statuses, answer = sent(server, f"{LOGIN}<host>{JSON}Transfer-Encoding: chunked\r\n\r\n{CHUNK}")
    assert (statuses, "validation-error" in answer) == ([400], True)


GET = "GET /healthz HTTP/1.1\r\n<host>"
UNCLEAR = {
    "two hosts": f"{GET}Host: evil.example\r\n\r\n",
    "the same host twice": f"{GET}<host>\r\n",
    "an absolute address": "GET http://evil.example/healthz HTTP/1.1\r\n<host>\r\n",
    "an absolute address without a path": "GET http://evil.example HTTP/1.1\r\n<host>\r\n",
    "a bare name": "GET healthz HTTP/1.1\r\n<host>\r\n",
    "a star": "OPTIONS * HTTP/1.1\r\n<host>\r\n",
    "a tunnel": "CONNECT evil.example:443 HTTP/1.1\r\n<host>\r\n",
    "two origins": f"{GET}Origin: http://evil.example\r\nOrigin: http://localhost\r\n\r\n",
    "two credentials": f"{GET}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
    "two types": f"{LOGIN}<host>{JSON}{JSON}Content-Length: 2\r\n\r\n{{}}",
    "two lengths": f"{LOGIN}<host>{JSON}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{{}}",
    "one length twice": f"{LOGIN}<host>{JSON}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{{}}",
    "a list of lengths": f"{LOGIN}<host>{JSON}Content-Length: 2, 2\r\n\r\n{{}}",
    "a length with a sign": f"{LOGIN}<host>{JSON}Content-Length: +2\r\n\r\n{{}}",
    "length, then chunks": f"{LOGIN}<host>{JSON}Content-Length: 2\r\n"
    f"Transfer-Encoding: chunked\r\n\r\n{CHUNK}",
    "chunks, then length": f"{LOGIN}<host>{JSON}Transfer-Encoding: chunked\r\n"
    f"Content-Length: 2\r\n\r\n{CHUNK}",
    "chunks twice": f"{LOGIN}<host>{JSON}Transfer-Encoding: chunked\r\n"
    f"Transfer-Encoding: chunked\r\n\r\n{CHUNK}",
    "chunks of something": f"{LOGIN}<host>{JSON}Transfer-Encoding: gzip, chunked\r\n\r\n{CHUNK}",
    "chunks that are not last": f"{LOGIN}<host>{JSON}"
    f"Transfer-Encoding: chunked, identity\r\n\r\n{CHUNK}",
    "an unknown coding": f"{LOGIN}<host>{JSON}Transfer-Encoding: xchunked\r\n\r\n{CHUNK}",
    "a space before the colon": f"{LOGIN}<host>{JSON}Transfer-Encoding : chunked\r\n\r\n{CHUNK}",
    "a folded header": f"{GET}X-Folded: a\r\n b\r\n\r\n",
    "a folded coding": f"{LOGIN}<host>{JSON}Transfer-Encoding:\r\n chunked\r\n\r\n{CHUNK}",
    "bare line feeds": "GET /healthz HTTP/1.1\nHost: localhost\n\n",
    "a bare carriage return": f"{GET}X-Odd: a\rTransfer-Encoding: chunked\r\n\r\n",
    "a zero byte": f"{GET}X-Odd: a\0b\r\n\r\n",
    "a chunk that ends early": f"{LOGIN}<host>{JSON}Transfer-Encoding: chunked\r\n\r\n"
    "2\n{}\r\n0\r\n\r\n",
    "endless headers": GET + "".join(f"X-{n}: {'a' * 1000}\r\n" for n in range(300)) + "\r\n",
    "an endless header": f"{GET}X-Long: {'a' * 400_000}\r\n\r\n",
}


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in UNCLEAR.items()])
def test_a_request_that_can_be_read_in_two_ways_is_refused(server: Server, text: str):
    statuses, answer = sent(server, text)
    assert statuses in ([400], [431]), answer
    assert "validation-error" not in answer  # refused for its form, before anyone looked inside


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("\r\n\r\n", id="empty lines"),
        pytest.param("GET /heal", id="half a line"),
        pytest.param(f"{GET}X-Header: ", id="half a head"),
        pytest.param(f"{LOGIN}<host>{JSON}Content-Length: 9\r\n\r\n", id="no body"),
        pytest.param(f"{LOGIN}<host>{JSON}Content-Length: 9\r\n\r\n{{", id="half a body"),
        pytest.param(f"{LOGIN}<host>{JSON}Transfer-Encoding: chunked\r\n\r\n1\r\n", id="a chunk"),
        pytest.param("GET /healthz HTTP/1.1\r\n<kept>\r\n\r\n", id="an empty line after a request"),
        pytest.param("GET /healthz HTTP/1.1\r\n<kept>\r\nGET /", id="half of the next one"),
    ],
)
def test_half_a_request_does_not_stay_open(hasty: Server, text: str):
    host = hasty.origin.removeprefix("http://")
    # The connection is closed by the server, or reading from it runs out of patience.
    sent(hasty, text.replace("<kept>", f"Host: {host}\r\n"))


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("hasty") / "data"
    with running(data, BAILIWICK_REQUEST_SECONDS="0.3") as made:
        yield made


def test_a_slow_answer_is_no_slow_request(hasty: Server):
    owner = hasty.owner()
    with owner.stream("GET", f"{API}/events/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 2000"
        for text in ("", "GET /heal"):
            sent(hasty, text)  # takes longer than a request may
        made = owner.post(f"{API}/tokens", json={"name": "Later", "scopes": ["read"]})
        assert made.status_code == 201, made.text
        while "token.created" not in next(lines):
            pass


def test_there_is_a_bound_to_connections(tmp_path: Path):
    with running(tmp_path / "data", BAILIWICK_CONNECTIONS="3") as server:
        held = [connect(server) for _ in range(3)]
        assert rest(connect(server)).startswith(b"HTTP/1.1 503 ")
        held.pop().close()
        wait_for(lambda: sent(server, "GET /healthz HTTP/1.1\r\n<host>\r\n")[0] == [200])
        for connection in held:
            connection.close()
