"""What no request gets past: bodies that are too large, and pages of other sites."""

from __future__ import annotations

import contextlib
from urllib.parse import urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from millstream.errors import MillstreamError
from millstream.service.problems import answer, problem_of
from millstream.service.refusals import Forbidden, TooLarge

LARGEST_BODY = 2 << 20
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """True for an address that only this machine reaches."""
    return host in _LOOPBACK or host.startswith("127.")


class Gate:
    """Stands before the app. Without tokens, only pages of this machine may ask."""

    def __init__(self, app: ASGIApp, *, local_only: bool, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._local_only = local_only
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._refusal(headers)
        if refusal is not None:
            await answer(problem_of(refusal, scope["path"]))(scope, receive, send)
            return
        await self._measured(scope, receive, send)

    def _refusal(self, headers: dict[bytes, str]) -> MillstreamError | None:
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > self._largest:
            return self._too_large()
        if not self._local_only:
            return None
        # A page of another site can send requests to this machine, and a name of another site can
        # be made to lead here: neither may use a service that asks for no token.
        for name, default in ((b"host", "localhost"), (b"origin", "http://localhost")):
            value = headers.get(name, default)
            host = _host(value if "://" in value else f"http://{value}")
            if host is None or not is_loopback(host):
                said = "this service is for this machine only"
                return Forbidden(said, code="origin", help="serve it with --tokens")
        return None

    def _too_large(self) -> TooLarge:
        return TooLarge(f"a request may have {self._largest:,} bytes", code="request-size")

    async def _measured(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the app have the body, as long as it is not too large."""
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._largest:
                raise self._too_large()
            return message

        async def watched(message: Message) -> None:
            # Whatever the app makes of a body that broke off, the reason is told below.
            if seen <= self._largest:
                await send(message)

        with contextlib.suppress(TooLarge):
            await self._app(scope, counted, watched)
        if seen > self._largest:
            await answer(problem_of(self._too_large(), scope["path"]))(scope, receive, send)


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
