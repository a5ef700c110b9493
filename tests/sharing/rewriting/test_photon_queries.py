"""The seed's four queries: what runs where each taps a stream, and what is left of it."""

from __future__ import annotations

from textwrap import dedent

from millstream.algebra.explain import explain
from millstream.algebra.expressions import TRUE
from millstream.algebra.operators import Query
from millstream.generators.photon_queries import AVERAGE_20, AVERAGE_60, RXJ, VELA
from millstream.languages.xquery import compile_text
from millstream.model.schema import Schema
from millstream.sharing.predicates import residual
from millstream.sharing.properties import Input, WindowProperties, original
from millstream.sharing.reading_properties import properties_of
from millstream.sharing.rewriting import (
    Place,
    WindowItems,
    items_tap,
    post_processing,
    projected,
    windows_tap,
)
from tests.languages.streams import PHOTONS, Streams


def compiled(text: str) -> tuple[Query, Input]:
    query = compile_text(text, Streams())
    return query, properties_of(query).inputs[0]


Q1, VELA_ITEMS = compiled(VELA)
Q2, RXJ_ITEMS = compiled(RXJ)
Q3, FINE = compiled(AVERAGE_20)
Q4, COARSE = compiled(AVERAGE_60)
NARROW = projected(PHOTONS, VELA_ITEMS.output)


def place(stream: str, schema: Schema, asked: Input, held: Input) -> Place:
    rest = residual(asked.selection, held.selection).expression()
    return Place(stream, schema, TRUE if rest is None else rest)


def carried(asked: Input) -> WindowItems:
    assert isinstance(asked.window, WindowProperties)
    return WindowItems.of(asked.window, PHOTONS)


def shown(query: Query, text: str) -> None:
    assert explain(query) == dedent(text).strip()


def test_query_1_selects_at_the_source() -> None:
    shown(
        items_tap(place("photons", PHOTONS, VELA_ITEMS, original("photons", PHOTONS))),
        """
        Query without a root
          Construct ()
            Select $item/coord/cel/ra >= 120.0 and $item/coord/cel/ra <= 138.0 \
and $item/coord/cel/dec >= -49.0 and $item/coord/cel/dec <= -40.0
              Scan photons as $item
        """,
    )


def test_query_1_is_sent_without_the_coordinates_of_the_detector() -> None:
    kept = [str(leaf) for leaf in NARROW.leaves()]
    assert kept == ["coord/cel/ra", "coord/cel/dec", "phc", "en", "det_time"]


def test_nothing_is_left_of_query_1_but_its_result() -> None:
    shown(
        post_processing(Q1, [place("vela@SP1", NARROW, VELA_ITEMS, VELA_ITEMS)]),
        """
        Query <photons> … </photons>
          Construct <vela>{ $p/coord/cel/ra }{ $p/coord/cel/dec }{ $p/phc }{ $p/en }\
{ $p/det_time }</vela>
            Scan vela@SP1 as $p
        """,
    )


def test_query_2_selects_further() -> None:
    shown(
        items_tap(place("vela@SP5", NARROW, RXJ_ITEMS, VELA_ITEMS)),
        """
        Query without a root
          Construct ()
            Select $item/en >= 1.3 and $item/coord/cel/ra >= 130.5 and $item/coord/cel/ra <= 135.5 \
and $item/coord/cel/dec >= -48.0 and $item/coord/cel/dec <= -45.0
              Scan vela@SP5 as $item
        """,
    )


def test_query_3_aggregates_what_query_1_selected() -> None:
    shown(
        windows_tap(
            Q3.branches[0],
            place("vela@SP1", NARROW, FINE, VELA_ITEMS),
            carried(FINE),
            filtered=False,
        ),
        """
        Query without a root
          Construct <window><start>{ $start }</start><a0>{ $a0 }</a0><a1>{ $a1 }</a1>\
<a2>{ $a2 }</a2></window>
            Window |det_time diff 20 step 10| as $w starting at $start with \
$a0 := count($w/en) as integer, $a1 := sum($w/en) as decimal, $a2 := values($w/en) as integer
              Scan vela@SP1 as $photon
        """,
    )


def test_query_4_lays_the_windows_of_query_3_end_to_end() -> None:
    fine = carried(FINE)
    shown(
        windows_tap(
            Q4.branches[0],
            Place("average_20@SP3", fine.schema, windows=fine),
            carried(COARSE),
            filtered=True,
        ),
        """
        Query without a root
          Construct <window><start>{ $start }</start><a0>{ $a0 }</a0><a1>{ $a1 }</a1>\
<a2>{ $a2 }</a2></window>
            Select $a >= 1.3
              Window |start diff 60 step 40| as $w of tiles of 20 starting at $start with \
$a := avg($w/a1, $w/a2) as decimal, $a0 := sum($w/a0) as integer, \
$a1 := sum($w/a1) as decimal, $a2 := sum($w/a2) as integer ending by run
                Scan average_20@SP3 as $photon
        """,
    )


def test_averages_are_divided_where_the_result_is_made() -> None:
    coarse = carried(COARSE)
    shown(
        post_processing(Q4, [Place("average_60@SP2", coarse.schema, windows=coarse)]),
        """
        Query <photons> … </photons>
          Construct <avg_en>{ $a }</avg_en>
            Select $a >= 1.3
              Window |start diff 60 step 40| as $w of tiles of 60 with \
$a := avg($w/a1, $w/a2) as decimal ending by run
                Scan average_60@SP2 as $photon
        """,
    )
