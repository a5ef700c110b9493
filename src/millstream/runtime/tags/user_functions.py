"""Users' functions that compare contents: run in Python, a batch of pairs at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd
from pyspark.sql import SparkSession
from pyspark.sql.pandas.functions import pandas_udf

from millstream.compiler.tags.functions import function_name
from millstream.model.tags.vocabulary import TagFunction

# The published types of PySpark know only some of the forms that it takes.
_vectorised_in_sql: Any = pandas_udf


def register_functions(session: SparkSession, functions: Mapping[str, TagFunction]) -> None:
    """Let the statements of a session call functions by their names."""
    for name, function in functions.items():
        session.udf.register(function_name(name), _vectorised(name, function))


def _vectorised(name: str, function: TagFunction) -> Any:
    """The function over columns; each pair of contents is compared once in a batch."""

    def compared(one: pd.Series, other: pd.Series) -> pd.Series:
        known: dict[tuple[str, str], float | None] = {}
        for pair in set(zip(one, other, strict=True)):
            known[pair] = None if None in pair else _value(name, function, *pair)
        return pd.Series([known[pair] for pair in zip(one, other, strict=True)], dtype="float64")

    return _vectorised_in_sql(compared, "double")


def _value(name: str, function: TagFunction, one: str, other: str) -> float | None:
    try:
        value = function(one, other)
    except Exception as error:
        raise ValueError(
            f"the function {name} failed for {one!r} and {other!r}: {error}"
        ) from error
    return None if value is None else float(value)
