"""Random items of a schema as XML text, in the order of their reference element."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import strategies as st

from millstream.model.schema import Attribute, Content, Element, Occurs, Schema, ValueType
from millstream.testing.reference.nodes import escape_attribute, escape_text
from millstream.testing.strategies.schemas import REFERENCE

MIDNIGHT = datetime(2024, 1, 1, tzinfo=UTC)
INTEGERS = ("-2", "0", "1", "2", "3", "10")
DECIMALS = ("-1.5", "0.1", "0.2", "0.30", "1.0", "2.5", "3", "10.25")
DOUBLES = ("-0.5", "0.25", "1e0", "2.5", "3", "1.025e1")
DYADIC = ("-1.5", "0.25", "0.5", "1.0", "2.50", "3", "10.25")
"""Numbers whose sums are the same in doubles and in decimals."""
TEXTS = ("x", "xy", "y", "10", "2", "a b", "<&>", '"')
PADDED = (" x ", "\n2")
TIMES = tuple((MIDNIGHT + timedelta(hours=hour)).isoformat()[:19] + "Z" for hour in range(4))


@st.composite
def items(
    draw: st.DrawFn,
    schema: Schema,
    *,
    max_size: int = 12,
    plain: bool = False,
    disorder: int = 0,
) -> list[str]:
    """Items whose reference values never fall by more than `disorder`.

    `plain` ones mean the same to untyped XQuery: no white space around text, and numbers whose
    sums are exact in doubles.
    """
    gaps = st.sampled_from((0, 0, 1, 1, 1, 2, 3, 9))
    moment, written = draw(st.sampled_from((0, 0, 1, 5))), []
    for _ in range(draw(st.integers(0, max_size))):
        moment += draw(gaps)
        shown = moment - draw(st.integers(0, disorder))
        written.append(draw(_element(schema.item, plain, shown)))
    return written


@st.composite
def arrivals(
    draw: st.DrawFn, streams: dict[str, Schema], *, max_size: int = 12, disorder: int = 0
) -> list[tuple[str, str]]:
    """Items of several streams, each in its own order, arriving in any order of streams."""
    waiting = {
        stream: draw(items(schema, max_size=max_size, disorder=disorder))
        for stream, schema in streams.items()
    }
    turns = [stream for stream, queue in waiting.items() for _ in queue]
    return [(stream, waiting[stream].pop(0)) for stream in draw(st.permutations(turns))]


def moment_text(moment: int, value_type: ValueType) -> str:
    """A reference value, so many units from the start, as the text of its type."""
    if value_type is ValueType.TIME:
        return (MIDNIGHT + timedelta(seconds=moment)).isoformat()[:19] + "Z"
    return str(Decimal(moment) / 2 if value_type is ValueType.DECIMAL else moment)


@st.composite
def _element(draw: st.DrawFn, element: Element, plain: bool, moment: int) -> str:
    tag = [element.name]
    for attribute in element.attributes:
        if draw(st.booleans()):
            tag.append(f'{attribute.name}="{escape_attribute(draw(_text(attribute, plain)))}"')
    content = ""
    if element.content is Content.LEAF:
        is_reference = element.name == REFERENCE
        own = moment_text(moment, element.type) if is_reference else draw(_text(element, plain))
        content = escape_text(own)
    for child in element.children:
        for _ in range(draw(_how_many(child.occurs))):
            content += draw(_element(child, plain, moment))
    return f"<{' '.join(tag)}>{content}</{element.name}>"


def _how_many(occurs: Occurs) -> st.SearchStrategy[int]:
    choices = {
        Occurs.ONE: (1,),
        Occurs.OPTIONAL: (0, 1, 1),
        Occurs.MANY: (0, 1, 2, 3),
        Occurs.SOME: (1, 2, 3),
    }
    return st.sampled_from(choices[occurs])


def _text(holder: Element | Attribute, plain: bool) -> st.SearchStrategy[str]:
    choices = {
        ValueType.INTEGER: INTEGERS,
        ValueType.DECIMAL: DYADIC if plain else DECIMALS,
        ValueType.DOUBLE: DYADIC if plain else DOUBLES,
        ValueType.TIME: TIMES,
        ValueType.TEXT: (*TEXTS, "") if plain else (*TEXTS, "", *PADDED),
    }
    return st.sampled_from(choices[holder.type])
