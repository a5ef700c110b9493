"""Streams with a key: an item that repeats one is set aside, whatever batch it comes in."""

from __future__ import annotations

import pytest

import millstream
from millstream.runtime.session import SparkSession
from millstream.testing.direct_feed import DirectFeed

DTD = "<!ELEMENT r (i*)><!ELEMENT i (v)><!ATTLIST i id CDATA #REQUIRED><!ELEMENT v (#PCDATA)>"
QUERY = '<o>{ for $i in stream("r")/r/i return $i/v }</o>'


def item(key: int, value: int) -> str:
    return f'<i id="{key}"><v>{value}</v></i>'


@pytest.mark.spark
@pytest.mark.timeout(600)
def test_repeated_keys_are_set_aside(spark: SparkSession) -> None:
    with millstream.open(None, spark=spark) as mill:
        stream = mill.create_stream("r", "nowhere", schema=DTD, key="@id")
        mill.subscribe(QUERY, name="all")
        feed = DirectFeed(mill, "r")
        feed.push([item(1, 10), item(2, 20), item(1, 11)])
        feed.push([item(2, 21), item(3, 30)])
        mill.subscribe(QUERY, name="late", start="log")
        feed.push([item(1, 12), item(4, 40)])
        values = {name: list(each.results()) for name, each in mill.subscriptions.items()}
        reasons = [each.reason for each in stream.quarantine()]
    expected = [f"<v>{value}</v>" for value in (10, 20, 30, 40)]
    assert values == {"all": expected, "late": expected}
    assert reasons == [f"duplicate: an item with key '{key}' came before" for key in (1, 2, 1)]
