"""Feeds: files that are whole when they appear, and follow one another in time."""

from __future__ import annotations

import json
import time
from pathlib import Path

from lxml import etree

from millstream.generators.feeds import (
    FILES_KEPT,
    Feeding,
    credit_feed,
    photon_feed,
    vehicle_feed,
)


def test_photons_go_on_where_the_file_before_ended(tmp_path: Path) -> None:
    feed = photon_feed(tmp_path, first=50, then=10)
    times = [
        int(each.text or "") for _ in range(3) for each in etree.parse(feed.flow()).iter("det_time")
    ]
    assert len(times) == 70 and times == sorted(times)


def test_vehicles_have_tags_before_them(tmp_path: Path) -> None:
    feed = vehicle_feed(tmp_path, first=100, then=10)
    kinds = [next(iter(json.loads(line))) for line in feed.flow().read_text().splitlines()]
    assert set(kinds) == {"tag", "tuple"} and len(kinds) == 100


def test_credit_begins_with_the_accounts(tmp_path: Path) -> None:
    feed = credit_feed(tmp_path, first=30, then=5, accounts=3)
    first, then = (etree.parse(feed.flow()).getroot() for _ in range(2))
    assert first[0].get("id") == "0" and len(first) == 30
    assert [each.tag for each in then] == ["filler"] * 5


def test_old_files_go(tmp_path: Path) -> None:
    feed = photon_feed(tmp_path, first=1, then=1)
    for _ in range(FILES_KEPT + 3):
        feed.flow()
    assert len(list(tmp_path.iterdir())) == FILES_KEPT


def test_feeding_ends_when_it_is_left(tmp_path: Path) -> None:
    feed = photon_feed(tmp_path, first=1, then=1)
    with Feeding([feed], 0.01):
        deadline = time.monotonic() + 10
        while feed.written < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    written = feed.written
    time.sleep(0.05)
    assert written >= 3 and feed.written == written
