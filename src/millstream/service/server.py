"""Serving an app until somebody ends it."""

from __future__ import annotations

import signal
import socket
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import uvicorn

from millstream.errors import StateError
from millstream.service.app import make_app
from millstream.service.context import Service
from millstream.service.gate import is_loopback
from millstream.service.refusals import Forbidden

LEAVE = 5
"""Seconds that open requests have when the service ends."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a service listens."""

    host: str = "127.0.0.1"
    port: int = 8090
    certificate: Path | None = None
    key: Path | None = None

    @property
    def scheme(self) -> str:
        return "https" if self.certificate else "http"


class _Server(uvicorn.Server):
    """A server that lets those go who listen, when it ends: they would never go by themselves."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self._service = service

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        # The server's own way would end the process by the same signal, before the mill is closed.
        self._service.running.close_tails()
        self.force_exit = self.should_exit and sig == signal.SIGINT
        self.should_exit = True


def check_place(service: Service, place: Place) -> None:
    """Refuse to be open to others without tokens."""
    if service.access.open and not is_loopback(place.host):
        raise Forbidden(
            f"'{place.host}' can be reached from outside: say who may come in",
            code="tokens",
            help="serve with --tokens FILE; millstream token NAME makes an entry of it",
        )


def listening(place: Place) -> socket.socket:
    """The socket of a place; bound before anything else is begun."""
    try:
        infos = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = infos[0]
        found = socket.socket(family, kind, protocol)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind(address)
    except OSError as error:
        raise StateError(
            f"cannot listen at {place.host} port {place.port}: {error.strerror}",
            code="port",
            help="choose another with --port",
        ) from error
    return found


def serve(service: Service, place: Place, listener: socket.socket) -> None:
    """Serve until a signal ends it."""
    config = uvicorn.Config(
        make_app(service),
        log_level="warning",
        access_log=False,
        ssl_certfile=None if place.certificate is None else str(place.certificate),
        ssl_keyfile=None if place.key is None else str(place.key),
        timeout_graceful_shutdown=LEAVE,
        backlog=1024,
        server_header=False,
    )
    _Server(config, service).run(sockets=[listener])
