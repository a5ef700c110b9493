"""The tokens file: who may use a service, in TOML. It holds no token, only what proves one.

[[identity]]
name = "ada"
sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
rights = ["create"]              # and "operate"
streams = ["photons", "credit*"] # all, unless told otherwise
subscriptions = 20               # limits, as many as are to differ
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from millstream.errors import SchemaError, did_you_mean
from millstream.service.access import Access, Identity, Right
from millstream.service.limits import Limits

_LIMITS = tuple(each.name for each in fields(Limits))
_KEYS = ("name", "sha256", "rights", "streams", *_LIMITS)
_DIGEST = re.compile(r"[0-9a-f]{64}")


def read_tokens(path: Path) -> Access:
    """The identities that a file names."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SchemaError(f"cannot read '{path}': {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SchemaError(f"'{path}' is not TOML: {error}") from None
    tables = content.get("identity")
    if set(content) != {"identity"} or not isinstance(tables, list):
        raise SchemaError(f"'{path}' must hold [[identity]] tables, and nothing else")
    found = [_identity(each) for each in tables]
    _distinct([each.name for _, each in found], "identities are named")
    _distinct([each for each, _ in found], "identities have the token")
    return Access(found)


def entry(name: str, sha256: str, rights: tuple[str, ...] = ()) -> str:
    """The table of a new identity, to be added to a tokens file."""
    lines = ["[[identity]]", f'name = "{name}"', f'sha256 = "{sha256}"']
    if rights:
        lines.append(f"rights = [{', '.join(f'{chr(34)}{each}{chr(34)}' for each in rights)}]")
    return "\n".join(lines) + "\n"


def valid_name(name: object) -> str:
    """A name that an identity may have."""
    if not isinstance(name, str) or not re.fullmatch(r"[\w.@-]{1,100}", name):
        raise SchemaError(
            f"{name!r} is no name for an identity", help="letters, digits, - _ . and @"
        )
    return name


def _identity(table: Any) -> tuple[str, Identity]:
    if not isinstance(table, dict):
        raise SchemaError("[identity] must be written [[identity]]")
    for key in table:
        if key not in _KEYS:
            raise SchemaError(
                f"an identity has an unknown key '{key}'", help=did_you_mean(key, _KEYS)
            )
    name = valid_name(table.get("name"))
    sha256 = table.get("sha256")
    if not isinstance(sha256, str) or not _DIGEST.fullmatch(sha256):
        raise SchemaError(
            f"identity '{name}' has no sha256 of a token",
            help="millstream token NAME makes a token and its entry",
        )
    rights = frozenset(_right(each, name) for each in _texts(table, "rights", name))
    streams = tuple(_texts(table, "streams", name)) if "streams" in table else ("*",)
    return sha256, Identity(name, rights, streams, _limits(table, name))


def _right(text: str, name: str) -> Right:
    known = [each.value for each in Right]
    if text not in known:
        raise SchemaError(f"'{text}' of identity '{name}' is no right", help=f"known: {known}")
    return Right(text)


def _limits(table: Mapping[str, Any], name: str) -> Limits:
    chosen = {key: table[key] for key in _LIMITS if key in table}
    for key, value in chosen.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise SchemaError(f"{key} of identity '{name}' must be a number of at least 0")
    return Limits(**chosen)


def _texts(table: Mapping[str, Any], key: str, name: str) -> list[str]:
    found = table.get(key, [])
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise SchemaError(f"{key} of identity '{name}' must be a list of texts")
    return found


def _distinct(values: list[str], what: str) -> None:
    for value in values:
        if values.count(value) > 1:
            raise SchemaError(f"two {what} '{value}'")
