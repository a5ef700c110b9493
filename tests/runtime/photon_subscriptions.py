"""Random subscriptions to photons: selections, projections, windows, aggregates and thresholds."""

from __future__ import annotations

import random
from dataclasses import dataclass

PHOTONS = 'stream("photons")/photons/photon'
PROJECTIONS = (
    "{ $p/coord/cel/ra } { $p/coord/cel/dec } { $p/phc } { $p/en } { $p/det_time }",
    "{ $p/en } { $p/det_time }",
    "{ $p/coord }",
    "{ $p }",
    '<at when="{ $p/det_time }">{ $p/coord/det/dx/text() }</at>',
)
AGGREGATES = ("avg($w/en)", "sum($w/en)", "min($w/en)", "max($w/en)", "count($w)", "sum($w/phc)")
WINDOWS = ((20, 10), (40, 10), (60, 40), (60, 60), (50, 20), (30, 45), (70, 30))
"""Sizes and steps, in tenths of a long window: some divide each other, some do not."""


@dataclass(frozen=True, slots=True)
class Sky:
    """Where constants come from."""

    energies: tuple[str, ...]
    unit: int
    """Of windows over time."""


MADE_UP = Sky(("0.3", "0.5", "0.8", "1.3", "2.0"), 1)
MEASURED = Sky(("55.0", "60", "80.5", "120.0", "250"), 86_400)


@dataclass(frozen=True, slots=True)
class Stay:
    """A subscription, the batch before which it comes, and the one before which it goes."""

    text: str
    comes: int
    goes: int | None


def stays(number: int, batches: int, sky: Sky, seed: int) -> list[Stay]:
    """Subscriptions that come and go; about half are there all the time."""
    draw = random.Random(seed)
    found = []
    for _ in range(number):
        comes = draw.choice((0, 0, draw.randrange(batches)))
        goes = draw.choice((None, None, draw.randint(comes + 1, batches)))
        found.append(Stay(subscription(draw, sky), comes, goes))
    return found


def subscription(draw: random.Random, sky: Sky) -> str:
    """The text of one subscription."""
    shape = draw.choice(
        (_items, _items, _over_time, _over_time, _over_time, _over_items, _contents)
    )
    return f"<photons>{{ {shape(draw, sky)} }}</photons>"


def _items(draw: random.Random, sky: Sky) -> str:
    where = _conditions(draw, sky, "$p/")
    return f"for $p in {PHOTONS} where {where} return <p>{draw.choice(PROJECTIONS)}</p>"


def _over_time(draw: random.Random, sky: Sky) -> str:
    return _aggregates(draw, sky, _time_window(draw, sky))


def _over_items(draw: random.Random, sky: Sky) -> str:
    size, step = draw.choice(WINDOWS)
    return _aggregates(draw, sky, f"|count {size // 5} step {step // 5}|")


def _contents(draw: random.Random, sky: Sky) -> str:
    path = f"{PHOTONS}[{_conditions(draw, sky, '')}]{_time_window(draw, sky)}"
    return f"for $w in {path} return <w>{{ $w/{draw.choice(('en', 'coord/cel', 'phc'))} }}</w>"


def _time_window(draw: random.Random, sky: Sky) -> str:
    size, step = draw.choice(WINDOWS)
    return f"|det_time diff {size * sky.unit} step {step * sky.unit}|"


def _aggregates(draw: random.Random, sky: Sky, window: str) -> str:
    chosen = draw.sample(AGGREGATES, draw.randint(1, 3))
    lets = " ".join(f"let $a{index} := {each}" for index, each in enumerate(chosen))
    values = " ".join(f"<v>{{ $a{index} }}</v>" for index in range(len(chosen)))
    threshold = ""
    if draw.random() < 0.4:
        threshold = f" where $a0 {draw.choice(('>=', '<'))} {draw.choice(sky.energies)}"
    path = f"{PHOTONS}[{_conditions(draw, sky, '')}]{window}"
    return f"for $w in {path} {lets}{threshold} return <w>{values}</w>"


def _conditions(draw: random.Random, sky: Sky, variable: str) -> str:
    box = _box(draw, variable)
    match draw.randrange(5):
        case 0:
            return f"{variable}en >= {draw.choice(sky.energies)}"
        case 1:
            return f"{box} and {variable}en < {draw.choice(sky.energies)}"
        case 2:
            return f"({box} or {variable}en >= {draw.choice(sky.energies)})"
        case _:
            return box


def _box(draw: random.Random, variable: str) -> str:
    west, south = draw.randrange(0, 300, 60), draw.randrange(-90, 60, 30)
    if draw.random() < 0.3:
        west, south = west + draw.randrange(50), south + draw.randrange(25)
    east, north = west + draw.choice((60, 120, 180)), south + draw.choice((30, 90, 150))
    return (
        f"{variable}coord/cel/ra >= {west}.0 and {variable}coord/cel/ra <= {east}.0"
        f" and {variable}coord/cel/dec > {south} and {variable}coord/cel/dec <= {north}.5"
    )
