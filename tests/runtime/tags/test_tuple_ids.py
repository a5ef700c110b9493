"""Patterns name the tuples whose ids they match, however many patterns there are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from millstream.model.tags.name_pattern import NamePattern
from millstream.runtime.tags.tuples import FEW, TupleColumns

IDS = ["p1", None, "p2", "q1", "p1", "", "p\n"]
PATTERNS = ["p.*", "p1|q1", "q.", "p[12]", "x", "(?s)p.", ".*", "[pq]1"]


def test_patterns_name_tuples() -> None:
    assert len(PATTERNS) > FEW
    numbers = np.arange(len(IDS))
    tuples = TupleColumns(
        numbers,
        numbers,
        lambda: pa.array(IDS, pa.string()),
        lambda name: pa.nulls(len(IDS), pa.string()),
    )
    for text in PATTERNS:
        pattern = NamePattern(text)
        wanted = [each is not None and pattern.matches(each) for each in IDS]
        assert tuples.named(pattern).tolist() == wanted, text
