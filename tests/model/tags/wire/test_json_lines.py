"""JSON lines: what a line says, and what is wrong with one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.tags import Placed, StreamTuple, parse_stix
from millstream.model.tags.wire import BadElement, WireOptions, read_json_lines, write_json_lines
from tests.model.tags.samples import PATIENTS, panic_attack

OPTIONS = WireOptions(PATIENTS, tagger="bob")
TUPLE = '{"tuple": {"id": "p1", "time": 2.5, "attributes": {"pid": "p1", "measure": 81}}}'


def read(*lines: str) -> list[object]:
    return list(read_json_lines(lines, OPTIONS))


def test_elements_have_the_documented_form() -> None:
    battery = StreamTuple("p1", 2_500_000, ("p1", "81", "home", "0.50", "M3"))
    elements = [panic_attack(1_000_000), parse_stix("(1)1"), battery]
    assert list(write_json_lines(elements, OPTIONS)) == [
        '{"tag": {"tagger": "ann", "applicability": "*,*,{loc.value}", "type": "objective", '
        '"sign": "-", "lifespan": "1 min", "mode": "O", "time": 1, "content": "Panic Attack"}}',
        '{"stix": "(1)1"}',
        '{"tuple": {"id": "p1", "time": 2.5, "attributes": {"pid": "p1", "measure": 81, '
        '"loc": "home", "device": {"battery": 0.50, "@model": "M3"}}}}',
    ]


def test_missing_attributes_are_missing() -> None:
    assert read(TUPLE) == [Placed(0, StreamTuple("p1", 2_500_000, ("p1", "81", None, None, None)))]


def test_a_tag_needs_only_its_content() -> None:
    tag = read('{"tag": {"content": "Nice"}}', TUPLE)[0]
    assert isinstance(tag, Placed)
    expected = "bob|*,*,{}|Nice|subjective||I|C|2500000"
    assert str(tag.element) == expected


def test_a_tag_without_time_gets_that_of_the_stream() -> None:
    late = TUPLE.replace("2.5", "1")
    tags = read(TUPLE, late, '{"tag": {"content": "a"}}', TUPLE.replace("2.5", "9"))
    assert isinstance(tags[2], Placed) and str(tags[2].element).endswith("|2500000")


def test_a_tag_that_no_tuple_gives_a_time_is_bad() -> None:
    (bad,) = read('{"tag": {"content": "a"}}')
    assert isinstance(bad, BadElement) and bad.error.code == "no-time"


def test_bad_lines_keep_their_place() -> None:
    good, bad, last = read(TUPLE, "", "{", "", TUPLE)
    assert isinstance(bad, BadElement) and (bad.position, bad.line, bad.raw) == (1, 3, "{")
    assert isinstance(good, Placed) and isinstance(last, Placed) and last.position == 2
    assert str(bad).startswith("line 3: the line is not JSON")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("[1]", "malformed"),
        ('{"tag": {}, "stix": "(1)1"}', "malformed"),
        ('{"tagg": {"content": "x"}}', "malformed"),
        ('{"stix": 5}', "bad-stix"),
        ('{"stix": {}}', "malformed"),
        ('{"stix": "(0)1"}', "bad-stix"),
        ('{"tag": {"content": 5}}', "no-time"),
        ('{"tag": {"content": true}}', "malformed"),
        ('{"tag": {"content": "x", "sign": "!"}}', "bad-sign"),
        ('{"tag": {"content": "x", "mode": "X"}}', "bad-mode"),
        ('{"tag": {"content": "x", "lifespan": "-1 min"}}', "bad-lifespan"),
        ('{"tag": {"content": "x", "type": "silly"}}', "bad-type"),
        ('{"tag": {"content": "x", "time": "soon"}}', "bad-time"),
        ('{"tag": {"content": "x", "color": "red"}}', "unknown-name"),
        ('{"tag": {"content": "x", "sign": null}}', "malformed"),
        ('{"tag": {"content": "x", "content": "y"}}', "malformed"),
        ('{"tag": {"content": ""}}', "empty-content"),
        ('{"tag": {"content": "x", "applicability": "*,(,{}"}}', "bad-applicability"),
        ('{"tag": {"content": "x", "applicability": "Animals,*,{}"}}', "unknown-stream"),
        ('{"tag": {"content": "x", "applicability": "*,*,{lok}"}}', "unknown-attribute"),
        ('{"tuple": {"time": 1}}', "no-id"),
        ('{"tuple": {"id": "a"}}', "no-time"),
        ('{"tuple": {"id": "a", "time": 1, "attributes": []}}', "malformed"),
        ('{"tuple": {"id": "a", "time": 1, "attributes": {"measure": "x"}}}', "bad-value"),
        ('{"tuple": {"id": "a", "time": 1, "attributes": {"mesure": 1}}}', "unknown-name"),
        ('{"tuple": {"id": "a", "time": 1, "attributes": {"pid": [1]}}}', "repeated-attribute"),
        ('{"tuple": {"id": "a", "time": NaN}}', "malformed"),
        ("[" * 100_000, "malformed"),
    ],
)
def test_bad_line_is_explained(line: str, code: str) -> None:
    (bad,) = read(line)
    assert isinstance(bad, BadElement) and bad.error.code == code


def test_a_tagger_is_needed() -> None:
    (bad,) = read_json_lines(['{"tag": {"content": "x", "time": 1}}'], WireOptions(PATIENTS))
    assert isinstance(bad, BadElement) and bad.error.code == "no-tagger"


@given(st.lists(st.text(max_size=20), max_size=5))
def test_any_line_is_read_or_explained(lines: list[str]) -> None:
    found = read(*lines)
    assert len(found) == sum(1 for line in lines if line.strip())
