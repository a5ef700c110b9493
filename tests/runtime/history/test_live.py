"""A live run: now is the time of day, and goes on though nothing comes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

import millstream
from millstream.history.filler_files import write_file
from millstream.mill import Mill
from millstream.model.filler import Filler
from millstream.model.tag_structure_text import tag_structure_text
from millstream.runtime.session import SparkSession
from tests.history.credit import ACCOUNT, ROOT, STRUCTURE
from tests.runtime.history.without_spark import standing

RECENT = 'for $t in stream("credit")//transaction?[now - PT4S, now] return string($t/vendor)'


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_windows_expire_in_a_live_run(spark: SparkSession, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    write_file(source / "fillers-1.xml", [ROOT, ACCOUNT])
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream("credit", source, schema=tag_structure_text(STRUCTURE))
        mill.subscribe(RECENT.replace("PT4S", "PT10M"), name="minutes")
        mill.subscribe(RECENT.replace("PT4S", "PT15S"), name="seconds")
        mill.run()  # the first step is slow
        now = datetime.now(UTC)
        bought = Filler(3, 5, now, "<transaction><vendor>Pizza</vendor></transaction>")
        write_file(source / "fillers-2.xml", [bought])
        run_until(mill, lambda: len(list(standing(mill, "seconds").versions())) == 2)
        assert [each.items for each in standing(mill, "minutes").versions()] == [("Pizza",)]
        first, last = standing(mill, "seconds").versions()
        assert (first.items, last.items) == (("Pizza",), None)
        assert (last.since - now).total_seconds() > 15


def run_until(mill: Mill, done: Callable[[], bool], seconds: float = 120) -> None:
    """Run until something is so, or for too long."""
    stop, deadline = threading.Event(), time.monotonic() + seconds

    def watch() -> None:
        while not done() and time.monotonic() < deadline:
            time.sleep(0.5)
        stop.set()

    watching = threading.Thread(target=watch)
    watching.start()
    mill.run("forever", stop=stop)
    watching.join()
