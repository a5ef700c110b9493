"""A stored query is read back as it was."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.algebra.expressions import Compare, Literal, PathTo, Step
from millstream.algebra.operators import Construct, Query, Scan, Select
from millstream.algebra.query_json import query_from_json, query_to_json
from millstream.errors import StateError
from millstream.generators.photon_queries import PHOTON_QUERIES
from millstream.languages.xquery import compile_text
from millstream.model.schema import Schema
from millstream.testing.strategies import Shape, queries, schemas
from tests.languages.streams import PHOTONS, Streams


def read_back(query: Query, schema: Schema) -> Query:
    return query_from_json(json.loads(json.dumps(query_to_json(query))), lambda stream: schema)


@pytest.mark.parametrize("name", PHOTON_QUERIES)
def test_photon_queries(name: str) -> None:
    query = compile_text(PHOTON_QUERIES[name], Streams())
    assert read_back(query, PHOTONS) == query


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_query(data: st.DataObject) -> None:
    schema = data.draw(schemas())
    query = data.draw(queries(schema, shapes=tuple(Shape)))
    assert read_back(query, schema) == query


@pytest.mark.parametrize("value", [1, True, 1.0, Decimal("1"), Decimal("1.30"), 1e300, "1"])
def test_literals_keep_their_kind(value: int | float | Decimal | str) -> None:
    comparison = Compare("=", PathTo("p", (Step("en"),)), Literal(value))
    query = Query((Construct(Select(Scan("photons", "p", PHOTONS), comparison), PathTo("p")),))
    assert read_back(query, PHOTONS) == query


@pytest.mark.parametrize("content", [{}, {"is": "Nothing"}, {"is": "Scan"}, {"is": "Literal"}])
def test_damaged_query_is_a_clear_error(content: dict[str, str]) -> None:
    with pytest.raises(StateError, match="a stored query cannot be read"):
        query_from_json(content, lambda stream: PHOTONS)
