"""What has no SQL is answered all the same: by SaxonC, for each binding or as a whole."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

import millstream
from millstream.generators.credit import credit_structure, fillers
from millstream.history.filler_store import FillerStore
from millstream.languages.xquery.translation import Strategy
from millstream.model import user_functions
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
    "nodes of all kinds": 'stream("credit")//account[1]/node()',
    "of what is made": '<w>{ stream("credit")//creditLimit }</w>/creditLimit[2]',
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
    "positions among all": '(stream("credit")//transaction)[position() < 4 or position() = last()]',
    "positions below": 'stream("credit")//creditLimit[2]',
    "children of all kinds": 'for $t in stream("credit")//transaction[amount > 500] return $t/*',
    "children in an element": """
        for $t in stream("credit")//transaction[amount > 500]
        return <t all="{ $t/* }">{ $t/*, string-join($t/*, "-"), $t/*[2], $t/*[last()] }</t>""",
    "one that may be left out": """
        for $t in stream("credit")//transaction[amount > 500], $v in $t/vendor
        return <t>{ $v[. = "ABC Inc"]/text(), $t/vendor[. = "ABC Inc"],
          $t[amount > 700]/status, vtFrom($t[amount < 700]), $t[amount > 700]/amount + 1 }</t>""",
    "two paths": '(stream("credit")//creditLimit | stream("credit")//status)[position() < 5]',
    "both paths": """
        stream("credit")//transaction[amount > 500] intersect
        stream("credit")//account[1]/transaction""",
    "one path without another": """
        (stream("credit")//creditLimit except stream("credit")//account[2]//creditLimit)/text()""",
    "the end of all": 'vtTo(stream("credit")/creditAccounts), vtFrom(stream("credit")/*)',
    "a lifespan of children": """
        for $a in stream("credit")//account return <t>{ vtFrom($a/customer) }</t>""",
    "lengths of time": """
        for $a in stream("credit")//account, $c in $a/creditLimit[1]
        where vtFrom($c) - vtFrom($a) >= PT0S
        return <t>{ vtFrom($a/transaction[1]) - vtFrom($c), vtFrom($c) - vtFrom($a) }</t>""",
    "numbered": """
        for $a in stream("credit")//account[position() < 3],
            $t at $n in $a/transaction[amount > 500]
        return <t n="{ $n }">{ $t/amount/text() }</t>""",
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


def test_functions_of_python_are_called(bank: BothAsked) -> None:
    @millstream.function
    def rounded(value: float, step: int) -> int:
        return int(value) // step * step

    query = """
    for $t in stream("credit")//transaction where rounded($t/amount, 100) = 100
    return <t>{ rounded($t/amount, 10) }</t>"""
    inside = 'stream("credit")//account[some $t in transaction satisfies rounded($t/amount, 9) = 0]'
    try:
        assert bank.check(query)
        bank.check(inside, strategies=(Strategy.QAC_PLUS,))
    finally:
        user_functions.forget("rounded")
    assert bank.ways["sql"] >= 2


def test_the_whole_view_is_asked(bank: BothAsked) -> None:
    query = 'for $t in stream("credit")//transaction?[now] where $t/amount > 500 return $t'
    route = bank.histories.route(query, Strategy.CAQ)
    assert len(route.hydration) == len(bank.histories.streams["credit"].tables.views)
    bank.check(query, strategies=(Strategy.CAQ,))
