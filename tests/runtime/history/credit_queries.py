"""Continuous queries over credit accounts, of every kind that is told apart."""

from __future__ import annotations

from millstream.generators.credit import Bank, credit_structure, fillers
from tests.history import seed_queries
from tests.runtime.history.disorder import batches, disordered
from tests.runtime.history.without_spark import Batch

STREAMS = {"credit": credit_structure()}
_CHARGED = {
    name: text.replace("creditSystem", "credit").replace("1000", "100")
    for name, text in (
        ("charged", seed_queries.CHARGED),
        ("charged now", seed_queries.CHARGED_NOW),
        ("charged last", seed_queries.CHARGED_LAST),
    )
}
QUERIES = {
    "fraud": seed_queries.FRAUD.replace(
        "max($a/creditLimit?[now] * 0.9, 5000)", "$a/creditLimit?[now] * 0.03"
    ),
    "maxed out": seed_queries.MAXED_OUT.replace(
        "2003-11-01,2003-12-01", "2003-01-01,2003-01-02"
    ).replace(">=", "<="),
    **_CHARGED,
    "first ten": seed_queries.FIRST_TEN,
    "past limits": """
      for $a in stream("credit")//account, $l in $a/creditLimit
      where vtTo($l) != now
      return <limit>{ $a/@id, vtFrom($l), $l/text() }</limit>""",
    "recent": """
      for $a in stream("credit")//account, $t in $a/transaction?[now - PT2H, now]
      where $t/status?[now] = "charged"
      return <t limit="{ $a/creditLimit?[vtFrom($t)] }">{ $t/vendor/text() }</t>""",
    "number": 'count(stream("credit")//transaction)',
    "vendors": 'for $v in stream("credit")//vendor return string($v)',
    "ages": 'for $l in stream("credit")//creditLimit return <age>{ now - vtFrom($l) }</age>',
    "of one": """
      for $t in stream("credit")//account[@id = "1001"]/transaction
      where empty($t/status) return $t""",
    "ranked": """
      for $a in stream("credit")//account
      let $sum := sum($a/transaction/amount)
      where $sum > 200
      order by $sum descending
      return <sum>{ $sum }</sum>""",
}


def credit_batches(seed: int, transactions: int = 70, size: int = 31) -> list[Batch]:
    """A small bank's fillers, out of order and repeated."""
    made = list(fillers(Bank(6, transactions, seed=seed)))
    return list(batches("credit", disordered(made, seed), size))
