"""Functions of Python that statements call, made known to a Spark session."""

from __future__ import annotations

from pyspark.sql.functions import udf

from millstream.compiler.history.user_calls import (
    as_sql_function,
    called_functions,
    result_type,
    sql_name,
)
from millstream.runtime.session import SparkSession


def register_functions(spark: SparkSession, sql: str) -> None:
    """Make known what a statement calls; batches of rows go to Python and back as Arrow."""
    for function in called_functions(sql):
        made = udf(as_sql_function(function), result_type(function), useArrow=True)
        spark.udf.register(sql_name(function.name), made)
