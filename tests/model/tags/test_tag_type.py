"""The type of a tag is told by its words and their shape."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.tags import TagType, default_classifier, tick_tag
from millstream.model.tags.tag_type import parse_type


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("3 Car Accident", TagType.OBJECTIVE),
        ("Thunderstorm", TagType.OBJECTIVE),
        ("Heat-Then-Measure", TagType.OBJECTIVE),
        ("Accident, 2 cars, Near Exit 12", TagType.OBJECTIVE),
        ("Bad Smell", TagType.SUBJECTIVE),
        ("Nice", TagType.SUBJECTIVE),
        ("Awful", TagType.SUBJECTIVE),
        ("Interesting", TagType.SUBJECTIVE),
        ("Nice Weather", TagType.SUBJECTIVE),
        ("Happy", TagType.SUBJECTIVE),
        ("self-loathing", TagType.SUBJECTIVE),
        ("Broken Light", TagType.PHYSICAL),
        ("Icy Road", TagType.PHYSICAL),
        ("ZZZ", TagType.ACRONYM),
        ("GFC", TagType.ACRONYM),
        ("911", TagType.ACRONYM),
        ("U.S.A.", TagType.ACRONYM),
        ("J", TagType.JUNK),
        ("FJKDSLAD", TagType.JUNK),
        ("!!", TagType.JUNK),
        ("快乐", TagType.OBJECTIVE),
        ("快", TagType.OBJECTIVE),
    ],
)
def test_content_has_its_type(content: str, expected: TagType) -> None:
    assert default_classifier()(content) is expected


def test_classifier_can_be_replaced() -> None:
    tag = tick_tag("Nice", tagger="ann", timestamp=0, classify=lambda content: TagType.JUNK)
    assert tag.type is TagType.JUNK


@given(st.text())
def test_any_content_has_a_type(content: str) -> None:
    assert isinstance(default_classifier()(content), TagType)


def test_unknown_type_is_explained() -> None:
    with pytest.raises(ValueError, match="did you mean 'subjective'"):
        parse_type("subjectiv")
