"""Tag operators as text."""

from __future__ import annotations

from collections.abc import Iterable

from millstream.algebra.expressions import TRUE, Expression
from millstream.algebra.show import show
from millstream.algebra.tag_operators import (
    AggregateTags,
    AggregateTuples,
    Attach,
    JoinTags,
    JoinTuples,
    SelectTagged,
    SelectTags,
    TagOperator,
    TagVariable,
    TupleAggregation,
    Tuples,
)
from millstream.model.tags.duration import format_duration


def explain_tags(operator: TagOperator) -> str:
    """A tag operator on one line."""
    match operator:
        case Tuples(_, time, id):
            at = "" if time is None else f" at {show(time)}"
            return f"Tuples{at} named by {'position' if id is None else show(id)}"
        case SelectTagged(_, tags, predicate, window):
            return f"SelectTagged{_tags(tags)}{_where(predicate)}{_window(window)}"
        case SelectTags(_, tag, predicate, window):
            return f"SelectTags{_tags((tag,))}{_where(predicate)}{_window(window)}"
        case JoinTuples(_, _, left, right, predicate, tags):
            return f"JoinTuples{_windows(left, right)}{_tags(tags)}{_where(predicate)}"
        case JoinTags(_, _, left, right, one, other, predicate):
            return f"JoinTags{_windows(left, right)}{_tags((one, other))}{_where(predicate)}"
        case AggregateTuples(_, keys, aggregations, window, last):
            by = f" by {', '.join(map(show, keys))}" if keys else ""
            ends = f"{_window(window)}{_last(last)}"
            return f"AggregateTuples {_aggregations(aggregations)}{by}{ends}"
        case AggregateTags():
            return _by_tags(operator)
        case Attach():
            return _attach(operator)


def _by_tags(operator: AggregateTags) -> str:
    likeness = " ".join(
        filter(None, (operator.likeness.value, operator.function, operator.threshold))
    )
    untagged = ", untagged ones too" if operator.untagged else ""
    shown = _aggregations(operator.aggregations)
    ends = f"{_window(operator.window)}{_last(operator.last)}"
    return f"AggregateTags {shown} by {likeness}{untagged}{ends}"


def _attach(operator: Attach) -> str:
    what = "|".join(operator.contents)
    value = ".value" if operator.of_value else ""
    target = f"${operator.of}" + (f"/{operator.attribute}{value}" if operator.attribute else "")
    often = "" if operator.continuously else " once"
    lives = "" if operator.lifespan is None else f" for {format_duration(operator.lifespan)}"
    how = f" {operator.sign.value}{operator.mode.value}{lives} by {operator.tagger}"
    return f"Attach '{what}' to {target}{often}{how}{_where(operator.predicate)}"


def _aggregations(aggregations: Iterable[TupleAggregation]) -> str:
    return ", ".join(f"${each.variable} := {_aggregate(each)}" for each in aggregations)


def _aggregate(aggregation: TupleAggregation) -> str:
    value = "*" if aggregation.value is None else show(aggregation.value)
    return f"{aggregation.function.value}({value})"


def _tags(tags: Iterable[TagVariable]) -> str:
    return "".join(f" with ${each.variable} on ${each.of}" for each in tags)


def _where(predicate: Expression) -> str:
    return "" if predicate == TRUE else f" where {show(predicate)}"


def _window(window: int | None) -> str:
    return "" if window is None else f" within {format_duration(window)}"


def _last(last: bool) -> str:
    return ", last answers" if last else ""


def _windows(left: int, right: int) -> str:
    return f" within {format_duration(left)} and {format_duration(right)}"
