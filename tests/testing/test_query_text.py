"""Queries of the algebra as WXQuery text."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from millstream.algebra.expressions import Compare, Literal, NewElement, PathTo
from millstream.algebra.operators import Join, Query, Select, Unnest, Window
from millstream.languages.xquery import parse, unparse
from millstream.model.schema import ValueType
from millstream.model.window import WindowKind, WindowSpec
from millstream.testing.query_text import query_text
from millstream.testing.strategies import queries, schemas
from tests.testing.photons import PHOTON, SCAN, aggregation, path, query

BRIGHT = Compare(">", path("en"), Literal(1))


def test_conditions_on_items_stand_in_the_where_clause() -> None:
    notes = Unnest(Select(SCAN, BRIGHT), "n", path("note"), PHOTON.children[5])
    expected = (
        'for $p in stream("photons")/photons/photon for $n in $p/note '
        "where ($p/en > 1) return $n/@by"
    )
    assert query_text(query(notes, path("@by", "n"))) == expected


def test_conditions_below_windows_stand_in_the_path() -> None:
    spec = WindowSpec(WindowKind.DIFF, 4, 2, ("det_time",))
    average = aggregation("a", "avg", "en", ValueType.DECIMAL)
    window = Select(Window(Select(SCAN, BRIGHT), "w", spec, (average,)), PathTo("a"))
    expected = (
        'for $w in stream("photons")/photons/photon[en > 1]|det_time diff 4 step 2| '
        "let $a := avg($w/en) where ($a) return <a>{ $a }</a>"
    )
    assert query_text(query(window, NewElement("a", (), (PathTo("a"),)))) == expected


def test_branches_stand_side_by_side_in_the_root() -> None:
    branch = query(SCAN, PathTo("p")).branches[0]
    flwor = 'for $p in stream("photons")/photons/photon return $p'
    assert query_text(Query((branch, branch))) == f"({flwor}), ({flwor})"
    expected = f"<out>{{ {flwor} }}{{ {flwor} }}</out>"
    assert query_text(Query((branch, branch), "<out>", "</out>")) == expected


def test_pairs_are_two_for_clauses() -> None:
    other = type(SCAN)("others", "q", SCAN.schema)
    join = Join(SCAN, other, Compare("=", path("phc"), path("phc", "q")))
    expected = (
        'for $p in stream("photons")/photons/photon for $q in stream("others")/photons/photon '
        "where ($p/phc = $q/phc) return $q"
    )
    assert query_text(query(join, PathTo("q"))) == expected


@settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_random_queries_are_well_written(data: st.DataObject) -> None:
    text = query_text(data.draw(queries(data.draw(schemas()))))
    tree = parse(text)
    assert parse(unparse(tree)) == tree
