"""Tags and tuples as texts with names: what both wire formats carry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from millstream.errors import ItemError, did_you_mean
from millstream.model.tags.applicability import EVERYTHING, parse_applicability
from millstream.model.tags.elements import StreamTuple
from millstream.model.tags.event_time import format_time, parse_time
from millstream.model.tags.mode import Mode, parse_mode
from millstream.model.tags.sign import Sign, parse_sign
from millstream.model.tags.stream_shape import StreamShape, check_tag
from millstream.model.tags.tag_type import default_classifier, parse_type
from millstream.model.tags.tick_tag import INSTANT, TickTag, format_lifespan, parse_lifespan
from millstream.model.tags.wire.reading import Unstamped, WireOptions

Result = TypeVar("Result")

TAG_FIELDS = ("tagger", "applicability", "type", "sign", "lifespan", "mode", "time")
"""The fields of a tag besides its content."""

TUPLE_FIELDS = ("id", "time")


def read_tag(fields: Mapping[str, str], content: str, options: WireOptions) -> TickTag | Unstamped:
    """The tag with some fields, or ItemError; only a tagger is needed, or one in the options."""
    check_names(fields, TAG_FIELDS, "tag")
    tagger = fields.get("tagger", options.tagger)
    if tagger is None:
        raise ItemError("the tag has no tagger", code="no-tagger")
    classify = options.classify or default_classifier()
    type = _field(fields, "type", parse_type)
    time = _field(fields, "time", lambda text: parse_time(text, options.shape.time))
    tag = TickTag(
        tagger,
        _field(fields, "applicability", parse_applicability) or EVERYTHING,
        content,
        type or classify(content),
        _field(fields, "sign", parse_sign) or Sign.NEUTRAL,
        _field(fields, "lifespan", parse_lifespan),
        _field(fields, "mode", parse_mode) or Mode.COMBINE,
        time or 0,
    )
    check_tag(tag, options.shape)
    return tag if time is not None else Unstamped(tag)


def write_tag(tag: TickTag, shape: StreamShape) -> dict[str, str]:
    """The fields of a tag besides its content; what is usual is left out."""
    fields = {
        "tagger": tag.tagger,
        "applicability": str(tag.applicability),
        "type": tag.type.value,
        "sign": tag.sign.value,
        "lifespan": "" if tag.lifespan is INSTANT else format_lifespan(tag.lifespan),
        "mode": "" if tag.mode is Mode.COMBINE else tag.mode.value,
        "time": format_time(tag.timestamp, shape.time),
    }
    return {name: text for name, text in fields.items() if text}


def read_tuple(
    fields: Mapping[str, str], texts: Mapping[str, str], options: WireOptions
) -> StreamTuple:
    """The tuple with an id, a time and the texts of attributes, or ItemError."""
    shape = options.shape
    check_names(fields, TUPLE_FIELDS, "tuple")
    for name in TUPLE_FIELDS:
        if name not in fields:
            raise ItemError(f"the tuple has no {name}", code=f"no-{name}")
    time = _field(fields, "time", lambda text: parse_time(text, shape.time)) or 0
    check_names(texts, shape.names, f"tuple of '{shape.name}'")
    for attribute in shape.attributes:
        try:
            attribute.value(texts.get(attribute.name))
        except ValueError as error:
            raise ItemError(f"{attribute.name}: {error}", code="bad-value") from None
    return StreamTuple(fields["id"], time, tuple(map(texts.get, shape.names)))


def check_names(given: Iterable[str], known: Iterable[str], what: str) -> None:
    """Raise ItemError for a name that something does not have."""
    names = tuple(known)
    for name in given:
        if name not in names:
            raise ItemError(
                f"a {what} has no {name[:40]!r}",
                code="unknown-name",
                help=did_you_mean(name, names),
            )


def _field(fields: Mapping[str, str], name: str, parse: Callable[[str], Result]) -> Result | None:
    if name not in fields:
        return None
    try:
        return parse(fields[name])
    except ValueError as error:
        raise ItemError(f"{name}: {error}", code=f"bad-{name}") from None
