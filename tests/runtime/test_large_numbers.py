"""Integers of 64 bits, of which twenty and more have a sum and a mean."""

from __future__ import annotations

from pathlib import Path

import pytest

import millstream
from millstream.runtime.session import SparkSession

LARGE = 9 * 10**18
QUERY = """<sums>
  { for $w in stream("items")/items/item |t diff 25|
    let $sum := sum($w/v) let $mean := avg($w/v)
    return <sum><all>{ $sum }</all><mean>{ $mean }</mean></sum> }
</sums>"""


@pytest.mark.spark
def test_windows_of_large_integers_are_summed_exactly(spark: SparkSession, tmp_path: Path) -> None:
    items = (f"<item><t>{t}</t><v>{LARGE + t % 2}</v></item>" for t in range(50))
    (tmp_path / "items.xml").write_text(f"<items>{''.join(items)}</items>")
    with millstream.open(tmp_path / "space", spark=spark) as mill:
        mill.create_stream(
            "items",
            tmp_path / "items.xml",
            order_by="t",
            types={"v": "integer"},
            finite=True,
            max_items_per_batch=20,
        )
        sums = mill.subscribe(QUERY)
        mill.run()
        found = list(sums.results())
    assert found == [
        f"<sum><all>{25 * LARGE + 12}</all><mean>{LARGE}.48</mean></sum>",
        f"<sum><all>{25 * LARGE + 13}</all><mean>{LARGE}.52</mean></sum>",
    ]
