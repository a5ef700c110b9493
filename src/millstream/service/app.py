"""The app: all routes over one service."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from millstream import __version__
from millstream.service import pages, problems
from millstream.service.context import Service
from millstream.service.gate import Gate
from millstream.service.routers import (
    network,
    operation,
    quarantine,
    questions,
    results,
    streams,
    subscriptions,
    tags,
)
from millstream.service.shapes.problem import Problem

ROUTERS = (
    streams.router,
    quarantine.router,
    tags.router,
    subscriptions.router,
    subscriptions.savings_router,
    results.router,
    questions.router,
    network.router,
    operation.router,
)
_BEARER = {"token": {"type": "http", "scheme": "bearer"}}
_OPEN = ("/health",)
"""Where nobody is asked for a token."""


def make_app(service: Service, *, turning: bool = True) -> FastAPI:
    """An app over a service; turning, its mill runs while the app does."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        running = service.running
        if turning:
            running.start(asyncio.get_running_loop())
        learning = asyncio.create_task(running.learn())
        try:
            yield
        finally:
            learning.cancel()
            running.tails.close()
            await asyncio.to_thread(running.stop)

    app = FastAPI(
        title="Millstream",
        version=__version__,
        description="Many continuous queries on the same streams, the common work done once.",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.service = service
    problems.install(app)
    for router in ROUTERS:
        app.include_router(router)
    pages.install(app)
    app.add_middleware(Gate, local_only=service.access.open)
    app.openapi = lambda: _described(app)  # type: ignore[method-assign]
    return app


def _described(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI description, with problems and tokens as they are."""
    if app.openapi_schema is None:
        found = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        parts = found.setdefault("components", {})
        schemas = parts.setdefault("schemas", {})
        described = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
        schemas.update(described.pop("$defs", {}))
        schemas["Problem"] = described
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        parts["securitySchemes"] = _BEARER
        for path, operations in found["paths"].items():
            if path not in _OPEN:
                for each in operations.values():
                    each["security"] = [{"token": []}, {}]
        app.openapi_schema = found
    return app.openapi_schema
