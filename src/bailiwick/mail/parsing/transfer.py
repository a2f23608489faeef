"""Transfer encodings; damaged input is decoded as far as possible."""

import binascii

_BASE64 = bytes(
    byte
    for byte in range(256)
    if byte not in b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
)
_UU = ("x-uuencode", "uuencode", "uue", "x-uue")


def decoded(data: bytes, encoding: str) -> bytes:
    """The decoded bytes."""
    match encoding:
        case "base64":
            return _base64(data)
        case "quoted-printable":
            return binascii.a2b_qp(data)
        case encoding if encoding in _UU:
            return _uu(data)
        case _:
            return data


def size_of(raw: bytes, span: tuple[int, int], *, encoding: str) -> int:
    """The decoded size, without decoding where that would take long."""
    start, end = span
    if encoding == "base64":
        spaces = raw.count(b"\n", start, end) + raw.count(b"\r", start, end)
        padding = raw.count(b"=", max(start, end - 4), end)
        return max(0, (end - start - spaces) * 3 // 4 - padding)
    if encoding in ("quoted-printable", *_UU):
        return len(decoded(raw[start:end], encoding))
    return end - start


def _base64(data: bytes) -> bytes:
    try:
        return binascii.a2b_base64(data)
    except binascii.Error:
        # Cut off, or with characters that are not base64.
        kept = data.translate(None, _BASE64)
        kept = kept[: len(kept) - 1] if len(kept) % 4 == 1 else kept
        return binascii.a2b_base64(kept + b"=" * (-len(kept) % 4))


def _uu(data: bytes) -> bytes:
    found: list[bytes] = []
    inside = False
    for line in data.splitlines():
        if not inside:
            inside = line.startswith(b"begin ")
        elif line in (b"end", b"`", b""):
            break
        else:
            found.append(_uu_line(line))
    return b"".join(found)


def _uu_line(line: bytes) -> bytes:
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        # Some encoders pad too much: the first character gives the number of bytes.
        length = (((line[0] - 32) & 63) * 4 + 5) // 3
        try:
            return binascii.a2b_uu(line[:length])
        except binascii.Error:
            return b""
