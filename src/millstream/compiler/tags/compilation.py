"""From the operators of TAG-QL to statements."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.expressions import TRUE, Expression, NewPair, NewTag, NewTuple
from millstream.algebra.operators import Construct, Operator, Select
from millstream.algebra.tag_operators import (
    AggregateTags,
    AggregateTuples,
    Attach,
    JoinTags,
    JoinTuples,
    SelectTagged,
    SelectTags,
    TagVariable,
    Tuples,
)
from millstream.compiler.constants import Constants
from millstream.compiler.tags.attaching import AttachStatement
from millstream.compiler.tags.compiled_groups import compile_groups
from millstream.compiler.tags.compiled_joins import compile_join
from millstream.compiler.tags.compiled_tags import (
    TUPLES,
    CompiledTags,
    new_tuple,
    question,
    tagged_tuples,
    time_form,
)
from millstream.compiler.tags.marks import flattened
from millstream.compiler.tags.selections import SelectionStatement, TagSelectionStatement
from millstream.compiler.tags.tag_statement import slot
from millstream.compiler.tags.templates import TagTemplate, template_of
from millstream.compiler.tags.tuple_source import TupleSource, tuple_source
from millstream.errors import UnsupportedError


def asks_tags(branch: Construct) -> bool:
    """True for a branch whose results are tuples or tags."""
    return isinstance(branch.template, NewTuple | NewPair | NewTag)


def compile_tags(branch: Construct) -> CompiledTags:
    """A branch of TAG-QL, ready for the shared batch."""
    match branch.input:
        case SelectTags() as operator:
            return _tags(operator)
        case SelectTagged(inner, tags, predicate, window):
            return _selection(branch, inner, tags, predicate, window)
        case Tuples() | Select():
            return _selection(branch, branch.input, (), TRUE, None)
        case JoinTuples() | JoinTags() as operator:
            return compile_join(branch, operator)
        case AggregateTuples() | AggregateTags() as operator:
            return compile_groups(branch, operator)
        case Attach() as operator:
            return _attach(branch, operator)
        case _:
            raise UnsupportedError(f"{type(branch.input).__name__} cannot run")


def _selection(
    branch: Construct,
    inner: Operator,
    tags: tuple[TagVariable, ...],
    predicate: Expression,
    window: int | None,
) -> CompiledTags:
    constants = Constants("c")
    source = tuple_source(inner, constants, TUPLES)
    new = new_tuple(branch)
    source.use((predicate, *(each.value for each in new.columns)))
    asked = question(tags, predicate, constants)
    slots = _slots(new, source)
    statement = SelectionStatement(
        constants, source, asked, tagged_tuples(source, predicate, window), slots, new.with_tags
    )
    template = template_of(new, (source.variable,), time_form(source), joined=False)
    return CompiledTags({source.stream: statement}, tuple(constants.values), template)


def _tags(operator: SelectTags) -> CompiledTags:
    constants = Constants("c")
    source = tuple_source(operator.input, constants, TUPLES)
    source.use((operator.predicate,))
    asked = question((operator.tag,), operator.predicate, constants)
    tagged = tagged_tuples(source, operator.predicate, operator.window)
    statement = TagSelectionStatement(constants, source, asked, tagged)
    template = TagTemplate(time_form(source))
    return CompiledTags({source.stream: statement}, tuple(constants.values), template)


def _attach(branch: Construct, operator: Attach) -> CompiledTags:
    constants = Constants("c")
    source = tuple_source(operator.input, constants, TUPLES)
    new = new_tuple(branch)
    source.use((operator.predicate, *(each.value for each in new.columns)))
    asked = question(operator.tags, operator.predicate, constants)
    tagged = tagged_tuples(source, operator.predicate, operator.window)
    data = TRUE if operator.tags else constants.take_from(flattened(operator.predicate))
    attach = replace(operator, input=source.tuples)
    slots = _slots(new, source)
    statement = AttachStatement(constants, source, asked, tagged, slots, attach, data)
    template = template_of(new, (source.variable,), time_form(source), joined=False)
    return CompiledTags({source.stream: statement}, tuple(constants.values), template)


def _slots(new: NewTuple, source: TupleSource) -> tuple[str, ...]:
    columns = (slot(each.value, ((source, "n"),), source.scope("n")) for each in new.columns)
    return "n.id", "CAST(n.time AS STRING)", *columns
