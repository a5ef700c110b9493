"""The dashboard on the wire: one page, and the files that it asks for."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.responses import FileResponse
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from millstream.dashboard import STATIC

HEADERS = {
    # Nothing is loaded from elsewhere, nobody puts the page into a frame of theirs.
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    # Asked for again each time, and sent again only if it has changed.
    "Cache-Control": "no-cache",
}


class DashboardFiles(StaticFiles):
    """The files of the dashboard."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        found = super().file_response(*args, **kwargs)
        found.headers.update(HEADERS)
        return found


def install(app: FastAPI) -> None:
    """Let an app show the dashboard at its root; nobody is asked for a token to see it."""

    @app.get("/", include_in_schema=False)
    def show() -> FileResponse:
        return FileResponse(STATIC / "index.html", headers=HEADERS)

    app.mount("/dashboard", DashboardFiles(directory=STATIC))
