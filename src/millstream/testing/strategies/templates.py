"""Random return clauses: constructed elements with everything that may stand inside."""

from __future__ import annotations

from hypothesis import strategies as st

from millstream.algebra.expressions import (
    EMPTY,
    Call,
    Each,
    Expression,
    If,
    Literal,
    NewAttribute,
    NewElement,
    PathTo,
    Sequence,
    Step,
    Text,
)
from millstream.algebra.walk import subexpressions
from millstream.model.schema import Content, ValueType
from millstream.testing.strategies.conditions import conditions, numbers, steps_to
from millstream.testing.strategies.scope import Scope

TEXTS = st.sampled_from(("t", "u & v", "<", "{x}", "1")).map(Text)
WORDS = st.sampled_from(("", "w", "w & z", "7")).map(Literal)


@st.composite
def elements(draw: st.DrawFn, scope: Scope, depth: int = 2, name: str = "r") -> NewElement:
    """A constructed element over the variables of a scope."""
    attributes = draw(st.lists(_attributes(scope), max_size=1))
    content = draw(st.lists(_parts(scope, depth), min_size=1 if depth > 1 else 0, max_size=3))
    leading = scope.leaf_paths(lambda leaf: leaf.path[-1:] == ("@id",))
    begins = draw(st.booleans())
    if leading and begins:
        content.insert(0, leading[0])
    return NewElement(name, tuple(attributes), tuple(content))


@st.composite
def _attributes(draw: st.DrawFn, scope: Scope) -> NewAttribute:
    parts = draw(st.lists(st.one_of(TEXTS, _atomics(scope)), max_size=2))
    return NewAttribute("z", tuple(parts))


@st.composite
def _parts(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    """Something inside an element: text, an element or an enclosed expression."""
    choices = [TEXTS, _enclosed(scope, depth)]
    if depth > 0:
        choices.append(elements(scope, depth - 1, "n"))
    return draw(st.one_of(choices))


@st.composite
def _enclosed(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    choices = [_atomics(scope), _nodes(scope), _nodes(scope)]
    if depth > 0:
        inner = _enclosed(scope, depth - 1)
        choices.append(st.lists(inner, max_size=3).map(lambda each: Sequence(tuple(each))))
        otherwise = st.one_of(st.just(EMPTY), inner)
        choices.append(st.builds(If, conditions(scope, 1), inner, otherwise))
        choices.append(_each(scope, depth - 1))
    return draw(st.one_of(choices))


@st.composite
def _atomics(draw: st.DrawFn, scope: Scope) -> Expression:
    """An expression that gives at most one atomic value."""
    choices = [numbers(scope, 1).map(_detached), WORDS]
    variables = scope.value_paths(*ValueType)
    if variables:
        choices += [st.sampled_from(variables)] * 3
    singles = scope.single_paths(*ValueType)
    if singles:
        path = st.sampled_from(singles)
        choices.append(st.builds(lambda each: Call("string", (each,)), path))
        choices.append(st.builds(lambda each, word: Call("concat", (each, word)), path, WORDS))
    return draw(st.one_of(choices))


@st.composite
def _nodes(draw: st.DrawFn, scope: Scope) -> Expression:
    """A path to nodes or their texts; the bare words of a number where there are none."""
    below = list(scope.element_paths())
    if not scope.nodes:
        return draw(numbers(scope, 0))
    variable, _ = draw(st.sampled_from(scope.nodes))
    choices: list[st.SearchStrategy[Expression]] = [st.just(PathTo(variable))]
    if below:
        path, place = draw(st.sampled_from(below))
        reached = steps_to(path.variable, place, scope)
        choices += [reached, reached]
        if place.element.content is Content.LEAF:
            choices.append(reached.map(_its_text))
            choices.append(reached.map(lambda each: Call("data", (each,))))
    return draw(st.one_of(choices))


@st.composite
def _each(draw: st.DrawFn, scope: Scope, depth: int) -> Expression:
    """A nested FLWOR over the elements that a path reaches."""
    below = [each for each in scope.element_paths() if each[1].repeated]
    if not below:
        return draw(_atomics(scope))
    path, place = draw(st.sampled_from(below))
    variable = f"e{len(scope.nodes)}"
    inside = scope.with_node(variable, place.element)
    source = draw(steps_to(path.variable, place, scope))
    condition = draw(st.one_of(st.none(), conditions(inside, 1)))
    result = draw(st.one_of(elements(inside, depth, "m"), _atomics(inside), _nodes(inside)))
    return Each(variable, source, result, condition)


def _detached(number: Expression) -> Expression:
    """The number itself where it could be an attribute, which must not stand after content."""
    paths = (each for each in subexpressions(number) if isinstance(each, PathTo))
    if any(path.steps and path.steps[-1].name.startswith("@") for path in paths):
        return Call("data", (number,))
    return number


def _its_text(path: PathTo) -> PathTo:
    return PathTo(path.variable, (*path.steps, Step("text()")))
