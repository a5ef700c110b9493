"""Random numbers and conditions over the variables of a scope."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import strategies as st

from millstream.algebra.expressions import (
    CONTEXT,
    And,
    Arithmetic,
    Call,
    Compare,
    Expression,
    If,
    Literal,
    Or,
    PathTo,
    Quantified,
    Step,
)
from millstream.model.schema import ValueType
from millstream.testing.strategies.items import TIMES
from millstream.testing.strategies.schemas import NUMERIC, Place
from millstream.testing.strategies.scope import Scope

COMPARISONS = st.sampled_from(("=", "!=", "<", "<=", ">", ">="))
WHOLE = st.sampled_from((-2, -1, 0, 1, 2, 3, 10)).map(Literal)
FRACTION = st.sampled_from(("-1.5", "0.3", "0.5", "1.5", "2.25")).map(Decimal).map(Literal)
DYADIC_FRACTION = st.sampled_from(("-1.5", "0.5", "1.5", "2.25")).map(Decimal).map(Literal)
STRINGS = st.sampled_from(("", "x", "xy", "10", "2", "a b", "<&>", '"')).map(Literal)
SAFE_OPERATORS = st.sampled_from(("+", "-", "*"))
INSTANTS = st.sampled_from(TIMES).map(Literal)
OTHER_INSTANTS = st.sampled_from(("2024-01-01T02:00:00+01:00", "2024-01-01", "never")).map(Literal)


@st.composite
def numbers(draw: st.DrawFn, scope: Scope, depth: int = 2) -> Expression:
    """An expression that gives at most one number."""
    choices: list[st.SearchStrategy[Expression]] = [_number_literals(scope)]
    known = _single_numbers(scope)
    if known:
        choices += [st.sampled_from(known)] * 3
    if depth > 0:
        choices += [arithmetic(scope, depth - 1), _calls(scope, depth - 1)]
        choices.append(_number_if(scope, depth - 1))
    return draw(st.one_of(choices))


@st.composite
def arithmetic(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    """A sum, difference, product, quotient or remainder."""
    operator = draw(st.sampled_from(("+", "-", "*", "div", "idiv", "mod")))
    right = numbers(scope, depth)
    if scope.untyped and operator in ("div", "idiv", "mod"):
        # Untyped XQuery fails on integers divided by zero, and divides them as decimals.
        right = st.sampled_from((-2, 2, 4)).map(Literal)
    return Arithmetic(operator, draw(numbers(scope, depth)), draw(right))


@st.composite
def conditions(draw: st.DrawFn, scope: Scope, depth: int = 2) -> Expression:
    """An expression asked for its truth."""
    choices = [comparisons(scope, min(depth, 1))] * 4
    paths = scope.leaf_paths(lambda leaf: True)
    if paths:
        choices += [_existence(paths), st.sampled_from(paths)]
    if depth > 0:
        inner = conditions(scope, depth - 1)
        operands = st.lists(inner, min_size=2, max_size=3).map(tuple)
        choices += [operands.map(And), operands.map(Or), inner.map(lambda each: _call("not", each))]
        choices.append(_quantified(scope, depth - 1))
    return draw(st.one_of(choices))


@st.composite
def comparisons(draw: st.DrawFn, scope: Scope, depth: int = 1) -> Expression:
    """A comparison of numbers, texts or times, of the kinds that the scope allows."""
    kinds = [_number_comparison(scope, depth)] if _single_numbers(scope) else []
    numeric = scope.paths(*NUMERIC)
    if numeric:
        kinds.append(_related(st.sampled_from(numeric), _number_literals(scope)))
    texts = (*scope.paths(ValueType.TEXT), *scope.value_paths(ValueType.TEXT))
    times = (*scope.paths(ValueType.TIME), *scope.value_paths(ValueType.TIME))
    if texts:
        kinds.append(_related(st.sampled_from(texts), st.one_of(STRINGS, st.sampled_from(texts))))
    if times:
        others = st.one_of(INSTANTS, *(() if scope.untyped else (OTHER_INSTANTS,)))
        kinds.append(_related(st.sampled_from(times), st.one_of(others, st.sampled_from(times))))
    if scope.single_paths(ValueType.TEXT):
        kinds.append(_text_test(scope))
    if scope.nodes and not scope.untyped:
        kinds.append(_mixed_comparison(scope))
    return draw(st.one_of(kinds))


@st.composite
def steps_to(draw: st.DrawFn, variable: str, place: Place, scope: Scope) -> PathTo:
    """A path to an element, its last step perhaps with a position or a condition."""
    inside = Scope(untyped=scope.untyped).with_node(CONTEXT, place.element)
    predicate = st.one_of(st.sampled_from((1, 2)).map(Literal), conditions(inside, 1))
    predicates = draw(st.lists(predicate, max_size=1 if place.repeated else 0))
    last = Step(place.path[-1], tuple(predicates))
    return PathTo(variable, (*(Step(name) for name in place.path[:-1]), last))


@st.composite
def _quantified(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    repeated = [each for each in scope.element_paths() if each[1].repeated]
    if not repeated or depth < 0:
        return draw(comparisons(scope, 0))
    path, place = draw(st.sampled_from(repeated))
    variable = f"e{len(scope.nodes)}"
    source = draw(steps_to(path.variable, place, scope))
    condition = draw(conditions(scope.with_node(variable, place.element), min(depth, 1)))
    return Quantified(draw(st.booleans()), variable, source, condition)


def _single_numbers(scope: Scope) -> tuple[Expression, ...]:
    return (*scope.single_paths(*NUMERIC), *scope.value_paths(*NUMERIC))


def _number_literals(scope: Scope) -> st.SearchStrategy[Literal]:
    return st.one_of(WHOLE, DYADIC_FRACTION if scope.untyped else FRACTION)


@st.composite
def _calls(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    everything = scope.leaf_paths(lambda leaf: True)
    numeric = scope.paths(*NUMERIC)
    choices = [numbers(scope, depth).map(lambda each: _call("round", each))]
    if everything:
        choices.append(st.sampled_from(everything).map(lambda each: _call("count", each)))
    if numeric:
        function = st.sampled_from(("sum", "min", "max"))
        choices.append(st.builds(_call, function, st.sampled_from(numeric)))
    return draw(st.one_of(choices))


@st.composite
def _number_if(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    condition = draw(comparisons(scope, 0))
    return If(condition, draw(numbers(scope, depth)), draw(numbers(scope, depth)))


@st.composite
def _number_comparison(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    """A number that depends on the item or window, with any other."""
    known = st.sampled_from(_single_numbers(scope))
    left = draw(st.one_of(known, st.builds(Arithmetic, SAFE_OPERATORS, known, numbers(scope, 0))))
    right = draw(numbers(scope, depth))
    if scope.untyped and not isinstance(right, Literal):
        # Two bare nodes would compare as texts.
        right = Arithmetic("+", right, Literal(0))
    return Compare(draw(COMPARISONS), left, right)


@st.composite
def _mixed_comparison(draw: st.DrawFn, scope: Scope) -> Expression:
    """Any path with any path or literal, whatever their types."""
    paths = st.sampled_from(scope.leaf_paths(lambda leaf: True))
    right = st.one_of(WHOLE, FRACTION, STRINGS, paths)
    return Compare(draw(COMPARISONS), draw(paths), draw(right))


@st.composite
def _text_test(draw: st.DrawFn, scope: Scope) -> Expression:
    subject = draw(st.sampled_from(scope.single_paths(ValueType.TEXT)))
    part = draw(st.sampled_from(("x", "y", "1", "")).map(Literal))
    return Call(draw(st.sampled_from(("contains", "starts-with", "ends-with"))), (subject, part))


@st.composite
def _related(
    draw: st.DrawFn, left: st.SearchStrategy[Expression], right: st.SearchStrategy[Expression]
) -> Expression:
    return Compare(draw(COMPARISONS), draw(left), draw(right))


def _existence(paths: tuple[PathTo, ...]) -> st.SearchStrategy[Expression]:
    return st.builds(_call, st.sampled_from(("exists", "empty")), st.sampled_from(paths))


def _call(function: str, argument: Expression) -> Call:
    return Call(function, (argument,))
