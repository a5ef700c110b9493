"""Lifespans: which instants lie in them, what clipping leaves, what covers several."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millstream.model.lifespan import Lifespan, cover, format_instant

DAY = datetime(2003, 11, 1, tzinfo=UTC)


def day(number: int | None) -> datetime | None:
    return None if number is None else DAY + timedelta(days=number)


def lifespan(begin: int | None, end: int | None, included: bool = False) -> Lifespan:
    return Lifespan(day(begin), day(end), included)


# day        1    2    3    4
# version         [         )
# event           |
VERSION = lifespan(2, 4)
EVENT = Lifespan.at(DAY + timedelta(days=2))


@pytest.mark.parametrize(
    ("given", "held"), [(VERSION, [2, 3]), (EVENT, [2]), (lifespan(None, 2), [1])]
)
def test_instants_lie_in_it(given: Lifespan, held: list[int]) -> None:
    assert [n for n in range(1, 6) if given.holds_at(DAY + timedelta(days=n))] == held


def test_an_open_end_is_later_than_every_time() -> None:
    assert lifespan(2, None).holds_at(datetime.max.replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("given", "begin", "end", "expected"),
    [
        (VERSION, 1, 3, lifespan(2, 3, True)),
        (VERSION, 3, 9, lifespan(3, 4)),
        (VERSION, 3, 3, lifespan(3, 3, True)),
        (VERSION, 4, 5, None),
        (VERSION, 0, 1, None),
        (VERSION, 0, 2, lifespan(2, 2, True)),
        (VERSION, 3, 2, None),
        (VERSION, None, None, VERSION),
        (EVENT, 2, 2, EVENT),
        (EVENT, 3, 4, None),
        (lifespan(2, None), 3, 5, lifespan(3, 5, True)),
        (lifespan(2, None), 3, None, lifespan(3, None)),
        (lifespan(None, None), 1, 2, lifespan(1, 2, True)),
    ],
)
def test_clipping_keeps_what_lies_between(
    given: Lifespan, begin: int | None, end: int | None, expected: Lifespan | None
) -> None:
    assert given.clip(day(begin), day(end)) == expected


numbers = st.none() | st.integers(0, 6)
lifespans = st.builds(lifespan, numbers, numbers, st.booleans()).filter(lambda it: not it.is_empty)


@given(lifespans, st.integers(0, 6), st.integers(0, 6))
def test_clipping_keeps_exactly_the_instants_between(given: Lifespan, begin: int, end: int) -> None:
    clipped = given.clip(day(begin), day(end))
    # Half days show whether an end is included.
    for half in range(-1, 15):
        instant = DAY + timedelta(hours=12 * half)
        inside = given.holds_at(instant) and begin <= half / 2 <= end
        assert inside == (clipped is not None and clipped.holds_at(instant))


@given(st.lists(lifespans, min_size=1, max_size=4))
def test_a_cover_holds_whenever_one_does(given: list[Lifespan]) -> None:
    covering = cover(given)
    for half in range(-1, 15):
        instant = DAY + timedelta(hours=12 * half)
        if any(each.holds_at(instant) for each in given):
            assert covering.holds_at(instant)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], lifespan(None, None)),
        ([VERSION, lifespan(5, 6)], lifespan(2, 6)),
        ([lifespan(1, 4), lifespan(4, 4, True)], lifespan(1, 4, True)),
        ([VERSION, lifespan(1, None)], lifespan(1, None)),
        ([VERSION, lifespan(None, 1)], lifespan(None, 4)),
    ],
)
def test_a_cover_is_the_smallest(given: list[Lifespan], expected: Lifespan) -> None:
    assert cover(given) == expected


@pytest.mark.parametrize(
    ("instant", "shown"),
    [
        (DAY, "2003-11-01T00:00:00"),
        (DAY + timedelta(milliseconds=250), "2003-11-01T00:00:00.25"),
        (
            datetime(2003, 11, 1, 2, tzinfo=timezone(timedelta(hours=2))),
            "2003-11-01T00:00:00",
        ),
    ],
)
def test_instants_are_shown_in_utc(instant: datetime, shown: str) -> None:
    assert format_instant(instant) == shown


def test_a_lifespan_shows_its_ends() -> None:
    assert [str(each) for each in (lifespan(None, None), EVENT)] == [
        "[start, now)",
        "[2003-11-03T00:00:00, 2003-11-03T00:00:00]",
    ]
