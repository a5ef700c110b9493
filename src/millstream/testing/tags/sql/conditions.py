"""Values and conditions of TAG-QL as SQL; a comparison with something absent is false."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.languages.tagql import Scope, syntax
from millstream.languages.tagql.words import TagField
from millstream.model.tags.duration import SECOND
from millstream.testing.tags.sql.schema import quoted

_WHOLE = "('stream', 'tuple')"
_FIELDS = {
    TagField.CONTENT: "content",
    TagField.SIGN: "sign",
    TagField.TYPE: "type",
    TagField.TAGGER: "tagger",
    TagField.MODE: "mode",
    TagField.LIFESPAN: f"lifespan / {SECOND}.0",
    TagField.TIME: f"time / {SECOND}.0",
}


@dataclass(frozen=True, slots=True)
class Translation:
    """Where the attributes and tags of the sources are found in a statement of SQL."""

    scope: Scope
    aliases: Mapping[str, str]
    """The table alias of each source; its marks and tags have 'm_' and 'g_' before it."""
    objects: str = ""
    """A query for the columns content and object: what is tagged and in the window."""

    def condition(self, condition: syntax.Condition) -> str:
        match condition:
            case syntax.And(operands):
                return "(" + " AND ".join(map(self.condition, operands)) + ")"
            case syntax.Or(operands):
                return "(" + " OR ".join(map(self.condition, operands)) + ")"
            case syntax.Not(operand):
                return f"(NOT {self.condition(operand)})"
            case _:
                return f"(({self._predicate(condition)}) IS TRUE)"

    def value(self, value: syntax.Value) -> str:
        match value:
            case syntax.StringLiteral(text):
                return _text(text)
            case syntax.NumberLiteral(text):
                return f"({text})"
            case syntax.DurationLiteral(microseconds):
                return f"({microseconds} / {SECOND}.0)"
            case syntax.Name():
                place = self.scope.attribute(value)
                return f"{self.aliases[place.source]}.{quoted(place.attribute)}"
            case syntax.TagReference(field):
                alias = self.aliases[self.scope.source_of(value)]
                return f"(g_{alias}.{_FIELDS[field]})"
            case syntax.Star():
                return "1"
            case syntax.Negative(operand):
                return f"(- {self.value(operand)})"
            case syntax.Arithmetic(operator, left, right):
                return f"(1.0 * {self.value(left)} {operator} {self.value(right)})"
            case syntax.Call(function, arguments):
                return self._call(function, [self.value(each) for each in arguments])

    def _call(self, function: str, arguments: list[str]) -> str:
        match function, arguments:
            case "POINT", [x, y]:
                return f"({x} || ' ' || {y})"
            case "DIST", [one, other]:
                return _distance(one, other)
        return f"{function}({', '.join(arguments)})"

    def _predicate(self, condition: syntax.Condition) -> str:
        match condition:
            case syntax.Compare(operator, left, right):
                return f"{self.value(left)} {operator} {self.value(right)}"
            case syntax.Like(operand, pattern, negated):
                return f"{self.value(operand)} {_not(negated)} LIKE {_text(pattern)}"
            case syntax.In(operand, choices, negated):
                listed = ", ".join(map(self.value, choices))
                return f"{self.value(operand)} {_not(negated)} IN ({listed})"
            case syntax.Between(operand, low, high, negated):
                bounds = f"{self.value(low)} AND {self.value(high)}"
                known = f"{self.value(low)} IS NOT NULL AND {self.value(high)} IS NOT NULL"
                return f"{self.value(operand)} {_not(negated)} BETWEEN {bounds} AND {known}"
            case syntax.IsNull(operand, negated):
                return f"{self.value(operand)} IS {_not(negated)} NULL"
            case syntax.Within(location, region, negated):
                inside = _within(self.value(location), region)
                return f"{_not(negated)} ({inside})"
            case syntax.ObjectIs(objects, negated):
                return f"{_not(negated)} ({' OR '.join(map(self._is_on, objects))})"
            case _:
                return self._alike(condition)

    def _is_on(self, reference: syntax.ObjectReference) -> str:
        alias = self.aliases[reference.stream]
        if not reference.steps:
            return f"m_{alias}.granularity IN {_WHOLE}"
        wanted = "value" if reference.of_value else "attribute"
        named = f"m_{alias}.attribute = {_text(reference.attribute)}"
        return f"(m_{alias}.granularity = '{wanted}' AND {named})"

    def _alike(self, condition: syntax.Condition) -> str:
        match condition:
            case syntax.Equivalent(left, right):
                return f"{_meaning(self.value(left))} = {_meaning(self.value(right))}"
            case syntax.Similar(left, right, operator, threshold):
                share = jaccard(self.objects, self.value(left), self.value(right))
                return f"{share} {operator} {threshold}"
            case syntax.CoOccurs(left, right, operator, count):
                both = together(self.objects, self.value(left), self.value(right))
                return f"{both} {operator} {count}"
        raise TypeError(f"no condition: {condition}")


def together(objects: str, one: str, other: str) -> str:
    """The number of objects that two contents are on."""
    return f"(SELECT COUNT(*) FROM ({_both('INTERSECT', objects, one, other)}))"


def jaccard(objects: str, one: str, other: str) -> str:
    """The share of common objects; 0 where there are none at all."""
    either = f"(SELECT COUNT(*) FROM ({_both('UNION', objects, one, other)}))"
    return f"COALESCE(1.0 * {together(objects, one, other)} / NULLIF({either}, 0), 0)"


def _both(operator: str, objects: str, one: str, other: str) -> str:
    mine, theirs = (
        f"SELECT object FROM ({objects}) WHERE content = {content}" for content in (one, other)
    )
    return f"{mine} {operator} {theirs}"


def _meaning(content: str) -> str:
    word = f"LOWER(TRIM({content}))"
    return f"COALESCE((SELECT meaning FROM thesaurus WHERE word = {word}), {word})"


def _within(location: str, region: syntax.Region) -> str:
    x, y = f"east({location})", f"north({location})"
    numbers = [float(each) for each in region.values]
    match region.kind:
        case syntax.RegionKind.RECTANGLE:
            x1, y1, x2, y2 = numbers
            return f"{x} BETWEEN {x1} AND {x2} AND {y} BETWEEN {y1} AND {y2}"
        case syntax.RegionKind.SQUARE:
            east, north, half = numbers[0], numbers[1], numbers[2] / 2
            return f"ABS({x} - {east}) <= {half} AND ABS({y} - {north}) <= {half}"
        case syntax.RegionKind.CIRCLE:
            east, north, radius = numbers
            return f"{_distance(location, f'({east} || CHAR(32) || {north})')} <= {radius}"


def _distance(one: str, other: str) -> str:
    x, y = (f"({axis}({one}) - {axis}({other}))" for axis in ("east", "north"))
    return f"root({x} * {x} + {y} * {y})"


def _not(negated: bool) -> str:
    return "NOT" if negated else ""


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
