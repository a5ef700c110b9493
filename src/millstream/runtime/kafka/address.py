"""The address of a topic: brokers, name, and what is asked of it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from urllib.parse import parse_qsl, urlsplit

from millstream.errors import SchemaError, did_you_mean

SCHEME = "kafka://"
CARRIED = ("key", "timestamp", "partition", "offset")
"""What a record has besides its value, and may become an attribute of its item."""
DEFAULT_TAGGER = "kafka"
MOST_AT_ONCE = 10_000
"""Records that are taken at once, unless something else is said."""
PATIENCE = 60.0
"""Seconds that a run which ends by itself waits for a broker that does not answer."""
PLACE = "{subscription}"
"""Stands for the name of the subscription in the name of a topic for results."""
CLIENT = "kafka."
"""What settings of Kafka's own client begin with."""

_NAME = re.compile(r"[A-Za-z0-9._-]{1,249}")
_BROKER = re.compile(r"[^\s:,@]+:\d{1,5}|\[[0-9A-Fa-f:]+\]:\d{1,5}")
_SOURCE_OPTIONS = (
    "starting", "max", "carry", "headers", "tagger", "losses", "framing", "patience",
)  # fmt: skip
_HARMLESS = (
    "kafka.security.protocol",
    "kafka.client.id",
    "kafka.client.rack",
    "kafka.isolation.level",
    "kafka.compression.type",
    "kafka.fetch.max.bytes",
    "kafka.max.partition.fetch.bytes",
    "kafka.max.request.size",
    "kafka.request.timeout.ms",
    "kafka.default.api.timeout.ms",
    "kafka.delivery.timeout.ms",
)
"""What an address may set: others name files, classes, brokers or secrets."""
_SECRET = re.compile(r"password|secret|jaas|token|credential", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic, and how it is read; a topic for results needs no more than its name."""

    brokers: str
    name: str
    starting: str = "earliest"
    """Where a new stream begins: earliest, latest, or offsets of partitions as JSON."""
    max: int = MOST_AT_ONCE
    carry: tuple[str, ...] = ()
    headers: bool = False
    """True when headers are tags on the items."""
    tagger: str = DEFAULT_TAGGER
    skip_losses: bool = False
    """True to go on where records have gone before they were read."""
    registered: bool = False
    """True when five bytes stand before a value of Avro, which name its schema in a registry."""
    patience: float = PATIENCE
    client: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """Settings of Kafka's own client."""

    def __str__(self) -> str:
        return f"topic '{self.name}' at {self.brokers}"


def is_kafka(location: str) -> bool:
    """True for the address of a topic."""
    return location.startswith(SCHEME)


def source_topic(address: str) -> Topic:
    """The topic that a stream is read from; SchemaError where its address is wrong."""
    brokers, name, options, client = _parts(address)
    _check_name(name, address)
    for option in options:
        if option not in _SOURCE_OPTIONS:
            raise SchemaError(
                f"a topic has no option '{option}'", help=did_you_mean(option, _SOURCE_OPTIONS)
            )
    return Topic(
        brokers,
        name,
        starting=_starting(options.get("starting", "earliest"), name),
        max=_positive("max", options.get("max", str(MOST_AT_ONCE))),
        carry=_carried(options.get("carry", "")),
        headers=_one_of("headers", options.get("headers", "none"), ("none", "tags")) == "tags",
        tagger=options.get("tagger", DEFAULT_TAGGER),
        skip_losses=_one_of("losses", options.get("losses", "stop"), ("stop", "skip")) == "skip",
        registered=_one_of("framing", options.get("framing", "none"), ("none", "registry"))
        == "registry",
        patience=float(_positive("patience", options.get("patience", str(int(PATIENCE))))),
        client=client,
    )


def result_topic(address: str, subscription: str) -> Topic:
    """The topic that the results of a subscription go to."""
    brokers, name, options, client = _parts(address)
    for option in options:
        raise SchemaError(f"a topic for results has no option '{option}'")
    chosen = name.replace(PLACE, re.sub(r"[^A-Za-z0-9._-]", "-", subscription))
    _check_name(chosen, address)
    return Topic(brokers, chosen, client=client)


def _parts(address: str) -> tuple[str, str, dict[str, str], Mapping[str, str]]:
    """The brokers, the name, the options, and the settings of the client."""
    parts = urlsplit(address)
    if "@" in parts.netloc:
        raise _holds_secret()
    brokers = parts.netloc
    if not brokers or not all(_BROKER.fullmatch(each) for each in brokers.split(",")):
        raise SchemaError(
            f"'{address}' names no broker", help="kafka://HOST:PORT/TOPIC, or several HOST:PORT,…"
        )
    given: dict[str, str] = {}
    for name, value in parse_qsl(parts.query, keep_blank_values=True):
        if name in given:
            raise SchemaError(f"'{name}' is said twice in {address}")
        given[name] = value
    if any(_SECRET.search(name) for name in given):
        raise _holds_secret()
    client = {name: text for name, text in given.items() if name.startswith(CLIENT)}
    for name in client:
        if name not in _HARMLESS:
            raise SchemaError(
                f"an address does not set '{name}'",
                help="settings that are named in the file of MILLSTREAM_KAFKA may be any",
            )
    options = {name: text for name, text in given.items() if name not in client}
    return brokers, parts.path.removeprefix("/"), options, MappingProxyType(client)


def _holds_secret() -> SchemaError:
    return SchemaError(
        "an address holds no password",
        help="name settings with secrets in a file, by MILLSTREAM_KAFKA",
    )


def _check_name(name: str, address: str) -> None:
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise SchemaError(
            f"'{name}' in {address} is no name of a topic", help="letters, digits, . _ and -"
        )


def _starting(text: str, topic: str) -> str:
    if text in ("earliest", "latest"):
        return text
    try:
        offsets = json.loads(text)
        by_partition = {str(int(each)): int(offsets[each]) for each in offsets}
    except (ValueError, TypeError, KeyError):
        raise SchemaError(
            f"a topic is not read from '{text}'",
            help='earliest, latest, or the offset of every partition: {"0": 17, "1": 4}',
        ) from None
    return json.dumps({topic: by_partition})


def _carried(text: str) -> tuple[str, ...]:
    return tuple(_one_of("carry", each.strip(), CARRIED) for each in text.split(",") if each)


def _positive(option: str, text: str) -> int:
    if not text.isdecimal() or int(text) == 0:
        raise SchemaError(f"'{option}' of a topic is a whole number above 0, not '{text}'")
    return int(text)


def _one_of(option: str, text: str, known: tuple[str, ...]) -> str:
    if text not in known:
        raise SchemaError(
            f"'{option}' of a topic cannot be '{text}'", help=f"known: {', '.join(known)}"
        )
    return text
