"""Whether a predicate asks for a place in a sequence."""

from __future__ import annotations

from millstream.languages.xquery import syntax
from millstream.languages.xquery.operations import COMPARISONS
from millstream.languages.xquery.walk import walk

_TRUTHS = frozenset(
    (
        *("not", "empty", "exists", "contains", "starts-with", "ends-with"),
        *("boolean", "true", "false"),
    )
)


def may_count(predicates: tuple[syntax.Expression, ...]) -> bool:
    """True if one of some predicates may depend on positions."""
    return any(_is_position(each) or _asks_position(each) for each in predicates)


def _is_position(predicate: syntax.Expression) -> bool:
    """True unless it is surely a truth, or nodes that there are or are not."""
    match predicate:
        case syntax.Binary(operator):
            return operator not in COMPARISONS
        case syntax.Logical() | syntax.Quantified():
            return False
        case syntax.FunctionCall(name):
            return name.removeprefix("fn:") not in _TRUTHS
        case syntax.Path(_, steps):
            return not isinstance(steps[-1], syntax.Step)
        case syntax.IntervalProjection() | syntax.VersionProjection():
            return False
    return True


def _asks_position(predicate: syntax.Expression) -> bool:
    return any(
        isinstance(each, syntax.FunctionCall)
        and each.name.removeprefix("fn:") in ("position", "last")
        for each in walk(predicate)
    )
