"""Serves the built web app: files by name, and its one page for every other path."""

from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

_NOT_BUILT = (
    "<!doctype html><title>Bailiwick</title>"
    "<p>The server runs, but the web app is not built. Run <code>make ui</code>.</p>"
)
_APIS = ("api", "oauth", "mcp")


class SinglePageApp(StaticFiles):
    """Static files with a fall-back to index.html."""

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder, check_dir=False)
        self._index = folder / "index.html"

    async def check_config(self) -> None:
        """Accept a missing folder; the page explains it."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, the page, or a problem for an unknown API path."""
        if scope["path"].split("/")[1] in _APIS:
            raise HTTPException(404, "There is nothing at this address.")
        try:
            response = await super().get_response(path, scope)
        except HTTPException as error:
            if error.status_code != 404:
                raise
            return self._page()
        if path.startswith("assets/"):
            # The build puts a digest into these names, so the content under one never changes.
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        return self._page() if path in (".", "") else response

    def _page(self) -> Response:
        if not self._index.exists():
            return HTMLResponse(_NOT_BUILT, 503)
        return FileResponse(self._index, headers={"Cache-Control": "no-cache"})
