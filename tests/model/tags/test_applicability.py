"""What tags apply to, as text and back."""

from __future__ import annotations

import pytest
from hypothesis import given

from millstream.model.tags import Applicability, NamePattern, ObjectName, parse_applicability
from tests.model.tags.samples import APPLICABILITIES


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*,*,{}", Applicability()),
        ("*,*", Applicability()),
        ("*, *, {loc.value}", Applicability(objects=(ObjectName("loc", True),))),
        ("*,*,{measure}", Applicability(objects=(ObjectName("measure"),))),
        (
            "Pat.*,p1|p2,{pid, loc.value}",
            Applicability(
                NamePattern("Pat.*"),
                NamePattern("p1|p2"),
                (ObjectName("pid"), ObjectName("loc", True)),
            ),
        ),
        ('*,"a{1,2}",{}', Applicability(tuples=NamePattern("a{1,2}"))),
        ("*,p{2},{}", Applicability(tuples=NamePattern("p{2}"))),
        ("*,*,{coord/cel/ra}", Applicability(objects=(ObjectName("coord/cel/ra"),))),
        ("*,*,{item/@id.value}", Applicability(objects=(ObjectName("item/@id", True),))),
    ],
)
def test_applicability_is_read(text: str, expected: Applicability) -> None:
    assert parse_applicability(text) == expected


def test_applicability_is_printed_as_in_the_examples() -> None:
    assert str(parse_applicability(" * , * ,{ loc.value }")) == "*,*,{loc.value}"


@given(APPLICABILITIES)
def test_printed_applicability_is_read_again(applicability: Applicability) -> None:
    assert parse_applicability(str(applicability)) == applicability


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("*", "a pattern for streams, one for tuples"),
        ("", "expected a pattern"),
        (",*,{}", "expected a pattern"),
        ("*,*,loc", "objects in braces"),
        ("*,*,{loc", "objects in braces"),
        ("*,*,{a,,b}", "not the name of an attribute"),
        ("*,*,{.value}", "not the name of an attribute"),
        ("*,*,{a,a}", "named twice"),
        ("*,(,{}", "not a pattern"),
        ("*,*,{},x", "objects in braces"),
    ],
)
def test_bad_applicability_is_explained(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_applicability(text)
