"""Names and constants survive the way into Spark SQL."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession

from millstream.compiler import names
from millstream.compiler.columns import sql_type
from tests.compiler.expressions.samples import PHOTON

TEXTS = (
    *(
        "",
        "it's",
        'say "x"',
        "back\\slash",
        "\\",
        "\\n",
        "\\u0041",
        "%\\%_",
        "a\nb\tc\rd",
        "\x00\x01",
    ),
    *("${spark.app.name}", "$1", "é", "𝄞", "'; DROP TABLE x; --", "/* no */", ":name", "?", "{}"),
)


@pytest.mark.spark
def test_strings_come_back_as_they_are(spark: SparkSession) -> None:
    found = spark.sql("SELECT " + ", ".join(map(names.string, TEXTS))).collect()[0]
    assert tuple(found) == TEXTS


@pytest.mark.spark
def test_identifiers_name_fields_of_any_spelling(spark: SparkSession) -> None:
    spelt = ("a", "A", "det-time", "a.b", "a`b", "@id", "#text", "=a/b", "select", "x y", "ü")
    columns = ", ".join(
        f"{number} AS {names.identifier(name)}" for number, name in enumerate(spelt)
    )
    asked = ", ".join(f"s.{names.identifier(name)}" for name in spelt)
    found = spark.sql(f"SELECT {asked} FROM (SELECT {columns}) s").collect()[0]
    assert tuple(found) == tuple(range(len(spelt)))


@pytest.mark.spark
def test_numbers_of_every_size(spark: SparkSession) -> None:
    integers = (0, -1, 2**63 - 1, -(2**63), 2**63, 10**37, 10**40, 10**400)
    doubles = (0.0, -0.5, 1e300, 5e-324, float("inf"), float("-inf"))
    sql = [*map(names.integer, integers), *map(names.double, doubles)]
    sql += [names.exact(Decimal("1E-18")), names.exact(Decimal("1E+30"))]
    found = list(spark.sql("SELECT " + ", ".join(sql)).collect()[0])
    assert found == [*integers[:-2], 1e40, float("inf"), *doubles, Decimal("1E-18"), None]


@pytest.mark.spark
def test_row_type_of_an_item_is_readable(spark: SparkSession) -> None:
    frame = spark.createDataFrame([], f"item {sql_type(PHOTON)}")
    fields = frame.schema["item"].dataType.fieldNames()  # type: ignore[attr-defined]
    assert fields[:4] == ["@id", "@n", "phc", "coord"]


@given(st.text())
def test_string_constants_are_one_line_of_quoted_text(text: str) -> None:
    sql = names.string(text)
    assert sql[0] == sql[-1] == "'" and "\n" not in sql and "$" not in sql


@pytest.mark.parametrize(
    ("sql", "is_reference", "is_constant"),
    [
        ("b.item", True, False),
        ("b.`=a/b`", True, False),
        ("each_0.`a``b`", True, False),
        ("get(b.a, 0)", False, False),
        ("120.0D", False, True),
        ("-1e-07D", False, True),
        ("'text'", False, True),
        ("'it\\'s'", False, False),
        ("TIMESTAMP '2003-11-01 00:00:00.000000+00:00'", False, True),
        ("CAST(NULL AS DOUBLE)", False, False),
    ],
)
def test_references_and_constants_are_told_apart(
    sql: str, is_reference: bool, is_constant: bool
) -> None:
    assert (names.is_reference(sql), names.is_constant(sql)) == (is_reference, is_constant)
