"""A stream of things with a leaf of every type, and predicates on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from millstream.algebra.expressions import Expression, NewElement, PathTo, Step
from millstream.languages.xquery import compile_text
from millstream.model.schema import Attribute, Occurs, Schema, ValueType
from millstream.sharing.predicates import Predicate, implies, item_resolver, predicate_of
from millstream.testing.reference.expressions import holds
from millstream.testing.reference.nodes import ElementNode, escape_text, read_item
from tests.languages.streams import leaf, nested

INTEGER, DECIMAL, DOUBLE = ValueType.INTEGER, ValueType.DECIMAL, ValueType.DOUBLE
TIME, TEXT = ValueType.TIME, ValueType.TEXT

TYPES = {
    "i": INTEGER,
    "j": INTEGER,
    "k": INTEGER,
    "d": DECIMAL,
    "e": DECIMAL,
    "f": DOUBLE,
    "s": TEXT,
    "t": TEXT,
    "at": TIME,
    "by": TIME,
}
REPEATED = {"r": INTEGER, "q": DECIMAL, "w": TEXT}

THINGS = Schema(
    "things",
    nested(
        "thing",
        *(leaf(name, type, Occurs.OPTIONAL) for name, type in TYPES.items()),
        *(leaf(name, type, Occurs.MANY) for name, type in REPEATED.items()),
        nested("inner", leaf("v", INTEGER), leaf("u", DECIMAL), occurs=Occurs.OPTIONAL),
        nested("part", leaf("n", INTEGER, Occurs.OPTIONAL), occurs=Occurs.MANY),
        attributes=(Attribute("id", INTEGER),),
    ),
)
RESOLVE = item_resolver("p", THINGS)


class Things:
    """The catalog of the one stream."""

    def schema(self, stream_name: str, /) -> Schema:
        return THINGS

    def names(self) -> Sequence[str]:
        return ("things",)


def path(name: str, variable: str = "p") -> PathTo:
    return PathTo(variable, tuple(Step(each) for each in name.split("/")))


def condition(text: str, variable: str = "p") -> Expression:
    """A condition on things, as a query writes it."""
    # Inside a constructor it is not refused where it can never hold.
    query = f'for ${variable} in stream("things")/things/thing return <is>{{ {text} }}</is>'
    (branch,) = compile_text(query, Things()).branches
    assert isinstance(branch.template, NewElement)
    (found,) = branch.template.content
    return found


def predicate(text: str, variable: str = "p", *, rounded: bool = True) -> Predicate:
    """The predicate of a where clause, whose paths start at $p unless said otherwise."""
    resolve = item_resolver(variable, THINGS)
    return predicate_of(condition(text, variable), resolve, rounded=rounded)


def follows(stronger: str, weaker: str) -> bool:
    """True if one where clause is known to imply another."""
    return implies(predicate(stronger), predicate(weaker)).holds


def thing(values: Mapping[str, str | Sequence[str]]) -> ElementNode:
    """A thing with some leaves."""
    children = "".join(
        f"<{name}>{escape_text(text)}</{name}>"
        for name, texts in values.items()
        for text in ((texts,) if isinstance(texts, str) else texts)
    )
    return read_item(f"<thing>{children}</thing>", THINGS.item)


def meets(item: ElementNode, expression: Expression | None, variable: str = "p") -> bool:
    """True if an item meets a condition, as it is evaluated."""
    return expression is None or holds(expression, {variable: (item,)})
