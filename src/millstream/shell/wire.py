"""Requests to a service, and its problem documents as errors of the family."""

from __future__ import annotations

import json
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from millstream.errors import (
    InternalError,
    ItemError,
    MillstreamError,
    QueryError,
    SchemaError,
    Span,
    StateError,
    UnsupportedError,
)
from millstream.runtime.tuning.station import token_for

PATIENCE = 60.0
"""Seconds that an answer may take, besides those that it is allowed to wait."""
_FAMILY = (QueryError, SchemaError, UnsupportedError, ItemError, StateError, InternalError)
_BY_TITLE = {each.kind: each for each in _FAMILY}


class Wire:
    """One service, by its address."""

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address.rstrip("/")
        self._token = token or token_for(self.address)

    def get(self, path: str, wait: float = 0.0) -> Any:
        return self._asked("GET", path, None, None, PATIENCE + wait)

    def post(self, path: str, content: object, text: str | None = None) -> Any:
        """Send something; `text` is the query that an error may point into."""
        return self._asked("POST", path, content, text, PATIENCE)

    def delete(self, path: str) -> None:
        self._asked("DELETE", path, None, None, PATIENCE)

    def _asked(
        self, method: str, path: str, content: object, text: str | None, timeout: float
    ) -> Any:
        headers = {"Accept": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        body = None
        if content is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(content).encode()
        request = Request(f"{self.address}{path}", body, headers, method=method)
        try:
            with urlopen(request, timeout=timeout) as answer:
                said = answer.read()
                return json.loads(said) if said else None
        except HTTPError as error:
            raise problem(error.code, error.read(1 << 20), text) from None
        except (URLError, OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            raise StateError(f"{self.address} does not answer: {reason}", code="service") from None
        except ValueError:
            raise StateError(f"{self.address} is no Millstream", code="service") from None


def problem(status: int, said: bytes, text: str | None) -> MillstreamError:
    """The error that a problem document tells of."""
    try:
        told = json.loads(said)
        kind = _BY_TITLE.get(told["title"], StateError)
        place = told.get("span")
        span = None if place is None else Span(place["start"], place["end"])
        message, code, help = str(told["detail"]), str(told["code"]), told.get("help")
    except (ValueError, KeyError, TypeError):
        return StateError(f"the service refuses ({status})", code="service")
    if status == 401 and help is None:
        help = "give a token with --token, or in the file of MILLSTREAM_TOKENS"
    return kind(message, code=code, span=span, text=text, help=help)
