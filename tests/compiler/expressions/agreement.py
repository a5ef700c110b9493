"""Compiled expressions compared with the reference evaluator, many at once."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pyspark.sql import SparkSession

from millstream.algebra.expressions import Expression
from millstream.compiler.expressions import condition, render
from millstream.compiler.template import template
from millstream.errors import MillstreamError
from millstream.model.schema import Schema
from millstream.testing.reference.construction import printed
from millstream.testing.reference.expressions import holds, value_of
from millstream.testing.reference.nodes import read_item
from tests.compiler.expressions.rows import create_view, evaluate, item_scope

REFUSED = "refused"
_INTEGER = re.compile(r"(?<![\w.])-?[0-9]+(?![\w.])")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?")


def disagreements(
    spark: SparkSession, schema: Schema, items: Sequence[str], expressions: Sequence[Expression]
) -> list[str]:
    """What Spark and the reference see differently: as text, as condition, as template."""
    create_view(spark, "agreement", schema, items)
    found: list[str] = []
    for start in range(0, len(expressions), 25):
        found += _batch(spark, schema, items, expressions[start : start + 25])
    return found


def _batch(
    spark: SparkSession, schema: Schema, items: Sequence[str], expressions: Sequence[Expression]
) -> list[str]:
    found: list[str] = []
    for views in (True, False):
        scope = item_scope(schema, views=views)
        texts = evaluate(spark, "agreement", [render(each, scope) for each in expressions])
        truths = evaluate(spark, "agreement", [condition(each, scope) for each in expressions])
        for expression, text, truth in zip(expressions, texts, truths, strict=True):
            for xml, one, other in zip(items, text, truth, strict=True):
                found += _differences(expression, schema, xml, one, other)
    return found + _template_differences(spark, schema, expressions)


def _differences(
    expression: Expression, schema: Schema, xml: str, text: str, truth: bool
) -> list[str]:
    expected_text, expected_truth = reference(expression, schema, xml)
    found = []
    if expected_text is not REFUSED and not alike(text, expected_text):
        found.append(f"{expression}\n  over {xml}\n  gives {text!r}, not {expected_text!r}")
    if expected_truth is not REFUSED and truth is not expected_truth:
        found.append(f"{expression}\n  over {xml}\n  is {truth}, not {expected_truth}")
    return found


def _template_differences(
    spark: SparkSession, schema: Schema, expressions: Sequence[Expression]
) -> list[str]:
    scope = item_scope(schema)
    found = []
    rendered = evaluate(spark, "agreement", [render(each, scope) for each in expressions])
    compiled = [template(each, scope) for each in expressions]
    slots = list(dict.fromkeys(slot for each in compiled for slot in each.slots))
    values = dict(zip(slots, evaluate(spark, "agreement", slots), strict=True))
    for each, texts, expression in zip(compiled, rendered, expressions, strict=True):
        for row, text in enumerate(texts):
            filled = each.template.fill([values[slot][row] for slot in each.slots])
            if filled != text:
                found.append(f"{expression}\n  fills to {filled!r}, renders as {text!r}")
    return found


def reference(
    expression: Expression, schema: Schema, xml: str, variable: str = "p"
) -> tuple[str, bool | str]:
    """What the reference prints and holds true; REFUSED where it reports an error."""
    environment = {variable: (read_item(xml, schema.item),)}
    try:
        text = printed(value_of(expression, environment))
    except MillstreamError:
        return REFUSED, REFUSED
    if any(abs(int(digits)) >= 2**63 for digits in _INTEGER.findall(text)):
        return REFUSED, REFUSED
    try:
        return text, holds(expression, environment)
    except MillstreamError:
        return text, REFUSED


def alike(one: str, other: str) -> bool:
    """True for equal texts, or texts that differ in the last digits of doubles only."""
    if one == other:
        return True
    if _NUMBER.sub("#", one) != _NUMBER.sub("#", other):
        return False
    pairs = zip(_NUMBER.findall(one), _NUMBER.findall(other), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-9) for a, b in pairs)
