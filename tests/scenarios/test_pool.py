"""Queries drawn from templates."""

from __future__ import annotations

from collections import Counter

import pytest

from millstream.errors import SchemaError
from millstream.languages.xquery import compile_text
from millstream.scenarios.photon_pool import PHOTON_TEMPLATES, PHOTON_VALUES
from millstream.scenarios.pool import Choice, Pool
from tests.languages.streams import Streams


def pool(*templates: str, **values: tuple[Choice, ...]) -> Pool:
    return Pool(templates, values, streams=("photons",), peers=("SP0", "SP1"))


PHOTONS = Pool(PHOTON_TEMPLATES, PHOTON_VALUES, ("photons",), ("SP0", "SP1", "SP2"))


def test_places_are_filled() -> None:
    (query,) = pool("%stream%: %low% 5% %x", low=(1.5,)).draw(1, seed=0)
    assert (query.name, query.text) == ("Q1", "photons: 1.5 5% %x")


def test_fields_of_a_table_belong_together() -> None:
    choices = ({"low": 1, "high": 2}, {"low": 3, "high": 4})
    texts = {each.text for each in pool("%box.low%-%box.high%", box=choices).draw(50, seed=0)}
    assert texts == {"1-2", "3-4"}


def test_a_value_is_the_same_wherever_it_stands() -> None:
    texts = {each.text for each in pool("%f%-%f%", f=("a", "b")).draw(50, seed=0)}
    assert texts == {"a-a", "b-b"}


def test_equal_seeds_draw_equal_queries() -> None:
    assert PHOTONS.draw(40, seed=1) == PHOTONS.draw(40, seed=1)
    assert PHOTONS.draw(40, seed=1) != PHOTONS.draw(40, seed=2)


def test_longer_draw_begins_like_a_shorter() -> None:
    assert PHOTONS.draw(40, seed=1)[:10] == PHOTONS.draw(10, seed=1)


def test_what_a_seed_draws_stays_the_same() -> None:
    # Benchmarks are compared over years: whoever changes what is drawn must know.
    drawn = pool("%f%", f=tuple(range(100))).draw(8, seed=7)
    expected = "SP0:7 SP1:50 SP0:9 SP0:22 SP1:39 SP1:28 SP0:81 SP0:37"
    assert " ".join(f"{each.peer}:{each.text}" for each in drawn) == expected


def test_values_are_drawn_evenly() -> None:
    drawn = pool("a %f%", "b %f%", f=("x", "y", "z")).draw(6000, seed=0)
    texts = Counter(each.text for each in drawn)
    peers = Counter(each.peer for each in drawn)
    assert len(texts) == 6 and all(850 < each < 1150 for each in texts.values())
    assert all(2800 < each < 3200 for each in peers.values())


def test_photon_queries_compile() -> None:
    texts = {each.text for each in PHOTONS.draw(2000, seed=0)}
    streams = Streams()
    assert len(texts) > 150
    assert all(compile_text(each, streams) for each in texts)


def test_energies_and_windows_of_the_pool() -> None:
    texts = "\n".join(each.text for each in PHOTONS.draw(1000, seed=0))
    for size, step in ((20, 10), (40, 20), (60, 20), (60, 40), (80, 40)):
        assert f"|det_time diff {size} step {step}|" in texts
    for function in ("avg", "sum", "count", "min", "max"):
        assert f"{function}($w/en)" in texts


@pytest.mark.parametrize(
    ("template", "values", "message"),
    [
        ("%enrgy%", {"energy": (1,)}, "a place %enrgy%, which has no values"),
        ("%energy%", {"energy": ()}, "no values for %energy%"),
        ("%box.low%", {"box": (1,)}, "a place %box.low%, which a value does not fit"),
        ("%box%", {"box": ({"low": 1},)}, "a place %box%, which a value does not fit"),
        ("%box.lwo%", {"box": ({"low": 1},)}, "a place %box.lwo%"),
    ],
)
def test_place_without_a_value_is_an_error(
    template: str, values: dict[str, tuple[Choice, ...]], message: str
) -> None:
    with pytest.raises(SchemaError, match=message):
        pool(template, **values)


def test_pool_needs_templates() -> None:
    with pytest.raises(SchemaError, match="needs templates"):
        pool()
