"""Every statement has a place in the algebra."""

from __future__ import annotations

import pytest

from millstream.algebra.explain import explain
from millstream.algebra.expressions import NewTuple
from millstream.algebra.operators import Query
from millstream.algebra.query_json import query_from_json, query_to_json
from millstream.algebra.walk import rename
from millstream.errors import QueryError
from millstream.languages.tagql import parse
from millstream.languages.tagql.lowering import lower
from millstream.model.schema import Content, Element, Occurs, Schema
from millstream.model.tags import StreamShape
from millstream.model.tags.stream_shape import TuplePaths
from tests.languages.tagql.examples import CATALOG, EXAMPLES


class Catalog:
    """The streams of the examples, ordered by their time where they have one."""

    def names(self) -> tuple[str, ...]:
        return tuple(CATALOG)

    def schema(self, stream: str) -> Schema:
        children = tuple(
            Element(each.name, Occurs.OPTIONAL, type=each.type)
            for each in CATALOG[stream].attributes
        )
        return Schema("stream", Element("tuple", content=Content.NESTED, children=children))

    def shape(self, stream: str) -> StreamShape:
        return CATALOG[stream]

    def tuple_paths(self, stream: str) -> TuplePaths:
        return TuplePaths(("pid",) if stream == "Animals" else (CATALOG[stream].names[-1],))


def lowered(text: str) -> Query:
    return lower(parse(text), Catalog())


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples_are_stored_and_read_back(name: str) -> None:
    query = lowered(EXAMPLES[name])
    assert query_from_json(query_to_json(query), Catalog().schema) == query


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_names_do_not_matter_to_equality(name: str) -> None:
    (branch,) = lowered(EXAMPLES[name]).branches
    there = rename(branch, {"A": "X", "Patients": "Y"})
    assert rename(there, {"X": "A", "Y": "Patients"}) == branch


def test_data_is_asked_before_tags() -> None:
    query = lowered("SELECT TAGGED OBJECTS FROM Patients WHERE TAG = 'x' AND measure > 80")
    expected = [
        'SelectTagged with $tag of Patients on $Patients where $tag of Patients/content = "x"',
        "Select $Patients/measure > 80",
        "Tuples at $Patients/time named by position",
        "Scan Patients as $Patients",
    ]
    assert [line.strip() for line in explain(query).splitlines()[2:]] == expected


def test_an_equality_join_makes_one_attribute_of_two() -> None:
    query = lowered(
        "SELECT * FROM Patients A [1 min], Animals B [1 min] WHERE A.pid = B.pid WITH TAGS"
    )
    (branch,) = query.branches
    assert isinstance(branch.template, NewTuple)
    first, *_, last = branch.template.columns
    assert first.sources == (("A", "pid"), ("B", "pid"))
    assert (last.name, last.sources) == ("B.loc", (("B", "loc"),))


def test_columns_get_names_that_travel() -> None:
    query = lowered("SELECT AVG(measure), COUNT(*), MIN(measure) AS least FROM Patients [1 min]")
    template = query.branches[0].template
    assert isinstance(template, NewTuple)
    assert [each.name for each in template.columns] == ["AVG_measure", "COUNT", "least"]


def test_values_of_different_kinds_are_not_related() -> None:
    assert "Select false()" in explain(lowered("SELECT pid FROM Patients WHERE pid > 80"))


def test_windows_need_a_time() -> None:
    class Timeless(Catalog):
        def tuple_paths(self, stream: str) -> TuplePaths:
            return TuplePaths()

    with pytest.raises(QueryError, match="have no time"):
        lower(parse("SELECT COUNT(*) FROM Patients [1 min]"), Timeless())
