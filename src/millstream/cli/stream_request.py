"""What a caller asks of a stream: read from options or from a run file, given to the mill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from decimal import Decimal, InvalidOperation
from glob import glob
from typing import TYPE_CHECKING, Any

import typer

from millstream.errors import did_you_mean
from millstream.model.schema import ValueType
from millstream.model.window import EndRule

if TYPE_CHECKING:
    from millstream.mill import Mill, Stream

TYPE_PREFIX = "type."
SUBSCRIPTION_OPTIONS = ("empty", "end")


@dataclass(frozen=True, slots=True)
class StreamRequest:
    """A stream as a caller describes it; None leaves the choice to Millstream."""

    name: str
    source: str
    schema: str | None = None
    format: str | None = None
    item: str | None = None
    order_by: str | None = None
    key: str | None = None
    anchor: int | Decimal | str | None = None
    lateness: int | None = None
    retention: str | None = None
    finite: bool | None = None
    max_bytes_per_batch: int | None = None
    max_items_per_batch: int | None = None
    delimiter: str | None = None
    types: Mapping[str, str] = field(default_factory=dict)

    def create(self, mill: Mill) -> Stream:
        """The stream, made in a mill."""
        chosen = {each.name: getattr(self, each.name) for each in fields(self)}
        name, source = chosen.pop("name"), chosen.pop("source")
        return mill.create_stream(
            name,
            source,
            **{option: value for option, value in chosen.items() if value not in (None, {})},
        )


@dataclass(frozen=True, slots=True)
class SubscriptionChoices:
    """What SEMANTICS leaves to the subscriber."""

    end: str | None = None
    empty: bool = False


def pairs(option: str, values: list[str] | None) -> dict[str, str]:
    """NAME=VALUE options as a mapping."""
    found: dict[str, str] = {}
    for value in values or ():
        name, equals, rest = value.partition("=")
        if not (equals and name and rest):
            raise typer.BadParameter(f"'{value}' is not NAME=VALUE", param_hint=option)
        if name in found:
            raise typer.BadParameter(f"'{name}' is given twice", param_hint=option)
        found[name] = rest
    return found


def stream_requests(
    streams: list[str],
    settings: list[str] | None = None,
    **texts: list[str] | None,
) -> tuple[StreamRequest, ...]:
    """The finite streams that options describe; `texts` are options by the field they fill."""
    sources = pairs("--stream", streams)
    described: dict[str, dict[str, Any]] = {name: {"finite": True} for name in sources}
    for option, values in texts.items():
        flag = "--order" if option == "order_by" else f"--{option}"
        for name, value in pairs(flag, values).items():
            _known(name, sources, flag)
            described[name][option] = value
    for name, option, value in _settings(settings):
        _known(name, sources, "--set")
        _apply(described[name], option, value)
    return tuple(StreamRequest(name, sources[name], **described[name]) for name in sources)


def check_sources(requests: tuple[StreamRequest, ...]) -> None:
    """Refuse streams whose files are not there; a stream that is read once can not wait."""
    for request in requests:
        if "://" not in request.source and not glob(request.source, recursive=True):
            raise typer.BadParameter(
                f"there is nothing at '{request.source}' for stream '{request.name}'",
                param_hint="--stream",
            )


def subscription_choices(settings: list[str] | None) -> SubscriptionChoices:
    """The choices for the subscription among the settings of its streams."""
    chosen: dict[str, Any] = {}
    for _, option, value in _settings(settings):
        if option not in SUBSCRIPTION_OPTIONS:
            continue
        parsed = end_rule(value) if option == "end" else truth(option, value)
        if chosen.setdefault(option, parsed) != parsed:
            raise typer.BadParameter(f"two different values for '{option}'", param_hint="--set")
    return SubscriptionChoices(**chosen)


def _settings(settings: list[str] | None) -> list[tuple[str, str, str]]:
    found = []
    for target, value in pairs("--set", settings).items():
        name, dot, option = target.partition(".")
        if not (dot and name and option):
            raise typer.BadParameter(
                f"'{target}={value}' is not NAME.OPTION=VALUE", param_hint="--set"
            )
        found.append((name, option, value))
    return found


def _apply(described: dict[str, Any], option: str, value: str) -> None:
    if option in SUBSCRIPTION_OPTIONS:
        return
    if option.startswith(TYPE_PREFIX):
        described.setdefault("types", {})[option.removeprefix(TYPE_PREFIX)] = value_type(value)
        return
    reader = STREAM_OPTIONS.get(option)
    if reader is None:
        known = (*STREAM_OPTIONS, *SUBSCRIPTION_OPTIONS, "type.PATH")
        raise typer.BadParameter(
            f"unknown option '{option}'; {did_you_mean(option, known)}", param_hint="--set"
        )
    described[option] = reader(option, value)


def _known(name: str, sources: Mapping[str, str], flag: str) -> None:
    if name not in sources:
        raise typer.BadParameter(
            f"no --stream is named '{name}'; {did_you_mean(name, sources)}", param_hint=flag
        )


def value_type(value: str) -> str:
    """The name of a type of path."""
    return _one_of("type", value, [each.value for each in ValueType])


def end_rule(value: str) -> str:
    """The name of a rule for the end of a finite stream."""
    return _one_of("end", value, [each.value for each in EndRule])


def truth(option: str, value: str) -> bool:
    """A true or false written as a word."""
    return _one_of(option, value, ["true", "false"]) == "true"


def _number(option: str, value: str) -> int | Decimal:
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise typer.BadParameter(f"'{value}' is not a number for '{option}'") from None
    return int(number) if number == number.to_integral_value() else number


def _anchor(option: str, value: str) -> int | Decimal | str:
    return value if value == "first" else _number(option, value)


def _whole(option: str, value: str) -> int:
    if not value.isdecimal():
        raise typer.BadParameter(f"'{value}' is not a whole number for '{option}'")
    return int(value)


def _positive(option: str, value: str) -> int:
    if not value.isdecimal() or int(value) == 0:
        raise typer.BadParameter(f"'{value}' is not a whole number above 0 for '{option}'")
    return int(value)


def _text(_option: str, value: str) -> str:
    return value


def _one_of(option: str, value: str, known: list[str]) -> str:
    if value not in known:
        raise typer.BadParameter(f"'{value}' is no value for '{option}'; known: {', '.join(known)}")
    return value


STREAM_OPTIONS = {
    "anchor": _anchor,
    "lateness": _whole,
    "retention": _text,
    "format": _text,
    "delimiter": _text,
    "max_bytes_per_batch": _positive,
    "max_items_per_batch": _positive,
}
