"""How an element lies in a row: fields and SQL types."""

from __future__ import annotations

from millstream.compiler.names import identifier
from millstream.model.schema import TEXT_FIELD, Content, Element


def field(sql: str, name: str) -> str:
    """A field of a struct."""
    return f"{sql}.{identifier(name)}"


def sql_type(element: Element) -> str:
    """The SQL type of one such element."""
    if element.plain_leaf or element.content is Content.RAW:
        return "STRING"
    fields = [f"{identifier(f'@{each.name}')}: STRING" for each in element.attributes]
    if element.content is Content.LEAF:
        fields.insert(0, f"{identifier(TEXT_FIELD)}: STRING")
    fields += [f"{identifier(child.name)}: {_field_type(child)}" for child in element.children]
    return f"STRUCT<{', '.join(fields or [f'{identifier(TEXT_FIELD)}: STRING'])}>"


def text_field(sql: str, element: Element) -> str:
    """The text of a leaf."""
    return sql if element.plain_leaf else field(sql, TEXT_FIELD)


def _field_type(element: Element) -> str:
    own = sql_type(element)
    return f"ARRAY<{own}>" if element.repeated else own
