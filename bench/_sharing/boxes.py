"""Boxes of the sky and of energies that subscribers ask for: all different, in known number."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from millstream.generators.sky import Survey, observe

Photons = NDArray[np.float64]
"""A row of right ascension, declination and energy each."""

HULL = np.array([360.0, 180.0, 2.3])


@dataclass(frozen=True, slots=True)
class Box:
    """Photons between two right ascensions, declinations and energies."""

    ra: tuple[float, float]
    dec: tuple[float, float]
    en: tuple[float, float]

    @property
    def text(self) -> str:
        """The box as a subscription."""
        return f"""
            <photons>
              {{ for $p in stream("photons")/photons/photon
                 where $p/coord/cel/ra >= {self.ra[0]} and $p/coord/cel/ra <= {self.ra[1]}
                   and $p/coord/cel/dec >= {self.dec[0]} and $p/coord/cel/dec <= {self.dec[1]}
                   and $p/en >= {self.en[0]} and $p/en <= {self.en[1]}
                 return <box> {{ $p/en }} {{ $p/det_time }} </box> }}
            </photons>"""

    @property
    def condition(self) -> str:
        """The box as a condition of Spark SQL over columns ra, dec and en."""
        return (
            f"ra >= {self.ra[0]}D AND ra <= {self.ra[1]}D"
            f" AND dec >= {self.dec[0]}D AND dec <= {self.dec[1]}D"
            f" AND en >= {self.en[0]}D AND en <= {self.en[1]}D"
        )


def draw(count: int, share: float) -> list[Box]:
    """So many boxes, which together are given so many results a photon."""
    random = np.random.default_rng(count)
    photons = _photons()
    # Half of the subscribers look where photons come from, the others anywhere.
    half = len(photons) // 2
    known = photons[random.integers(0, half, count)]
    anywhere = random.random((count, 3)) * HULL + [0.0, -90.0, 0.1]
    centres = np.where(random.random((count, 1)) < 0.5, known, anywhere)
    shapes = HULL * np.exp(random.normal(0.0, 0.5, (count, 3)))
    sample = photons[half :: max(1, half * count // 20_000_000)]
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        fewer = _share(sample, centres, middle * shapes) < share
        low, high = (middle, high) if fewer else (low, middle)
    lows, highs = (np.round(centres + sign * high / 2 * shapes, 5) for sign in (-1, 1))
    boxes = [
        Box(*((one, other) for one, other in zip(*pair, strict=True)))
        for pair in zip(lows.tolist(), highs.tolist(), strict=True)
    ]
    assert len(set(boxes)) == count, "boxes differ"
    return boxes


def _photons() -> Photons:
    """The first photons of the survey that the experiment reads."""
    blocks = observe(Survey(), 32_768)
    columns = [(block.ra / 10_000, block.dec / 10_000, block.en / 1_000) for block in blocks]
    return np.concatenate([np.stack(each, axis=1) for each in columns])


def _share(photons: Photons, centres: Photons, widths: Photons) -> float:
    found = 0
    for centre, width in zip(centres, widths, strict=True):
        found += int((abs(photons - centre) <= width / 2).all(axis=1).sum())
    return found / len(photons)


def save(boxes: list[Box], path: Path) -> None:
    path.write_text(json.dumps([asdict(each) for each in boxes]))


def load(path: Path) -> list[Box]:
    return [
        Box(**{name: tuple(pair) for name, pair in each.items()})
        for each in json.loads(path.read_text())
    ]
