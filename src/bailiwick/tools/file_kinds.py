"""What a file is by how it begins, whatever its name says."""

_PICTURES = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def seen_kind(content: bytes) -> str | None:
    """The type of a file that a model may be shown as it is; None of any other."""
    if content[:4] == b"RIFF" and content[8:12] == b"WEBP":
        return "image/webp"
    if b"%PDF-" in content[:1024]:
        return "application/pdf"
    return next((kind for magic, kind in _PICTURES.items() if content.startswith(magic)), None)
