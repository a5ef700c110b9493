"""The ends of intervals that can be told without looking at data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.algebra.standing import Bound
from millstream.languages.xquery import syntax
from millstream.languages.xquery.projections import DURATION
from millstream.languages.xquery.standing.gathered import EntryTree, Spot, Spots
from millstream.model.filler_layout import microseconds
from millstream.model.tag_structure import TagType
from millstream.model.time_shift import TimeShift
from millstream.model.values import parse_instant

_ENDS = ("vtFrom", "vtTo")
_WORDS = ("now", "start")
_NO_LIMIT = Bound()
_AT_ONCE = TimeShift()


@dataclass(frozen=True, slots=True)
class Moment:
    """A bound, or so much after an event that a variable holds."""

    bound: Bound = _NO_LIMIT
    event: EntryTree | None = None
    shift: TimeShift = _AT_ONCE


def time_constant(expression: syntax.Expression, context: Spots) -> syntax.Expression:
    """The time or duration that a lone name stands for, unless it is that of an element."""
    match expression:
        case syntax.Path(None, (syntax.Step(name, "child", (), False),)):
            if any(name == tag.name for spot in context if spot.tag for tag in spot.tag.children):
                return expression
            if name in _WORDS:
                return syntax.TimeWord(name)
            if DURATION.fullmatch(name):
                return syntax.DurationLiteral(name)
    return expression


def moment_of(
    expression: syntax.Expression, variables: Mapping[str, Spots], context: Spots
) -> Moment | None:
    """The moment that an expression means, if that can be told."""
    match time_constant(expression, context):
        case syntax.TimeWord("now"):
            return Moment(Bound(after_now=TimeShift()))
        case syntax.TimeWord("start"):
            return Moment()
        case syntax.TimeLiteral(text):
            return Moment(Bound(instant=microseconds(parse_instant(text))))
        case syntax.Binary("+" | "-" as sign, left, right):
            moment, shift = moment_of(left, variables, context), length_of(right, context)
            if moment is None or shift is None:
                return None
            return _moved(moment, shift if sign == "+" else -shift)
        case syntax.FunctionCall(name, (syntax.VariableReference(variable),)) if name in _ENDS:
            event = _event(variables.get(variable, frozenset()))
            return None if event is None else Moment(event=event)
    return None


def length_of(expression: syntax.Expression, context: Spots) -> TimeShift | None:
    """A length of time that is written out; a number is one of seconds."""
    match time_constant(expression, context):
        case syntax.DurationLiteral(text):
            return TimeShift.read(text)
        case syntax.NumberLiteral() as number:
            return TimeShift(0, round(float(number.value) * 1_000_000))
    return None


def _moved(moment: Moment, shift: TimeShift) -> Moment | None:
    if moment.event is not None:
        return Moment(event=moment.event, shift=moment.shift + shift)
    bound = moment.bound
    if bound.after_now is not None:
        return Moment(Bound(after_now=bound.after_now + shift))
    if bound.instant is not None:
        return Moment(Bound(instant=shift.after(bound.instant)))
    return moment


def _event(spots: Spots) -> EntryTree | None:
    """The entry whose anchors, being events, a variable holds one at a time."""
    if len(spots) != 1:
        return None
    spot: Spot = next(iter(spots))
    if not spot.bound or not spot.is_anchor or spot.tag is None:
        return None
    return spot.entry if spot.tag.type is TagType.EVENT else None
