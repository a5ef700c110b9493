"""The nodes that a path reaches, as an SQL array to be unnested."""

from __future__ import annotations

from millstream.algebra.expressions import PathTo
from millstream.compiler.columns import sql_type
from millstream.compiler.expressions import items_of
from millstream.compiler.items import Node
from millstream.compiler.scope import Scope
from millstream.compiler.sequences import gather, leaves
from millstream.errors import UnsupportedError


def node_array(path: PathTo, scope: Scope) -> str:
    """The nodes in document order, without nulls; never null itself."""
    items = items_of(path, scope)
    kinds = list(leaves(items))
    elements = [leaf.element for leaf in kinds if isinstance(leaf, Node)]
    if not elements or len(elements) < len(kinds) or len(set(elements)) > 1:
        steps = "/".join(step.name for step in path.steps)
        raise UnsupportedError(
            f"cannot range over ${path.variable}/{steps}: it does not reach one kind of element",
            help="name the element instead of '*', '@' or 'text()'",
        )
    return gather(items, lambda item: item.sql, sql_type(elements[0]))
