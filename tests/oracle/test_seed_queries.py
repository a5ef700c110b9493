"""The seed's queries through the whole system: equal to the reference, and to SaxonC."""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

import millstream
from millstream.generators.photon_queries import (
    AVERAGE_20,
    AVERAGE_60,
    ITEM_WINDOW,
    RXJ,
    TIME_WINDOW,
    VELA,
)
from millstream.generators.photons import write
from millstream.mill import Mill
from millstream.runtime.session import SparkSession
from millstream.testing.reference import evaluate
from millstream.testing.saxon import canonical, run

REAL = Path(os.environ.get("MILLSTREAM_DATA", "../shared/data")) / "photons/fermi-lat-2fhl.xml.gz"
# The real photons come about one an hour, so their windows are days.
DAY = 86400
QUERIES = {
    "vela": VELA,
    "rxj": RXJ,
    "average_20": AVERAGE_20,
    "average_60": AVERAGE_60,
    "item_window": ITEM_WINDOW.replace('doc("data.xml")/a/b', 'stream("photons")/photons/photon'),
    "time_window": TIME_WINDOW.replace(
        'doc("data.xml")/a/b', 'stream("photons")/photons/photon'
    ).replace("|c diff", "|det_time diff"),
}


def longer(text: str) -> str:
    """A query with time windows, its seconds made days."""
    return re.sub(
        r"diff (\d+) step (\d+)",
        lambda found: f"diff {int(found[1]) * DAY} step {int(found[2]) * DAY}",
        text,
    )


def items(document: bytes) -> list[str]:
    return [etree.tostring(each, with_tail=False).decode() for each in etree.fromstring(document)]


@pytest.fixture
def mill(spark: SparkSession) -> Iterator[Mill]:
    with millstream.open(None, spark=spark) as opened:
        yield opened


def answers(mill: Mill, source: Path, queries: dict[str, str]) -> dict[str, list[str]]:
    mill.create_stream("photons", source, order_by="det_time", finite=True)
    subscriptions = {name: mill.subscribe(text, name=name) for name, text in queries.items()}
    mill.run(until="drained")
    return {name: list(each.results()) for name, each in subscriptions.items()}


def check(mill: Mill, source: Path, queries: dict[str, str], document: bytes) -> None:
    """Compare all answers with the reference, and with SaxonC where it knows the words."""
    found = answers(mill, source, queries)
    arrivals = [("photons", item) for item in items(document)]
    for name in queries:
        expected = evaluate(mill.subscriptions[name].query, arrivals).results
        assert found[name] == list(expected), name
        assert found[name], f"{name} has answers"
    for name in ("vela", "rxj"):
        (whole,) = run(queries[name], {"photons": document.decode()})
        expected_items = [
            canonical(etree.tostring(each, with_tail=False).decode())
            for each in etree.fromstring(whole)
        ]
        assert [canonical(each) for each in found[name]] == expected_items, name


@pytest.mark.spark
@pytest.mark.timeout(900)
def test_generated_photons(mill: Mill, tmp_path: Path) -> None:
    write(tmp_path / "photons.xml", 5000)
    document = (tmp_path / "photons.xml").read_bytes()
    check(mill, tmp_path / "photons.xml", QUERIES, document)


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.shared_data
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not REAL.exists(), reason=f"the real photons are not at {REAL}")
def test_real_photons(mill: Mill) -> None:
    document = gzip.decompress(REAL.read_bytes())
    # Energies are in GeV there: every photon has more than 1.3, and windows are days.
    queries = {name: longer(text) for name, text in QUERIES.items()}
    check(mill, REAL, queries, document)
