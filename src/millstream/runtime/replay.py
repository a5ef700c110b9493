"""Items of a quarantine, given to their stream again once they are mended.

An item becomes a file in the stream's inbox, named after its entry: so it is given once, whatever
breaks off in between, and the file remains as the proof of it.
"""

from __future__ import annotations

from millstream.errors import ItemError, StateError
from millstream.runtime.quarantine import QuarantineEntry
from millstream.runtime.records import StreamRecord
from millstream.runtime.storage import Storage

_PREFIX = "entry-"


def replay(
    storage: Storage, record: StreamRecord, number: int, entry: QuarantineEntry, text: str | None
) -> None:
    """Put an entry into the inbox of its stream, once."""
    if number in replayed(storage, record.name):
        raise StateError(
            f"entry {number} of stream '{record.name}' was replayed already", code="replayed"
        )
    content = entry.raw.decode("utf-8", "replace") if text is None else text
    if not content.strip():
        raise ItemError(
            f"entry {number} of stream '{record.name}' holds no text of its own",
            code="no-text",
            help="send the item as it should be",
        )
    suffix, document = _document(record, content.strip())
    storage.write(f"{_inbox(record.name)}/{_PREFIX}{number:012d}{suffix}", document.encode())


def replayed(storage: Storage, stream: str) -> frozenset[int]:
    """The numbers of the entries that were given to a stream again."""
    names = (each for each in storage.names(_inbox(stream)) if each.startswith(_PREFIX))
    numbers = (each.removeprefix(_PREFIX).partition(".")[0] for each in names)
    return frozenset(int(each) for each in numbers if each.isdigit())


def _inbox(stream: str) -> str:
    return f"streams/{stream}/inbox"


def _document(record: StreamRecord, text: str) -> tuple[str, str]:
    """The ending of a file's name, and what the file holds."""
    if text.startswith("<"):
        root = record.schema.root
        return ".xml", f"<{root}>\n{text}\n</{root}>\n"
    if text.startswith("{"):
        return ".jsonl", " ".join(text.splitlines()) + "\n"
    raise ItemError(
        "an item is replayed as XML or as a JSON object, and this is neither",
        code="item-text",
        help="send the item as it should be",
    )
