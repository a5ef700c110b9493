"""The functions of TAG-QL in SQL: places, patterns, meanings, and how alike contents are."""

from __future__ import annotations

from collections.abc import Callable

from millstream.algebra.expressions import Call, Expression, Literal, PathTo
from millstream.algebra.walk import subexpressions
from millstream.compiler import conversions
from millstream.compiler.environment import Environment
from millstream.compiler.items import Item, Node, Value, truth_value
from millstream.compiler.names import let, string
from millstream.compiler.scope import ValueColumn
from millstream.compiler.sequences import Items, Loop, lambda_name, single
from millstream.compiler.step_tags import CONTENTS, SEPARATOR
from millstream.errors import InternalError, UnsupportedError
from millstream.model.schema import ValueType
from millstream.model.tags.thesaurus import Thesaurus, find_thesaurus

PREFIX = "tag:"
CONTENTS_OF = "contents of "
"""Before the name of a variable: what holds the contents of the tags on its items, as one text."""
USER_FUNCTION = "tag_function_"
"""Before the names of users' functions."""
OBJECTS = "objects of contents"
"""The variable that holds, for each content in the window, the objects that it is on."""

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_BETWEEN = r"(?:\s*,\s*|\s+)"
_PAIR = rf"({_NUMBER}){_BETWEEN}({_NUMBER})"
_PLACE = rf"(?i)^\s*(?:POINT)?\s*(?:\(\s*{_PAIR}\s*\)|{_PAIR})\s*$"
_MARKED = "!$1$3 $2$4"
_USUAL_PLACE = f"^{_NUMBER} {_NUMBER}$"
"""Two numbers with a space between them, which are read more quickly."""
_NO_POINT = "CAST(NULL AS STRUCT<x: DOUBLE, y: DOUBLE>)"
_NO_ESCAPE = "\x01"


def tag_call(function: str, arguments: tuple[Expression, ...], environment: Environment) -> Items:
    """What a function of TAG-QL gives for its arguments."""
    name = function.removeprefix(PREFIX)
    if name not in _LIBRARY:
        raise InternalError(f"there is no function {function}")
    return _LIBRARY[name](arguments, environment)


def _text(argument: Expression, environment: Environment) -> str:
    """The one text, null for none."""
    return single(environment.items(argument), conversions.trimmed, "STRING")


def _double(argument: Expression, environment: Environment) -> str:
    return single(environment.items(argument), conversions.double, "DOUBLE")


def _instant(argument: Expression, environment: Environment) -> str:
    return single(environment.items(argument), conversions.instant, "TIMESTAMP")


def _literal(argument: Expression) -> str:
    assert isinstance(argument, Literal), "this argument is always written out"
    return str(argument.value)


def point(argument: Expression, environment: Environment) -> str:
    """A place as a struct of x and y, null where there is none."""
    match argument:
        case Call("tag:point", (x, y)):
            numbers = (_double(each, environment) for each in (x, y))
            first, second = numbers
            return (
                f"IF({first} IS NULL OR {second} IS NULL, {_NO_POINT},"
                f" named_struct('x', {first}, 'y', {second}))"
            )
    text = _text(argument, environment)
    across, up = _usual_numbers(text)
    quickly = f"named_struct('x', {across}, 'y', {up})"
    return f"IF({_is_usual(text)}, {quickly}, {_unusual_point(text)})"


def _is_usual(text: str) -> str:
    return f"{text} RLIKE {string(_USUAL_PLACE)}"


def _usual_numbers(text: str) -> tuple[str, str]:
    """The numbers of a place in the usual spelling."""
    first, last = (f"substring_index({text}, ' ', {place})" for place in (1, -1))
    return f"try_cast({first} AS DOUBLE)", f"try_cast({last} AS DOUBLE)"


def _unusual_point(text: str) -> str:
    # One pass over the text; a mark tells a place from what was left as it is.
    marked = f"regexp_replace({text}, {string(_PLACE)}, {string(_MARKED)})"
    return let("place", marked, _read_point)


