"""A small stream of photons, and short words for the algebra, that the tests here share."""

from __future__ import annotations

from millstream.algebra.expressions import Expression, PathTo, Step
from millstream.algebra.operators import (
    AggregateFunction,
    Aggregation,
    Construct,
    Operator,
    Query,
    Scan,
)
from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType

PHOTON = Element(
    "photon",
    Occurs.MANY,
    Content.NESTED,
    (
        Element("en", Occurs.OPTIONAL, type=ValueType.DECIMAL),
        Element("phc", Occurs.OPTIONAL, type=ValueType.INTEGER),
        Element("flux", Occurs.OPTIONAL, type=ValueType.DOUBLE),
        Element("det_time", Occurs.OPTIONAL, type=ValueType.INTEGER),
        Element("seen", Occurs.OPTIONAL, type=ValueType.TIME),
        Element("note", Occurs.MANY, attributes=(Attribute("by"),)),
        Element("coord", Occurs.OPTIONAL, Content.NESTED, (Element("ra", type=ValueType.DECIMAL),)),
        Element("rest", Occurs.OPTIONAL, Content.RAW),
    ),
    (Attribute("id"), Attribute("run", ValueType.INTEGER)),
)
PHOTONS = Schema("photons", PHOTON)
SCAN = Scan("photons", "p", PHOTONS)


def path(written: str, variable: str = "p") -> PathTo:
    """The path a/b/@c from a variable."""
    return PathTo(variable, tuple(Step(name) for name in written.split("/") if name))


def query(operator: Operator, template: Expression) -> Query:
    """The query with one branch and no root."""
    return Query((Construct(operator, template),))


def aggregation(
    variable: str, function: str, source: str = "", value_type: ValueType = ValueType.INTEGER
) -> Aggregation:
    """An aggregate over the contents of window $w."""
    return Aggregation(variable, AggregateFunction(function), path(source, "w"), value_type)


def photons(*contents: str) -> list[tuple[str, str]]:
    """Arrivals of photons with these contents."""
    return [("photons", f"<photon>{content}</photon>") for content in contents]


def timed(*times: object) -> list[tuple[str, str]]:
    """Arrivals of photons with these detection times; None for a photon without one."""
    return photons(
        *("" if time is None else f"<det_time>{time}</det_time>" for time in times),
    )
