"""What compiled statements of TAG-QL are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from millstream.algebra.expressions import Expression, NewPair, NewTuple, TupleColumn
from millstream.algebra.operators import Construct
from millstream.algebra.tag_operators import TagVariable
from millstream.compiler.constants import Constant, Constants
from millstream.compiler.statement import Statement
from millstream.compiler.tags.likeness import TaggedTuples, asks_likeness
from millstream.compiler.tags.marks import flattened
from millstream.compiler.tags.question import Question
from millstream.compiler.tags.templates import TagTemplate, TupleTemplate
from millstream.compiler.tags.tuple_source import TupleSource, tuple_source
from millstream.errors import InternalError
from millstream.model.schema import ValueType
from millstream.model.tags.event_time import TimeForm

TUPLES, OBJECTS = "tuples", "objects"
"""The roles of state: the tuples of a source, and what likeness is judged by."""


@dataclass(frozen=True, slots=True)
class CompiledTags:
    """Statements by their streams, the constants for them, and how results are read."""

    statements: Mapping[str, Statement]
    constants: tuple[Constant, ...]
    template: TupleTemplate | TagTemplate


def question(
    tags: tuple[TagVariable, ...], predicate: Expression, constants: Constants
) -> Question | None:
    """What is asked of one tag on a tuple, if anything is."""
    if not tags:
        return None
    (tag,) = tags
    return Question(tag, constants.take_from(flattened(predicate)))


def tagged_tuples(
    source: TupleSource, predicate: Expression, window: int | None
) -> TaggedTuples | None:
    """What likeness is judged by, if a predicate asks about it: all tuples of the stream."""
    if not asks_likeness(predicate):
        return None
    return TaggedTuples(tuple_source(source.tuples, source.rows.constants, OBJECTS), window)


def new_tuple(branch: Construct) -> NewTuple:
    """The result tuples of a branch that gives such."""
    if not isinstance(branch.template, NewTuple):
        raise InternalError("tuples are given as tuples")
    return branch.template


def new_result(branch: Construct) -> NewTuple | NewPair:
    """The result tuples, or pairs of them, of a branch."""
    if not isinstance(branch.template, NewTuple | NewPair):
        raise InternalError("joins give tuples")
    return branch.template


def columns_of(new: NewTuple | NewPair) -> tuple[TupleColumn, ...]:
    """All columns of a result."""
    if isinstance(new, NewPair):
        return (*new.left.columns, *new.right.columns)
    return new.columns


def time_form(source: TupleSource) -> TimeForm:
    """How the times of a source's tuples are written."""
    instant = source.tuples.time_type is ValueType.TIME
    return TimeForm.INSTANT if instant else TimeForm.SECONDS
