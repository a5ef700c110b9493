"""A stream that is served elsewhere, asked over HTTP: what it is, and its items page by page."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from millstream.errors import SchemaError, StateError, UnsupportedError

TOKENS = "MILLSTREAM_TOKENS"
"""Names a TOML file of tokens by the beginnings of addresses that they are for."""
LARGEST_ANSWER = 256 << 20
PATIENCE = 30.0
"""Seconds that an answer may take, besides those that it is allowed to wait."""
FATAL = frozenset({400, 401, 403, 404, 410, 422})
"""Asking again would bring the same."""


@dataclass(frozen=True, slots=True)
class Heard:
    """A page of items."""

    items: tuple[str, ...]
    next: str
    finished: bool


class Unheard(StateError):
    """A station does not answer, or not as it should."""

    def __init__(self, message: str, *, fatal: bool, help: str | None = None) -> None:
        super().__init__(message, code="tuning", help=help)
        self.fatal = fatal
        """True when waiting does not help."""


def tells_schema(location: str) -> bool:
    """True for the address of a stream elsewhere, and not of results."""
    return is_served(location) and not Station(location).results


def is_served(location: str) -> bool:
    """True for the address of a stream that is served elsewhere."""
    return location.startswith(("http://", "https://"))


class _NoRedirect(HTTPRedirectHandler):
    """A token is for the address that was named, and for no other that it may point to."""

    def redirect_request(self, *arguments: Any) -> None:
        return None


class Station:
    """One stream elsewhere."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.address = urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))
        self.results = "/subscriptions/" in parts.path
        """True for the results of a subscription, which tell no schema."""
        self.from_now = parse_qs(parts.query).get("from") == ["now"]
        """True to hear only what comes after tuning in."""
        if self.from_now and self.results:
            raise UnsupportedError("results are heard from their beginning", code="tuning")
        if "@" in parts.netloc:
            raise SchemaError(
                "an address holds no password", help=f"name the tokens in a file, by {TOKENS}"
            )

    def described(self) -> dict[str, Any]:
        """What is told of it."""
        return self._asked("", {} if self.results else {"sample": "1"}, PATIENCE)

    def root(self) -> str:
        """The element around its items."""
        page = self.described()
        found = re.match(r"<([^\s/>]+)", str(page.get("opening") or ""))
        layout = page.get("layout")
        told = layout.get("root") if isinstance(layout, dict) else None
        return str(told) if told else (found[1] if found else "results")

    def heard(self, after: str | None, limit: int, wait: float) -> Heard:
        """The items behind a position; waits for some if there are none."""
        query = {"limit": str(limit), "wait": str(wait)} | ({"after": after} if after else {})
        path = "/results" if self.results else "/items"
        page = self._asked(path, query, PATIENCE + wait)
        try:
            items = tuple(str(each["value"]) for each in page["items"])
            return Heard(items, str(page["next"]), bool(page["finished"]))
        except (KeyError, TypeError) as error:
            raise self._strange(f"{error}") from error

    def _asked(self, path: str, query: Mapping[str, str], timeout: float) -> dict[str, Any]:
        headers = {"Accept": "application/json"}
        token = token_for(self.address)
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = Request(f"{self.address}{path}?{urlencode(query)}", headers=headers)
        try:
            with build_opener(_NoRedirect).open(request, timeout=timeout) as answer:
                content = json.loads(answer.read(LARGEST_ANSWER))
        except HTTPError as error:
            raise self._refused(error) from error
        except (URLError, OSError) as error:
            reason = getattr(error, "reason", None) or error
            raise Unheard(f"{self.address} does not answer: {reason}", fatal=False) from error
        except ValueError as error:
            raise self._strange("it sends no JSON") from error
        if not isinstance(content, dict):
            raise self._strange("it sends no JSON object")
        return content

    def _refused(self, error: HTTPError) -> Unheard:
        try:
            problem = json.loads(error.read(1 << 20))
            said = str(problem["detail"])
        except (ValueError, KeyError, TypeError, OSError):
            said = str(error.reason)
        help = f"name a token for it in the file of {TOKENS}" if error.code == 401 else None
        message = f"{self.address} refuses ({error.code}): {said}"
        return Unheard(message, fatal=error.code in FATAL, help=help)

    def _strange(self, reason: str) -> Unheard:
        return Unheard(f"{self.address} is no stream of a Millstream: {reason}", fatal=True)


def token_for(address: str) -> str | None:
    """The token that a file of tokens has for an address."""
    named = os.environ.get(TOKENS)
    if not named:
        return None
    try:
        tokens = tomllib.loads(Path(named).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise StateError(f"the file of {TOKENS} cannot be read: {error}", code="tokens") from None
    fitting = [each for each in tokens if address == each or address.startswith(f"{each}/")]
    return str(tokens[max(fitting, key=len)]) if fitting else None
