"""What is live at a moment: the tuples that are still in the window of their source."""

from __future__ import annotations

from decimal import Decimal

from millstream.algebra.expressions import Compare, Expression, Literal, PathTo
from millstream.languages.tagql.lowering.values import number
from millstream.model.schema import ValueType
from millstream.model.tags.duration import SECOND
from millstream.model.tags.event_time import LATEST, TimeForm, format_time

_FIRST_INSTANT = -62_135_596_800 * SECOND
"""The beginning of the year 1, before which no instant can be written."""


def in_window(time: PathTo, type: ValueType, window: int, now: int) -> Expression:
    """True for a tuple with a time at which its window has begun, and that is not over by now."""
    since = now - window
    if type is ValueType.TIME:
        text = format_time(max(since, _FIRST_INSTANT), TimeForm.INSTANT)
        return Compare(">", time, Literal(text))
    seconds = Decimal(max(since, -2 * LATEST * SECOND)) / SECOND
    return Compare(">", time, number(seconds).expression)
