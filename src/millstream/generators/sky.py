"""The sky that the made-up telescope sees: where photons come from, and how hard they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from millstream.errors import MillstreamError

BLOCK = 16_384
"""Photons are drawn in blocks of this size, each from its own random numbers, so that a photon
depends on the seed and its number alone."""

LONGEST_DELAY = 5
"""A displaced photon is at most so many seconds late."""

SOFTEST, HARDEST = 0.1, 2.4
"""The telescope's range of energies, in keV."""

FLARE_PERIOD = 900.0
"""The hot spots grow harder and softer again in so many seconds."""

PIXELS = 512
CHANNELS = 256
_CHANNELS_PER_KEV = 100.0

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class HotSpot:
    """A source of photons with a Gaussian profile; widths and centre are in degrees."""

    name: str
    share: float
    """Of all photons."""
    ra: float
    dec: float
    width: float
    softness: float
    """Energies are distributed as uniform numbers to this power: 1 is flat, above is softer."""
    flare: float = 0.0
    """By how much the softness swings."""


BACKGROUND_SOFTNESS = 2.0
HOT_SPOTS = (
    HotSpot("Vela supernova remnant", 0.14, 128.8, -45.0, 2.2, 1.1, 0.5),
    HotSpot("RX J0852.0-4622", 0.06, 133.0, -46.4, 0.6, 0.75, 0.4),
    HotSpot("Cygnus Loop", 0.06, 312.8, 30.7, 1.2, 2.6),
    HotSpot("Crab Nebula", 0.05, 83.63, 22.01, 0.3, 0.9),
    HotSpot("Large Magellanic Cloud", 0.04, 80.9, -69.8, 2.5, 1.8),
    HotSpot("Virgo Cluster", 0.03, 187.7, 12.4, 2.0, 1.3),
)


@dataclass(frozen=True, slots=True)
class Survey:
    """Which photons are made: equal surveys give equal photons."""

    seed: int = 0
    hot_spots: bool = True
    disorder: float = 0.0
    """The share of photons that come a few seconds late."""
    dirt: float = 0.0
    """The share of items that are broken."""
    start: int = 0
    """The second of the first photon."""
    rate: float = 3.0
    """Photons a second, on average."""

    def __post_init__(self) -> None:
        if not (0 <= self.disorder <= 1 and 0 <= self.dirt <= 1):
            raise MillstreamError("disorder and dirt are shares, from 0 to 1")
        if not self.rate > 0:
            raise MillstreamError("the rate of photons must be above 0")

    def random(self, block: int, purpose: int) -> np.random.Generator:
        """The random numbers of one block; each purpose has its own, so none disturbs another."""
        sequence = np.random.SeedSequence(self.seed, spawn_key=(block, purpose))
        return np.random.Generator(np.random.PCG64(sequence))


@dataclass(frozen=True, slots=True)
class PhotonBlock:
    """Consecutive photons as columns; numbers with decimals are scaled to integers."""

    ra: Integers
    """In 1/10,000 degree."""
    dec: Integers
    """In 1/10,000 degree."""
    dx: Integers
    dy: Integers
    phc: Integers
    en: Integers
    """In eV."""
    det_time: Integers

    def __len__(self) -> int:
        return len(self.ra)


_PHOTONS, _DISORDER, DIRT = range(3)
"""The purposes of random numbers."""


def observe(survey: Survey, count: int) -> Iterator[PhotonBlock]:
    """The first `count` photons of a survey, in blocks of any length up to BLOCK."""
    for number in range(-(-count // BLOCK)):
        yield _block(survey, number, min(BLOCK, count - number * BLOCK))


def _block(survey: Survey, number: int, length: int) -> PhotonBlock:
    random = survey.random(number, _PHOTONS)
    time = _times(survey, number, random)
    spot = _sources(survey, random)
    ra, dec = _positions(spot, random)
    energy = _energies(spot, time, random)
    pixels = random.integers(0, PIXELS, (2, BLOCK))
    pulse = _CHANNELS_PER_KEV * energy + 4.0 * random.standard_normal(BLOCK)
    columns = (
        _scaled(ra, 10_000) % 3_600_000,
        _scaled(dec, 10_000),
        *pixels,
        np.clip(np.rint(pulse), 1, CHANNELS).astype(np.int64),
        _scaled(energy, 1_000),
        _delayed(survey, number, np.floor(time).astype(np.int64)),
    )
    return PhotonBlock(*(column[:length] for column in columns))


def _times(survey: Survey, number: int, random: np.random.Generator) -> Floats:
    # A block covers the time that it takes on average; sorted uniform instants within it are what
    # a Poisson process of known size looks like, and need nothing from the block before.
    instants = np.sort(random.random(BLOCK)) * BLOCK + number * BLOCK
    return instants / survey.rate + survey.start


def _sources(survey: Survey, random: np.random.Generator) -> Integers:
    """For each photon the number of its hot spot, or their count for the background."""
    bounds = np.cumsum([spot.share for spot in HOT_SPOTS])
    drawn = random.random(BLOCK)
    if not survey.hot_spots:
        return np.full(BLOCK, len(HOT_SPOTS))
    return np.searchsorted(bounds, drawn, side="right")


def _positions(spot: Integers, random: np.random.Generator) -> tuple[Floats, Floats]:
    """Right ascension and declination; the background is uniform on the sphere."""
    background = spot == len(HOT_SPOTS)
    around, height = random.random((2, BLOCK))
    east, north = random.standard_normal((2, BLOCK))
    width = _by_spot([each.width for each in HOT_SPOTS], 0.0)[spot]
    dec = _by_spot([each.dec for each in HOT_SPOTS], 0.0)[spot] + width * north
    ra = _by_spot([each.ra for each in HOT_SPOTS], 0.0)[spot]
    ra = ra + width * east / np.cos(np.radians(np.clip(dec, -89.0, 89.0)))
    uniform_dec = np.degrees(np.arcsin(2.0 * height - 1.0))
    return (
        np.where(background, 360.0 * around, ra),
        np.where(background, uniform_dec, np.clip(dec, -90.0, 90.0)),
    )


def _energies(spot: Integers, time: Floats, random: np.random.Generator) -> Floats:
    softness = _by_spot([each.softness for each in HOT_SPOTS], BACKGROUND_SOFTNESS)[spot]
    flare = _by_spot([each.flare for each in HOT_SPOTS], 0.0)[spot]
    softness = softness - flare * np.sin(2.0 * np.pi * time / FLARE_PERIOD)
    return SOFTEST + (HARDEST - SOFTEST) * random.random(BLOCK) ** softness


def _delayed(survey: Survey, number: int, time: Integers) -> Integers:
    if not survey.disorder:
        return time
    random = survey.random(number, _DISORDER)
    late = random.random(BLOCK) < survey.disorder
    delay = random.integers(2, LONGEST_DELAY + 1, BLOCK)
    return np.where(late, np.maximum(time - delay, survey.start), time)


def _by_spot(values: list[float], background: float) -> Floats:
    return np.array([*values, background])


def _scaled(values: Floats, scale: int) -> Integers:
    return np.rint(values * scale).astype(np.int64)
