"""Shows an item's content in a browser, where it can run nothing and load nothing by itself."""

from fastapi.responses import HTMLResponse, Response

from bailiwick.artifacts.content import ArtifactContent
from bailiwick.kit.http.downloads import PICTURES, download, to_look_at
from bailiwick.mail.html import clean

_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; sandbox"
)
_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<style>body {{ margin: 12px; font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff;
overflow-wrap: anywhere }} img {{ max-width: 100%; height: auto }}</style>
</head><body>{body}</body></html>
"""
_ENDINGS = {
    "text/markdown": ".md",
    "text/html": ".html",
    "application/json": ".json",
    "text/csv": ".csv",
    "application/pdf": ".pdf",
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
}


def page(content: ArtifactContent, *, to_keep: bool) -> Response:
    """An item's content: a page, a picture or a PDF to look at, or a file to keep."""
    mime = content.mime_type or ("text/plain" if content.encoding == "utf8" else "")
    name = (content.title or "item") + _ENDINGS.get(
        mime, ".txt" if mime.startswith("text/") else ""
    )
    if to_keep:
        return download(content.content, name, media_type="application/octet-stream")
    match mime:
        case "text/html":
            return _html(content)
        case "application/pdf":
            return download(content.content, name, media_type=mime, inline=True)
        case _ if mime in PICTURES:
            return download(content.content, name, media_type=mime, inline=True)
        case _:
            return to_look_at(content.content, name, "")


def _html(content: ArtifactContent) -> HTMLResponse:
    text = content.content.decode(errors="replace")
    body = clean(text, remote_images=False, inline={})
    headers = {
        "Content-Security-Policy": _POLICY,
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "SAMEORIGIN",
        "Cache-Control": "private, no-store",
    }
    return HTMLResponse(_PAGE.format(body=body), headers=headers)
