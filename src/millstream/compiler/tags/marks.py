"""Tags on objects as rows: one for each tag and object of a set, with what conditions ask of it."""

from __future__ import annotations

from collections.abc import Sequence

from millstream.algebra.expressions import Expression, PathTo
from millstream.algebra.tag_operators import (
    ATTRIBUTE,
    CONTENT,
    GRANULARITY,
    LIFESPAN,
    MODE,
    SIGN,
    TAGGER,
    TIME,
    TYPE,
    TagVariable,
)
from millstream.algebra.walk import transform
from millstream.compiler import output
from millstream.compiler.relations import named
from millstream.compiler.scope import Scope, ValueColumn
from millstream.model.schema import ValueType
from millstream.model.tags import step_layout
from millstream.model.tags.granularity import Granularity

_TEXTS = (ATTRIBUTE, GRANULARITY, CONTENT, TYPE, SIGN, TAGGER, MODE)
_NUMBERS = (LIFESPAN, TIME)
FIELDS = (*_TEXTS, *_NUMBERS)
"""The columns of a mark beside its set and tag, as state holds them."""

_MORE = ("applicability", "stream", "position")
"""What the view of marks has beside these."""

NO_MARKS = "SELECT * FROM VALUES " + (
    f"(CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), "
    f"{', '.join('CAST(NULL AS STRING)' for _ in _TEXTS)}, CAST(NULL AS BIGINT), "
    f"CAST(NULL AS BIGINT)) AS none(tagset, tag, {', '.join(FIELDS)}) WHERE false"
)


def marks_now(tagged: bool, *, fleeting: bool = False) -> str:
    """The marks of the step's own tags; fleeting ones with all that there is to tell."""
    more = (*_MORE, step_layout.ON_POSITION) if fleeting else ()
    columns = (step_layout.TAGSET, step_layout.TAG, *FIELDS, *more)
    return f"SELECT {', '.join(columns)} FROM {step_layout.TAG_MARKS}" if tagged else NO_MARKS


def marks_view(alone: Granularity | None, *, fleeting: bool = False) -> str:
    """What a step shows as its marks, of its sets and tags.

    Where each set is one tag on whole tuples and has its number, `alone` says what the tags were
    attached to, and sets need not be looked up. Fleeting ones are on one tuple each.
    """
    if alone is not None:
        told = {ATTRIBUTE: "CAST(NULL AS STRING)", GRANULARITY: f"'{alone.value}'"}
        more = (*_MORE, step_layout.ON_POSITION) if fleeting else _MORE
        fields = ", ".join(f"{told.get(each, each)} AS {each}" for each in (*FIELDS, *more))
        tag = step_layout.TAG
        return f"SELECT {tag} AS {step_layout.TAGSET}, {tag}, {fields} FROM {step_layout.TAGS}"
    own = (step_layout.ATTRIBUTE, step_layout.GRANULARITY)
    fields = ", ".join(f"{'s' if each in own else 't'}.{each}" for each in (*FIELDS, *_MORE))
    return (
        f"SELECT s.{step_layout.TAGSET}, s.{step_layout.TAG}, {fields}"
        f" FROM {step_layout.TAG_SETS} s JOIN {step_layout.TAGS} t"
        f" ON t.{step_layout.TAG} = s.{step_layout.TAG}"
    )


def kept_marks(state: str, role: str) -> str:
    """The marks that earlier steps have left in the state of a stream.

    Spark may read the values of a row before it looks at the role: those of others must do no harm.
    """
    texts = "".join(f", get(values, {place}) AS {name}" for place, name in enumerate(_TEXTS))
    numbers = "".join(
        f", try_cast(get(values, {place}) AS BIGINT) AS {name}"
        for place, name in enumerate(_NUMBERS, len(_TEXTS))
    )
    return (
        f"SELECT channel, tick AS tagset, get(ordering, 0) AS tag{texts}{numbers}"
        f" FROM {state} WHERE role = '{role}'"
    )


def distinct_marks(marks: str, more: Sequence[str] = ()) -> str:
    """Marks with their channels, each once; what nobody asks of a tag is not looked at.

    Beside what every mark has, they may have more columns that the tag tells.
    """
    told = ("channel", "tagset", "tag", ATTRIBUTE, GRANULARITY)
    others = (*(each for each in FIELDS if each not in told), *more)
    rest = ", ".join(f"any_value({each}) AS {each}" for each in others)
    return f"SELECT {', '.join(told)}, {rest} FROM {named(marks)} GROUP BY {', '.join(told)}"


def mark_state(role: str, marks: str) -> str:
    """State rows of marks, which are given with their channels."""
    row = output.row(
        kind=f"'{output.STATE}'",
        role=f"'{role}'",
        channel="k.channel",
        tick="k.tagset",
        ordering="array(k.tag)",
        values=output.array(tuple(f"CAST(k.{each} AS STRING)" for each in FIELDS)),
    )
    return f"SELECT {row} FROM {named(marks)} k"


def object_key(mark: str, place: str) -> str:
    """What tells the object of a mark from others: the tuple at a place, and the part of it."""
    sub_stream, one = Granularity.SUB_STREAM.value, Granularity.TUPLE.value
    layer = f"IF({mark}.granularity = '{sub_stream}', '{one}', {mark}.granularity)"
    return f"concat_ws(' ', {place}, {layer}, {mark}.attribute)"


def flattened(expression: Expression) -> Expression:
    """An expression in which each path of names alone is a variable of its own."""

    def flat(each: Expression) -> Expression:
        if isinstance(each, PathTo) and each.steps:
            return PathTo(flat_name(each))
        return each

    return transform(expression, flat)


def flat_name(path: PathTo) -> str:
    """The variable that stands for a path."""
    return "/".join((path.variable, *(step.name for step in path.steps)))


def tag_scope(tag: TagVariable, prefix: str, time: ValueType) -> Scope:
    """The fields of a tag, as the columns of a mark, whose names have something before them."""
    scope: dict[str, ValueColumn] = {
        f"{tag.variable}/{each}": ValueColumn(f"{prefix}{each}", ValueType.TEXT) for each in _TEXTS
    }
    seconds = f"(CAST({prefix}{LIFESPAN} AS DOUBLE) / 1000000D)"
    scope[f"{tag.variable}/{LIFESPAN}"] = ValueColumn(seconds, ValueType.DOUBLE)
    scope[f"{tag.variable}/{TIME}"] = time_column(f"{prefix}{TIME}", time)
    return scope


def time_column(microseconds: str, type: ValueType) -> ValueColumn:
    """A time in microseconds as conditions compare it."""
    if type is ValueType.TIME:
        return ValueColumn(f"timestamp_micros({microseconds})", type)
    return ValueColumn(f"(CAST({microseconds} AS DOUBLE) / 1000000D)", ValueType.DOUBLE)
