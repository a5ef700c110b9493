"""Random expressions mean in Spark what they mean to the reference evaluator."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from millstream.algebra.expressions import Expression
from millstream.compiler.expressions import render
from millstream.errors import QueryError, UnsupportedError
from tests.compiler.expressions.agreement import disagreements
from tests.compiler.expressions.cases import SCOPE
from tests.compiler.expressions.generator import Generator
from tests.compiler.expressions.samples import ITEMS, PHOTON, SCHEMA

# Spark's integers end at 64 bits, those of the reference do not.
SMALLER = [item.replace("-9223372036854775808", "-9007199254740993") for item in ITEMS]


@pytest.fixture(scope="module")
def interpreting(spark: SparkSession) -> SparkSession:
    """A session that compiles no Java: these expressions run over four rows each."""
    session = spark.newSession()
    session.conf.set("spark.sql.codegen.wholeStage", "false")
    session.conf.set("spark.sql.codegen.factoryMode", "NO_CODEGEN")
    return session


@pytest.mark.spark
def test_random_expressions_agree(interpreting: SparkSession) -> None:
    assert disagreements(interpreting, SCHEMA, SMALLER, _expressions(seed=1, count=50)) == []


@pytest.mark.spark
@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("seed", range(2, 8))
def test_many_random_expressions_agree(interpreting: SparkSession, seed: int) -> None:
    assert disagreements(interpreting, SCHEMA, SMALLER, _expressions(seed, count=200)) == []


def _expressions(seed: int, count: int) -> list[Expression]:
    """Expressions that compile, from a seed."""
    generator = Generator(seed)
    kept: list[Expression] = []
    while len(kept) < count:
        expression = generator.expression(3, {"p": PHOTON})
        try:
            render(expression, SCOPE)
        except (QueryError, UnsupportedError):
            continue
        kept.append(expression)
    return kept