def _read_point(text: str) -> str:
    part = f"split(substring({text}, 2), ' ')"
    return (
        f"IF(startswith({text}, '!'), named_struct('x', try_cast({part}[0] AS DOUBLE),"
        f" 'y', try_cast({part}[1] AS DOUBLE)), {_NO_POINT})"
    )


def _distance(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    one, other = (point(each, environment) for each in arguments)
    sql = let("one", one, lambda a: let("other", other, lambda b: _length(a, b)))
    return Value(sql, ValueType.DOUBLE)


def _length(one: str, other: str) -> str:
    return f"hypot({one}.x - {other}.x, {one}.y - {other}.y)"


def _place(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    found = point(Call("tag:point", arguments), environment)
    text = let("place", found, lambda it: f"concat({it}.x, ' ', {it}.y)")
    return Value(text, ValueType.TEXT)


def _region(inside: bool) -> Callable[[tuple[Expression, ...], Environment], Items]:
    def test(arguments: tuple[Expression, ...], environment: Environment) -> Items:
        location, kind, *rest = arguments
        numbers = tuple(float(_literal(each)) for each in rest)

        def tested(x: str, y: str) -> str:
            found = _within(x, y, _literal(kind), numbers)
            return found if inside else f"NOT ({found})"

        def at(found: str) -> str:
            return let("place", found, lambda place: tested(f"{place}.x", f"{place}.y"))

        if isinstance(location, Call) and location.function == "tag:point":
            sql = at(point(location, environment))
        else:
            text = _text(location, environment)
            quickly = tested(*_usual_numbers(text))
            sql = f"IF({_is_usual(text)}, {quickly}, {at(_unusual_point(text))})"
        return truth_value(f"coalesce({sql}, false)")

    return test


def _within(x: str, y: str, kind: str, numbers: tuple[float, ...]) -> str:
    values = [f"{each!r}D" for each in numbers]
    match kind:
        case "RECTANGLE":
            left, low, right, high = values
            return f"{x} >= {left} AND {x} <= {right} AND {y} >= {low} AND {y} <= {high}"
        case "SQUARE":
            half = f"{numbers[2] / 2!r}D"
            return f"abs({x} - {values[0]}) <= {half} AND abs({y} - {values[1]}) <= {half}"
        case "CIRCLE":
            return f"hypot({x} - {values[0]}, {y} - {values[1]}) <= {values[2]}"
    raise InternalError(f"there is no region {kind}")


def _like(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    value, pattern = arguments
    # No character of the pattern but % and _ stands for others.
    escape = string(_NO_ESCAPE)
    if _NO_ESCAPE in _literal(pattern):
        raise UnsupportedError("a pattern has a character that cannot be written")
    test = f"{_text(value, environment)} LIKE {string(_literal(pattern))} ESCAPE {escape}"
    return truth_value(f"coalesce({test}, false)")


def meaning(text: str, thesaurus: Thesaurus) -> str:
    """What words with the same meaning have in common, as SQL."""
    spaced = f"lower(btrim(regexp_replace({text}, '\\\\s+', ' ')))"
    normal = f"IF({text} RLIKE '\\\\s', {spaced}, lower({text}))"
    words = ", ".join(
        f"{string(word)}, {string(group)}"
        for group, listed in thesaurus.groups.items()
        for word in listed
    )
    if not words:
        return normal
    # Most words are written as the thesaurus has them, and no word is looked up twice.
    other = f"coalesce(try_element_at(map({words}), {normal}), {normal})"
    return f"coalesce(try_element_at(map({words}), {text}), IF({normal} = {text}, {text}, {other}))"


def _meaning(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    word, dictionary = arguments
    found = single(environment.items(word), conversions.text, "STRING")
    return Value(meaning(found, find_thesaurus(_literal(dictionary))), ValueType.TEXT)


def _seconds(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    later, earlier = (f"unix_micros({_instant(each, environment)})" for each in arguments)
    return Value(f"(({later} - {earlier}) / 1000000D)", ValueType.DOUBLE)


def _moved(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    start, shift = arguments
    micros = f"CAST(round({_double(shift, environment)} * 1000000D) AS BIGINT)"
    moved = f"timestamp_micros(unix_micros({_instant(start, environment)}) + {micros})"
    return Value(moved, ValueType.TIME)


def _contents(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    """The contents of the tags on an item, each once."""
    (argument,) = arguments
    if isinstance(argument, PathTo) and not argument.steps:
        known = environment.variables.get(f"{CONTENTS_OF}{argument.variable}")
        if known is not None:
            return _split(known.sql, environment)
    item = environment.items(argument)
    if not (isinstance(item, Node) and item.views == "b." and not item.path):
        raise UnsupportedError(
            "tags() is only known of items of a stream, and of windows",
            help="ask for the tags of the item that this is part of",
        )
    each = lambda_name(environment.depth)
    return Loop(f"b.{CONTENTS}", each, Value(each, ValueType.TEXT))


def _listed(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    """The contents in one text."""
    return _split(single(environment.items(arguments[0]), _exact_text, "STRING"), environment)


def _split(text: str, environment: Environment) -> Items:
    each = lambda_name(environment.depth)
    parts = f"array_remove(split(coalesce({text}, ''), {string(SEPARATOR)}), '')"
    return Loop(parts, each, Value(each, ValueType.TEXT))


def asks_contents(expression: Expression) -> bool:
    """True when an expression asks for the contents of the tags on an item."""
    return any(
        isinstance(each, Call) and each.function == "tag:contents"
        for each in subexpressions(expression)
    )


def function_name(name: str) -> str:
    """What a user's function is called in SQL."""
    return f"{USER_FUNCTION}{name.lower()}"


def asks_functions(expression: Expression) -> bool:
    """True when an expression calls a user's function, which Spark runs in Python."""
    return any(
        isinstance(each, Call) and each.function == "tag:user"
        for each in subexpressions(expression)
    )


def _user(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    name, *contents = arguments
    texts = (single(environment.items(each), _exact_text, "STRING") for each in contents)
    return Value(f"{function_name(_literal(name))}({', '.join(texts)})", ValueType.DOUBLE)


def _objects(environment: Environment) -> str:
    found = environment.variables.get(OBJECTS)
    if not isinstance(found, ValueColumn):
        raise UnsupportedError("contents are not compared by their objects here")
    return found.sql


def _of_content(content: Expression, environment: Environment) -> str:
    """The objects that a content is on; none where it is on none."""
    text = single(environment.items(content), _exact_text, "STRING")
    none = "CAST(array() AS ARRAY<STRING>)"
    return f"coalesce(try_element_at({_objects(environment)}, {text}), {none})"


def _exact_text(item: Item) -> str:
    return conversions.text(item)


def _together(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    one, other = (_of_content(each, environment) for each in arguments)
    return Value(f"CAST(size(array_intersect({one}, {other})) AS BIGINT)", ValueType.INTEGER)


def _jaccard(arguments: tuple[Expression, ...], environment: Environment) -> Items:
    one, other = (_of_content(each, environment) for each in arguments)
    return Value(
        let("one", one, lambda a: let("other", other, lambda b: share(a, b))), ValueType.DOUBLE
    )


def share(one: str, other: str) -> str:
    """The share of objects in both arrays among those in either, 0 for none."""
    both = f"size(array_intersect({one}, {other}))"
    return f"coalesce(try_divide(CAST({both} AS DOUBLE), size(array_union({one}, {other}))), 0D)"


_LIBRARY: dict[str, Callable[[tuple[Expression, ...], Environment], Items]] = {
    "contents": _contents,
    "distance": _distance,
    "jaccard": _jaccard,
    "like": _like,
    "listed": _listed,
    "meaning": _meaning,
    "moved": _moved,
    "outside": _region(inside=False),
    "point": _place,
    "seconds": _seconds,
    "together": _together,
    "user": _user,
    "within": _region(inside=True),
}
