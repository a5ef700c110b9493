"""Fillers as they travel: what is read, and what is wrong with the others."""

from __future__ import annotations

import pytest

from millstream.errors import ItemError
from millstream.history.filler import read_filler
from millstream.model.filler import FillerKey, filler_text
from tests.history.credit import ALL, PIZZA, STRUCTURE, time

TIME = 'validTime="2003-10-23T12:23:34"'


def wrapped(content: str, *, id: str = "9", tsid: str = "5") -> str:
    return f'<filler id="{id}" tsid="{tsid}" {TIME}>{content}</filler>'


@pytest.mark.parametrize("filler", ALL)
def test_writing_and_reading_agree(filler: object) -> None:
    assert read_filler(filler_text(filler), STRUCTURE).filler == filler  # type: ignore[arg-type]


def test_the_filler_of_the_paper_is_read() -> None:
    text = """<filler id="100" tsid="5"
        validTime="2003-10-23T12:23:34">
  <transaction id="12345">
    <vendor> Southlake Pizza </vendor>
    <amount> 38.20 </amount>
    <hole id="200" tsid="7"/>
  </transaction>
</filler>"""
    checked = read_filler(text, STRUCTURE)
    assert (checked.filler.key, checked.filler.valid_time) == (
        FillerKey(100, 5),
        time("2003-10-23T12:23:34"),
    )
    assert checked.body.holes == (FillerKey(200, 7),)
    assert checked.filler.content.startswith('<transaction id="12345">')


def test_the_content_is_cut_at_its_holes() -> None:
    body = read_filler(filler_text(PIZZA), STRUCTURE).body
    assert body.pieces == (
        "<transaction><vendor>Pizza</vendor>",
        "<amount>38.20</amount></transaction>",
    )


def test_what_looks_like_a_hole_is_none() -> None:
    content = (
        '<transaction><!-- <hole id="1" tsid="7"/> --><hole id="4" tsid="7"></hole>'
        '<vendor a="&lt;hole/&gt;"><![CDATA[<hole id="1"/>]]></vendor></transaction>'
    )
    body = read_filler(wrapped(content), STRUCTURE).body
    assert body.pieces == (
        '<transaction><!-- <hole id="1" tsid="7"/> -->',
        '<vendor a="&lt;hole/&gt;">&lt;hole id="1"/&gt;</vendor></transaction>',
    )


@pytest.mark.parametrize("start", ["<status/>", '<status a="&gt;"/>', "<status>x</status>"])
def test_attributes_are_added_to_the_start_tag(start: str) -> None:
    body = read_filler(wrapped(start, tsid="7"), STRUCTURE).body
    assert body.with_attributes('b="2"') == (
        start.replace("/>", ' b="2"/>').replace("<status>", '<status b="2">'),
    )


def test_prefixes_need_no_namespace() -> None:
    content = '<transaction x:y="1"><vendor/></transaction>'
    assert read_filler(wrapped(content), STRUCTURE).filler.content == content


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        (wrapped("<transaction>", id="9"), "malformed", "not XML"),
        (wrapped("<transaction>&nbsp;</transaction>"), "malformed", "nbsp"),
        (wrapped("<transaction/>", tsid="99"), "unknown-tsid", "tsid 99"),
        (wrapped("<transaction/>", id="x"), "bad-id", "'x' of the filler"),
        (f'<filler tsid="5" {TIME}><transaction/></filler>', "bad-id", "has no id"),
        ('<filler id="1" tsid="5"><transaction/></filler>', "missing-valid-time", "no validTime"),
        (
            '<filler id="1" tsid="5" validTime="2003-11-1T10:12:56"><transaction/></filler>',
            "bad-valid-time",
            "not a date or time",
        ),
        (
            '<filler id="1" tsid="5" validTime="2003-02-30"><transaction/></filler>',
            "bad-valid-time",
            "no such date",
        ),
        (wrapped("<status/>"), "breaks-structure", "tsid 5 is transaction"),
        (wrapped(""), "breaks-structure", "no element"),
        (wrapped("<transaction/><transaction/>"), "breaks-structure", "2 elements"),
        (wrapped("why <transaction/>"), "breaks-structure", "text stands beside"),
        (wrapped("<vendor/>", tsid="6"), "breaks-structure", "a snapshot"),
        (wrapped("<creditAccounts/>", tsid="1"), "breaks-structure", "holds the root"),
        (wrapped("<transaction/>", id="0"), "breaks-structure", "is the root's"),
        (
            wrapped("<transaction><vendr/></transaction>"),
            "breaks-structure",
            "vendr cannot stand in creditAccounts/account/transaction",
        ),
        (wrapped("<transaction><status/></transaction>"), "breaks-structure", "stands inline"),
        (wrapped('<transaction vtFrom="x"/>'), "breaks-structure", "no attribute vtFrom"),
        (
            wrapped('<transaction><hole id="4" tsid="4"/></transaction>'),
            "breaks-structure",
            "creditAccounts/account/creditLimit cannot stand in",
        ),
        (
            wrapped('<transaction><vendor><hole id="4" tsid="7"/></vendor></transaction>'),
            "breaks-structure",
            "status cannot stand in .*vendor",
        ),
        (
            wrapped('<transaction><hole id="4" tsid="7"/><hole id="4" tsid="7"/></transaction>'),
            "breaks-structure",
            "twice",
        ),
        (wrapped('<transaction><hole id="4" tsid="77"/></transaction>'), "unknown-tsid", "hole 4"),
        (wrapped('<transaction><hole tsid="7"/></transaction>'), "bad-id", "hole has no id"),
        (wrapped('<transaction><hole id="4" tsid="2"/></transaction>'), "cyclic-hole", "cyclic"),
        (wrapped('<transaction><hole id="4" tsid="5"/></transaction>'), "cyclic-hole", "cyclic"),
        (wrapped('<transaction><hole id="9" tsid="7"/></transaction>'), "cyclic-hole", "itself"),
        (
            wrapped("<transaction><vendor><transaction/></vendor></transaction>"),
            "too-deep",
            "nested deeper",
        ),
        (wrapped("<transaction>\udcff</transaction>"), "malformed", "encoding"),
    ],
)
def test_a_bad_filler_is_told(text: str, code: str, message: str) -> None:
    with pytest.raises(ItemError, match=message) as caught:
        read_filler(text, STRUCTURE)
    assert caught.value.code == code
