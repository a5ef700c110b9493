"""Tick-tags: their eight fields, granularity, validity, and what is refused."""

from __future__ import annotations

import dataclasses

import pytest

from millstream.errors import ItemError
from millstream.model.tags import (
    EVERYTHING,
    INSTANT,
    Granularity,
    Mode,
    TagType,
    TickTag,
    Validity,
    parse_applicability,
    tick_tag,
)
from millstream.model.tags.mode import parse_mode
from millstream.model.tags.sign import Sign, parse_sign
from millstream.model.tags.tick_tag import parse_lifespan
from tests.model.tags.samples import MINUTE, panic_attack, running


def test_a_tag_has_eight_fields() -> None:
    names = " ".join(field.name for field in dataclasses.fields(TickTag))
    assert names == "tagger applicability content type sign lifespan mode timestamp"


def test_examples_print_as_they_are_written() -> None:
    printed = [str(panic_attack(5)), str(running(7))]
    assert printed == [
        "ann|*,*,{loc.value}|Panic Attack|objective|-|1 min|O|5",
        "ann|*,*,{measure}|Running|objective|+|30 min|O|7",
    ]


def tagged(applicability: str, lifespan: int | None = INSTANT) -> TickTag:
    return tick_tag(
        "x",
        tagger="ann",
        timestamp=0,
        applicability=parse_applicability(applicability),
        lifespan=lifespan,
    )


@pytest.mark.parametrize(
    ("applicability", "lifespan", "expected"),
    [
        ("*,*,{}", MINUTE, Granularity.STREAM),
        ("*,*,{}", INSTANT, Granularity.TUPLE),
        ("*,p7,{}", INSTANT, Granularity.TUPLE),
        ("*,p7,{}", MINUTE, Granularity.TUPLE),
        ("*,p.*,{}", MINUTE, Granularity.SUB_STREAM),
        ("*,p1|p2,{}", INSTANT, Granularity.SUB_STREAM),
        ("Patients,*,{}", MINUTE, Granularity.SUB_STREAM),
        ("*,*,{measure}", MINUTE, Granularity.ATTRIBUTE),
        ("*,*,{loc.value}", MINUTE, Granularity.VALUE),
    ],
)
def test_granularity_follows_what_a_tag_names(
    applicability: str, lifespan: int | None, expected: Granularity
) -> None:
    assert tagged(applicability, lifespan).granularities == (expected,)


def test_each_object_has_its_granularity() -> None:
    expected = (Granularity.ATTRIBUTE, Granularity.VALUE)
    assert tagged("*,*,{measure,loc.value}").granularities == expected


def test_runs_and_tuples_overwrite_each_other() -> None:
    layers = {each.layer for each in (Granularity.TUPLE, Granularity.SUB_STREAM)}
    assert layers == {Granularity.TUPLE}
    assert Granularity.STREAM.layer is Granularity.STREAM


def test_validity_excludes_its_end() -> None:
    validity = panic_attack(10).validity
    assert validity == Validity(10, 10 + MINUTE)
    held = [validity.holds_at(time) for time in (9, 10, 9 + MINUTE, 10 + MINUTE)]
    assert held == [False, True, True, False]


def test_instant_tag_waits_for_its_tuple() -> None:
    assert tagged("*,*,{}").validity == Validity(0, None)


def test_empty_content_retracts() -> None:
    tag = tick_tag("", tagger="ann", timestamp=0, mode=Mode.OVERWRITE)
    assert tag.is_retraction and not running().is_retraction


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"content": " "}, "empty-content"),
        ({"tagger": ""}, "no-tagger"),
        ({"lifespan": -1}, "bad-lifespan"),
        ({"lifespan": 0}, "bad-lifespan"),
        ({"lifespan": 10**19}, "bad-lifespan"),
        ({"content": "a\x00b"}, "bad-character"),
        ({"content": "x" * 10_001}, "too-long"),
        ({"tagger": "\ud800"}, "bad-character"),
    ],
)
def test_bad_tag_is_refused(changes: dict[str, object], code: str) -> None:
    fields: dict[str, object] = {
        "tagger": "ann",
        "applicability": EVERYTHING,
        "content": "x",
        "type": TagType.OBJECTIVE,
        "sign": Sign.NEUTRAL,
        "lifespan": INSTANT,
        "mode": Mode.COMBINE,
        "timestamp": 0,
    }
    with pytest.raises(ItemError) as caught:
        TickTag(**{**fields, **changes})  # type: ignore[arg-type]
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "expected"),
    [("O", Mode.OVERWRITE), ("overwrite", Mode.OVERWRITE), (" C ", Mode.COMBINE)],
)
def test_mode_is_read(text: str, expected: Mode) -> None:
    assert parse_mode(text) is expected


def test_unknown_mode_is_explained() -> None:
    with pytest.raises(ValueError, match="did you mean 'Overwrite'"):
        parse_mode("Overwrit")


def test_unknown_sign_is_explained() -> None:
    with pytest.raises(ValueError, match="'\\+' or '-'"):
        parse_sign("*")


def test_lifespans_are_read() -> None:
    read = [parse_lifespan(text) for text in ("I", "instant", "1 min")]
    assert read == [INSTANT, INSTANT, MINUTE]
