"""A store that speaks as much of S3 as the office asks, and believes no request that is not signed.

The signature is reckoned here from what arrived on the wire, apart from the product's own code.
"""

import hashlib
import hmac
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY_ID, SECRET, REGION = "AKIDTEST", "a secret/of+the=bucket", "eu-central-1"
_SAID = re.compile(
    r"AWS4-HMAC-SHA256 Credential=(\w+)/(\d{8})/([\w-]+)/s3/aws4_request, "
    r"SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})"
)


@dataclass
class Bucket:
    """What the store holds, and what was asked of it."""

    url: str = ""
    objects: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


@contextmanager
def serving_bucket() -> Iterator[Bucket]:
    """A bucket on this machine."""
    bucket = Bucket()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), type("OfBucket", (BucketHandler,), {"bucket": bucket})
    )
    bucket.url = f"http://127.0.0.1:{server.server_port}/bucket/office"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield bucket
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class BucketHandler(BaseHTTPRequestHandler):
    bucket: Bucket
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        pass

    def _answer(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.bucket.asked.append(self.command)
        if wrong := self._wrong(body):
            self.bucket.refused.append(wrong)
            self._answer(403)
            return
        held = self.bucket.objects.get(self.path)
        if self.command == "PUT":
            self.bucket.objects[self.path] = body
            self._answer(200)
        elif self.command == "DELETE":
            self.bucket.objects.pop(self.path, None)
            self._answer(204)
        elif held is None:
            self._answer(404)
        elif found := re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", "")):
            self._answer(206, held[int(found[1]) : int(found[2]) + 1])
        else:
            self._answer(200, held, Last_Modified=formatdate(usegmt=True))

    def _wrong(self, body: bytes) -> str | None:
        found = _SAID.fullmatch(self.headers.get("Authorization", ""))
        if found is None or found[1] != KEY_ID or found[3] != REGION:
            return "no proof"
        digest = self.headers["x-amz-content-sha256"]
        if digest != hashlib.sha256(body).hexdigest():
            return "another body"
        names = found[4].split(";")
        lines = "".join(f"{name}:{self.headers[name].strip()}\n" for name in names)
        asked = f"{self.command}\n{self.path}\n\n{lines}\n{found[4]}\n{digest}"
        moment, scope = self.headers["x-amz-date"], f"{found[2]}/{REGION}/s3/aws4_request"
        whole = hashlib.sha256(asked.encode()).hexdigest()
        key = f"AWS4{SECRET}".encode()
        for part in scope.split("/"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        stated = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{whole}"
        made = hmac.new(key, stated.encode(), hashlib.sha256).hexdigest()
        return None if made == found[5] and "host" in names else "another signature"

    do_GET = do_HEAD = do_PUT = do_DELETE = _serve  # noqa: N815
