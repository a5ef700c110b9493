"""Cutting a stream into pieces, and that no bytes make it slow."""

from __future__ import annotations

import time

import pytest

from millstream.model.schema import Content, Element, Schema
from millstream.runtime.parsing.parser import parser_for
from millstream.runtime.parsing.xml_markup import Markup
from millstream.runtime.parsing.xml_pieces import Cutter
from tests.runtime.parsing.shapes import PHOTONS, leaf

PLAIN = Markup.of(Schema("r", leaf("i")))
NESTING = Markup.of(Schema("r", Element("i", content=Content.RAW)))


def pieces(data: bytes, markup: Markup = PLAIN) -> list[tuple[str, bytes]]:
    cutter = Cutter(data, markup)
    found, position = [], 0
    while position < len(data):
        piece = cutter.piece(position)
        found.append((piece.kind.name, data[position : piece.end]))
        position = piece.end
    return found


def test_item_name_is_a_whole_name() -> None:
    assert pieces(b"<i2>x</i2><i >y</i\n>") == [("TEXT", b"<i2>x</i2>"), ("ITEM", b"<i >y</i\n>")]


def test_quoted_values_may_hold_closing_brackets() -> None:
    data = b"""<i a="/>" b='"'>x</i><i a=">"/>"""
    assert [kind for kind, _ in pieces(data)] == ["ITEM", "ITEM"]


def test_hidden_tags_do_not_count() -> None:
    data = b"<i><!-- </i> --><![CDATA[<i></i>]]><?x </i>?></i>"
    assert pieces(data) == [("ITEM", data)]
    assert pieces(data, NESTING) == [("ITEM", data)]


def test_nesting_is_counted_where_items_may_nest() -> None:
    data = b"<i><i/><i>x</i></i><i/>"
    assert [text for _, text in pieces(data, NESTING)] == [data[:-4], b"<i/>"]
    assert next(kind for kind, _ in pieces(data)) == "UNCLOSED"


def test_gap_is_one_piece() -> None:
    subset = b"<!ENTITY a '<i>]'> %b; <!-- don't - ]> --><?p ? ]> ?>"
    gap = b"\n<!-- <i> --> <?p?></r><!DOCTYPE r [" + subset + b"] >\n<r x='>'>"
    assert pieces(gap + b"<i/>" + gap) == [("GAP", gap), ("ITEM", b"<i/>"), ("GAP", gap)]


@pytest.mark.parametrize("broken", [b"<!-- ", b"<? ", b"<!DOCTYPE r ", b"<!DOCTYPE r [", b"<r "])
def test_broken_filling_is_text(broken: bytes) -> None:
    assert pieces(broken + b"<i>x</i>") == [("TEXT", broken), ("ITEM", b"<i>x</i>")]


def test_mark_that_is_lacking_late_is_found_early() -> None:
    # The first item has no end, so tags are paired up to the broken comment at the end.
    data = b"<i><!-- <i> --><i>x</i><!-- y --><i>z</i><!-- "
    kinds = [kind for kind, _ in pieces(data, NESTING)]
    assert kinds == ["UNCLOSED", "ITEM", "GAP", "ITEM", "TEXT"]


HOSTILE = [
    b"<!--",
    b"<?",
    b"<![CDATA[",
    b"<!DOCTYPE r [<!--",
    b'<!DOCTYPE r "',
    b"<!DOCTYPE r [<!ENTITY a '",
    b"<photon>",
    b"<photon a='",
    b"<photon><!--",
    b"</photon>",
    b"<photons",
    b"<photons a='",
    b"<photon><coord><cel><ra>",
    b"\xff",
    b"&",
]


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("raw", [False, True])
def test_time_grows_with_the_data_alone(hostile: bytes, raw: bool) -> None:
    schema = Schema("photons", Element("photon", content=Content.RAW)) if raw else PHOTONS
    parser = parser_for("xml", schema)
    begin = time.process_time()
    parser.parse(hostile * (400_000 // len(hostile)))
    assert time.process_time() - begin < 10
