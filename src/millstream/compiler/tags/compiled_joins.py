"""Joins of tuples, compiled for the steps of each of their streams."""

from __future__ import annotations

from dataclasses import replace

from millstream.algebra.expressions import NewPair, NewTuple
from millstream.algebra.operators import Construct, scans
from millstream.algebra.tag_operators import JoinTags, JoinTuples, TagVariable
from millstream.compiler.constants import Constants
from millstream.compiler.statement import Statement
from millstream.compiler.tags.compiled_tags import (
    OBJECTS,
    TUPLES,
    CompiledTags,
    columns_of,
    new_result,
    time_form,
)
from millstream.compiler.tags.deferred_pairs import DeferredPairStatement
from millstream.compiler.tags.join_side import JoinSide
from millstream.compiler.tags.likeness import TaggedTuples, asks_likeness
from millstream.compiler.tags.marks import flattened
from millstream.compiler.tags.pairs import PairStatement, keys_of
from millstream.compiler.tags.tag_statement import slot
from millstream.compiler.tags.templates import template_of
from millstream.compiler.tags.tuple_source import tuple_source


def compile_join(branch: Construct, operator: JoinTuples | JoinTags) -> CompiledTags:
    streams = dict.fromkeys(scan.stream for scan in scans(operator))
    statements: dict[str, Statement] = {}
    for stream in streams:
        # Every stream's statement takes the same constants, in the same order.
        constants = Constants("c")
        pairs = _pairs(branch, operator, stream, constants)
        statements[stream] = pairs
    left = tuple_source(operator.left, Constants("c"), TUPLES)
    template = template_of(
        new_result(branch),
        tuple(scan.variable for scan in scans(operator)),
        time_form(left),
        joined=True,
    )
    if pairs.with_tags and not pairs.asks_tags:
        template = replace(template, origins=tuple(scan.stream for scan in scans(operator)))
    return CompiledTags(statements, tuple(constants.values), template)


def _pairs(
    branch: Construct, operator: JoinTuples | JoinTags, stream: str, constants: Constants
) -> PairStatement:
    new = new_result(branch)
    values = [each.value for each in columns_of(new)]
    sides = []
    by_tags = isinstance(operator, JoinTags)
    windows = operator.left_window, operator.right_window
    for number, (inner, window) in enumerate(
        zip((operator.left, operator.right), windows, strict=True)
    ):
        source = tuple_source(inner, constants, f"{TUPLES}{number}")
        source.use((operator.predicate, *values))
        tag = _asked_tag(operator, source.variable)
        sides.append(JoinSide(source, window, tag, source.stream == stream))
    flat = constants.take_from(flattened(operator.predicate))
    keys = keys_of(flat, sides[0], sides[1])
    left, right = replace(sides[0], keys=keys.left), replace(sides[1], keys=keys.right)
    slots = _pair_slots(new, left, right)
    base = (constants, left, right, keys.rest, slots, branch.carries_tags, by_tags)
    if not asks_likeness(operator.predicate):
        return PairStatement(*base)
    tagged = [
        TaggedTuples(tuple_source(each.source.tuples, constants, f"{OBJECTS}{number}"), each.window)
        for number, each in enumerate((left, right))
    ]
    return DeferredPairStatement(*base, *tagged)


def _asked_tag(operator: JoinTuples | JoinTags, variable: str) -> TagVariable | None:
    tags = (
        (operator.left_tag, operator.right_tag) if isinstance(operator, JoinTags) else operator.tags
    )
    return next((each for each in tags if each.of == variable), None)


def _pair_slots(new: NewTuple | NewPair, left: JoinSide, right: JoinSide) -> tuple[str, ...]:
    sources = ((left.source, "l"), (right.source, "r"))
    scope = {**left.source.scope("l"), **right.source.scope("r")}
    if isinstance(new, NewPair):
        return tuple(
            text
            for side, alias in ((new.left, "l"), (new.right, "r"))
            for text in (
                f"{alias}.id",
                f"CAST({alias}.time AS STRING)",
                *(slot(each.value, sources, scope) for each in side.columns),
            )
        )
    columns = (slot(each.value, sources, scope) for each in new.columns)
    return "concat_ws('+', l.id, r.id)", "CAST(greatest(l.time, r.time) AS STRING)", *columns
