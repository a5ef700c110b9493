"""Lengths of time as written in queries."""

from __future__ import annotations

import re

_DURATION = re.compile(
    r"(?P<sign>-)?P(?:(?P<Y>\d+)Y)?(?:(?P<M>\d+)M)?(?:(?P<W>\d+)W)?(?:(?P<D>\d+)D)?"
    r"(?:T(?:(?P<h>\d+)H)?(?:(?P<m>\d+)M)?(?:(?P<s>\d+)(?:\.(?P<f>\d{1,6})\d*)?S)?)?"
)
_SECOND = 1_000_000


def months_and_microseconds(text: str) -> tuple[int, int] | None:
    """A duration as a number of months and one of microseconds; None if it is none."""
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    number = {unit: int(found[unit] or 0) for unit in "YMWDhms"}
    seconds = 86_400 * (7 * number["W"] + number["D"])
    seconds += 3_600 * number["h"] + 60 * number["m"] + number["s"]
    rest = int((found["f"] or "").ljust(6, "0") or 0)
    sign = -1 if found["sign"] else 1
    return sign * (12 * number["Y"] + number["M"]), sign * (_SECOND * seconds + rest)
