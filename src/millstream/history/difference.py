"""What changed between two instants of a history."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from millstream.history.filler_store import FillerStore, Version
from millstream.model.filler import Filler, FillerKey
from millstream.model.lifespan import format_instant
from millstream.model.tag_structure import TagType


class ChangeKind(Enum):
    """What became of an element."""

    APPEARED = "appeared"
    CHANGED = "changed"
    DISAPPEARED = "disappeared"
    HAPPENED = "happened"
    """An event, or a change inside of one."""


@dataclass(frozen=True, slots=True)
class Change:
    """One element that is not as it was; its own holes stay holes."""

    kind: ChangeKind
    key: FillerKey
    before: Filler | None
    after: Filler | None


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes after one instant, up to and at another."""

    begin: datetime
    end: datetime
    changes: tuple[Change, ...]

    def to_xml(self) -> str:
        """The changes as one XML element, a change a line."""
        head = f'<difference from="{format_instant(self.begin)}" to="{format_instant(self.end)}"'
        if not self.changes:
            return f"{head}/>"
        lines = "\n".join(_change_text(change) for change in self.changes)
        return f"{head}>\n{lines}\n</difference>"


def difference(store: FillerStore, begin: datetime, end: datetime) -> Difference:
    """What is not at one instant as it was at another.

    Of a temporal element the two versions are compared, however many lie between. Events come
    with all that happened inside them, in order of time, where some hole is for them.
    """
    before, after = standing(store, begin), standing(store, end)
    compared = (_compared(key, before.get(key), after.get(key)) for key in {**before, **after})
    changes = [change for change in compared if change is not None]
    return Difference(begin, end, (*changes, *_happened(store, begin, end)))


def standing(store: FillerStore, at: datetime) -> dict[FillerKey, Version]:
    """The versions that the document consisted of at an instant, without events."""
    found: dict[FillerKey, Version] = {}
    waiting = [store.root_key]
    while waiting:
        key = waiting.pop()
        if key in found or store.tag(key).type is TagType.EVENT:
            continue
        for version in store.versions_at(key, at):
            found[key] = version
            waiting += reversed(version.body.holes)
    return found


def _compared(key: FillerKey, one: Version | None, other: Version | None) -> Change | None:
    before, after = one.filler if one else None, other.filler if other else None
    if before is None:
        return Change(ChangeKind.APPEARED, key, None, after)
    if after is None:
        return Change(ChangeKind.DISAPPEARED, key, before, None)
    if before.content == after.content:
        return None
    return Change(ChangeKind.CHANGED, key, before, after)


def _happened(store: FillerStore, begin: datetime, end: datetime) -> list[Change]:
    holes = store.holes()
    found = [
        Change(ChangeKind.HAPPENED, key, None, version.filler)
        for key in store
        if key in holes and _inside_event(store, key)
        for version in store.versions(key)
        if begin < version.filler.valid_time <= end
    ]
    return sorted(found, key=_time)


def _time(change: Change) -> datetime:
    filler = change.after or change.before
    assert filler is not None
    return filler.valid_time


def _inside_event(store: FillerStore, key: FillerKey) -> bool:
    return any(tag.type is TagType.EVENT for tag in store.structure.line(key.tsid))


def _change_text(change: Change) -> str:
    time = format_instant(_time(change))
    head = f'<{change.kind.value} id="{change.key.id}" tsid="{change.key.tsid}" validTime="{time}">'
    return f"{head}{''.join(_contents(change))}</{change.kind.value}>"


def _contents(change: Change) -> Iterator[str]:
    if change.before is not None and change.after is not None:
        yield f"<before>{change.before.content}</before><after>{change.after.content}</after>"
        return
    for filler in (change.before, change.after):
        if filler is not None:
            yield filler.content
