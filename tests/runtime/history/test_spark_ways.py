"""What has no SQL is answered all the same: by SaxonC, for each binding or as a whole."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from millstream.generators.credit import credit_structure, fillers
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy
from tests.history.test_seed_queries import BANK
from tests.runtime.history.spark_asking import BothAsked

DEEPEST = "declare function local:f($n) { if ($n/*) then local:f($n/*[1]) else name($n) };"
BOUND = {
    "recursion": f'{DEEPEST} for $t in stream("credit")//transaction return local:f($t)',
    "no SQL for it": """
        for $t in stream("credit")//transaction where $t/amount > 500 return reverse($t/*)""",
    "a failure": 'for $t in stream("credit")//transaction return xs:date($t/vendor)',
}
WHOLE = {
    "two orders": '(stream("credit")//creditLimit | stream("credit")//status)[position() < 5]',
    "of what is made": '<w>{ stream("credit")//creditLimit }</w>/creditLimit[2]',
    "a lifespan of many": 'vtTo(stream("credit")/creditAccounts)',
}
SQL = {
    "a value that is no number": 'for $t in stream("credit")//transaction return $t/vendor * 2',
    "grouped": """
        for $v in distinct-values(stream("credit")//transaction/vendor)
        return <v name="{ $v }">{ count(stream("credit")//transaction[vendor = $v]) }</v>""",
    "versions": 'for $a in stream("credit")//account return $a/creditLimit#[last]',
    "ends": """
        for $c in stream("credit")//creditLimit where vtTo($c) = now
        return <t>{ vtFrom($c), vtTo($c) }</t>""",
    "ordered": """
        for $t in stream("credit")//transaction[amount > 500]
        order by $t/vendor descending, $t/amount return $t/amount/text()""",
    "at an instant": 'stream("credit")?[2003-02-01]//creditLimit',
    "positions": 'stream("credit")//account/creditLimit[2]/text()',
}


@pytest.fixture(scope="module")
def bank(spark: SparkSession) -> BothAsked:
    return BothAsked(spark, {"credit": FillerStore(credit_structure(), fillers(BANK))})


@pytest.mark.parametrize(
    ("way", "query"),
    [
        pytest.param(way, query, id=name)
        for way, queries in (("bound", BOUND), ("whole", WHOLE), ("sql", SQL))
        for name, query in queries.items()
    ],
)
def test_every_query_is_answered(bank: BothAsked, way: str, query: str) -> None:
    before = bank.ways[way]
    assert bank.check(query, strategies=(Strategy.QAC_PLUS,))
    assert bank.ways[way] == before + 1
