"""Aggregates by attributes and by tags, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from millstream.algebra.expressions import TRUE, Expression, NewTuple, PathTo
from millstream.algebra.operators import Construct, Operator
from millstream.algebra.tag_operators import (
    AggregateTags,
    AggregateTuples,
    Likeness,
    SelectTagged,
    TagVariable,
)
from millstream.compiler.constants import Constants
from millstream.compiler.statement import Statement
from millstream.compiler.tags.aggregates import AggregateStatement
from millstream.compiler.tags.compiled_tags import (
    TUPLES,
    CompiledTags,
    new_tuple,
    question,
    tagged_tuples,
    time_form,
)
from millstream.compiler.tags.marks import flat_name
from millstream.compiler.tags.running_totals import RunningStatement, RunningTagGroups
from millstream.compiler.tags.tag_groups import GROUP, TagGroupStatement
from millstream.compiler.tags.tag_statement import slot
from millstream.compiler.tags.templates import template_of
from millstream.compiler.tags.totals import Totals
from millstream.compiler.tags.tuple_source import TupleSource, tuple_source


def compile_groups(branch: Construct, operator: AggregateTuples | AggregateTags) -> CompiledTags:
    constants = Constants("c")
    inner, tags, predicate, window = _asked(operator.input)
    source = tuple_source(inner, constants, TUPLES)
    new = new_tuple(branch)
    values = [each.value for each in operator.aggregations if each.value is not None]
    keys = operator.keys if isinstance(operator, AggregateTuples) else ()
    source.use((predicate, *keys, *values, *(each.value for each in new.columns)))
    asked = question(tags, predicate, constants)
    tagged = tagged_tuples(source, predicate, window)
    totals = Totals(source)
    answers = {each.variable: totals.answer(each) for each in operator.aggregations}
    slots = ("r.id", "CAST(r.time AS STRING)", *_answer_slots(new, source, answers))
    base = (constants, source, asked, tagged, operator.window, operator.last)
    statement: Statement
    if isinstance(operator, AggregateTags):
        source.extra = GROUP
        # Objects in common are those of all tuples, so all of them are kept.
        kept = operator.window is not None or operator.likeness is Likeness.JACCARD
        by_tags = TagGroupStatement if kept else RunningTagGroups
        statement = by_tags(
            *base,
            (GROUP,),
            tuple(totals.parts),
            slots,
            new.with_tags,
            operator.likeness,
            float(operator.threshold or 0),
            operator.dictionary or "",
            operator.untagged,
            operator.function or "",
        )
    else:
        columns = tuple(_value_column(source, key) for key in keys)
        kind = RunningStatement if operator.window is None else AggregateStatement
        statement = kind(*base, columns, tuple(totals.parts), slots, new.with_tags)
    template = template_of(new, (source.variable,), time_form(source), joined=False)
    template = replace(template, grouped_by_tags=isinstance(operator, AggregateTags))
    return CompiledTags({source.stream: statement}, tuple(constants.values), template)


def _asked(
    operator: Operator,
) -> tuple[Operator, tuple[TagVariable, ...], Expression, int | None]:
    """The tuples below an operator, and what is asked of the tags on them."""
    if isinstance(operator, SelectTagged):
        return operator.input, operator.tags, operator.predicate, operator.window
    return operator, (), TRUE, None


def _answer_slots(new: NewTuple, source: TupleSource, answers: Mapping[str, str]) -> Iterator[str]:
    scope = source.scope("r")
    for column in new.columns:
        value = column.value
        if isinstance(value, PathTo) and value.variable in answers:
            yield answers[value.variable]
        elif isinstance(value, PathTo) and not value.steps:
            yield f"r.{GROUP}"
        else:
            yield slot(value, ((source, "r"),), scope)


def _value_column(source: TupleSource, key: PathTo) -> str:
    place = next(
        place for place, each in enumerate(source.attributes) if each.name == flat_name(key)
    )
    return f"v{place}"
