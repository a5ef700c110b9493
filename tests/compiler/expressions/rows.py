"""Items as rows of Spark, and expressions evaluated over them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from pyspark.sql import SparkSession

from millstream.compiler.columns import sql_type
from millstream.compiler.names import identifier
from millstream.compiler.scope import NodeColumn, Scope
from millstream.model.layout import view_name, viewed_leaves
from millstream.model.schema import TEXT_FIELD, Content, Element, Leaf, Schema, ValueType
from millstream.model.values import parse_value
from millstream.testing.reference.nodes import ElementNode, read_item, serialize, string_value

VIEW_TYPES = {
    ValueType.INTEGER: "BIGINT",
    ValueType.DECIMAL: "DOUBLE",
    ValueType.DOUBLE: "DOUBLE",
    ValueType.TIME: "TIMESTAMP",
}


def create_view(spark: SparkSession, name: str, schema: Schema, items: Sequence[str]) -> None:
    """Register items as the temporary view of a stream's log."""
    columns = [f"item {sql_type(schema.item)}", "position BIGINT"]
    leaves = viewed_leaves(schema)
    columns += [f"{identifier(view_name(leaf.path))} {VIEW_TYPES[leaf.type]}" for leaf in leaves]
    rows = []
    for position, xml in enumerate(items):
        node = read_item(xml, schema.item)
        row = to_row(node, schema.item)
        rows.append((row, position, *(_view(row, leaf, schema.item) for leaf in leaves)))
    # In memory and as one partition: what is slow here is to compile, not to run.
    frame = spark.createDataFrame(rows, ", ".join(columns)).coalesce(1).cache()
    frame.createOrReplaceTempView(name)


def item_scope(schema: Schema, variable: str = "p", views: bool = True) -> Scope:
    """The variable that holds the item of a row, with or without its typed views."""
    return {variable: NodeColumn("b.item", schema.item, views="b." if views else None)}


def evaluate(spark: SparkSession, view: str, expressions: Sequence[str]) -> list[list[Any]]:
    """The value of each SQL expression over each row: one list an expression."""
    columns = ", ".join(f"{sql} AS c{number}" for number, sql in enumerate(expressions))
    rows = spark.sql(f"SELECT b.position, {columns} FROM {view} b").collect()
    ordered = sorted(rows, key=lambda row: int(row[0]))
    return [[row[number + 1] for row in ordered] for number in range(len(expressions))]


def to_row(node: ElementNode, element: Element) -> Any:
    """An item as the layout of rows says."""
    if element.content is Content.RAW:
        return serialize(node)
    if element.plain_leaf:
        return string_value(node)
    given = {attribute.name: attribute.text for attribute in node.attributes}
    fields: dict[str, Any] = {}
    if element.content is Content.LEAF:
        fields[TEXT_FIELD] = string_value(node)
    fields |= {f"@{each.name}": given.get(each.name) for each in element.attributes}
    for child in element.children:
        below = [each for each in node.children if isinstance(each, ElementNode)]
        found = [to_row(each, child) for each in below if each.name == child.name]
        fields[child.name] = (found or None) if child.repeated else (found or [None])[0]
    return fields or {TEXT_FIELD: ""}


def _view(row: Any, leaf: Leaf, element: Element) -> Any:
    for name in leaf.path:
        row = row[name] if row is not None else None
        element = element.child(name) or element
    if isinstance(row, dict):
        row = row[TEXT_FIELD]
    try:
        value = parse_value(row, leaf.type) if row is not None else None
    except ValueError:
        return None
    return float(value) if isinstance(value, Decimal) else value
