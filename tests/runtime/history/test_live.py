"""A live run: now is the time of day, and goes on though nothing comes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import millstream
from millstream.history.filler_files import write_file
from millstream.model.filler import Filler
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.session import SparkSession
from tests.history.credit import ACCOUNT, ROOT, STRUCTURE
from tests.runtime.history.without_spark import standing

RECENT = 'for $t in stream("credit")//transaction?[now - PT4S, now] return string($t/vendor)'


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_windows_expire_in_a_live_run(spark: SparkSession, tmp_path: Path) -> None:
    now = datetime.now(UTC)
    bought = Filler(3, 5, now, "<transaction><vendor>Pizza</vendor></transaction>")
    (tmp_path / "source").mkdir()
    write_file(tmp_path / "source" / "fillers-1.xml", [ROOT, ACCOUNT, bought])
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        structure = tag_structure_text(STRUCTURE)
        mill.create_stream("credit", tmp_path / "source", schema=structure)
        mill.subscribe(RECENT.replace("PT4S", "PT60S"), name="minute")
        mill.subscribe(RECENT.replace("PT4S", "PT12S"), name="seconds")
        mill.run(until=20.0)
        assert [each.items for each in standing(mill, "minute").versions()] == [("Pizza",)]
        first, last = standing(mill, "seconds").versions()
        assert (first.items, last.items) == (("Pizza",), None)
        assert 12 < (last.since - now).total_seconds() < 18
