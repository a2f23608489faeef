"""Signature Version 4, which every S3-compatible store knows requests by."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlsplit

from pydantic import SecretStr

_ALGORITHM = "AWS4-HMAC-SHA256"
EMPTY = hashlib.sha256(b"").hexdigest()


@dataclass(frozen=True, slots=True)
class S3Key:
    """Who asks, and where."""

    id: str
    secret: SecretStr
    region: str


def signed(
    key: S3Key,
    method: str,
    url: str,
    headers: Mapping[str, str],
    *,
    at: datetime,
    digest: str = EMPTY,
) -> dict[str, str]:
    """The headers of a request with the proof that the key's owner sends it."""
    parts = urlsplit(url)
    moment = at.strftime("%Y%m%dT%H%M%SZ")
    told = {name.lower(): " ".join(value.split()) for name, value in headers.items()}
    told |= {"host": parts.netloc, "x-amz-date": moment, "x-amz-content-sha256": digest}
    names = ";".join(sorted(told))
    lines = "".join(f"{name}:{told[name]}\n" for name in sorted(told))
    path = quote(parts.path, safe="/-_.~")
    asked = "\n".join((method, path, parts.query, lines, names, digest))
    scope = f"{moment[:8]}/{key.region}/s3/aws4_request"
    stated = "\n".join((_ALGORITHM, moment, scope, hashlib.sha256(asked.encode()).hexdigest()))
    proof = hmac.new(_signing_key(key, moment[:8]), stated.encode(), hashlib.sha256).hexdigest()
    said = f"{_ALGORITHM} Credential={key.id}/{scope}, SignedHeaders={names}, Signature={proof}"
    return {**told, "authorization": said}


def _signing_key(key: S3Key, day: str) -> bytes:
    made = b"AWS4" + key.secret.get_secret_value().encode()
    for part in (day, key.region, "s3", "aws4_request"):
        made = hmac.new(made, part.encode(), hashlib.sha256).digest()
    return made
