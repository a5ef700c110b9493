"""The file of `millstream run`: a space, its streams and its subscriptions, in TOML."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from millstream.cli.stream_request import StreamRequest
from millstream.errors import SchemaError, did_you_mean
from millstream.model.schema import ValueType
from millstream.model.window import EndRule

TABLES = ("space", "stream", "subscription")


@dataclass(frozen=True, slots=True)
class SpaceRequest:
    """Where the mill keeps what it knows, and what it may use."""

    path: Path | None = None
    memory: str = "1g"
    cores: int = 2
    clock: str | None = None
    """What now is for histories: 'system' or 'data'; else it depends on how long a run goes on."""
    functions: Path | None = None
    """Python that registers functions for queries over histories."""
    thesaurus: Path | None = None
    """By what contents of tags mean the same."""


@dataclass(frozen=True, slots=True)
class SubscriptionRequest:
    """A subscription as a file describes it."""

    text: str
    name: str
    end: str | None = None
    empty: bool = False
    start: str = "now"
    sinks: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class RunFile:
    """Everything that one file asks for."""

    space: SpaceRequest
    streams: tuple[StreamRequest, ...]
    subscriptions: tuple[SubscriptionRequest, ...]


def is_scenario(path: Path) -> bool:
    """True for a file that describes a network: XML, or TOML with a table for it."""
    try:
        text = path.read_text(encoding="utf-8")
        return text.lstrip("\ufeff \t\r\n").startswith("<") or "network" in tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        return False  # whoever reads it says what is wrong


def read_run_file(path: Path) -> RunFile:
    """The requests of a file; its paths are relative to its folder."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SchemaError(f"cannot read '{path}': {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SchemaError(f"'{path}' is not TOML: {error}") from None
    return run_file(content, path.parent)


def run_file(content: Mapping[str, Any], folder: Path) -> RunFile:
    """The requests of parsed TOML."""
    _only_known(content, TABLES, "the file")
    streams = tuple(_stream(each, folder) for each in _tables(content, "stream"))
    subscriptions = tuple(_subscription(each, folder) for each in _tables(content, "subscription"))
    if not streams:
        raise SchemaError("the file has no [[stream]]")
    _distinct([each.name for each in streams], "stream")
    _distinct([each.name for each in subscriptions], "subscription")
    return RunFile(_space(content.get("space", {}), folder), streams, subscriptions)


def _space(table: Mapping[str, Any], folder: Path) -> SpaceRequest:
    known = {"path": str, "memory": str, "cores": int, "clock": str}
    files = ("functions", "thesaurus")
    _checked(table, {**known, **dict.fromkeys(files, str)}, "[space]")
    if "clock" in table:
        _one_of(table["clock"], ["system", "data"], "the clock of [space]")
    path = table.get("path")
    named = {each: table.get(each) for each in files}
    placed = {
        "path": folder / path if path else None,
        **{each: folder / name if name else None for each, name in named.items()},
    }
    return SpaceRequest(**{**table, **placed})


STREAM_FIELDS: Mapping[str, type | tuple[type, ...]] = {
    "name": str,
    "source": str,
    "schema": str,
    "format": str,
    "item": str,
    "order_by": str,
    "key": str,
    "anchor": (int, float, str),
    "lateness": int,
    "retention": str,
    "delimiter": str,
    "finite": bool,
    "max_bytes_per_batch": int,
    "max_items_per_batch": int,
    "types": dict,
}
assert set(STREAM_FIELDS) == {each.name for each in fields(StreamRequest)}


def _stream(table: Mapping[str, Any], folder: Path) -> StreamRequest:
    where = f"stream '{table.get('name', '?')}'"
    _checked(table, STREAM_FIELDS, where, required=("name", "source"))
    for path, type_name in table.get("types", {}).items():
        _one_of(type_name, [each.value for each in ValueType], f"the type of {path} in {where}")
    placed: dict[str, Any] = {"source": _placed(table["source"], folder)}
    if _names_file(table.get("schema")):
        placed["schema"] = _placed(table["schema"], folder)
    return StreamRequest(**{**table, **placed})


def _subscription(table: Mapping[str, Any], folder: Path) -> SubscriptionRequest:
    where = f"subscription '{table.get('name', '?')}'"
    known = {"name": str, "text": str, "file": str, "end": str, "empty": bool, "start": str}
    _checked(table, {**known, "sink": list}, where, required=("name",))
    if ("text" in table) == ("file" in table):
        raise SchemaError(f"{where} needs either text or file")
    if "end" in table:
        _one_of(table["end"], [each.value for each in EndRule], f"the end of {where}")
    chosen = {key: table[key] for key in ("name", "end", "empty", "start") if key in table}
    text = table["text"] if "text" in table else _read(folder / table["file"], where)
    sinks = tuple(_sink(each, folder, where) for each in table.get("sink", ()))
    return SubscriptionRequest(text, sinks=sinks, **chosen)


def _sink(table: Mapping[str, Any], folder: Path, where: str) -> dict[str, Any]:
    _checked(table, {"format": str, "path": str}, f"a sink of {where}", required=("format",))
    return {**table, "path": _placed(table["path"], folder)} if "path" in table else dict(table)


def _read(path: Path, where: str) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise SchemaError(f"cannot read '{path}' of {where}: {error.strerror}") from None


def _placed(path: str, folder: Path) -> str:
    return path if "://" in path else str(folder / path)


def _names_file(schema: str | None) -> bool:
    return schema is not None and not any(mark in schema for mark in "<{\n")


def _tables(content: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    tables = content.get(name, [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise SchemaError(f"[{name}] must be written [[{name}]]")
    return tables


def _checked(
    table: Any,
    known: Mapping[str, type | tuple[type, ...]],
    where: str,
    required: tuple[str, ...] = (),
) -> None:
    if not isinstance(table, dict):
        raise SchemaError(f"{where} must be a table")
    _only_known(table, known, where)
    for key in required:
        if not table.get(key):
            raise SchemaError(f"{where} has no {key}")
    for key, value in table.items():
        if not isinstance(value, known[key]) or _stray_truth(value, known[key]):
            raise SchemaError(f"{key} of {where} has the wrong kind of value: {value!r}")


def _stray_truth(value: object, kind: type | tuple[type, ...]) -> bool:
    # A bool is an int to Python; to the writer of a file it is not.
    return isinstance(value, bool) and kind is not bool


def _only_known(
    table: Mapping[str, Any], known: Mapping[str, Any] | tuple[str, ...], where: str
) -> None:
    for key in table:
        if key not in known:
            raise SchemaError(f"{where} has an unknown key '{key}'", help=did_you_mean(key, known))


def _one_of(value: object, known: list[str], where: str) -> None:
    if value not in known:
        raise SchemaError(f"{where} cannot be {value!r}", help=f"known: {', '.join(known)}")


def _distinct(names: list[str], kind: str) -> None:
    for name in names:
        if names.count(name) > 1:
            raise SchemaError(f"two {kind}s are named '{name}'")
