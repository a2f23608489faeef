"""Shows mail in a browser, where it can run nothing and load nothing by itself.

A mail's page has a policy of its own that holds even when it is opened directly: no script, an
opaque origin, and no pictures from elsewhere unless the reader asks for them. The mail's own
pictures are inlined, because a page with an opaque origin may not request them.
"""

from html import escape

from fastapi.responses import HTMLResponse, Response
from sqlalchemy.ext.asyncio import AsyncSession

from bailiwick.errors import Invalid
from bailiwick.kit.blobs import BlobFolder
from bailiwick.kit.http.downloads import download
from bailiwick.mail import extraction, raw
from bailiwick.mail.models import MailMessage
from bailiwick.office import Office

_PASSED_ON = (*extraction.PICTURES, "application/pdf", "text/calendar")
_POLICY = (
    "default-src 'none'; img-src data:{remote}; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)
_PAGE = """<!doctype html>
<html><head><meta charset="utf-8"><meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<style>
body {{ margin: 12px; font: 14px/1.5 system-ui, sans-serif; color: #111; background: #fff;
  overflow-wrap: anywhere }}
img {{ max-width: 100%; height: auto }}
.remote-image {{ display: inline-block; padding: 0 4px; border: 1px dashed #999; color: #666 }}
.text {{ white-space: pre-wrap }}
</style></head><body>{body}</body></html>
"""


async def page(office: Office, message: MailMessage, *, images: bool) -> HTMLResponse:
    """A mail as a page; pictures from elsewhere are loaded only on request."""
    if message.has_html:
        async with office.storage.app.read() as session:
            content = await raw.read(session, office.blobs, message)
        [made] = await office.extractor.read(extraction.PAGE, [content], images=images)
        body = f'<div class="text">{escape(message.text)}</div>' if made is None else made
    else:
        body = f'<div class="text">{escape(message.text)}</div>'
    headers = {
        "Content-Security-Policy": _POLICY.format(remote=" https: http:" if images else ""),
        "X-Frame-Options": "SAMEORIGIN",
        "Cache-Control": "private, no-store",
    }
    return HTMLResponse(_PAGE.format(body=body), headers=headers)


async def attachment(
    session: AsyncSession, blobs: BlobFolder, message: MailMessage, *, number: str, inline: bool
) -> Response:
    """An attachment as a download; a picture may be shown inline."""
    [part] = await raw.attached(session, blobs, message, [number])
    kind = part.type.lower()
    if inline and kind not in extraction.PICTURES:
        raise Invalid.field("inline", "only PNG, JPEG, GIF and WebP pictures are shown in place")
    passed_on = kind if kind in _PASSED_ON else "application/octet-stream"
    return download(part.content, part.name, media_type=passed_on, inline=inline)


async def original(session: AsyncSession, blobs: BlobFolder, message: MailMessage) -> Response:
    """A mail in its original form."""
    content = await raw.read(session, blobs, message)
    name = f"{message.subject[:80].strip() or 'mail'}.eml"
    return download(content, name, media_type="message/rfc822")
