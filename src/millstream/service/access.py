"""Who asks, and what they may do."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase

from millstream.service.limits import UNLIMITED, Limits
from millstream.service.refusals import Forbidden, Unauthenticated


class Right(Enum):
    """What an identity may do besides subscribing and reading its own."""

    CREATE = "create"
    """Make streams."""
    OPERATE = "operate"
    """Read and change what belongs to others."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody who asks."""

    name: str
    rights: frozenset[Right] = frozenset()
    streams: tuple[str, ...] = ("*",)
    """Patterns of the names of streams that it may read and subscribe to."""
    limits: Limits = field(default_factory=Limits)

    @property
    def operates(self) -> bool:
        return Right.OPERATE in self.rights

    def may_read(self, stream: str) -> bool:
        """True for a stream that it may read and subscribe to."""
        return any(fnmatchcase(stream, each) for each in self.streams)

    def owns(self, owner: str) -> bool:
        """True for what is its own, or may be treated so."""
        return self.operates or owner == self.name

    def require(self, right: Right, deed: str) -> None:
        """Refuse whoever has not a right."""
        if right not in self.rights and not self.operates:
            raise Forbidden(
                f"'{self.name}' may not {deed}",
                code="right",
                help=f"the right '{right.value}' is given in the tokens file",
            )


LOCAL = Identity("local", frozenset(Right), limits=UNLIMITED)
"""Whoever asks a service that is bound to loopback and has no tokens."""


class Access:
    """The identities of a service, by their tokens; without any, everybody is local."""

    def __init__(self, tokens: Iterable[tuple[str, Identity]] = ()) -> None:
        """Tokens are given by their SHA-256, in hexadecimal."""
        self._by_digest = dict(tokens)

    @property
    def open(self) -> bool:
        """True where no token is asked for."""
        return not self._by_digest

    def identify(self, authorization: str | None) -> Identity:
        """Who asks, by the Authorization header."""
        if self.open:
            return LOCAL
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() != "bearer" or not token.strip():
            raise Unauthenticated(
                "a token is needed", code="token", help="send Authorization: Bearer TOKEN"
            )
        known = self._by_digest.get(digest(token.strip()))
        if known is None:
            raise Unauthenticated("this token is not known", code="token")
        return known


def new_token() -> str:
    """A token that nobody can guess."""
    return secrets.token_urlsafe(32)


def digest(token: str) -> str:
    """What is written down of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
