"""Query text means what it says: lowered, it gives what the algebra it was written from gives."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.errors import QueryError
from millstream.languages.xquery import compile_text
from millstream.model.schema import Schema
from millstream.testing.query_text import query_text
from millstream.testing.reference import evaluate
from millstream.testing.strategies import arrivals, queries, schemas


class OneSchema:
    """Streams 'items' and 'others', of one schema."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema

    def schema(self, stream_name: str, /) -> Schema:
        return self._schema

    def names(self) -> Sequence[str]:
        return ("items", "others")


@settings(max_examples=200, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_text_means_the_algebra_it_was_written_from(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema))
    arrived = data.draw(arrivals({"items": schema, "others": schema}, max_size=6, disorder=2))
    expected = evaluate(query, arrived)
    try:
        compiled = compile_text(query_text(query), OneSchema(schema))
    except QueryError as error:
        assert "can never be true" in error.message
        assert len(query.branches) > 1 or expected.results == ()
    else:
        assert evaluate(compiled, arrived) == expected
