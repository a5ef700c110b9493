"""A stream is stopped while a batch of it waits for the steps of others."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any, cast

from millstream.generators.photons import PHOTONS_DTD
from millstream.mill import Mill
from millstream.testing.no_spark import NoSpark


class WaitingQuery:
    """A query whose batch runs in a thread; like Spark's, it stops when that has ended."""

    def __init__(self, batch: threading.Thread) -> None:
        self.batch = batch

    def stop(self) -> None:
        self.batch.join(20)


def test_batch_that_waits_gives_up(tmp_path: Path) -> None:
    with Mill(tmp_path / "space", spark=cast(Any, NoSpark())) as mill:
        mill.create_stream("photons", "nowhere", schema=PHOTONS_DTD)
        runner = mill.runner("photons")
        outcome: list[str] = []
        batch = threading.Thread(target=run_batch, args=(runner, outcome))
        with runner.lock:
            batch.start()
            runner._query = cast(Any, WaitingQuery(batch))
            runner.stop()
            assert not batch.is_alive()
        assert outcome == ["_Stopped"]
        assert runner.query is None
        runner.check()


def run_batch(runner: Any, outcome: list[str]) -> None:
    """Run a batch, and tell how it ended: a failure in a thread fails no test."""
    try:
        runner._run_batch(None, 0)
        outcome.append("ran")
    except BaseException as error:
        outcome.append(type(error).__name__)
