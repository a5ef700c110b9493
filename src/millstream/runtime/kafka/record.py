"""A record of a topic, and how records become text that the intake reads item by item."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

Header = tuple[str, bytes | None]
ATTRIBUTE = "kafka_"
"""What the attributes begin with in which items carry what a record has besides its value."""


class Refusal(Exception):
    """Why a record is no item."""


@dataclass(frozen=True, slots=True)
class Record:
    """A record as it stood in its topic."""

    partition: int
    offset: int
    timestamp: int
    """Milliseconds since the epoch."""
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...] = ()

    @property
    def id(self) -> str:
        """What no other record of the topic is called."""
        return f"{self.partition}-{self.offset}"

    @property
    def seconds(self) -> str:
        """Its time in seconds since the epoch."""
        return f"{self.timestamp // 1000}.{self.timestamp % 1000:03d}"

    def carried(self, names: tuple[str, ...]) -> dict[str, str]:
        """The attributes of its item that tell of it."""
        found = {each: self._told(each) for each in names}
        return {f"{ATTRIBUTE}{name}": text for name, text in found.items() if text is not None}

    def _told(self, name: str) -> str | None:
        match name:
            case "key":
                return None if self.key is None else text_of(self.key)
            case "timestamp":
                time = datetime.fromtimestamp(self.timestamp / 1000, UTC)
                return time.isoformat(timespec="milliseconds").replace("+00:00", "Z")
            case "partition":
                return str(self.partition)
            case _:
                return str(self.offset)


@dataclass(frozen=True, slots=True)
class Framing:
    """How the values of a topic are written down for the intake."""

    format: str
    """xml or json."""
    item: str
    root: str
    beside: tuple[str, ...] = ()
    """Elements that may stand beside items."""
    avro: str = ""
    """The schema of values in Avro, which are written down as JSON."""
    registered: bool = False
    carry: tuple[str, ...] = ()
    tagger: str | None = None
    """Who tags items by the headers of their records; None when nobody does."""
    time: tuple[str, ...] = ()
    """The path of an item's own time, for its tags; else the record's counts."""

    @property
    def head(self) -> bytes:
        """What a file begins with."""
        return f"<{self.root}>\n".encode() if self.format == "xml" else b""

    @property
    def foot(self) -> bytes:
        """What a file ends with."""
        return f"</{self.root}>\n".encode() if self.format == "xml" else b""


def text_of(data: bytes) -> str:
    """Bytes as text: as they read in UTF-8, else in hexadecimal digits."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.hex()
