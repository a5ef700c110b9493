"""Photons out of order."""

from __future__ import annotations

import random


def disordered(photons: list[str], reach: int) -> list[str]:
    """The photons, each later than it should be by up to so many places."""
    places = random.Random(7)
    order = sorted(range(len(photons)), key=lambda place: place + places.uniform(0, reach))
    return [photons[place] for place in order]
