"""The slips of the printed scenario are put right, and nothing else is touched."""

from __future__ import annotations

import pytest

from millstream.scenarios.scenario import ScenarioQuery
from millstream.scenarios.slips import corrected
from tests.languages.streams import PHOTONS

VELA = (
    "where $p/coord/cel/ra >= 120.0 and $p/coord/cel/ra <= {east} "
    "and $p/coord/cel/dec >= -49.0 and $p/coord/cel/dec <= -40.0"
)


def read(*texts: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    queries = [ScenarioQuery(f"Q{number}", text, "SP0") for number, text in enumerate(texts)]
    result, notes = corrected(queries, [PHOTONS])
    return tuple(each.text for each in result), notes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{$p/phc} {$p/det-time}", "{$p/phc} {$p/det_time}"),
        ("|det-time diff 20|", "|det_time diff 20|"),
        ("[det-time > 3]", "[det_time > 3]"),
    ],
)
def test_hyphen_becomes_what_the_schema_has(text: str, expected: str) -> None:
    assert read(text)[0] == (expected,)


def test_note_on_a_name_stands_once() -> None:
    _, notes = read("det-time det-time", "det_time")
    assert notes == ("query Q0: det-time is read as det_time, which the schema has",)


@pytest.mark.parametrize(
    "text",
    [
        "$p/det_time",
        "$p/time-det",
        '<a b="det-time">{ "det-time" }</a>',
        "'det-time'",
        "<det-time>{ $p/en }</det-time>",
        "$det-time + 1",
        "det-time()",
        "distinct-values($p/en)",
        "5 - 3",
    ],
)
def test_all_else_is_kept(text: str) -> None:
    assert read(text) == ((text,), ())


def test_bound_of_the_region_becomes_that_of_the_others() -> None:
    texts, notes = read(VELA.format(east="138.0"), VELA.format(east="138.8"))
    assert set(texts) == {VELA.format(east="138.0")}
    assert notes == ("query Q1: 138.8 is read as 138.0, as other queries say",)


@pytest.mark.parametrize(
    "texts",
    [
        (VELA.format(east="138.8"),),
        (VELA.format(east="138.0"), VELA.format(east="138.85")),
        (VELA.format(east="138.0"), "where $p/coord/cel/ra <= 138.8"),
        (VELA.format(east="138.0"), "where $p/en <= 138.8"),
    ],
)
def test_other_bounds_are_meant(texts: tuple[str, ...]) -> None:
    assert read(*texts) == (texts, ())
