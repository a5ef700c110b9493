"""Tables of expressions with what they give for each sample item."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from millstream.algebra.expressions import Expression
from millstream.compiler.expressions import condition, render
from tests.compiler.expressions.rows import create_view, evaluate, item_scope
from tests.compiler.expressions.samples import ITEMS, SCHEMA

Table = Mapping[str, tuple[Expression, Sequence[Any]]]
"""By name: an expression, and what it gives for each item."""


def texts(spark: SparkSession, table: Table) -> dict[str, list[str]]:
    """What each expression prints for each item."""
    return _evaluated(spark, {name: render(each, SCOPE) for name, (each, _) in table.items()})


def truths(spark: SparkSession, table: Table) -> dict[str, list[bool]]:
    """Whether each expression is true for each item."""
    return _evaluated(spark, {name: condition(each, SCOPE) for name, (each, _) in table.items()})


def expected(table: Table) -> dict[str, list[Any]]:
    """What the table says."""
    return {name: list(values) for name, (_, values) in table.items()}


SCOPE = item_scope(SCHEMA)


def _evaluated(spark: SparkSession, sql: Mapping[str, str]) -> dict[str, list[Any]]:
    if not spark.catalog.tableExists("cases"):
        create_view(spark, "cases", SCHEMA, ITEMS)
    return dict(zip(sql, evaluate(spark, "cases", list(sql.values())), strict=True))


def constant(spark: SparkSession, expressions: Sequence[Expression]) -> list[Any]:
    """What expressions without variables print."""
    columns = ", ".join(f"{render(each, {})} AS c{n}" for n, each in enumerate(expressions))
    return list(spark.sql(f"SELECT {columns}").collect()[0])
