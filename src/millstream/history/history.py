"""A history as it is read from files: the store, and all that is not in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from millstream.history.filler_files import filler_files, read_fillers
from millstream.history.filler_store import Arrival, FillerStore
from millstream.history.quarantine import Quarantine
from millstream.history.scanner import MAX_FILLER
from millstream.model.filler import FillerKey
from millstream.model.lifespan import format_instant
from millstream.model.tag_structure import TagStructure


@dataclass(frozen=True, slots=True)
class History:
    """The fillers of a stream, the pieces set aside, and the holes that still wait."""

    store: FillerStore
    quarantine: Quarantine
    unfilled: tuple[FillerKey, ...]

    def facts(self) -> dict[str, Any]:
        """The counts as plain values."""
        arrivals = self.store.arrivals
        return {
            "fillers": len(self.store),
            "repeated": arrivals[Arrival.REPEATED],
            "replaced": arrivals[Arrival.REPLACED],
            "unfilled_holes": len(self.unfilled),
            "quarantined": len(self.quarantine),
            "quarantined_by_code": dict(self.quarantine.counts),
            "now": format_instant(self.store.now) if self.store.now else None,
        }


def read_history(
    path: Path,
    structure: TagStructure,
    *,
    max_filler: int = MAX_FILLER,
    progress: Callable[[int], None] | None = None,
) -> History:
    """The history in a file or folder of fillers; fillers without a hole end in quarantine too."""
    return gather(filler_files(path), structure, max_filler=max_filler, progress=progress)


def gather(
    files: Iterable[Path],
    structure: TagStructure,
    *,
    max_filler: int = MAX_FILLER,
    progress: Callable[[int], None] | None = None,
) -> History:
    """The history in some files, taken in the order given."""
    store, quarantine = FillerStore(structure), Quarantine()
    for checked in read_fillers(files, structure, quarantine, max_filler=max_filler):
        store.add_checked(checked)
        if progress and store.arrivals.total() % 1_000 == 0:
            progress(store.arrivals.total())
    for rejected in store.unplaced():
        quarantine(rejected)
    return History(store, quarantine, store.unfilled())
