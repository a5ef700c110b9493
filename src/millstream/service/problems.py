"""Every failure becomes a problem document, made from the error family."""

from __future__ import annotations

import logging
import math
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from millstream.errors import InternalError, MillstreamError, line_and_column
from millstream.service.refusals import TooMany
from millstream.service.shapes.problem import Place, Problem

MEDIA_TYPE = "application/problem+json"
LOG = logging.getLogger("millstream.service")
_CONFLICTS = frozenset({"name-taken", "known-name", "overload", "stale-plan"})
"""Codes of the family that are no fault of the text, but of what there is already."""
_TITLES = {404: "not found", 405: "method not allowed", 400: "bad request"}

Responses = dict[int | str, dict[str, Any]]


def told(*statuses: int) -> Responses:
    """What a route may answer besides success, for its description."""
    schema = {"$ref": "#/components/schemas/Problem"}
    return {
        status: {"description": _SAID[status], "content": {MEDIA_TYPE: {"schema": schema}}}
        for status in sorted({*statuses, 401, 422, 500})
    }


_SAID = {
    400: "The text of a query is wrong.",
    401: "A token is missing or not known.",
    403: "Whoever asks has not the right.",
    404: "There is nothing of that name.",
    409: "It cannot be done as things are.",
    410: "It is not kept any more.",
    413: "The request is too large.",
    422: "The request, a schema or an item is not as it must be.",
    429: "A limit of whoever asks is reached.",
    500: "A fault of Millstream's.",
    501: "Legal, but Millstream cannot do it.",
    503: "Not ready.",
}


def problem_of(error: MillstreamError, instance: str | None = None) -> Problem:
    """The problem document of an error."""
    return Problem(
        type=f"urn:millstream:problem:{error.code}",
        title=error.kind,
        status=status_of(error),
        detail=error.message,
        code=error.code,
        help=error.help,
        span=_place(error),
        instance=instance,
    )


def status_of(error: MillstreamError) -> int:
    """The HTTP status that an error stands for."""
    return 409 if error.code in _CONFLICTS else error.http_status


def _place(error: MillstreamError) -> Place | None:
    if error.span is None:
        return None
    place = Place(start=error.span.start, end=error.span.end)
    if error.text is not None:
        place.line, place.column = line_and_column(error.text, error.span.start)
    return place


def answer(problem: Problem, headers: dict[str, str] | None = None) -> JSONResponse:
    """A problem document as a response."""
    content = problem.model_dump(exclude_none=True)
    return JSONResponse(content, problem.status, headers, media_type=MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Let an app tell all failures as problems."""
    app.add_exception_handler(MillstreamError, _family)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)


async def _family(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, MillstreamError)
    if isinstance(error, InternalError):
        LOG.error("%s %s: %s", request.method, request.url.path, error)
    return answer(problem_of(error, request.url.path), _headers(error))


def _headers(error: MillstreamError) -> dict[str, str] | None:
    if status_of(error) == 401:
        return {"WWW-Authenticate": "Bearer"}
    if isinstance(error, TooMany) and error.retry_after is not None:
        return {"Retry-After": str(max(1, math.ceil(error.retry_after)))}
    return None


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    faults = "; ".join(_fault(each) for each in error.errors()[:5])
    return answer(_plain(422, "request error", "request", faults, request))


def _fault(fault: Any) -> str:
    place = ".".join(str(each) for each in fault.get("loc", ()))
    return f"{place}: {str(fault.get('msg', 'not valid')).lower()}"


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    title = _TITLES.get(error.status_code, "request error")
    detail = str(error.detail).lower()
    headers = dict(error.headers or {})
    problem = _plain(error.status_code, title, title.replace(" ", "-"), detail, request)
    return answer(problem, headers)


async def _unexpected(request: Request, error: Exception) -> JSONResponse:
    LOG.error("%s %s", request.method, request.url.path, exc_info=error)
    detail = f"something went wrong that nobody foresaw: {type(error).__name__}"
    return answer(_plain(500, InternalError.kind, "internal", detail, request))


def _plain(status: int, title: str, code: str, detail: str, request: Request) -> Problem:
    return Problem(
        type=f"urn:millstream:problem:{code}",
        title=title,
        status=status,
        detail=detail,
        code=code,
        help=None,
        span=None,
        instance=request.url.path,
    )
