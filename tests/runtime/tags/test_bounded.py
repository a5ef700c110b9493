"""However much flows, what stays in play is what lifespans allow for."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from millstream.model.tags.duration import SECOND
from millstream.model.tags.step_layout import STEP_NUMBERS
from millstream.runtime.tags.batch import Batch
from millstream.runtime.tags.columns import TAG_FIELDS
from millstream.runtime.tags.lateness import late_tags
from millstream.runtime.tags.live import LiveTags
from millstream.runtime.tags.resolution import resolve
from millstream.runtime.tags.tuples import TupleColumns

OBJECTS = ("*,*,{}", "*,ID,{}", "*,*,{a}", "*,*,{a.value}", "*,ID,{a.value}", "*,p.*7,{}")
PACE = SECOND // 1000
"""From one element to the next."""
LIFESPAN = SECOND // 5
LATENESS = SECOND // 2


def batch(step: int, size: int) -> Batch:
    """As many tags as tuples, of all forms and both modes; all ids are new, values come again."""
    first = step * size
    numbers = np.arange(first, first + size)
    tags, tuples = numbers[::2], numbers[1::2]
    count = len(tags)
    forms = [OBJECTS[number // 2 % len(OBJECTS)].replace("ID", f"p{number + 1}") for number in tags]
    lifespans = [None if n % 10 == 4 and n % 12 != 8 else LIFESPAN for n in tags.tolist()]
    columns = {
        "tag": step * STEP_NUMBERS + np.arange(count),
        "stream": pa.repeat("S", count),
        "position": tags,
        "tagger": [f"u{number % 7}" for number in tags],
        "applicability": forms,
        "content": [f"c{number % 50}" for number in tags],
        "type": pa.repeat("objective", count),
        "sign": pa.repeat("", count),
        "lifespan": pa.array(lifespans, pa.int64()),
        "mode": ["OVERWRITE" if number % 6 == 0 else "COMBINE" for number in tags],
        "time": tags * PACE,
    }
    table = pa.table([columns[name] for name in TAG_FIELDS.names], schema=TAG_FIELDS)
    ids, values = [f"p{n}" for n in tuples], [f"v{n % 300}" for n in tuples]
    return Batch(
        step,
        TupleColumns(tuples, tuples * PACE, lambda: pa.array(ids), lambda name: pa.array(values)),
        table,
    )


def largest(steps: int, size: int) -> int:
    """The most tags that were in play after a step."""
    live, most = LiveTags(), 0
    for step in range(1, steps + 1):
        new = batch(step, size)
        late, _ = late_tags(new.tags, new.tuples, live.highest, LATENESS, live.overwritten)
        assert not late.any()
        live = resolve(live, new, ("a",), LATENESS).live
        most = max(most, len(live), live.sets.num_rows)
    return most


def test_tags_in_play_do_not_grow_with_the_stream() -> None:
    # 500 tags a second, each for a fifth of one, and half a second of lateness.
    assert largest(3, 8_000) <= 400
    assert largest(40, 2_000) <= 400


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_ten_million_elements() -> None:
    assert largest(100, 100_000) <= 400
