"""Tags that come too late to be told from what their tagger has overwritten since.

An overwriting tag is forgotten when nothing that it ends can be alive any more. A tag that was
stamped before it, and comes when lateness has passed, might have been ended by it: it is set aside.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from millstream.model.tags.mode import Mode
from millstream.runtime.parsing.arrow_types import compute
from millstream.runtime.tags.numbers import LONG_AGO, Flags, flags, integers
from millstream.runtime.tags.tuples import TupleColumns


def late_tags(
    tags: pa.Table,
    tuples: TupleColumns,
    highest: int,
    lateness: int,
    overwritten: dict[str, int],
) -> tuple[Flags, dict[str, int]]:
    """Which tags are late, and by tagger the latest time of what overwrites."""
    overwrites = flags(compute.equal(tags.column("mode"), Mode.OVERWRITE.name))
    if not overwritten and not overwrites.any():
        return np.zeros(len(overwrites), np.bool_), overwritten
    reached = np.maximum.accumulate(np.concatenate(([highest], tuples.times)))
    positions = integers(tags.column("position").to_numpy())
    passed = reached[np.searchsorted(tuples.positions, positions, side="right")]
    times = integers(tags.column("time").to_numpy())
    behind = (passed != LONG_AGO) & (times < passed - np.where(passed == LONG_AGO, 0, lateness))
    late = np.zeros(len(times), np.bool_)
    latest = dict(overwritten)
    chosen = np.flatnonzero(behind | overwrites)
    taggers = tags.column("tagger").take(pa.array(chosen)).to_pylist()
    for row, tagger in zip(chosen.tolist(), taggers, strict=True):
        time = int(times[row])
        if behind[row] and time < latest.get(tagger, LONG_AGO):
            late[row] = True
        elif overwrites[row]:
            latest[tagger] = max(time, latest.get(tagger, LONG_AGO))
    return late, latest
