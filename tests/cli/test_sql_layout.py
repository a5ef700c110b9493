"""Generated SQL in lines."""

from __future__ import annotations

import pytest

from millstream.cli.sql_layout import laid_out


def test_clauses_and_subqueries_have_lines() -> None:
    sql = (
        "SELECT a, max(b) AS b FROM (SELECT * FROM t WHERE c IN (1, 2)) t LEFT JOIN u ON u.a = t.a"
    )
    expected = """\
SELECT a, max(b) AS b
FROM (
  SELECT *
  FROM t
  WHERE c IN (1, 2)
) t
LEFT JOIN u ON u.a = t.a"""
    assert laid_out(sql) == expected


def test_long_list_is_broken_at_its_commas() -> None:
    columns = [f"coalesce(column_{number}, 0) AS column_{number}" for number in range(4)]
    lines = laid_out(f"SELECT {', '.join(columns)} FROM t").splitlines()
    assert lines == [
        f"SELECT {columns[0]}, {columns[1]},",
        f"  {columns[2]}, {columns[3]}",
        "FROM t",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 'a FROM b' AS x, `from ( y` FROM t",
        "SELECT 'it''s \\' (' FROM (SELECT 1) UNION ALL SELECT 2",
        "SELECT a FROM t CROSS JOIN (SELECT 1 AS b) u LEFT SEMI JOIN v ON v.a = t.a GROUP BY a",
        "SELECT extract(YEAR FROM a) FROM t LATERAL VIEW explode(ks) x AS k",
    ],
)
def test_nothing_is_lost(sql: str) -> None:
    assert "".join(laid_out(sql).split()) == "".join(sql.split())
